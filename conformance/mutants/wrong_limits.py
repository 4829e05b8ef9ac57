"""Wrong log limits: logs that grow all the same, and actors that wait too long or not at all."""

from reference.control.log import Entry, Room


def log_limit_is_ignored() -> None:
    """Everything is logged at once, as without a limit."""
    Room.take = lambda self: None  # type: ignore[method-assign]


def log_limit_of_one_more() -> None:
    """An actor waits when the log is over its limit, and not when it is full."""
    limit = Room.limit

    def more(self: Room, events: int, held: int = 0) -> None:
        limit(self, events + 1 if events else 0, held)

    Room.limit = more  # type: ignore[method-assign]


def log_limit_of_the_first_fill() -> None:
    """The log is full once. After the first Trace nobody waits any more."""
    delivered = Room.delivered

    def for_good(self: Room, events: int) -> None:
        delivered(self, events)
        if events:
            self.limit(0)

    Room.delivered = for_good  # type: ignore[method-assign]


def log_drops_what_is_too_much() -> None:
    """An event for which there is no room is not logged, and nobody waits."""

    def room(self: Room) -> bool:
        if self._limit and self._held >= self._limit:
            return False
        self._held += 1
        return True

    def take(self: Entry, sender: int, kind: int, args: tuple[int, ...]) -> None:
        if self.begin <= self.taken < self.end and room(self.room):
            self.events.append((sender, kind, args))
        self.taken += 1

    Entry.take = take  # type: ignore[method-assign]


def counts_under_a_log_limit() -> None:
    """Every Trace says how many messages everybody has taken, also while the run goes on."""
    Room.is_limited = property(lambda self: False)  # type: ignore[assignment, method-assign]


def counts_from_the_second_trace_on() -> None:
    """The first Trace of a run has no counts, and every other one has."""
    delivered, seen = Room.delivered, [0]

    def counting(self: Room, events: int) -> None:
        delivered(self, events)
        seen[0] += events > 0 and self._limit > 0

    Room.delivered = counting  # type: ignore[method-assign]
    Room.is_limited = property(  # type: ignore[assignment, method-assign]
        lambda self: self._limit > 0 and not seen[0]
    )


def log_room_is_never_given_back() -> None:
    """Delivered events take up room still: the run stands when the log is full."""
    Room.delivered = lambda self, events: None  # type: ignore[method-assign]


def log_limit_holds_on_after_the_run() -> None:
    """The limit holds on after Run, so that the end of a world waits for room."""
    limit = Room.limit

    def lasting(self: Room, events: int, held: int = 0) -> None:
        if events:
            limit(self, events, held)

    Room.limit = lasting  # type: ignore[method-assign]
