"""The findings of looks at all runs of an invocation together (MEAS-50): whether a run takes as
long when it is looked at as when it is not, and whether looks are answered while it lasts."""

from collections.abc import Sequence

from dramaturg.records import SampleRecord
from dramaturg.timing.validity.bound_findings import Shown
from dramaturg.timing.validity.looks import Look, Looks

DEARER = 3.0
"""The time of all runs that were looked at, as a multiple of all others', at most: a look at a
timed run is of a few rows."""

LITTLE = 20_000_000
"""Nanoseconds by which they may be longer at least."""

FEW = 2
"""The number of runs of each kind that are compared, beside the first of an invocation, which is
cold."""

PATIENCE = 500_000_000
"""Nanoseconds for which a run went on after a look was asked for, by the clock and by the CPU time
that was consumed, so that it should have been answered in its midst."""

IGNORED = 2
"""Looks like that, without one that was answered in the midst of its run, that are no chance."""

LONG = 2_000_000_000
"""The same, where one is enough: a hundred times as long as the answers of right ones take on a
machine with twenty busy threads for each core."""


def dearer(samples: Sequence[SampleRecord]) -> Shown:
    """Report runs that were looked at if each took many times as long as each other one, for its
    messages: by the clock, and by CPU time."""
    found = Shown()
    warm = [sample for sample in samples if sample.iteration and sample.messages]
    looked = [sample for sample in warm if sample.looks]
    others = [sample for sample in warm if not sample.looks]
    if min(len(looked), len(others)) < FEW:
        return found
    longer = min(s.run_nanos for s in looked) - max(s.run_nanos for s in others)
    times = _times(looked, others)
    text = (
        f"each of {len(looked)} runs that were looked at in their midst took at least"
        f" {times:.1f} times as long as each of {len(others)} that were not, expected at most"
        f" {DEARER:g} times (MEAS-50)"
    )
    found.hold("look-dearer", times / DEARER if longer > LITTLE else 0.0, text)
    return found


def _times(looked: Sequence[SampleRecord], others: Sequence[SampleRecord]) -> float:
    slowest = max(s.run_nanos / s.messages for s in others)
    clock = min(s.run_nanos / s.messages for s in looked) / max(1e-9, slowest)
    computed = [_computed(sample) for sample in (*looked, *others)]
    if not all(computed):
        return clock
    return min(clock, min(computed[: len(looked)]) / max(computed[len(looked) :]))


def _computed(sample: SampleRecord) -> float:
    """CPU nanoseconds for each message in Run; 0 where nobody knows."""
    spent = sample.ledger.run_cpu_nanos if sample.ledger else None
    return (spent or 0) / sample.messages


def ignored(runs: Sequence[Looks]) -> str:
    """Report looks that were answered only when their runs had ended, although there was time.
    ``runs`` are those that are watched as timed ones are, so that an answer has few rows."""
    left = [_left(look, looks) for looks in runs for look in looks.all if look.answered > looks.run]
    behind = [nanos for nanos in left if nanos > PATIENCE]
    answered = any(look.answered <= looks.run for looks in runs for look in looks.all)
    if max(behind, default=0) <= LONG and (answered or len(behind) < IGNORED):
        return ""
    return (
        f"{len(behind)} looks were asked for when at least {min(behind) / 1e9:.1f} s of a run were"
        " still to come, and were answered when it had ended (CTRL-9, MEAS-50)"
    )


def _left(look: Look, looks: Looks) -> int:
    """Return the nanoseconds of a run that were to come when a look was asked for: a process
    without a core cannot answer."""
    by_clock = looks.run - look.asked
    if looks.cpu is None or look.cpu is None:
        return by_clock
    return min(by_clock, looks.cpu - look.cpu)
