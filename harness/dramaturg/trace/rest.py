"""A world between two calls is at rest (spec/measurements.md, MEAS-31 and MEAS-43).

A log has no clock. But what was fetched when Prepare had been answered, or when Run had ended,
had been taken by then, and what is new after Run, or after Teardown, had not: so what was made
before the clock shows, and work that was put off to after it, and who was let go before.
"""

from collections.abc import Callable, Iterator, Mapping

from dramaturg.model import messages, names
from dramaturg.model.chatapp import LOGOUT
from dramaturg.model.messages import KINDS
from dramaturg.model.workload import MICRO
from dramaturg.trace.events import AnyLogs, Arrived, Event, InColumns, Message, lengths
from dramaturg.v2 import trace_pb2 as kind

FAREWELLS: tuple[int, ...] = (
    kind.MESSAGE_KIND_POKER_DISCONNECT, kind.MESSAGE_KIND_DIRECTORY_DISCONNECT,
    kind.MESSAGE_KIND_CLIENT_LOGOUT,
    *(each for micro in MICRO.values() if micro.farewell for each in micro.model.FAREWELLS),
)  # fmt: skip
"""The messages that are sent upon `disconnect`. No log says when it was, so it is looked for
before."""

_ANSWERS = (kind.MESSAGE_KIND_DIRECTORY_LEFT, kind.MESSAGE_KIND_POKER_FINISHED)
_AT_LOGOUT = (kind.MESSAGE_KIND_CHAT_LEAVE, kind.MESSAGE_KIND_CLIENT_LEFT)
"""Kinds that end a world with this turn, and belong to the run with any other."""

_LATEST = {names.CHAT, *(number >> 4 for number in (*FAREWELLS, *_ANSWERS))}
"""Classes that take anything in Teardown."""


_SET_UP = (
    kind.MESSAGE_KIND_POKER_PREPARE, kind.MESSAGE_KIND_POKER_SETTLED,
    kind.MESSAGE_KIND_DIRECTORY_LOGIN, kind.MESSAGE_KIND_DIRECTORY_BEFRIEND,
    kind.MESSAGE_KIND_DIRECTORY_SETTLE, kind.MESSAGE_KIND_DIRECTORY_SETTLED,
    kind.MESSAGE_KIND_CLIENT_BEFRIEND, kind.MESSAGE_KIND_CLIENT_SETTLE,
)  # fmt: skip
"""All that anybody takes in Prepare, and nobody at another time."""

_TAKES_PART = {number >> 4 for number in _SET_UP}
"""Classes that take anything in Prepare."""

_BORN_LATER = {names.CHAT, names.ACCUMULATOR}
_FIRST: dict[int, int] = {
    names.class_of(micro.model.LEAD): names.index_of(micro.model.LEAD)
    for micro in MICRO.values()
    if micro.born_in_run
}
"""The one of a class that is there before the others are made, which they are in Run."""


class _Looked:
    """The length of each log at a look."""

    def __init__(self, logs: AnyLogs) -> None:
        self._lengths: dict[int, int] = {}
        self._arrived: Arrived | None = None
        """The events of logs in columns."""
        if isinstance(logs, InColumns):
            self._arrived = logs.arrived
        else:
            self._lengths = lengths(logs)

    def later(self, logs: AnyLogs, fits: Callable[[int], bool]) -> Iterator[tuple[int, Event]]:
        """The events of such kinds in these logs that came later."""
        if isinstance(logs, InColumns):
            # Logs that were in memory then were laid down in the order in which they came.
            since = self._arrived or logs.arrived_with(sum(self._lengths.values()))
            yield from logs.of_kinds(filter(fits, logs.kinds(since)), since)
            return
        wanted = set(filter(fits, KINDS))
        for actor, log in sorted(logs.items()):
            begin = self._lengths.get(actor, 0)
            for event in log[begin:] if begin else log:
                if event[1][0] in wanted:
                    yield actor, event


def _of(logs: AnyLogs, fits: Callable[[int], bool]) -> Iterator[tuple[int, Event]]:
    """All that these have of such kinds."""
    return _BEFORE_ALL.later(logs, fits)


_BEFORE_ALL = _Looked({})


class SetUp:
    """The messages that had been taken when Prepare had been answered."""

    def __init__(self, logs: AnyLogs, taken: Mapping[int, int]) -> None:
        self._looked = _Looked(logs)
        self._broken = _beforehand(logs) or _born(taken)

    def broken(self, logs: AnyLogs) -> str:
        """A message of the run that was there before it, or one of set-up that came after; empty
        if there is none. An actor that starts upon its first message is not there yet, and that is
        right."""
        return self._broken or self._late(logs)

    def _late(self, logs: AnyLogs) -> str:
        for actor, (sender, message) in self._looked.later(logs, _SET_UP.__contains__):
            return (
                f"{names.spell(actor)} took {messages.spell(*message)} from"
                f" {names.spell(sender)} after Prepare had been answered (CTRL-4)"
            )
        return ""


def _beforehand(logs: AnyLogs) -> str:
    for actor, (sender, message) in _of(logs, lambda kind: kind not in _SET_UP):
        return (
            f"{names.spell(actor)} took {messages.spell(*message)} from"
            f" {names.spell(sender)} before Run was called (MEAS-43)"
        )
    return ""


def _born(taken: Mapping[int, int]) -> str:
    for actor, count in sorted(taken.items()):
        its_class = names.class_of(actor)
        first = _FIRST.get(its_class)
        if its_class in _BORN_LATER or first not in (None, names.index_of(actor)):
            return (
                f"{names.spell(actor)} was there when Prepare had been answered; it is made in Run"
                " (MEAS-43)"
            )
        if count and its_class not in _TAKES_PART:
            return (
                f"{names.spell(actor)} had taken {count} messages when Prepare had been answered,"
                " expected none before Run (MEAS-43)"
            )
    return ""


class AtRest:
    """The messages that had been taken when Run had ended."""

    def __init__(self, logs: AnyLogs, taken: Mapping[int, int]) -> None:
        self._looked = _Looked(logs)
        self._taken = dict(taken)
        self._early = _early(logs)

    def broken(self, logs: AnyLogs, taken: Mapping[int, int]) -> str:
        """A message of the run that was taken after it, or one of its end before; empty if there
        is none. ``logs`` and ``taken`` are those of after Teardown, whole."""
        return self._early or self._late(logs) or self._counted(taken)

    def _late(self, logs: AnyLogs) -> str:
        for actor, (sender, message) in self._looked.later(logs, _may_go_on):
            if not _ends(message):
                return (
                    f"{names.spell(actor)} took {messages.spell(*message)} from"
                    f" {names.spell(sender)} after Run had ended (MEAS-31)"
                )
        return ""

    def _counted(self, taken: Mapping[int, int]) -> str:
        for actor, count in sorted(taken.items()):
            before = self._taken.get(actor)
            if before is None:
                return f"{names.spell(actor)} was made after Run had ended (MEAS-31)"
            if count != before and names.class_of(actor) not in _LATEST:
                return (
                    f"{names.spell(actor)} had taken {before} messages when Run had ended, and"
                    f" took {count} (MEAS-31)"
                )
        return ""


def _may_go_on(kind: int) -> bool:
    """True if a message of this kind may be taken at another time than when the world ends."""
    return kind not in FAREWELLS and kind not in _ANSWERS


def _ends(message: Message) -> bool:
    number, args = message
    return number in FAREWELLS or number in _ANSWERS or (number in _AT_LOGOUT and args[0] == LOGOUT)


def _early(logs: AnyLogs) -> str:
    for actor, (_, (number, _)) in _of(logs, FAREWELLS.__contains__):
        return (
            f"{names.spell(actor)} was sent {messages.label(number)} before Teardown was"
            " called (CTRL-16)"
        )
    return ""
