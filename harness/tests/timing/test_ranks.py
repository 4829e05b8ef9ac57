"""Intervals by ranks hold their level whatever the noise looks like."""

from collections.abc import Callable

import numpy as np
import pytest
from scipy.stats import binomtest, mannwhitneyu, ttest_1samp, wilcoxon

from dramaturg.timing.statistics import ranks

Noise = Callable[[np.random.Generator, int], np.ndarray]
"""Logarithms of the times of so many pairs: a row for each pair, A and B in it."""


def normal(random: np.random.Generator, pairs: int) -> np.ndarray:
    return random.normal(0, 0.03, (pairs, 2))


def skewed(random: np.random.Generator, pairs: int) -> np.ndarray:
    """Never faster than so much, and sometimes a good deal slower."""
    return random.lognormal(np.log(0.03), 1, (pairs, 2))


def drift(random: np.random.Generator, pairs: int) -> np.ndarray:
    """The machine is slower by a third at the end, for both."""
    return np.linspace(0, 0.3, pairs)[:, None] + random.normal(0, 0.03, (pairs, 2))


def outliers(random: np.random.Generator, pairs: int) -> np.ndarray:
    """One invocation in ten meets somebody else."""
    met = random.random((pairs, 2)) < 0.1
    return random.normal(0, 0.02, (pairs, 2)) + met * random.exponential(0.4, (pairs, 2))


def two_modes(random: np.random.Generator, pairs: int) -> np.ndarray:
    """A process is fast or slow from its birth, by where its memory lies."""
    return random.normal(0, 0.01, (pairs, 2)) + 0.08 * (random.random((pairs, 2)) < 0.4)


def second_is_slower(random: np.random.Generator, pairs: int) -> np.ndarray:
    """Whoever runs second in a pair takes longer; who that is, is drawn."""
    times = random.normal(0, 0.02, (pairs, 2))
    times[np.arange(pairs), random.integers(0, 2, pairs)] += 0.03
    return times


SHAPES = [normal, skewed, drift, outliers, two_modes, second_is_slower]


def found(noise: Noise, pairs: int, level: float, *, times: int, effect: float = 0.0) -> int:
    """Return the number of times that a difference is found."""
    random = np.random.default_rng(7)
    count = 0
    for _ in range(times):
        a, b = noise(random, pairs).T
        shift = ranks.paired(list(b + np.log1p(effect) - a), level)
        assert shift is not None
        count += shift.low > 0 or shift.high < 0
    return count


@pytest.mark.parametrize("noise", SHAPES)
@pytest.mark.parametrize(("pairs", "level"), [(6, 0.05), (10, 0.05), (12, 0.005), (31, 0.005)])
def test_false_alarms_are_no_more_than_the_level(noise: Noise, pairs: int, level: float) -> None:
    times = 2000
    alarms = found(noise, pairs, level, times=times)
    assert binomtest(alarms, times, level, alternative="greater").pvalue > 1e-4


def test_a_t_test_shows_little_more_of_normal_noise_and_much_less_with_outliers() -> None:
    def by_t(noise: Noise, effect: float) -> int:
        random = np.random.default_rng(7)
        tables = np.array([noise(random, 10) for _ in range(1000)])
        logs = tables[:, :, 1] - tables[:, :, 0] + np.log1p(effect)
        return int((ttest_1samp(logs, 0, axis=1).pvalue <= 0.05).sum())

    assert found(normal, 10, 0.05, times=1000, effect=0.03) > by_t(normal, 0.03) - 50
    assert found(outliers, 10, 0.05, times=1000, effect=0.05) > by_t(outliers, 0.05) + 100


@pytest.mark.parametrize("level", [0.1, 0.05, 0.005])
def test_an_interval_leaves_out_zero_exactly_where_the_exact_test_refuses(level: float) -> None:
    random = np.random.default_rng(11)
    for _ in range(200):
        differences = random.normal(0.6, 1, random.integers(2, 14))
        over = random.normal(0.8, 1, random.integers(2, 12))
        under = random.normal(0, 1, random.integers(2, 12))
        for shift, chance in (
            (ranks.paired(list(differences), level), wilcoxon(differences, method="exact").pvalue),
            (
                ranks.unpaired(list(over), list(under), level),
                mannwhitneyu(over, under, method="exact").pvalue,
            ),
        ):
            leaves_out = shift is not None and (shift.low > 0 or shift.high < 0)
            assert leaves_out == (chance <= level)


def test_an_interval_turns_round_with_its_values() -> None:
    differences = [0.1, 0.3, 0.05, -0.02, 0.2, 0.11, 0.17]
    shift, turned = (ranks.paired([sign * each for each in differences], 0.05) for sign in (1, -1))
    assert shift is not None
    assert turned == ranks.Shift(-shift.value, -shift.high, -shift.low)
    assert shift.low < shift.value < shift.high


def test_too_few_pairs_show_nothing_and_the_fewest_do() -> None:
    for level in (0.1, 0.05, 0.005):
        enough = ranks.fewest(level)
        assert ranks.paired([1.0] * (enough - 1), level) is None
        shift = ranks.paired([1.0] * enough, level)
        assert shift is not None
        assert shift.low > 0


def test_nothing_and_very_much_are_no_error() -> None:
    assert ranks.paired([], 0.05) is None
    assert ranks.unpaired([], [], 0.05) is None
    most = ranks.paired([0.0] * 1000, 0.005)
    assert most == ranks.Shift(0.0, 0.0, 0.0)
    both = ranks.unpaired([0.0] * ranks.MOST, [0.0] * ranks.MOST, 0.005)
    assert both == ranks.Shift(0.0, 0.0, 0.0)
