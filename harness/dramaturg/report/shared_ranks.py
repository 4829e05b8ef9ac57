"""Places among what may be compared, which noise cannot make: of a report's overview and a site."""

from collections.abc import Iterator, Sequence

from dramaturg.report import formatting
from dramaturg.report.summary import Interval, TimedImplementation
from dramaturg.timing.validity.audit_contrast import ALIKE, SLOWEST
from dramaturg.timing.validity.plausibility import DOUBTED, HURRIED


def ranks(intervals: Sequence[tuple[float, float]]) -> list[tuple[int, int]]:
    """The best and the worst place of each: intervals that overlap share their places, and so
    does whatever overlaps with one of these. In the order in which they are given."""
    order = sorted(range(len(intervals)), key=lambda place: intervals[place])
    bunches: list[list[int]] = []
    reach = float("-inf")
    for place in order:
        low, high = intervals[place]
        if not bunches or low > reach:
            bunches.append([])
        bunches[-1].append(place)
        reach = max(reach, high)
    found = [(0, 0)] * len(intervals)
    before = 0
    for bunch in bunches:
        for place in bunch:
            found[place] = (before + 1, before + len(bunch))
        before += len(bunch)
    return found


def spelt(first: int, last: int) -> str:
    """``1``; ``2–4`` where noise does not tell; empty for what has no place."""
    if not first:
        return ""
    return str(first) if first == last else f"{first}–{last}"


def doubts(timed: TimedImplementation) -> Iterator[str]:
    """Yield the reasons why a row has no place among others; nothing if it has one."""
    if marked := formatting.mark(timed):
        yield marked
    if timed.compared is None:
        yield "it has no valid sample"
    elif timed.compared.low is None or timed.compared.high is None:
        yield timed.compared.note or "it has no interval"
    if timed.invalid:
        yield f"{formatting.count(len(timed.invalid), 'iteration')} not believed"
    if timed.too_short:
        yield f"{formatting.count(timed.too_short, 'iteration')} too short to be precise (MEAS-23)"
    if timed.probe_share is not None and timed.probe_share < DOUBTED:
        yield "less CPU time than its computes take as a probe (MEAS-28)"
    yield from (text for text in timed.doubts if HURRIED in text)
    if timed.audit and timed.audit.slowdown and timed.audit.slowdown > SLOWEST:
        yield "many times as fast as the iterations that were audited (MEAS-25)"
    if timed.audit and timed.audit.volume and not 1 / ALIKE <= timed.audit.volume <= ALIKE:
        yield "other numbers of messages than in the iterations that were audited (MEAS-33)"


def bounds(run: Interval | None) -> tuple[float, float]:
    """The ends of the interval of what has no doubts."""
    assert run is not None
    assert run.low is not None
    assert run.high is not None
    return run.low, run.high
