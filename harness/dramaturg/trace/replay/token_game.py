"""Replay: are these receive logs a run of the model? (spec/actors.md, TRACE-4 to TRACE-7)

The logs are consumed as a token game. An actor may take its next logged message
once the model's sender has sent it; taking it runs the model's handler, which
sends more. For each ordered pair of actors the messages sent form one queue, and
what the receiver logged from that sender must be exactly that queue. The game is
won when every log is consumed and every queue is empty. Nothing is searched or
tuned: the order cannot matter, because actors are deterministic.
"""

from collections import deque
from contextlib import suppress
from copy import deepcopy
from dataclasses import dataclass, field, replace
from typing import Any

from dramaturg.model import names
from dramaturg.model.actor import Actor
from dramaturg.model.workload import Line, Workload
from dramaturg.trace.events import Event, Logs, Message, without_cyclic_gc
from dramaturg.trace.replay.divergence import Divergence, Fate, Kind, first

_CONTROL = names.name(names.CONTROL)

HISTORY = 8
"""Events before the divergence that a report shows."""

LONG = 1024
"""Messages under way from one actor to another, from which on they are kept in a deque: to take
the first of a list takes as long as the list is. Short ones are lists, which are small."""


class _Part:
    """One actor's part in the game: its log, how far it got, what has been sent to it."""

    __slots__ = ("name", "actor", "log", "position", "inbox", "waiting", "ended", "diverged")

    def __init__(self, name: int, log: list[Event]) -> None:
        self.name = name
        self.actor: Actor | None = None
        self.log = log
        self.inbox: dict[int, list[Message] | deque[Message]] = {}
        self.position = self.waiting = 0
        self.ended = self.diverged = False

    @property
    def finished(self) -> bool:
        """True if all of its log has been consumed."""
        return self.position == len(self.log)


@dataclass(slots=True)
class Verdict:
    """The verdict of the replay. ``divergences`` is empty exactly when the run conforms."""

    events: int
    divergences: list[Divergence] = field(default_factory=list)
    control: list[Message] = field(default_factory=list)
    """The reports of the model's actors to the control port: the receipt's truth."""
    born: set[int] = field(default_factory=set)
    """The actors of the model."""
    alive: int = 0
    """Number of actors that it has not ended."""
    taken: dict[int, int] = field(default_factory=dict)
    """The number of events of each log that could be consumed; empty if the run conforms."""

    @property
    def conforms(self) -> bool:
        return not self.divergences

    @property
    def divergence(self) -> Divergence | None:
        """The first one: the earliest turn's, and in it the one that explains most."""
        return first(self.divergences)


class Replay:
    """One replay of one run. Use :func:`replay`, unless you want to stop half-way."""

    _reports_due: int
    """The number of reports that control waits for before it speaks again."""

    def __init__(self, workload: Workload, logs: Logs) -> None:
        self.workload = workload
        self.verdict = Verdict(events=sum(map(len, logs.values())))
        self._parts = {name: _Part(name, log) for name, log in logs.items()}
        self._ready: list[_Part] = []
        self._current = _CONTROL
        self._script = iter(workload.script)
        for actor in workload.initial():
            self._enter(actor)

    def run(self) -> Verdict:
        """Consume until nothing moves, then say what is left over."""
        with without_cyclic_gc():
            self._speak()
            while self._ready:
                self._consume(self._ready.pop())
            self._look_over()
        if not self.verdict.conforms:
            self._find_unprompted()
            parts = self._parts.values()
            self.verdict.taken = {part.name: part.position for part in parts if part.log}
        return self.verdict

    def let_go(self) -> None:
        """Actors and the replay hold each other, and the replay all logs: findings on them stay,
        and the rest need not wait for the collector of cycles. Nothing can be asked of the replay
        any more."""
        self._parts.clear()

    def _consume(self, part: _Part) -> None:
        actor, log, inbox = part.actor, part.log, part.inbox
        if actor is None or part.diverged:
            return
        handlers = actor.handlers
        self._current = part.name
        position, end = part.position, len(log)
        while position < end and not part.ended:
            sender, message = log[position]
            queue = inbox.get(sender)
            if not queue:
                part.waiting = sender
                break
            expected = queue[0]
            if expected != message:
                part.diverged = True
                self._found(Kind.ALTERED, part, position, sender, expected, message)
                break
            del queue[0]
            position += 1
            kind, args = message
            handlers[kind](actor, sender, *args)
        part.position = position

    def _send(self, receiver: int, kind: int, *args: int) -> None:
        part = self._parts.get(receiver) or self._newcomer(receiver, kind, args)
        if part is None:
            return
        sender = self._current
        queue = part.inbox.get(sender)
        if queue is None:
            part.inbox[sender] = [(kind, args)]
        else:
            queue.append((kind, args))
            if len(queue) == LONG:
                part.inbox[sender] = deque(queue)
        if part.waiting == sender:
            part.waiting = 0
            self._ready.append(part)

    def _newcomer(self, receiver: int, kind: int, args: tuple[int, ...]) -> _Part | None:
        """The actor that has not been sent anything yet, and has logged nothing; None if that is
        all."""
        if receiver >> 56 == names.CONTROL:
            self._report((kind, args))
            return None
        part = self._parts[receiver] = _Part(receiver, [])
        return part

    def _enter(self, actor: Actor) -> None:
        actor.send, actor.spawn, actor.terminate = self._send, self._enter, self._leave
        part = self._parts.get(actor.name)
        if part is None:
            part = self._parts[actor.name] = _Part(actor.name, [])
        part.actor = actor
        self._ready.append(part)

    def _leave(self) -> None:
        self._parts[self._current].ended = True

    def _report(self, message: Message) -> None:
        self.verdict.control.append(message)
        self._reports_due -= 1
        if self._reports_due == 0:
            current, self._current = self._current, _CONTROL
            self._speak()
            self._current = current

    def _speak(self) -> None:
        line: Line | None = next(self._script, None)
        if line is not None:
            self._reports_due = self.workload.reports(line)
            self._send(self.workload.lead, line[0], *line[1])

    def _look_over(self) -> None:
        """Name what was never received and what was received unsent.

        An actor that is stuck in the end is often only the consequence of something else; if there
        is a cause, only causes are named. It may have logged on, though: the messages sent to it
        can be held against that all the same (TRACE-5).
        """
        stuck = []
        for part in self._parts.values():
            if part.actor is not None:
                self.verdict.born.add(part.name)
                self.verdict.alive += not part.ended
            if part.finished:
                self._find_lost(part)
            elif part.diverged:
                continue
            elif self._never_comes(part):
                self._find_unsent(Kind.INVENTED, part)
            elif part.log[part.position][0] == part.name:
                self._find_too_early(part)
            else:
                stuck.append(part)
        if not self.verdict.divergences:
            for part in stuck:
                self._look_ahead(part)
        if not self.verdict.divergences:
            for part in self._circle(stuck):
                self._find_too_early(part)

    def _find_lost(self, part: _Part) -> None:
        """Finds messages that were sent to an actor which has come to the end of its log."""
        for sender, queue in part.inbox.items():
            if queue:
                self._found(Kind.LOST, part, part.position, sender, queue[0], None)

    def _find_unsent(self, kind: Kind, part: _Part) -> None:
        """Finds the next message in this log, which was not sent."""
        sender, message = part.log[part.position]
        self._found(kind, part, part.position, sender, None, message)

    def _find_too_early(self, part: _Part) -> None:
        """Finds the next message in this log, which cannot have been sent by then; or what control
        sent to this actor, if its log lacks all of that: then nobody else is to blame."""
        queue, rest = part.inbox.get(_CONTROL), part.log[part.position :]
        if not queue or any(sender == _CONTROL for sender, _ in rest):
            self._find_unsent(Kind.TOO_EARLY, part)
            return
        self._found(Kind.LOST, part, part.position, _CONTROL, queue[0], None)
        lost = self.verdict.divergences[-1]
        self.verdict.divergences[-1] = replace(lost, fate=Fate.UNLOGGED)

    def _find_unprompted(self) -> None:
        """Mark what was sent by who lacks the message that explains most, and would not have been
        sent upon it either: there was no waiting for it."""
        lost, found = first(self.verdict.divergences), self.verdict.divergences
        part = None if lost is None else self._parts.get(lost.receiver)
        if lost is None or lost.kind is not Kind.LOST or part is None or part.actor is None:
            return
        own = [n for n, e in enumerate(found) if e.kind is Kind.INVENTED and e.sender == part.name]
        if not own:
            return
        then = _sent_upon_the_rest(part)
        for number in own:
            each = found[number]
            if each.turn == lost.turn and (each.receiver, each.actual) not in then:
                found[number] = replace(each, unprompted=True)

    def _never_comes(self, part: _Part) -> bool:
        """True if the sender of the next event in this log will never send more."""
        return self._is_spent(part.log[part.position][0])

    def _look_ahead(self, part: _Part) -> None:
        """Hold what this actor was sent against the rest of its log, for each sender."""
        log, end = part.log, len(part.log)
        for sender, queue in part.inbox.items():
            places = (place for place in range(part.position, end) if log[place][0] == sender)
            for expected, place in zip(queue, places, strict=False):
                if log[place][1] != expected:
                    self._found(Kind.ALTERED, part, place, sender, expected, log[place][1])
                    break

    def _circle(self, stuck: list[_Part]) -> list[_Part]:
        """Return the actors that wait for each other: all others only wait for them. If some of
        these have been sent something that they could take instead, these took something out of
        place."""
        waiting = {part.name: part for part in stuck}
        seen: dict[int, _Part] = {}
        part = next(iter(stuck), None)
        while part is not None and part.name not in seen:
            seen[part.name] = part
            part = waiting.get(part.log[part.position][0])
        path = list(seen.values())
        circle = stuck if part is None else path[path.index(part) :]
        return [part for part in circle if any(part.inbox.values())] or circle

    def _is_spent(self, name: int) -> bool:
        """True if this actor has done all that its log lets it do, and so will never send more."""
        part = self._parts.get(name)
        return part is None or part.finished

    def _found(
        self,
        kind: Kind,
        part: _Part,
        position: int,
        sender: int,
        expected: Message | None,
        actual: Message | None,
    ) -> None:
        self.verdict.divergences.append(
            Divergence(
                kind=kind,
                receiver=part.name,
                position=position,
                sender=sender,
                expected=expected,
                actual=actual,
                receiver_state=_state(part),
                sender_state=_state(self._parts.get(sender)),
                history=part.log[max(0, position - HISTORY) : position],
            )
        )


def _sent_upon_the_rest(part: _Part) -> list[tuple[int, Message | None]]:
    """The messages that this actor would send if it took all those that it was sent and has not
    taken, in any order of their senders. The actor stays as it is."""
    actor, sent = part.actor, list[tuple[int, Message | None]]()
    assert actor is not None

    def send(receiver: int, kind: int, *args: int) -> None:
        sent.append((receiver, (kind, args)))

    ways = actor.send, actor.spawn, actor.terminate
    actor.send, actor.spawn, actor.terminate = send, (lambda other: None), (lambda: None)
    try:
        # Functions are not copied: the twin sends as said here, and what it keeps is its own.
        twin = deepcopy(actor)
    finally:
        actor.send, actor.spawn, actor.terminate = ways
    # Whoever is given what never came together may fail at it.
    with suppress(Exception):
        for sender, queue in part.inbox.items():
            for number, args in queue:
                twin.handlers[number](twin, sender, *args)
    return sent


def _state(part: _Part | None) -> dict[str, Any]:
    """The model's state of this actor, if the model has made it."""
    return part.actor.state() if part and part.actor else {}


def replay(workload: Workload, logs: Logs) -> Verdict:
    """Replay these logs. Reads and does not change them. About a microsecond or two an event."""
    game = Replay(workload, logs)
    verdict = game.run()
    game.let_go()
    return verdict
