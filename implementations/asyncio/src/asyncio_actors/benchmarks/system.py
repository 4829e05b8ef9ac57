"""The actors of one world, as the runtime has them: tasks."""

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, Protocol, TypeVar

from asyncio_actors.benchmarks.mailbox import Address, Mailbox
from asyncio_actors.benchmarks.names import name, spell

if TYPE_CHECKING:
    from asyncio_actors.benchmarks.actor import Actor
    from asyncio_actors.benchmarks.benchmark import Benchmark
    from asyncio_actors.control.log import Log
    from asyncio_actors.control.stopwatch import Stopwatch
    from asyncio_actors.nodes.connections import Nodes

A = TypeVar("A", bound="Actor")
P = ParamSpec("P")


class Control(Protocol):
    """The reports of actors to control (ACT-7)."""

    def ready(self) -> None:
        """The poker: the world is set up and quiet."""

    def confirmed_turn(self, value: int, stops: int, announced: int, consumed: int) -> None:
        """The poker: a turn is complete."""

    def window(self, number: int, count: int) -> None:
        """A lead: so much fell into this window."""

    def done(self, *counts: int) -> None:
        """A lead: everything is done. The poker says `finished`."""

    def fail(self, reason: str, error: Exception) -> None:
        """An actor has failed, upon this error."""


class System:
    """Brings actors to life, and knows which have not ended."""

    def __init__(
        self,
        log: "Log",
        stopwatch: "Stopwatch",
        control: Control,
        nodes: "Nodes | None" = None,
        benchmark: "Benchmark | None" = None,
    ) -> None:
        self.log = log
        self.stopwatch = stopwatch
        self.control = control
        self._nodes = nodes
        self._benchmark = benchmark
        self._tasks: set[asyncio.Task[None]] = set()

    def address(self, actor: type[A], first: int = 0, second: int = 0) -> Address[A]:
        """A new actor's mailbox, or the address of one that lives on another node."""
        number = name(actor.CLASS, first, second)
        remote = self._nodes.address(number) if self._nodes else None
        return remote or Mailbox[A](number)

    def addresses(self, actor: type[A], count: int) -> tuple[Address[A], ...]:
        """Return the addresses of ``count`` actors of a class, by their indices."""
        return tuple(self.address(actor, first) for first in range(count))

    def spawn(
        self,
        address: Address[A],
        actor: Callable[Concatenate["System", Mailbox[Any], P], A],
        *arguments: P.args,
        **named: P.kwargs,
    ) -> None:
        """Bring to life who lives at this address, if that is on this node."""
        if not isinstance(address, Mailbox):
            return
        if self._nodes:
            self._nodes.lives_here(address)
        try:
            born = actor(self, address, *arguments, **named)
        except Exception as error:
            self.fail(address.name, error)
            return
        task = asyncio.get_running_loop().create_task(born.live())
        # The loop refers to its tasks weakly: an actor that all have forgotten has not ended.
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def bear(self, address: Address[Any], maker: Address[Any], seed: int) -> None:
        """Bring to life an actor that another one makes, wherever it lives: its seed and its
        maker's address travel with it."""
        if not isinstance(address, Mailbox):
            address.bear(maker, seed)
        elif self._benchmark:
            self._benchmark.born(self, address, maker, seed)

    def born(self, actor: int, maker: Address[Any], seed: int) -> None:
        """Bring to life here whom an actor of another node has made."""
        self.bear(Mailbox[Any](actor), maker, seed)

    def fail(self, actor: int, error: Exception) -> None:
        """Say which actor has failed, and of what (CTRL-10)."""
        self.control.fail(f"{spell(actor)} failed: {type(error).__name__}: {error}", error)

    def alive(self) -> set[asyncio.Task[None]]:
        """Return this world's tasks that have not ended, by the event loop."""
        return self._tasks & asyncio.all_tasks()
