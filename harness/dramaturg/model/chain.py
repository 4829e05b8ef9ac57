"""Chain (spec/chain.md): each link makes the next; the last one's `finish` walks back.

All links are alive at once when the last one is made. The way back is by messages,
so no stack grows with the length.
"""

from dataclasses import dataclass

from dramaturg.model import names
from dramaturg.model.actor import Actor
from dramaturg.model.crowd import Crowd
from dramaturg.model.fold import fold, fold_all
from dramaturg.v2 import trace_pb2 as kind

_CONTROL = names.name(names.CONTROL)


def link_name(index: int) -> int:
    return names.name(names.LINK, index)


@dataclass(frozen=True, slots=True)
class Parameters:
    """Links in all, at least 1."""

    length: int


SIZES = {"length": (1_000_000, 50_000, 1_000)}
"""Parameters at scales full, small and tiny."""

RECEIPT = "CHAIN-3"
"""The requirement on its receipt."""

GROWS = "length"
"""The parameter with which its run time grows."""

STEADY: tuple[int, ...] = ()
"""No class takes messages at one pace (MEAS-49): links are made on the way there, and not on the
way back."""


class Link(Actor):
    """One link (CHAIN-1, CHAIN-2). Link 0 is made in set-up and reports to control."""

    actor_class = names.LINK

    __slots__ = ("index", "maker")

    def __init__(self, index: int) -> None:
        super().__init__(link_name(index))
        self.index = index
        self.maker = 0

    def grow(self, sender: int, left: int, digest: int) -> None:
        self.maker = sender
        digest = fold(digest, left)
        if left > 0:
            following = Link(self.index + 1)
            self.spawn(following)
            self.send(following.name, kind.MESSAGE_KIND_LINK_GROW, left - 1, digest)
        else:
            self._finish(1, digest)

    def finish(self, sender: int, length: int, digest: int) -> None:
        self._finish(length + 1, fold(digest, length))

    def _finish(self, length: int, digest: int) -> None:
        if self.index == 0:
            self.send(_CONTROL, kind.MESSAGE_KIND_CONTROL_DONE, length, digest)
        else:
            self.send(self.maker, kind.MESSAGE_KIND_LINK_FINISH, length, digest)
        self.terminate()


LEAD = link_name(0)
"""The actor to which control speaks."""


def initial(p: Parameters) -> list[Actor]:
    """The actors that exist before the first message."""
    return [Link(0)]


def begin(p: Parameters, salt: int) -> tuple[int, tuple[int, ...]]:
    """The line with which control begins: the kind and the arguments of a message to the lead."""
    return kind.MESSAGE_KIND_LINK_GROW, (p.length - 1, salt)


def receipt(p: Parameters, salt: int) -> dict[str, int]:
    """The fields that every receipt must have (CHAIN-3)."""
    there = fold_all(salt, range(p.length - 1, -1, -1))
    return {"length": p.length, "digest": fold_all(there, range(1, p.length))}


def messages(p: Parameters) -> int:
    """The message budget: `grow` and `finish` of each link but the first."""
    return 2 * p.length - 2


def population(p: Parameters) -> list[Crowd]:
    """The members of each class, and about how many messages each of them takes."""
    return [Crowd(names.LINK, p.length, 2)]


def taken(p: Parameters, ended: bool, actor: int) -> int | None:
    """The number of messages that this actor takes in each run; None if that is no fact. ``ended``
    says whether the run was torn down."""
    match names.class_of(actor):
        case names.LINK:
            return 1 if names.index_of(actor) == p.length - 1 else 2
    return None
