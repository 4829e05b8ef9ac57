"""Kinds of messages: which method of an actor takes which (trace.proto)."""

from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

from asyncio_actors.benchmarks import table
from asyncio_actors.benchmarks.mailbox import Arguments

Behaviour = TypeVar("Behaviour", bound=Callable[..., None])

Logged = Callable[[Any, Arguments], Arguments]


class Kind(NamedTuple):
    """A kind of message: its number, how many arguments are logged, and how those are made
    which are not sent (SORT-2)."""

    number: int
    arity: int
    make: Logged | None

    def logged(self, actor: object, arguments: Arguments) -> Arguments:
        """The arguments in the log, when ``actor`` takes the message."""
        return self.make(actor, arguments) if self.make else arguments[: self.arity]


KIND_OF: dict[Callable[..., None], Kind] = {}
BEHAVIOUR_OF: dict[int, Callable[..., None]] = {}


def message(number: int, make: Logged | None = None) -> Callable[[Behaviour], Behaviour]:
    """Mark a method as what an actor does upon messages of the kind ``number``."""

    def register(behaviour: Behaviour) -> Behaviour:
        if number in BEHAVIOUR_OF:
            raise ValueError(f"{behaviour.__qualname__}: somebody takes messages of {number}")
        KIND_OF[behaviour] = Kind(number, table.KINDS[number][1], make)
        BEHAVIOUR_OF[number] = behaviour
        return behaviour

    return register
