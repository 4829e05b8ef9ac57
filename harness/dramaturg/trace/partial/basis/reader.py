"""The facts with which a message of a slice is compared (spec/parts.md, TRACE-13)."""

from collections.abc import Callable
from typing import Any, NamedTuple

from dramaturg.model import names
from dramaturg.model.fold import MASK, fold_all
from dramaturg.trace.events import Message


class Numbered(NamedTuple):
    """A message that is the nth of its lane, and what the nth is."""

    lane: tuple[int, ...]
    number: int
    at: Callable[[int], Message]
    length: int
    decided: bool = True
    """True if all of its content is a fact. If not, ``at`` returns the other parts as they were
    said."""


def once(sender: int, message: Message, *, decided: bool = True) -> Numbered:
    """A message that this sender sends to a receiver once: no other of that kind."""
    return Numbered((message[0], sender), 0, lambda n: message, 1, decided)


def sum_fits(count: int, total: int) -> bool:
    """True if so many digests can have this sum: nothing adds up to 0, and all of them fit in 32
    bits (ACT-8)."""
    return total <= MASK if count else total == 0


NEVER = object()
"""No run has such a message."""


class Reader:
    """The facts with which the events of slices are compared, for one benchmark."""

    def __init__(self, parameters: Any, salt: int) -> None:
        self.parameters = parameters
        self.salt = salt
        self.windowed = bool(getattr(parameters, "windows", 0))

    def read(self, receiver: int, place: int, sender: int, message: Message) -> object:
        """The event at this place of the receiver's log: Numbered, NEVER, or FREE, of which
        nothing else is a fact. That there is such a sender, and that its class says such things,
        is known already (:mod:`.senders`)."""
        raise NotImplementedError

    def window(self, message: Message, *lane: int) -> object:
        """A message that comes once for each window, with its number first."""
        number, (window, *rest) = message
        windows = self.parameters.windows
        return Numbered(
            (number, *lane), window, lambda n: (number, (n, *rest)), windows, decided=not rest
        )

    def digest(self, actor: int, *then: int) -> int:
        """The salt, with the actor's index folded in and what follows."""
        return fold_all(self.salt, (names.index_of(actor), *then))
