"""Ledger and audits of a group, as a table: what was claimed, seen and decided."""

from collections.abc import Callable
from typing import Any

from dramaturg.outcomes import Outcome
from dramaturg.report import formatting
from dramaturg.report.summary import Audit, Beside, LedgerFigures, TimedImplementation, TimingGroup

EXPLAINED = (
    "Left over is the most of the harness's time for Run that no claim accounts for; it may be as"
    " long as the tolerance. Forgiven are samples in which only waits for a core explain more."
    " Outside is the CPU time outside of calls and in Teardown, as a share of Run. Harness and"
    " steal are shares of Run on all cores, pressure of Run. Decided are events whose sender,"
    " content and place a replay shows to be right."
)

_NONE = "–"


def rows(group: TimingGroup) -> list[dict[str, Any]]:
    """One for each implementation with samples that count or with audits."""
    return [_row(row) for row in group.implementations if row.ledger or row.audit or row.beside]


def _row(row: TimedImplementation) -> dict[str, Any]:
    return {
        "name": row.implementation,
        "mark": formatting.mark(row),
        **_beside(row.beside),
        **_ledger(row.ledger),
        **_audit(row.audit),
    }


def _beside(of: Beside | None) -> dict[str, Any]:
    pressure = of.pressure if of else {}
    return {
        "busy": _NONE if of is None or of.busy is None else f"{of.busy:.2f}",
        "outside": _share(of.outside if of else None),
        "harness": _share(of.harness if of else None),
        "steal": _share(of.steal if of else None),
        "pressure": [f"{name} {_share(value)}" for name, value in pressure.items()] or [_NONE],
    }


def _ledger(of: LedgerFigures | None) -> dict[str, str]:
    def spelt(figure: Callable[[LedgerFigures], float]) -> str:
        return _NONE if of is None else formatting.duration(figure(of))

    return {
        "left_over": spelt(lambda of: of.left_over),
        "tolerance": spelt(lambda of: of.tolerance),
        "round_trip": spelt(lambda of: of.round_trip),
        "waited": spelt(lambda of: of.waited),
        "forgiven": _NONE if of is None else str(of.forgiven),
        "sources": "; ".join(of.sources) if of else "",
    }


def _audit(of: Audit | None) -> dict[str, Any]:
    if of is None:
        return {"audits": _NONE, "wrong": "", "decided": _NONE, "share": _NONE, "open": ""}
    wrong = {outcome: count for outcome, count in of.outcomes.items() if outcome != Outcome.PASS}
    return {
        "audits": str(of.iterations),
        "wrong": ", ".join(f"{count} {outcome}" for outcome, count in wrong.items()),
        "decided": f"{of.decided:,} of {of.events:,}",
        "share": _NONE if of.share is None else f"{of.share:.0%}",
        "open": "; ".join(of.open),
    }


def _share(value: float | None) -> str:
    return _NONE if value is None else f"{value:.2%}"
