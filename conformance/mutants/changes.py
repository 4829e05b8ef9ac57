"""The tools that mutants are made with: one handler of one kind of actor, or one answer,
exchanged."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

from dramaturg.model.actor import Actor
from dramaturg.model.receipt_names import Named, benchmark_of
from dramaturg.v2 import control_pb2

from reference.actors import System
from reference.control.log import Entry, Log
from reference.control.world import World

Handler = Callable[..., None]

# --- actors ---


def replaced(actor: type[Actor], number: int, wrong: Handler) -> Handler:
    """Put ``wrong`` in the place of a handler, here and where it was inherited; the right one,
    for it to fall back on."""
    right = actor.handlers[number]
    for each in (actor, *actor.__subclasses__()):
        if each.handlers[number] is right:
            each.handlers = each.handlers | {number: wrong}
    return right


def sends(actor: type[Actor], number: int, change: Callable[..., list[tuple[int, ...]]]) -> None:
    """Upon message ``number`` everything is done as it should be, but what the actor sends
    passes ``change(receiver, kind, *args)``, which gives the messages that are sent instead."""

    def wrong(self: Actor, sender: int, *args: int) -> None:
        send = self.send

        def changed(receiver: int, *message: int) -> None:
            for each in change(receiver, *message):
                send(*each)

        self.send = changed
        try:
            right(self, sender, *args)
        finally:
            self.send = send

    right = replaced(actor, number, wrong)


def slowly(kind: int, seconds: float = 0.05) -> None:
    """Messages of this kind are under way for so long. They are the only ones that go from their
    senders to their receivers, or their order would change."""
    send = System._send

    def slow(self: System, receiver: int, number: int, *args: int) -> None:
        if number != kind:
            send(self, receiver, number, *args)
            return
        message = (self._current, number, args)
        put = self._mailboxes[receiver].put_nowait
        asyncio.get_running_loop().call_later(seconds, put, message)

    System._send = slow  # type: ignore[method-assign]


def undying(right: Handler) -> Handler:
    """Do the same as ``right``, but for the actor's end."""

    def lived(self: Actor, *args: Any) -> None:
        terminate, self.terminate = self.terminate, lambda: None
        right(self, *args)
        self.terminate = terminate

    return lived


def made(actor: type[Any], change: Callable[[Any], Any]) -> None:
    """Whenever such an actor is made, ``change`` it before it is brought to life."""
    right = actor.__init__

    def init(self: Any, *args: Any) -> None:
        right(self, *args)
        change(self)

    actor.__init__ = init


# --- answers ---


def answers(owner: type[Any], method: str, change: Callable[[Any], Any]) -> None:
    """Whatever the coroutine ``owner.method`` answers passes ``change`` first."""
    right = getattr(owner, method)

    async def changed(self: Any, *args: Any) -> Any:
        answer = await right(self, *args)
        change(answer)
        return answer

    setattr(owner, method, changed)


def claims(benchmark: str, change: Callable[[Any], Any]) -> None:
    """Receipts of one benchmark pass ``change``, which has all that is its own, by names."""

    def changed(receipt: Any) -> None:
        if benchmark_of(receipt) == benchmark:
            change(Named(benchmark, receipt))

    answers(World, "teardown", changed)


def marks(change: Callable[[World, AsyncIterator[int]], AsyncIterator[int]]) -> None:
    """The marks of a run say ``change(world, what they should say)``."""
    right = World.run
    World.run = lambda self, salt: change(self, right(self, salt))  # type: ignore[method-assign]


# --- logs ---


def hands_over(change: Callable[[Log, Iterator[control_pb2.TraceResponse]], Any]) -> None:
    """Trace delivers ``change(log, what it should be)``."""
    right = Log.hand_over
    Log.hand_over = lambda self: change(self, right(self))  # type: ignore[method-assign]


def rows(change: Callable[[control_pb2.Watch], Any]) -> None:
    """Every watch passes ``change`` before anybody looks at it."""
    right = Log.__init__

    def init(self: Log, watches: Any) -> None:
        watches = [control_pb2.Watch.FromString(row.SerializeToString()) for row in watches]
        for row in watches:
            change(row)
        right(self, watches)

    Log.__init__ = init  # type: ignore[method-assign]


def entries() -> None:
    """Logs remember, in ``by_name``, the entry of every actor that is watched."""
    right = Log.entry_of

    def entry_of(self: Any, actor: int) -> Entry | None:
        entry = right(self, actor)
        if entry is not None:
            self.__dict__.setdefault("by_name", {})[actor] = entry
        return entry

    Log.entry_of = entry_of  # type: ignore[method-assign]
