"""The length at which a run would be vouched for, of those that are too short (MEAS-23).

It must be twenty times as long as the time that may lie beside it by the empty calls of its
session, its tolerance, and as the time that did lie beside it. Both are the machine's, and do not
grow with the run.
"""

import math
from collections.abc import Sequence
from statistics import median

from dramaturg.model import chatapp
from dramaturg.model.workload import MICRO
from dramaturg.records import SampleRecord
from dramaturg.report import formatting
from dramaturg.timing.validity.ledger import VOUCHED

_GROWS: dict[str, str] = {"chatapp": chatapp.GROWS} | {
    name: micro.model.GROWS for name, micro in MICRO.items()
}
"""The parameter with which each benchmark's run time grows; in windowed forms it is the window."""


def enough(samples: Sequence[SampleRecord]) -> str:
    """The time that a run of these would have to take, by the one that lacks most, and the
    parameter for it; empty if none is too short."""
    short = [sample for sample in samples if sample.ledger and sample.ledger.too_short]
    if not short:
        return ""
    worst = max(short, key=_lacks)
    needed, part = _needed(worst)
    ran = median(sample.run_nanos for sample in short)
    said = (
        f"{formatting.duration(ran)}, and {VOUCHED} times {part} is {formatting.duration(needed)}"
    )
    if _lacks(worst) <= 1:
        # Long enough, but for what was forgiven: another size would not help.
        return (
            f"waits were forgiven in {formatting.count(len(short), 'iteration')}, by a busy machine"
        )
    windowed = bool(worst.parameters.get("windows"))
    name = "window" if windowed else _GROWS.get(worst.benchmark, "")
    more = math.ceil(10 * needed / max(1, min(each.run_nanos for each in short))) / 10
    return said + (f": about {more:g} times the {name} would do" if name else "")


def _needed(sample: SampleRecord) -> tuple[int, str]:
    """Return the length that it needs, in nanoseconds, and the part of the rule that asks for
    it."""
    assert sample.ledger is not None
    tolerance = sample.ledger.tolerance_nanos
    beside = sample.ledger.run_nanos - sample.run_nanos
    if tolerance >= beside:
        return VOUCHED * tolerance, f"the tolerance, {formatting.duration(tolerance)},"
    return VOUCHED * beside, f"the time beside it, {formatting.duration(beside)},"


def _lacks(sample: SampleRecord) -> float:
    """Return the factor by which it is too short."""
    return _needed(sample)[0] / max(1, sample.run_nanos)
