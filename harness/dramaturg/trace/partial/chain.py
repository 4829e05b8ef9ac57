"""Chain's outsiders: links. All that is sent there is a fact."""

from collections.abc import Iterable
from functools import cached_property
from itertools import accumulate
from typing import Any, ClassVar

import numpy as np

from dramaturg.model import chain, names
from dramaturg.model.actor import Actor
from dramaturg.model.fold import fold
from dramaturg.trace.events import Message
from dramaturg.trace.partial.basis.outsiders import Alone, Outside
from dramaturg.trace.partial.basis.reader import NEVER, Reader, once
from dramaturg.v2 import trace_pb2 as kind


class Chain(Outside):
    """A stand-in for links: each message to a link is a fact, and the one back comes after the one
    onwards."""

    CLOSED: ClassVar = (names.LINK,)

    def births(self) -> Iterable[Actor]:
        for index in self.inside.of_class(names.LINK, self.parameters.length):
            begins = index == 0 or not self.inside.whole(chain.link_name(index - 1))
            if begins and self.inside.whole(chain.link_name(index)):
                yield chain.Link(index)

    @cached_property
    def _there(self) -> "np.ndarray[tuple[int], np.dtype[np.uint32]]":
        """The digest in each link's `grow`, and the last link's own."""
        lefts = range(self.parameters.length - 1, -1, -1)
        return np.fromiter(accumulate(lefts, fold, initial=self.salt), np.uint32)

    @cached_property
    def _back(self) -> "np.ndarray[tuple[int], np.dtype[np.uint32]]":
        """The digest in the `finish` that says length 1, 2, ..."""
        lengths = range(1, self.parameters.length)
        return np.fromiter(accumulate(lengths, fold, initial=int(self._there[-1])), np.uint32)

    def enter(self, actor: Actor) -> None:
        receiver = actor.name
        index, length = names.index_of(receiver), self.parameters.length
        if index > 0 and not self.inside.whole(chain.link_name(index - 1)):
            there = length - 1 - index, int(self._there[index])
            maker = chain.link_name(index - 1)
            self.send(maker, receiver, kind.MESSAGE_KIND_LINK_GROW, *there)

    def hear(self, sender: int, receiver: int, kind_: int, args: tuple[int, ...]) -> None:
        if kind_ == kind.MESSAGE_KIND_LINK_GROW:
            back = self.comes_back(args[0] + 1)
            self.send(receiver, sender, kind.MESSAGE_KIND_LINK_FINISH, *back)

    def comes_back(self, length: int) -> tuple[int, int]:
        """The `finish` of so many links."""
        return length, int(self._back[length - 1])


class ChainSlices(Reader):
    """Slices of chain: a message back from the next link is a fact."""

    def __init__(self, parameters: Any, salt: int) -> None:
        super().__init__(parameters, salt)
        self._outside = Chain(parameters, salt, Alone(0), {})

    def read(self, receiver: int, place: int, sender: int, message: Message) -> object:
        index, number = names.index_of(receiver), message[0]
        if sender != chain.link_name(index + 1) or number != kind.MESSAGE_KIND_LINK_FINISH:
            return NEVER
        back = self._outside.comes_back(self.parameters.length - 1 - index)
        return once(sender, (number, back))
