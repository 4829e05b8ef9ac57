"""Replay: are these receive logs a run of the model? (spec/actors.md, TRACE-4 to TRACE-7)

The logs are consumed as a token game. An actor may take its next logged message
once the model's sender has sent it; taking it runs the model's handler, which
sends more. For each ordered pair of actors the messages sent form one queue, and
what the receiver logged from that sender must be exactly that queue. The game is
won when every log is consumed and every queue is empty. Nothing is searched or
tuned: the order of play cannot matter, because actors are deterministic.
"""

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from dramaturg.model import names
from dramaturg.model.actor import Actor
from dramaturg.model.play import Line, Play
from dramaturg.trace.divergence import Divergence, Kind, first
from dramaturg.trace.events import Event, Logs, Message

_CONTROL = names.name(names.CONTROL)


class _Part:
    """One actor's part in the game: its log, how far it got, what has been sent to it."""

    __slots__ = ("name", "actor", "log", "position", "inbox", "waiting", "ended")

    def __init__(self, name: int, log: list[Event]) -> None:
        self.name = name
        self.actor: Actor | None = None
        self.log = log
        self.position = 0
        self.inbox: dict[int, list[Message]] = {}
        self.waiting = 0
        self.ended = False


@dataclass(slots=True)
class Verdict:
    """What the replay found. ``divergences`` is empty exactly when the run conforms."""

    events: int
    divergences: list[Divergence] = field(default_factory=list)
    control: list[Message] = field(default_factory=list)
    """What the model's actors reported to the control port: the receipt's truth."""
    alive: int = 0
    """Actors that the model has not ended, the poker and the directories not counted."""

    @property
    def conforms(self) -> bool:
        return not self.divergences

    @property
    def divergence(self) -> Divergence | None:
        """The first one: the earliest turn's, and in it the one that explains most."""
        return first(self.divergences)


@contextmanager
def _without_cyclic_gc() -> Iterator[None]:
    """Millions of small tuples and no cycle among them: the collector only costs time."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


class Replay:
    """One replay of one run. Use :func:`replay`, unless you want to stop half-way."""

    def __init__(self, play: Play, logs: Logs) -> None:
        self.play = play
        self.verdict = Verdict(events=sum(map(len, logs.values())))
        self._parts = {name: _Part(name, log) for name, log in logs.items()}
        self._ready: list[_Part] = []
        self._current = _CONTROL
        self._script = iter(play.script)
        self._reports_due = 0
        for actor in play.cast():
            self._enter(actor)

    def run(self) -> Verdict:
        """Play until nothing moves, then say what is left over."""
        with _without_cyclic_gc():
            self._speak()
            while self._ready:
                self._consume(self._ready.pop())
            self._look_over()
        return self.verdict

    def _consume(self, part: _Part) -> None:
        actor, log, inbox = part.actor, part.log, part.inbox
        if actor is None:
            return
        handlers = actor.handlers
        self._current = part.name
        position, end = part.position, len(log)
        while position < end:
            sender, message = log[position]
            queue = inbox.get(sender)
            if not queue:
                part.waiting = sender
                break
            if part.ended:
                break
            expected = queue.pop(0)
            if expected != message:
                queue.insert(0, expected)
                self._diverge(part, position, expected)
                part.actor = None
                break
            position += 1
            kind, args = message
            handlers[kind](actor, sender, *args)
        part.position = position

    def _send(self, receiver: int, kind: int, *args: int) -> None:
        part = self._parts.get(receiver)
        if part is None:
            if receiver >> 56 == names.CONTROL:
                self._report((kind, args))
                return
            part = self._parts[receiver] = _Part(receiver, [])
        sender = self._current
        queue = part.inbox.get(sender)
        if queue is None:
            part.inbox[sender] = [(kind, args)]
        else:
            queue.append((kind, args))
        if part.waiting == sender:
            part.waiting = 0
            self._ready.append(part)

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
            self._reports_due = self.play.reports(line)
            self._send(self.play.lead, line[0], *line[1])

    def _diverge(self, part: _Part, position: int, expected: Message) -> None:
        self.verdict.divergences.append(
            Divergence(
                kind=Kind.ALTERED,
                receiver=part.name,
                position=position,
                sender=part.log[position][0],
                expected=expected,
                actual=part.log[position][1],
                receiver_state=part.actor.state() if part.actor else {},
                sender_state=self._state(part.log[position][0]),
                history=part.log[max(0, position - 8) : position],
            )
        )

    def _state(self, name: int) -> dict[str, object]:
        part = self._parts.get(name)
        return part.actor.state() if part is not None and part.actor is not None else {}

    def _look_over(self) -> None:
        """Name what was never received (lost) and what was received unsent (invented)."""
        excepted = (names.POKER, names.DIRECTORY)
        for part in self._parts.values():
            diverged = part.actor is None and part.position < len(part.log) and part.inbox
            if part.actor and not part.ended and names.class_of(part.name) not in excepted:
                self.verdict.alive += 1
            if part.position < len(part.log):
                if not diverged or not self._has_divergence(part):
                    self._stuck(part)
                continue
            for sender, queue in part.inbox.items():
                if queue:
                    self._lost(part, sender, queue[0])

    def _has_divergence(self, part: _Part) -> bool:
        return any(d.receiver == part.name for d in self.verdict.divergences)

    def _stuck(self, part: _Part) -> None:
        sender, message = part.log[part.position]
        source = self._parts.get(sender)
        spent = source is None or source.actor is None or source.position == len(source.log)
        self.verdict.divergences.append(
            Divergence(
                kind=Kind.INVENTED if spent else Kind.TOO_EARLY,
                receiver=part.name,
                position=part.position,
                sender=sender,
                expected=None,
                actual=message,
                receiver_state=part.actor.state() if part.actor else {},
                sender_state=self._state(sender),
                history=part.log[max(0, part.position - 8) : part.position],
            )
        )

    def _lost(self, part: _Part, sender: int, message: Message) -> None:
        self.verdict.divergences.append(
            Divergence(
                kind=Kind.LOST,
                receiver=part.name,
                position=len(part.log),
                sender=sender,
                expected=message,
                actual=None,
                receiver_state=part.actor.state() if part.actor else {},
                sender_state=self._state(sender),
                history=part.log[-8:],
            )
        )


def replay(play: Play, logs: Logs) -> Verdict:
    """Replay these logs. Reads and does not change them. About a microsecond or two an event."""
    return Replay(play, logs).run()
