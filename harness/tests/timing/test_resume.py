"""An interrupted run goes on where it was, and nothing it measured is lost."""

import contextlib
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from dramaturg import results
from dramaturg.machine import environment
from dramaturg.outcomes import Outcome
from dramaturg.records import SampleRecord
from dramaturg.results import ResultsError, Writer
from dramaturg.timing.planning import resume, suites, timing_plan
from dramaturg.timing.planning.suites import NetworkRequest
from dramaturg.timing.planning.timing_plan import Plan, Unit
from dramaturg.timing.planning.unit_records import speaks_of, unit_record

HERE = {
    "builds": {"fake": "b"},
    "kernel": "6",
    "machine": {"cpu": "x", "id": "1"},
    "harness": {"version": "0.1.0", "digest": "d"},
}
PLAN = timing_plan.make([suites.load("tiny")], ["fake"], seed=1)


def _sample(unit: Unit, invocation: int, iteration: int) -> SampleRecord:
    return SampleRecord(
        implementation="fake", build="b", **unit.scenario.called(), network={"kind": "local"},
        invocation=invocation, iteration=iteration, valid=True, certified=True, receipt={},
        salt=7, setup_nanos=1, runtime_nanos=0, run_nanos=1, teardown_nanos=1,
    )  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """One invocation ended, one unit was not run, one invocation was cut short."""
    first, second = PLAN.units[0], PLAN.units[1]
    header = {"plan": PLAN.model_dump(mode="json"), **HERE}
    with Writer(tmp_path / results.TIMINGS, **header) as writer:
        for iteration in range(2):
            writer.write(_sample(first, 0, iteration))
        writer.write(unit_record(first, 0, Outcome.PASS, "", samples=2))
        writer.write(unit_record(second, None, Outcome.NOT_RUN, "not certified"))
        writer.write(_sample(PLAN.units[2], 0, 0))
        writer.abandon()
    return tmp_path


def test_what_ended_is_kept_and_the_rest_is_run_again(folder: Path) -> None:
    before = resume.find(folder)
    assert before.plan == PLAN
    assert [unit.outcome for unit in before.done] == [Outcome.PASS]
    assert [sample.iteration for sample in before.samples] == [0, 1]


def test_resumed_results_begin_with_what_was_complete(folder: Path) -> None:
    before = resume.find(folder)
    with resume.begin(folder, before.header, before):
        pass
    recorded = results.read(folder / results.TIMINGS)
    assert len(recorded.samples) == 2
    assert len(recorded.units) == 1
    assert recorded.complete


def test_nothing_of_the_interrupted_file_is_deleted(folder: Path) -> None:
    text = (folder / results.TIMINGS).read_text()
    before = resume.find(folder)
    resume.begin(folder, before.header, before).__exit__(KeyboardInterrupt)
    assert (folder / "timings.interrupted-1.jsonl").read_text() == text
    again = (folder / results.TIMINGS).read_text()
    with resume.begin(folder, before.header, before):
        pass
    assert (folder / "timings.interrupted-2.jsonl").read_text() == again


def test_a_new_run_in_the_same_folder_keeps_the_earlier_one(folder: Path) -> None:
    text = (folder / results.TIMINGS).read_text()
    with resume.begin(folder, {}, None):
        pass
    assert results.read(folder / results.TIMINGS).units == []
    assert (folder / "timings.earlier-1.jsonl").read_text() == text


@pytest.mark.parametrize("name", [results.TIMINGS, results.ENVIRONMENT])
def test_a_folder_in_the_place_of_a_file_is_set_aside(folder: Path, name: str) -> None:
    (folder / name).unlink(missing_ok=True)
    (folder / name / "kept").mkdir(parents=True)
    with resume.begin(folder, {}, None):
        pass
    aside = Path(name)
    assert (folder / f"{aside.stem}.earlier-1{aside.suffix}" / "kept").is_dir()
    assert results.read(folder / results.TIMINGS).complete


def test_what_cannot_be_begun_leaves_the_interrupted_run_to_be_resumed(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise results.RecordsLost("no space left")

    before = resume.find(folder)
    monkeypatch.setattr(Writer, "write", full)
    with pytest.raises(results.RecordsLost):
        resume.begin(folder, before.header, before)
    assert resume.find(folder).done == before.done


class Killed(BaseException):
    """Nothing that comes after is done."""


def killed_after(steps: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """So many files get another name, and no more."""
    left = iter(range(steps))

    def counted(step: Callable[..., None]) -> Callable[..., None]:
        def named(*words: Any, **more: Any) -> None:
            if next(left, None) is None:
                raise Killed
            step(*words, **more)

        return named

    for name in ("rename", "replace", "link"):
        monkeypatch.setattr(os, name, counted(getattr(os, name)))


SAID = {"fake": {"runtime": "Fake", "runtime_version": "1"}}


@pytest.mark.parametrize("steps", range(4))
def test_whoever_is_killed_while_it_is_resumed_has_lost_nothing(
    folder: Path, steps: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / results.ENVIRONMENT).write_text(json.dumps({"implementations": SAID}))
    before = resume.find(folder)
    with monkeypatch.context() as patched, contextlib.suppress(Killed):
        killed_after(steps, patched)
        resume.begin(folder, before.header, before)
    again = resume.find(folder)
    assert (again.done, again.samples) == (before.done, before.samples)
    assert again.described == SAID


@pytest.mark.parametrize("has_links", [True, False])
def test_the_environment_of_an_interrupted_run_is_kept_when_it_is_written_anew(
    folder: Path, has_links: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: object, **more: object) -> None:
        raise PermissionError

    if not has_links:
        monkeypatch.setattr(os, "link", refused)
    environment.write(folder, {"load": 1})
    before = resume.find(folder)
    with resume.begin(folder, before.header, before):
        environment.write(folder, {"load": 2})
    for name, load in (("environment.interrupted-1.json", 1), (results.ENVIRONMENT, 2)):
        assert json.loads((folder / name).read_text()) == {"load": load}


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"builds": {"fake": "c"}}, "its builds are not those of now .fake: then b, now c"),
        ({"kernel": "7"}, "its kernel is not that of now .then 6, now 7"),
        ({"machine": {"cpu": "x", "id": "2"}}, "its machine is not that of now .id: then 1, now 2"),
        (
            {"harness": {"version": "0.1.0", "digest": "e"}},
            "its harness is not that of now .digest: then d, now e",
        ),
    ],
)
def test_another_build_kernel_machine_or_harness_is_not_mixed_in(
    folder: Path, change: dict[str, Any], says: str
) -> None:
    resume.check(resume.find(folder), HERE)
    with pytest.raises(ResultsError, match=says):
        resume.check(resume.find(folder), HERE | change)


def test_a_run_that_does_not_say_where_it_was_is_not_gone_on_with(tmp_path: Path) -> None:
    header = {key: value for key, value in HERE.items() if key != "machine"}
    with Writer(tmp_path / results.TIMINGS, plan=PLAN.model_dump(mode="json"), **header) as writer:
        writer.abandon()
    with pytest.raises(ResultsError, match=r"machine is not that of now .then not recorded, now"):
        resume.check(resume.find(tmp_path), HERE)


def test_a_complete_run_is_not_resumed(tmp_path: Path) -> None:
    with Writer(tmp_path / results.TIMINGS, plan=PLAN.model_dump(mode="json")):
        pass
    with pytest.raises(ResultsError, match="complete"):
        resume.find(tmp_path)


def test_a_record_speaks_of_the_network_that_was_asked_for() -> None:
    def unit(**network: Any) -> Unit:
        return PLAN.units[0].model_copy(update={"network": NetworkRequest(**network)})

    two, shaped = unit(nodes=2), unit(nodes=2, bandwidth=10)
    built = {"kind": "loopback", "nodes": 2, "note": "not root"}
    record = unit_record(two, 0, Outcome.PASS, "", network=built)
    assert speaks_of(record, two)
    assert not speaks_of(record, shaped)
    assert not speaks_of(record, PLAN.units[0])


def test_a_record_speaks_of_the_cores_that_it_was_confined_to() -> None:
    one, two = (PLAN.units[0].model_copy(update={"cores": cores}) for cores in ((0,), (0, 1)))
    record = unit_record(one, 0, Outcome.PASS, "")
    assert speaks_of(record, one)
    assert not speaks_of(record, two)
    assert not speaks_of(record, PLAN.units[0])


def test_warm_up_found_at_the_end_marks_the_samples_before_it(tmp_path: Path) -> None:
    unit = PLAN.units[0]
    with Writer(tmp_path / results.TIMINGS) as writer:
        for invocation in range(2):
            for iteration in range(3):
                writer.write(_sample(unit, invocation, iteration))
            writer.write(
                unit_record(unit, invocation, Outcome.PASS, "", samples=3, warmup=invocation)
            )
    marked = [sample.warmup for sample in results.read(tmp_path / results.TIMINGS).samples]
    assert marked == [False, False, False, True, False, False]


def test_an_empty_plan_has_no_order() -> None:
    assert Plan(suites=[], seed=1, units=[]).order() == []
