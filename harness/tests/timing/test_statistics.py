"""Results are defined by spec/measurements.md, and computed as it says."""

import random

import pytest

from dramaturg.timing.statistics import estimates


def test_the_deviation_is_the_root_of_the_mean_square() -> None:
    moments = estimates.moments([2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0])
    assert (moments.mean, moments.deviation) == (5.0, 2.0)
    assert moments.error == pytest.approx(100 * 1.96 * 2 / (8**0.5 * 5))


def test_the_median_is_of_the_sorted_values() -> None:
    assert estimates.median([[9.0, 1.0, 5.0]]).value == 5.0


def test_few_samples_get_no_interval_and_say_why() -> None:
    estimate = estimates.median([[1.0, 2.0], [3.0, 4.0]])
    assert not estimate.has_interval
    assert "4 samples" in estimate.note


def test_one_invocation_gets_no_interval_however_many_iterations() -> None:
    estimate = estimates.median([[float(value) for value in range(100)]])
    assert not estimate.has_interval
    assert "1 invocation(s)" in estimate.note


def test_two_invocations_that_agree_by_chance_get_no_interval() -> None:
    assert not estimates.median([[10.0, 50.0, 90.0], [20.0, 50.0, 80.0]]).has_interval


def test_few_invocations_get_an_interval_with_a_warning() -> None:
    estimate = estimates.median([[1.0, 2.0, 3.0], [2.0, 3.0, 4.0], [3.0, 4.0, 5.0]])
    assert estimate.has_interval
    assert "rough" in estimate.note


def test_an_interval_holds_the_median_and_is_the_same_every_time() -> None:
    noise = random.Random(1)
    groups = [[noise.gauss(100, 5) for _ in range(6)] for _ in range(8)]
    one, other = estimates.median(groups), estimates.median(groups)
    assert one == other
    assert one.low is not None
    assert one.high is not None
    assert one.low <= one.value <= one.high
    assert one.note == ""


def test_iterations_of_one_process_are_not_taken_for_independent() -> None:
    """Five processes, each with a speed of its own: a hundred iterations tell no more."""
    groups = [[speed] * 20 for speed in (90.0, 95.0, 100.0, 105.0, 110.0)]
    estimate = estimates.median(groups)
    assert estimate.low is not None
    assert estimate.high is not None
    assert estimate.high - estimate.low >= 10


def test_intervals_cover_the_truth_about_as_often_as_they_say() -> None:
    noise = random.Random(7)
    covered = 0
    for _ in range(40):
        groups = [[noise.gauss(100, 10)] for _ in range(15)]
        estimate = estimates.median(groups)
        assert estimate.low is not None
        assert estimate.high is not None
        covered += estimate.low <= 100 <= estimate.high
    assert covered >= 34


def test_a_ratio_of_equal_sets_covers_one() -> None:
    noise = random.Random(3)
    sets = [[[noise.gauss(50, 2) for _ in range(5)] for _ in range(6)] for _ in range(2)]
    estimate = estimates.ratio(*sets)
    assert estimate.low is not None
    assert estimate.high is not None
    assert estimate.low < 1 < estimate.high


def test_a_ratio_of_twice_as_slow_is_two() -> None:
    groups = [[10.0 + value for value in range(5)] for _ in range(5)]
    doubled = [[2 * value for value in group] for group in groups]
    assert estimates.ratio(doubled, groups).value == 2


def test_rates_are_summarised_by_all_work_over_all_time() -> None:
    assert estimates.harmonic_mean([60.0, 30.0]) == pytest.approx(40.0)


def test_qos_is_the_median_over_turns_of_the_deviation_over_iterations() -> None:
    turns = [[1.0, 10.0, 100.0], [3.0, 10.0, 100.0], [1.0, 10.0, 104.0], [3.0, 10.0, 104.0]]
    assert estimates.qos(turns) == 1.0


def test_qos_needs_two_iterations_with_turns() -> None:
    assert estimates.qos([[1.0, 2.0]]) is None
    assert estimates.qos([[], []]) is None


def test_an_outlier_is_flagged_and_stays() -> None:
    assert estimates.outliers([10, 11, 10, 12, 11, 99]) == [False] * 5 + [True]


def test_slow_first_iterations_are_warm_up() -> None:
    found = estimates.warmup([300, 180, 101, 99, 100, 102, 100, 98])
    assert found.iterations == 2
    assert "slower than" in found.rule


def test_a_steady_invocation_has_no_warm_up_and_says_so() -> None:
    found = estimates.warmup([100, 101, 99, 100, 102, 100])
    assert found.iterations == 0
    assert "none detected" in found.rule


def test_one_slow_iteration_in_the_middle_is_no_warm_up() -> None:
    assert estimates.warmup([100, 100, 500, 100, 100, 100, 100, 100]).iterations == 0


def test_what_never_settles_says_so() -> None:
    found = estimates.warmup([800, 700, 600, 500, 110, 105, 100, 100])
    assert found.iterations == 4
    assert "not settled" in found.rule


def test_the_suite_may_ask_for_more_warm_up_than_is_detected() -> None:
    assert estimates.warmup([100] * 8, least=3).iterations == 3
    assert estimates.warmup([100] * 3, least=1).iterations == 1


def test_medians_of_invocations_of_unequal_length_are_those_of_all_values() -> None:
    groups = [[5.0, 1.0], [9.0, 2.0, 4.0], [7.0]]
    assert estimates._medians(estimates._table(groups)) == 4.5
    assert estimates._medians(estimates._table(groups[1:])) == 5.5


def test_pairs_cancel_what_met_both() -> None:
    noise = [1.0, 1.4, 0.8, 2.0, 1.1, 1.7, 0.9, 1.3]
    under = [[100 * n] for n in noise]
    over = [[102 * n] for n in noise]
    paired = estimates.ratio(over, under, paired=True)
    apart = estimates.ratio(over, under)
    assert paired.low is not None and paired.high is not None
    assert apart.low is not None and apart.high is not None
    assert paired.low == pytest.approx(1.02) and paired.high == pytest.approx(1.02)
    assert apart.high - apart.low > 0.2


def test_pairs_without_a_partner_are_refused() -> None:
    with pytest.raises(ValueError, match="no pairs"):
        estimates.ratio([[1.0]] * 6, [[1.0]] * 5, paired=True)
