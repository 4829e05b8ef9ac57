"""Mergesort: a tree of actors, lists in messages (spec/mergesort.md)."""

from dataclasses import dataclass
from heapq import merge
from typing import Any

from asyncio_actors.benchmarks import table
from asyncio_actors.benchmarks.actor import Actor
from asyncio_actors.benchmarks.benchmark import Benchmark, from_control
from asyncio_actors.benchmarks.fold import checksum, fold, stream
from asyncio_actors.benchmarks.mailbox import CONTROL, Address, Arguments, Mailbox, Message
from asyncio_actors.benchmarks.messages import message
from asyncio_actors.benchmarks.system import System

ROOT = 1


def _sort_logged(sorter: "Sorter", arguments: Arguments) -> Arguments:
    first, length, salt, integers = arguments
    return first, length, salt, checksum(salt, integers)


def _sorted_logged(sorter: "Sorter", arguments: Arguments) -> Arguments:
    length, sorters, integers = arguments
    return length, sorters, checksum(sorter.salt, integers)


class Sorter(Actor):
    """Sorts a short list; splits a long one between two others, and merges what they sorted."""

    CLASS = table.SORTER

    __slots__ = ("_half", "_maker", "_parameters", "_place", "_sorters", "salt")

    def __init__(
        self, system: System, address: Mailbox[Any], place: int, parameters: "Mergesort"
    ) -> None:
        super().__init__(system, address)
        self._place = place
        self._parameters = parameters
        self._maker: Address[Sorter] = CONTROL
        self._half: list[int] | None = None
        self._sorters = 1
        self.salt = 0

    @message(table.SORTER_SORT, _sort_logged)
    def sort(
        self, sender: "Address[Sorter]", first: int, length: int, salt: int, integers: list[int]
    ) -> None:
        self._maker = sender
        self.salt = salt
        if self._place == ROOT:
            integers = numbers(length, self._parameters.seed, salt)
        if length <= self._parameters.leaf:
            self._report(sorted(integers))
            return
        middle = (length + 1) // 2
        self._split(2 * self._place, first, integers[:middle])
        self._split(2 * self._place + 1, first + middle, integers[middle:])

    @message(table.SORTER_SORTED, _sorted_logged)
    def sorted(
        self, sender: "Address[Sorter]", length: int, sorters: int, integers: list[int]
    ) -> None:
        self._sorters += sorters
        if self._half is None:
            self._half = integers
        else:
            self._report(list(merge(self._half, integers)))

    def _split(self, place: int, first: int, half: list[int]) -> None:
        sorter = self.system.address(Sorter, place)
        self.system.spawn(sorter, Sorter, place, self._parameters)
        self.send(sorter, Sorter.sort, first, len(half), self.salt, half)

    def _report(self, integers: list[int]) -> None:
        if self._place == ROOT:
            self.system.stopwatch.stop()
            digest = checksum(self.salt, integers)
            self.system.control.done(len(integers), self._sorters, digest)
        else:
            self.send(self._maker, Sorter.sorted, len(integers), self._sorters, integers)
        self.end()


def numbers(length: int, seed: int, salt: int) -> list[int]:
    """The input (SORT-1)."""
    return [drawn >> 16 for drawn in stream(fold(salt, seed), length)]


@dataclass(frozen=True)
class Mergesort(Benchmark):
    """A list of at most ``leaf`` integers is not split."""

    length: int
    leaf: int
    seed: int

    def populate(self, system: System) -> Address[Any]:
        root = system.address(Sorter, ROOT)
        system.spawn(root, Sorter, ROOT, self)
        return root

    def start(self, salt: int) -> Message:
        return from_control(Sorter.sort, 0, self.length, salt, [])
