"""The sections of a page on timings: the overview, curves, and a section for each group."""

from typing import Any

from dramaturg.report import (
    audits,
    comparison,
    data,
    drawings,
    formatting,
    invocations,
    ledgers,
    matrix,
    row_accounts,
)
from dramaturg.report.data import link
from dramaturg.report.drawings import Colours
from dramaturg.report.summary import (
    Curve,
    Interval,
    InvalidSample,
    Latencies,
    Summary,
    TimedImplementation,
    TimingGroup,
)

LISTED = 20
"""Invalid iterations of one group that a page lists; ``summary.json`` lists them all."""

RULES = 2
"""Warm-up rules that a note quotes: each invocation has its own threshold in its rule."""

LAID_OPEN = 8
"""Number of groups that a page shows unfolded. If there are more, invocations and ledgers are
folded: a sweep has a group for each of its values."""


def timed(summary: Summary) -> dict[str, Any]:
    """The values that the template of timings shows."""
    colours = drawings.colours(summary)
    overview = matrix.overview(summary)
    names = (row.implementation for group in summary.groups for row in group.implementations)
    return {
        "notes": comparison.beyond_the_chapters(*names),
        "overview": overview,
        "overview_data": link(data.of_overview(overview)),
        "curves": [_curve(curve, colours) for curve in summary.curves],
        "groups": [_group(group, colours) for group in summary.groups],
        "open": len(summary.groups) <= LAID_OPEN,
        "turns": drawings.TURNS,
        "invocations": invocations.EXPLAINED,
        "ledgers": ledgers.EXPLAINED,
    }


def _curve(curve: Curve, colours: Colours) -> dict[str, Any]:
    return {
        "name": drawings.curve_name(curve),
        "scale": curve.scale,
        "chart": drawings.curve(curve, colours),
        "latency": drawings.latency(curve, colours),
        "latencies": [
            (line.implementation, formatting.called(line), point.latency, _latencies(point.latency))
            for line in curve.lines
            for point in line.points
            if point.latency
        ],
        "gaps": [
            (
                line.implementation,
                formatting.called(line),
                f"{curve.axis} {formatting.spell(gap.value)}",
                gap,
            )
            for line in curve.lines
            for gap in line.gaps
        ],
        "doubts": [
            (
                line.implementation,
                formatting.called(line),
                f"{curve.axis} {formatting.spell(point.value)}",
                text,
            )
            for line in curve.lines
            for point in line.points
            for text in point.doubts
        ],
        "data": [
            link(table) for table in (data.of_curve(curve), data.of_latencies(curve)) if table.rows
        ],
    }


def _latencies(found: Latencies) -> list[str]:
    """Its cells in the table: the load, what was completed, latencies and lateness."""
    times = found.p50, found.p90, found.p99, found.p999, found.longest, found.lateness_p99
    shown = [f"{found.offered:,.1f}", f"{found.completed:.1%}"]
    hidden = ["–"] * 5 if found.hidden else [formatting.duration(nanos) for nanos in times[:5]]
    return [*shown, *hidden, formatting.duration(times[5])]


def _group(group: TimingGroup, colours: Colours) -> dict[str, Any]:
    timed = group.implementations
    turns = [row.turn for row in timed if row.turn]
    ends = [nanos for row in timed for nanos in (row.setup, row.teardown) if nanos]
    unit = drawings.unit_of(group)
    end_unit, turn_unit = map(formatting.for_durations, (ends, turns))
    return {
        "name": drawings.name_of(group),
        "setting": formatting.circumstances(group),
        "parameters": group.parameters,
        "compared_by": group.compared_by,
        "unit": unit.name,
        "end_unit": end_unit.name,
        "turn_unit": turn_unit.name,
        "has_turns": bool(turns),
        "has_actors": group.benchmark == "chain",
        "has_wire": any(row.wire is not None for row in timed),
        "rows": [_timed(row, unit, end_unit, turn_unit) for row in timed],
        "notes": _notes(timed),
        "invalid": [_invalid(row, sample) for row in timed for sample in row.invalid][:LISTED],
        "more_invalid": max(0, sum(len(row.invalid) for row in timed) - LISTED),
        "chart": drawings.run_times(group),
        "timeline": drawings.timeline(group, colours),
        "beside": invocations.drawing(group, colours),
        "ledger": ledgers.rows(group),
        "data": [link(table) for table in data.of_group(group) if table.rows],
    }


def _timed(
    row: TimedImplementation,
    unit: formatting.Unit,
    end_unit: formatting.Unit,
    turn_unit: formatting.Unit,
) -> dict[str, Any]:
    return {
        "name": row.implementation,
        "mark": formatting.mark(row),
        "n": len(row.samples),
        "invocations": row.invocations,
        "run": _interval(row.compared, unit),
        "iteration": _interval(row.iteration, unit),
        "setup": end_unit.spell(row.setup) if row.setup is not None else None,
        "teardown": end_unit.spell(row.teardown) if row.teardown is not None else None,
        "turn": turn_unit.spell(row.turn) if row.turn else None,
        "qos": turn_unit.spell(row.qos) if row.qos is not None else None,
        "rate": formatting.significant(row.rate) if row.rate else None,
        "cpu": f"{row.cpu_seconds:.2f}" if row.cpu_seconds else None,
        "memory": f"{row.peak_memory / (1 << 20):,.1f}" if row.peak_memory else None,
        "actor": formatting.bytes_per_actor(row.bytes_per_actor),
        "wire": row_accounts.spell_wire(row.wire),
        "audited": audits.spell(row.audit),
    }


def _notes(timed: list[TimedImplementation]) -> str:
    left_out = _counts({formatting.called(row): row.warmup for row in timed})
    outliers = _counts(
        {formatting.called(row): sum(s.outlier for s in row.samples) for row in timed}
    )
    undecided = _counts({formatting.called(row): row.undecided for row in timed})
    found = sorted({rule for row in timed for rule in row.warmup_rules})
    rules = "; ".join(found[:RULES])
    if len(found) > RULES:
        rules += f"; and {len(found) - RULES} more like these"
    runtimes = ", ".join(
        f"{formatting.called(row)} {formatting.duration(row.runtime)}"
        for row in timed
        if row.runtime
    )
    told = "; ".join(f"{formatting.called(row)} {', '.join(row.told)}" for row in timed if row.told)
    builds = ", ".join(f"{formatting.called(row)} {row.build[:12]}" for row in timed if row.build)
    return " ".join(
        [
            f"Warm-up left out: {left_out or 'none'}{f' ({rules})' if rules else ''}.",
            f"Left out with an invocation that was cut short: {undecided}." if undecided else "",
            f"Outliers, flagged and kept: {outliers or 'none'}.",
            f"Structures that outlive iterations, built once: {runtimes}." if runtimes else "",
            f"Told of their cores: {told}." if told else "",
            f"Builds: {builds}." if builds else "",
        ]
    )


def _counts(numbers: dict[str, int]) -> str:
    return ", ".join(f"{name} {number}" for name, number in numbers.items() if number)


def _invalid(row: TimedImplementation, sample: InvalidSample) -> dict[str, Any]:
    return {
        "name": row.implementation,
        "label": formatting.called(row),
        "invocation": sample.invocation,
        "iteration": f"{sample.iteration}{' (warm-up)' if sample.warmup else ''}",
        "run": formatting.duration(sample.run_nanos),
        "problems": "; ".join(sample.problems) or "marked invalid, without a reason",
    }


def _interval(interval: Interval | None, unit: formatting.Unit) -> dict[str, str] | None:
    if interval is None:
        return None
    return {
        "value": unit.spell(interval.value),
        "bounds": "–"
        if interval.low is None or interval.high is None
        else f"{unit.spell(interval.low)}–{unit.spell(interval.high)}",
    }
