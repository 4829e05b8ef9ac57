"""Replay of a part: were these watched actors part of a run of the model? (spec/parts.md)

The token game of :mod:`dramaturg.trace.replay.token_game`, with stand-ins for actors that nobody
watches. Between watched actors everything is as there. A stand-in is told the messages of watched
actors to its outsiders, and answers for those that they log from outsiders.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from dramaturg.model import names
from dramaturg.model.actor import Actor
from dramaturg.model.messages import KINDS
from dramaturg.model.workload import ChatAppWorkload, MicroWorkload, Workload
from dramaturg.trace.columns.array_logs import ArrayLogs, in_lists
from dramaturg.trace.events import AnyLogs, Logs, Message, without_cyclic_gc
from dramaturg.trace.partial import message_counts
from dramaturg.trace.partial.basis.outsiders import FREE, WAIT, Alone, Inside, Open, Outside, Wrong
from dramaturg.trace.partial.benchmarks import BENCHMARKS
from dramaturg.trace.partial.slices import Slices
from dramaturg.trace.replay.divergence import Kind
from dramaturg.trace.replay.token_game import _CONTROL, Replay, Verdict, _Part
from dramaturg.trace.watches import Watches
from dramaturg.v2 import trace_pb2 as kind


@dataclass(slots=True)
class PartVerdict(Verdict):
    """The verdict of the replay of a part. ``born`` and ``alive`` are of watched actors."""

    decided: int = 0
    """Events whose sender, content and place among what that sender sent are decided."""
    bounded: int = 0
    """Events that are only held against what facts say of them."""
    pairs: int = 0
    """Ordered pairs of actors between which all is decided."""
    open: tuple[Open, ...] = ()
    """Classes of what stays open of these watched actors, and why."""
    shifted: str = ""
    """The actor whose slice is right but for where it begins; empty if there is none."""
    miscounted: str = ""
    """The fault of the counts, if all else is right; empty if there is none."""

    def add(self, other: "PartVerdict") -> None:
        """Adds the findings about other actors."""
        self.events += other.events
        self.divergences += other.divergences
        self.decided += other.decided
        self.bounded += other.bounded
        self.pairs += other.pairs
        self.born |= other.born
        self.taken |= other.taken
        self.open += tuple(row for row in other.open if row not in self.open)


class PartReplay(Replay):
    """One replay of a part. Use :func:`replay_part`."""

    verdict: PartVerdict

    def __init__(
        self, workload: Workload, inside: Inside, outside: Outside, logs: Logs, cut: set[int]
    ) -> None:
        self._inside = inside
        self._outside = outside
        self._cut = cut
        self._outsiders: set[int] = set()
        self._deaf: set[int] = set()
        self._bounded: dict[tuple[int, int], int] = {}
        self._begun = self._put_off = self._anybody_stuck = False
        outside.send, outside.wake = self._send_for, self._wake
        super().__init__(_Bare(workload), {a: log for a, log in logs.items() if inside.whole(a)})
        self.verdict = PartVerdict(events=self.verdict.events)
        self._leads = inside.whole(workload.lead)
        for actor in outside.births():
            self._enter(actor)

    def run(self) -> PartVerdict:
        """Consume until nothing moves, then say what is left over."""
        with without_cyclic_gc():
            if self._leads:
                self._speak()
            moving = True
            while moving:
                while self._ready:
                    self._consume(self._ready.pop())
                moving = self._rest()
            self._look_over()
        verdict, parts = self.verdict, self._parts.values()
        if not verdict.conforms:
            self._find_unprompted()
            verdict.taken = {part.name: part.position for part in parts if part.log}
        else:
            verdict.bounded = sum(self._bounded.values())
            verdict.decided = verdict.events - verdict.bounded
            pairs = sum(len({sender for sender, _ in part.log}) for part in parts)
            verdict.pairs = pairs - len(self._bounded)
            classes = {names.class_of(name) for name in verdict.born}
            verdict.open = self._outside.open(classes)
        return verdict

    def let_go(self) -> None:
        """As it says there; stand-ins hold each other as well."""
        super().let_go()
        vars(self._outside).clear()

    def _rest(self) -> bool:
        """Nothing moves: whatever comes only after everything else may come now."""
        if self.verdict.divergences:
            return False
        clear = not any(any(part.inbox.values()) for part in self._parts.values())
        if clear and self._put_off:
            self._put_off = False
            self._current = _CONTROL
            super()._speak()
            return True
        return self._outside.quiet(clear)

    def _consume(self, part: _Part) -> None:
        actor, log, inbox = part.actor, part.log, part.inbox
        if actor is None or part.diverged:
            return
        handlers, judge = actor.handlers, self._outside.judge
        name = self._current = part.name
        position, end = part.position, len(log)
        while position < end and not part.ended:
            sender, message = log[position]
            queue = inbox.get(sender)
            if queue:
                expected = queue[0]
                if expected != message:
                    self._depart(part, position, sender, expected, message)
                    break
                del queue[0]
            else:
                seen = sender == _CONTROL or self._inside.whole(sender)
                found = WAIT if seen else judge(name, sender, message)
                if found is WAIT:
                    part.waiting = sender
                    break
                if isinstance(found, Wrong):
                    self._depart(part, position, sender, found.expected, message)
                    break
                if found is FREE:
                    pair = sender, name
                    self._bounded[pair] = self._bounded.get(pair, 0) + 1
            position += 1
            kind, args = message
            handlers[kind](actor, sender, *args)
        part.position = position

    def _depart(
        self, part: _Part, position: int, sender: int, expected: Message | None, actual: Message
    ) -> None:
        part.diverged = True
        kind = Kind.ALTERED if expected else Kind.INVENTED
        self._found(kind, part, position, sender, expected, actual)

    def _newcomer(self, receiver: int, kind: int, args: tuple[int, ...]) -> _Part | None:
        if receiver in self._deaf:
            return None
        if receiver not in self._outsiders:
            if receiver >> 56 == names.CONTROL or self._inside.whole(receiver):
                return super()._newcomer(receiver, kind, args)
            if receiver >> 56 in self._outside.DEAF:
                self._deaf.add(receiver)
                return None
            self._outsiders.add(receiver)
        self._outside.hear(self._current, receiver, kind, args)
        return None

    def _send_for(self, sender: int, receiver: int, kind: int, *args: int) -> None:
        """An outsider sends a watched actor what is a fact."""
        current, self._current = self._current, sender
        self._send(receiver, kind, *args)
        self._current = current

    def _wake(self, receiver: int) -> None:
        part = self._parts.get(receiver)
        if part is not None and part.waiting:
            part.waiting = 0
            self._ready.append(part)

    def _enter(self, actor: Actor) -> None:
        if self._inside.whole(actor.name):
            super()._enter(actor)
            self._outside.enter(actor)
        else:
            self._outside.spawned(actor)

    def _speak(self) -> None:
        """Each line but the first comes after all that the one before it has set in motion."""
        if self._begun:
            self._put_off = True
        else:
            self._begun = True
            super()._speak()

    def _look_over(self) -> None:
        parts = self._parts.values()
        self._anybody_stuck = any(part.actor and not part.finished for part in parts)
        super()._look_over()
        if not self.verdict.divergences:
            for part in parts:
                if part.actor is not None and part.name not in self._cut:
                    for sender, expected in self._outside.overdue(part.name):
                        self._found(Kind.LOST, part, part.position, sender, expected, None)

    def _find_lost(self, part: _Part) -> None:
        if part.name in self._cut:
            return
        super()._find_lost(part)
        if part.actor is not None:
            for sender, expected in self._outside.missing(part.name):
                self._found(Kind.LOST, part, part.position, sender, expected, None)
            place = self._outside.amiss(part.name)
            if place is not None:
                sender, message = part.log[place]
                self._found(Kind.INVENTED, part, place, sender, None, message)

    def _never_comes(self, part: _Part) -> bool:
        """True if it has ended, or waits for a watched actor that will never send more."""
        sender = part.log[part.position][0]
        if part.ended or sender == _CONTROL:
            return True
        if part.actor is None and not self._inside.whole(sender):
            # Whoever would have made it is watched, and may be stuck itself.
            return not self._anybody_stuck
        return self._inside.whole(sender) and sender not in self._cut and self._is_spent(sender)


class _Bare:
    """A workload without its actors: those of a part are born by facts."""

    def __init__(self, workload: Workload) -> None:
        self.script = workload.script
        self.lead = workload.lead
        self.reports = workload.reports

    def initial(self) -> list[Actor]:
        return []


def replay_part(
    workload: ChatAppWorkload | MicroWorkload,
    watches: Watches,
    logs: Logs | ArrayLogs,
    taken: Mapping[int, int] | None = None,
    of_whole: PartVerdict | None = None,
) -> PartVerdict:
    """Decide what was watched of a run: a timed one's script, with its salt, and ``taken``, how
    many messages each watched actor took by the counts. ``of_whole``: the verdict on actors of
    which all is logged, if that is known.

    Actors of which all is logged are replayed together. An actor of which only the first messages
    are logged is replayed alone; if only later ones are, each event is held against facts.

    Reads the logs and does not change them. Raises ValueError for a workload that is driven by
    acts or turns: its facts are the replay's alone.
    """
    run = _run_of(workload)
    inside = Inside(watches, dict(taken or {}))
    verdict = of_whole
    if verdict is None:
        logs = in_lists(logs)
        verdict = _played(PartReplay(workload, inside, _outside(run, inside, logs), logs, set()))
    slices = Slices(run.benchmark, workload.parameters, run.salt, workload.lead, workload.script)
    for actor in [actor for actor in logs if not inside.whole(actor)]:
        log = logs[actor]
        begin = inside.begin(actor)
        if begin:
            slices.look(actor, begin, log)
            verdict.events += len(log)
        else:
            alone, mine = Alone(actor), {actor: log}
            part = PartReplay(workload, alone, _outside(run, alone, mine), mine, {actor})
            verdict.add(_played(part))
    verdict.divergences += slices.divergences
    verdict.shifted = slices.shifted
    verdict.decided += slices.decided
    verdict.bounded += slices.bounded
    if taken is not None and verdict.conforms:
        verdict.miscounted = message_counts.uncounted(
            set(filter(inside.whole, verdict.born)), set(filter(inside.whole, taken))
        ) or message_counts.miscounted(workload.parameters, run.ends, taken)
    return verdict


def _played(part: PartReplay) -> PartVerdict:
    verdict = part.run()
    part.let_go()
    return verdict


class _Run(NamedTuple):
    """The script of a timed run."""

    benchmark: str
    parameters: Any
    salt: int
    ends: bool


def _run_of(workload: ChatAppWorkload | MicroWorkload) -> _Run:
    if isinstance(workload, ChatAppWorkload):
        kinds = [number for number, _ in workload.script]
        if kinds[:2] != _RUN or kinds[2:] not in ([], [kind.MESSAGE_KIND_POKER_DISCONNECT]):
            raise ValueError("a part is replayed of one run, not of acts and turns")
        return _Run("chatapp", workload.parameters, workload.script[1][1][0], len(kinds) == 3)
    name, line = workload.micro.name, workload.script[0]
    arguments = KINDS[line[0]].arguments
    salt = line[1][arguments.index("salt" if "salt" in arguments else "digest")]
    return _Run(name, workload.parameters, salt, len(workload.script) > 1)


def outside_of(workload: ChatAppWorkload | MicroWorkload, inside: Inside, logs: AnyLogs) -> Outside:
    """The stand-ins of a workload's outsiders."""
    return _outside(_run_of(workload), inside, logs)


def _outside(run: _Run, inside: Inside, logs: AnyLogs) -> Outside:
    """The stand-ins of this run's outsiders."""
    outside = BENCHMARKS[run.benchmark].outside(run.parameters, run.salt, inside, logs)
    outside.ends = run.ends
    return outside


_RUN = [kind.MESSAGE_KIND_POKER_PREPARE, kind.MESSAGE_KIND_POKER_RUN]
