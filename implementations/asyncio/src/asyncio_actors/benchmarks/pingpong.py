"""Ping-pong: two actors, one message under way (spec/pingpong.md)."""

from dataclasses import dataclass
from typing import Any

from asyncio_actors.benchmarks import table
from asyncio_actors.benchmarks.actor import Actor, Sender
from asyncio_actors.benchmarks.benchmark import from_control
from asyncio_actors.benchmarks.fold import add, fold
from asyncio_actors.benchmarks.mailbox import Address, Mailbox, Message
from asyncio_actors.benchmarks.messages import message
from asyncio_actors.benchmarks.system import System
from asyncio_actors.benchmarks.windows import Windowed, Windows


class Ping(Actor):
    """The lead: asks, and adds up what comes back."""

    CLASS = table.PING

    __slots__ = ("_before", "_ending", "_pong", "_pongs", "_salt", "_shift", "_sum", "_windows")

    def __init__(
        self, system: System, address: Mailbox[Any], pong: "Address[Pong]", parameters: "PingPong"
    ) -> None:
        super().__init__(system, address)
        self._pong = pong
        self._salt = 0
        self._shift = parameters.shift
        self._pongs = 0
        self._sum = 0
        self._windows = Windows(self, Ping.tick, parameters)
        self._before = 0
        self._ending = False

    @message(table.PING_START)
    def start(self, sender: Sender, rounds: int, salt: int) -> None:
        self._windows.begin()
        self._salt = salt
        self._ask(1 if self._windows.number else rounds - 1)

    @message(table.PING_PONG)
    def pong(self, sender: Sender, left: int, value: int) -> None:
        self._pongs += 1
        self._sum = add(self._sum, value >> self._shift)
        if not left:
            self.system.control.done(self._pongs, self._sum)
            self.end()
        elif self._windows.number:
            self._ask(0 if self._ending else 1)
        else:
            self._ask(left - 1)

    @message(table.PING_TICK)
    def tick(self, sender: Sender, number: int) -> None:
        self._ending = self._windows.ended(number)
        self.system.control.window(number, self._pongs - self._before)
        self._before = self._pongs

    def _ask(self, left: int) -> None:
        value = wide(fold(self._salt, self._pongs), self._shift)
        self.send(self._pong, Pong.ping, left, value)


class Pong(Actor):
    """Answers, and folds in how many it has answered."""

    CLASS = table.PONG

    __slots__ = ("_pings", "_shift")

    def __init__(self, system: System, address: Mailbox[Any], parameters: "PingPong") -> None:
        super().__init__(system, address)
        self._shift = parameters.shift
        self._pings = 0

    @message(table.PONG_PING)
    def ping(self, sender: Address[Ping], left: int, value: int) -> None:
        answer = wide(fold(value >> self._shift, self._pings), self._shift)
        self.send(sender, Ping.pong, left, answer)
        self._pings += 1
        if not left:
            self.end()


def wide(value: int, shift: int) -> int:
    """A value as it is sent: shifted, and its lowest bits once more behind it (PING-7)."""
    return value << shift | value & ((1 << shift) - 1)


@dataclass(frozen=True)
class PingPong(Windowed):
    """``rounds`` is 0 in the windowed form; values are sent ``shift`` bits to the left."""

    rounds: int
    shift: int

    def populate(self, system: System) -> Address[Any]:
        ping, pong = system.address(Ping), system.address(Pong)
        system.spawn(pong, Pong, self)
        system.spawn(ping, Ping, pong, self)
        return ping

    def start(self, salt: int) -> Message:
        return from_control(Ping.start, self.rounds, salt)
