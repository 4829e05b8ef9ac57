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
"""Marks before the last ones, from which on most of them can be spoken of."""

LATE = 0.05
"""Seconds by which the mark of a window may come after its end, beside the tolerance; or a quarter
of the window, if that is more."""

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


class Late:
    """The marks of an invocation, of which most may not come late.

    A single mark may be late for many reasons. Only one explains that half of them come later than
    their windows ended, or than twice the time of their turns: these took longer.
    """

    def __init__(self) -> None:
        self._spoken = self._late = 0

    def problems(
        self, receipt: benchmarks_pb2.Receipt, marks: Sequence[MarkSeen], tolerance: float
    ) -> list[str]:
        """Report a receipt that has less time for turns or windows than passed until most marks
        came, in this iteration or in all so far. ``tolerance`` is in seconds. The last mark says
        nothing: it waits for the end."""
        windows, turns = list(receipt.done.window_nanos), list(receipt.chatapp.turn_nanos)
        most = max(len(windows), len(turns))
        spoken = [mark for mark in marks[:-1] if 0 < mark.done < most]
        late = [mark for mark in spoken if _is_late(mark, windows, turns, tolerance)]
        self._spoken += len(spoken)
        self._late += len(late)
        counted = [(len(spoken), len(late)), (self._spoken, self._late)]
        most_late = [counts for counts in counted if _most(*counts)]
        if not late or not most_late:
            return []
        total, behind = most_late[-1]
        mark = late[-1]
        what = f"the first {mark.done} windows" if windows else f"turn {mark.done} as they ended"
        return [
            f"{behind} of {total} marks came late: one said {mark.done} after"
            f" {mark.seconds:.3f} s; by the receipt {what} had ended after"
            f" {_latest(mark, windows, turns) / 1e9:.3f} s at the latest"
            f" ({'WIN-3' if windows else 'MEAS-2'})"
        ]


def _most(spoken: int, late: int) -> bool:
    return spoken >= FEW and 2 * late >= spoken


def _is_late(mark: MarkSeen, windows: list[int], turns: list[int], tolerance: float) -> bool:
    latest = _latest(mark, windows, turns) / 1e9 + tolerance
    if windows:
        return mark.seconds > latest + max(LATE, windows[mark.done - 1] / 4e9)
    return mark.seconds > 2 * latest


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
