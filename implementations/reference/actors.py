"""Actors on asyncio: one task and one mailbox each, running a behaviour of the model."""

import asyncio
import time
from collections.abc import Callable

from dramaturg.model import names
from dramaturg.model.actor import Actor
from dramaturg.v1.trace_pb2 import (
    MESSAGE_KIND_COORDINATOR_TICK,
    MESSAGE_KIND_PING_TICK,
    MESSAGE_KIND_RECEIVER_TICK,
    MESSAGE_KIND_SLEEPER_WAKE,
)

from trace import Trace

Message = tuple[int, int, tuple[int, ...]]

TICKS = {MESSAGE_KIND_PING_TICK, MESSAGE_KIND_COORDINATOR_TICK, MESSAGE_KIND_RECEIVER_TICK}
"""What says that a window has ended."""

TIMED = TICKS | {MESSAGE_KIND_SLEEPER_WAKE}
"""What an actor has the timer send it."""

SETTLED = 1.0
"""Seconds after which an actor that has not ended is one that will not."""

BURST = 256
"""Messages an actor may take before the others, and the control port, get a turn."""


class ActorFailed(Exception):
    """A behaviour raised; carries the actor's name and the reason."""


class World:
    """The actors of one iteration. ``on_report`` hears what they tell the control port;
    ``delay`` is how long the timer waits, in seconds: a nap or a window."""

    def __init__(
        self,
        trace: Trace | None,
        on_report: Callable[[int, tuple[int, ...]], None],
        on_failure: Callable[[ActorFailed], None],
        delay: float = 0.0,
    ) -> None:
        self._trace = trace
        self._on_report = on_report
        self._on_failure = on_failure
        self._delay = delay
        self._mailboxes: dict[int, asyncio.Queue[Message]] = {}
        self._tasks: dict[int, asyncio.Task[None]] = {}
        self._current = names.name(names.CONTROL)
        self._ending = False
        self.ticks: list[int] = []
        """When each window ended, in nanoseconds."""

    def spawn(self, actor: Actor) -> None:
        """Bring an actor to life."""
        actor.send, actor.spawn, actor.terminate = self._send, self.spawn, self._terminate
        self._mailboxes[actor.name] = asyncio.Queue()
        live = self._live if self._trace is None else self._live_traced
        self._tasks[actor.name] = asyncio.create_task(live(actor), name=names.spell(actor.name))

    def tell(self, receiver: int, kind: int, *args: int) -> None:
        """A message from the control port."""
        self._mailboxes[receiver].put_nowait((names.name(names.CONTROL), kind, args))

    async def alive(self) -> int:
        """Live tasks, as asyncio counts them, but for the poker and the directories.

        Actors may still be taking their last messages when the last report is made; they
        get a while for it.
        """
        excepted = (names.POKER, names.DIRECTORY)
        ours = {task for name, task in self._tasks.items() if names.class_of(name) not in excepted}
        deadline = time.monotonic() + SETTLED
        while (alive := len(asyncio.all_tasks() & ours)) and time.monotonic() < deadline:
            await asyncio.sleep(0.001)
        return alive

    async def end(self) -> None:
        """End whatever still lives."""
        for task in self._tasks.values():
            task.cancel()
        await asyncio.gather(*self._tasks.values(), return_exceptions=True)
        self._tasks.clear()
        self._mailboxes.clear()

    def _send(self, receiver: int, kind: int, *args: int) -> None:
        if names.class_of(receiver) == names.CONTROL:
            self._on_report(kind, args)
        elif kind in TIMED:
            put = self._mailboxes[receiver].put_nowait
            asyncio.get_running_loop().call_later(self._delay, put, (receiver, kind, args))
        else:
            self._mailboxes[receiver].put_nowait((self._current, kind, args))

    def _terminate(self) -> None:
        self._ending = True

    async def _live(self, actor: Actor) -> None:
        mailbox = self._mailboxes[actor.name]
        burst = 0
        while True:
            sender, kind, args = await mailbox.get()
            if self._receive(actor, sender, kind, args):
                return
            burst += 1
            if burst % BURST == 0:
                await asyncio.sleep(0)

    async def _live_traced(self, actor: Actor) -> None:
        assert self._trace is not None
        mailbox = self._mailboxes[actor.name]
        while True:
            sender, kind, args = await mailbox.get()
            self._trace.received(actor.name, sender, kind, args)
            if self._receive(actor, sender, kind, args):
                return
            await asyncio.sleep(0)

    def _receive(self, actor: Actor, sender: int, kind: int, args: tuple[int, ...]) -> bool:
        self._current = actor.name
        if kind in TICKS:
            self.ticks.append(time.monotonic_ns())
        try:
            actor.handlers[kind](actor, sender, *args)
        except Exception as error:
            name = names.spell(actor.name)
            self._on_failure(ActorFailed(f"{name} failed: {type(error).__name__}: {error}"))
            return True
        ending, self._ending = self._ending, False
        if ending:
            del self._mailboxes[actor.name]
        return ending
