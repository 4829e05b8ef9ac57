"""A pilot says how often to repeat (Kalibera and Jones, ISMM 2013)."""

import math
import random
from pathlib import Path

import pytest

from dramaturg import results
from dramaturg.outcomes import Outcome
from dramaturg.records import SampleRecord, UnitRecord
from dramaturg.results import Recorded, Writer
from dramaturg.timing.planning import precision, suites, timing_plan
from dramaturg.timing.planning.precision import Varied
from dramaturg.timing.planning.suites import SuiteError
from dramaturg.timing.planning.timing_plan import Plan, Unit
from dramaturg.timing.planning.unit_records import unit_record

MILLION = 1_000_000


def a_plan() -> Plan:
    content = {"suite": "x", "benchmarks": [{"benchmark": "pingpong", "scale": "tiny"}]}
    return timing_plan.make([suites.checked(content)], ["fake"], seed=1)


def records(
    unit: Unit, times: list[list[float]], warmup: int = 0, seconds: float = 1.0
) -> tuple[list[SampleRecord], list[UnitRecord]]:
    """A pilot with these run times, in milliseconds, in each invocation."""
    samples = [
        SampleRecord(
            implementation="fake", build="b", **unit.called(), network={"kind": "local"},
            invocation=invocation, iteration=iteration, valid=True, certified=True, receipt={},
            salt=7, setup_nanos=0, runtime_nanos=0, run_nanos=round(millis * MILLION),
            teardown_nanos=0, warmup=iteration < warmup,
        )
        for invocation, each in enumerate(times)
        for iteration, millis in enumerate(each)
    ]  # fmt: skip
    ended = [
        unit_record(
            unit, number, Outcome.PASS, "", samples=len(each), warmup=warmup, seconds=seconds
        )
        for number, each in enumerate(times)
    ]
    return samples, ended


def varied(**values: float) -> Varied:
    standard = {"within": 1e-4, "between": 1e-4, "iteration": 1.0, "invocation": 4.0}
    return Varied(**{**standard, **values, "iterations": 4})  # type: ignore[arg-type]


def test_iterations_are_the_root_of_costs_times_variances() -> None:
    """r1 = sqrt((c2 / c1) * (T1² / T2²)), rounded up."""
    assert precision.iterations_for(varied()) == 2
    assert precision.iterations_for(varied(within=9e-4)) == 6
    assert precision.iterations_for(varied(between=100.0)) == 1
    assert precision.iterations_for(varied(within=1e6)) == precision.MOST
    assert precision.iterations_for(varied(between=0.0)) == 4


def test_invocations_are_the_fewest_whose_interval_is_narrow_enough() -> None:
    found = precision.invocations_for(varied(), 2, 0.005)
    assert precision.half_width(varied(), 2, found) <= 0.005
    assert precision.half_width(varied(), 2, found - 1) > 0.005
    assert precision.invocations_for(varied(), 2, 0.5) == precision.FEWEST
    assert precision.invocations_for(varied(), 2, 1e-6) == precision.MOST


def test_the_half_width_is_that_of_students_interval() -> None:
    # t(0.975, 4) is 2.776; (1e-4 + 1e-4 / 2) / 5 is 3e-5.
    assert precision.half_width(varied(), 2, 5) == pytest.approx(2.7764 * math.sqrt(3e-5), 1e-4)


def test_variances_are_parted_into_within_and_between() -> None:
    unit = a_plan().units[0]
    samples, ended = records(unit, [[9, 11], [19, 21]], seconds=0.1)
    found = precision.variation([samples[:2], samples[2:]], ended)
    # S1² = 2, S2² = 50, T2² = 50 - 2 / 2, the mean is 15.
    assert found.within == pytest.approx(2 / 225)
    assert found.between == pytest.approx(49 / 225)
    assert found.iteration == pytest.approx(0.015)
    assert found.invocation == pytest.approx(0.1 - 2 * 0.015)


def test_of_a_given_run_time_what_happened_in_it_varies() -> None:
    """A windowed form (WIN-1): the one that sends twice as much in the same time takes half as
    long."""
    samples, ended = records(a_plan().units[0], [[30, 30], [30, 30]])
    windowed = [
        sample.model_copy(update={"parameters": {"windows": 3}, "messages": messages})
        for sample, messages in zip(samples, (1000, 1000, 500, 500), strict=True)
    ]
    found = precision.variation([windowed[:2], windowed[2:]], ended)
    # 30 and 60 microseconds for each: a variance of 450 by a mean of 45.
    assert found.between == pytest.approx(450 / 45**2)
    assert found.within == 0


def test_a_variance_between_that_comes_out_below_0_is_0() -> None:
    samples, ended = records(a_plan().units[0], [[5, 15], [6, 14]])
    assert precision.variation([samples[:2], samples[2:]], ended).between == 0


def test_a_plan_has_as_many_as_its_pilot_asks_for_and_says_why() -> None:
    made = a_plan()
    chance = random.Random(3)
    times = [
        [30.0] + [10 + level + chance.gauss(0, 0.2) for _ in range(5)]
        for level in (chance.gauss(0, 0.5) for _ in range(6))
    ]
    samples, ended = records(made.units[0], times, warmup=1)
    pilot = Recorded(header={}, samples=samples, units=ended)
    (narrow,) = precision.planned(made, pilot, 0.01).units
    (wide,) = precision.planned(made, pilot, 0.1).units
    assert wide.invocations == precision.FEWEST < narrow.invocations
    assert narrow.warmup == 1
    assert narrow.iterations > 1
    assert "1.00% asked for; by a pilot of 6 invocations" in narrow.planned
    assert narrow.what == made.units[0].what
    assert Plan.model_validate_json(
        precision.planned(made, pilot, 0.01).model_dump_json()
    ).units == [narrow]


def test_a_pilot_that_took_no_time_plans_nothing() -> None:
    made = a_plan()
    samples, ended = records(made.units[0], [[0, 0], [0, 0]])
    pilot = Recorded(header={}, samples=samples, units=ended)
    (unit,) = precision.planned(made, pilot, 0.01).units
    assert "fewer than two invocations" in unit.planned


def test_what_cannot_be_reached_says_so() -> None:
    made = a_plan()
    samples, ended = records(made.units[0], [[1, 2], [50, 60], [5, 7]])
    pilot = Recorded(header={}, samples=samples, units=ended)
    (unit,) = precision.planned(made, pilot, 0.001).units
    assert unit.invocations == precision.MOST
    assert "since there are at most 100 invocations" in unit.planned


def test_of_what_the_pilot_has_too_little_is_run_as_the_suite_says() -> None:
    made = a_plan()
    samples, ended = records(made.units[0], [[1, 2]])
    for pilot in (
        Recorded(header={}),
        Recorded(header={}, samples=samples, units=ended),
        Recorded(
            header={},
            samples=[each.model_copy(update={"valid": False}) for each in samples * 2],
            units=ended,
        ),
    ):
        (unit,) = precision.planned(made, pilot, 0.02).units
        assert (unit.invocations, unit.iterations) == (
            made.units[0].invocations, made.units[0].iterations,
        )  # fmt: skip
        assert "fewer than two invocations" in unit.planned


def test_the_plan_reaches_what_it_was_asked_for() -> None:
    """In 200 experiments as the model has them, with a right pilot's figures, the mean lies within
    the target of the truth in about 95 of 100: fewer than 90 would be a wrong formula."""
    chance = random.Random(5)
    truth = varied(within=4e-4, between=1e-4, iteration=1.0, invocation=1.0)
    iterations = precision.iterations_for(truth)
    invocations = precision.invocations_for(truth, iterations, 0.01)
    right = 0
    for _ in range(200):
        means = []
        for _ in range(invocations):
            level = chance.gauss(1, math.sqrt(truth.between))
            each = [chance.gauss(level, math.sqrt(truth.within)) for _ in range(iterations)]
            means.append(sum(each) / iterations)
        right += abs(sum(means) / invocations - 1) <= 0.01
    assert right >= 180


@pytest.mark.parametrize(("text", "share"), [("2%", 0.02), (" 0.5 % ", 0.005), ("50%", 0.5)])
def test_a_precision_is_in_percent(text: str, share: float) -> None:
    assert precision.parsed(text) == pytest.approx(share)


@pytest.mark.parametrize("text", ["2", "0%", "51%", "-1%", "two%", "nan%", "", "1e1%", "2%%"])
def test_what_is_no_precision_is_refused(text: str) -> None:
    with pytest.raises(SuiteError, match="must be in percent"):
        precision.parsed(text)


def test_a_pilot_can_be_written_and_read(tmp_path: Path) -> None:
    unit = a_plan().units[0]
    samples, ended = records(unit, [[10, 11], [12, 13]])
    with Writer(tmp_path / results.TIMINGS) as writer:
        for number, end in enumerate(ended):
            for sample in samples[2 * number : 2 * number + 2]:
                writer.write(sample)
            writer.write(end)
    pilot = results.read(tmp_path / results.TIMINGS)
    (planned,) = precision.planned(a_plan(), pilot, 0.02).units
    assert "by a pilot of 2 invocations" in planned.planned
