"""One invocation: the calls that run iterations in processes that are already there.

Whatever has been measured is handed over at once, so that a crash, a timeout or
Ctrl-C costs nothing but the iteration under way.
"""

import random
import secrets
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

from dramaturg.conformance.cluster import Cluster
from dramaturg.control import marks
from dramaturg.control.session import Ran, Session
from dramaturg.net.topology import Network
from dramaturg.timing import sampling
from dramaturg.timing.plan import Unit
from dramaturg.trace.events import TraceError
from dramaturg.trace.watches import Watches
from dramaturg.v2 import benchmarks_pb2, control_pb2

Receipts = list[benchmarks_pb2.Receipt]

_Answer = TypeVar("_Answer")


@dataclass(frozen=True, slots=True)
class Elapsed:
    """How long the calls of an iteration took, in nanoseconds of the harness's clock."""

    prepare: int
    run: int
    teardown: int


@dataclass(frozen=True, slots=True)
class Measured:
    """One iteration, as it was claimed and as it was seen from outside."""

    iteration: int
    salt: int
    prepared: control_pb2.PrepareResponse
    """Of node 0."""
    ran: Ran
    receipts: Receipts
    """One for each node."""
    log_problem: str
    """What is wrong with what was watched; empty if nothing is."""
    elapsed: Elapsed
    cpu_seconds: float
    """Of all processes, since the invocation began."""
    peak_memory: int
    """Bytes, all processes together."""
    grown_memory: int | None = None
    """Bytes by which the peak grew from Prepare's answer on; of a first iteration only."""


class Listener(Protocol):
    """Who is told how an invocation goes on."""

    def measured(self, measured: Measured) -> None: ...

    def progress(self, iteration: int, done: int, total: int) -> None: ...


def run(
    sessions: Sequence[Session], unit: Unit, network: Network | None, listener: Listener
) -> None:
    """All iterations, each in a world of its own, and the end of input."""
    cluster = Cluster(sessions, network)
    chance = random.Random(secrets.randbits(64))
    for iteration in range(unit.iterations):
        listener.measured(_iteration(cluster, unit, iteration, chance, listener))
    for session in sessions:
        session.end_input()


def _iteration(
    cluster: Cluster, unit: Unit, iteration: int, chance: random.Random, listener: Listener
) -> Measured:
    benchmark = unit.scenario.message()
    watches, salt = sampling.draw(unit.scenario, chance), chance.getrandbits(32)
    total = marks.expected(benchmark)
    prepare, prepared = _timed(lambda: cluster.prepare(benchmark, watches, unit.timeout))
    _, peak = _consumption(cluster.sessions)
    ran_for, ran = _timed(
        lambda: cluster.lead.run(
            salt, unit.timeout, lambda done: listener.progress(iteration, done, total)
        )
    )
    teardown, receipts = _timed(lambda: cluster.teardown(unit.timeout))
    consumed, memory = _consumption(cluster.sessions)
    return Measured(
        iteration=iteration,
        salt=salt,
        prepared=prepared,
        ran=ran,
        receipts=receipts,
        log_problem=_log_problem(cluster, watches, unit.timeout),
        elapsed=Elapsed(prepare, ran_for, teardown),
        cpu_seconds=consumed,
        peak_memory=memory,
        grown_memory=memory - peak if iteration == 0 else None,
    )


def _timed(call: Callable[[], _Answer]) -> tuple[int, _Answer]:
    start = time.monotonic_ns()
    answer = call()
    return time.monotonic_ns() - start, answer


def _log_problem(cluster: Cluster, watches: Watches, timeout: float) -> str:
    """Whether the logs are those that were asked for. What they say is not looked at."""
    try:
        cluster.trace(timeout)
        cluster.complete()
    except TraceError as error:
        return str(error)
    return cluster.misplaced() or sampling.unheard(watches, cluster.taken)


def _consumption(sessions: Sequence[Session]) -> tuple[float, int]:
    processes = [session.process for session in sessions if session.process is not None]
    return (
        sum(process.cpu_seconds() for process in processes),
        sum(process.peak_memory() for process in processes),
    )
