"""Bad input of a history: one clear message that says what, where, and what to do."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from history_kit import FIRST, PIN, session, sessions

from dramaturg import results
from dramaturg.cli.history import history
from dramaturg.history import lines
from dramaturg.results import ResultsError


def _refused(*words: object) -> str:
    done = CliRunner().invoke(history, [str(word) for word in words])
    if done.exit_code == 2:  # click's own
        return done.output
    assert isinstance(done.exception, ResultsError), done.output
    said = str(done.exception)
    assert "\n" not in said
    return said


def test_no_folder_is_a_usage_error() -> None:
    assert "name results folders" in _refused()


def test_folders_that_are_none_are_refused_by_name(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "file").write_text("")
    assert "nowhere: there is no such folder" in _refused(tmp_path / "nowhere")
    assert "file: there is no such folder" in _refused(tmp_path / "file")
    assert "empty is no results folder, and has none in it" in _refused(tmp_path / "empty")


def test_sessions_without_a_pinned_build_are_refused_with_what_to_do(tmp_path: Path) -> None:
    root = sessions(tmp_path / "results", [1.0, 1.0], pinned=[])
    said = _refused(root)
    assert "none of 2 sessions has a baseline" in said
    assert "bench --baseline" in said
    said = _refused(root, "--baseline", "cobol")
    assert "no session has timed an implementation of that name" in said


def test_one_session_of_several_without_a_pinned_build_is_named(tmp_path: Path) -> None:
    root = sessions(tmp_path / "results", [1.0, 1.0])
    session(tmp_path / "results" / "plain", 1.0, 5, pinned=[])
    done = CliRunner().invoke(history, [str(root)])
    assert done.exit_code == 0
    assert "plain has no baseline" in done.stderr


def test_two_sessions_of_the_same_moment_are_refused_with_both_names(tmp_path: Path) -> None:
    root = sessions(tmp_path / "results", [1.0, 1.0])
    session(root / "copy", 1.0, 1)
    said = _refused(root)
    assert "day-001" in said
    assert "copy" in said
    assert "began at the same moment" in said


def test_the_same_moment_on_two_machines_is_none_of_our_business(tmp_path: Path) -> None:
    root = sessions(tmp_path / "results", [1.0, 1.0])
    session(root / "other", 1.0, 1, machine={"id": "two"})
    assert CliRunner().invoke(history, [str(root)]).exit_code == 0


@pytest.mark.parametrize("started", [None, "soon", -1, True, [], 1e300])
def test_a_session_without_a_time_is_refused(tmp_path: Path, started: Any) -> None:
    folder = session(tmp_path / "a", 1.0, 0, started=started)
    assert "timings.jsonl:1 does not say when it began" in _refused(folder)


@pytest.mark.parametrize(
    "text", [None, "{}", "[]", "null", '{"cpu": {"model": "x"}}', '{"kernel": {"release": "6"}}']
)
def test_a_session_that_says_nothing_of_its_machine_is_refused(
    tmp_path: Path, text: str | None
) -> None:
    folder = session(tmp_path / "a", 1.0, 0)
    (folder / results.ENVIRONMENT).unlink()
    if text is not None:
        (folder / results.ENVIRONMENT).write_text(text)
    assert "says nothing of its machine" in _refused(folder)


@pytest.mark.parametrize(
    "pinned", [7, "erlang@v1", {}, [7], [{}], [PIN | {"build": 7}], [PIN | {"more": 1}]]
)
def test_pinned_builds_that_cannot_be_read_are_refused(tmp_path: Path, pinned: Any) -> None:
    folder = session(tmp_path / "a", 1.0, 0, pinned=pinned)
    assert "timings.jsonl:1: its baselines cannot be read" in _refused(folder)


def test_a_damaged_record_is_refused_with_its_line(tmp_path: Path) -> None:
    root = sessions(tmp_path / "results", [1.0, 1.0])
    file = root / "day-001" / results.TIMINGS
    told = file.read_text().splitlines()
    told[3] = told[3].replace('"run_nanos":', '"run_nanos":"x')
    file.write_text("\n".join(told) + "\n")
    assert "day-001/timings.jsonl:4: " in _refused(root)


def test_more_sessions_than_a_history_has_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = sessions(tmp_path / "results", [1.0] * 3)
    monkeypatch.setattr(lines, "MOST_SESSIONS", 2)
    assert "3 results folders; a history has 2 at most" in _refused(root)


@pytest.mark.parametrize(
    "header",
    [
        {"machine": 7},
        {"machine": {"id": ["x"]}},
        {"harness": 7},
        {"harness": {"digest": 7}},
        {"commits": 7},
        {"commits": {"erlang": 7}},
        {"commits": {"erlang": {"commit": 7}}},
        {"plan": 7},
        {"plan": {"units": 7}},
        {"plan": {"units": [7, {"scenario": 7}]}},
    ],
)
def test_a_header_of_nonsense_is_no_traceback(tmp_path: Path, header: dict[str, Any]) -> None:
    folder = session(tmp_path / "a", 1.0, 0, **header)
    done = CliRunner().invoke(history, [str(folder), "--json"])
    assert done.exit_code == 0, done.output
    (line,) = json.loads(done.stdout)["lines"]
    assert line["stretches"][0]["points"][0]["started"] == FIRST


def test_times_that_cannot_be_are_a_gap_and_no_overflow(tmp_path: Path) -> None:
    folder = session(tmp_path / "a", 1e-7, 0)
    huge = session(tmp_path / "b", 1.0, 1)
    file = huge / results.TIMINGS
    file.write_text(file.read_text().replace('"run_nanos":1', '"run_nanos":' + "9" * 14))
    done = CliRunner().invoke(history, [str(folder), str(huge), "--json"])
    assert done.exit_code == 0, done.output


def test_sessions_are_read_in_a_process_with_limits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = session(tmp_path / "a", 1.0, 0)
    monkeypatch.setattr(results, "read", lambda file: pytest.fail("it was read here"))
    assert CliRunner().invoke(history, [str(folder)]).exit_code == 0
    monkeypatch.setenv("DRAMATURG_LIMITS", "0.000001")
    said = _refused(folder)
    assert "a: reading it takes more than" in said and "which is the limit" in said
