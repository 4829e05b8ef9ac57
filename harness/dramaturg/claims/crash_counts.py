"""Counts, among the planned invocations, those that could have crashed, and those that did."""

from collections.abc import Sequence

from dramaturg.outcomes import Outcome
from dramaturg.report.summary import UnitFinding


def crashed(failed: Sequence[UnitFinding]) -> int:
    """Count the invocations that crashed. A unit that could not be built crashed in none."""
    return sum(_ran(unit) and unit.outcome is Outcome.CRASH for unit in failed)


def not_run(failed: Sequence[UnitFinding], planned: int, passed: int) -> int:
    """Count those that never came to be, of the planned and the one that is only audited: the unit
    could not be invoked at all, or no more after a time limit or without its network."""
    if any(unit.invocation is None for unit in failed):
        return max(0, planned + 1 - passed - sum(map(_ran, failed)))
    return sum(not _ran(unit) for unit in failed)


def _ran(unit: UnitFinding) -> bool:
    return unit.invocation is not None and unit.outcome is not Outcome.NOT_RUN
