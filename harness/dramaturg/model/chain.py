"""Chain (spec/chain.md): each link makes the next; the last one's `finish` walks back.

All links are alive at once when the last one is made. The way back is by messages,
so no stack grows with the length.
"""

from dataclasses import dataclass

from dramaturg.model import names
from dramaturg.model.actor import Actor
from dramaturg.v1 import trace_pb2 as kind

_CONTROL = names.name(names.CONTROL)


def link_name(index: int) -> int:
    return names.name(names.LINK, index)


@dataclass(frozen=True, slots=True)
class Parameters:
    """Links in all, at least 1."""

    length: int


RANGES = {"length": (1, 2**24)}
"""What each parameter must be in, ends included (benchmarks.proto)."""


class Link(Actor):
    """One link (CHAIN-1, CHAIN-2). Link 0 is made in set-up and reports to control."""

    actor_class = names.LINK

    __slots__ = ("index", "maker")

    def __init__(self, index: int) -> None:
        super().__init__(link_name(index))
        self.index = index
        self.maker = 0

    def grow(self, sender: int, left: int) -> None:
        self.maker = sender
        if left > 0:
            following = Link(self.index + 1)
            self.spawn(following)
            self.send(following.name, kind.MESSAGE_KIND_LINK_GROW, left - 1)
        else:
            self._finish(1)

    def finish(self, sender: int, length: int) -> None:
        self._finish(length + 1)

    def _finish(self, length: int) -> None:
        if self.index == 0:
            self.send(_CONTROL, kind.MESSAGE_KIND_CONTROL_DONE, length, 0, 0)
        else:
            self.send(self.maker, kind.MESSAGE_KIND_LINK_FINISH, length)
        self.terminate()


def receipt(p: Parameters) -> dict[str, int]:
    """What every receipt must say (CHAIN-3)."""
    return {"length": p.length}


def messages(p: Parameters) -> int:
    """The message budget: `grow` and `finish` of each link but the first."""
    return 2 * p.length - 2
