"""Receive logs as the replay wants them (spec/actors.md, TRACE-1 to TRACE-3)."""

import gc
from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TypeAlias

from dramaturg.model import messages, names

Message: TypeAlias = tuple[int, tuple[int, ...]]
"""A message: its kind and its arguments."""

Event: TypeAlias = tuple[int, Message]
"""One line of a receive log: the sender's name and the message."""

Logs: TypeAlias = dict[int, list[Event]]
"""The receive logs of a run, by the receiver's name."""


AnyLogs: TypeAlias = Mapping[int, Sequence[Event]]
"""The same, wherever they are kept."""

Arrived: TypeAlias = tuple[int, int]
"""The length of logs at some time: events, and arguments."""


class InColumns(Mapping[int, Sequence[Event]]):
    """Logs that are kept as columns: an actor's is made when it is asked for. Whoever looks through
    all of them asks for what has come, which needs no order."""

    @property
    @abstractmethod
    def arrived(self) -> Arrived:
        """Return the length of all that has come by now."""

    @abstractmethod
    def arrived_with(self, events: int) -> Arrived:
        """Return the length of all that had come when so many events had."""

    @abstractmethod
    def lengths(self) -> dict[int, int]:
        """Return the number of events of each log."""

    @abstractmethod
    def kinds(self, since: Arrived = (0, 0)) -> set[int]:
        """The kinds of messages that have come since then."""

    @abstractmethod
    def of_kinds(
        self, kinds: Iterable[int], since: Arrived = (0, 0)
    ) -> Iterator[tuple[int, Event]]:
        """Receivers and events of these kinds that have come since then, each actor's as they
        came."""


DECIDING = 16
"""Bytes of disk that an event of a log on disk takes while it is decided, beside the log."""


class LaidDown(InColumns):
    """Those that are not in memory."""

    @property
    @abstractmethod
    def folder(self) -> Path:
        """The folder in which they are."""

    @property
    @abstractmethod
    def needs(self) -> int:
        """The bytes of disk that it still takes to sort and to decide them."""

    @abstractmethod
    def lie_in(self) -> Path:
        """The folder, once they are sorted. Raises OSError, as of a disk that is full."""


def lengths(logs: AnyLogs) -> dict[int, int]:
    """Return the number of events of each log."""
    if isinstance(logs, InColumns):
        return logs.lengths()
    return {actor: len(log) for actor, log in logs.items()}


def of_kinds(logs: AnyLogs, kinds: Iterable[int]) -> Iterator[tuple[int, Event]]:
    """Receivers and events of these kinds, each actor's in the order of its log."""
    if isinstance(logs, InColumns):
        yield from logs.of_kinds(kinds)
        return
    wanted = set(kinds)
    for actor, log in logs.items():
        for event in log:
            if event[1][0] in wanted:
                yield actor, event


@contextmanager
def without_cyclic_gc() -> Iterator[None]:
    """Millions of small tuples and no cycle among them: the collector only costs time."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


class TraceError(Exception):
    """A trace that is no trace: it cannot be decoded, or breaks the rules of the log.

    That is the implementation's fault and makes a *fail*, not a harness fault.
    """


def spell_event(receiver: int, event: Event) -> str:
    """An event as people read it: ``chat/1.0 -> client/2  forward(turn=0, ...)``."""
    sender, (kind, args) = event
    return f"{names.spell(sender)} -> {names.spell(receiver)}  {messages.spell(kind, args)}"


def canonical(logs: AnyLogs) -> AnyLogs:
    """The logs with those of counting actors sorted stably by sender (TRACE-8).

    Up to `disconnect`, what is left is the same for every legal schedule of a serially
    driven run; after it, chats hear `leave` in any order (TRACE-9).
    """
    return {
        actor: sorted(log, key=lambda event: event[0])
        if names.class_of(actor) in names.COUNTING
        else log
        for actor, log in sorted(logs.items())
    }
