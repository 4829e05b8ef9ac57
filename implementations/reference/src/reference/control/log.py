"""Watches and the receive logs that they ask for (spec/actors.md, TRACE-1 to TRACE-3)."""

import threading
from collections.abc import Iterator, Sequence

from dramaturg.model import names
from dramaturg.v2 import control_pb2, trace_pb2

ROWS = 65_536
"""Maximum number of rows of a batch and of a message of counts."""

ALL = 2**32 - 1
"""``events`` of a watch that has no end."""

_HANDED_OVER = threading.Lock()
"""Logs are handed over by another thread than that of the actors."""

Event = tuple[int, int, tuple[int, ...]]


class Room:
    """The room that a log limit leaves for events that are not delivered yet (CTRL-18)."""

    def __init__(self) -> None:
        self._limit = 0
        self._held = 0
        self._changed = threading.Condition()

    @property
    def is_limited(self) -> bool:
        """True if there is a limit now."""
        return self._limit > 0

    def limit(self, events: int, held: int = 0) -> None:
        """Let so many events be held, of which some are held already; 0 is no limit."""
        with self._changed:
            self._limit, self._held = events, held
            self._changed.notify_all()

    def take(self) -> None:
        """Take the room of one event; wait for it while the log is full."""
        if not self._limit:
            return
        with self._changed:
            self._changed.wait_for(lambda: not self._limit or self._held < self._limit)
            self._held += 1

    def delivered(self, events: int) -> None:
        """Give the room of these events back."""
        with self._changed:
            self._held -= events
            self._changed.notify_all()


class Entry:
    """The log of one watched actor."""

    __slots__ = ("begin", "end", "events", "name", "room", "taken")

    def __init__(self, name: int, begin: int, events: int, room: Room) -> None:
        self.name = name
        self.room = room
        self.begin = begin
        self.end: float = float("inf") if events == ALL else begin + events
        self.taken = 0
        self.events: list[Event] = []

    def take(self, sender: int, kind: int, args: tuple[int, ...]) -> None:
        """The actor has taken a message from its mailbox."""
        wanted = self.begin <= self.taken < self.end
        if wanted:
            self.room.take()
        with _HANDED_OVER:
            if wanted:
                self.events.append((sender, kind, args))
            self.taken += 1


class Log:
    """The logs of one world."""

    def __init__(self, watches: Sequence[control_pb2.Watch]) -> None:
        self._watches: dict[int, list[control_pb2.Watch]] = {}
        for watch in watches:
            self._watches.setdefault(getattr(watch, "class"), []).append(watch)
        self._everybody = self._watches.pop(0, [])
        self._entries: list[Entry] = []
        self.room = Room()

    def entry_of(self, actor: int) -> Entry | None:
        """Return the log of this actor, just born; None if nobody watches it."""
        rows = self._watches.get(names.class_of(actor), self._everybody)
        if not rows:
            return None
        index = names.index_of(actor)
        for row in rows:
            if row.first <= index <= row.last and index % row.modulus == row.remainder:
                entry = Entry(actor, getattr(row, "from"), row.events, self.room)
                self._entries.append(entry)
                return entry
        return None

    def limit(self, events: int) -> None:
        """Let no more events be held from now on, when nobody takes anything; 0 is no limit."""
        held = sum(len(entry.events) for entry in self._entries) if events else 0
        self.room.limit(events, held)

    def hand_over(self) -> Iterator[control_pb2.TraceResponse]:
        """Yield the events since the last time, each actor's count, and the footer. No counts while
        a run with a log limit is under way."""
        events = 0
        counted = not self.room.is_limited
        batch = trace_pb2.TraceBatch()
        with _HANDED_OVER:
            entries = list(self._entries)
            taken = [entry.taken for entry in entries]
            logs = [entry.events for entry in entries]
            for entry in entries:
                entry.events = []
        for entry, logged in zip(entries, logs, strict=True):
            events += len(logged)
            for sender, kind, args in logged:
                batch.actor.append(entry.name)
                batch.sender.append(sender)
                batch.kind.append(kind)
                batch.args.extend(args)
                if len(batch.actor) == ROWS:
                    yield control_pb2.TraceResponse(batch=batch)
                    batch = trace_pb2.TraceBatch()
        if batch.actor:
            yield control_pb2.TraceResponse(batch=batch)
        watched = len(entries) if counted else 0
        for start in range(0, watched, ROWS):
            rows = slice(start, start + ROWS)
            counts = trace_pb2.TraceCounts(
                actor=[entry.name for entry in entries[rows]], taken=taken[rows]
            )
            yield control_pb2.TraceResponse(counts=counts)
        footer = trace_pb2.TraceFooter(events=events, watched=watched)
        yield control_pb2.TraceResponse(footer=footer)
        self.room.delivered(events)
