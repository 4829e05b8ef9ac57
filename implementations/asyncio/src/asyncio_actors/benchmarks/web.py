"""Web: browsers, a dispatcher, workers that compute (spec/web.md)."""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from asyncio_actors.benchmarks import table
from asyncio_actors.benchmarks.actor import Actor, Sender
from asyncio_actors.benchmarks.benchmark import Benchmark, from_control
from asyncio_actors.benchmarks.fibonacci import fibonacci
from asyncio_actors.benchmarks.fold import add, fold
from asyncio_actors.benchmarks.mailbox import Address, Mailbox, Message
from asyncio_actors.benchmarks.messages import message
from asyncio_actors.benchmarks.names import index_of
from asyncio_actors.benchmarks.system import System


class Dispatcher(Actor):
    """The lead: gives each request to the worker that has been idle for longest."""

    CLASS = table.DISPATCHER

    __slots__ = (
        "_answers", "_browsers", "_finished", "_idle", "_sum", "_used", "_waiting", "_workers",
    )  # fmt: skip

    def __init__(
        self,
        system: System,
        address: Mailbox[Any],
        browsers: "Sequence[Address[Browser]]",
        workers: "Sequence[Address[Worker]]",
    ) -> None:
        super().__init__(system, address)
        self._browsers = browsers
        self._workers = len(workers)
        self._waiting: deque[tuple[Address[Browser], int, int]] = deque()
        self._idle = deque(workers)
        self._used: set[int] = set()
        self._finished = 0
        self._answers = 0
        self._sum = 0

    @message(table.DISPATCHER_START)
    def start(self, sender: Sender, salt: int) -> None:
        for browser in self._browsers:
            self.send(browser, Browser.go, salt)

    @message(table.DISPATCHER_REQUEST)
    def request(self, sender: "Address[Browser]", number: int, value: int) -> None:
        self._waiting.append((sender, number, value))
        self._match()

    @message(table.DISPATCHER_IDLE)
    def idle(self, sender: "Address[Worker]") -> None:
        self._idle.append(sender)
        self._match()
        self._look_whether_all_is_done()

    @message(table.DISPATCHER_FINISHED)
    def finished(self, sender: Sender, answers: int, total: int) -> None:
        self._answers += answers
        self._sum = add(self._sum, total)
        self._finished += 1
        self._look_whether_all_is_done()

    @message(table.DISPATCHER_DISCONNECT)
    def disconnect(self, sender: Sender) -> None:
        for worker in self._idle:
            self.send(worker, Worker.stop)
        self.end()

    def _match(self) -> None:
        if self._waiting and self._idle:
            (browser, number, value), worker = self._waiting.popleft(), self._idle.popleft()
            self._used.add(worker.name)
            self.send(worker, Worker.work, index_of(browser.name), number, value, browser)

    def _look_whether_all_is_done(self) -> None:
        if self._finished == len(self._browsers) and len(self._idle) == self._workers:
            self.system.control.done(self._answers, self._sum, len(self._used))


class Worker(Actor):
    """Computes, and answers the browser itself."""

    CLASS = table.WORKER

    __slots__ = ("_dispatcher", "_fib_n")

    def __init__(
        self,
        system: System,
        address: Mailbox[Any],
        dispatcher: Address[Dispatcher],
        fib_n: int,
    ) -> None:
        super().__init__(system, address)
        self._dispatcher = dispatcher
        self._fib_n = fib_n

    @message(table.WORKER_WORK)
    def work(
        self, sender: Sender, browser: int, number: int, value: int, asked_by: "Address[Browser]"
    ) -> None:
        computed = fibonacci(self._fib_n)
        self.send(asked_by, Browser.answer, number, fold(value, computed))
        self.send(self._dispatcher, Dispatcher.idle)

    @message(table.WORKER_STOP)
    def stop(self, sender: Sender) -> None:
        self.end()


class Browser(Actor):
    """Asks again as soon as it is answered."""

    CLASS = table.BROWSER

    __slots__ = ("_answers", "_digest", "_dispatcher", "_index", "_requests", "_sum")

    def __init__(
        self,
        system: System,
        address: Mailbox[Any],
        index: int,
        dispatcher: Address[Dispatcher],
        requests: int,
    ) -> None:
        super().__init__(system, address)
        self._index = index
        self._dispatcher = dispatcher
        self._requests = requests
        self._digest = 0
        self._answers = 0
        self._sum = 0

    @message(table.BROWSER_GO)
    def go(self, sender: Sender, salt: int) -> None:
        self._digest = fold(salt, self._index)
        self._ask()

    @message(table.BROWSER_ANSWER)
    def answer(self, sender: Sender, number: int, value: int) -> None:
        self._answers += 1
        self._sum = add(self._sum, value)
        if self._answers < self._requests:
            self._ask()
        else:
            self.send(self._dispatcher, Dispatcher.finished, self._answers, self._sum)
            self.end()

    def _ask(self) -> None:
        value = fold(self._digest, self._answers)
        self.send(self._dispatcher, Dispatcher.request, self._answers, value)


@dataclass(frozen=True)
class Web(Benchmark):
    """``requests`` of each browser."""

    browsers: int
    workers: int
    requests: int
    fib_n: int

    DISCONNECT = from_control(Dispatcher.disconnect)

    def populate(self, system: System) -> Address[Any]:
        dispatcher = system.address(Dispatcher)
        workers = system.addresses(Worker, self.workers)
        browsers = system.addresses(Browser, self.browsers)
        system.spawn(dispatcher, Dispatcher, browsers, workers)
        for worker in workers:
            system.spawn(worker, Worker, dispatcher, self.fib_n)
        for index, browser in enumerate(browsers):
            system.spawn(browser, Browser, index, dispatcher, self.requests)
        return dispatcher

    def start(self, salt: int) -> Message:
        return from_control(Dispatcher.start, salt)
