"""Watches: whose messages are logged, and which of them (spec/actors.md, TRACE-1)."""

from collections.abc import Sequence

from dramaturg.model import names, ranges
from dramaturg.trace.events import Event
from dramaturg.v2 import control_pb2

ALL = 2**32 - 1
"""The largest number of a watch: the last index, and as many events as there are."""

MOST, MOST_OF_A_CLASS = 16, 4
"""Rows of one Prepare, and rows of one class among them."""

Watches = Sequence[control_pb2.Watch]


def watch(
    actor_class: int = 0,
    *,
    modulus: int = 1,
    remainder: int = 0,
    first: int = 0,
    last: int = ALL,
    begin: int = 0,
    events: int = ALL,
) -> control_pb2.Watch:
    """A row; by default all messages of all actors of that class. ``begin`` is its ``from``."""
    row = control_pb2.Watch(
        modulus=modulus, remainder=remainder, first=first, last=last, events=events
    )
    # Both are words of the language.
    setattr(row, "class", actor_class)
    setattr(row, "from", begin)
    return row


EVERYBODY: tuple[control_pb2.Watch, ...] = (watch(),)
"""One row: every actor, from its first message on."""

NOBODY: tuple[control_pb2.Watch, ...] = ()
"""For measuring what watching costs, and for nothing else."""


def is_everybody(watches: Watches) -> bool:
    """True if these watch every actor, from its first message on."""
    return tuple(watches) == EVERYBODY


class Slice:
    """The wanted range of one actor's log: ``events`` messages from number ``begin`` on."""

    __slots__ = ("begin", "events")

    def __init__(self, begin: int, events: int) -> None:
        self.begin = begin
        self.events = events

    def rows(self, taken: int) -> int:
        """Return the number of rows in the log of an actor that took so many messages."""
        rows = max(0, taken - self.begin)
        return rows if self.events == ALL else min(rows, self.events)

    def of(self, log: list[Event]) -> list[Event]:
        """The slice's events of a whole log."""
        return log[self.begin : self.begin + self.rows(len(log))]


_WHOLE = Slice(0, ALL)


class Watched:
    """The slice that each actor's log is to have."""

    def __init__(self, watches: Watches) -> None:
        self._rows = [
            (
                getattr(row, "class"), row.modulus, row.remainder, row.first, row.last,
                Slice(getattr(row, "from"), row.events),
            )
            for row in watches
        ]  # fmt: skip
        self.everybody = is_everybody(watches)

    def slice_of(self, actor: int) -> Slice | None:
        """Return the slice of the first row that fits; None for an actor that nobody watches."""
        if self.everybody:
            return _WHOLE
        actor_class, index = names.class_of(actor), names.index_of(actor)
        for of_class, modulus, remainder, first, last, wanted in self._rows:
            fits = of_class in (0, actor_class) and first <= index <= last
            if fits and index % modulus == remainder:
                return wanted
        return None


def problems(watches: Watches) -> list[str]:
    """The errors in watches, which no implementation is sent: too many rows, numbers out of their
    ranges, and rows that no actor can fit."""
    found = [
        f"watch {number}: {problem}"
        for number, row in enumerate(watches)
        for problem in ranges.problems(row, row)
    ]
    if len(watches) > MOST:
        found.append(f"there are {len(watches)} watches; there may be {MOST}")
    classes = [getattr(row, "class") for row in watches]
    if 0 in classes and not is_everybody(watches):
        found.append("a watch of class 0 is everybody, and the only one")
    for actor_class in sorted(set(classes)):
        count = classes.count(actor_class)
        if count > MOST_OF_A_CLASS:
            label = names.LABELS.get(actor_class, str(actor_class))
            found.append(
                f"there are {count} watches of class {label}; there may be {MOST_OF_A_CLASS}"
            )
    for number, row in enumerate(watches):
        if row.modulus and row.remainder >= row.modulus:
            found.append(
                f"watch {number}: remainder is {row.remainder}, modulus {row.modulus}:"
                " nobody can fit it"
            )
    return found
