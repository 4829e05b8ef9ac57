"""What a report draws: run times of a group, and the messages that led to a failure."""

from typing import Any

from markupsafe import Markup

from dramaturg.report import units
from dramaturg.report.chart import Dot, Row, interval_plot
from dramaturg.report.lifelines import sequence_diagram
from dramaturg.report.summary import TimedImplementation, TimingGroup
from dramaturg.trace import sequence


def name_of(group: TimingGroup) -> str:
    """``chatapp, mixed``"""
    return f"{group.benchmark}, {group.scenario}" if group.scenario else group.benchmark


def unit_of(group: TimingGroup) -> units.Unit:
    """The unit in which its run times are spelt."""
    return units.for_durations([row.run.value for row in group.implementations if row.run])


def run_times(group: TimingGroup) -> Markup | None:
    """Every sample of the group; None where nothing was summarised."""
    timed = group.implementations
    if not any(row.run for row in timed):
        return None
    unit = unit_of(group)
    heard = f"run times of {name_of(group)}: {', '.join(map(units.called, timed))}"
    return interval_plot([_row(row, unit) for row in timed], f"run time in {unit.name}", heard)


def messages(divergence: dict[str, Any], identifier: str) -> Markup | None:
    """What led to a divergence, as its record tells it; None if that tells nothing of it."""
    steps = sequence.parse(divergence.get("sequence", []))
    title = f"what led to it: {divergence.get('headline', '')}"
    return sequence_diagram(steps, title, identifier) if steps else None


def _row(row: TimedImplementation, unit: units.Unit) -> Row:
    def scaled(nanos: float) -> float:
        return nanos / unit.nanos

    mark = "" if row.certified else units.UNCERTIFIED
    notes = [mark] if mark else []
    notes += [f"{len(row.invalid)} invalid"] if row.invalid else []
    notes += [f"{row.too_short} too short to vouch for"] if row.too_short else []
    return Row(
        label=row.implementation,
        note=", ".join(notes),
        dots=[
            Dot(
                scaled(sample.run_nanos),
                f"invocation {sample.invocation}, iteration {sample.iteration}:"
                f" {unit.spell(sample.run_nanos)} {unit.name}"
                f"{', an outlier' if sample.outlier else ''}{mark and f', {mark}'}",
            )
            for sample in row.samples
        ],
        median=scaled(row.run.value) if row.run else None,
        low=scaled(row.run.low) if row.run and row.run.low is not None else None,
        high=scaled(row.run.high) if row.run and row.run.high is not None else None,
        hollow=not row.certified,
    )
