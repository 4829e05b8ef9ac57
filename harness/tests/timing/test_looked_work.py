"""Numbers that were answered before they were computed, by looks in the midst of runs (MEAS-28)."""

from collections.abc import Mapping
from dataclasses import dataclass

import pytest

from dramaturg.model import names
from dramaturg.timing.planning.scenarios import Scenario, scenario
from dramaturg.timing.validity import look_bounds_work
from dramaturg.timing.validity.bound_findings import Shown
from dramaturg.timing.validity.look_bounds_work import NOTHING, Computing

MS = 1_000_000
WEB = scenario("web", overrides={"browsers": 2, "workers": 2, "requests": 100, "fib_n": 20})
BROWSERS = [names.name(names.BROWSER, index) for index in range(2)]
WORKER, SERVER = names.name(names.WORKER), names.name(names.SERVER)


@dataclass(frozen=True)
class At:
    answered: int
    taken: Mapping[int, int]


def looked(of: Scenario, answered: float, taken: Mapping[int, int], computing: Computing) -> Shown:
    found = Shown()
    look_bounds_work.hold(of, computing, [At(int(answered * MS), taken)], found)
    return found


SERIAL = Computing(nanos=10.0 * MS, at_once=1)


def test_answers_that_were_computed_by_then_are_believed() -> None:
    found = looked(WEB, 1000, {BROWSERS[0]: 51, BROWSERS[1]: 51}, SERIAL)
    assert not found.problems
    assert found.margins == {"look-work": pytest.approx(0.5)}


def test_answers_that_nobody_can_have_computed_by_then_are_refused() -> None:
    (said,) = looked(WEB, 499, {BROWSERS[0]: 51, BROWSERS[1]: 51}, SERIAL).problems
    assert said.startswith("0.499 s after `Run` was sent 100 computes had been done")
    assert "they take 1.000 s, expected at least half of that" in said
    assert said.endswith("before they were done (MEAS-28)")


@pytest.mark.parametrize(
    ("of", "taken"),
    [
        (WEB, {WORKER: 101}),
        (
            scenario("openweb", overrides={"servers": 1, "requests": 100, "fib_n": 20}),
            {SERVER: 101},
        ),
        (
            scenario("broker", overrides={"employees": 1, "tasks": 100, "size": 1000}),
            {names.name(names.EMPLOYEE): 102},
        ),
    ],
)
def test_who_takes_the_next_one_has_done_the_one_before(
    of: Scenario, taken: Mapping[int, int]
) -> None:
    assert looked(of, 499, taken, SERIAL).problems
    assert not looked(of, 501, taken, SERIAL).problems


def test_two_at_once_take_half_as_long() -> None:
    both = Computing(nanos=10.0 * MS, at_once=2)
    assert not looked(WEB, 251, {BROWSERS[0]: 101}, both).problems
    assert looked(WEB, 249, {BROWSERS[0]: 101}, both).problems


def test_a_little_work_and_unknown_work_are_not_held_against_a_look() -> None:
    assert looked(WEB, 1, {BROWSERS[0]: 50}, SERIAL).margins == {}
    assert looked(WEB, 1, {BROWSERS[0]: 51}, SERIAL).problems
    assert looked(WEB, 1, {BROWSERS[0]: 101}, NOTHING).margins == {}
