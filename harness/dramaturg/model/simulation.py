"""The model, performed: all actors in one place, messages delivered by a scheduler.

A mailbox here is one queue for each sender, which is all that the specification
promises (ACT-5). The scheduler picks the queue that is served next, so that any
legal schedule can be had: in order of sending, or at random.
"""

from collections import deque
from collections.abc import Callable, Sequence

from dramaturg.model import names
from dramaturg.model.actor import Actor
from dramaturg.model.workload import Workload

Channel = tuple[int, int]
Event = tuple[int, tuple[int, tuple[int, ...]]]


class InOrder:
    """Serves messages in the order in which they were sent."""

    def __init__(self) -> None:
        self._pending: deque[Channel] = deque()

    def sent(self, channel: Channel) -> None:
        self._pending.append(channel)

    def next(self) -> Channel | None:
        return self._pending.popleft() if self._pending else None


class AtRandom:
    """Serves any channel that has a message; ``choose(n)`` gives a number below n."""

    def __init__(self, choose: Callable[[int], int]) -> None:
        self._choose = choose
        self._pending: list[Channel] = []

    def sent(self, channel: Channel) -> None:
        self._pending.append(channel)

    def next(self) -> Channel | None:
        if not self._pending:
            return None
        last = len(self._pending) - 1
        chosen = self._choose(last + 1)
        self._pending[chosen], self._pending[last] = self._pending[last], self._pending[chosen]
        return self._pending.pop()


class Simulation:
    """A run of the model. ``logs`` fills with what each actor received."""

    def __init__(self, workload: Workload, scheduler: InOrder | AtRandom | None = None) -> None:
        self.workload = workload
        self.scheduler = scheduler or InOrder()
        self.actors: dict[int, Actor] = {}
        self.ended: set[int] = set()
        self.logs: dict[int, list[Event]] = {}
        self.control: list[tuple[int, tuple[int, ...]]] = []
        self._channels: dict[Channel, deque[tuple[int, tuple[int, ...]]]] = {}
        self._current = names.name(names.CONTROL)
        for actor in workload.initial():
            self._enter(actor)

    def _enter(self, actor: Actor) -> None:
        actor.send, actor.spawn, actor.terminate = self._send, self._enter, self._leave
        self.actors[actor.name] = actor

    def _leave(self) -> None:
        self.ended.add(self._current)

    def _send(self, receiver: int, kind: int, *args: int) -> None:
        if names.class_of(receiver) == names.CONTROL:
            self.control.append((kind, args))
            return
        channel = (self._current, receiver)
        self._channels.setdefault(channel, deque()).append((kind, args))
        self.scheduler.sent(channel)

    def perform(self, script: Sequence[tuple[int, tuple[int, ...]]] | None = None) -> "Simulation":
        """Give the workload's script (or this one) line by line, each when the last has settled."""
        for kind, args in self.workload.script if script is None else script:
            self._current = names.name(names.CONTROL)
            self._send(self.workload.lead, kind, *args)
            self.settle()
        return self

    def settle(self) -> None:
        """Deliver until nothing is under way. Raises RuntimeError for a message to the dead."""
        while (channel := self.scheduler.next()) is not None:
            sender, receiver = channel
            kind, args = self._channels[channel].popleft()
            if receiver in self.ended:
                raise RuntimeError(f"{names.spell(receiver)} has ended and is sent a message")
            self._current = receiver
            self.logs.setdefault(receiver, []).append((sender, (kind, args)))
            actor = self.actors[receiver]
            actor.handlers[kind](actor, sender, *args)

    def alive(self) -> set[int]:
        """Names of the actors that have not ended."""
        return self.actors.keys() - self.ended
