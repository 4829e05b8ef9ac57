"""Web's outsiders: dispatcher, workers and browsers.

Workers and browsers hear one word at a time and answer it by themselves, so who sees the
dispatcher sees everything. Without it, what is asked and answered is a fact; which worker
gets which request is not.
"""

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import ClassVar

from dramaturg.model import names, web
from dramaturg.model.actor import Actor
from dramaturg.model.fibonacci import fibonacci
from dramaturg.model.fold import fold, sum_of_numbered
from dramaturg.trace.events import AnyLogs, Message
from dramaturg.trace.partial.basis.outsiders import (
    FREE,
    WAIT,
    Inside,
    Open,
    Outside,
    Wrong,
)
from dramaturg.trace.partial.basis.reader import NEVER, Numbered, Reader, once
from dramaturg.v2 import trace_pb2 as kind

_DISPATCHER = names.name(names.DISPATCHER)
_GO, _ANSWER = kind.MESSAGE_KIND_BROWSER_GO, kind.MESSAGE_KIND_BROWSER_ANSWER
_WORK, _STOP = kind.MESSAGE_KIND_WORKER_WORK, kind.MESSAGE_KIND_WORKER_STOP
_REQUEST = kind.MESSAGE_KIND_DISPATCHER_REQUEST
_FINISHED = kind.MESSAGE_KIND_DISPATCHER_FINISHED


class Web(Outside):
    """The dispatcher, or those whom it serves."""

    CLOSED: ClassVar = ()
    OPEN: ClassVar = (
        Open(names.BROWSER, names.WORKER, "which worker answers a request"),
        Open(names.WORKER, names.DISPATCHER, "which requests it gets, how many and in which order"),
    )

    def __init__(
        self, parameters: web.Parameters, salt: int, inside: Inside, logs: AnyLogs
    ) -> None:
        super().__init__(parameters, salt, inside, logs)
        self._led = inside.whole(_DISPATCHER)
        self._asked: dict[int, int] = {}
        """Requests of each watched browser so far."""
        self._answered: dict[int, int] = {}
        """For each browser that is an outsider, the answers of watched workers."""
        self._browsing: set[int] = set()
        """Watched browsers that have not finished."""
        self._stopping = False

    def births(self) -> Iterable[Actor]:
        p = self.parameters
        if self._led:
            yield web.Dispatcher(p)
            for index in range(p.workers):
                if not self.inside.whole(web.worker_name(index)):
                    self.stand_in(web.Worker(index, p))
            for index in range(p.browsers):
                if not self.inside.whole(web.browser_name(index)):
                    self.stand_in(web.Browser(index, p))
        for index in self.inside.of_class(names.WORKER, p.workers):
            if self.inside.whole(web.worker_name(index)):
                yield web.Worker(index, p)
        for index in self.inside.of_class(names.BROWSER, p.browsers):
            if self.inside.whole(web.browser_name(index)):
                self._browsing.add(web.browser_name(index))
                yield web.Browser(index, p)

    def enter(self, actor: Actor) -> None:
        receiver = actor.name
        if self._led or receiver == _DISPATCHER:
            return
        if names.class_of(receiver) == names.BROWSER:
            self.send(_DISPATCHER, receiver, _GO, self.salt)

    def hear(self, sender: int, receiver: int, kind_: int, args: tuple[int, ...]) -> None:
        if self._led:
            self.tell(sender, receiver, kind_, args)
        elif kind_ == _REQUEST:
            self._asked[sender] = args[0] + 1
            for worker in self._served_by.get(sender, {}).values():
                self.wake(worker)
        elif kind_ == _FINISHED:
            self._browsing.discard(sender)
        elif kind_ == _ANSWER:
            self._count_answer(receiver)

    @cached_property
    def _served_by(self) -> dict[int, dict[int, int]]:
        """For each browser, by the number of its request, the watched worker that has it."""
        found: dict[int, dict[int, int]] = {}
        for actor, log in self.logs.items():
            if names.class_of(actor) != names.WORKER or not self.inside.whole(actor):
                continue
            for _, (number, args) in log:
                if number == _WORK:
                    found.setdefault(web.browser_name(args[0]), {}).setdefault(args[1], actor)
        return {browser: dict(sorted(served.items())) for browser, served in found.items()}

    def _value(self, browser: int, number: int) -> int:
        return fold(fold(self.salt, names.index_of(browser)), number)

    def judge(self, receiver: int, sender: int, message: Message) -> object | None:
        if self._led:
            return WAIT
        if names.class_of(receiver) == names.BROWSER:
            return self._answer(receiver, sender, message)
        return self._work(receiver, sender, message)

    def _answer(self, browser: int, worker: int, message: Message) -> object | None:
        # It asks again only when it has its answer.
        number = self._asked.get(browser, 0) - 1
        inside = (0 <= names.index_of(worker) < self.parameters.workers) and (
            worker == web.worker_name(names.index_of(worker))
        )
        if not inside or number in self._served_by.get(browser, {}):
            return Wrong(None)
        if number < 0:
            return WAIT
        value = fold(self._value(browser, number), fibonacci(self.parameters.fib_n))
        if message != (_ANSWER, (number, value)):
            return Wrong((_ANSWER, (number, value)))
        return FREE

    def _count_answer(self, browser: int) -> None:
        """A watched worker has answered an outsider."""
        served = self._served_by.get(browser, {})
        self._answered[browser] = self._answered.get(browser, 0) + 1
        for worker in served.values():
            self.wake(worker)

    def _work(self, worker: int, sender: int, message: Message) -> object | None:
        p = self.parameters
        if sender != _DISPATCHER:
            return Wrong(None)
        if message[0] == _STOP:
            return None if self._stopping else WAIT
        index, number, _ = message[1]
        browser = web.browser_name(index)
        if index >= p.browsers or number >= p.requests:
            return Wrong(None)
        expected = _WORK, (index, number, self._value(browser, number))
        if message != expected:
            return Wrong(expected)
        served = self._served_by[browser]
        if served[number] != worker:
            return Wrong(None)
        if self.inside.whole(browser):
            return FREE if number < self._asked.get(browser, 0) else WAIT
        before = sum(other < number for other in served)
        if self._answered.get(browser, 0) < before:
            return WAIT
        return FREE if self._answered.get(browser, 0) == before else Wrong(None)

    def quiet(self, clear: bool) -> bool:
        if self._led or self._stopping or self._browsing or not clear or not self.ends:
            return False
        self._stopping = True
        for index in self.inside.of_class(names.WORKER, self.parameters.workers):
            self.wake(web.worker_name(index))
        return True

    def missing(self, receiver: int) -> Iterator[tuple[int, Message | None]]:
        if self._led:
            return
        if names.class_of(receiver) == names.BROWSER and receiver in self._browsing:
            number = self._asked.get(receiver, 0) - 1
            if number >= 0 and number not in self._served_by.get(receiver, {}):
                value = fold(self._value(receiver, number), fibonacci(self.parameters.fib_n))
                yield names.NOBODY, (_ANSWER, (number, value))

    def overdue(self, receiver: int) -> Iterator[tuple[int, Message]]:
        if self._led or names.class_of(receiver) != names.WORKER:
            return
        if self.ends and not any(number == _STOP for _, (number, _) in self.logs.get(receiver, [])):
            yield _DISPATCHER, (_STOP, ())


class WebSlices(Reader):
    """Slices of web: requests and answers are numbered by browser; the worker that has one is
    open."""

    def read(self, receiver: int, place: int, sender: int, message: Message) -> object:
        p, number, args = self.parameters, *message
        match number:
            case kind.MESSAGE_KIND_DISPATCHER_IDLE:
                return FREE
            case kind.MESSAGE_KIND_DISPATCHER_REQUEST:
                digest = self.digest(sender)
                return Numbered(
                    (sender,), args[0], lambda n: (number, (n, fold(digest, n))), p.requests
                )
            case kind.MESSAGE_KIND_DISPATCHER_FINISHED:
                fib, digest = fibonacci(p.fib_n), self.digest(sender)
                sums = p.requests, sum_of_numbered(digest, p.requests, fib)
                return once(sender, (number, sums))
            case kind.MESSAGE_KIND_WORKER_WORK:
                if args[0] >= p.browsers or args[1] >= p.requests:
                    return NEVER
                value = self.digest(names.name(names.BROWSER, args[0]), args[1])
                fixed = number, (args[0], args[1], value)
                return Numbered((number, *args[:2]), 0, lambda n: fixed, 1)
            case kind.MESSAGE_KIND_BROWSER_ANSWER:
                fib, digest = fibonacci(p.fib_n), self.digest(receiver)
                return Numbered(
                    (number,), place - 1,
                    lambda n: (number, (n, fold(fold(digest, n), fib))), p.requests,
                )  # fmt: skip
            case kind.MESSAGE_KIND_WORKER_STOP:
                return once(sender, message)
        return NEVER
