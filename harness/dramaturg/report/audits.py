"""Audits, summed up: how much of what was timed is known to be right (MEAS-17)."""

from collections import Counter
from collections.abc import Iterable, Sequence
from statistics import median

from dramaturg.outcomes import Outcome
from dramaturg.records import AuditRecord, Depth, SampleRecord, UnitRecord
from dramaturg.report.summary import Audit

RARE = (2, 3, 4, 5, 6)
"""Faults that touch one message in ten to the power of these."""


def summed(records: Sequence[AuditRecord], timed: Sequence[SampleRecord]) -> Audit | None:
    """The audits of one row, with the samples that count; None if there are none."""
    if not records:
        return None
    decided = sum(each.decided for each in records)
    parts = [each for each in records if each.depth == Depth.PARTS]
    messages = sum(each.messages for each in parts)
    outcomes = Counter(each.outcome for each in records)
    return Audit(
        iterations=len(records),
        outcomes={outcome: outcomes[outcome] for outcome in Outcome if outcomes[outcome]},
        events=sum(each.events for each in records),
        decided=decided,
        pairs=sum(each.pairs for each in records),
        share=min(1.0, sum(each.decided for each in parts) / messages) if messages else None,
        slowdown=_ratio(_pace(parts), _pace(timed)),
        volume=_ratio(_volume(timed), _volume(parts)),
        missed={f"{10**k:,}": (1 - 10.0**-k) ** decided for k in RARE},
        open=sorted({text for each in records for text in each.open}),
    )


def _ratio(one: float | None, other: float | None) -> float | None:
    return one / other if one and other else None


def _pace(records: Iterable[AuditRecord | SampleRecord]) -> float | None:
    """Median, over iterations, of the nanoseconds for each message."""
    paces = [each.run_nanos / each.messages for each in records if each.messages]
    return median(paces) if paces else None


def _volume(records: Iterable[AuditRecord | SampleRecord]) -> float | None:
    """Median, over iterations, of the messages."""
    volumes = [each.messages for each in records if each.messages]
    return median(volumes) if volumes else None


def is_complete(units: Sequence[UnitRecord]) -> bool:
    """True if each invocation of a row ran under a certificate and passed with its audits."""
    return bool(units) and all(unit.certified for unit in units)


def spell(audit: Audit | None) -> str:
    """``100 % of parts, 2,100,000 events``; for a cell of a table."""
    if audit is None:
        return "no"
    wrong = sum(count for outcome, count in audit.outcomes.items() if outcome is Outcome.FAIL)
    if wrong:
        return f"{wrong} FAILED"
    if audit.share is None:
        return "no"
    return f"{audit.share:.0%}, {audit.decided:,}"
