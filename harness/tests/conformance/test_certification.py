"""*Certified* means every planned case, of every required level, of this very build."""

import json
import os
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from dramaturg import paths, results
from dramaturg.cases import cases
from dramaturg.conformance import certification
from dramaturg.conformance.certification import certify
from dramaturg.conformance.plugin import Task
from dramaturg.control import starting
from dramaturg.control.session import Session
from dramaturg.implementation.manifest import Implementation, find, load
from dramaturg.levels import REQUIRED
from dramaturg.machine import capabilities
from dramaturg.outcomes import Outcome, worst
from dramaturg.plan.case_plan import idle_patterns, make
from dramaturg.records import CaseRecord
from dramaturg.standing import CHANGED, Standing


def record(outcome: Outcome, level: int = 0, known: str = "") -> CaseRecord:
    return CaseRecord(
        implementation="x", level=level, benchmark="chatapp", case="c", outcome=outcome, known=known
    )


def standing(*records: CaseRecord, planned: int | None = None) -> Standing:
    made = Standing("x", "digest", len(records) if planned is None else planned)
    made.records, made.levels = list(records), list(REQUIRED)
    return made


def test_all_planned_cases_passed_is_certified() -> None:
    assert standing(record(Outcome.PASS), record(Outcome.PASS, 1)).certified


@pytest.mark.parametrize("outcome", [outcome for outcome in Outcome if outcome != Outcome.PASS])
def test_any_other_outcome_is_not_certified(outcome: Outcome) -> None:
    judged = standing(record(Outcome.PASS), record(outcome))
    assert not judged.certified
    assert judged.outcome is outcome


def test_a_run_that_ends_short_of_its_plan_is_not_run() -> None:
    judged = standing(record(Outcome.PASS), planned=2)
    assert judged.outcome is Outcome.NOT_RUN
    assert not judged.certified


def test_nothing_at_all_is_not_run() -> None:
    assert worst([]) is Outcome.NOT_RUN
    assert standing().outcome is Outcome.NOT_RUN


def test_a_known_failure_does_not_count_and_does_not_certify() -> None:
    judged = standing(record(Outcome.PASS), record(Outcome.FAIL, known="reason"))
    assert judged.outcome is Outcome.PASS
    assert not judged.certified


def test_where_nothing_is_distributed_the_network_is_not_why_it_is_left_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    without = SimpleNamespace(why_no_mininet="no root")
    monkeypatch.setattr(capabilities, "probe", lambda: without)
    levels, why = certification.usual_levels([find("reference")])
    assert levels == list(REQUIRED)
    assert why.startswith("distributed: reference distributes nothing: ")
    assert "no root" not in why
    _, why = certification.usual_levels([find("reference"), find("erlang")])
    assert why == "distributed: no emulated network: no root"


def test_a_level_left_out_is_not_certified() -> None:
    judged = standing(record(Outcome.PASS))
    judged.levels = [0, 1]
    assert not judged.certified


def test_outcomes_have_distinct_exit_codes() -> None:
    codes = [outcome.exit_code for outcome in Outcome]
    assert len(set(codes)) == len(codes)
    assert Outcome.PASS.exit_code == 0
    assert 2 not in codes  # usage errors


def add(folder: Path, text: str) -> Implementation:
    with (folder / "dramaturg.toml").open("a") as manifest:
        manifest.write(text)
    return load(folder)


def test_a_certified_build_is_remembered_until_anything_it_stands_for_changes(
    reference_copy: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("standing", "conformance.certification"):
        monkeypatch.setattr(f"dramaturg.{module}.REQUIRED", (0,))
    implementation = load(reference_copy)
    done = certify(make([implementation], [0]), tmp_path / "results")
    assert done.exit_code == 0
    assert certification.is_certified(implementation)
    with monkeypatch.context() as patch:
        patch.setattr(certification, "REQUIRED", (0, 5))
        assert not certification.is_certified(implementation)
    with monkeypatch.context() as patch:
        patch.setattr(cases, "digest", lambda: "other cases")
        assert not certification.is_certified(implementation)
    add(reference_copy, "# changed\n")
    assert not certification.is_certified(load(reference_copy))


def test_a_build_that_changes_while_it_is_judged_is_not_certified(
    reference_copy: Path, tmp_path: Path
) -> None:
    done = certify(
        make([load(reference_copy)], [0]), tmp_path, pytest_arguments=["-k", "introduces"],
        watch=lambda record, explanation: (reference_copy / "new.py").touch(),
    )  # fmt: skip
    (judged,) = done.standings.values()
    assert judged.obstacles[0] == CHANGED


def test_what_was_attached_to_may_be_any_build_and_is_not_certified(tmp_path: Path) -> None:
    reference = find("reference")
    with starting.start(reference) as started:
        done = certify(make([reference], [0]), tmp_path, connected=started)
    (judged,) = done.standings.values()
    assert judged.obstacles[0].startswith("connected, not certified")
    assert results.read(tmp_path / results.CONFORMANCE).header["void"] == judged.void


def test_the_cases_of_a_certificate_run_again_certify_nothing(tmp_path: Path) -> None:
    only = ["reference/0-handshake/control/introduces-itself"]
    done = certify(make([find("reference")], [0]).only(only), tmp_path)
    (judged,) = done.standings.values()
    assert [record.case for record in judged.records] == ["introduces-itself"]
    assert judged.outcome is Outcome.PASS
    assert judged.obstacles[0] == "only some of the cases"


def test_a_stale_known_failure_is_a_failure(reference_copy: Path, tmp_path: Path) -> None:
    implementation = add(reference_copy, '[known_failures]\n"1-serial/*/set-up-only" = "not yet"\n')
    done = certify(
        make([implementation], [1]), tmp_path / "r", pytest_arguments=["-k", "set-up-only"]
    )
    (judged,) = done.standings.values()
    assert judged.records[0].outcome is Outcome.FAIL
    assert "passes now" in judged.records[0].message


def test_a_known_failure_pattern_that_matches_nothing_is_an_error(reference_copy: Path) -> None:
    implementation = add(reference_copy, '[known_failures]\n"*/no-such-case" = "typo"\n')
    assert idle_patterns(implementation) == ["*/no-such-case"]
    done = certify(
        make([implementation], [1]), reference_copy / "r", pytest_arguments=["-k", "one-round"]
    )
    (judged,) = done.standings.values()
    assert {record.outcome for record in judged.records} == {Outcome.PASS}
    assert "no-such-case" in judged.manifest_problems[0]
    judged.planned = len(judged.records)
    assert judged.outcome is Outcome.FAIL


@pytest.mark.parametrize("workers", ["0", "2"])
def test_what_the_user_has_set_for_tests_of_their_own_has_no_part_in_a_verdict(
    reference_copy: Path, monkeypatch: pytest.MonkeyPatch, workers: str
) -> None:
    theirs = {
        "PYTEST_ADDOPTS": "-v --no-such-option",
        "PYTEST_PLUGINS": "no_such_plugin",
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "",
    }
    for name, value in theirs.items():
        monkeypatch.setenv(name, value)
    done = certify(
        make([load(reference_copy)], [1]),
        reference_copy / "r",
        pytest_arguments=["-k", "pingpong", "-n", workers],
    )
    (judged,) = done.standings.values()
    assert {record.outcome for record in judged.records} == {Outcome.PASS}
    assert {name: os.environ.get(name) for name in theirs} == theirs


def test_a_missing_toolchain_is_an_outcome_for_every_case(
    reference_copy: Path, tmp_path: Path
) -> None:
    manifest = reference_copy / "dramaturg.toml"
    manifest.write_text(
        manifest.read_text()
        .replace("--version", "--version")
        .replace('minimum = "3.11"', 'minimum = "99"')
    )
    done = certify(make([load(reference_copy)], [0]), tmp_path / "results")
    (judged,) = done.standings.values()
    assert {r.outcome for r in judged.records} == {Outcome.TOOLCHAIN_MISSING}
    assert len(judged.records) == judged.planned
    assert "needed is 99" in judged.records[0].message
    assert done.exit_code == 6


def test_a_benchmark_that_is_not_implemented_is_unsupported(
    reference_copy: Path, tmp_path: Path
) -> None:
    manifest = reference_copy / "dramaturg.toml"
    text = manifest.read_text()
    start, end = text.index("benchmarks = ["), text.index("]") + 1
    manifest.write_text(text[:start] + 'benchmarks = ["chatapp"]' + text[end:])
    implementation = load(reference_copy)
    planned = {item.case.benchmark for item in make([implementation], REQUIRED).items}
    assert planned == {"chatapp", "control"}
    done = certify(
        make([implementation], [1]), tmp_path / "r", pytest_arguments=["-k", "without-friends"]
    )
    (judged,) = done.standings.values()
    assert "pingpong" in judged.unsupported
    assert {record.benchmark for record in judged.records} == {"chatapp"}


def test_a_build_that_fails_says_with_what(reference_copy: Path, tmp_path: Path) -> None:
    manifest = reference_copy / "dramaturg.toml"
    text = 'commands = [["sh", "-c", "echo no such header >&2; exit 7"]]'
    manifest.write_text(manifest.read_text().replace("commands = []", text))
    done = certify(make([load(reference_copy)], [0]), tmp_path / "r", pytest_arguments=["-x"])
    (judged,) = done.standings.values()
    assert judged.records[0].outcome is Outcome.FAIL
    assert "no such header" in judged.records[0].message
    assert "ended with 7" in judged.records[0].message


def test_cases_run_in_parallel_workers_come_to_the_same_verdict(tmp_path: Path) -> None:
    done = certify(make([find("reference")], [0, 1]), tmp_path, pytest_arguments=["-n", "2"])
    (judged,) = done.standings.values()
    assert judged.planned == len(judged.records)
    assert {r.outcome for r in judged.records} == {Outcome.PASS}
    recorded = results.read(tmp_path / results.CONFORMANCE)
    assert recorded.complete
    assert len(recorded.cases) == judged.planned


def test_parallel_workers_are_handed_the_plan_and_make_none(tmp_path: Path) -> None:
    whole = make([find("reference")], [0])
    part = whole.only([item.path for item in whole.items[1:4]])
    done = certify(part, tmp_path, pytest_arguments=["-n", "2"])
    (judged,) = done.standings.values()
    assert judged.planned == 3
    assert {record.case for record in judged.records} == {item.case.name for item in part.items}
    assert done.errors == []


def test_many_cases_run_side_by_side_unless_the_user_says_otherwise(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The words that pytest is given show it; the results of workers are asked above."""
    monkeypatch.setattr(os, "sched_getaffinity", lambda pid: set(range(64)))
    given = []

    def noted(words: list[str], *ignored: object) -> int:
        given.append(words)
        return 0

    monkeypatch.setattr(certification, "_pytest", noted)
    many, few = make([find("reference")], [0, 1]), make([find("reference")], [0])
    certify(many, tmp_path / "many")
    certify(few, tmp_path / "few")
    certify(many, tmp_path / "said", pytest_arguments=["-n", "0"])
    connected = cast("Session", object())
    certify(many, tmp_path / "attached", connected=connected, pytest_arguments=["-n", "4"])
    alone = ["-n", "4", "-n", "0", "--capture=no"]
    assert given == [["-n", "4", "--dist", "worksteal"], [], ["-n", "0"], alone]


def test_junit_xml_goes_through_to_pytest(tmp_path: Path) -> None:
    file = tmp_path / "own.xml"
    arguments = ["-k", "one-round", f"--junitxml={file}"]
    certify(make([find("reference")], [1]), tmp_path / "r", pytest_arguments=arguments)
    assert "pingpong-one-round" in file.read_text()


def test_a_failed_run_can_be_replayed_from_its_file(tmp_path: Path) -> None:
    from click.testing import CliRunner

    from dramaturg.cli.replay import replay

    mutant = find(f"{paths.CONFORMANCE}/mutants+dropped_forward")
    done = certify(make([mutant], [1]), tmp_path, pytest_arguments=["-x"])
    (judged,) = done.standings.values()
    wrong = next(r for r in judged.records if r.outcome is Outcome.FAIL)
    file = wrong.command.split()[-1]
    said = CliRunner().invoke(replay, [file, "--json"])
    assert said.exit_code == 1
    assert json.loads(said.output)["divergence"] == wrong.divergence


@pytest.mark.parametrize(
    ("why", "interrupted", "errors"),
    [
        (KeyboardInterrupt(), True, []),
        (pytest.Session.Interrupted("gw0 ended early"), False, ["pytest stopped: gw0 ended early"]),
        (pytest.Session.Interrupted("stopping after 1 failures"), False, []),
    ],
)
def test_what_stops_pytest_is_no_interrupt_and_is_said(
    why: BaseException,
    interrupted: bool,
    errors: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    task = Task(make([find("reference")], [0]), tmp_path)
    recorder = certification._Recorder(lambda record, explanation: None)

    def stop(session: pytest.Session) -> None:
        raise why

    monkeypatch.setattr(recorder, "pytest_runtestloop", stop, raising=False)
    monkeypatch.setattr(certification, "_Recorder", lambda take: recorder)
    done = certification._perform(["-n", "0"], task, lambda record, explanation: None)
    assert (done.interrupted, done.errors) == (interrupted, errors)
