"""The drawings of a report: run times, curves, turns, invocations, and what led to a failure.

``Colours`` are those of the whole report: an implementation has the same in every drawing.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from markupsafe import Markup

from dramaturg.report import formatting
from dramaturg.report.chart import Dot, Row, interval_plot
from dramaturg.report.curve_plot import Line, Mark, curve_plot
from dramaturg.report.lifelines import sequence_diagram
from dramaturg.report.summary import (
    Compared,
    ComparedRow,
    Curve,
    CurvePoint,
    Latencies,
    Summary,
    TimedImplementation,
    TimingGroup,
)
from dramaturg.trace.explanation import message_sequence

Colours = Mapping[str, int]
"""Colours by implementation."""

TURNS = (
    "The line is the median of each turn over all iterations; the band is from the first quartile"
    " to the third."
)


def colours(summary: Summary) -> Colours:
    """The colours of all implementations, in the order of their names."""
    of_curves = (line.implementation for curve in summary.curves for line in curve.lines)
    of_groups = (row.implementation for group in summary.groups for row in group.implementations)
    names: Iterable[str] = sorted({*of_curves, *of_groups})
    return {name: number for number, name in enumerate(names)}


def name_of(group: TimingGroup) -> str:
    """``chatapp, mixed``"""
    return f"{group.benchmark}, {group.scenario}" if group.scenario else group.benchmark


def unit_of(group: TimingGroup) -> formatting.Unit:
    """The unit in which is spelt what it is compared by."""
    return formatting.for_durations(
        [row.compared.value for row in group.implementations if row.compared]
    )


def run_times(group: TimingGroup) -> Markup | None:
    """Every sample of the group; None where nothing was summarised."""
    timed = group.implementations
    if not any(row.run for row in timed):
        return None
    unit = unit_of(group)
    heard = f"run times of {name_of(group)}: {', '.join(map(formatting.called, timed))}"
    label = f"{group.compared_by} in {unit.name}"
    return interval_plot([_row(row, unit) for row in timed], label, heard)


def timeline(group: TimingGroup, colours: Colours) -> Markup | None:
    """The duration of each turn; None if there are none, or rows have other numbers of them."""
    found = [(row, row.timeline) for row in group.implementations if row.timeline]
    if not found or len({(of.turns, of.step) for _, of in found}) > 1:
        return None
    unit = formatting.for_durations([nanos for _, of in found for nanos in of.low])
    _, one = found[0]
    starts = list(range(0, one.turns, one.step))

    def mark(at: int, low: float, value: float, high: float) -> Mark:
        low, value, high = (nanos / unit.nanos for nanos in (low, value, high))
        last = min(at + one.step, one.turns) - 1
        where = f"turn {at}" if last == at else f"turns {at} to {last}"
        return Mark(at, value, low, high, f"{where}: {unit.spell(value * unit.nanos)} {unit.name}")

    lines = [
        Line(
            label=row.implementation,
            marks=[
                mark(at, *figures)
                for at, *figures in zip(starts, of.low, of.median, of.high, strict=True)
            ],
            hollow=not row.certified,
            colour=colours.get(row.implementation),
        )
        for row, of in found
    ]
    heard = f"durations of the turns of {name_of(group)}"
    return curve_plot(lines, starts, "turn", f"duration in {unit.name}", heard)


def curve(of: Curve, colours: Colours | None = None) -> Markup | None:
    """A line for each implementation, of messages per second, or of run time where there are runs
    without any; None where there is nothing to draw."""
    marks = [point for row in of.lines for point in row.points]
    if not marks:
        return None
    rated = all(point.cost and point.cost.value for point in marks)
    unit = formatting.for_durations([point.run.value for point in marks])
    lines = [
        Line(
            label=row.implementation,
            marks=[_mark(point, of, unit, rated=rated) for point in row.points],
            hollow=not row.certified,
            colour=(colours or {}).get(row.implementation),
        )
        for row in of.lines
    ]
    up = "messages per second" if rated else f"run time in {unit.name}"
    across = f"{of.axis} in {of.unit}" if of.unit else of.axis
    heard = f"{up} of {curve_name(of)}: {', '.join(map(formatting.called, of.lines))}"
    return curve_plot(lines, of.values, across, up, heard)


SHOWN = (("p50", "median"), ("p99", "99 %"))
"""The percentiles that are drawn: more of them are in the table."""


def latency(of: Curve, colours: Colours | None = None) -> Markup | None:
    """Latencies over the offered load, two lines for each implementation; None where there is no
    point that may be shown."""
    rows = [
        (row, [point.latency for point in row.points if point.latency and not point.latency.hidden])
        for row in of.lines
    ]
    loads = sorted({round(found.offered, 1) for _, points in rows for found in points})
    if not loads:
        return None
    unit = formatting.for_durations([found.p50 for _, points in rows for found in points])
    lines = [
        Line(
            label=f"{row.implementation}, {called}",
            marks=sorted(
                (_latency_mark(found, getattr(found, field), called, unit) for found in points),
                key=lambda mark: float(mark.at),
            ),
            hollow=not row.certified,
            colour=(colours or {}).get(row.implementation),
        )
        for row, points in rows
        if points
        for field, called in SHOWN
    ]
    up = f"latency in {unit.name}"
    heard = f"{up} over the offered load of {curve_name(of)}"
    return curve_plot(lines, loads, "requests per second that are offered", up, heard)


def _latency_mark(found: Latencies, nanos: float, called: str, unit: formatting.Unit) -> Mark:
    said = f"{found.offered:.1f} requests/s, {called}: {unit.spell(nanos)} {unit.name}"
    return Mark(round(found.offered, 1), nanos / unit.nanos, title=said)


def curve_name(of: Curve) -> str:
    """``big over delay, workers 4 (thesis/T5)``"""
    fixed = f", {formatting.pairs(of.fixed)}" if of.fixed else ""
    return f"{of.benchmark} over {of.axis}{fixed} ({of.entry})"


def _mark(point: CurvePoint, of: Curve, unit: formatting.Unit, *, rated: bool) -> Mark:
    where = f"{of.axis} {formatting.spell(point.value)}{of.unit and f' {of.unit}'}"
    if rated and point.cost and point.cost.value:
        cost, second = point.cost, 1e9
        # The reciprocal of a median, and of the ends of its interval: a rate is never averaged.
        low, high = (second / end if end else None for end in (cost.high, cost.low))
        said = f"{where}: {formatting.significant(second / cost.value)} messages/s"
        return Mark(point.value, second / cost.value, low, high, said)
    run = point.run
    low, high = (end / unit.nanos if end is not None else None for end in (run.low, run.high))
    return Mark(
        point.value, run.value / unit.nanos, low, high,
        f"{where}: {unit.spell(run.value)} {unit.name}",
    )  # fmt: skip


def compared(found: Compared) -> Markup | None:
    """A dot for each pair of each row, and the interval that decided; None without pairs."""
    rows = [_compared_row(row) for row in found.rows if row.first]
    heard = f"run time of {found.b.label} over that of {found.a.label}, pair by pair"
    label = "run time of B as a multiple of A's"
    return interval_plot(rows, label, heard) if rows else None


def messages(divergence: dict[str, Any], identifier: str) -> Markup | None:
    """The messages that led to a divergence, as its record tells it; None if the record has
    none."""
    steps = message_sequence.parse(divergence.get("sequence", []))
    title = f"the messages that led to it: {divergence.get('headline', '')}"
    return sequence_diagram(steps, title, identifier) if steps else None


def _compared_row(row: ComparedRow) -> Row:
    """The row of a comparison. If it was flagged, only its fresh pairs: the others have no part in
    the verdict."""
    dots = row.fresh or row.first
    called = f"{'fresh ' if row.fresh else ''}pair"
    return Row(
        label=f"{row.benchmark} {row.scenario}".strip(),
        note=row.said,
        dots=[Dot(value, f"{called} {n}: {value:.3f}") for n, value in enumerate(dots, start=1)],
        median=row.ratio,
        low=row.low,
        high=row.high,
        hollow=not row.certified,
    )


def _row(row: TimedImplementation, unit: formatting.Unit) -> Row:
    def scaled(nanos: float) -> float:
        return nanos / unit.nanos

    found = row.compared
    mark = formatting.mark(row)
    notes = [mark] if mark else []
    notes += [f"{len(row.invalid)} invalid"] if row.invalid else []
    notes += [f"{row.too_short} too short to be precise"] if row.too_short else []
    notes += [f"{formatting.count(len(row.doubts), 'caution')}"] if row.doubts else []
    return Row(
        label=row.implementation,
        of=row.implementation,
        note=", ".join(notes),
        dots=[
            Dot(
                scaled(sample.compared_nanos),
                f"invocation {sample.invocation}, iteration {sample.iteration}:"
                f" {unit.spell(sample.compared_nanos)} {unit.name}"
                f"{', an outlier' if sample.outlier else ''}{mark and f', {mark}'}",
            )
            for sample in row.samples
        ],
        median=scaled(found.value) if found else None,
        low=scaled(found.low) if found and found.low is not None else None,
        high=scaled(found.high) if found and found.high is not None else None,
        hollow=not row.certified,
    )
