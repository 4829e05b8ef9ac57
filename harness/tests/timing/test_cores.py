"""An implementation may be confined to some cores, and may be run in one of its variants."""

import os
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from timing_fakes import FakeSession, honest
from timing_kit import FREE

from dramaturg import paths, results
from dramaturg.control import starting
from dramaturg.errors import HarnessFault, ManifestError
from dramaturg.implementation import build, manifest
from dramaturg.implementation.manifest import Implementation, Told
from dramaturg.machine import environment
from dramaturg.orchestration.pinned_builds import found
from dramaturg.outcomes import Outcome
from dramaturg.records import UnitRecord
from dramaturg.results import Writer
from dramaturg.timing.planning import suites, timing_plan
from dramaturg.timing.planning.scenarios import scenario
from dramaturg.timing.planning.suites import SuiteError
from dramaturg.timing.running.runner import AFFINITY_ALONE, Runner

needs_affinity = pytest.mark.skipif(
    bool(environment.why_not_confined()), reason=environment.why_not_confined()
)


def planned(names: list[str], cores: list[int] | None = None, **entry: Any) -> timing_plan.Plan:
    content = {"suite": "test", "invocations": 1, "iterations": 2, "benchmarks": [
        {"benchmark": "pingpong", "scale": "tiny"} | entry
    ]}  # fmt: skip
    return timing_plan.make([suites.checked(content)], names, seed=1, cores=cores)


def test_the_first_cores_are_taken_by_their_numbers() -> None:
    units = planned(["one"], [7, 3, 5], sweep={"cores": [1, 3]}).units
    assert [unit.cores for unit in units] == [(3,), (3, 5, 7)]
    assert [unit.points[0].axes for unit in units] == [{"cores": 1}, {"cores": 3}]


def test_more_cores_than_there_are_is_one_error_when_it_is_planned() -> None:
    with pytest.raises(SuiteError, match=r"^test/1: 3 cores, and this machine has 2 that may be"):
        planned(["one"], [0, 1], sweep={"cores": [1, 2, 3]})


def test_who_does_not_ask_for_cores_is_confined_to_none() -> None:
    assert planned(["one"]).units[0].cores == ()


@pytest.mark.parametrize(
    ("sweep", "says"),
    [
        ({"cores": [0]}, "at cores 0: "),
        ({"cores": [1.0]}, "cores is 1.0; it must be a whole number"),
        ({"cores": [True]}, "cores is True"),
        ({"variant": [3]}, "variant is 3; it must be a variant's name, or plain"),
        ({"variant": [""]}, "at variant '': "),
        ({"variant": ["a b"]}, "at variant 'a b': "),
        ({"variant": ["single", "single"]}, "variant has single twice"),
    ],
)
def test_cores_and_variants_that_cannot_be_are_refused(sweep: dict[str, Any], says: str) -> None:
    with pytest.raises(SuiteError, match=says):
        planned(["one"], sweep=sweep)


def test_each_implementation_is_run_once_in_each_variant() -> None:
    units = planned(["caf", "caf+sharing", "go"], sweep={"variant": ["plain", "sharing"]}).units
    assert [unit.implementation for unit in units] == ["caf", "go", "caf+sharing", "go+sharing"]


CORES = """
[run.cores]
arguments = ["--threads={cores}"]
[run.cores.environment]
THREADS = "{cores}"
"""


@pytest.fixture
def confined(fake: Implementation) -> Implementation:
    file = fake.folder / manifest.FILE_NAME
    file.write_text(file.read_text() + CORES + '[variants.single]\narguments = ["-1"]\n')
    return manifest.load(fake.folder)


def test_a_manifest_says_how_its_runtime_is_told(confined: Implementation) -> None:
    assert confined.told(3) == Told(arguments=["--threads=3"], environment={"THREADS": "3"})
    assert str(confined.told(3)) == "THREADS=3 --threads=3"
    assert confined.told(0) == Told()


def test_a_manifest_that_tells_nothing_is_refused(fake: Implementation) -> None:
    file = fake.folder / manifest.FILE_NAME
    file.write_text(file.read_text() + '[run.cores]\narguments = ["--threads=4"]\n')
    with pytest.raises(ManifestError, match=r"run\.cores: says \{cores\} nowhere"):
        manifest.load(fake.folder)


@pytest.mark.parametrize("file", sorted(paths.IMPLEMENTATIONS.glob("*/dramaturg.toml")), ids=str)
def test_those_here_tell_their_runtime_or_count_cores_themselves(file: Path) -> None:
    # CAF's workers and .NET's pool are as many as their affinity has cores; messaging libraries
    # have a thread for each actor.
    alone = {"caf", "fsharp", "asyncio", "reference", "nanomsg", "nng", "zeromq"}
    assert ("cores" in tomllib.loads(file.read_text())["run"]) == (file.parent.name not in alone)


@needs_affinity
def test_cores_that_are_not_there_are_not_taken_for_others() -> None:
    """A plan for another kernel may have them: its units are not run, and say which are there."""
    here = environment.pinned_to() or []
    assert environment.why_not_confined(here) == ""
    assert f"may be used here: [{here[0]}]" in environment.why_not_confined([here[0], 999])


@needs_affinity
def test_a_process_runs_on_its_cores_alone() -> None:
    here = environment.pinned_to() or []
    implementation = manifest.find("asyncio")
    build.build(implementation)
    with starting.start(implementation, cores=here[:1]) as started:
        assert started.process is not None
        assert os.sched_getaffinity(started.process.pid) == set(here[:1])


@needs_affinity
def test_a_process_that_runs_elsewhere_is_not_timed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(starting, "_only_on", lambda cores: ())
    implementation = manifest.find("asyncio")
    build.build(implementation)
    everywhere = environment.pinned_to() or []
    if len(everywhere) < 2:
        pytest.skip("one core: there is no elsewhere")
    with (
        pytest.raises(HarnessFault, match="was to run on cores"),
        starting.start(implementation, cores=everywhere[:1]),
    ):
        pass


def run(
    folder: Path, made: timing_plan.Plan, those: dict[str, Implementation], start: Any
) -> list[UnitRecord]:
    with Writer(folder / results.TIMINGS) as writer:
        Runner(
            made, those, writer, folder, is_certified=lambda _: True, cost=FREE, start=start
        ).run()
    return results.read(folder / results.TIMINGS).units


def test_records_say_which_cores_and_what_the_runtime_was_told(
    tmp_path: Path, confined: Implementation, start_fake: Callable[..., Any]
) -> None:
    asked: list[Any] = []
    start = start_fake(scenario("pingpong", scale="tiny"), honest, FakeSession)

    def seen(*these: Any, **rest: Any) -> Any:
        asked.append(rest["cores"])
        return start(*these, **rest)

    made = planned(["fake"], [0, 1], sweep={"cores": [1]})
    for told, those in (
        ("THREADS=1 --threads=1", confined),
        (AFFINITY_ALONE, Implementation(confined.folder, _silent(confined))),
    ):
        units = run(tmp_path, made, {"fake": those}, seen)
        assert {(tuple(unit.cores), unit.told, unit.schedulers) for unit in units} == {
            ((0,), told, 1)
        }
    assert set(asked) == {(0,)}
    sample = results.read(tmp_path / results.TIMINGS).samples[0]
    assert sample.cores == [0]
    assert sample.what != sample.model_copy(update={"cores": []}).what


def _silent(of: Implementation) -> manifest.Manifest:
    return of.manifest.model_copy(
        update={"run": of.manifest.run.model_copy(update={"cores": None})}
    )


def test_who_lacks_a_variant_is_unsupported_there_and_run_elsewhere(
    tmp_path: Path, confined: Implementation, start_fake: Callable[..., Any]
) -> None:
    made = planned(["fake"], sweep={"variant": ["plain", "single", "sharing"]})
    those = found(made, [confined], {})
    assert [those[name].variant for name in ("fake", "fake+single", "fake+sharing")] == [
        None, "single", None,
    ]  # fmt: skip
    start = start_fake(scenario("pingpong", scale="tiny"), honest, FakeSession)
    units = run(tmp_path, made, those, start)
    ended = {unit.implementation: unit.outcome for unit in units}
    assert ended["fake"] is ended["fake+single"] is Outcome.PASS
    assert ended["fake+sharing"] is Outcome.UNSUPPORTED
    (lacking,) = [unit for unit in units if unit.outcome is Outcome.UNSUPPORTED]
    assert lacking.message == "fake has no variant 'sharing'; its variants: single"


@pytest.mark.parametrize("named", [[None], ["alone"], [None, "alone"], ["alone", None]])
def test_each_variant_is_run_by_its_own_manifest_whoever_else_was_named(
    fake: Implementation, named: list[str | None]
) -> None:
    file = fake.folder / manifest.FILE_NAME
    file.write_text(file.read_text() + "[variants.alone]\ndistributed = []\n")
    made = planned(["fake", "fake+alone"])
    those = found(made, [manifest.load(fake.folder, each) for each in named], {})
    distributed = {name: each.manifest.distributed for name, each in those.items()}
    assert distributed == {"fake": ["pingpong"], "fake+alone": []}


def test_a_plan_without_taskset_is_not_run_and_says_so(
    tmp_path: Path, confined: Implementation, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(environment.shutil, "which", lambda _: None)
    made = planned(["fake"], [0], sweep={"cores": [1]})
    (unit,) = run(tmp_path, made, {"fake": confined}, None)
    assert unit.outcome is Outcome.NOT_RUN
    assert "taskset is not here" in unit.message
