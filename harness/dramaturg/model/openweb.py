"""Web under an open load (spec/openweb.md): requests arrive when they are due, whoever waits.

A source sends requests at times that were drawn before the run. A balancer gives each to the
server that has been idle longest, which answers the source. The model has no clock: `arrive` is
a message that the source sends to itself, as each timer's is. It has the time at which it is due,
which goes into the request's value, so that the whole schedule is in the sum of the receipt.
"""

from collections import deque
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from typing import Any

import numpy as np

from dramaturg.model import buckets, names
from dramaturg.model.actor import Actor
from dramaturg.model.crowd import Crowd
from dramaturg.model.fibonacci import fibonacci
from dramaturg.model.fold import add, fold, fold_each, words
from dramaturg.model.lcg import Lcg
from dramaturg.v2 import trace_pb2 as kind

_CONTROL = names.name(names.CONTROL)
_SOURCE = names.name(names.SOURCE)
_BALANCER = names.name(names.BALANCER)

STEPS = 256
"""Steps of the exponential distribution of gaps: one for each upper half of a draw."""

_WORD = 0xFFFFFFFF


def server_name(index: int) -> int:
    return names.name(names.SERVER, index)


@dataclass(frozen=True, slots=True)
class Parameters:
    """Servers, requests in all, the mean gap between two in microseconds, the seed that draws
    the gaps, and the Fibonacci number each asks for."""

    servers: int
    requests: int
    gap: int
    seed: int
    fib_n: int


SIZES = {
    "servers": (4, 4, 4),
    "requests": (2_000, 200, 20),
    "gap": (20_000, 10_000, 1_000),
    "seed": (42, 42, 42),
    "fib_n": (30, 25, 10),
}
"""Parameters at scales full, small and tiny."""

RECEIPT = "OPEN-6"
"""The requirement on its receipt."""

GROWS = "requests"
"""The parameter with which its run time grows."""

AT_ONCE = ("servers",)
"""The parameters that bound how many computes are under way at the same time, however many cores
there are (MEAS-13): a server does one after the other."""

COMPUTING = {names.SERVER: 1}
"""Classes of which all messages of a run but so many, at most, are computes that have been done
(MEAS-28): the one that was taken last."""

STEADY: tuple[int, ...] = ()
"""No class takes messages at one pace (MEAS-49): arrivals say when. Answers are counted
instead (MEAS-51)."""


QUANTILES = tuple(accumulate(1_000_000 // (STEPS - step) for step in range(STEPS)))
"""Gaps as millionths of the mean gap, the shortest first (OPEN-1): the average of the shortest of
256 exponentially distributed gaps, of the second shortest, and so on."""


@lru_cache(maxsize=4)
def arrivals(requests: int, gap: int, seed: int) -> tuple[int, ...]:
    """Return the time at which each request is due, in nanoseconds after the start of the run
    (OPEN-1)."""
    lcg = Lcg(seed)
    gaps = (QUANTILES[lcg.next() // STEPS] for _ in range(requests))
    return tuple(gap * total // 1000 for total in accumulate(gaps))


def arrivals_of(p: Parameters) -> tuple[int, ...]:
    """Return the arrivals of a run with these parameters."""
    return arrivals(p.requests, p.gap, p.seed)


class Source(Actor):
    """Sends each request when it is due, and takes the answers (OPEN-2)."""

    actor_class = names.SOURCE

    __slots__ = ("parameters", "due", "salt", "answers", "sum", "used")

    def __init__(self, parameters: Parameters) -> None:
        super().__init__(_SOURCE)
        self.parameters = parameters
        self.due = arrivals_of(parameters)
        self.salt = 0
        self.answers = 0
        self.sum = 0
        self.used = 0

    def start(self, sender: int, salt: int) -> None:
        self.salt = salt
        self._await(0)

    def arrive(self, sender: int, number: int, due: int) -> None:
        value = fold(fold(self.salt, number), due & _WORD)
        self.send(_BALANCER, kind.MESSAGE_KIND_BALANCER_REQUEST, number, value)
        if number + 1 < self.parameters.requests:
            self._await(number + 1)

    def answer(self, sender: int, number: int, value: int) -> None:
        self.answers += 1
        self.sum = add(self.sum, value)
        self._report_when_done()

    def drained(self, sender: int, used: int) -> None:
        self.used = used
        self._report_when_done()

    def disconnect(self, sender: int) -> None:
        self.send(_BALANCER, kind.MESSAGE_KIND_BALANCER_CLOSE)
        self.terminate()

    def _await(self, number: int) -> None:
        self.send(self.name, kind.MESSAGE_KIND_SOURCE_ARRIVE, number, self.due[number])

    def _report_when_done(self) -> None:
        if self.used and self.answers == self.parameters.requests:
            done = self.answers, self.sum, self.used
            self.send(_CONTROL, kind.MESSAGE_KIND_CONTROL_DONE, *done)


class Balancer(Actor):
    """Keeps the order of waiting requests and of idle servers (OPEN-3)."""

    actor_class = names.BALANCER

    __slots__ = ("parameters", "idle_servers", "waiting", "given", "used")

    def __init__(self, parameters: Parameters) -> None:
        super().__init__(_BALANCER)
        self.parameters = parameters
        self.idle_servers = deque(server_name(index) for index in range(parameters.servers))
        self.waiting: deque[tuple[int, int]] = deque()
        self.given = 0
        self.used: set[int] = set()

    def request(self, sender: int, number: int, value: int) -> None:
        self.waiting.append((number, value))
        self._assign()

    def idle(self, sender: int) -> None:
        self.idle_servers.append(sender)
        self._assign()
        idle = len(self.idle_servers)
        if self.given == self.parameters.requests and idle == self.parameters.servers:
            self.send(_SOURCE, kind.MESSAGE_KIND_SOURCE_DRAINED, len(self.used))

    def close(self, sender: int) -> None:
        for server in self.idle_servers:
            self.send(server, kind.MESSAGE_KIND_SERVER_STOP)
        self.terminate()

    def _assign(self) -> None:
        if self.waiting and self.idle_servers:
            number, value = self.waiting.popleft()
            server = self.idle_servers.popleft()
            self.given += 1
            self.used.add(server)
            self.send(server, kind.MESSAGE_KIND_SERVER_WORK, number, value)


class Server(Actor):
    """Computes, answers the source, and is idle again (OPEN-4)."""

    actor_class = names.SERVER
    work_of = staticmethod(fibonacci)
    """The function that it computes: here the value, in an implementation the work as well."""

    __slots__ = ("parameters",)

    def __init__(self, index: int, parameters: Parameters) -> None:
        super().__init__(server_name(index))
        self.parameters = parameters

    def work(self, sender: int, number: int, value: int) -> None:
        answer = fold(value, self.work_of(self.parameters.fib_n))
        self.send(_SOURCE, kind.MESSAGE_KIND_SOURCE_ANSWER, number, answer)
        self.send(_BALANCER, kind.MESSAGE_KIND_BALANCER_IDLE)

    def stop(self, sender: int) -> None:
        self.terminate()


LEAD = _SOURCE
"""The actor to which control speaks."""

FAREWELL = kind.MESSAGE_KIND_SOURCE_DISCONNECT
"""The kind of message with which control ends it."""

FAREWELLS = (FAREWELL, kind.MESSAGE_KIND_BALANCER_CLOSE, kind.MESSAGE_KIND_SERVER_STOP)
"""The kinds of messages that are sent upon that."""


def initial(p: Parameters) -> list[Actor]:
    """The actors that exist before the first message."""
    return [Source(p), Balancer(p), *(Server(index, p) for index in range(p.servers))]


def begin(p: Parameters, salt: int) -> tuple[int, tuple[int, ...]]:
    """The line with which control begins: the kind and the arguments of a message to the lead."""
    return kind.MESSAGE_KIND_SOURCE_START, (salt,)


def receipt(p: Parameters, salt: int) -> dict[str, int]:
    """The fields that every receipt must have (OPEN-6)."""
    due = (np.array(arrivals_of(p), np.uint64) & np.uint64(_WORD)).astype(np.uint32)
    asked = fold_each(fold_each(salt, words(p.requests)), due)
    answered = fold_each(asked, fibonacci(p.fib_n))
    return {
        "answers": p.requests,
        "sum": int(answered.sum(dtype=np.uint64)) & _WORD,
        "servers_used": min(p.servers, p.requests),
    }


def messages(p: Parameters) -> int:
    """The message budget: arrive, request, work, answer, idle; `drained`, `close`; `stop`."""
    return 5 * p.requests + 2 + p.servers


def population(p: Parameters) -> list[Crowd]:
    """The members of each class, and about how many messages each of them takes."""
    total = p.requests
    return [
        Crowd(names.SERVER, p.servers, -(-total // p.servers) + 1, sure=1),
        Crowd(names.SOURCE, 1, 2 * total + 3),
        Crowd(names.BALANCER, 1, 2 * total + 1),
    ]


def taken(p: Parameters, ended: bool, actor: int) -> int | None:
    """The number of messages that this actor takes in each run; None if that is no fact. ``ended``
    says whether the run was torn down."""
    match names.class_of(actor):
        case names.SOURCE:
            return 2 * p.requests + 2 + ended
        case names.BALANCER:
            return 2 * p.requests + ended
    return None


def durations(p: Parameters, receipt: Any) -> list[str]:
    """The impossible durations of a receipt: those of both histograms, and of the run."""
    found, said, last = [], receipt.done, arrivals_of(p)[-1]
    if receipt.run_nanos < last:
        found.append(
            f"run_nanos is {receipt.run_nanos}, expected at least {last}: then the last request"
            " is due (OPEN-6)"
        )
    return found + buckets.problems(
        said.latency, said.lateness, p.requests, receipt.run_nanos, last
    )
