"""Trace, and the end, come before a compute is done, though every scheduler has one (LEVEL-39)."""

import os
import threading
from types import SimpleNamespace
from typing import Any

import pytest

from dramaturg.cases.cases import Case, load_all
from dramaturg.conformance import busy_world
from dramaturg.conformance.case_run import perform
from dramaturg.conformance.cluster import Cluster
from dramaturg.conformance.result import Result
from dramaturg.errors import Late, Starved
from dramaturg.implementation.manifest import Implementation, find
from dramaturg.model import names
from dramaturg.model.fibonacci import calls
from dramaturg.outcomes import Outcome
from dramaturg.plan import case_plan
from dramaturg.trace.codec import LogBuilder, encode
from dramaturg.trace.events import Event
from dramaturg.trace.watches import EVERYBODY
from dramaturg.v2 import control_pb2
from dramaturg.v2 import trace_pb2 as kind

CASES = {case.name: case for case in load_all()}
REFERENCE = find("reference")
LOOK, END = "answers-trace-while-all-compute", "ends-with-its-input-while-all-compute"

WORK: Event = (names.name(names.DISPATCHER), (kind.MESSAGE_KIND_WORKER_WORK, (0, 0, 1)))
IDLE: Event = (names.name(names.WORKER), (kind.MESSAGE_KIND_DISPATCHER_IDLE, ()))


class Clock:
    """Moments that pass only where somebody waits."""

    def __init__(self) -> None:
        self.now = 0.0

    def monotonic(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(busy_world, "time", clock)
    return clock


class Computing:
    """A session whose computes take 5 s; Trace is answered at once, or when they are done."""

    attached = None
    name = "x"

    def __init__(
        self, clock: Clock, *, waits: bool = False, seconds: float = 5.0, schedulers: int = 2
    ) -> None:
        self.clock, self.waits, self.seconds, self.schedulers = clock, waits, seconds, schedulers
        self.process: Any = SimpleNamespace(cpu_seconds=lambda: self.used)
        self.used = 0.0
        self.told_after = 0.0
        self.first_at_once = False
        self.began: float | None = None
        self.calls: list[str] = []
        self.asked: list[int] = []
        self.lasts = threading.Event()

    def describe(self, probes: Any = ()) -> Any:
        for probe in probes:
            self.asked.append(probe.fibonacci.n)
            self.used += calls(probe.fibonacci.n) * 1e-8
        return control_pb2.DescribeResponse(schedulers=self.schedulers)

    def prepare(self, benchmark: Any, watches: Any = EVERYBODY) -> None:
        self.benchmark = benchmark
        self.log = LogBuilder(watches)

    def run(self, timeout: float | None = None) -> None:
        self.began = self.clock.now
        self.calls.append("run")
        self.lasts.wait(30)

    def trace(self, timeout: float) -> LogBuilder:
        while self.began is None:
            pass
        self.calls.append("trace")
        passed = self.clock.now - self.began
        at_once = self.first_at_once and self.calls.count("trace") == 1
        if self.waits and passed < self.seconds and not at_once:
            self.clock.sleep(self.seconds - passed)
        over = self.clock.now - self.began >= max(self.seconds, self.told_after)
        working = self.schedulers if passed or self.waits else 0
        self.log = LogBuilder(EVERYBODY)
        logs = {names.name(names.WORKER, number): [WORK] for number in range(working)}
        logs[names.name(names.DISPATCHER)] = [IDLE] * working * over
        for batch in encode(logs):
            self.log.add(batch)
        return self.log

    def end_input(self) -> None:
        self.calls.append("end")

    def late(self, text: str) -> Late:
        return Late(text)


def performed(name: str, session: Computing) -> Result:
    try:
        return perform(CASES[name], REFERENCE, Cluster([session]))  # type: ignore[list-item]
    finally:
        session.lasts.set()


def test_a_log_that_is_had_while_all_compute_passes(clock: Clock) -> None:
    session = Computing(clock)
    assert performed(LOOK, session).outcome is Outcome.PASS
    assert clock.now < 5


def test_a_log_that_is_had_when_a_compute_is_done_fails(clock: Clock) -> None:
    result = performed(LOOK, Computing(clock, waits=True))
    assert result.outcome is Outcome.FAIL
    assert "Trace was answered after 5.0 s, when 2 of them were done" in result.message
    assert result.breaks == ("CTRL-9",)


def test_a_log_that_comes_before_the_word_that_a_compute_was_done_fails_as_well(
    clock: Clock,
) -> None:
    """The dispatcher takes `idle` a moment after the control port has had the thread."""
    session = Computing(clock, waits=True)
    session.told_after = 5.1
    result = performed(LOOK, session)
    assert result.outcome is Outcome.FAIL
    assert "Trace was answered after 5.0 s" in result.message


def test_a_slow_answer_behind_a_quick_one_fails(clock: Clock) -> None:
    """The first came while a scheduler was free, and the second before the word as well."""
    session = Computing(clock, waits=True)
    session.first_at_once, session.told_after = True, 5.1
    result = performed(LOOK, session)
    assert result.outcome is Outcome.FAIL
    assert "Trace was answered after 4.7 s" in result.message


def test_who_had_no_core_is_not_blamed(clock: Clock) -> None:
    session = Computing(clock, waits=True)
    session.late = Starved  # type: ignore[assignment, method-assign]
    assert performed(LOOK, session).outcome is Outcome.NOT_RUN


def test_computes_that_are_over_at_once_tell_nothing(clock: Clock) -> None:
    assert performed(LOOK, Computing(clock, seconds=0.01)).outcome is Outcome.NOT_RUN


def test_who_says_of_fewer_schedulers_than_it_has_is_kept_busy_as_well(clock: Clock) -> None:
    session = Computing(clock, schedulers=1)
    performed(LOOK, session)
    assert session.benchmark.web.workers == session.benchmark.web.browsers
    assert session.benchmark.web.workers >= 2 * (os.cpu_count() or 1)
    session = Computing(clock, schedulers=40)
    performed(LOOK, session)
    assert session.benchmark.web.workers == 80


def test_the_compute_is_the_number_that_takes_this_runtime_five_seconds(clock: Clock) -> None:
    """At 10 ns a call."""
    n = busy_world.long_enough(Computing(clock))  # type: ignore[arg-type]
    assert 4 <= calls(n) * 1e-8 <= 6.5


def test_a_fast_runtime_computes_the_largest_there_is(clock: Clock) -> None:
    session = Computing(clock)
    session.describe = lambda probes=(): None  # type: ignore[method-assign]
    assert busy_world.long_enough(session) == busy_world.LAST  # type: ignore[arg-type]


def test_the_input_ends_while_all_compute(clock: Clock) -> None:
    session = Computing(clock)

    def consume(seconds: float) -> None:
        session.used += 2 * seconds
        clock.now += seconds

    clock.sleep = consume  # type: ignore[method-assign]
    assert performed(END, session).outcome is Outcome.PASS
    assert session.calls[-1] == "end"
    assert "trace" not in session.calls, "who would be asked may have no scheduler to answer with"


@pytest.mark.parametrize(
    ("benchmarks", "chosen"),
    [
        (["web", "chatapp"], "web"),
        (["chatapp"], "chatapp"),
        (["broker", "openweb", "chatapp"], "openweb"),
    ],
)
def test_what_computes_is_chosen_among_what_is_there(benchmarks: list[str], chosen: str) -> None:
    assert busy_world.choose(benchmarks, 4, 30).WhichOneof("parameters") == chosen


def offering(*benchmarks: str) -> Implementation:
    manifest = REFERENCE.manifest.model_copy(update={"benchmarks": list(benchmarks)})
    return Implementation(REFERENCE.folder, manifest)


@pytest.mark.parametrize(
    ("benchmarks", "planned"), [(["broker"], False), (["pingpong", "web"], True)]
)
def test_who_has_nothing_that_computes_is_not_asked_to(
    benchmarks: list[str], planned: bool
) -> None:
    cases: list[Case] = [item.case for item in case_plan.make([offering(*benchmarks)], [0]).items]
    assert ({LOOK, END} <= {case.name for case in cases}) == planned
    assert "introduces-itself" in {case.name for case in cases}
