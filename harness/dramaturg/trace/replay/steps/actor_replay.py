"""The first step: each actor by itself takes its log (TRACE-4), and what it sends is kept.

A handler is given what nobody has checked yet, so it may fail, and it may never end. The caller
limits the CPU time and the memory of the process that this runs in.
"""

from collections.abc import Callable
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from dramaturg.compiled import loading
from dramaturg.model import names
from dramaturg.model.workload import Workload
from dramaturg.trace.columns.store import ARITIES, Sorted
from dramaturg.trace.events import Message
from dramaturg.trace.replay.steps.players import Compiled, Interpreted, Player, TooWide

FLUSH = 1 << 18
"""Words of messages that are kept before they are handed on."""

ROWS = 1 << 17
"""Events of one actor that are in memory at a time."""

NOT_BORN, INITIAL = -2, -1
"""Instead of a parent."""


class Refused(Exception):
    """The log is no run of the model."""


class Undecided(Exception):
    """These steps cannot tell; the token game can."""


class Sink(Protocol):
    """Takes what was sent."""

    def take(
        self,
        out: NDArray[np.uint64],
        ends: NDArray[np.int64],
        actors: NDArray[np.int64],
        begins: NDArray[np.int64],
        firsts: NDArray[np.int64],
    ) -> None:
        """As :func:`dramaturg.trace.replay.steps.sums.add_sent` has it. Raises Refused."""
        ...


class Alone:
    """Plays everybody, in the order in which they spawn each other, one after the other."""

    def __init__(
        self,
        log: Sorted,
        lead: int,
        sink: Sink,
        failed: Callable[[int, int, Exception], None] | None = None,
    ) -> None:
        """``failed`` is told the number of an actor that cannot take one of its events, and which:
        its log is then played no further. Without it, that is refused."""
        self.reports: list[tuple[int, Message]] = []
        """The reports to control, each with the event of the lead upon which it was sent."""
        actors = len(log.names)
        self.parents = np.full(actors, NOT_BORN, np.int32)
        self.births = np.zeros(actors, np.int32)
        """By number: who spawned it, and upon which of that one's events."""
        self.silent: list[int] = []
        """Actors that the log does not name: they took nothing and sent nothing."""
        self.ended = 0
        self._log, self._sink, self._failed = log, sink, failed
        # Each of millions of actors is looked up: an array's numbers take long to become Python's.
        self._base, self._arguments = log.base.data, log.arguments.data
        self._names, self._find = log.names, log.numbering.find
        self._lead = lead
        self._todo: list[tuple[Any, int]] = []
        self._marks: list[tuple[int, int, int]] = []
        self._number, self._event, self._end = INITIAL, 0, -1
        """Who is being played, its first event since what it sent was handed on, and upon which
        it ended."""
        self._begin = 0
        self._player: Player

    def play(self, workload: Workload) -> None:
        """Play the actors that are there at first, and those that they spawn. Raises Refused and
        Undecided."""
        machine = loading.machine(getattr(workload, "parameters", None))
        ways = self._report, self._enter, self._leave, self._flush
        self._player = Interpreted(*ways) if machine is None else Compiled(machine.engine, *ways)
        for actor in workload.initial() if machine is None else machine.initial:
            self._enter(actor)
        while self._todo:
            actor, number = self._todo.pop()
            self._play(actor, number)
        self._flush()

    def _now(self) -> int:
        """The event that is being taken."""
        return self._event + self._player.events() - self._begin

    def _report(self, message: Message) -> None:
        if self._number != self._lead:
            raise Refused("somebody else than the lead reports to control")
        self.reports.append((self._now(), message))

    def _enter(self, actor: Any) -> None:
        number = self._find(actor.name)
        if number < 0:
            self.silent.append(actor.name)
            return
        if self.parents[number] != NOT_BORN:
            raise Refused(f"{names.spell(actor.name)} is made twice")
        self.parents[number] = self._number
        self.births[number] = self._now() if self._number >= 0 else 0
        self._todo.append((actor, number))

    def _leave(self) -> None:
        if self._end < 0:
            self._end = self._now()

    def _play(self, actor: Any, number: int) -> None:
        log = self._log
        begin, end = self._base[number], self._base[number + 1]
        if begin == end:
            return
        self._number, self._event, self._end = number, 0, -1
        word = self._arguments[number]
        for start in range(begin, end, ROWS):
            stop = min(start + ROWS, end)
            self._begin = self._player.events()
            self._event = start - begin
            self._marks.append((number, self._begin, self._event))
            kinds = log.kind[start:stop]
            after = self._arguments[number + 1] if stop == end else word + int(ARITIES[kinds].sum())
            senders = self._names[log.sender[start:stop]]
            args = log.args[word:after]
            word = after
            if not self._take(actor, senders, kinds, args):
                return
            if self._player.sent() > FLUSH or self._player.events() > ROWS:
                self._flush()
        self.ended += self._end >= 0
        if self._end >= 0 and self._end != end - begin - 1:
            self._stop(self._end + 1, Refused("takes more after it has ended"))

    def _take(
        self,
        actor: Any,
        senders: NDArray[np.uint64],
        kinds: NDArray[Any],
        args: NDArray[np.uint64],
    ) -> bool:
        """True if it can take these."""
        try:
            self._player.take(actor, senders, kinds, args, 8 * FLUSH)
        except (Undecided, MemoryError):
            raise
        except Exception as error:
            if isinstance(error, Refused) and self._failed is None:
                raise
            event = self._now()
            self._player.mark()
            self._stop(event, error)
            return False
        return True

    def _stop(self, event: int, error: Exception) -> None:
        if self._failed is not None:
            self._failed(self._number, event, error)
            return
        name = names.spell(int(self._log.names[self._number]))
        raise Refused(f"{name} cannot take its event {event}: {error!r}"[:300]) from None

    def _flush(self) -> None:
        """Hand on what was sent."""
        if not self._marks:
            return
        marks = np.array(self._marks, np.int64)
        event = self._now()
        try:
            out, ends = self._player.drained()
        except TooWide:
            raise Refused("an argument that is sent has more than 64 bits") from None
        columns: list[Any] = [np.ascontiguousarray(marks[:, column]) for column in range(3)]
        self._sink.take(out, ends, *columns)
        # An actor in the midst of its log goes on.
        self._marks[:] = [(self._number, 0, event)]
        self._event, self._begin = event, 0
