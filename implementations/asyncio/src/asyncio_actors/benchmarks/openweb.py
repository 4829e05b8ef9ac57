"""Web under an open load: requests arrive when they are due (spec/openweb.md)."""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

from asyncio_actors.benchmarks import table
from asyncio_actors.benchmarks.actor import Actor, Sender
from asyncio_actors.benchmarks.benchmark import Benchmark, from_control
from asyncio_actors.benchmarks.fibonacci import fibonacci
from asyncio_actors.benchmarks.fold import add, fold
from asyncio_actors.benchmarks.lcg import Lcg
from asyncio_actors.benchmarks.mailbox import Address, Mailbox, Message
from asyncio_actors.benchmarks.messages import message
from asyncio_actors.benchmarks.system import System

STEPS = 256
"""Steps of the exponential distribution of gaps: one for each upper half of a draw."""

QUANTILES = tuple(accumulate(1_000_000 // (STEPS - step) for step in range(STEPS)))
"""Gaps as millionths of the mean gap, the shortest first (OPEN-1)."""


def arrivals(requests: int, gap: int, seed: int) -> tuple[int, ...]:
    """Return the time at which each request is due, in nanoseconds after the start of the run
    (OPEN-1)."""
    lcg = Lcg(seed)
    gaps = (QUANTILES[lcg.next_int(0) // STEPS] for _ in range(requests))
    return tuple(gap * total // 1000 for total in accumulate(gaps))


class Source(Actor):
    """The lead: sends each request when it is due, and waits for no answer."""

    CLASS = table.SOURCE

    __slots__ = ("_answers", "_balancer", "_due", "_salt", "_sum", "_used")

    def __init__(
        self,
        system: System,
        address: Mailbox[Any],
        balancer: "Address[Balancer]",
        due: Sequence[int],
    ) -> None:
        super().__init__(system, address)
        self._balancer = balancer
        self._due = due
        self._salt = 0
        self._answers = 0
        self._sum = 0
        self._used = 0

    @message(table.SOURCE_START)
    def start(self, sender: Sender, salt: int) -> None:
        self._salt = salt
        self._await(0)

    @message(table.SOURCE_ARRIVE)
    def arrive(self, sender: Sender, number: int, due: int) -> None:
        self.system.stopwatch.arrived(due)
        value = fold(fold(self._salt, number), due & 0xFFFFFFFF)
        self.send(self._balancer, Balancer.request, number, value)
        if number + 1 < len(self._due):
            self._await(number + 1)

    @message(table.SOURCE_ANSWER)
    def answer(self, sender: Sender, number: int, value: int) -> None:
        self.system.stopwatch.answered(self._due[number])
        self._answers += 1
        self._sum = add(self._sum, value)
        self._report_when_done()

    @message(table.SOURCE_DRAINED)
    def drained(self, sender: Sender, used: int) -> None:
        self._used = used
        self._report_when_done()

    @message(table.SOURCE_DISCONNECT)
    def disconnect(self, sender: Sender) -> None:
        self.send(self._balancer, Balancer.close)
        self.end()

    def _await(self, number: int) -> None:
        due = self._due[number]
        self.send_later(self.system.stopwatch.until(due), Source.arrive, number, due)

    def _report_when_done(self) -> None:
        if self._used and self._answers == len(self._due):
            self.system.control.done(self._answers, self._sum, self._used)


class Balancer(Actor):
    """Gives each request to the server that has been idle for longest."""

    CLASS = table.BALANCER

    __slots__ = ("_given", "_idle_servers", "_requests", "_servers", "_source", "_used", "_waiting")

    def __init__(
        self,
        system: System,
        address: Mailbox[Any],
        source: Address[Source],
        servers: "Sequence[Address[Server]]",
        requests: int,
    ) -> None:
        super().__init__(system, address)
        self._source = source
        self._servers = len(servers)
        self._requests = requests
        self._idle_servers = deque(servers)
        self._waiting: deque[tuple[int, int]] = deque()
        self._given = 0
        self._used: set[int] = set()

    @message(table.BALANCER_REQUEST)
    def request(self, sender: Sender, number: int, value: int) -> None:
        self._waiting.append((number, value))
        self._assign()

    @message(table.BALANCER_IDLE)
    def idle(self, sender: "Address[Server]") -> None:
        self._idle_servers.append(sender)
        self._assign()
        if self._given == self._requests and len(self._idle_servers) == self._servers:
            self.send(self._source, Source.drained, len(self._used))

    @message(table.BALANCER_CLOSE)
    def close(self, sender: Sender) -> None:
        for server in self._idle_servers:
            self.send(server, Server.stop)
        self.end()

    def _assign(self) -> None:
        if self._waiting and self._idle_servers:
            number, value = self._waiting.popleft()
            server = self._idle_servers.popleft()
            self._given += 1
            self._used.add(server.name)
            self.send(server, Server.work, number, value)


class Server(Actor):
    """Computes, and answers the source itself."""

    CLASS = table.SERVER

    __slots__ = ("_balancer", "_fib_n", "_source")

    def __init__(
        self,
        system: System,
        address: Mailbox[Any],
        source: Address[Source],
        balancer: Address[Balancer],
        fib_n: int,
    ) -> None:
        super().__init__(system, address)
        self._source = source
        self._balancer = balancer
        self._fib_n = fib_n

    @message(table.SERVER_WORK)
    def work(self, sender: Sender, number: int, value: int) -> None:
        answer = fold(value, fibonacci(self._fib_n))
        self.send(self._source, Source.answer, number, answer)
        self.send(self._balancer, Balancer.idle)

    @message(table.SERVER_STOP)
    def stop(self, sender: Sender) -> None:
        self.end()


@dataclass(frozen=True)
class OpenWeb(Benchmark):
    """``requests`` in all; ``gap`` is the mean time between two, in microseconds."""

    servers: int
    requests: int
    gap: int
    seed: int
    fib_n: int

    DISCONNECT = from_control(Source.disconnect)

    def populate(self, system: System) -> Address[Any]:
        source, balancer = system.address(Source), system.address(Balancer)
        servers = system.addresses(Server, self.servers)
        system.spawn(source, Source, balancer, arrivals(self.requests, self.gap, self.seed))
        system.spawn(balancer, Balancer, source, servers, self.requests)
        for server in servers:
            system.spawn(server, Server, source, balancer, self.fib_n)
        return source

    def start(self, salt: int) -> Message:
        return from_control(Source.start, salt)
