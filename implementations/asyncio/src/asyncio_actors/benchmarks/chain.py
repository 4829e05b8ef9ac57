"""Chain: each actor makes the next (spec/chain.md)."""

from dataclasses import dataclass
from typing import Any

from asyncio_actors.benchmarks import table
from asyncio_actors.benchmarks.actor import Actor
from asyncio_actors.benchmarks.benchmark import Benchmark, from_control
from asyncio_actors.benchmarks.fold import fold
from asyncio_actors.benchmarks.mailbox import CONTROL, Address, Mailbox, Message
from asyncio_actors.benchmarks.messages import message
from asyncio_actors.benchmarks.system import System


class Link(Actor):
    """Makes the next link, and reports when that one has."""

    CLASS = table.LINK

    __slots__ = ("_index", "_maker")

    def __init__(self, system: System, address: Mailbox[Any], index: int) -> None:
        super().__init__(system, address)
        self._index = index
        self._maker: Address[Link] = CONTROL

    @message(table.LINK_GROW)
    def grow(self, sender: "Address[Link]", left: int, digest: int) -> None:
        self._maker = sender
        grown = fold(digest, left)
        if left:
            following = self.system.address(Link, self._index + 1)
            self.system.spawn(following, Link, self._index + 1)
            self.send(following, Link.grow, left - 1, grown)
        else:
            self._report(1, grown)

    @message(table.LINK_FINISH)
    def finish(self, sender: "Address[Link]", length: int, digest: int) -> None:
        self._report(length + 1, fold(digest, length))

    def _report(self, length: int, digest: int) -> None:
        if self._index:
            self.send(self._maker, Link.finish, length, digest)
        else:
            self.system.control.done(length, digest)
        self.end()


@dataclass(frozen=True)
class Chain(Benchmark):
    """``length``: links in all."""

    length: int

    def populate(self, system: System) -> Address[Any]:
        link = system.address(Link)
        system.spawn(link, Link, 0)
        return link

    def start(self, salt: int) -> Message:
        return from_control(Link.grow, self.length - 1, salt)
