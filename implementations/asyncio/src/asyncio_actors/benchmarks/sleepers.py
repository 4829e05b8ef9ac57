"""Sleepers: many timers, no thread that waits (spec/sleepers.md)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from asyncio_actors.benchmarks import table
from asyncio_actors.benchmarks.actor import Actor
from asyncio_actors.benchmarks.actor import Sender as Anybody
from asyncio_actors.benchmarks.benchmark import Benchmark, from_control
from asyncio_actors.benchmarks.fold import add, fold
from asyncio_actors.benchmarks.mailbox import Address, Mailbox, Message
from asyncio_actors.benchmarks.messages import message
from asyncio_actors.benchmarks.names import index_of
from asyncio_actors.benchmarks.system import System


class Alarm(Actor):
    """The lead: sends everybody to sleep, again and again."""

    CLASS = table.ALARM

    __slots__ = ("_naps", "_parameters", "_salt", "_sleepers", "_sum")

    def __init__(
        self,
        system: System,
        address: Mailbox[Any],
        sleepers: "Sequence[Address[Sleeper]]",
        parameters: "Sleepers",
    ) -> None:
        super().__init__(system, address)
        self._sleepers = sleepers
        self._parameters = parameters
        self._salt = 0
        self._naps = 0
        self._sum = 0

    @message(table.ALARM_START)
    def start(self, sender: Anybody, salt: int) -> None:
        self._salt = salt
        for sleeper in range(len(self._sleepers)):
            self._send_to_sleep(sleeper, 0)

    @message(table.ALARM_AWAKE)
    def awake(self, sender: "Address[Sleeper]", number: int, value: int) -> None:
        self.system.stopwatch.awakes(index_of(sender.name))
        self._naps += 1
        self._sum = add(self._sum, value)
        if number + 1 < self._parameters.naps:
            self._send_to_sleep(index_of(sender.name), number + 1)
        if self._naps == len(self._sleepers) * self._parameters.naps:
            self.system.control.done(self._naps, self._sum)
            self.end()

    def _send_to_sleep(self, sleeper: int, number: int) -> None:
        value = fold(fold(self._salt, sleeper), number)
        self.system.stopwatch.sleeps(sleeper)
        self.send(self._sleepers[sleeper], Sleeper.sleep, number, value)


class Sleeper(Actor):
    """Sleeps without a thread that waits: a timer sends `wake`."""

    CLASS = table.SLEEPER

    __slots__ = ("_alarm", "_parameters", "_value")

    def __init__(
        self, system: System, address: Mailbox[Any], alarm: Address[Alarm], parameters: "Sleepers"
    ) -> None:
        super().__init__(system, address)
        self._alarm = alarm
        self._parameters = parameters
        self._value = 0

    @message(table.SLEEPER_SLEEP)
    def sleep(self, sender: Anybody, number: int, value: int) -> None:
        self._value = value
        self.send_later(self._parameters.delay / 1000, Sleeper.wake, number)

    @message(table.SLEEPER_WAKE)
    def wake(self, sender: Anybody, number: int) -> None:
        self.send(self._alarm, Alarm.awake, number, fold(self._value, self._parameters.delay))
        if number + 1 == self._parameters.naps:
            self.end()


@dataclass(frozen=True)
class Sleepers(Benchmark):
    """``naps`` of each sleeper; ``delay`` of each nap, in milliseconds."""

    sleepers: int
    naps: int
    delay: int

    def populate(self, system: System) -> Address[Any]:
        alarm, sleepers = system.address(Alarm), system.addresses(Sleeper, self.sleepers)
        system.spawn(alarm, Alarm, sleepers, self)
        for sleeper in sleepers:
            system.spawn(sleeper, Sleeper, alarm, self)
        return alarm

    def start(self, salt: int) -> Message:
        return from_control(Alarm.start, salt)
