"""The data behind each picture, as CSV: what is drawn, and what it can be drawn again from.

Durations are in nanoseconds, shares are numbers from 0 to 1 and pressure may lie a little above 1,
whatever the picture's units are.
A cell without a figure is empty.
"""

import csv
import io
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from urllib.parse import quote

from markupsafe import Markup

from dramaturg.machine.interference import RESOURCES
from dramaturg.report import comparison, formatting
from dramaturg.report.matrix import Overview
from dramaturg.report.summary import (
    Beside,
    Compared,
    Curve,
    Interval,
    TimedImplementation,
    TimingGroup,
)
from dramaturg.visible import visible

LONGEST = 100
"""Characters of a file's name."""

Cell = str | int | float | bool | None

_FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""Characters with which a spreadsheet takes words for a formula; others wrote the names."""

_WHO = ("implementation", "build", "certified")


@dataclass(frozen=True, slots=True)
class Table:
    """The contents of one file."""

    says: str
    """``invocations``: what its rows are."""
    of: str
    """``chatapp, mixed``: what they are of."""
    columns: Sequence[str]
    rows: Sequence[Sequence[Cell]]

    @property
    def file(self) -> str:
        """Its name, without anything that a file's name cannot have."""
        stem = re.sub(r"[^\w.]+", "-", f"{self.of} {self.says}", flags=re.ASCII).strip("-.")
        return f"{stem[:LONGEST]}.csv"

    def text(self) -> str:
        """As the file has it."""
        stream = io.StringIO()
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerows([[_cell(value) for value in row] for row in (self.columns, *self.rows)])
        return stream.getvalue()


def link(table: Table) -> Markup:
    """Leads to the file, which is inside the page."""
    return Markup('<a download="{}" href="data:text/csv;charset=utf-8,{}">{}</a>').format(
        table.file, quote(table.text(), safe=",:/()"), table.says
    )


def of_group(group: TimingGroup) -> list[Table]:
    """The data of each of its pictures, and of its table of ledgers."""
    of, rows = f"{group.benchmark} {formatting.setting(group)}", group.implementations
    return [
        Table("samples", of, _SAMPLES, [cells for row in rows for cells in _samples(row)]),
        Table("turns", of, _TURNS, [cells for row in rows for cells in _turns(row)]),
        Table("invocations", of, _INVOKED, [cells for row in rows for cells in _invoked(row)]),
        Table("ledgers", of, _LEDGERS, [_ledger(row) for row in rows]),
    ]


def of_curve(curve: Curve) -> Table:
    """A row for each implementation at each value; where there is no figure it says why."""
    rows: list[list[Cell]] = []
    for line in curve.lines:
        gaps = {gap.value: f"{gap.outcome}: {gap.message}" for gap in line.gaps}
        points = {point.value: point for point in line.points}
        for value in curve.values:
            point = points.get(value)
            figures: list[Cell] = [None] * 8
            if point:
                counts = [point.invocations, point.samples]
                figures = [*counts, *_interval(point.run), *_interval(point.cost)]
            missing = gaps.get(value)
            doubts = "; ".join(point.doubts) if point else None
            rows.append([line.implementation, line.certified, value, *figures, missing, doubts])
    axis = f"{curve.axis}_{curve.unit}" if curve.unit else curve.axis
    fixed = f" {formatting.pairs(curve.fixed)}" if curve.fixed else ""
    columns = [
        "implementation", "certified", axis, "invocations", "samples",
        "run_nanos", "run_low", "run_high",
        "nanos_per_message", "nanos_per_message_low", "nanos_per_message_high", "missing",
        "doubts",
    ]  # fmt: skip
    return Table("points", f"{curve.entry} {curve.benchmark}{fixed}", columns, rows)


def of_latencies(curve: Curve) -> Table:
    """A row for each point of web under an open load; none for any other curve."""
    rows: list[list[Cell]] = [
        [
            line.implementation, line.certified, point.value, found.offered, found.completed,
            found.p50, found.p90, found.p99, found.p999, found.longest, found.lateness_p99,
            found.hidden,
        ]
        for line in curve.lines
        for point in line.points
        if (found := point.latency)
    ]  # fmt: skip
    columns = [
        "implementation", "certified", curve.axis, "offered_per_second", "completed",
        "p50_nanos", "p90_nanos", "p99_nanos", "p999_nanos", "longest_nanos",
        "lateness_p99_nanos", "hidden",
    ]  # fmt: skip
    return Table("latencies", f"{curve.entry} {curve.benchmark}", columns, rows)


def of_overview(overview: Overview) -> Table:
    """A row for each cell."""
    columns = [
        "benchmark", "setting", *_WHO, "run_nanos", "run_low", "run_high",
        "compared_nanos", "compared_low", "compared_high", "ratio_to_fastest", "place",
        "audited_share", "cautions",
    ]  # fmt: skip
    rows: list[list[Cell]] = [
        [
            row.name, row.setting, *_who(cell.timed), *_interval(cell.timed.run),
            *_interval(cell.timed.compared), cell.ratio, cell.place,
            cell.timed.audit.share if cell.timed.audit else None,
            "; ".join(cell.cautions),
        ]
        for row in overview.rows for cell in row.cells
    ]  # fmt: skip
    return Table("overview", "", columns, rows)


def of_comparison(found: Compared) -> Table:
    """A row for each pair."""
    columns = ["benchmark", "verdict", "fresh", "pair", "b_over_a"]
    rows: list[list[Cell]] = [
        [comparison.name(row), row.verdict.value, fresh, number, ratio]
        for row in found.rows
        for fresh, ratios in ((False, row.first), (True, row.fresh))
        for number, ratio in enumerate(ratios, start=1)
    ]
    return Table("pairs", f"{found.a.label} {found.b.label}", columns, rows)


_SAMPLES = (
    *_WHO, "invocation", "iteration", "salt", "run_nanos", "compared_nanos",
    "setup_nanos", "teardown_nanos", "runtime_nanos", "outlier", "too_short",
)  # fmt: skip
_TURNS = (*_WHO, "first_turn", "turns", "median_nanos", "low_quartile", "high_quartile")
_SHARES = (
    "cores_busy", "harness_share", "steal_share",
    *(f"pressure_{name}" for name in RESOURCES),
)  # fmt: skip
_INVOKED = (
    *_WHO, "invocation", "samples", "run_median", "compared_median", "compared_fastest",
    "compared_slowest", *_SHARES,
)  # fmt: skip
_LEDGERS = (
    *_WHO, *_SHARES, "run_seen", "left_over_most", "tolerance", "round_trip", "waited",
    "forgiven_samples", "harness_nanos", "audited_iterations", "audited_events",
    "audited_decided", "audited_pairs", "audited_share", "times_as_fast_as_audited",
)  # fmt: skip


def _samples(row: TimedImplementation) -> Iterable[list[Cell]]:
    for of in row.samples:
        yield [
            *_who(row), of.invocation, of.iteration, of.salt, of.run_nanos, of.compared_nanos,
            of.setup_nanos, of.teardown_nanos, of.runtime_nanos, of.outlier, of.too_short,
        ]  # fmt: skip


def _turns(row: TimedImplementation) -> Iterable[list[Cell]]:
    if (of := row.timeline) is None:
        return
    for number, figures in enumerate(zip(of.median, of.low, of.high, strict=True)):
        first = number * of.step
        yield [*_who(row), first, min(of.step, of.turns - first), *figures]


def _invoked(row: TimedImplementation) -> Iterable[list[Cell]]:
    for of in row.by_invocation:
        yield [
            *_who(row), of.invocation, of.samples, of.run, of.compared, of.fastest, of.slowest,
            *_shares(of.beside),
        ]  # fmt: skip


def _ledger(row: TimedImplementation) -> list[Cell]:
    of, audit = row.ledger, row.audit
    seen: list[Cell] = [None] * 7 if of is None else [
        of.seen, of.left_over, of.tolerance, of.round_trip, of.waited, of.forgiven,
        of.harness_nanos,
    ]  # fmt: skip
    audited: list[Cell] = [None] * 6 if audit is None else [
        audit.iterations, audit.events, audit.decided, audit.pairs, audit.share, audit.slowdown,
    ]  # fmt: skip
    return [*_who(row), *_shares(row.beside), *seen, *audited]


def _shares(of: Beside | None) -> list[Cell]:
    if of is None:
        return [None] * len(_SHARES)
    return [of.busy, of.harness, of.steal, *(of.pressure.get(name) for name in RESOURCES)]


def _who(row: TimedImplementation) -> list[Cell]:
    return [row.implementation, row.build, row.certified]


def _interval(of: Interval | None) -> list[Cell]:
    return [None] * 3 if of is None else [of.value, of.low, of.high]


def _cell(value: Cell) -> Cell:
    match value:
        case None:
            return ""
        case bool():
            return "yes" if value else "no"
        case str():
            said = visible(value)
            return f"'{said}" if said.startswith(_FORMULA) else said
        case _:
            return value
