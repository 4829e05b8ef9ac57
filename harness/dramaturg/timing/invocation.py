"""One invocation: the calls that run iterations in processes that are already there.

Whatever has been measured is handed over at once, so that a crash, a timeout or
Ctrl-C costs nothing but the iteration under way.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from dramaturg.control.session import Session
from dramaturg.net.topology import Network
from dramaturg.timing.plan import Unit
from dramaturg.v2 import benchmarks_pb2, control_pb2

Receipts = list[benchmarks_pb2.Receipt]


@dataclass(frozen=True, slots=True)
class Measured:
    """One iteration, as it was claimed and as it was seen from outside."""

    iteration: int
    receipts: Receipts
    """One for each node."""
    elapsed: int
    """Nanoseconds that the iterations of this world may have taken, this one included."""
    first: bool
    """Whether its world is new, so that ``elapsed`` starts again."""
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


def run_local(session: Session, unit: Unit, listener: Listener) -> None:
    """All iterations in one process, with one call of Run."""
    start = time.monotonic_ns()
    session.prepare(unit.scenario.message(), trace=False, timeout=unit.timeout)
    setup = time.monotonic_ns() - start
    _, peak = _consumption([session])
    count = 0
    start = time.monotonic_ns()

    def received(receipt: benchmarks_pb2.Receipt) -> None:
        nonlocal count
        elapsed = setup + time.monotonic_ns() - start
        consumed, memory = _consumption([session])
        grown = None if count else memory - peak
        listener.measured(Measured(count, [receipt], elapsed, count == 0, consumed, memory, grown))
        count += 1

    session.run(
        unit.iterations,
        timeout=unit.timeout * unit.iterations,
        on_progress=_forward(listener),
        on_receipt=received,
    )
    session.teardown()
    session.shutdown()


def run_distributed(
    sessions: Sequence[Session], unit: Unit, network: Network, listener: Listener
) -> None:
    """Iterations over several nodes, each in a world of its own (CTRL-6).

    The highest node is prepared first, so that whom a node connects to is there.
    """
    for iteration in range(unit.iterations):
        # New ports each time: the last iteration's may linger in TIME_WAIT.
        peers = [control_pb2.Peer(host=host, port=port) for host, port in network.endpoints()]
        message = unit.scenario.message()
        start = time.monotonic_ns()
        for node in reversed(range(len(sessions))):
            sessions[node].prepare(
                message, trace=False, node=node, peers=peers, timeout=unit.timeout
            )
        receipts = sessions[0].run(
            1, timeout=unit.timeout, on_progress=_forward(listener, iteration)
        )
        elapsed = time.monotonic_ns() - start
        for session in sessions:
            receipt = session.teardown()
            if session is not sessions[0]:
                receipts.append(receipt or benchmarks_pb2.Receipt())
        listener.measured(Measured(iteration, receipts, elapsed, True, *_consumption(sessions)))
    for session in sessions:
        session.shutdown()


def _forward(
    listener: Listener, first: int = 0
) -> Callable[[control_pb2.RunResponse.Progress], None]:
    def forward(progress: control_pb2.RunResponse.Progress) -> None:
        listener.progress(first + progress.iteration, progress.done, progress.total)

    return forward


def _consumption(sessions: Sequence[Session]) -> tuple[float, int]:
    processes = [session.process for session in sessions if session.process is not None]
    return (
        sum(process.cpu_seconds() for process in processes),
        sum(process.peak_memory() for process in processes),
    )
