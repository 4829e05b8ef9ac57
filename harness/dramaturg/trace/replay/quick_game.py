"""The token game, compiled with the model (``compiled/game.py``): whether logs conform.

It takes a fraction of the time and says nothing else. So whatever it does not find to conform the
plain token game replays, and explains.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dramaturg.compiled import loading
from dramaturg.model import names
from dramaturg.model.messages import ARITY
from dramaturg.model.workload import ChatAppWorkload, MicroWorkload
from dramaturg.trace.columns.array_logs import ArrayLogs, Columns, begins_of
from dramaturg.trace.events import Message, without_cyclic_gc
from dramaturg.trace.replay.token_game import Verdict

BITS = (1 << 64) - 1
"""Of a number as messages have it: machine code takes the highest one for a sign."""

_CONTROL = names.name(names.CONTROL)

_ARITIES = np.zeros(max(ARITY) + 1, np.int64)
_ARITIES[list(ARITY)] = list(ARITY.values())


def conforming(
    workload: ChatAppWorkload | MicroWorkload, logs: ArrayLogs
) -> tuple[Verdict, int] | None:
    """The verdict on a whole run that conforms, and between how many pairs of actors messages
    went. None for any other, and where nothing is compiled."""
    machine = loading.machine(workload.parameters)
    if machine is None:
        return None
    with without_cyclic_gc():
        return QuickGame(workload, machine, logs.columns()).decided()


class QuickGame:
    """One game of a whole run."""

    def __init__(
        self,
        workload: ChatAppWorkload | MicroWorkload,
        machine: loading.Machine,
        columns: Columns,
    ) -> None:
        self._workload = workload
        self._machine = machine
        self._script = iter(workload.script)
        self._reports_due = 0
        self._control: list[Message] = []
        self._game: Any = machine.game.Game(self._report, self._enter, self._hear, self._judge)
        self._game.lay(*laid(columns))

    def decided(self) -> tuple[Verdict, int] | None:
        """Plays it."""
        game = self._game
        try:
            conforms = self._played()
        except Exception:
            # An actor fails upon what it is given, or numbers are too large: the plain one tells.
            conforms = False
        verdict = Verdict(events=game.rows, control=self._control)
        if conforms:
            verdict.born, verdict.alive = set(game.born()), game.alive()
        found = (verdict, game.pairs) if conforms else None
        game.let_go()
        self._game = None
        return found

    def _played(self) -> bool:
        """True if it conforms."""
        for actor in self._machine.initial:
            self._enter(actor)
        self._speak()
        conforms: bool = self._game.run()
        return conforms

    def _speak(self) -> None:
        line = next(self._script, None)
        if line is not None:
            self._reports_due = self._workload.reports(line)
            self._game.say(_CONTROL, self._workload.lead, line[0], [*line[1]])

    # --- what the game calls ---

    def _report(self, kind: int, args: list[int]) -> None:
        self._control.append((kind, unsigned(args)))
        self._reports_due -= 1
        if self._reports_due == 0:
            self._speak()

    def _enter(self, actor: Any) -> None:
        self._game.enter(actor)

    def _hear(self, sender: int, receiver: int, kind: int, args: list[int]) -> int:
        """A receiver that has logged nothing of this sender."""
        return int(self._machine.game.NEVER)

    def _judge(self, receiver: int, sender: int, kind: int, args: list[int]) -> int:
        return int(self._machine.game.NEVER)


def unsigned(args: list[int]) -> tuple[int, ...]:
    """As messages have them."""
    return tuple(each & BITS for each in args)


def laid(columns: Columns) -> tuple[bytes, ...]:
    """What the game lays down: one receiver's rows behind the other's."""
    receivers, senders, kinds, args, arities = columns
    places = 8 * (np.cumsum(arities) - arities)
    begins = begins_of(receivers)
    there, of = np.unique(receivers[begins], return_inverse=True)
    if len(there) == len(begins):
        there, ends = receivers[begins], np.append(begins[1:], len(receivers))
    else:
        row_of = np.repeat(of, np.diff(begins, append=len(receivers)))
        ends = np.cumsum(np.bincount(row_of))
        # The fewer bits, the sooner it is sorted.
        order = np.argsort(row_of.astype(np.min_scalar_type(len(there))), kind="stable")
        senders, kinds, places = senders[order], kinds[order], places[order]
    return (
        there.tobytes(), _words(ends), senders.tobytes(), _words(kinds), _words(places),
        args.tobytes(), _ARITIES.tobytes(),
    )  # fmt: skip


def _words(column: NDArray[Any]) -> bytes:
    return column.astype(np.int64).tobytes()
