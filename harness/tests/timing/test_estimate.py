"""An estimate is what the same took before, on this machine; without that there is none."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from dramaturg import results
from dramaturg.machine import environment
from dramaturg.outcomes import Outcome
from dramaturg.results import Writer
from dramaturg.timing.planning import suites, timing_plan
from dramaturg.timing.planning.duration import Known
from dramaturg.timing.planning.timing_plan import Plan, Unit
from dramaturg.timing.planning.unit_records import unit_record


def a_plan() -> Plan:
    entries = [
        {"benchmark": "pingpong", "scale": "tiny"},
        {"benchmark": "big", "scale": "tiny", "sweep": {"nodes": [1, 2]}},
    ]
    content = {"suite": "x", "invocations": 3, "iterations": 4, "benchmarks": entries}
    return timing_plan.make([suites.checked(content)], ["fake"], seed=1)


def record(root: Path, name: str, unit: Unit, *seconds: float, **header: Any) -> None:
    """A run of this unit, whose invocations of two iterations and an audited one took so long."""
    header = {"machine": environment.identity()} | header
    with Writer(root / name / results.TIMINGS, **header) as writer:
        for number, each in enumerate(seconds):
            writer.write(
                unit_record(unit, number, Outcome.PASS, "", seconds=each, samples=2, audits=3)
            )


def test_without_a_recorded_run_there_is_no_estimate(tmp_path: Path) -> None:
    known = Known(tmp_path / "results")
    found = known.of(a_plan().order())
    assert (found.invocations, found.unknown, known.folders) == (12, 12, 0)
    assert known.seconds(a_plan().units[0]) is None


def test_an_estimate_is_the_mean_of_what_the_same_took_by_iterations(tmp_path: Path) -> None:
    pingpong, big, _ = a_plan().units
    record(tmp_path, "a", pingpong, 3.0, 6.0)
    known = Known(tmp_path)
    # 1 s and 2 s for each iteration; four and an audited one are planned.
    assert known.seconds(pingpong) == pytest.approx(7.5)
    assert known.seconds(big) is None
    found = known.of(a_plan().order())
    assert (found.seconds, found.unknown) == (pytest.approx(4 * 7.5), 8)


def test_points_of_a_sweep_are_told_apart(tmp_path: Path) -> None:
    _, one, two = a_plan().units
    record(tmp_path, "a", two, 3.0)
    known = Known(tmp_path)
    assert known.seconds(one) is None
    assert known.seconds(two) == pytest.approx(5.0)
    confined = two.model_copy(update={"cores": (0,)})
    assert known.seconds(confined) is None


def test_a_run_of_another_machine_is_none(tmp_path: Path) -> None:
    unit = a_plan().units[0]
    record(tmp_path, "a", unit, 3.0, machine=environment.identity() | {"id": "another"})
    assert Known(tmp_path).seconds(unit) is None


@pytest.mark.parametrize(("cores", "of_here"), [(os.cpu_count(), True), (0, False)])
def test_an_older_run_is_known_by_its_environment(
    tmp_path: Path, cores: int, of_here: bool
) -> None:
    unit = a_plan().units[0]
    record(tmp_path, "a", unit, 3.0, machine=None)
    said = {"cpu": {"model": environment.cpu_model(), "cores": cores}}
    (tmp_path / "a" / results.ENVIRONMENT).write_text(json.dumps(said))
    assert (Known(tmp_path).seconds(unit) is not None) == of_here


def test_what_crashed_or_was_not_invoked_says_nothing_of_time(tmp_path: Path) -> None:
    unit = a_plan().units[0]
    with Writer(tmp_path / "a" / results.TIMINGS, machine=environment.identity()) as writer:
        writer.write(unit_record(unit, 0, Outcome.CRASH, "", seconds=9, samples=1, audits=1))
        writer.write(unit_record(unit, None, Outcome.NOT_RUN, ""))
    assert Known(tmp_path).seconds(unit) is None


@pytest.mark.parametrize(
    "text", ["", "no json\n", "[]\n", '{"record":"header","machine":3}\n', '{"record":"unit"\n']
)
def test_results_that_cannot_be_read_cost_no_estimate(tmp_path: Path, text: str) -> None:
    unit = a_plan().units[0]
    record(tmp_path, "a", unit, 3.0)
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / results.TIMINGS).write_text(text)
    torn = (tmp_path / "a" / results.TIMINGS).read_text() + '{"record":"unit","impl'
    (tmp_path / "a" / results.TIMINGS).write_text(torn)
    assert Known(tmp_path).seconds(unit) == pytest.approx(5.0)


def test_what_no_invocation_takes_is_no_estimate(tmp_path: Path) -> None:
    """`results/` may have come with a stranger's clone."""
    unit = a_plan().units[0]
    record(tmp_path, "a", unit, 3.0)
    file = tmp_path / "a" / results.TIMINGS
    (line,) = [each for each in file.read_text().splitlines() if '"unit"' in each]
    for there, other in (
        ('"seconds":3.0', '"seconds":1e999'), ('"seconds":3.0', '"seconds":-1e30'),
        ('"network":{', f'"network":{{"delay_ms":1{"0" * 400},'),
    ):  # fmt: skip
        assert there in line
        with file.open("a") as stream:
            stream.write(line.replace(there, other) + "\n")
    assert Known(tmp_path).seconds(unit) == pytest.approx(5.0)
