"""Less that is done where nobody looks shows beside what is audited (MEAS-25, MEAS-33)."""

import pytest

from dramaturg.timing.validity import audit_contrast
from dramaturg.timing.validity.audit_contrast import Contrast, Ran

MESSAGES = 100_000

SECOND = 10**9


def beside(
    wall: float, cpu: float, messages: float = 1.0, *, windowed: bool = False, audited: int = SECOND
) -> Contrast:
    """One audited iteration that took so many times as long as three that were timed."""
    timed = Ran(round(MESSAGES * messages), round(audited / wall * messages),
                round(audited / cpu * messages))  # fmt: skip
    return Contrast(windowed, [timed] * 3, [Ran(MESSAGES, audited, audited)])


def test_honest_ones_are_neither_wrong_nor_doubted() -> None:
    found = beside(12.0, 19.0)
    assert (found.problems(), found.doubts()) == ([], [])
    assert found.slowdown == pytest.approx(12.0, rel=1e-3)
    assert found.margins()["MEAS-25"] == pytest.approx(12 / audit_contrast.REFUSED, rel=1e-3)


def test_many_times_as_fast_is_doubted_and_far_more_is_wrong() -> None:
    found = beside(30.0, 25.0)
    assert found.problems() == []
    assert found.doubts() == ["25 times as fast as audited iterations (MEAS-25)"]
    (said,) = beside(693.0, 400.0).problems()
    assert "took 400 times as long for each message" in said
    assert "work that nobody watches is done otherwise, or not at all (MEAS-25)" in said


def test_a_stall_of_the_audited_iteration_is_nobodys_fault() -> None:
    assert beside(693.0, 2.0).problems() == []


def test_idle_threads_that_look_for_work_are_nobodys_fault() -> None:
    assert beside(2.0, 693.0).problems() == []


def test_a_little_audited_iteration_is_only_doubted() -> None:
    little = round(0.9 * audit_contrast.LITTLE * SECOND)
    found = beside(100.0, 100.0, audited=little)
    assert found.problems() == []
    assert found.doubts()
    assert "MEAS-25" not in found.margins()


@pytest.mark.parametrize("times", [0.19, 5.1])
def test_other_numbers_of_messages_are_wrong(times: float) -> None:
    (said,) = beside(1.0, 1.0, times).problems()
    assert f"iterations had {times:.2f} times the messages of those that were audited" in said
    assert "(MEAS-33)" in said


@pytest.mark.parametrize("times", [0.7, 1.66])
def test_somewhat_other_numbers_of_messages_are_doubted(times: float) -> None:
    found = beside(1.0, 1.0, times)
    assert found.problems() == []
    assert found.doubts() == [f"{times:.2f} times the messages of audited iterations (MEAS-33)"]


def test_where_the_time_is_given_there_are_as_many_messages_as_it_is_fast() -> None:
    found = beside(4.0, 4.0, 4.0, windowed=True)
    assert (found.problems(), found.doubts(), found.volume) == ([], [], None)


def test_without_an_audit_nothing_is_said() -> None:
    found = Contrast(False, [Ran(1, 1, 1)], [])
    assert (found.problems(), found.doubts(), found.margins()) == ([], [], {})
