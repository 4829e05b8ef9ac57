"""Control's knowledge of a benchmark: the actors at first, the messages to the lead, and the fields
of the receipt."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Concatenate, ParamSpec, Protocol, TypeVar

from asyncio_actors.benchmarks.mailbox import CONTROL, Address, Mailbox, Message
from asyncio_actors.benchmarks.system import System

P = ParamSpec("P")
R = TypeVar("R")


class Said(Protocol):
    """The lead's reports so far."""

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
    """The message to the lead in Prepare; it reports on that."""

    DISCONNECT: ClassVar[Message | None] = None
    """The message to the lead in Teardown."""

    FINISHES = False
    """True if it reports on that."""

    @abstractmethod
    def populate(self, system: System) -> Address[Any]:
        """Bring to life who is there at first; the address of the lead."""

    def born(self, system: System, address: Mailbox[Any], maker: Address[Any], seed: int) -> None:
        """Bring an actor to life that ``maker``, who may live on another node, has made."""
        raise NotImplementedError(f"{type(self).__name__} has nobody who is made by another")

    @abstractmethod
    def start(self, salt: int) -> Message:
        """Return the message to the lead in Run."""

    def act(self, client: int, choice: int, index: int, k: int) -> Message:
        """Return the message to the lead in Act, if one client is driven; it reports on that."""
        raise NotImplementedError(f"{type(self).__name__} has no acts")

    def turn(self) -> Message:
        """Return the message to the lead in Turn, if all clients are driven; it reports on that."""
        raise NotImplementedError(f"{type(self).__name__} has no turns")

    @property
    def reports(self) -> int:
        """Return the number of reports that complete a run."""
        return 1

    @property
    def marked(self) -> int:
        """Return the number of these that are turns or windows, which have marks (CTRL-6)."""
        return 0

    def receipt(self, said: Said) -> Mapping[str, int] | None:
        """The counts in a receipt of its own; None where that is what the lead has reported."""
        return None
