"""One fault is said once, with how often it was there."""

from collections.abc import Callable
from typing import Any

from timing_fakes import Receipt, honest

from dramaturg import repeats
from dramaturg.outcomes import Outcome
from dramaturg.records import CaseRecord
from dramaturg.terminal.case_lines import Faults
from dramaturg.timing.planning.scenarios import Scenario

StartFake = Callable[..., Any]


def test_a_sum_that_is_wrong_in_each_iteration_is_said_once_and_how_often() -> None:
    said = [(f"iteration {n}", [f"sum is {7 * n}, expected {7 * n + 1} (X-1)"]) for n in range(9)]
    said[4][1].append("alive is 3, expected 0 (CTRL-8)")
    assert repeats.once(said) == [
        "iteration 0: sum is 0, expected 1 (X-1) (and 8 more times like it: iteration 1 to"
        " iteration 8)",
        "iteration 4: alive is 3, expected 0 (CTRL-8)",
    ]


def test_what_is_said_of_one_place_only_is_left_as_it_is() -> None:
    said = [("iteration 2", ["a is 3", "b is 4"]), ("audit of iteration 5", ["c is 5"])]
    assert repeats.once(said) == ["iteration 2: a is 3; b is 4", "audit of iteration 5: c is 5"]
    assert repeats.once([("one", ["a 1"]), ("two", ["a 2"])]) == [
        "one: a 1 (and 1 more time like it: two)"
    ]


def test_an_invocation_does_not_repeat_itself(
    run: Callable[..., Any], start_fake: StartFake, pingpong: Scenario
) -> None:
    def haunted(of: Scenario, salt: int) -> Receipt:
        receipt = honest(of, salt)
        receipt.alive = 3
        return receipt

    outcome, recorded = run(pingpong, start_fake(pingpong, haunted), iterations=5)
    assert outcome is Outcome.FAIL
    message = recorded.units[0].message
    assert message.count("alive is 3, expected 0 (CTRL-8)") == 1
    assert "(and 5 more times like it: iteration 1 to audit of iteration 5)" in message


def _case(level: int, case: str, message: str, **rest: Any) -> CaseRecord:
    return CaseRecord(implementation="made-up", benchmark="count", outcome=Outcome.FAIL,
                      level=level, case=case, message=message, **rest)  # fmt: skip


def test_a_sum_that_is_wrong_at_each_level_is_told_in_full_once() -> None:
    faults = Faults()
    assert faults.again(_case(1, "count", "sum is 5, expected 6 (COUNT-4)")) == ""
    assert faults.again(_case(3, "count-many", "sum is 71, expected 99 (COUNT-4)")) == (
        "as in count, level 1: 2 times so far"
    )
    assert "3 times" in faults.again(_case(4, "count-far", "sum is 7, expected 9 (COUNT-4)"))
    assert faults.again(_case(3, "count-two", "alive is 5, expected 0 (CTRL-8)")) == ""


def test_what_a_replay_explains_is_told_each_time() -> None:
    faults = Faults()
    for level in (1, 3):
        assert faults.again(_case(level, "chat", "turn 1: lost", divergence={"kind": "lost"})) == ""
