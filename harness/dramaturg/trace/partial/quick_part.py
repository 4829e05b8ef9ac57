"""The compiled token game for a part, with the stand-ins of the plain one (spec/parts.md).

As in ``quick_game.py``, what does not conform is the plain one's to explain. Worth it where most of
what watched actors take is from watched actors: stand-ins are not compiled.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple, cast

import numpy as np

from dramaturg.compiled import loading
from dramaturg.model import names
from dramaturg.model.actor import Actor
from dramaturg.model.workload import ChatAppWorkload, MicroWorkload
from dramaturg.trace.columns.array_logs import ArrayLogs, Columns, begins_of
from dramaturg.trace.partial.basis.outsiders import FREE, WAIT, Inside, Outside, Wrong
from dramaturg.trace.partial.benchmarks import BENCHMARKS
from dramaturg.trace.partial.part_replay import PartVerdict, outside_of
from dramaturg.trace.replay.quick_game import BITS, QuickGame, unsigned
from dramaturg.trace.watches import Watches


class _Born(NamedTuple):
    """A compiled actor, as stand-ins know it."""

    name: int
    actor_class: int


def conforming(
    workload: ChatAppWorkload | MicroWorkload,
    watches: Watches,
    logs: ArrayLogs,
    taken: Mapping[int, int] | None,
) -> PartVerdict | None:
    """The verdict on actors of which all is logged, together, if they conform. None if they do not,
    where nothing is compiled, and where stand-ins need the model as it is written."""
    name = "chatapp" if isinstance(workload, ChatAppWorkload) else workload.micro.name
    stand_in = BENCHMARKS[name].outside
    if stand_in.model is None or any(names.class_of(actor) in stand_in.ASKS for actor in logs):
        return None
    machine = loading.machine(workload.parameters)
    if machine is None:
        return None
    inside = Inside(watches, dict(taken or {}))
    outside = outside_of(workload, inside, logs)
    found = QuickPart(workload, machine, inside, outside, logs).verdict()
    # Stand-ins hold each other, and the game.
    vars(outside).clear()
    return found


class QuickPart(QuickGame):
    """One game of a part."""

    def __init__(
        self,
        workload: ChatAppWorkload | MicroWorkload,
        machine: loading.Machine,
        inside: Inside,
        outside: Outside,
        logs: ArrayLogs,
    ) -> None:
        super().__init__(workload, machine, _of_whole(inside, logs))
        self._inside, self._outside = inside, outside
        self._outsiders: set[int] = set()
        self._bounded: dict[tuple[int, int], int] = {}
        self._begun = self._put_off = False
        for name, part in self._game.parts.items():
            part.outside = name >> 56 != names.CONTROL and not inside.whole(name & BITS)
        outside.send, outside.wake = self._send_for, self._game.wake
        outside.model, outside.of_model = machine.model, machine.parameters

    def verdict(self) -> PartVerdict | None:
        """Plays it."""
        decided = self.decided()
        if decided is None:
            return None
        whole, pairs = decided
        bounded = sum(self._bounded.values())
        return PartVerdict(
            events=whole.events,
            control=whole.control,
            born=whole.born,
            alive=whole.alive,
            decided=whole.events - bounded,
            bounded=bounded,
            pairs=pairs - len(self._bounded),
            open=self._outside.open({names.class_of(name) for name in whole.born}),
        )

    def _played(self) -> bool:
        for actor in self._outside.births():
            self._enter(actor)
        if self._inside.whole(self._workload.lead):
            self._speak()
        game, conforms, moving = self._game, False, True
        while moving:
            conforms = game.run()
            moving = game.fits and self._rest(game.under_way == 0)
        return conforms and not any(map(self._lacks, game.born()))

    def _rest(self, clear: bool) -> bool:
        """Nothing moves: whatever comes only after everything else may come now."""
        if clear and self._put_off:
            self._put_off = False
            super()._speak()
            return True
        return self._outside.quiet(clear)

    def _lacks(self, actor: int) -> bool:
        """Return whether a message has to come yet, or does not fit to all others."""
        outside = self._outside
        missing, overdue = outside.missing(actor), outside.overdue(actor)
        lacks = any(True for each in (missing, overdue) for _ in each)
        return lacks or outside.amiss(actor) is not None

    def _speak(self) -> None:
        """Each line but the first comes after all that the one before it has set in motion."""
        if self._begun:
            self._put_off = True
        else:
            self._begun = True
            super()._speak()

    def _send_for(self, sender: int, receiver: int, kind: int, *args: int) -> None:
        self._game.say(sender, receiver, kind, [*args])

    # --- what the game calls ---

    def _enter(self, actor: Any) -> None:
        born = cast("Actor", _Born(actor.name, actor.name >> 56))
        if not self._inside.whole(born.name):
            self._outside.spawned(born)
            return
        self._game.enter(actor)
        self._outside.enter(born)

    def _hear(self, sender: int, receiver: int, kind: int, args: list[int]) -> int:
        game, outside = self._machine.game, self._outside
        if receiver not in self._outsiders:
            if self._inside.whole(receiver & BITS):
                return int(game.NEVER)
            if receiver >> 56 in outside.DEAF:
                return int(game.DEAF)
            self._outsiders.add(receiver)
        outside.hear(sender, receiver, kind, unsigned(args))
        return int(game.MAY)

    def _judge(self, receiver: int, sender: int, kind: int, args: list[int]) -> int:
        game = self._machine.game
        found = self._outside.judge(receiver, sender & BITS, (kind, unsigned(args)))
        if found is WAIT:
            return int(game.WAITS)
        if isinstance(found, Wrong):
            return int(game.NEVER)
        if found is FREE:
            pair = sender, receiver
            self._bounded[pair] = self._bounded.get(pair, 0) + 1
        return int(game.MAY)


def _of_whole(inside: Inside, logs: ArrayLogs) -> Columns:
    """The rows of actors of which all is logged."""
    receivers, senders, kinds, args, arities = logs.columns()
    begins = begins_of(receivers)
    whole = np.array([inside.whole(actor) for actor in receivers[begins].tolist()], np.bool_)
    if whole.all():
        return logs.columns()
    rows = np.repeat(whole, np.diff(begins, append=len(receivers)))
    words = args[np.repeat(rows, arities)]
    return receivers[rows], senders[rows], kinds[rows], words, arities[rows]
