"""Work that was not done shows in the time that it did not take."""

import json
import shutil
from pathlib import Path

import pytest
from timing_fakes import honest

from dramaturg.model.fibonacci import calls
from dramaturg.timing import plausibility
from dramaturg.timing.plausibility import Cost, WorkCheck
from dramaturg.timing.scenarios import Scenario, scenario

COST = Cost(nanos=1.0, source="test", cores=2)
needs_compiler = pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler")


@pytest.fixture(scope="module")
def computing() -> Scenario:
    only_compute = {"compute": 100, "post": 0, "leave": 0, "invite": 0, "fib_n": 20}
    size = {"clients": 4, "directories": 1, "turns": 2}
    return scenario("chatapp", overrides=size | only_compute)


def test_an_optimised_away_fibonacci_is_refused(computing: Scenario) -> None:
    least = 8 * calls(20) // 2
    said = WorkCheck(computing, COST).problems(honest(computing, run_nanos=least - 1), 10.0)
    assert len(said) == 1
    assert "8 computes" in said[0]
    assert "optimised away (MEAS-13)" in said[0]


def test_work_at_the_floor_is_believed(computing: Scenario) -> None:
    least = 8 * calls(20) // 2
    assert WorkCheck(computing, COST).problems(honest(computing, run_nanos=least), 10.0) == []


def test_a_run_that_only_waited_is_refused(computing: Scenario) -> None:
    work = WorkCheck(computing, Cost(nanos=1000.0, source="test", cores=2))
    said = work.problems(honest(computing, run_nanos=10**12), cpu_seconds=0.001)
    assert len(said) == 1
    assert "0.001 s of CPU time" in said[0]


def test_cpu_time_is_judged_over_all_iterations(computing: Scenario) -> None:
    work = WorkCheck(computing, Cost(nanos=1000.0, source="test", cores=2))
    needed = 8 * calls(20) * 1e-6
    receipt = honest(computing, run_nanos=10**12)
    assert work.problems(receipt, cpu_seconds=needed) == []
    assert work.problems(receipt, cpu_seconds=1.5 * needed)


def test_what_computes_nothing_is_not_judged(pingpong: Scenario) -> None:
    assert WorkCheck(pingpong, COST).problems(honest(pingpong, run_nanos=1), 0.0) == []


def test_webs_answers_are_computed_as_well() -> None:
    web = scenario("web", overrides={"browsers": 2, "workers": 2, "requests": 5, "fib_n": 20})
    least = 10 * calls(20) // 2
    assert WorkCheck(web, COST).problems(honest(web, run_nanos=least), 10.0) == []
    (said,) = WorkCheck(web, COST).problems(honest(web, run_nanos=least - 1), 10.0)
    assert "10 computes" in said


@needs_compiler
def test_the_cost_of_a_call_is_measured_once_and_remembered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    first = plausibility.calibrate()
    assert 0.01 < first.nanos < 5
    assert "cc -O3" in first.source
    (file,) = tmp_path.glob("dramaturg/fibonacci-*.json")
    file.write_text(json.dumps({"nanos_per_call": 3.0}))
    assert plausibility.calibrate().nanos == 3.0 * plausibility.MARGIN


def test_without_a_compiler_the_cost_is_assumed_and_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: None)
    cost = plausibility.calibrate()
    assert cost.nanos == plausibility.DEFAULT_COST
    assert "no C compiler" in cost.source
