"""The invocations of a claim about crashes that could have crashed at all."""

import pytest

from dramaturg.claims import crash_counts
from dramaturg.outcomes import Outcome
from dramaturg.report.summary import UnitFinding

PLANNED = 3


def _ended(invocation: int | None, outcome: Outcome) -> UnitFinding:
    return UnitFinding(
        implementation="quick", benchmark="broker", scenario="counted", scale="tiny",
        parameters={}, network={"kind": "local"}, invocation=invocation, certified=None,
        outcome=outcome, message="so it ended",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("ends", "crashed", "not_run"),
    [
        ([], 0, 0),
        ([(None, Outcome.CRASH)], 0, 4),
        ([(None, Outcome.TOOLCHAIN_MISSING)], 0, 4),
        ([(None, Outcome.UNSUPPORTED)], 0, 4),
        ([(0, Outcome.TIMEOUT), (1, Outcome.NOT_RUN), (2, Outcome.NOT_RUN)], 0, 2),
        ([(0, Outcome.CRASH), (1, Outcome.CRASH), (2, Outcome.FAIL)], 2, 0),
        ([(0, Outcome.CRASH), (None, Outcome.NOT_RUN)], 1, 3),
    ],
)
def test_only_invocations_that_ran_are_tried(
    ends: list[tuple[int | None, Outcome]], crashed: int, not_run: int
) -> None:
    failed = [_ended(*end) for end in ends]
    assert crash_counts.crashed(failed) == crashed
    assert crash_counts.not_run(failed, PLANNED, passed=0) == not_run


def test_who_passed_before_no_more_could_run_is_tried_as_well() -> None:
    failed = [_ended(0, Outcome.CRASH), _ended(None, Outcome.NOT_RUN)]
    assert crash_counts.not_run(failed, planned=10, passed=3) == 7
