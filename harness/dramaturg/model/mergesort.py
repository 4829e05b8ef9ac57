"""Mergesort (spec/mergesort.md): a tree of actors that split a list and merge it back.

The root makes the list when the run begins, since it depends on the salt. It travels in the
messages of an implementation; a log has its length and checksum. The model knows the input, so
it needs no more.
"""

from dataclasses import dataclass
from functools import cache, lru_cache

from dramaturg.model import names
from dramaturg.model.actor import Actor
from dramaturg.model.crowd import Crowd
from dramaturg.model.fold import checksum, fold, stream
from dramaturg.v2 import trace_pb2 as kind

_CONTROL = names.name(names.CONTROL)
ROOT = names.name(names.SORTER, 1)


def sorter_name(place: int) -> int:
    return names.name(names.SORTER, place)


@dataclass(frozen=True, slots=True)
class Parameters:
    """Integers to sort, the length that is not split any more, and the seed they are made from."""

    length: int
    leaf: int
    seed: int


SIZES = {"length": (1 << 20, 1 << 14, 1 << 9), "leaf": (1, 1, 1), "seed": (42, 42, 42)}
"""Parameters at scales full, small and tiny."""

RECEIPT = "SORT-4"
"""The requirement on its receipt."""

GROWS = "length"
"""The parameter with which its run time grows."""

STEADY: tuple[int, ...] = ()
"""No class takes messages at one pace (MEAS-49): lists are long at both ends of a run, and short in
between."""


@lru_cache(maxsize=4)
def numbers(length: int, seed: int, salt: int) -> tuple[int, ...]:
    """The input: the upper halves of a stream from salt and seed (SORT-1)."""
    return tuple(number >> 16 for number in stream(fold(salt, seed), length))


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
        self.items = sorted(numbers(p.length, p.seed, salt)[first : first + length])
        if length <= p.leaf:
            self._answer()
            return
        middle = (length + 1) // 2
        self._split(2 * self.place, first, middle)
        self._split(2 * self.place + 1, first + middle, length - middle)

    def _split(self, place: int, first: int, length: int) -> None:
        half = Sorter(place, self.parameters)
        self.spawn(half)
        p = self.parameters
        items = numbers(p.length, p.seed, self.salt)[first : first + length]
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


LEAD = ROOT
"""The actor to which control speaks."""


def initial(p: Parameters) -> list[Actor]:
    """The actors that exist before the first message."""
    return [Sorter(1, p)]


def begin(p: Parameters, salt: int) -> tuple[int, tuple[int, ...]]:
    """The line with which control begins: the kind and the arguments of a message to the lead."""
    # No list comes with it, and the checksum of none is the salt.
    return kind.MESSAGE_KIND_SORTER_SORT, (0, p.length, salt, checksum(salt, ()))


def receipt(p: Parameters, salt: int) -> dict[str, int]:
    """The fields that every receipt must have (SORT-4)."""
    found = checksum(salt, sorted(numbers(p.length, p.seed, salt)))
    return {"length": p.length, "sorters": _sorters(p.length, p.leaf), "checksum": found}


def messages(p: Parameters) -> int:
    """The message budget: `sort` and `sorted` of each sorter but the root."""
    return 2 * _sorters(p.length, p.leaf) - 2


def population(p: Parameters) -> list[Crowd]:
    """The members of each class, and about how many messages each of them takes."""
    return [Crowd(names.SORTER, 2 * p.length, 3, first=1)]


def taken(p: Parameters, ended: bool, actor: int) -> int | None:
    """The number of messages that this actor takes in each run; None if that is no fact. ``ended``
    says whether the run was torn down."""
    match names.class_of(actor):
        case names.SORTER:
            return 1 if _length(names.index_of(actor), p.length) <= p.leaf else 3
    return None


def _length(place: int, length: int) -> int:
    """The length of the list that the sorter at this place gets."""
    for bit in f"{place:b}"[1:]:
        half = (length + 1) // 2
        length = half if bit == "0" else length - half
    return length
