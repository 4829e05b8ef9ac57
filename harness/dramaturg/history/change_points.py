"""Changes of a line: change points of a row of values, by their ranks.

The cost of a stretch is the variation that its mean rank leaves unexplained. So the gain of a
change point is the statistic of Kruskal and Wallis, which depends on the order of the values alone:
outliers are ranks as others are, and no noise has to be estimated. The penalty is the gain that the
best single change point has in one of a hundred rows without any, found by shuffling.
docs/history.md has the reasons and how often it is wrong.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np
import ruptures
from numpy.typing import NDArray
from scipy.stats import rankdata

from dramaturg.timing.statistics import ranks

Array = NDArray[np.float64]

LEVEL = 0.01
"""The share of rows without any change that show one, about."""

SURE = 0.95
"""The confidence level of the interval of an effect."""

SHUFFLES = 20_000
SEED = 42
"""The same row always has the same change points."""

NEAR = 3
"""Places by which ranks alone may miss a step: they do not know how wide it is."""

_AT_ONCE = 2_000
"""Rows that are shuffled together, for the sake of memory."""


@dataclass(frozen=True, slots=True)
class Change:
    """A step between two stretches that have none within."""

    at: int
    """The index of the first value after it."""
    ratio: float
    """The factor between the values before and after it: the shift of their logarithms."""
    low: float | None
    """None if too few values are on one side for an interval."""
    high: float | None
    before: int
    """Values of the stretch before it."""
    after: int


def changes(logs: Sequence[float]) -> list[Change]:
    """The change points of these logarithms, in order. None of fewer than :func:`fewest`."""
    ends = [0, *_breaks(logs), len(logs)]
    for number in range(1, len(ends) - 1):
        ends[number] = _placed(logs, *ends[number - 1 : number + 2])
    return [_change(logs, start, at, end) for (start, at), (_, end) in pairwise(pairwise(ends))]


@cache
def fewest() -> int:
    """Return the number of values that a step in their middle needs to be found."""
    count = 2
    while _gains(_standard(count)[np.newaxis]).max() <= penalty(count):
        count += 1
    return count


@cache
def penalty(count: int) -> float:
    """The gain that a change point needs in a row of so many values."""
    chance = np.random.default_rng(SEED)
    row = _standard(count)
    best = [
        _gains(chance.permuted(np.tile(row, (_AT_ONCE, 1)), axis=1)).max(axis=1)
        for _ in range(SHUFFLES // _AT_ONCE)
    ]
    highest = np.quantile(np.concatenate(best), 1 - LEVEL, method="higher")
    # A row that only reaches it is one of that hundredth.
    return float(highest) * (1 + 1e-9)


def _breaks(logs: Sequence[float]) -> list[int]:
    if len(logs) < fewest():
        return []
    placed = rankdata(logs)
    spread = float(np.std(placed))
    if spread == 0:
        return []
    row = ((placed - np.mean(placed)) / spread).reshape(-1, 1)
    # A linear kernel's cost is the squares about the mean; with stretches of any length, the
    # search is exact.
    search: Any = ruptures.KernelCPD(kernel="linear", min_size=1).fit(row)
    return [int(end) for end in search.predict(pen=penalty(len(logs)))[:-1]]


def _placed(logs: Sequence[float], start: int, at: int, end: int) -> int:
    """Return the place near ``at`` where both sides lie closest to their medians: the values
    themselves decide."""

    def cost(place: int) -> float:
        sides = (np.asarray(logs[start:place]), np.asarray(logs[place:end]))
        return float(sum(np.sum(np.abs(side - np.median(side))) for side in sides))

    near = range(max(start + 1, at - NEAR), min(end, at + NEAR + 1))
    return min(near, key=lambda place: (cost(place), abs(place - at)))


def _change(logs: Sequence[float], start: int, at: int, end: int) -> Change:
    before, after = logs[max(start, at - ranks.MOST) : at], logs[at : min(end, at + ranks.MOST)]
    shift = ranks.unpaired(after, before, 1 - SURE)
    if shift is None:
        value = float(np.median(np.subtract.outer(np.asarray(after), np.asarray(before))))
        return Change(at, math.exp(value), None, None, at - start, end - at)
    ratio, low, high = map(math.exp, (shift.value, shift.low, shift.high))
    return Change(at, ratio, low, high, at - start, end - at)


def _standard(count: int) -> Array:
    """The ranks of so many values, with mean 0 and deviation 1."""
    row = np.arange(count, dtype=np.float64)
    return np.asarray((row - np.mean(row)) / np.std(row))


def _gains(rows: Array) -> Array:
    """For each row, the gain of a single change point behind each of its values."""
    count = rows.shape[1]
    before = np.arange(1, count)
    sums = np.cumsum(rows, axis=1)[:, :-1]
    return np.asarray(sums**2 * count / (before * (count - before)))
