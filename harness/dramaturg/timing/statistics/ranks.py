"""Estimates and intervals that hold for noise of any shape: by ranks, and exact.

If n pairs do not differ, each difference is as likely to be above zero as below. That alone decides
the probability of each sum of signed ranks (Wilcoxon). So the level holds for skewed times, for
drift that meets both of a pair, and for outliers. A t-test would show a little more of normal
noise, and much less of times with outliers: tests/timing/test_ranks.py has both.

An interval is all shifts that the test does not refuse (Hodges and Lehmann). So it leaves out zero
exactly where the test finds a difference. SciPy has these tests, and not their intervals.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Shift:
    """The difference by which one exceeds the other, with its interval, in the unit of the
    values."""

    value: float
    low: float
    high: float


def paired(differences: Sequence[float], level: float) -> Shift | None:
    """The shift of which all but ``level`` are sure, by signed ranks. None where even differences
    that all have one sign would not be that rare."""
    n = len(differences)
    values = np.asarray(differences, dtype=np.float64)
    one, other = np.triu_indices(n)
    means = np.sort((values[one] + values[other]) / 2)
    return _shift(means, _signed_ranks(n), level)


def middle(differences: Sequence[float]) -> float:
    """The estimate of :func:`paired`, for any number of differences (Hodges and Lehmann)."""
    values = np.asarray(differences, dtype=np.float64)
    one, other = np.triu_indices(len(values))
    return float(np.median((values[one] + values[other]) / 2))


def unpaired(over: Sequence[float], under: Sequence[float], level: float) -> Shift | None:
    """The same of values that are not pairs, by the rank sum of Mann and Whitney."""
    differences = np.subtract.outer(np.asarray(over), np.asarray(under)).ravel()
    return _shift(np.sort(differences), _rank_sums(len(over), len(under)), level)


MOST = 200
"""Values of each that :func:`unpaired` takes: the work grows with their product."""


def fewest(level: float) -> int:
    """Return the number of pairs from which :func:`paired` can show a difference."""
    return math.ceil(math.log2(2 / level))


def _shift(ordered: Array, chances: Array, level: float) -> Shift | None:
    """Values in their order, and the chance of each sum of ranks, were there no difference."""
    refused = int(np.searchsorted(np.cumsum(chances), level / 2, side="right"))
    if refused == 0 or not len(ordered):
        return None
    low, high = ordered[refused - 1], ordered[len(ordered) - refused]
    return Shift(float(np.median(ordered)), float(low), float(high))


def _signed_ranks(n: int) -> Array:
    """The chance of each sum of those of the ranks 1 to n that are positive, were signs thrown."""
    chances = np.zeros(n * (n + 1) // 2 + 1)
    chances[0] = 1
    for rank in range(1, n + 1):
        chances[rank:] = chances[rank:] + chances[: len(chances) - rank]
        chances /= 2
    return chances


def _rank_sums(over: int, under: int) -> Array:
    """The chance of each number of inverted pairs, were the values shuffled."""
    ways = np.zeros((over + 1, over * under + 1))
    ways[0, 0] = 1
    for place in range(over + under):
        for chosen in range(min(place + 1, over), 0, -1):
            # The chosen-th of ``over`` stands here, behind so many of ``under``.
            behind = place - (chosen - 1)
            if behind <= under:
                ways[chosen, behind:] += ways[chosen - 1, : ways.shape[1] - behind]
    return np.asarray(ways[over] / math.comb(over + under, over))
