"""Count: many adders, one counter (spec/count.md)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from asyncio_actors.benchmarks import table
from asyncio_actors.benchmarks.actor import Actor, Sender
from asyncio_actors.benchmarks.benchmark import Benchmark, from_control
from asyncio_actors.benchmarks.fold import add, fold
from asyncio_actors.benchmarks.mailbox import Address, Mailbox, Message
from asyncio_actors.benchmarks.messages import message
from asyncio_actors.benchmarks.system import System


class Tally(Actor):
    """The lead: adds up what the adders were told."""

    CLASS = table.TALLY

    __slots__ = ("_adders", "_adds", "_counted", "_sum")

    def __init__(
        self, system: System, address: Mailbox[Any], adders: "Sequence[Address[Adder]]"
    ) -> None:
        super().__init__(system, address)
        self._adders = adders
        self._counted = 0
        self._adds = 0
        self._sum = 0

    @message(table.TALLY_START)
    def start(self, sender: Sender, salt: int) -> None:
        for adder in self._adders:
            self.send(adder, Adder.go, salt)

    @message(table.TALLY_COUNTED)
    def counted(self, sender: Sender, adds: int, total: int) -> None:
        self._adds += adds
        self._sum = add(self._sum, total)
        self._counted += 1
        if self._counted == len(self._adders):
            self.system.control.done(self._adds, self._sum)
            self.end()


class Adder(Actor):
    """Adds all it has to, asks for the total, and passes that on."""

    CLASS = table.ADDER

    __slots__ = ("_adds", "_counter", "_index", "_tally")

    def __init__(
        self,
        system: System,
        address: Mailbox[Any],
        index: int,
        tally: Address[Tally],
        counter: "Address[Counter]",
        adds: int,
    ) -> None:
        super().__init__(system, address)
        self._index = index
        self._tally = tally
        self._counter = counter
        self._adds = adds

    @message(table.ADDER_GO)
    def go(self, sender: Sender, salt: int) -> None:
        digest = fold(salt, self._index)
        for number in range(self._adds):
            self.send(self._counter, Counter.add, fold(digest, number))
        self.send(self._counter, Counter.get_and_reset)

    @message(table.ADDER_TOTAL)
    def total(self, sender: Sender, adds: int, total: int) -> None:
        self.send(self._tally, Tally.counted, adds, total)
        self.end()


class Counter(Actor):
    """Counts and adds up, and begins anew whenever somebody has asked."""

    CLASS = table.COUNTER

    __slots__ = ("_adders", "_adds", "_resets", "_sum")

    def __init__(self, system: System, address: Mailbox[Any], adders: int) -> None:
        super().__init__(system, address)
        self._adders = adders
        self._adds = 0
        self._sum = 0
        self._resets = 0

    @message(table.COUNTER_ADD)
    def add(self, sender: Sender, value: int) -> None:
        self._adds += 1
        self._sum = add(self._sum, value)

    @message(table.COUNTER_GET_AND_RESET)
    def get_and_reset(self, sender: Address[Adder]) -> None:
        self.send(sender, Adder.total, self._adds, self._sum)
        self._adds = 0
        self._sum = 0
        self._resets += 1
        if self._resets == self._adders:
            self.end()


@dataclass(frozen=True)
class Count(Benchmark):
    """``adds`` of each adder."""

    adders: int
    adds: int

    def populate(self, system: System) -> Address[Any]:
        tally, counter = system.address(Tally), system.address(Counter)
        adders = system.addresses(Adder, self.adders)
        system.spawn(tally, Tally, adders)
        for index, adder in enumerate(adders):
            system.spawn(adder, Adder, index, tally, counter, self.adds)
        system.spawn(counter, Counter, self.adders)
        return tally

    def start(self, salt: int) -> Message:
        return from_control(Tally.start, salt)
