"""Kinds of messages: which method of an actor takes which (trace.proto)."""

from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

from asyncio_actors.benchmarks import table
from asyncio_actors.benchmarks.mailbox import Arguments

Behaviour = TypeVar("Behaviour", bound=Callable[..., None])

Logged = Callable[[Any, Arguments], Arguments]


NUMBER, ADDRESS, CONTENT = "nac"
"""The type of an argument: an integer; an actor's address, or None; bytes, which only a last
argument has."""


class Kind(NamedTuple):
    """A kind of message: its number, how many arguments are logged, how those are made which are
    not sent (SORT-2), and what is sent, in its order."""

    number: int
    arity: int
    make: Logged | None
    sends: str

    def logged(self, actor: object, arguments: Arguments) -> Arguments:
        """The arguments in the log, when ``actor`` takes the message."""
        return self.make(actor, arguments) if self.make else arguments[: self.arity]


KIND_OF: dict[Callable[..., None], Kind] = {}
BEHAVIOUR_OF: dict[int, Callable[..., None]] = {}


def message(
    number: int, make: Logged | None = None, sends: str | None = None
) -> Callable[[Behaviour], Behaviour]:
    """Mark a method as what an actor does upon messages of the kind ``number``. ``sends`` has a
    letter for each argument; without it all are numbers, as many as are logged."""

    def register(behaviour: Behaviour) -> Behaviour:
        if number in BEHAVIOUR_OF:
            raise ValueError(f"{behaviour.__qualname__}: somebody takes messages of {number}")
        arity = table.KINDS[number][1]
        KIND_OF[behaviour] = Kind(number, arity, make, sends or NUMBER * arity)
        BEHAVIOUR_OF[number] = behaviour
        return behaviour

    return register
