"""Equivalents: other schedules. Each does something that a mailbox, a scheduler or a timer is free
to do.

If something is left to chance, every world has a seed of its own, from 1 on: so one process tries
many schedules, and the same ones each time.
"""

import asyncio
import random
from collections import deque
from collections.abc import Callable
from itertools import count
from typing import Any

from reference import actors
from reference.actors import System

_SEEDS = count(1)


def _with_chance(made: Callable[[Any], None]) -> None:
    """Upon every new world, ``made(system)``, which then has a ``chance`` of its own."""
    right = System.__init__

    def init(self: Any, *args: Any, **more: Any) -> None:
        right(self, *args, **more)
        self.chance = random.Random(next(_SEEDS))
        made(self)

    System.__init__ = init  # type: ignore[method-assign]


# --- mailboxes: in which order messages of different senders are taken (ACT-5) ---


class _BySender(asyncio.Queue[Any]):
    """One queue for each sender; a subclass chooses among those that hold something."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        super().__init__()

    def _init(self, maxsize: int) -> None:
        self._queue: dict[int, deque[Any]] = {}

    def _put(self, item: Any) -> None:
        self._queue.setdefault(item[0], deque()).append(item)

    def _get(self) -> Any:
        sender = self.choose(list(self._queue))
        item = self._queue[sender].popleft()
        if not self._queue[sender]:
            del self._queue[sender]
        return item

    def choose(self, senders: list[int]) -> int:
        raise NotImplementedError


def _mailboxes(kind: type[_BySender]) -> None:
    _with_chance(lambda system: None)
    spawn = System.spawn

    def spawned(self: Any, actor: Any) -> None:
        spawn(self, actor)
        self._mailboxes[actor.name] = kind(self.chance)

    System.spawn = spawned  # type: ignore[method-assign]


def senders_in_random_order() -> None:
    """A mailbox serves any of those that sent to it. Each sender's messages stay in their order,
    and ACT-5 promises no more."""

    class Mailbox(_BySender):
        def choose(self, senders: list[int]) -> int:
            return self.chance.choice(senders)

    _mailboxes(Mailbox)


def newest_sender_first() -> None:
    """A mailbox serves whoever sent to it last and had nothing waiting: the most unfair order
    that ACT-5 allows."""

    class Mailbox(_BySender):
        def choose(self, senders: list[int]) -> int:
            return senders[-1]

    _mailboxes(Mailbox)


def one_sender_until_it_is_served() -> None:
    """A mailbox takes all there is of one sender before it turns to another, as runtimes do that
    receive in batches. Between senders nothing is promised (ACT-5). It has no windows: a sender
    that never stops would keep the timer out for ever, and every message must be taken."""

    class Mailbox(_BySender):
        def choose(self, senders: list[int]) -> int:
            return senders[0]

    _mailboxes(Mailbox)


# --- schedulers: which actor is next (ACT-1 asks for one message at a time, and no more) ---


class _Gate:
    """Lets one of those that wait for their turn go on, then the next."""

    def __init__(self, choose: Callable[[int], int]) -> None:
        self._choose = choose
        self._waiting: list[asyncio.Future[None]] = []

    async def turn(self) -> None:
        loop = asyncio.get_running_loop()
        mine = loop.create_future()
        self._waiting.append(mine)
        if len(self._waiting) == 1:
            loop.call_soon(self._go_on)
        await mine

    def _go_on(self) -> None:
        if not self._waiting:
            return
        chosen = self._waiting.pop(self._choose(len(self._waiting)))
        if not chosen.done():
            chosen.set_result(None)
        asyncio.get_running_loop().call_soon(self._go_on)


def _gated(gate: Callable[[Any], _Gate]) -> None:
    def made(system: Any) -> None:
        system.gate = gate(system)

    _with_chance(made)

    async def live(self: Any, actor: Any, entry: Any) -> None:
        mailbox = self._mailboxes[actor.name]
        while True:
            sender, kind, args = await mailbox.get()
            await self.gate.turn()
            if entry is not None:
                entry.take(sender, kind, args)
            if self._receive(actor, sender, kind, args):
                return

    System._live = live  # type: ignore[method-assign]


def last_woken_first() -> None:
    """The actor that got something to do last is the next to do it, as with a work stack.
    The runtime decides which actor is next (ACT-1, ACT-5)."""
    _gated(lambda system: _Gate(lambda waiting: waiting - 1))


def any_actor_next() -> None:
    """Any actor that has something to do is the next to do it (ACT-1, ACT-5)."""
    _gated(lambda system: _Gate(system.chance.randrange))


def _living(pause: Callable[[Any], int]) -> None:
    """After each message others get as many turns as ``pause(system)`` says."""
    _with_chance(lambda system: None)

    async def live(self: Any, actor: Any, entry: Any) -> None:
        mailbox = self._mailboxes[actor.name]
        while True:
            sender, kind, args = await mailbox.get()
            if entry is not None:
                entry.take(sender, kind, args)
            if self._receive(actor, sender, kind, args):
                return
            for _ in range(pause(self)):
                await asyncio.sleep(0)

    System._live = live  # type: ignore[method-assign]


def runs_until_its_mailbox_is_empty() -> None:
    """Whoever runs takes all its messages before anybody else gets a turn (ACT-1)."""
    right = System._receive
    taken = [0]

    def receive(self: Any, *message: Any) -> bool:
        taken[0] += 1
        return right(self, *message)

    System._receive = receive  # type: ignore[method-assign]
    # CTRL-9: who talks to itself for ever must still let the control port in.
    _living(lambda system: taken[0] % 4096 == 0)


def yields_at_random() -> None:
    """After a message an actor lets the others have none to four turns (ACT-1)."""
    _living(lambda system: system.chance.randrange(5))


# --- on the way, and at the end ---


def messages_travel_for_a_while() -> None:
    """Every message is under way for up to two milliseconds. Those between the same two actors
    keep their order, and ACT-5 says nothing of time."""
    _with_chance(lambda system: setattr(system, "under_way", {}))
    send = System._send

    def slow(self: Any, receiver: int, kind: int, *args: int) -> None:
        if receiver not in self._mailboxes or kind in actors.TIMED:
            send(self, receiver, kind, *args)
            return
        channel = self.under_way.setdefault((self._current, receiver), deque())
        channel.append((self._current, kind, args))
        loop = asyncio.get_running_loop()
        loop.call_later(self.chance.random() / 500, arrive, self, receiver, channel)

    def arrive(self: Any, receiver: int, channel: deque[Any]) -> None:
        message = channel.popleft()
        if receiver in self._mailboxes:
            self._mailboxes[receiver].put_nowait(message)

    System._send = slow  # type: ignore[method-assign]


def timer_is_late() -> None:
    """The timer is up to 20 ms late: SLEEP-2 and WIN-1 say "no sooner", not "no later"."""
    _with_chance(lambda system: None)
    send = System._send

    def late(self: Any, receiver: int, kind: int, *args: int) -> None:
        exact = self._delay
        self._delay = exact + self.chance.random() / 50
        send(self, receiver, kind, *args)
        self._delay = exact

    System._send = late  # type: ignore[method-assign]


def ends_a_little_later() -> None:
    """An actor that has ended itself is gone a while after the lead's last report, as where a
    collector or a supervisor buries it. The living are counted once they had the time to end
    (spec/actors.md)."""
    live = System._live

    async def lingering(self: Any, actor: Any, entry: Any) -> None:
        await live(self, actor, entry)
        await asyncio.sleep(0.05)

    System._live = lingering  # type: ignore[method-assign]
