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
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from dramaturg.conformance.cluster import Cluster
from dramaturg.conformance.link_traffic import Wires
from dramaturg.conformance.node_watch import watching
from dramaturg.control import marks
from dramaturg.control.session import Ran, Session
from dramaturg.machine import interference
from dramaturg.net.topology import Network
from dramaturg.processes import consumption
from dramaturg.processes.consumption import Moment, Used
from dramaturg.records import Depth
from dramaturg.timing.planning import population
from dramaturg.timing.planning.timing_plan import Unit
from dramaturg.timing.running import moments
from dramaturg.timing.validity import audit, fetching, looks, probe
from dramaturg.timing.validity.audit import Kept
from dramaturg.timing.validity.fetching import Fetch
from dramaturg.timing.validity.iteration import Measured, Spent
from dramaturg.timing.validity.ledger import RECENT, Closing, RoundTrips
from dramaturg.timing.validity.looks import Looker, Looks
from dramaturg.timing.validity.row_budget import Rows
from dramaturg.trace.watches import Watches

SLOWER = 4
"""Times as long as a timed iteration one may take that is watched as a whole."""

EMPTY, MORE = 2 * RECENT, 4
"""Empty calls before the first iteration, half of which only warm up; and before and after
each."""

SWITCH = 0.0001
"""Seconds after which a thread of ours gives way to the one that waits to stamp a call."""


class Listener(Protocol):
    """A listener that is told how an invocation goes on."""

    def measured(self, measured: Measured) -> None: ...

    def progress(self, iteration: int, done: int, total: int) -> None: ...

    def probed(self, nanos: float) -> None: ...


@dataclass(frozen=True, slots=True)
class Logs:
    """The folder in which the logs of an invocation wait."""

    folder: Path
    name: str
    """The beginning of their files' names."""


@dataclass(slots=True)
class _Invocation:
    """The state that lasts as long as the processes."""

    cluster: Cluster
    unit: Unit
    listener: Listener
    logs: Logs
    trips: RoundTrips
    looked: float = 0.0
    expected: float | None = None
    """Seconds that the last timed run took; None before there was one."""
    before: float = 0.0
    """CPU seconds before the first iteration: the start is no iteration's."""
    ended: int = 0
    """CPU nanoseconds when the last iteration had ended."""

    def begin(self) -> None:
        """The first iteration is about to begin."""
        self.before = sum(used.cpu_seconds for used in _used(self.cluster.sessions))
        self.ended = moments.look(self.cluster.sessions).cpu
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
    """All iterations, each in a world of its own, and the end of input. The ``extra`` invocation
    has no timed ones. Stops before each iteration, when nothing is there but the processes, and
    yields how many bytes they have held at most; the time there is no iteration's."""
    cluster = Cluster(sessions, network)
    chance = random.Random(secrets.randbits(64))
    of = _Invocation(cluster, unit, listener, logs, RoundTrips(cluster.lead.first))
    with _prompt():
        _empty_calls(of, EMPTY)
        listener.probed(probe.nanos(cluster.lead, unit.scenario, unit.timeout))
    of.begin()
    places = audit.positions(unit.iterations, extra=extra, chance=chance)
    seen_into = looks.drawn(places, chance)
    volume, few = 0, Rows(population.events_of(unit.scenario))
    for iteration, depth in enumerate(places):
        left = time.monotonic()
        yield sum(used.peak_memory for used in _used(sessions))
        of.looked += time.monotonic() - left
        watches = audit.draw(
            unit.scenario, depth, extra=extra, chance=chance, volume=volume, most=few.most
        )
        sent = audit.rows(watches, unit.scenario.benchmark, chance)
        at = (
            looks.moments(unit.scenario, depth, of.expected, chance)
            if iteration in seen_into
            else []
        )
        asked = _Asked(iteration, depth, watches, sent, chance.getrandbits(32), at)
        with _prompt():
            measured = _iteration(of, asked)
            if depth is Depth.CROSSING:
                of.expected = measured.ran.seconds
            volume = unit.scenario.messages(measured.receipts[0])
            closing, run = measured.closing, measured.receipts[0].run_nanos
            few.took(closing.rows, closing.seen - closing.looked, run)
            listener.measured(measured)
    for session in sessions:
        session.end_input()


@contextmanager
def _prompt() -> Iterator[None]:
    """A thread that draws a progress bar gives way at once, and no collection of the harness's own
    garbage falls between a call and its stamp: iterations begin with one."""
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


@dataclass(frozen=True, slots=True)
class _Asked:
    """The salt and watches drawn for an iteration."""

    iteration: int
    depth: Depth
    watches: Watches
    sent: Watches
    salt: int
    looks: Sequence[float]
    """Seconds after `Run` was sent at which it is looked at."""


def _iteration(of: _Invocation, asked: _Asked) -> Measured:
    cluster, benchmark = of.cluster, of.unit.scenario.message()
    iteration, salt = asked.iteration, asked.salt
    timeout = of.unit.timeout * (1 if asked.depth is Depth.CROSSING else SLOWER)
    gc.collect()
    strays = cluster.strays()
    _empty_calls(of, MORE)
    held = _held(cluster.sessions)
    begun = moments.look(cluster.sessions)
    with _prepared(of, f"{iteration}-at-rest", timeout) as fetch:
        prepared = cluster.prepare(benchmark, asked.sent, timeout)
        ready = moments.look(cluster.sessions)
        with _prepared(of, f"{iteration}-set-up", timeout) as fetch_before:
            set_up = fetch_before()
        made = _used(cluster.sessions)
        wires = Wires(cluster)
        wires.look()
        since = time.monotonic_ns()
        going = moments.look(cluster.sessions)
        behind = _Behind(cluster.sessions, since)
        ran, looker, own_cpu, held_up = _ran(of, asked, timeout, behind)

        def look() -> None:
            with behind.looking(held_up):
                wires.look()

        at_rest = fetch(look)
        wires.look()
    done, others_took = behind.done, behind.others_took
    filled = _held(cluster.sessions)
    # Its remaining work for a trace that it has given is no part of its Teardown.
    cluster.lead.describe()
    ending = moments.look(cluster.sessions)
    closing = behind.closing(at_rest.rows, ending)
    receipts = cluster.teardown(timeout)
    ended = moments.look(cluster.sessions)
    used, before, of.looked = _used(cluster.sessions), of.looked, time.monotonic()
    last, of.ended = of.ended, ended.cpu
    with _prepared(of, f"{iteration}", timeout) as fetch:
        logged = fetch()
    tolerance = of.trips.tolerance(iteration)
    ours = all(session.process is not None for session in cluster.sessions)
    seen = Looks(
        looker.spooled(ran.sent, of.logs.folder, f"{of.logs.name}-{iteration}"),
        cluster.lead.passed["Run"],
        done.cpu - going.cpu if ours else None,
        tolerance.after(moments.waited(going, done), cluster.lead.passed["Run"]).most,
    )
    kept = Kept(
        iteration, salt, asked.depth, asked.watches, asked.sent, set_up, at_rest, logged, seen
    )
    _empty_calls(of, MORE)
    strays = strays or cluster.strays()
    return Measured(
        iteration=iteration,
        salt=salt,
        prepared=prepared,
        ran=ran,
        receipts=receipts,
        logs=kept,
        elapsed=moments.elapsed(
            cluster.sessions,
            [(begun, ready), (going, done), (ending, ended)],
            seen.overdue,
            held_up=asked.depth is Depth.PARTS,
        ),
        tolerance=tolerance,
        closing=closing,
        cpu_seconds=sum(now.cpu_seconds for now in used) - of.before,
        used=used,
        source=cluster.lead.process.consumption.source if cluster.lead.process else "not run",
        seconds=of.looked - before,
        run_wall=behind.wall,
        run_cpu=done.cpu - going.cpu if ours else None,
        outside_cpu=(begun.cpu - last + going.cpu - ready.cpu + ending.cpu - done.cpu)
        if ours
        else None,
        teardown_cpu=ended.cpu - ending.cpu if ours else None,
        own_cpu=own_cpu,
        interference=others_took,
        crossed=wires.crossed,
        strays=strays,
        made=made,
        spent=Spent(
            (ready.cpu - begun.cpu, done.cpu - going.cpu, ended.cpu - ending.cpu),
            (held, sum(now.held_memory for now in made), filled),
        )
        if ours
        else None,
    )


def _ran(
    of: _Invocation, asked: _Asked, timeout: float, behind: "_Behind"
) -> tuple[Ran, Looker, int, int]:
    """Run, and looks at it. Return its answer, the looks, and in nanoseconds the harness's own CPU
    time and for how long it could not ask for Trace when Run had ended."""
    cluster, total = of.cluster, marks.expected(of.unit.scenario.message())

    def marked(done: int) -> None:
        # Right behind the last one comes the end, whose stamp is not to wait.
        if done < total:
            of.listener.progress(asked.iteration, done, total)

    with watching(cluster):
        with Looker(cluster.sessions, asked.looks, timeout) as looker:
            ran = cluster.lead.run(asked.salt, timeout, marked)
            own_cpu = time.process_time_ns() - behind.own
        left = time.monotonic_ns()
    now = time.monotonic_ns()
    held_up = now - left + looker.under_way
    if asked.looks and asked.depth is Depth.PARTS:
        # The answer to a look in an audit may have as many rows as the whole log.
        held_up = now - cluster.lead.came["Run"]
    return ran, looker, own_cpu, held_up


def _prepared(of: _Invocation, name: str, timeout: float) -> AbstractContextManager[Fetch]:
    return fetching.prepared(of.cluster.sessions, of.logs.folder, f"{of.logs.name}-{name}", timeout)


class _Behind:
    """The calls after a run, made just before it."""

    def __init__(self, sessions: Sequence[Session], since: int) -> None:
        self._sessions, self._since = sessions, since
        self._others = interference.look()
        self._looked = 0
        self._waits, self._held_up = moments.own_waits(), 0
        self.own = time.process_time_ns()
        """CPU time of the harness itself."""

    @contextmanager
    def looking(self, held_up: int) -> Iterator[None]:
        """Run has ended, and Trace is on its way. For ``held_up`` nanoseconds it was not, since the
        answer to a look was still coming, or the harness asked other hosts for their nodes."""
        begun = time.monotonic_ns() - held_up
        self.done = moments.look(self._sessions)
        # Some of it is from before Run's end, and nobody can tell how much: so all that there was
        # time for is held to be later.
        since_end = max(0, begun - self._sessions[0].came["Run"])
        self._held_up = min(since_end, moments.longer(self._waits, moments.own_waits()))
        self.others_took = interference.look().since(self._others)
        self.wall = time.monotonic_ns() - self._since
        yield
        self._looked = time.monotonic_ns() - begun

    def closing(self, rows: int, ending: Moment) -> Closing:
        """All that passed up to the last footer, and in the empty call behind it."""
        lead = self._sessions[0]
        last = max(session.came["Trace"] for session in self._sessions)
        return Closing(
            seen=last - lead.came["Run"] + lead.passed["Describe"],
            waited=self._held_up + moments.waited(self.done, ending),
            looked=self._looked,
            rows=rows,
            nodes=len(self._sessions),
        )


def _held(sessions: Sequence[Session]) -> int:
    """Bytes, of all processes together."""
    return sum(used.held_memory for used in _used(sessions))


def _used(sessions: Sequence[Session]) -> list[Used]:
    return [
        session.process.consumption.look() if session.process is not None else consumption.NOTHING
        for session in sessions
    ]
