"""Faster, slower, or no difference shown: what two builds' paired invocations say.

A pair is one invocation of each, back to back, and its figure is the logarithm of the ratio of
their medians. A first set of pairs flags a row at ``FLAG``. A flagged row gets fresh pairs, and
these alone decide, at ``DECIDE``: a false alarm takes both. docs/comparing.md has the words.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from dramaturg.timing.statistics import ranks

FLAG = 0.05
"""The probability that a row without a difference is flagged, at most."""

DECIDE = 0.005
"""The probability that fresh pairs confirm a difference that is none, at most."""

EQUAL = 0.05
"""The probability that a difference of the margin is called equal, at most (two one-sided
tests)."""

PAIRS, CONFIRM = 10, 12
"""The numbers of pairs of both kinds, unless asked for otherwise."""

FEWEST = ranks.fewest(FLAG)
FEWEST_FRESH = ranks.fewest(DECIDE)

MARGIN = 0.05


class Verdict(StrEnum):
    """The verdict on B, compared with A."""

    SLOWER = "slower"
    FASTER = "faster"
    EQUAL = "equal"
    """Within the margin, which is always named with it."""
    NO_DIFFERENCE = "no difference shown"
    NONE = "no verdict"


@dataclass(frozen=True, slots=True)
class Found:
    """A verdict, and what it rests on."""

    verdict: Verdict
    why: str = ""
    """The reason why there is no verdict."""
    ratio: float | None = None
    """The time of B as a multiple of A's: the estimate of those pairs that decided."""
    low: float | None = None
    high: float | None = None
    level: float | None = None
    """The level of the interval: 0.95 for 95 %."""
    pairs: int = 0
    """Number of pairs that decided."""
    confirmed: bool = False
    """True if a difference was shown by pairs that had no part in its being suspected."""


def none(why: str) -> Found:
    """No verdict."""
    return Found(Verdict.NONE, why)


def is_flagged(first: Sequence[float]) -> bool:
    """True if these logarithms of ratios ask for fresh pairs."""
    shift = ranks.paired(first, FLAG)
    return shift is not None and _leaves_out_zero(shift)


def judged(first: Sequence[float], fresh: Sequence[float], margin: float) -> Found:
    """Judges one row, by its first pairs and, if these flag it, by its fresh ones alone."""
    if len(first) < FEWEST:
        return none(f"{len(first)} pairs; {FEWEST} or more are needed")
    if not is_flagged(first):
        return decided(first, FLAG, margin)
    if len(fresh) < FEWEST_FRESH:
        return none(f"flagged, and {len(fresh)} fresh pairs; {FEWEST_FRESH} or more are needed")
    found = decided(fresh, DECIDE, margin)
    return replace(found, confirmed=found.verdict in (Verdict.SLOWER, Verdict.FASTER))


def decided(logs: Sequence[float], level: float, margin: float) -> Found:
    """Decide by these pairs, at this level. ``logs`` are logarithms of B over A."""
    shift, narrow = ranks.paired(logs, level), ranks.paired(logs, 2 * EQUAL)
    if shift is None:
        return none(f"{len(logs)} pairs; {ranks.fewest(level)} or more are needed")
    return _decided(shift, narrow, level, margin, len(logs))


def unpaired(over: Sequence[float], under: Sequence[float], margin: float) -> Found:
    """Decide by the logarithms of B's times and of A's, which are no pairs, at ``DECIDE``."""
    if max(len(over), len(under)) > ranks.MOST:
        return none(f"more than {ranks.MOST} invocations that are no pairs")
    if min(len(over), len(under)) < FEWEST:
        return none(
            f"{len(under)} invocations of A and {len(over)} of B;"
            f" {FEWEST} or more of each are needed"
        )
    shift = ranks.unpaired(over, under, DECIDE)
    assert shift is not None
    narrow = ranks.unpaired(over, under, 2 * EQUAL)
    return _decided(shift, narrow, DECIDE, margin, min(len(over), len(under)))


def _decided(
    shift: ranks.Shift, narrow: ranks.Shift | None, level: float, margin: float, pairs: int
) -> Found:
    reach = math.log1p(margin)
    verdict, shown, sure = Verdict.NO_DIFFERENCE, shift, 1 - level
    if _leaves_out_zero(shift):
        verdict = Verdict.SLOWER if shift.low > 0 else Verdict.FASTER
    elif narrow is not None and -reach < narrow.low and narrow.high < reach:
        verdict, shown, sure = Verdict.EQUAL, narrow, 1 - 2 * EQUAL
    ratio, low, high = map(math.exp, (shown.value, shown.low, shown.high))
    return Found(verdict, ratio=ratio, low=low, high=high, level=sure, pairs=pairs)


def _leaves_out_zero(shift: ranks.Shift) -> bool:
    return shift.low > 0 or shift.high < 0
