"""One invocation: the calls that run iterations in processes that are already there.

Whatever has been measured is handed over at once, so that a crash, a timeout or
Ctrl-C costs nothing but the iteration under way.
"""

import gc
import random
import secrets
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from dramaturg.control import marks
from dramaturg.control.session import Ran, Session
from dramaturg.machine import interference
from dramaturg.machine.interference import Interference
from dramaturg.net.topology import Network
from dramaturg.performance.cluster import Cluster
from dramaturg.processes import consumption
from dramaturg.processes.consumption import Moment, Used
from dramaturg.records import Depth
from dramaturg.timing import audit, probe
from dramaturg.timing.audit import Kept, Spooled
from dramaturg.timing.ledger import RECENT, Elapsed, RoundTrips, Tolerance
from dramaturg.timing.plan import Unit
from dramaturg.trace.watches import Watches
from dramaturg.v2 import benchmarks_pb2, control_pb2

Receipts = list[benchmarks_pb2.Receipt]

SLOWER = 4
"""Times as long as a timed iteration one may take that is watched as a whole."""

EMPTY, MORE = 2 * RECENT, 4
"""Empty calls before the first iteration, half of which only warm up; and before and after
each."""

SWITCH = 0.0001
"""Seconds after which a thread of ours gives way to the one that waits to stamp a call."""


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
    tolerance: Tolerance
    cpu_seconds: float
    """Of all processes, since the first iteration began."""
    used: list[Used]
    """Of each node, since its process was started."""
    source: str
    """Where CPU time and memory are from, in words."""
    seconds: float
    """By the harness's clock, since the look before that one."""
    run_cpu: int | None
    """Nanoseconds of CPU time of all processes in Run; None where one is not ours to look at."""
    own_cpu: int
    """The same of the harness itself, all its threads, from before `Run` was sent to its answer's
    end."""
    interference: Interference
    """What others took of the machine in Run."""
    grown_memory: int | None = None
    """Bytes by which the peak grew from Prepare's answer on; of a first iteration only."""

    @property
    def peak_memory(self) -> int:
        """Bytes, all processes together."""
        return sum(used.peak_memory for used in self.used)

    @property
    def held_memory(self) -> int:
        """Bytes after Teardown, all processes together."""
        return sum(used.held_memory for used in self.used)

    @property
    def threads(self) -> int:
        """Those that live after Teardown, of all nodes together."""
        return sum(used.threads for used in self.used)


class Listener(Protocol):
    """Who is told how an invocation goes on."""

    def measured(self, measured: Measured) -> None: ...

    def progress(self, iteration: int, done: int, total: int) -> None: ...

    def probed(self, nanos: float) -> None: ...


@dataclass(frozen=True, slots=True)
class Logs:
    """Where the logs of an invocation wait."""

    folder: Path
    name: str
    """With which their files' names begin."""


@dataclass(slots=True)
class _Invocation:
    """What lasts as long as the processes."""

    cluster: Cluster
    unit: Unit
    listener: Listener
    logs: Logs
    trips: RoundTrips
    looked: float = 0.0
    before: float = 0.0
    """CPU seconds before the first iteration: what starting took is no iteration's."""

    def begin(self) -> None:
        """The first iteration is about to begin."""
        self.before = sum(used.cpu_seconds for used in _used(self.cluster.sessions))
        self.looked = time.monotonic()


def steps(
    sessions: Sequence[Session],
    unit: Unit,
    network: Network | None,
    listener: Listener,
    *,
    logs: Logs,
    extra: bool = False,
) -> Iterator[int]:
    """All iterations, each in a world of its own, and the end of input. Of the ``extra``
    invocation none is timed. Stops before each iteration, when nothing is there but the processes,
    and says how many bytes they have held at most; what passes there is no iteration's."""
    cluster = Cluster(sessions, network)
    chance = random.Random(secrets.randbits(64))
    of = _Invocation(cluster, unit, listener, logs, RoundTrips(cluster.lead.first))
    with _prompt():
        _empty_calls(of, EMPTY)
        listener.probed(probe.nanos(cluster.lead, unit.scenario, unit.timeout))
    of.begin()
    places = audit.positions(unit.iterations, extra=extra, chance=chance)
    volume = 0
    for iteration, depth in enumerate(places):
        left = time.monotonic()
        yield sum(used.peak_memory for used in _used(sessions))
        of.looked += time.monotonic() - left
        watches = audit.draw(unit.scenario, depth, extra=extra, chance=chance, volume=volume)
        sent = audit.rows(watches, unit.scenario.benchmark, chance)
        with _prompt():
            measured = _iteration(of, iteration, depth, watches, sent, chance.getrandbits(32))
            volume = unit.scenario.messages(measured.receipts[0])
            listener.measured(measured)
    for session in sessions:
        session.end_input()


@contextmanager
def _prompt() -> Iterator[None]:
    """Whoever draws a progress bar in another thread gives way at once, and no collection of
    the harness's own garbage falls between a call and its stamp: iterations begin with one."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(SWITCH)
    gc.disable()
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()
        gc.enable()
        sys.setswitchinterval(before)


def _empty_calls(of: _Invocation, many: int) -> None:
    for _ in range(many):
        of.cluster.lead.describe()
        of.trips.trips.append(of.cluster.lead.passed["Describe"])


def _iteration(
    of: _Invocation, iteration: int, depth: Depth, watches: Watches, sent: Watches, salt: int
) -> Measured:
    cluster, benchmark = of.cluster, of.unit.scenario.message()
    timeout = of.unit.timeout * (1 if depth is Depth.CROSSING else SLOWER)
    total = marks.expected(benchmark)

    def marked(done: int) -> None:
        # Right behind the last one comes the end, whose stamp is not to wait.
        if done < total:
            of.listener.progress(iteration, done, total)

    gc.collect()
    _empty_calls(of, MORE)
    begun = _moment(cluster.sessions)
    prepared = cluster.prepare(benchmark, sent, timeout)
    ready = _moment(cluster.sessions)
    peak = sum(used.peak_memory for used in _used(cluster.sessions))
    others, own = interference.look(), time.process_time_ns()
    ran = cluster.lead.run(salt, timeout, marked)
    own_cpu = time.process_time_ns() - own
    done, others_took = _moment(cluster.sessions), interference.look().since(others)
    at_rest = _fetch(of, f"{iteration}-at-rest", timeout)
    # What it still does for a trace that it has given is no part of its Teardown.
    _empty_calls(of, 1)
    ending = _moment(cluster.sessions)
    receipts = cluster.teardown(timeout)
    ended = _moment(cluster.sessions)
    used, before, of.looked = _used(cluster.sessions), of.looked, time.monotonic()
    logged = _fetch(of, f"{iteration}", timeout)
    kept = Kept(iteration, salt, depth, watches, sent, at_rest, logged)
    _empty_calls(of, MORE)
    return Measured(
        iteration=iteration,
        salt=salt,
        prepared=prepared,
        ran=ran,
        receipts=receipts,
        logs=kept,
        elapsed=_elapsed(cluster.sessions, [(begun, ready), (ready, done), (ending, ended)]),
        tolerance=of.trips.tolerance(iteration),
        cpu_seconds=sum(now.cpu_seconds for now in used) - of.before,
        used=used,
        source=cluster.lead.process.consumption.source if cluster.lead.process else "not run",
        seconds=of.looked - before,
        run_cpu=done.cpu - ready.cpu if all(s.process for s in cluster.sessions) else None,
        own_cpu=own_cpu,
        interference=others_took,
        grown_memory=(sum(now.peak_memory for now in used) - peak if iteration == 0 else None),
    )


def _fetch(of: _Invocation, name: str, timeout: float) -> Spooled:
    return audit.fetch(of.cluster.sessions, of.logs.folder, f"{of.logs.name}-{name}", timeout)


def _elapsed(sessions: Sequence[Session], calls: Sequence[tuple[Moment, Moment]]) -> Elapsed:
    lead = sessions[0].passed
    teardown = tuple(session.passed["Teardown"] for session in sessions)
    prepare, run, end = (
        sum(waited - before.waits.get(thread, 0) for thread, waited in after.waits.items())
        for before, after in calls
    )
    return Elapsed(lead["Prepare"], lead["Run"], teardown, (prepare, run, end))


_HOST = -1
"""In the place of a thread: whoever else the host of a virtual machine runs."""


def _moment(sessions: Sequence[Session]) -> Moment:
    """Of all processes together. Thread 0 is the one that calls; its CPU time is not theirs.
    What the host took of the machine's cores its threads waited for as well."""
    threads, cpu = {0: consumption.own_wait(), _HOST: interference.stolen() or 0}, 0
    for session in sessions:
        if session.process is not None:
            moment = session.process.consumption.moment()
            threads |= moment.waits
            cpu += moment.cpu
    return Moment(threads, cpu)


def _used(sessions: Sequence[Session]) -> list[Used]:
    return [
        session.process.consumption.look() if session.process is not None else consumption.NOTHING
        for session in sessions
    ]
