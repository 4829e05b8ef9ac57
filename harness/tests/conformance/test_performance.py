"""A performance is judged by everything that its level asks for."""

from pathlib import Path

import pytest

from dramaturg.conformance import perform as performing
from dramaturg.conformance.cases import Case, load_all, load_file
from dramaturg.conformance.perform import Result, perform
from dramaturg.conformance.pool import Pool
from dramaturg.control.manifest import find
from dramaturg.outcomes import Outcome
from dramaturg.trace import golden
from dramaturg.v2 import case_pb2

CASES = {case.name: case for case in load_all()}


def performed(case: Case) -> Result:
    implementation, pool = find("reference"), Pool()
    try:
        return perform(case, implementation, pool.cluster(implementation))
    finally:
        pool.close()


def test_a_run_that_replays_and_is_not_the_golden_one_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = tmp_path / "other.trace"
    text = golden.file_of("set-up-only").read_text()
    other.write_text(text.replace("befriend(friend=3)", "befriend(friend=2)", 1))
    assert other.read_text() != text
    monkeypatch.setattr(performing.golden, "file_of", lambda name: other)
    result = performed(CASES["set-up-only"])
    assert result.outcome is Outcome.FAIL
    assert "differs from the golden trace" in result.message


def test_a_search_that_did_not_reach_what_it_is_for_is_not_run(tmp_path: Path) -> None:
    message = case_pb2.Case()
    message.CopyFrom(CASES["search-acts"].message)
    message.search.limits.chatapp.history = False
    message.search.examples = 5
    result = performed(Case("chatapp", message))
    assert result.outcome is Outcome.NOT_RUN
    assert "no history" in result.message


def test_a_script_that_did_not_reach_what_it_is_for_is_not_run(tmp_path: Path) -> None:
    file = tmp_path / "script.yaml"
    file.write_text(
        "benchmark: chatapp\ncases:\n  - {name: x, purpose: y, level: 2, exercises: [FEATURE_POST],"
        " script: {benchmark: {chatapp: {clients: 2, directories: 1, turns: 1, selection:"
        " SELECTION_CASCADE}}, steps: [{turn: {}}]}}\n"
    )
    (case,) = load_file(file)
    result = performed(case)
    assert result.outcome is Outcome.NOT_RUN
    assert "no post" in result.message
