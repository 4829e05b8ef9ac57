"""Warm-up that was measured once: what is found, when it is used, and what is said of it."""

import json
from pathlib import Path
from typing import Any

import pytest

from dramaturg import results
from dramaturg.machine import environment
from dramaturg.outcomes import Outcome
from dramaturg.records import SampleRecord
from dramaturg.results import ResultsError, Writer
from dramaturg.timing.planning import suites, timing_plan, warmups
from dramaturg.timing.planning.timing_plan import Plan, Unit
from dramaturg.timing.planning.unit_records import unit_record
from dramaturg.timing.planning.warmups import Here, Measured

MACHINE = environment.identity()
SUITE = suites.checked(
    {
        "suite": "x",
        "iterations": 4,
        "warmup": 1,
        "benchmarks": [{"benchmark": "pingpong", "scale": "tiny"}],
    }
)
MADE = timing_plan.make([SUITE], ["fake"], seed=1)
ENVIRONMENT = {"implementations": {"fake": {"runtime": "Fake", "runtime_version": "7"}}}
HERE = Here(MACHINE, {"fake": "7"}, {"fake": "b"})


def _samples(unit: Unit, invocation: int, slow: int, many: int = 100) -> list[SampleRecord]:
    """So many iterations, the first of which take three times as long."""
    return [
        SampleRecord(
            implementation=unit.implementation, build="b", **unit.scenario.called(),
            network={"kind": "local"}, invocation=invocation, iteration=number, valid=True,
            certified=True, receipt={}, salt=7, setup_nanos=1, runtime_nanos=0,
            run_nanos=3000 if number < slow else 1000 + number % 7, teardown_nanos=1,
        )
        for number in range(many)
    ]  # fmt: skip


def _run(folder: Path, *slow: int, many: int = 100, complete: bool = True, **header: Any) -> Path:
    """A session with an invocation of each of these warm-ups."""
    made = warmups.longer(MADE)
    (unit,) = made.units
    folder.mkdir(exist_ok=True)
    said = {"plan": made.model_dump(mode="json"), "machine": MACHINE, "kernel": "6"} | header
    with Writer(folder / results.TIMINGS, **said) as writer:
        for number, each in enumerate(slow):
            for sample in _samples(unit, number, each, many):
                writer.write(sample)
            writer.write(unit_record(unit, number, Outcome.PASS, "", samples=many))
        if not complete:
            writer.abandon()
    (folder / results.ENVIRONMENT).write_text(json.dumps(ENVIRONMENT))
    return folder


def _found(folder: Path, environment: Any = ENVIRONMENT) -> tuple[list[Measured], list[str]]:
    return warmups.found(folder, results.read(folder / results.TIMINGS), environment)


def _measured(tmp_path: Path, *slow: int) -> Measured:
    (one,), lacking = _found(_run(tmp_path / "run", *slow))
    assert lacking == []
    return one


def _only(made: Plan) -> Unit:
    (unit,) = made.units
    return unit


def test_it_is_measured_by_three_invocations_of_a_hundred_iterations() -> None:
    unit = _only(warmups.longer(MADE))
    assert (unit.invocations, unit.iterations, unit.warmup) == (3, 100, 0)


def test_the_slowest_of_three_counts(tmp_path: Path) -> None:
    one = _measured(tmp_path, 7, 10, 8)
    assert one.warmups == [7, 10, 8]
    assert (one.warmup, one.settled, one.session) == (10, True, "run")
    assert (one.runtime, one.runtime_version, one.build) == ("Fake", "7", "b")


def test_a_suite_runs_as_many_more_iterations_as_warm_up(tmp_path: Path) -> None:
    unit = _only(warmups.applied(MADE, [_measured(tmp_path, 7, 10, 8)], HERE))
    assert (unit.iterations, unit.warmup) == (13, 10)
    assert unit.warmup_note == "measured (3 x 100 iterations, run): 10 iterations"
    assert unit.invocations == _only(MADE).invocations


def test_what_the_suite_says_is_the_least(tmp_path: Path) -> None:
    unit = _only(warmups.applied(MADE, [_measured(tmp_path, 0, 0, 0)], HERE))
    assert (unit.iterations, unit.warmup) == (4, 1)
    assert "0 iterations" in unit.warmup_note


def test_what_never_settled_is_said_and_not_used(tmp_path: Path) -> None:
    one = _measured(tmp_path, 7, 60, 8)
    unit = _only(warmups.applied(MADE, [one], HERE))
    # From 60 slow iterations of 100 on it is the second half that is slow in part.
    assert one.settled is (one.warmup < 50)
    late = one.model_copy(update={"settled": False})
    unit = _only(warmups.applied(MADE, [late], HERE))
    assert (unit.iterations, unit.warmup) == (4, 1)
    assert "not settled within half of them, so as the suite says" in unit.warmup_note


@pytest.mark.parametrize(
    ("here", "says"),
    [
        (Here(MACHINE | {"id": "other"}, {"fake": "7"}, {}), "the machine was another (id: then"),
        (Here(MACHINE | {"cores": 99}, {"fake": "7"}, {}), "(cores: then"),
        (Here(MACHINE, {"fake": "8"}, {}), "the runtime was 7 and is 8"),
    ],
)
def test_what_is_out_of_date_is_said_and_not_used(tmp_path: Path, here: Here, says: str) -> None:
    unit = _only(warmups.applied(MADE, [_measured(tmp_path, 7, 10, 8)], here))
    assert (unit.iterations, unit.warmup) == (4, 1)
    assert "is out of date" in unit.warmup_note
    assert says in unit.warmup_note


def test_another_build_of_the_same_runtime_is_said_and_used(tmp_path: Path) -> None:
    here = Here(MACHINE, {"fake": "7"}, {"fake": "c"})
    unit = _only(warmups.applied(MADE, [_measured(tmp_path, 7, 10, 8)], here))
    assert unit.warmup == 10
    assert "on another build of the same runtime" in unit.warmup_note


def test_a_build_of_a_revision_warms_up_as_its_name_does(tmp_path: Path) -> None:
    made = timing_plan.make([SUITE], ["fake@v1", "fake+fast"], seed=1)
    one, other = warmups.applied(made, [_measured(tmp_path, 7, 10, 8)], HERE).units
    assert (one.warmup, other.warmup) == (10, 1)
    assert other.warmup_note == ""


def test_of_what_was_not_measured_nothing_is_said() -> None:
    assert warmups.applied(MADE, [], HERE) == MADE
    assert warmups.concerned(MADE, []) == []


@pytest.mark.parametrize(
    ("slow", "many", "says"),
    [
        ((7, 10), 100, "2 invocations of 100 iterations; 3 of 100 or more are needed"),
        ((7, 8, 9), 30, "3 invocations of 30 iterations"),
        ((), 100, "not run"),
    ],
)
def test_too_few_show_nothing_and_say_so(
    tmp_path: Path, slow: tuple[int, ...], many: int, says: str
) -> None:
    measured, (said,) = _found(_run(tmp_path / "run", *slow, many=many))
    assert measured == []
    assert says in said


def test_what_failed_shows_nothing(tmp_path: Path) -> None:
    folder = _run(tmp_path / "run", 7, 8, 9)
    file = folder / results.TIMINGS
    file.write_text(file.read_text().replace('"valid":true', '"valid":false', 1))
    measured, (said,) = _found(folder)
    assert measured == []
    assert "invocation 0, iteration 0" in said


@pytest.mark.parametrize("environment", [{}, {"implementations": 7}, {"implementations": {}}])
def test_a_runtime_that_is_not_known_is_said(tmp_path: Path, environment: dict[str, Any]) -> None:
    measured, (said,) = _found(_run(tmp_path / "run", 7, 8, 9), environment)
    assert measured == []
    assert "does not say which runtime ran" in said


def test_an_interrupted_measurement_is_refused_with_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(ResultsError, match=r"bench --resume .* goes on, and then .*--from"):
        _found(_run(tmp_path / "run", 7, complete=False))


def test_what_has_no_plan_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ResultsError, match="no plan that can be read"):
        _found(_run(tmp_path / "run", 7, 8, 9, plan=7))


def test_what_is_kept_is_read_and_the_same_takes_the_place_of_the_same(tmp_path: Path) -> None:
    file = tmp_path / "results" / warmups.FILE
    assert warmups.read(file) == []
    first = _measured(tmp_path, 7, 10, 8)
    other = first.model_copy(update={"implementation": "zebra"})
    warmups.keep(file, [first, other])
    later = first.model_copy(update={"warmups": [1, 2, 3]})
    warmups.keep(file, [later])
    assert warmups.read(file) == [later, other]


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"version": 2, "measured": []}', "\xff"])
def test_a_file_that_is_none_is_refused_with_its_name(tmp_path: Path, text: str) -> None:
    file = tmp_path / warmups.FILE
    file.write_text(text, encoding="latin-1")
    for act in (lambda: warmups.read(file), lambda: warmups.keep(file, [])):
        with pytest.raises(ResultsError, match=r"warmup\.json is no record of warm-up"):
            act()


@pytest.mark.parametrize(
    "lie", [{"warmups": [1_000_000]}, {"warmups": [-1]}, {"iterations": 10**9}, {"iterations": 0}]
)
def test_a_warm_up_that_cannot_have_been_is_refused(tmp_path: Path, lie: dict[str, Any]) -> None:
    file = tmp_path / warmups.FILE
    warmups.keep(file, [_measured(tmp_path, 7, 10, 8)])
    said = json.loads(file.read_text())
    said["measured"][0] |= lie
    file.write_text(json.dumps(said))
    with pytest.raises(ResultsError, match="is no record of warm-up"):
        warmups.read(file)
