"""One cause is said once: a start that fails, and what many cases cite."""

import pytest

from dramaturg.outcomes import Outcome
from dramaturg.records import CaseRecord
from dramaturg.terminal import case_lines, show


def record(case: str, outcome: Outcome, message: str = "", *cited: str) -> CaseRecord:
    return CaseRecord(
        implementation="mine",
        level=0,
        benchmark="control",
        case=case,
        outcome=outcome,
        message=message,
        why=[{"id": name, "chapter": "spec/control.md", "text": "MUST."} for name in cited],
        stderr="frame 1",
    )


def said_of(records: list[CaseRecord], capsys: pytest.CaptureFixture[str]) -> str:
    with show.progress(as_json=False) as bar:
        watch = case_lines.watcher(bar, "certify", len(records), as_json=False)
        for each in records:
            watch(each, each.message)
    return capsys.readouterr().err


def test_a_start_that_fails_is_said_once_with_its_last_words(
    capsys: pytest.CaptureFixture[str],
) -> None:
    ended = [
        record(f"case-{n}", Outcome.CRASH, f"mine exited with status 3, pid {n}", "CTRL-1")
        for n in range(111)
    ]
    said = said_of(ended, capsys)
    assert said.count("frame 1") == said.count("CTRL-1") == said.count("case-") == 1
    assert case_lines.summed_up(ended) == ["all 111 cases ended as case-0 did"]


def test_what_comes_again_in_one_that_starts_is_said_of_each_case(
    capsys: pytest.CaptureFixture[str],
) -> None:
    passed = record("case-0", Outcome.PASS)
    ended = [record(f"case-{n}", Outcome.CRASH, "it ended", "CTRL-6") for n in range(1, 4)]
    said = said_of([passed, *ended], capsys)
    assert "case-2: as in case-1, level 0: 2 times so far" in said.replace("level 0 case", "case")


def test_one_cause_is_summed_up() -> None:
    records = [record("right", Outcome.PASS)]
    records += [record(f"a-{n}", Outcome.FAIL, f"a-{n} differs", "ACT-5") for n in range(17)]
    records += [record(f"b-{n}", Outcome.FAIL, f"b-{n} is else", "LOG-1") for n in range(1)]
    assert case_lines.summed_up(records) == ["18 cases did not pass; 17 of these cite ACT-5"]
    assert case_lines.summed_up(records[:2]) == []
