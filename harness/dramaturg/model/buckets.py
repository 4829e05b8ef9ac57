"""The buckets of a histogram of times (spec/openweb.md, OPEN-5).

They are HdrHistogram's, in nanoseconds and with two significant digits: as wide as one
nanosecond up to 256, and never wider than one part in 128 of what is in them. So a histogram
in a receipt becomes one of the library's without loss.
"""

from collections.abc import Sequence
from itertools import accumulate, zip_longest

HALF_BITS = 7
"""Each power of two has 2^7 buckets."""


def bucket_of(nanos: int) -> int:
    """The bucket that this time is in."""
    shift = max(0, nanos.bit_length() - 1 - HALF_BITS)
    return (shift << HALF_BITS) + (nanos >> shift)


def least_of(bucket: int) -> int:
    """The shortest time that is in this bucket."""
    shift = max(0, (bucket >> HALF_BITS) - 1)
    return bucket - (shift << HALF_BITS) << shift


def count_in(counts: list[int], nanos: int) -> None:
    """Count one time in a histogram, which grows to the bucket that it needs."""
    bucket = bucket_of(nanos)
    if bucket >= len(counts):
        counts.extend([0] * (bucket + 1 - len(counts)))
    counts[bucket] += 1


MOST = 1 << 52
"""Nanoseconds of any run: 52 days."""

PATIENCE = 1_000_000_000
"""Nanoseconds for which the end of a run may wait behind the last answer: the balancer hears of
it from another message, and a busy machine may let that wait."""


def problems(
    latency: Sequence[int], lateness: Sequence[int], requests: int, run_nanos: int, last: int
) -> list[str]:
    """The errors in the two histograms of a receipt (OPEN-6). ``last``: when the last request is
    due."""
    found = [
        f"{name} counts {sum(counts)} requests, expected {requests} (OPEN-6)"
        for name, counts in (("latency", latency), ("lateness", lateness))
        if sum(counts) != requests
    ]
    if found:
        return found
    # As a time, that would be an absurd number of years.
    found = [
        f"{name} counts a request in bucket {_slowest(counts)}, where no run can have one:"
        f" run_nanos, {run_nanos}, is in bucket {bucket_of(run_nanos)}, and"
        f" {bucket_of(MOST)} is the last that there can be (OPEN-5, OPEN-6)"
        for name, counts in (("latency", latency), ("lateness", lateness))
        if _slowest(counts) > bucket_of(MOST)
    ]
    if found:
        return found
    # Sorted, each latency is at least the lateness in its place: no answer is before its request.
    both = zip_longest(accumulate(latency), accumulate(lateness), fillvalue=requests)
    early = next((place for place, (ends, starts) in enumerate(both) if ends > starts), None)
    if early is not None:
        found.append(
            f"more answers are in buckets 0 to {early} of latency than requests in those of"
            " lateness: a request is answered after it was sent (OPEN-6)"
        )
    slowest = _slowest(latency)
    least, most = least_of(slowest), least_of(slowest + 1)
    if least > run_nanos:
        found.append(
            f"a latency is {least} ns or more, expected at most run_nanos, {run_nanos} (OPEN-6)"
        )
    # Whoever was answered last was due at the latest when the last request was.
    if run_nanos - last > 2 * most + PATIENCE:
        found.append(
            f"all latencies are below {most} ns, and the run went on for {run_nanos - last} ns"
            " after the last request was due (OPEN-6)"
        )
    return found


def _slowest(counts: Sequence[int]) -> int:
    """The last bucket in which somebody is."""
    return max(place for place, count in enumerate(counts) if count)
