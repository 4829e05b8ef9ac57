"""A verdict takes what its words say, and no more often than they say."""

import math

import numpy as np
import pytest
from scipy.stats import binomtest

from dramaturg.timing.statistics import difference
from dramaturg.timing.statistics.difference import Verdict, decided, judged, unpaired

SLOW = [math.log(ratio) for ratio in (1.2, 1.21, 1.19, 1.22, 1.18, 1.2, 1.23, 1.17, 1.2, 1.21)]
SAME = [0.01, -0.01, 0.02, -0.02, 0.005, -0.005, 0.015, -0.015, 0.012, -0.011]
WILD = [0.3, -0.3, 0.2, -0.2, 0.25, -0.25, 0.1, -0.1, 0.15, -0.16]


def fresh(logs: list[float]) -> list[float]:
    return [*logs, *logs[:2]]


def test_a_difference_takes_fresh_pairs_and_these_alone_decide() -> None:
    faster = [-log for log in SLOW]
    assert judged(SLOW, fresh(SLOW), 0.05).verdict is Verdict.SLOWER
    assert judged(SLOW, fresh(faster), 0.05).verdict is Verdict.FASTER
    assert judged(SLOW, fresh(SAME), 0.05).verdict is Verdict.EQUAL
    assert judged(SLOW, fresh(WILD), 0.05).verdict is Verdict.NO_DIFFERENCE
    missing = judged(SLOW, SLOW[:8], 0.05)
    assert missing.verdict is Verdict.NONE
    assert missing.why == "flagged, and 8 fresh pairs; 9 or more are needed"


def test_no_figure_of_a_confirmed_row_is_of_its_first_pairs() -> None:
    huge = [log * 20 for log in SLOW]
    assert judged(huge, fresh(SLOW), 0.05) == judged(SLOW, fresh(SLOW), 0.05)
    found = judged(SLOW, fresh(SLOW), 0.05)
    assert (found.pairs, found.confirmed, found.level) == (12, True, 0.995)
    assert found.ratio == pytest.approx(1.2, rel=0.01)
    assert found.low is not None
    assert found.high is not None
    assert 1 < found.low < found.ratio < found.high


def test_what_is_not_flagged_is_not_decided_by_fresh_pairs() -> None:
    found = judged(SAME, fresh(SLOW), 0.05)
    assert (found.verdict, found.pairs, found.confirmed) == (Verdict.EQUAL, 10, False)
    assert found.level == 0.9


def test_slower_is_said_of_b() -> None:
    assert decided(SLOW, 0.005, 0.05).verdict is Verdict.SLOWER
    assert unpaired(SLOW, SAME, 0.05).verdict is Verdict.SLOWER
    assert unpaired(SAME, SLOW, 0.05).verdict is Verdict.FASTER


def test_a_small_difference_that_is_sure_is_none_the_less_slower() -> None:
    little = [0.01 + each / 100 for each in SAME]
    assert judged(little, fresh(little), 0.05).verdict is Verdict.SLOWER


def test_noise_is_not_equality() -> None:
    assert judged(WILD, [], 0.05).verdict is Verdict.NO_DIFFERENCE


@pytest.mark.parametrize("pairs", range(6))
def test_fewer_than_six_pairs_are_no_verdict(pairs: int) -> None:
    found = judged(SLOW[:pairs], fresh(SLOW), 0.05)
    assert found.verdict is Verdict.NONE
    assert found.why == f"{pairs} pairs; 6 or more are needed"
    assert (found.ratio, found.low, found.level, found.confirmed) == (None, None, None, False)
    assert unpaired(SLOW[:pairs], SLOW, 0.05).verdict is Verdict.NONE


def test_more_than_can_be_tested_without_pairs_is_no_verdict() -> None:
    assert "more than 200" in unpaired([0.0] * 201, [0.0] * 6, 0.05).why


def _verdicts(effect: float, times: int, noise: float = 0.03) -> list[Verdict]:
    random = np.random.default_rng(5)
    logs = random.normal(math.log1p(effect), noise * 2**0.5, (times, 22))
    return [judged(list(row[:10]), list(row[10:]), 0.05).verdict for row in logs]


def test_a_false_alarm_takes_both_tests() -> None:
    said = _verdicts(0.0, 4000)
    alarms = sum(verdict in (Verdict.SLOWER, Verdict.FASTER) for verdict in said)
    level = difference.FLAG * difference.DECIDE
    assert binomtest(alarms, len(said), level, alternative="greater").pvalue > 1e-4


@pytest.mark.parametrize(("effect", "least"), [(0.05, 0.5), (0.10, 0.97), (0.20, 0.99)])
def test_power_at_three_percent_of_noise(effect: float, least: float) -> None:
    said = _verdicts(effect, 1000)
    assert sum(verdict is Verdict.SLOWER for verdict in said) / len(said) >= least
    assert Verdict.FASTER not in said


@pytest.mark.parametrize("margin", [0.02, 0.05, 0.2])
@pytest.mark.parametrize("sign", [1, -1])
def test_what_differs_by_the_margin_is_seldom_called_equal(margin: float, sign: int) -> None:
    random = np.random.default_rng(9)
    shift, times = sign * math.log1p(margin), 3000
    logs = random.normal(shift, margin / 2, (times, 10))
    equal = sum(decided(list(row), 0.05, margin).verdict is Verdict.EQUAL for row in logs)
    assert binomtest(equal, times, difference.EQUAL, alternative="greater").pvalue > 1e-4


def test_what_does_not_differ_is_called_equal_where_the_noise_allows() -> None:
    said = _verdicts(0.0, 500, noise=0.01)
    assert said.count(Verdict.EQUAL) > 450
