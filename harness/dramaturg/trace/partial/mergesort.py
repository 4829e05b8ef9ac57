"""Mergesort's outsiders: sorters. All that is sent there is a fact."""

from collections.abc import Iterable, Iterator
from typing import Any, ClassVar

from dramaturg.model import mergesort, names
from dramaturg.model.actor import Actor
from dramaturg.model.fold import checksum
from dramaturg.trace.events import Message
from dramaturg.trace.partial.basis.outsiders import Alone, Outside
from dramaturg.trace.partial.basis.reader import NEVER, Reader, once
from dramaturg.v2 import trace_pb2 as kind


class Mergesort(Outside):
    """The place of a sorter decides its part of the list, and its result, too."""

    CLOSED: ClassVar = (names.SORTER,)

    def births(self) -> Iterable[Actor]:
        for place in self._places():
            if self.inside.whole(mergesort.sorter_name(place)):
                parent = mergesort.sorter_name(place // 2)
                if place == 1 or not self.inside.whole(parent):
                    yield mergesort.Sorter(place, self.parameters)

    def _places(self) -> Iterator[int]:
        """Yield those of the places to watch that exist."""
        most = 1
        length = self.parameters.length
        while length > self.parameters.leaf:
            most, length = 2 * most + 1, (length + 1) // 2
        for place in self.inside.of_class(names.SORTER, most + 1, least=1):
            if self.share(place) is not None:
                yield place

    def share(self, place: int) -> tuple[int, int] | None:
        """The first index and the length of what this sorter gets; None if there is no such."""
        p = self.parameters
        first, length = 0, p.length
        for bit in bin(place)[3:]:
            if length <= p.leaf:
                return None
            middle = (length + 1) // 2
            first, length = (first + middle, length - middle) if bit == "1" else (first, middle)
        return first, length

    def _checksum(self, first: int, length: int, in_order: bool) -> int:
        p = self.parameters
        items = mergesort.numbers(p.length, p.seed, self.salt)
        part = items[first : first + length]
        return checksum(self.salt, sorted(part) if in_order else part)

    def enter(self, actor: Actor) -> None:
        receiver = actor.name
        place = names.index_of(receiver)
        maker = mergesort.sorter_name(place // 2)
        share = self.share(place)
        if place > 1 and share is not None and not self.inside.whole(maker):
            sort = *share, self.salt, self._checksum(*share, in_order=False)
            self.send(maker, receiver, kind.MESSAGE_KIND_SORTER_SORT, *sort)

    def hear(self, sender: int, receiver: int, kind_: int, args: tuple[int, ...]) -> None:
        if kind_ == kind.MESSAGE_KIND_SORTER_SORT:
            answer = self.comes_back(*args[:2])
            self.send(receiver, sender, kind.MESSAGE_KIND_SORTER_SORTED, *answer)

    def comes_back(self, first: int, length: int) -> tuple[int, int, int]:
        """The `sorted` of this part of the list."""
        many = mergesort.sorters(length, self.parameters.leaf)
        return length, many, self._checksum(first, length, in_order=True)


class MergesortSlices(Reader):
    """Slices of mergesort: a message back from a child is a fact."""

    def __init__(self, parameters: Any, salt: int) -> None:
        super().__init__(parameters, salt)
        self._outside = Mergesort(parameters, salt, Alone(0), {})

    def read(self, receiver: int, place: int, sender: int, message: Message) -> object:
        index, number = names.index_of(receiver), message[0]
        share = self._outside.share(names.index_of(sender))
        halves = mergesort.sorter_name(2 * index), mergesort.sorter_name(2 * index + 1)
        if share is None or sender not in halves or number != kind.MESSAGE_KIND_SORTER_SORTED:
            return NEVER
        return once(sender, (number, self._outside.comes_back(*share)))
