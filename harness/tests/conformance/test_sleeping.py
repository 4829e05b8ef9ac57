"""Naps are held against the harness's clock, while others still sleep (LEVEL-38)."""

import threading
import time
from typing import Any

import pytest
from model_session import ModelSession

from dramaturg.cases.cases import load_all
from dramaturg.conformance import naps
from dramaturg.conformance.case_run import perform
from dramaturg.conformance.cluster import Cluster
from dramaturg.conformance.result import Result
from dramaturg.control.session import Ran
from dramaturg.implementation.manifest import find
from dramaturg.model import names
from dramaturg.outcomes import Outcome
from dramaturg.trace.codec import LogBuilder
from dramaturg.trace.events import Event, Logs
from dramaturg.v2 import benchmarks_pb2
from dramaturg.v2 import trace_pb2 as kind

CASES = {case.name: case for case in load_all()}
SLEEPER, ALARM = names.name(names.SLEEPER, 3), names.name(names.ALARM)


def wake(number: int) -> Event:
    return SLEEPER, (kind.MESSAGE_KIND_SLEEPER_WAKE, (number,))


def awake(number: int) -> Event:
    return SLEEPER, (kind.MESSAGE_KIND_ALARM_AWAKE, (number, 5))


@pytest.mark.parametrize(
    ("logs", "seconds"),
    [
        ({SLEEPER: [wake(0)]}, 10.0),
        ({SLEEPER: [wake(0)], ALARM: [awake(0)]}, 19.9),
        ({SLEEPER: [wake(0), wake(1)]}, 20.0),
        ({SLEEPER: [(ALARM, (kind.MESSAGE_KIND_SLEEPER_SLEEP, (0, 7)))]}, 0.1),
    ],
)
def test_what_was_due_is_in_time(logs: Logs, seconds: float) -> None:
    assert naps.early(logs, 10_000, seconds) == ""


@pytest.mark.parametrize(
    ("logs", "seconds"),
    [
        ({SLEEPER: [wake(0)]}, 9.99),
        ({ALARM: [awake(0)]}, 9.99),
        ({SLEEPER: [wake(0), wake(1)]}, 19.99),
    ],
)
def test_what_ended_before_it_could_is_named(logs: Logs, seconds: float) -> None:
    said = naps.early(logs, 10_000, seconds)
    assert "(SLEEP-2)" in said
    assert f"{seconds:.3f} s after Run was called" in said


def test_a_run_is_no_shorter_than_its_naps() -> None:
    asked = benchmarks_pb2.SleepersParameters(sleepers=9, naps=3, delay=500)
    benchmark = benchmarks_pb2.Benchmark(sleepers=asked)
    assert naps.too_short(benchmark, Ran([], 1.5)) == ""
    assert "Run took 1.499 s by the harness's clock" in naps.too_short(benchmark, Ran([], 1.499))


class Sleeping(ModelSession):
    """Its sleepers are awake in the logs after so many seconds, in a nap of ``nap``."""

    def __init__(self, nap: float, logged_after: float, answers_after: float = 0.0) -> None:
        super().__init__()
        self.nap, self.logged_after, self.answers_after = nap, logged_after, answers_after
        self._running = threading.Lock()
        self._began = 0.0
        self._over = False

    def run(self, salt: int = 0, timeout: float | None = None, log_limit: int = 0) -> Ran:
        assert timeout is not None
        assert timeout > self.nap, "who sleeps is not late"
        self._began = time.monotonic()
        threading.Event().wait(self.logged_after)
        with self._running:
            ran = super().run(salt, timeout)
        threading.Event().wait(max(0.0, self.nap - self.logged_after))
        return Ran(ran.marks, time.monotonic() - self._began)

    def trace(self, timeout: float | None = None) -> LogBuilder:
        threading.Event().wait(self.answers_after)
        with self._running:
            return super().trace(timeout)


def performed(session: Sleeping) -> Result:
    case = CASES["sleepers-ten-seconds"]
    message = type(case.message)()
    message.CopyFrom(case.message)
    message.concurrent.benchmark.sleepers.delay = int(session.nap * 1000)
    shorter = type(case)(case.benchmark, message)
    cluster: Any = Cluster([session])  # type: ignore[list-item]
    return perform(shorter, find("reference"), cluster)


def test_who_sleeps_as_long_as_it_says_passes() -> None:
    result = performed(Sleeping(nap=1.0, logged_after=1.0))
    assert (result.outcome, result.message) == (Outcome.PASS, "")


def test_who_is_awake_before_and_waits_with_its_report_fails() -> None:
    result = performed(Sleeping(nap=2.0, logged_after=0.5))
    assert result.outcome is Outcome.FAIL
    assert "had taken the end of a nap" in result.message
    assert result.breaks == ("SLEEP-2",)


def test_answers_that_come_when_all_is_over_tell_nothing() -> None:
    result = performed(Sleeping(nap=0.4, logged_after=0.4, answers_after=1.0))
    assert result.outcome is Outcome.NOT_RUN
