"""What control knows of a benchmark: who is there at first, what is said to the lead, and how
the receipt is filled."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Concatenate, ParamSpec, Protocol, TypeVar

from asyncio_actors.benchmarks.mailbox import CONTROL, Address, Mailbox, Message
from asyncio_actors.benchmarks.system import System

P = ParamSpec("P")
R = TypeVar("R")


class Said(Protocol):
    """What the lead has reported so far."""

    counts: tuple[int, ...]
    confirmed: int
    sums: tuple[int, int, int, int]


def from_control(
    behaviour: Callable[Concatenate[R, Address[Any], P], None],
    *arguments: P.args,
    **_: P.kwargs,
) -> Message:
    """A message that control sends to the lead."""
    return behaviour, CONTROL, arguments


class Benchmark(ABC):
    """A benchmark with its parameters, which are the fields of a dataclass."""

    PREPARE: ClassVar[Message | None] = None
    """What the lead is told in Prepare; it reports on that."""

    DISCONNECT: ClassVar[Message | None] = None
    """What the lead is told in Teardown."""

    FINISHES = False
    """Whether it reports on that."""

    @abstractmethod
    def populate(self, system: System) -> Address[Any]:
        """Bring to life who is there at first; the address of the lead."""

    def born(self, system: System, address: Mailbox[Any], maker: Address[Any], seed: int) -> None:
        """Bring an actor to life that ``maker``, who may live on another node, has made."""
        raise NotImplementedError(f"{type(self).__name__} has nobody who is made by another")

    @abstractmethod
    def start(self, salt: int) -> Message:
        """What the lead is told in Run."""

    def act(self, client: int, choice: int, index: int, k: int) -> Message:
        """What the lead is told in Act, where one client is driven; it reports on that."""
        raise NotImplementedError(f"{type(self).__name__} has no acts")

    def turn(self) -> Message:
        """What the lead is told in Turn, where all clients are driven; it reports on that."""
        raise NotImplementedError(f"{type(self).__name__} has no turns")

    @property
    def reports(self) -> int:
        """How many reports complete a run."""
        return 1

    @property
    def marked(self) -> int:
        """How many of these are turns or windows, which have marks (CTRL-6)."""
        return 0

    def receipt(self, said: Said) -> Mapping[str, int] | None:
        """The counts in a receipt of its own; None where that is what the lead has reported."""
        return None
