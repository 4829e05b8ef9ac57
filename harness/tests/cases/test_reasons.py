"""Every failure says which requirements it breaks, as precisely as is known."""

import json

import pytest

from dramaturg import paths, requirements, results
from dramaturg.cases.cases import Case, load_all
from dramaturg.cases.reasons import reasons
from dramaturg.conformance.certification import certify
from dramaturg.conformance.result import result_of
from dramaturg.conformance.world import Failed
from dramaturg.errors import BuildFailed, CallFailed, Crashed
from dramaturg.implementation.manifest import find
from dramaturg.outcomes import Outcome
from dramaturg.plan.case_plan import make
from dramaturg.records import CaseRecord

BLAMED = (Outcome.FAIL, Outcome.CRASH, Outcome.TIMEOUT)


def case(name: str) -> Case:
    return next(case for case in load_all() if case.name == name)


def named(case: Case, error: Exception) -> list[str]:
    result = result_of(error)
    return [each.id for each in reasons(case, result.outcome, result.breaks, None)]


def test_what_the_message_names_is_quoted_alone() -> None:
    said = Failed("the receipt is wrong: deliveries is 1, expected 0 (CHAT-54)")
    assert named(case("cumulative"), said) == ["CHAT-54"]


def test_where_nothing_is_named_the_case_says_what_it_is_there_for() -> None:
    each = case("lcg-vectors")
    assert named(each, Failed("value 1 is 7, expected 8")) == list(each.message.requirements)


def test_a_golden_difference_names_the_comparison() -> None:
    said = Failed("differs from the golden trace (LEVEL-2): client/0, line 7: expected a, got b")
    assert named(case("cascade"), said) == ["LEVEL-2"]


def test_a_failing_actor_breaks_one_requirement_whatever_it_says_itself() -> None:
    error = CallFailed("Act", "INTERNAL", "client/0 failed: CHAT-5, LEVEL-1")
    assert named(case("cumulative"), error.because("CTRL-10")) == ["CTRL-10"]


def test_what_it_wrote_is_no_requirement_that_it_broke() -> None:
    error = Crashed("Act: a line that is no answer: 'CHAT-5'").because("STDIO-2", "CHAT-6")
    assert named(case("cumulative"), error) == ["STDIO-2"]
    assert result_of(error).message == "Act: a line that is no answer: 'CHAT-5'"
    assert result_of(error).stderr == "CHAT-6"


def test_what_could_not_be_built_has_broken_none_of_them() -> None:
    assert named(case("lcg-vectors"), BuildFailed("`make` ended with 2; LCG-1")) == []


@pytest.mark.parametrize("each", load_all(), ids=lambda each: each.name)
def test_no_failure_of_any_case_is_without_a_reason(each: Case) -> None:
    for outcome in BLAMED:
        assert reasons(each, outcome, (), None)


@pytest.mark.parametrize("outcome", [o for o in Outcome if o not in BLAMED])
def test_nobody_is_blamed_for_what_was_not_judged(outcome: Outcome) -> None:
    assert reasons(case("cumulative"), outcome, ["ACT-5"], None) == []


def recorded(tmp_path, mutant: str, expression: str) -> CaseRecord:
    """The first failure of one that is wrong on purpose."""
    wrong = find(f"{paths.CONFORMANCE}/mutants+{mutant}")
    certify(make([wrong], [0, 1]), tmp_path, pytest_arguments=["-x", "-k", expression])
    cases = results.read(tmp_path / results.CONFORMANCE).cases
    return next(case for case in cases if case.outcome is Outcome.FAIL)


@pytest.mark.parametrize(
    ("mutant", "expression", "expected"),
    [
        ("signed_lcg", "lcg-vectors", ["LCG-1", "LCG-2"]),
        ("lying_receipt", "set-up-only", ["CHAT-54", "CHAT-58"]),
        ("leaked_chat", "two-clients-one-directory", ["CTRL-8", "CHAT-39"]),
        ("history_off_by_one", "late-joiner", ["CHAT-38", "ACT-5"]),
    ],
)
def test_a_record_quotes_what_was_broken(tmp_path, mutant, expression, expected) -> None:
    record = recorded(tmp_path, mutant, expression)
    assert [reason["id"] for reason in record.why] == expected
    known = requirements.load()
    for reason in record.why:
        assert reason == known[reason["id"]].to_dict()


def test_the_records_say_where_their_commands_are_to_be_run(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    certify(make([find("reference")], [0]), tmp_path / "r", pytest_arguments=["-k", "lcg-vectors"])
    header = json.loads((tmp_path / "r" / results.CONFORMANCE).read_text().splitlines()[0])
    assert header["directory"] == str(tmp_path)
