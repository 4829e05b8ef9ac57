"""Histograms that are less exact than they say (spec/openweb.md, OPEN-13).

If many times are counted that the machine, the system and other actors have disturbed, buckets
beside each other have about as many. A histogram with full buckets and empty ones between them is
one of rounded times: with one significant digit, say, or in milliseconds.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from dramaturg.model.buckets import MOST as LONGEST
from dramaturg.model.buckets import bucket_of, least_of

MOST = bucket_of(LONGEST) + 2
"""More buckets than any time is in."""

GRAIN = 1_500
"""Nanoseconds around a bucket in which somebody else must be: a clock that counts microseconds
leaves buckets empty that are narrower."""

FULL = 8
"""Times in a bucket that are many: if those on both sides are half as likely, both are empty by
chance once in 3000 times (e^-8)."""

TEETH = 4
"""Number of full buckets with nobody beside them that are no chance: chance makes them once in
10^13 times. Work that always takes the same time has one of them; so has work that is stopped, or
waits, for as long each time."""

SAME, FEW = 0.95, 100
"""At most this share of so many times of a timer is in one bucket: each is due at a nanosecond of
its own. Half of them were, of an honest timer that had to wait for a core."""


class Comb:
    """The sum of a histogram over the iterations of an invocation."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._counts: NDArray[np.int64] = np.zeros(MOST, np.int64)

    def add(self, counts: Sequence[int]) -> tuple[float, str]:
        """Add the counts of one more iteration, of fewer than :data:`MOST` buckets. Return the
        share of the bound that is used, and what is wrong if that is above 1."""
        self._counts[: len(counts)] += np.array(counts, np.int64)
        return self._teeth()

    def _teeth(self) -> tuple[float, str]:
        used = np.flatnonzero(self._counts)
        alone = [int(b) for b in _alone(used) if self._counts[b] >= FULL]
        inside = int(sum(self._counts[bucket] for bucket in alone))
        # Rounded times are rounded everywhere; times with steps of their own are not.
        if 2 * inside < self._counts.sum():
            return 0.0, ""
        shown = ", ".join(f"{least_of(bucket):,}" for bucket in alone[:TEETH])
        text = (
            f"{inside} of {self._counts.sum()} times in {self.name} are in {len(alone)} buckets,"
            f" those from {shown} ns on, and none in the buckets beside any of them: times were"
            " rounded before they were counted (OPEN-13)"
        )
        return len(alone) / (TEETH - 0.5), text


def alike(counts: Sequence[int]) -> tuple[float, str]:
    """Return the share of the bound that is used, and what is wrong if that is above 1: lateness
    that says as little of many requests as if nobody had looked at the clock."""
    total = sum(counts)
    if total < FEW:
        return 0.0, ""
    most = max(counts)
    least = least_of(list(counts).index(most))
    text = (
        f"{most} of {total} requests are late by {least:,} ns, in one bucket; no timer fires so"
        f" evenly: expected are at most {int(SAME * total)} in any (OPEN-13)"
    )
    return most / (SAME * total), text


def _alone(used: NDArray[np.int64]) -> list[int]:
    """Return those of these buckets, in order, that have no other beside them."""
    found = []
    for place, bucket in enumerate(used):
        least, end = least_of(int(bucket)), least_of(int(bucket) + 1)
        before = place and used[place - 1] >= min(bucket - 1, bucket_of(max(0, least - GRAIN)))
        after = place + 1 < len(used) and used[place + 1] <= max(bucket + 1, bucket_of(end + GRAIN))
        if not before and not after:
            found.append(int(bucket))
    return found
