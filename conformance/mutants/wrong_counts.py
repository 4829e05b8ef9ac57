"""Wrong counts: how many messages a watched actor is said to have taken, and who is counted."""

from typing import Any

from dramaturg.model import names
from dramaturg.v2 import control_pb2, trace_pb2

from changes import hands_over
from reference.actors import System
from reference.control.log import Entry, Log


def _counted(change: Any) -> None:
    """The counts of a stream are ``change(log, [(actor, taken), ...])``; the footer agrees."""

    def changed(log: Log, responses: Any) -> Any:
        counted: list[tuple[int, int]] = []
        for response in responses:
            if response.HasField("counts"):
                counts = response.counts
                counted += zip(counts.actor, counts.taken, strict=True)
            elif response.HasField("batch"):
                yield response
            else:
                counted = change(log, counted)
                actors, taken = zip(*counted, strict=True) if counted else ((), ())
                counts = trace_pb2.TraceCounts(actor=actors, taken=taken)
                yield control_pb2.TraceResponse(counts=counts)
                response.footer.watched = len(counted)
                yield response

    hands_over(changed)


def counts_what_is_logged() -> None:
    """Messages outside the slice are not counted."""
    logged: dict[tuple[int, int], int] = {}

    def take(self: Entry, *event: Any) -> None:
        key = id(self), self.name
        logged[key] = logged.get(key, 0) + (self.begin <= self.taken < self.end)
        right(self, *event)

    def change(log: Log, counted: Any) -> Any:
        return [(entry.name, logged.get((id(entry), entry.name), 0)) for entry in log._entries]

    right, Entry.take = Entry.take, take  # type: ignore[method-assign]
    _counted(change)


def counts_without_the_idle() -> None:
    """An actor that has logged nothing has no count: its counter is made with its log."""

    def take(self: Entry, *event: Any) -> None:
        if self.begin <= self.taken < self.end:
            logged.add(id(self))
        right(self, *event)

    def change(log: Log, counted: Any) -> Any:
        kept = {entry.name for entry in log._entries if id(entry) in logged}
        return [pair for pair in counted if pair[0] in kept]

    logged = set[int]()
    right, Entry.take = Entry.take, take  # type: ignore[method-assign]
    _counted(change)


def counts_without_the_ended() -> None:
    """An actor that ends takes its count with it."""
    right = System._receive

    def receive(self: Any, actor: Any, *message: Any) -> bool:
        ended = right(self, actor, *message)
        if ended:
            self._log.__dict__.setdefault("ended", set()).add(actor.name)
        return ended

    def change(log: Any, counted: Any) -> Any:
        return [pair for pair in counted if pair[0] not in getattr(log, "ended", ())]

    System._receive = receive  # type: ignore[method-assign]
    _counted(change)


def counts_twice() -> None:
    """Counts are in every stream twice: once from each of two lists."""
    _counted(lambda log, counted: counted + counted)


def counts_since_the_last_trace() -> None:
    """The counts are handed over with the log, and begin anew."""
    told: dict[tuple[int, int], int] = {}

    def change(log: Log, counted: Any) -> Any:
        new = [(actor, taken - told.get((id(log), actor), 0)) for actor, taken in counted]
        told.update({(id(log), actor): taken for actor, taken in counted})
        return new

    _counted(change)


def counts_the_unwatched() -> None:
    """The lead is counted, whether it is watched or not."""

    def change(log: Any, counted: Any) -> Any:
        lead = names.name(names.PING)
        return counted if any(actor == lead for actor, _ in counted) else [*counted, (lead, 1)]

    _counted(change)


def footer_without_watched() -> None:
    """The footer counts events, and no actors."""

    def change(log: Log, responses: Any) -> Any:
        for response in responses:
            if response.HasField("footer"):
                response.footer.ClearField("watched")
            yield response

    hands_over(change)


def no_counts() -> None:
    """There is a log and its footer, and no counts."""
    _counted(lambda log, counted: [])
