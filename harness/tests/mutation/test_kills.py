"""The record of who killed whom: verdicts are written down, and nothing else."""

from pathlib import Path

import pytest

from dramaturg.cases.cases import load_all
from dramaturg.errors import ManifestError
from dramaturg.mutation import kills, traceability
from dramaturg.mutation.kills import Kill
from dramaturg.mutation.reference_mutants import TIMED, Caught, Mutant, Verdict
from dramaturg.outcomes import Outcome

SOMEBODY = Mutant(
    name="somebody", cases=["chatapp"], level=1, outcome=Outcome.FAIL, says="", breaks=["ACT-1"]
)


def caught(
    case: str, *, level: int = 1, outcome: Outcome = Outcome.FAIL, message: str = ""
) -> Caught:
    return Caught(SOMEBODY, Verdict(level, outcome, case, message, "", 1.0, "", ["ACT-2"]))


def test_a_kill_names_the_case_and_what_was_quoted(tmp_path: Path) -> None:
    file = tmp_path / "kills.yaml"
    found = caught("cumulative", message="(MEAS-4), (ACT-2) and not (NOBODY-1)")
    kills.record([("a", found)], ["a"], file)
    assert kills.written(file) == {
        "a": Kill(by="1-serial/chatapp/cumulative", quoted=["ACT-2", "MEAS-4"])
    }


def test_who_was_timed_was_killed_by_a_bench(tmp_path: Path) -> None:
    file = tmp_path / "kills.yaml"
    kills.record([("a", caught("chain", level=TIMED))], ["a"], file)
    assert kills.written(file)["a"].by == "bench chain"


def test_who_was_not_judged_keeps_what_was_seen_and_who_survives_loses_it(tmp_path: Path) -> None:
    file = tmp_path / "kills.yaml"
    everybody = ["a", "b", "c"]
    kills.record([(name, caught("cumulative")) for name in everybody], everybody, file)
    kills.record([("b", caught("", outcome=Outcome.PASS))], ["a", "b"], file)
    assert list(kills.written(file)) == ["a"]


def test_a_record_that_cannot_be_used_is_named(tmp_path: Path) -> None:
    file = tmp_path / "kills.yaml"
    assert kills.written(file) == {}
    file.write_text("a: {of: nothing}\n")
    with pytest.raises(ManifestError, match=str(file)):
        kills.written(file)


def test_the_record_is_of_those_there_are_and_of_cases_there_are() -> None:
    there = {case.path for case in load_all()}
    record = kills.written()
    assert set(record) <= {name for name, _ in traceability.broken()}
    assert [kill.by for kill in record.values() if not kill.by.startswith("bench ")] == [
        kill.by for kill in record.values() if kill.by in there
    ]
