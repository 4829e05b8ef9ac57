"""One invocation: the calls that run iterations in processes that are already there.

Whatever has been measured is handed over at once, so that a crash, a timeout or
Ctrl-C costs nothing but the iteration under way.
"""

import random
import secrets
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, TypeVar

from dramaturg.conformance.cluster import Cluster
from dramaturg.control import marks
from dramaturg.control.session import Ran, Session
from dramaturg.net.topology import Network
from dramaturg.timing import audit
from dramaturg.timing.audit import Depth, Kept
from dramaturg.timing.plan import Unit
from dramaturg.trace.watches import Watches
from dramaturg.v2 import benchmarks_pb2, control_pb2

Receipts = list[benchmarks_pb2.Receipt]

SLOWER = 4
"""Times as long as a timed iteration one may take that is watched as a whole."""

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
    logs: Kept
    """What was watched, for when nothing is timed any more."""
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


@dataclass(frozen=True, slots=True)
class Logs:
    """Where the logs of an invocation wait."""

    folder: Path
    name: str
    """With which their files' names begin."""


def run(
    sessions: Sequence[Session],
    unit: Unit,
    network: Network | None,
    listener: Listener,
    *,
    logs: Logs,
    extra: bool = False,
) -> None:
    """All iterations, each in a world of its own, and the end of input. Of the ``extra``
    invocation none is timed."""
    cluster = Cluster(sessions, network)
    chance = random.Random(secrets.randbits(64))
    for iteration, depth in enumerate(audit.positions(unit.iterations, extra=extra, chance=chance)):
        watches = audit.draw(unit.scenario, depth, extra=extra, chance=chance)
        measured = _iteration(
            cluster, unit, iteration, depth, watches, chance.getrandbits(32), listener, logs
        )
        listener.measured(measured)
    for session in sessions:
        session.end_input()


def _iteration(
    cluster: Cluster,
    unit: Unit,
    iteration: int,
    depth: Depth,
    watches: Watches,
    salt: int,
    listener: Listener,
    logs: Logs,
) -> Measured:
    benchmark = unit.scenario.message()
    timeout = unit.timeout * (1 if depth is Depth.CROSSING else SLOWER)
    total = marks.expected(benchmark)
    prepare, prepared = _timed(lambda: cluster.prepare(benchmark, watches, timeout))
    _, peak = _consumption(cluster.sessions)
    ran_for, ran = _timed(
        lambda: cluster.lead.run(
            salt, timeout, lambda done: listener.progress(iteration, done, total)
        )
    )
    teardown, receipts = _timed(lambda: cluster.teardown(timeout))
    consumed, memory = _consumption(cluster.sessions)
    kept = audit.fetch(
        cluster.sessions,
        logs.folder,
        logs.name,
        iteration=iteration,
        salt=salt,
        depth=depth,
        watches=watches,
        timeout=timeout,
    )
    return Measured(
        iteration=iteration,
        salt=salt,
        prepared=prepared,
        ran=ran,
        receipts=receipts,
        logs=kept,
        elapsed=Elapsed(prepare, ran_for, teardown),
        cpu_seconds=consumed,
        peak_memory=memory,
        grown_memory=memory - peak if iteration == 0 else None,
    )


def _timed(call: Callable[[], _Answer]) -> tuple[int, _Answer]:
    start = time.monotonic_ns()
    answer = call()
    return time.monotonic_ns() - start, answer


def _consumption(sessions: Sequence[Session]) -> tuple[float, int]:
    processes = [session.process for session in sessions if session.process is not None]
    return (
        sum(process.cpu_seconds() for process in processes),
        sum(process.peak_memory() for process in processes),
    )
