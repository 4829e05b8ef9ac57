"""Marks: what is seen of a run while it is under way (spec/control.md, CTRL-6).

They come from the implementation, but when they came is the harness's own knowledge. So
no turn and no window can be said to have taken less time than its mark took to come.
"""

from collections.abc import Sequence
from itertools import pairwise

from dramaturg.control.session import MarkSeen, Ran
from dramaturg.v2 import benchmarks_pb2

INTERVAL = 0.1
"""Seconds between two marks at least, by the implementation's clock."""

CERTAIN = 2 * INTERVAL
"""Seconds that a window must last for each to have a mark of its own. If the machine stalls, a
report comes late, and the next too soon after it: so half of them have to be there."""

FEW = 4
"""Marks before the last one, from which on most of them can be spoken of."""

GRAIN = 1_000_000
"""Nanoseconds that rounding may add: some runtimes keep time in milliseconds."""


def expected(benchmark: benchmarks_pb2.Benchmark) -> int:
    """The number in the last mark: turns or windows; 0 where there are no marks."""
    parameters = getattr(benchmark, str(benchmark.WhichOneof("parameters")))
    if benchmark.WhichOneof("parameters") == "chatapp":
        return int(parameters.turns)
    return int(getattr(parameters, "windows", 0))


def problems(benchmark: benchmarks_pb2.Benchmark, ran: Ran) -> list[str]:
    """The faults of the marks of a run, whatever its receipt says."""
    total, marks = expected(benchmark), ran.marks
    if not total:
        return [_none(benchmark, marks)] if marks else []
    if not marks or marks[-1].done != total:
        last = f"the last mark says {marks[-1].done}" if marks else "no mark came"
        return [f"{last}, expected one that says {total} before the run ended (CTRL-6)"]
    found = []
    said = [0, *(mark.done for mark in marks)]
    for number, (before, after) in enumerate(pairwise(said), start=1):
        # The last one is sent also where the one before it said as much.
        if after < before or (after == before and number < len(marks)):
            found.append(f"mark {number} says {after} after one that said {before} (CTRL-6)")
            break
    most = int(ran.seconds / INTERVAL) + 1
    if len(marks) - 1 > most:
        found.append(
            f"{len(marks)} marks came in {ran.seconds:.3f} s, expected at most {most} and the last"
            " (CTRL-6)"
        )
    parameters = getattr(benchmark, str(benchmark.WhichOneof("parameters")))
    if getattr(parameters, "window", 0) >= CERTAIN * 1000:
        marked = len({mark.done for mark in marks})
        if marked < (total + 1) // 2:
            found.append(f"{marked} of {total} windows were marked, and each ended alone (CTRL-6)")
    return found


def untimely(receipt: benchmarks_pb2.Receipt, marks: Sequence[MarkSeen]) -> list[str]:
    """Report marks that came before their work can have been done, by the receipt, and say if none
    came although one was due. A late mark says nothing: its sender or its receiver may have waited
    for a core."""
    windows, turns = list(receipt.done.window_nanos), list(receipt.chatapp.turn_nanos)
    return _early(windows, sorted(turns), marks) or _kept(turns, marks)


def slow(receipt: benchmarks_pb2.Receipt, marks: Sequence[MarkSeen], tolerance: float) -> list[str]:
    """Report a receipt that has less time for turns or windows than passed until most marks came.

    A single mark may be late for many reasons. Only one explains that most of them come later than
    twice the time of their turns or windows. ``tolerance`` is in seconds. The last mark says
    nothing: it waits for the end.
    """
    windows, turns = list(receipt.done.window_nanos), list(receipt.chatapp.turn_nanos)
    most = max(len(windows), len(turns))
    spoken = [mark for mark in marks[:-1] if 0 < mark.done < most]
    late = [
        (mark, nanos)
        for mark in spoken
        if (nanos := _latest(mark, windows, turns)) < (mark.seconds / 2 - tolerance) * 1e9
    ]
    if len(spoken) < FEW or 2 * len(late) <= len(spoken):
        return []
    mark, nanos = late[-1]
    what = f"the first {mark.done} windows" if windows else f"turn {mark.done} as they ended"
    return [
        f"{len(late)} of {len(spoken)} marks came late: one said {mark.done} after"
        f" {mark.seconds:.3f} s; by the receipt {what} had ended after {nanos / 1e9:.3f} s at the"
        f" latest ({'WIN-3' if windows else 'MEAS-2'})"
    ]


def _latest(mark: MarkSeen, windows: list[int], turns: list[int]) -> int:
    """Nanoseconds from the start of the run within which, by the receipt, what the mark speaks of
    has ended. Every turn has begun when the first one ends."""
    if windows:
        return sum(windows[: mark.done])
    return turns[0] + sorted(turns)[mark.done - 1]


def _kept(turns: list[int], marks: Sequence[MarkSeen]) -> list[str]:
    """The first turn that is confirmed 100 ms after Run has a mark. If another one is
    confirmed after it, that is not the last mark."""
    slow = sum(nanos >= INTERVAL * 1e9 for nanos in turns)
    if slow < 2 or len(marks) > 1:
        return []
    return [
        f"{slow} turns were confirmed more than {INTERVAL:g} s after the run began, and the only"
        " mark is the last one (CTRL-6)"
    ]


def _early(windows: list[int], turns: list[int], marks: Sequence[MarkSeen]) -> list[str]:
    for mark in marks:
        if not 0 < mark.done <= max(len(windows), len(turns)):
            continue
        # Turns overlap, and any of them may be first; windows follow each other.
        least = sum(windows[: mark.done]) if windows else turns[mark.done - 1]
        if least > mark.seconds * 1e9 + GRAIN:
            what = f"the first {mark.done} windows" if windows else f"{mark.done} turns"
            return [
                f"a mark said {mark.done} after {mark.seconds:.3f} s; by the receipt {what} took"
                f" {least / 1e9:.3f} s (CTRL-6)"
            ]
    return []


def _none(benchmark: benchmarks_pb2.Benchmark, marks: Sequence[MarkSeen]) -> str:
    name = benchmark.WhichOneof("parameters")
    return f"{len(marks)} marks came; {name} has neither turns nor windows to mark (CTRL-6)"
