"""Mergesort (spec/mergesort.md): a tree of actors that split a list and merge it back.

The list itself travels in the messages of an implementation; a log has its length
and checksum. The model knows the input (it is the LCG's), so it needs no more.
"""

from dataclasses import dataclass
from functools import cache, lru_cache

from dramaturg.model import names
from dramaturg.model.actor import Actor
from dramaturg.model.fold import checksum
from dramaturg.model.lcg import Lcg
from dramaturg.v2 import trace_pb2 as kind

_CONTROL = names.name(names.CONTROL)
ROOT = names.name(names.SORTER, 1)


def sorter_name(place: int) -> int:
    return names.name(names.SORTER, place)


@dataclass(frozen=True, slots=True)
class Parameters:
    """Integers to sort, the length that is not split any more, and the LCG's seed."""

    length: int
    leaf: int
    seed: int


@lru_cache(maxsize=4)
def numbers(length: int, seed: int) -> tuple[int, ...]:
    """The input: ``length`` raw draws (SORT-1)."""
    lcg = Lcg(seed)
    return tuple(lcg.next() for _ in range(length))


class Sorter(Actor):
    """Splits in two halves, the first the longer if they differ, or sorts (SORT-3)."""

    actor_class = names.SORTER

    __slots__ = ("place", "parameters", "maker", "salt", "items", "halves", "sorters")

    def __init__(self, place: int, parameters: Parameters) -> None:
        super().__init__(sorter_name(place))
        self.place = place
        self.parameters = parameters
        self.maker = 0
        self.salt = 0
        self.items: list[int] = []
        self.halves = 0
        self.sorters = 1

    def sort(self, sender: int, first: int, length: int, salt: int, checksum: int) -> None:
        p = self.parameters
        self.maker = sender
        self.salt = salt
        self.items = sorted(numbers(p.length, p.seed)[first : first + length])
        if length <= p.leaf:
            self._answer()
            return
        middle = (length + 1) // 2
        self._split(2 * self.place, first, middle)
        self._split(2 * self.place + 1, first + middle, length - middle)

    def _split(self, place: int, first: int, length: int) -> None:
        half = Sorter(place, self.parameters)
        self.spawn(half)
        items = numbers(self.parameters.length, self.parameters.seed)[first : first + length]
        logged = checksum(self.salt, items)
        self.send(half.name, kind.MESSAGE_KIND_SORTER_SORT, first, length, self.salt, logged)

    def sorted(self, sender: int, length: int, sorters: int, checksum: int) -> None:
        self.halves += 1
        self.sorters += sorters
        if self.halves == 2:
            self._answer()

    def _answer(self) -> None:
        answer = (len(self.items), self.sorters, checksum(self.salt, self.items))
        if self.place == 1:
            self.send(_CONTROL, kind.MESSAGE_KIND_CONTROL_DONE, *answer)
        else:
            self.send(self.maker, kind.MESSAGE_KIND_SORTER_SORTED, *answer)
        self.terminate()


def sorters(length: int, leaf: int) -> int:
    """Actors that take part."""
    if length <= leaf:
        return 1
    middle = (length + 1) // 2
    return 1 + _sorters(middle, leaf) + _sorters(length - middle, leaf)


_sorters = cache(sorters)


def receipt(p: Parameters, salt: int) -> dict[str, int]:
    """What every receipt must say (SORT-4)."""
    found = checksum(salt, sorted(numbers(p.length, p.seed)))
    return {"length": p.length, "sorters": _sorters(p.length, p.leaf), "checksum": found}


def messages(p: Parameters) -> int:
    """The message budget: `sort` and `sorted` of each sorter but the root."""
    return 2 * _sorters(p.length, p.leaf) - 2
