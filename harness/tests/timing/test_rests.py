"""The time after the last window is held against the work that is left."""

import pytest
from timing_fakes import MILLISECOND, Receipt, honest

from dramaturg.model import receipt_names
from dramaturg.model.workload import MICRO
from dramaturg.timing.planning.scenarios import WINDOWS, Scenario, scenario
from dramaturg.timing.validity.last_window import RESENT, Left, Rests, left
from dramaturg.timing.validity.ledger import (
    LONGEST_WAIT,
    MOST_WAIT,
    SLEW,
    STALL,
    RoundTrips,
    Tolerance,
)

TRIP = MILLISECOND // 10
TOLERANCE: Tolerance = RoundTrips(first=0, trips=[TRIP]).tolerance(1)  # type: ignore[arg-type]
LASTED = 1_500 * MILLISECOND
COUNTED = 1_500_000
USUAL = {"pingpong": 2_000, "big": 32_000, "bang": 3_200_000}
"""Nanoseconds that what is left took in the windows: a microsecond each."""


def of(benchmark: str) -> Scenario:
    return scenario(benchmark, "windowed", "small")


def told(benchmark: str, passed: int, counted: int = COUNTED) -> Receipt:
    """A receipt by which so much passed after three windows, in which so much was counted."""
    receipt = receipt_names.made(benchmark, run_nanos=LASTED + passed)
    receipt.done.windows.extend([counted // 3] * 3)
    receipt.done.window_nanos.extend([LASTED // 3] * 3)
    return receipt


def problems(
    benchmark: str, passed: int, rests: Rests | None = None, waited: int = 0, counted: int = COUNTED
) -> list[str]:
    rests = rests or Rests(of(benchmark))
    receipt = told(benchmark, passed, counted)
    return rests.problems(receipt, TOLERANCE, waited, receipt.run_nanos)


def most(benchmark: str) -> int:
    """Nanoseconds that may pass, where nobody waited."""
    times = MICRO[benchmark].model.REST_TIMES
    usual = times * USUAL[benchmark] + TOLERANCE.single + STALL
    return int((usual + LASTED * SLEW) / (1 - SLEW))


@pytest.mark.parametrize("benchmark", WINDOWS)
def test_what_is_left_is_known_from_the_parameters(benchmark: str) -> None:
    assert left(of(benchmark), told(benchmark, 7)) == Left(7, USUAL[benchmark])
    assert left(of(benchmark), Receipt()) is None
    assert left(scenario(benchmark, "counted", "small"), honest_counted(benchmark)) is None


def honest_counted(benchmark: str) -> Receipt:
    return honest(scenario(benchmark, "counted", "tiny"))


@pytest.mark.parametrize("benchmark", WINDOWS)
def test_a_run_that_ends_with_its_last_window_is_believed(benchmark: str) -> None:
    rests = Rests(of(benchmark))
    assert problems(benchmark, USUAL[benchmark], rests) == []
    assert rests.share is not None and rests.share < 0.5
    assert rests.forgiven == 0


@pytest.mark.parametrize("benchmark", WINDOWS)
def test_a_last_window_that_goes_on_after_its_stamp_is_refused(benchmark: str) -> None:
    assert problems(benchmark, most(benchmark) - 1000) == []
    (said,) = problems(benchmark, most(benchmark) + 1000)
    assert said.endswith("counts messages of no window (WIN-5)")
    assert f"the work that was left took {USUAL[benchmark]} in the windows" in said


def test_a_mark_that_comes_400_ms_late_is_refused() -> None:
    """At any size: half as many counted more change nothing."""
    for counted in (1000, COUNTED, 100 * COUNTED):
        assert problems("big", 400 * MILLISECOND, counted=counted) or counted == 1000
    rests = Rests(of("big"))
    assert problems("big", 400 * MILLISECOND, rests)
    assert rests.share is not None and rests.share > 1


def test_slow_windows_leave_time_for_a_slow_end() -> None:
    """Over a slow link what is left is as slow as all the rest."""
    each = 50 * MILLISECOND
    counted = 3 * (LASTED // each)
    assert problems("pingpong", 4 * each, counted=counted) == []


def test_waits_are_added_as_for_any_call() -> None:
    late = most("big") + LONGEST_WAIT // 2
    assert problems("big", late)
    assert problems("big", late, waited=LONGEST_WAIT) == []


def test_what_only_long_waits_explain_is_forgiven_and_said() -> None:
    rests, late = Rests(of("big")), most("big") + 400 * MILLISECOND
    assert problems("big", late, rests, waited=MOST_WAIT) == []
    assert rests.forgiven > 200 * MILLISECOND
    assert problems("big", USUAL["big"], rests, waited=MOST_WAIT) == []
    assert rests.forgiven == 0, "it is of the last iteration"
    beyond = MOST_WAIT + 10 * MILLISECOND
    assert problems("big", most("big") + beyond, waited=MOST_WAIT)


def test_late_marks_of_many_iterations_add_up_although_threads_waited() -> None:
    rests, late = Rests(of("big")), 400 * MILLISECOND
    assert problems("big", late, rests, waited=MOST_WAIT) == []
    (said,) = problems("big", late, rests, waited=MOST_WAIT)
    assert said.startswith(f"over 2 iterations {2 * late} ns passed")


def test_a_little_of_each_iteration_adds_up() -> None:
    """Below the tolerance of a single call, and above what an empty one takes."""
    rests, said = Rests(of("big")), []
    for _ in range(20):
        said = problems("big", USUAL["big"] + 5 * MILLISECOND, rests)
        if said:
            break
    assert said and "WIN-5" in said[0]


def test_honest_iterations_never_add_up_to_anything() -> None:
    rests = Rests(of("big"))
    for number in range(200):
        stalled = number == 100
        late = 40 * MILLISECOND if stalled else 3 * MILLISECOND
        waited = 60 * MILLISECOND if stalled else 10 * MILLISECOND
        assert problems("big", late, rests, waited=waited) == []


def test_packets_that_are_lost_are_sent_again() -> None:
    late = most("big") + RESENT // 2
    assert problems("big", late)
    assert problems("big", late, Rests(of("big"), lossy=True)) == []


def test_a_windowed_form_without_windows_is_said_elsewhere() -> None:
    rests = Rests(of("big"))
    wrong = told("big", 0)
    del wrong.done.window_nanos[:]
    assert rests.problems(wrong, TOLERANCE, 0, LASTED) == []
    assert rests.share is None


def test_what_starting_took_is_no_time_for_the_end_of_a_run() -> None:
    cold = RoundTrips(first=1_400 * MILLISECOND, trips=[TRIP]).tolerance(0)  # type: ignore[arg-type]
    receipt = told("big", 400 * MILLISECOND)
    assert Rests(of("big")).problems(receipt, cold, 0, receipt.run_nanos)
