"""Actors on asyncio: one task and one mailbox each, running a behaviour of the model."""

import asyncio
from collections.abc import Callable

from dramaturg.model import names
from dramaturg.model.actor import Actor
from dramaturg.v2.trace_pb2 import (
    MESSAGE_KIND_COORDINATOR_TICK,
    MESSAGE_KIND_PING_TICK,
    MESSAGE_KIND_RECEIVER_TICK,
    MESSAGE_KIND_SLEEPER_WAKE,
    MESSAGE_KIND_SOURCE_ARRIVE,
)

from reference.control.log import Entry, Log

Message = tuple[int, int, tuple[int, ...]]

TICKS = {MESSAGE_KIND_PING_TICK, MESSAGE_KIND_COORDINATOR_TICK, MESSAGE_KIND_RECEIVER_TICK}
"""The messages that end a window."""

TIMED = TICKS | {MESSAGE_KIND_SLEEPER_WAKE, MESSAGE_KIND_SOURCE_ARRIVE}
"""The messages that an actor has the timer send it."""

BURST = 256
"""Messages an actor may take before the others, and the control port, get a turn."""


class ActorFailed(Exception):
    """A behaviour raised; carries the actor's name and the reason."""


class System:
    """The actors of one world. ``on_report`` hears what they tell control, ``on_tick`` that a
    window has ended; ``delay`` is how long the timer waits, in seconds: a nap or a window.
    ``until`` says how long from now on it waits for a request that is due then."""

    def __init__(
        self,
        log: Log,
        on_report: Callable[[int, tuple[int, ...]], None],
        on_failure: Callable[[ActorFailed], None],
        on_tick: Callable[[], None],
        delay: float,
        until: Callable[[int], float],
    ) -> None:
        self._log = log
        self._on_report = on_report
        self._on_failure = on_failure
        self._on_tick = on_tick
        self._delay = delay
        self._until = until
        self._mailboxes: dict[int, asyncio.Queue[Message]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._current = names.name(names.CONTROL)
        self._ending = False

    def spawn(self, actor: Actor) -> None:
        """Bring an actor to life."""
        actor.send, actor.spawn, actor.terminate = self._send, self.spawn, self._terminate
        self._mailboxes[actor.name] = asyncio.Queue()
        # The log of it is looked up here, once.
        entry = self._log.entry_of(actor.name)
        life = asyncio.create_task(self._live(actor, entry), name=names.spell(actor.name))
        self._tasks.add(life)
        life.add_done_callback(self._tasks.discard)

    def tell(self, receiver: int, kind: int, *args: int) -> None:
        """A message from control."""
        self._mailboxes[receiver].put_nowait((names.name(names.CONTROL), kind, args))

    def alive(self) -> int:
        """Live tasks, as asyncio counts them."""
        return len(asyncio.all_tasks() & self._tasks)

    def _send(self, receiver: int, kind: int, *args: int) -> None:
        if names.class_of(receiver) == names.CONTROL:
            self._on_report(kind, args)
        elif kind in TIMED:
            put = self._mailboxes[receiver].put_nowait
            arrives = kind == MESSAGE_KIND_SOURCE_ARRIVE
            delay = self._until(args[1]) if arrives else self._delay
            if arrives and not delay:
                put((receiver, kind, args))  # It is due already (OPEN-2).
            else:
                asyncio.get_running_loop().call_later(delay, put, (receiver, kind, args))
        else:
            self._mailboxes[receiver].put_nowait((self._current, kind, args))

    def _terminate(self) -> None:
        self._ending = True

    async def _live(self, actor: Actor, entry: Entry | None) -> None:
        mailbox = self._mailboxes[actor.name]
        burst = 0
        while True:
            sender, kind, args = await mailbox.get()
            if entry is not None:
                entry.take(sender, kind, args)
            if self._receive(actor, sender, kind, args):
                return
            burst += 1
            if burst % BURST == 0:
                await asyncio.sleep(0)

    def _receive(self, actor: Actor, sender: int, kind: int, args: tuple[int, ...]) -> bool:
        """Act upon a message; return whether the actor has ended."""
        self._current = actor.name
        if kind in TICKS:
            self._on_tick()
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
