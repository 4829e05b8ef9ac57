"""Fanout: one master, many runners (spec/fanout.md)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from asyncio_actors.benchmarks import table
from asyncio_actors.benchmarks.actor import Actor, Sender
from asyncio_actors.benchmarks.benchmark import Benchmark, from_control
from asyncio_actors.benchmarks.fold import add, fold
from asyncio_actors.benchmarks.mailbox import Address, Mailbox, Message
from asyncio_actors.benchmarks.messages import message
from asyncio_actors.benchmarks.names import index_of
from asyncio_actors.benchmarks.system import System


class Master(Actor):
    """The lead: keeps every runner busy."""

    CLASS = table.MASTER

    __slots__ = ("_completed", "_given", "_parameters", "_runners", "_salt", "_sum")

    def __init__(
        self,
        system: System,
        address: Mailbox[Any],
        runners: "Sequence[Address[Runner]]",
        parameters: "Fanout",
    ) -> None:
        super().__init__(system, address)
        self._runners = runners
        self._parameters = parameters
        # The number of tasks of each runner.
        self._given = [0] * len(runners)
        self._salt = 0
        self._completed = 0
        self._sum = 0

    @message(table.MASTER_START)
    def start(self, sender: Sender, salt: int) -> None:
        self._salt = salt
        tasks, window = self._parameters.tasks, self._parameters.window
        for _ in range(min(window, tasks) if window else tasks):
            for runner in range(len(self._runners)):
                self._give(runner)

    @message(table.MASTER_COMPLETED)
    def completed(self, sender: "Address[Runner]", number: int, value: int) -> None:
        self._completed += 1
        self._sum = add(self._sum, value)
        runner = index_of(sender.name)
        if self._given[runner] < self._parameters.tasks:
            self._give(runner)
        if self._completed == len(self._runners) * self._parameters.tasks:
            self.system.control.done(self._completed, self._sum)
            self.end()

    def _give(self, runner: int) -> None:
        number = self._given[runner]
        self._given[runner] += 1
        value = fold(fold(self._salt, runner), number)
        self.send(self._runners[runner], Runner.task, number, value)


class Runner(Actor):
    """Completes a task as soon as it has it."""

    CLASS = table.RUNNER

    __slots__ = ("_master", "_taken", "_tasks")

    def __init__(
        self, system: System, address: Mailbox[Any], master: Address[Master], tasks: int
    ) -> None:
        super().__init__(system, address)
        self._master = master
        self._tasks = tasks
        self._taken = 0

    @message(table.RUNNER_TASK)
    def task(self, sender: Sender, number: int, value: int) -> None:
        self.send(self._master, Master.completed, number, fold(value, self._taken))
        self._taken += 1
        if self._taken == self._tasks:
            self.end()


@dataclass(frozen=True)
class Fanout(Benchmark):
    """``tasks`` for each runner, of which it has ``window`` at a time; 0: all at once."""

    runners: int
    tasks: int
    window: int

    def populate(self, system: System) -> Address[Any]:
        master, runners = system.address(Master), system.addresses(Runner, self.runners)
        system.spawn(master, Master, runners, self)
        for runner in runners:
            system.spawn(runner, Runner, master, self.tasks)
        return master

    def start(self, salt: int) -> Message:
        return from_control(Master.start, salt)
