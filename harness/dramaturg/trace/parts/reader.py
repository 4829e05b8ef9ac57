"""What a message of a slice is held against (spec/parts.md, TRACE-13)."""

from collections.abc import Callable
from typing import Any, NamedTuple

from dramaturg.model import names
from dramaturg.model.fold import fold_all
from dramaturg.trace.events import Message


class Numbered(NamedTuple):
    """A message that is the nth of its lane, and what the nth is."""

    lane: tuple[int, ...]
    number: int
    at: Callable[[int], Message]
    length: int


NEVER = object()
"""No run has such a message."""


class Reader:
    """What the events of slices are held against, for one benchmark."""

    def __init__(self, parameters: Any, salt: int) -> None:
        self.parameters = parameters
        self.salt = salt
        self.windowed = bool(getattr(parameters, "windows", 0))

    def read(self, receiver: int, place: int, sender: int, message: Message) -> object:
        """What the event at this place of the receiver's log is: Numbered, NEVER,
        or FREE, of which nothing is known but its kind and its sender's class."""
        raise NotImplementedError

    def digest(self, actor: int, *then: int) -> int:
        """The salt, with the actor's index folded in and what follows."""
        return fold_all(self.salt, (names.index_of(actor), *then))

    def among(self, actor: int, actor_class: int, many: int) -> bool:
        """Whether it is one of so many of that class."""
        index = names.index_of(actor)
        return index < many and actor == names.name(actor_class, index)
