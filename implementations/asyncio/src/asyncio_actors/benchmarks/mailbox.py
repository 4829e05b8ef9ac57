"""Mailboxes, which are also the addresses of actors.

Actors know each other by addresses and nothing else. The address of an actor of this process is its
mailbox; that of one on another node writes to a connection (``nodes.connections``).
"""

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Any, Generic, TypeVar

from asyncio_actors.benchmarks import names, table

A = TypeVar("A")

Arguments = tuple[Any, ...]

Message = tuple[Callable[..., None], "Address[Any]", Arguments]
"""The receiver's method, the sender, and the arguments: first those that are logged, then what else
its receiver needs."""


class Address(Generic[A]):
    """A place at which an actor of the class ``A`` can be written to."""

    __slots__ = ("name",)

    def __init__(self, name: int) -> None:
        self.name = name

    def put(self, message: Message) -> None:
        """Send it a message."""
        raise NotImplementedError(f"{names.spell(self.name)} takes no messages")

    def bear(self, maker: "Address[Any]", seed: int) -> None:
        """Have it brought to life on the node on which it lives, before all that is sent to it from
        now on."""
        raise NotImplementedError(f"{names.spell(self.name)} lives here")


class Mailbox(Address[A]):
    """The messages that wait for one actor, in the order in which they came; no bound."""

    __slots__ = ("_messages", "_taker")

    def __init__(self, name: int) -> None:
        super().__init__(name)
        self._messages: deque[Message] = deque()
        self._taker: asyncio.Future[None] | None = None

    def put(self, message: Message) -> None:
        self._messages.append(message)
        taker = self._taker
        if taker is not None:
            self._taker = None
            taker.set_result(None)

    async def take(self) -> Message:
        """The next message, as soon as there is one. Only the actor itself takes."""
        if not self._messages:
            self._taker = asyncio.get_running_loop().create_future()
            await self._taker
        return self._messages.popleft()


CONTROL = Address[Any](names.name(table.CONTROL))
"""The sender of what the harness asked for. Reports go to ``System.report``."""
