"""The common part of all actors (spec/actors.md)."""

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar, Concatenate, ParamSpec, TypeVar

from asyncio_actors.benchmarks.mailbox import Address, Mailbox
from asyncio_actors.benchmarks.messages import KIND_OF

if TYPE_CHECKING:
    from asyncio_actors.benchmarks.system import System

P = ParamSpec("P")
R = TypeVar("R")

Sender = Address[Any]

IN_A_ROW = 64
"""Messages that an actor takes before others have their turn, so that a connection is read, and a
lost one found, while thousands wait in each mailbox."""


class Actor:
    """A mailbox, a state, and a method for each kind of message (``messages.message``)."""

    __slots__ = ("_ended", "_log", "address", "system")

    CLASS: ClassVar[int]

    def __init__(self, system: "System", address: Mailbox[Any]) -> None:
        self.system = system
        self.address = address
        self._log = system.log.born(address.name)
        self._ended = False

    async def live(self) -> None:
        """The actor's task: take a message, act upon it, until it ends itself."""
        mailbox, log = self.address, self._log
        try:
            taken = 0
            while not self._ended:
                if taken == IN_A_ROW:
                    taken = 0
                    await asyncio.sleep(0)
                taken += 1
                behaviour, sender, arguments = await mailbox.take()
                if log is not None:
                    log.take(sender.name, KIND_OF[behaviour], self, arguments)
                behaviour(self, sender, *arguments)
        except Exception as error:
            self.system.fail(mailbox.name, error)

    def end(self) -> None:
        """Take no further message once this one is done with (ACT-6)."""
        self._ended = True

    def send(
        self,
        to: Address[R],
        behaviour: Callable[Concatenate[R, Sender, P], None],
        *arguments: P.args,
        **_: P.kwargs,
    ) -> None:
        """Send a message: what its receiver is to do, with these arguments."""
        to.put((behaviour, self.address, arguments))

    def send_later(self, seconds: float, behaviour: Callable[..., None], *numbers: int) -> None:
        """Have the runtime's timer send this actor a message, no sooner than in ``seconds``."""
        note = (behaviour, self.address, numbers)
        asyncio.get_running_loop().call_later(seconds, self.address.put, note)
