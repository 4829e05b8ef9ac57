"""Checks that the work left when the last window has ended takes no longer than it took in the
windows.

A count and a duration make a rate only if both end at the same moment. Whoever stamps the last
window first and stops counting later counts more than belongs to it, and the sums still agree
(spec/windows.md, WIN-5). But then more time passes between that stamp and E than what is left to
do takes: how much is left is known from the parameters, and how long it takes from the windows.
"""

from dataclasses import dataclass, replace
from typing import Any

from dramaturg.model import accounts
from dramaturg.model.receipt_names import benchmark_of
from dramaturg.model.workload import MICRO
from dramaturg.timing.planning.scenarios import Scenario
from dramaturg.timing.validity.ledger import GRAIN, SLEW, USUAL_WAIT, WAYS, Tolerance
from dramaturg.v2 import benchmarks_pb2

LEGS = 5
"""Messages that come one after the other until all is quiet, in big: mark, pong, idle, stop and
finished. For each of them somebody may wait for a core as long as in any other call."""

SINGLE = 200_000_000
"""Nanoseconds of a single call's tolerance that count here at most. In a first iteration that is
as much as starting the process took, and what is left of a run loads little for the first time."""

RESENT = 3_000_000_000
"""Nanoseconds that a link which loses packets may add: one that is lost twice is sent again after
0.2 s, and 0.4 s later, and some systems begin with a second."""


@dataclass(frozen=True, slots=True)
class Left:
    """The times after the last window, by the receipt. In nanoseconds."""

    passed: int
    """Nanoseconds from the stamp that ends the last window to E."""
    usual: int
    """The time that as much took inside the windows."""


def left(scenario: Scenario, receipt: benchmarks_pb2.Receipt) -> Left | None:
    """None where there are no windows, or not those that were asked for."""
    benchmark = scenario.benchmark
    if benchmark not in accounts.COUNTED or benchmark_of(receipt) != benchmark:
        return None
    parameters: Any = scenario.micro
    claimed = receipt.done
    if not parameters.windows or len(claimed.window_nanos) != parameters.windows:
        return None
    lasted, counted = sum(claimed.window_nanos), max(1, sum(claimed.windows))
    usual = MICRO[benchmark].model.rest(parameters) * lasted // counted
    return Left(receipt.run_nanos - lasted, usual)


class Rests:
    """The times after the last window of each iteration of one invocation."""

    def __init__(self, scenario: Scenario, *, lossy: bool = False, sharing: int = 1) -> None:
        """``lossy``: whether a link loses packets; ``sharing``: nodes for each core, at least 1."""
        self._scenario = scenario
        self._resent = RESENT if lossy else 0
        self._usual_wait = LEGS * USUAL_WAIT * sharing
        self._passed = self._most = self._once = self._count = 0
        self.forgiven = 0
        """Nanoseconds of the last iteration that only waits beyond the usual ones can explain."""
        self.share: float | None = None
        """The share of the bound that was used; None where there are no windows."""

    def problems(
        self, receipt: benchmarks_pb2.Receipt, tolerance: Tolerance, waited: int, seen: int
    ) -> list[str]:
        """The faults of one more iteration. ``tolerance`` is that of a single call in it;
        ``waited`` and ``seen`` are what threads waited for a core in Run, and what Run took."""
        self.forgiven, self.share = 0, None
        of = left(self._scenario, receipt)
        if of is None:
            return []
        tolerance = replace(tolerance, single=min(tolerance.single, SINGLE))
        beside = tolerance.after(waited, seen)
        rounded = int(seen * SLEW)
        times: int = MICRO[self._scenario.benchmark].model.REST_TIMES
        usual = times * of.usual + self._resent
        most = usual + beside.beside + rounded
        self.forgiven = max(0, min(of.passed - most, beside.more))
        self.share = max(0, of.passed) / (most + self.forgiven)
        if of.passed > most + self.forgiven:
            return [
                f"between the end of the last window and that of the run {of.passed} ns passed,"
                f" expected at most {most + self.forgiven}: the work that was left took {of.usual}"
                f" in the windows, and may take {times} times that, and"
                f" {most + self.forgiven - usual} are for stalls and waits. A program that stamps"
                " the last window and goes on counting counts messages of no window (WIN-5)"
            ]
        wait = min(beside.waited, self._usual_wait)
        self._count += 1
        self._passed += max(0, of.passed)
        self._most += usual + rounded + WAYS * tolerance.mean + GRAIN // 2 + wait
        self._once = max(self._once, beside.beside - wait + self.forgiven)
        most = self._most + self._once
        self.share = max(self.share, self._passed / most)
        if self._passed <= most:
            return []
        return [
            f"over {self._count} iterations {self._passed} ns passed from the end of the last"
            f" window to that of the run, expected at most {most} (WIN-5)"
        ]
