"""Wrong watches: who is watched, from when on, and for how long.

All of them log everybody as they should, or nobody; only a slice shows what is wrong.
"""

from typing import Any

from dramaturg.model import names
from dramaturg.v2 import control_pb2

from changes import rows
from reference.actors import TICKS, TIMED
from reference.control import world
from reference.control.log import ALL, Entry, Log, Room

FROM = "from"
"""A field that is a word of the language."""


def _row(field: str, change: Any) -> None:
    """Exchange one number in every row that is not of everybody: ``change(number)``."""

    def changed(row: control_pb2.Watch) -> None:
        if getattr(row, "class"):
            setattr(row, field, change(getattr(row, field)))

    rows(changed)


# --- who ---


def watch_without_modulus() -> None:
    """The modulus is not looked at, and with it the remainder."""
    rows(lambda row: row.MergeFrom(control_pb2.Watch(modulus=1)) or row.ClearField("remainder"))


def watch_without_remainder() -> None:
    """The index of a watched actor must be divisible by the modulus."""
    rows(lambda row: row.ClearField("remainder"))


def watch_masks_the_index() -> None:
    """The remainder is taken with a mask, as if a modulus were a power of two."""
    _held_against(lambda row, index: index & row.modulus - 1 == row.remainder)


def watch_counts_from_its_first() -> None:
    """Every so many, beginning with the first of the range."""
    _held_against(lambda row, index: (index - row.first) % row.modulus == row.remainder)


def _held_against(fits: Any) -> None:
    """An actor is watched whose index is in range and ``fits(row, index)``."""

    def entry_of(self: Log, actor: int) -> Entry | None:
        index = names.index_of(actor)
        for row in self._watches.get(names.class_of(actor), self._everybody):
            if row.first <= index <= row.last and fits(row, index):
                self._entries.append(Entry(actor, getattr(row, FROM), row.events, self.room))
                return self._entries[-1]
        return None

    Log.entry_of = entry_of  # type: ignore[method-assign]


def watch_begins_behind_its_first() -> None:
    """The range begins with the one after its first."""
    _row("first", lambda first: min(first + 1, ALL))


def watch_begins_at_zero() -> None:
    """The range has a last one only."""
    _row("first", lambda first: 0)


def watch_ends_before_its_last() -> None:
    """The range ends before its last, as ranges do in this language."""

    def change(row: control_pb2.Watch) -> None:
        if row.last:
            row.last -= 1
        else:
            row.first = 1

    rows(change)


def watch_has_no_last() -> None:
    """The range has a first one only."""
    _row("last", lambda last: ALL)


def watch_is_signed() -> None:
    """Numbers of a watch are signed: the largest last one is below every first one."""
    _row("last", lambda last: 0 if last >> 31 else last)


def watch_in_8_bits() -> None:
    """Numbers of a watch are bytes: who would ask for every three hundredth?"""
    _row("modulus", lambda modulus: modulus % (1 << 8) or 1)


def watch_of_the_last_row() -> None:
    """The last one of several rows that fit counts: it overwrote the others."""
    _rows_of(lambda rows: rows[::-1])


def watch_of_one_row_a_class() -> None:
    """Each class has one row, the first."""
    _rows_of(lambda rows: rows[:1])


def _rows_of(change: Any) -> None:
    """The rows of each class pass ``change``."""
    right = Log.__init__

    def init(self: Log, watches: Any) -> None:
        right(self, watches)
        self._watches = {number: change(rows) for number, rows in self._watches.items()}

    Log.__init__ = init  # type: ignore[method-assign]


def watch_whole_classes() -> None:
    """An actor of a class that has a row is watched, by the first one if by none that fits."""
    _held_against(lambda row, index: True)


def watch_nobody_of_class_0() -> None:
    """Classes begin with 1: a row of class 0 is nobody's."""

    def change(row: control_pb2.Watch) -> None:
        if not getattr(row, "class"):
            setattr(row, "class", 127)

    rows(change)


def watch_of_an_unknown_class_fails() -> None:
    """Rows are kept in an array with a place for each class that there is."""

    def change(row: control_pb2.Watch) -> None:
        if getattr(row, "class") >= 64:
            raise IndexError(f"no class {getattr(row, 'class')}")

    rows(change)


def watch_by_second_index() -> None:
    """A chat is watched by its number, not by who made it."""

    def number(actor: int) -> int:
        if names.class_of(actor) != names.CHAT:
            return actor
        return names.name(names.CHAT, actor & (1 << 24) - 1)

    _by(number)


def watch_by_directory() -> None:
    """A client is watched by its directory, which is where the watches are."""
    directories = [1]
    made = world.World.__init__

    def init(self: Any, benchmark: Any, *args: Any) -> None:
        directories[0] = benchmark.chatapp.directories or 1
        made(self, benchmark, *args)

    def directory(actor: int) -> int:
        if names.class_of(actor) != names.CLIENT:
            return actor
        return names.name(names.CLIENT, names.index_of(actor) % directories[0])

    world.World.__init__ = init  # type: ignore[method-assign]
    _by(directory)


def _by(other: Any) -> None:
    """An actor is watched if the one called ``other(actor)`` would be."""
    right = Log.entry_of

    def entry_of(self: Log, actor: int) -> Entry | None:
        entry = right(self, other(actor))
        if entry is not None:
            entry.name = actor
        return entry

    Log.entry_of = entry_of  # type: ignore[method-assign]


def watch_who_is_there() -> None:
    """Prepare decides who is watched, so no actor that is born later is."""
    prepare, entry_of = world.World.prepare, Log.entry_of

    async def prepared(self: world.World) -> int:
        nanos = await prepare(self)
        self.log.closed = True  # type: ignore[attr-defined]
        return nanos

    def unless_closed(self: Log, actor: int) -> Entry | None:
        return None if getattr(self, "closed", False) else entry_of(self, actor)

    world.World.prepare, Log.entry_of = prepared, unless_closed  # type: ignore[method-assign]


def watches_of_the_first_world() -> None:
    """Watches are sorted once and kept: they are the same each time, are they not?"""
    right, first = Log.__init__, list[Any]()

    def init(self: Log, watches: Any) -> None:
        first.append(watches)
        right(self, first[0])

    Log.__init__ = init  # type: ignore[method-assign]


# --- what ---


def log_begins_one_late() -> None:
    """Messages are numbered from 1."""
    _row(FROM, lambda begin: min(begin + 1, ALL))


def log_begins_at_once() -> None:
    """Every slice begins with the first message."""
    _row(FROM, lambda begin: 0)


def log_ends_one_late() -> None:
    """A slice has one event more than was asked for."""
    _row("events", lambda events: min(events + 1, ALL))


def log_ends_one_early() -> None:
    """A slice has one event less than was asked for, unless it was asked for all."""
    _row("events", lambda events: events - (1 < events < ALL))


def log_never_ends() -> None:
    """A log goes on to the end, once it has begun."""
    _row("events", lambda events: ALL)


def log_ends_at_its_number() -> None:
    """`events` is where the slice ends, counted from the first message."""

    def change(row: control_pb2.Watch) -> None:
        if row.events != ALL:
            row.events = max(1, row.events - getattr(row, FROM))

    rows(change)


def log_is_a_ring() -> None:
    """A log keeps the latest events, as many as were asked for."""

    def take(self: Entry, sender: int, kind: int, args: tuple[int, ...]) -> None:
        if self.begin <= self.taken:
            self.events.append((sender, kind, args))
            most = min(self.end - self.begin, 1 << 32)
            del self.events[: max(0, len(self.events) - int(most))]
        self.taken += 1

    Entry.take = take  # type: ignore[method-assign]


def log_end_overflows() -> None:
    """The end of a slice is added up in 32 bits: it may lie before its beginning."""
    made = Entry.__init__

    def init(self: Entry, name: int, begin: int, events: int, room: Room) -> None:
        made(self, name, begin, events, room)
        self.end = (begin + events) % (1 << 32)

    Entry.__init__ = init  # type: ignore[method-assign]


def log_without_timers() -> None:
    """The timer's message is nobody's, and is not logged."""
    right = Entry.take

    def take(self: Entry, sender: int, kind: int, args: tuple[int, ...]) -> None:
        if kind not in TIMED | TICKS:
            right(self, sender, kind, args)

    Entry.take = take  # type: ignore[method-assign]
