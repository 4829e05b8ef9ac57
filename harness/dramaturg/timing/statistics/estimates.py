"""Makes results of samples, as spec/measurements.md defines it (MEAS-8 to MEAS-11).

Nothing here knows what is measured: values are numbers, grouped by the invocation
(the process) that they come from.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Groups = Sequence[Sequence[float]]
"""Values by invocation."""

Array = NDArray[np.float64]

LEVEL = 0.95
RESAMPLES = 5000
SEED = 42
"""The same samples always give the same interval."""

FEWEST_SAMPLES = 5
"""Below it a percentile of the bootstrap distribution is just one of the samples."""

FEWEST_INVOCATIONS = 3
"""Two invocations whose medians happen to agree would give an interval of no width."""

FEW_INVOCATIONS = 5
"""Below it an interval is given, with a warning: there are too few ways to resample."""

FEWEST_FOR_WARMUP = 6
"""Iterations below which the second half is too short to say what steady is."""

NOISE = 0.05
"""The share by which an iteration may lie above the median and still count as steady: below one in
twenty, a scheduler disturbs an idle machine more than a compiler does."""

NOT_SETTLED = "not settled within the first half of the iterations"
"""The rule of what has no end of warm-up."""

SIGMA = 1.4826
"""Turns a median absolute deviation into the standard deviation of normal noise."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A value, its confidence interval if there can be one, and what to know of it."""

    value: float
    low: float | None = None
    high: float | None = None
    level: float = LEVEL
    resamples: int = RESAMPLES
    note: str = ""

    @property
    def has_interval(self) -> bool:
        return self.low is not None


@dataclass(frozen=True, slots=True)
class Moments:
    """Mean, standard deviation, and error in percent, of n values."""

    n: int
    mean: float
    deviation: float
    error: float


@dataclass(frozen=True, slots=True)
class Warmup:
    """The number of iterations at the beginning of an invocation that are warm-up, and the rule."""

    iterations: int
    rule: str


def moments(values: Sequence[float]) -> Moments:
    """The arithmetic summary of costs; ``error`` is 100 * 1.96 * s / (sqrt(n) * mean)."""
    mean, deviation = float(np.mean(values)), float(np.std(values))
    error = 100 * 1.96 * deviation / (math.sqrt(len(values)) * mean) if mean else 0.0
    return Moments(len(values), mean, deviation, error)


def median(groups: Groups) -> Estimate:
    """The median of all values. Raises ValueError without any."""
    value = _median(groups)
    why_not = _why_no_interval(groups)
    if why_not:
        return Estimate(value, note=why_not)
    low, high = _interval([groups], lambda medians: medians[0])
    return Estimate(value, low, high, note=_caution(groups))


def ratio(over: Groups, under: Groups, paired: bool = False) -> Estimate:
    """The median of one set over the median of another, resampled independently.

    ``paired``: invocation i of both ran back to back, and what the machine did meanwhile
    met both; they are resampled together. One ratio of two results: several ratios are
    never averaged (MEAS-10). Raises ValueError for pairs that are not.
    """
    if paired and len(over) != len(under):
        raise ValueError(f"{len(over)} and {len(under)} invocations are no pairs")
    value = _median(over) / _median(under)
    why_not = _why_no_interval(over) or _why_no_interval(under)
    if why_not:
        return Estimate(value, note=why_not)
    low, high = _interval([over, under], lambda medians: medians[0] / medians[1], paired)
    return Estimate(value, low, high, note=_caution(over) or _caution(under))


def harmonic_mean(rates: Sequence[float]) -> float:
    """The summary of rates: as if all the work had been done in all the time."""
    return len(rates) / math.fsum(1 / rate for rate in rates)


def qos(turns: Sequence[Sequence[float]]) -> float | None:
    """Quality of service: the median over turns j of the deviation of T(i, j) over
    iterations i, in the unit of T. None unless two iterations have turns."""
    table = np.asarray(turns, dtype=np.float64)
    if table.ndim != 2 or table.shape[0] < 2 or table.shape[1] == 0:
        return None
    return float(np.median(np.std(table, axis=0)))


def outliers(values: Sequence[float]) -> list[bool]:
    """Say for each if it lies outside Tukey's fences. They are flagged, and stay in (MEAS-6)."""
    if len(values) < 4:
        return [False] * len(values)
    first, third = np.percentile(values, [25, 75])
    reach = 1.5 * (third - first)
    return [not first - reach <= value <= third + reach for value in values]


def warmup(values: Sequence[float], least: int = 0) -> Warmup:
    """The end of warm-up in the iterations of one invocation (MEAS-11).

    Steady is what the second half does. Warm-up is what comes before the first
    iteration that is no slower than its median by more than three standard
    deviations (from the median absolute deviation) or NOISE, whichever is more.
    ``least`` iterations are warm-up in any case.
    """
    n = len(values)
    if n < FEWEST_FOR_WARMUP:
        return Warmup(min(least, n), f"fewer than {FEWEST_FOR_WARMUP} iterations: none detected")
    half = n // 2
    steady = np.asarray(values[n - half :], dtype=np.float64)
    middle = float(np.median(steady))
    spread = float(np.median(np.abs(steady - middle)))
    limit = middle + max(3 * SIGMA * spread, NOISE * middle)
    settled = next((index for index in range(half) if values[index] <= limit), None)
    if settled is None:
        return Warmup(max(half, least), NOT_SETTLED)
    if settled < least:
        return Warmup(least, "as planned; none detected beyond")
    if settled == 0:
        return Warmup(0, "none detected: the first iteration is as fast as the second half")
    return Warmup(
        settled, f"iterations slower than {limit / middle:.0%} of the second half's median"
    )


def _median(groups: Groups) -> float:
    return float(np.median(np.concatenate([np.asarray(group, dtype=float) for group in groups])))


def _why_no_interval(groups: Groups) -> str:
    total = sum(len(group) for group in groups)
    if total < FEWEST_SAMPLES:
        return f"no interval: {total} samples, at least {FEWEST_SAMPLES} are needed"
    if len(groups) < FEWEST_INVOCATIONS:
        return f"no interval: {len(groups)} invocation(s), {FEWEST_INVOCATIONS} or more are needed"
    return ""


def _caution(groups: Groups) -> str:
    if len(groups) < FEW_INVOCATIONS:
        return f"rough interval: {len(groups)} invocations, {FEW_INVOCATIONS} or more are better"
    return ""


def _interval(
    sets: Sequence[Groups], statistic: Callable[[list[Array]], Array], paired: bool = False
) -> tuple[float, float]:
    """Percentile bootstrap over whole invocations: iterations of one are not independent.

    ``statistic`` has one array of medians for each set, an entry for each resample.
    """
    from scipy.stats import bootstrap  # A second, which who gives no interval need not wait.

    tables = [_table(groups) for groups in sets]

    def of(*chosen: NDArray[np.int64], axis: int) -> Array:
        resampled = zip(tables, chosen, strict=True)
        return statistic([_medians(table[indices]) for table, indices in resampled])

    result: Any = bootstrap(
        [np.arange(len(groups)) for groups in sets],
        of,
        n_resamples=RESAMPLES,
        vectorized=True,
        paired=paired,
        confidence_level=LEVEL,
        method="percentile",
        rng=np.random.default_rng(SEED),
    )
    return float(result.confidence_interval.low), float(result.confidence_interval.high)


def _table(groups: Groups) -> Array:
    """One row for each invocation, padded with NaN, which sorts last."""
    table = np.full((len(groups), max(len(group) for group in groups)), np.nan)
    for row, group in zip(table, groups, strict=True):
        row[: len(group)] = group
    return table


def _medians(tables: Array) -> Array:
    """The median of each table, padding left out."""
    values = np.sort(tables.reshape(*tables.shape[:-2], -1), axis=-1)
    counts = np.sum(~np.isnan(values), axis=-1, keepdims=True)
    middle = np.concatenate([(counts - 1) // 2, counts // 2], axis=-1)
    return np.asarray(np.take_along_axis(values, middle, axis=-1).mean(axis=-1))
