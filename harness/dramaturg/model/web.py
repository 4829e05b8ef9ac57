"""Web (spec/web.md): browsers ask a dispatcher, which gives work to idle workers only.

Both queues of the dispatcher are first in, first out: the worker that has been idle
longest gets the request that has waited longest. So every worker takes part as soon
as there are as many requests as workers.
"""

from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from dramaturg.model import names
from dramaturg.model.actor import Actor
from dramaturg.model.crowd import Crowd
from dramaturg.model.distribution import Between, Homes, Least, dealt_to_the_rest, living
from dramaturg.model.fibonacci import fibonacci
from dramaturg.model.fold import add, fold, fold_each, sum_of_numbered, words
from dramaturg.v2 import trace_pb2 as kind

_CONTROL = names.name(names.CONTROL)
_DISPATCHER = names.name(names.DISPATCHER)


def worker_name(index: int) -> int:
    return names.name(names.WORKER, index)


def browser_name(index: int) -> int:
    return names.name(names.BROWSER, index)


@dataclass(frozen=True, slots=True)
class Parameters:
    """Browsers, workers, requests of each browser, and the Fibonacci number each asks for."""

    browsers: int
    workers: int
    requests: int
    fib_n: int


SIZES = {
    "browsers": (512, 64, 8),
    "workers": (32, 8, 4),
    "requests": (500, 50, 5),
    "fib_n": (20, 15, 10),
}
"""Parameters at scales full, small and tiny."""

RECEIPT = "WEB-4"
"""The requirement on its receipt."""

GROWS = "requests"
"""The parameter with which its run time grows."""

ENDLESS = {"browsers": 1, "workers": 1, "requests": 2**32 - 1}
"""A run whose end nobody waits for, whose lead soon takes some messages, and whose mailboxes do not
grow."""

LONG = {"browsers": 1, "workers": 1, "requests": 20_000}
"""A run that ends soon, and whose log is many times what a pipe holds."""

AT_ONCE = ("browsers", "workers")
"""The parameters that bound how many computes are under way at the same time, however many cores
there are (MEAS-13): a worker does one after the other, and a browser waits for its
answer."""

COMPUTING = {names.BROWSER: 1, names.WORKER: 1}
"""Classes of which all messages of a run but so many, at most, are computes that have been done
(MEAS-28): `go`, and the one that was taken last."""

STEADY = (names.DISPATCHER, names.BROWSER, names.WORKER)
"""Classes that, all members together, take messages from the beginning of a run to its end: each
message waits for one before (MEAS-49)."""


class Dispatcher(Actor):
    """Keeps the order of waiting requests and of idle workers (WEB-1)."""

    actor_class = names.DISPATCHER

    __slots__ = (
        "parameters", "idle_workers", "waiting", "browsing", "answers", "sum", "used",
    )  # fmt: skip

    def __init__(self, parameters: Parameters) -> None:
        super().__init__(_DISPATCHER)
        self.parameters = parameters
        self.idle_workers = deque(worker_name(index) for index in range(parameters.workers))
        self.waiting: deque[tuple[int, int, int]] = deque()
        self.browsing = parameters.browsers
        self.answers = 0
        self.sum = 0
        self.used: set[int] = set()

    def start(self, sender: int, salt: int) -> None:
        for index in range(self.parameters.browsers):
            self.send(browser_name(index), kind.MESSAGE_KIND_BROWSER_GO, salt)

    def request(self, sender: int, number: int, value: int) -> None:
        self.waiting.append((names.index_of(sender), number, value))
        self._assign()

    def idle(self, sender: int) -> None:
        self.idle_workers.append(sender)
        self._assign()
        self._report_when_done()

    def finished(self, sender: int, answers: int, sum: int) -> None:
        self.answers += answers
        self.sum = add(self.sum, sum)
        self.browsing -= 1
        self._report_when_done()

    def disconnect(self, sender: int) -> None:
        for worker in self.idle_workers:
            self.send(worker, kind.MESSAGE_KIND_WORKER_STOP)
        self.terminate()

    def _assign(self) -> None:
        if self.waiting and self.idle_workers:
            browser, number, value = self.waiting.popleft()
            worker = self.idle_workers.popleft()
            self.used.add(worker)
            self.send(worker, kind.MESSAGE_KIND_WORKER_WORK, browser, number, value)

    def _report_when_done(self) -> None:
        if self.browsing == 0 and len(self.idle_workers) == self.parameters.workers:
            used = len(self.used)
            self.send(_CONTROL, kind.MESSAGE_KIND_CONTROL_DONE, self.answers, self.sum, used)


class Worker(Actor):
    """Computes, answers the browser, and is idle again (WEB-2)."""

    actor_class = names.WORKER
    work_of = staticmethod(fibonacci)
    """The function that it computes: here the value, in an implementation the work as well."""

    __slots__ = ("parameters",)

    def __init__(self, index: int, parameters: Parameters) -> None:
        super().__init__(worker_name(index))
        self.parameters = parameters

    def work(self, sender: int, browser: int, number: int, value: int) -> None:
        answer = fold(value, self.work_of(self.parameters.fib_n))
        self.send(browser_name(browser), kind.MESSAGE_KIND_BROWSER_ANSWER, number, answer)
        self.send(_DISPATCHER, kind.MESSAGE_KIND_DISPATCHER_IDLE)

    def stop(self, sender: int) -> None:
        self.terminate()


class Browser(Actor):
    """Asks, waits for the answer, asks again (WEB-3)."""

    actor_class = names.BROWSER

    __slots__ = ("index", "parameters", "salt", "answers", "sum")

    def __init__(self, index: int, parameters: Parameters) -> None:
        super().__init__(browser_name(index))
        self.index = index
        self.parameters = parameters
        self.salt = 0
        self.answers = 0
        self.sum = 0

    def go(self, sender: int, salt: int) -> None:
        self.salt = salt
        self._request()

    def answer(self, sender: int, number: int, value: int) -> None:
        self.answers += 1
        self.sum = add(self.sum, value)
        if self.answers < self.parameters.requests:
            self._request()
        else:
            self.send(_DISPATCHER, kind.MESSAGE_KIND_DISPATCHER_FINISHED, self.answers, self.sum)
            self.terminate()

    def _request(self) -> None:
        value = fold(fold(self.salt, self.index), self.answers)
        self.send(_DISPATCHER, kind.MESSAGE_KIND_DISPATCHER_REQUEST, self.answers, value)


LEAD = _DISPATCHER
"""The actor to which control speaks."""

FAREWELL = kind.MESSAGE_KIND_DISPATCHER_DISCONNECT
"""The kind of message with which control ends it."""

FAREWELLS = (FAREWELL, kind.MESSAGE_KIND_WORKER_STOP)
"""The kinds of messages that are sent upon that."""


def initial(p: Parameters) -> list[Actor]:
    """The actors that exist before the first message."""
    return [
        Dispatcher(p),
        *(Worker(index, p) for index in range(p.workers)),
        *(Browser(index, p) for index in range(p.browsers)),
    ]


def begin(p: Parameters, salt: int) -> tuple[int, tuple[int, ...]]:
    """The line with which control begins: the kind and the arguments of a message to the lead."""
    return kind.MESSAGE_KIND_DISPATCHER_START, (salt,)


def receipt(p: Parameters, salt: int) -> dict[str, int]:
    """The fields that every receipt must have (WEB-4)."""
    total = p.browsers * p.requests
    asking = fold_each(salt, words(p.browsers))
    return {
        "answers": total,
        "sum": sum_of_numbered(asking, p.requests, fibonacci(p.fib_n)),
        "workers_used": min(p.workers, total),
    }


def messages(p: Parameters) -> int:
    """The message budget: request, work, answer, idle; `go` and `finished`; `stop`."""
    return 4 * p.browsers * p.requests + 2 * p.browsers + p.workers


def population(p: Parameters) -> list[Crowd]:
    """The members of each class, and about how many messages each of them takes."""
    total = p.browsers * p.requests
    return [
        Crowd(names.BROWSER, p.browsers, p.requests + 1),
        Crowd(names.WORKER, p.workers, -(-total // p.workers) + 1, sure=1),
        Crowd(names.DISPATCHER, 1, 2 * total + p.browsers + 2),
    ]


def taken(p: Parameters, ended: bool, actor: int) -> int | None:
    """The number of messages that this actor takes in each run; None if that is no fact. ``ended``
    says whether the run was torn down."""
    match names.class_of(actor):
        case names.DISPATCHER:
            return 2 * p.browsers * p.requests + p.browsers + 1 + ended
        case names.BROWSER:
            return p.requests + 1
    return None


HOMES: Homes = {names.BROWSER: dealt_to_the_rest}
"""The actors that do not all live on node 0 (DIST-1)."""


def most_nodes(p: Parameters) -> int:
    """Over how many nodes at most: no node is empty."""
    return 1 + p.browsers


def between(p: Parameters, nodes: int, one: int, other: int) -> Between:
    """Between two nodes: a browser waits for one answer at a time (DIST-9)."""
    browsers = 0 if one and other else living(p.browsers, one + other - 1, nodes - 1)
    return Between(browsers, 2 * browsers * p.requests)


def crossing(p: Parameters, nodes: int, counts: Mapping[str, int]) -> Iterator[Least]:
    """The least that crosses: a browser asks when it has been answered."""
    for node in range(1, nodes):
        messages = living(p.browsers, node - 1, nodes - 1) * p.requests
        yield Least(node, 0, messages, p.requests)
        yield Least(0, node, messages, p.requests)
