"""One dot for each invocation, and below it what went on beside it."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from dramaturg.report import drawings, formatting
from dramaturg.report.drawings import Colours
from dramaturg.report.panels import Mark, Panel, Series, panel_plot
from dramaturg.report.summary import Beside, InvocationFigures, TimedImplementation, TimingGroup

EXPLAINED = (
    "A dot is one process: the median of its iterations, with a line from the fastest to the"
    " slowest. Below it are shares of the time in Run. Steal is what the host of a virtual machine"
    " gave to others. Pressure is for how long something waited; a program with more busy"
    " threads than cores makes pressure by itself."
)

SEEN = 0.005
"""Pressure on memory and disks that is below this share of the time in every invocation has no
panel."""


@dataclass(frozen=True, slots=True)
class _Share:
    """A panel below the times."""

    label: str
    of: Callable[[Beside], float | None]
    times: float = 100.0
    always: bool = True
    """Also where it is hardly there."""


SHARES = (
    _Share("cores busy: CPU time over run time", lambda beside: beside.busy, times=1.0),
    _Share("CPU time outside of calls, % of run time", lambda beside: beside.outside, always=False),
    _Share("harness, % of all cores", lambda beside: beside.harness),
    _Share("steal, % of all cores", lambda beside: beside.steal),
    _Share("pressure: waits for a core, % of the time", lambda beside: beside.pressure.get("cpu")),
    _Share(
        "pressure: waits for memory, % of the time",
        lambda beside: beside.pressure.get("memory"),
        always=False,
    ),
    _Share(
        "pressure: waits for a disk, % of the time",
        lambda beside: beside.pressure.get("io"),
        always=False,
    ),
)


def drawing(group: TimingGroup, colours: Colours) -> Markup | None:
    """None where no invocation has samples that count."""
    rows = [row for row in group.implementations if row.by_invocation]
    if not rows:
        return None
    unit = drawings.unit_of(group)
    times = Panel(
        f"{group.compared_by} in {unit.name}",
        [_series(row, colours, lambda each: _time(each, unit)) for row in rows],
        height=150.0,
        from_zero=False,
    )
    heard = f"invocations of {drawings.name_of(group)}: {', '.join(map(formatting.called, rows))}"
    return panel_plot([times, *_shares(rows, colours)], heard)


def _shares(rows: Sequence[TimedImplementation], colours: Colours) -> Iterator[Panel]:
    for share in SHARES:
        known = [
            value
            for row in rows
            for each in row.by_invocation
            if (value := share.of(each.beside)) is not None
        ]
        if known and (share.always or max(known) >= SEEN):
            yield Panel(share.label, [_of(row, colours, share) for row in rows])


def _of(row: TimedImplementation, colours: Colours, share: _Share) -> Series:
    def mark(each: InvocationFigures) -> Mark | None:
        value = share.of(each.beside)
        if value is None:
            return None
        said = f"invocation {each.invocation}: {formatting.significant(value * share.times, 3)}"
        return Mark(each.invocation, value * share.times, title=said)

    return _series(row, colours, mark)


def _series(
    row: TimedImplementation, colours: Colours, of: Callable[[InvocationFigures], Mark | None]
) -> Series:
    marks = [mark for each in row.by_invocation if (mark := of(each)) is not None]
    colour = colours.get(row.implementation, 0)
    return Series(row.implementation, colour, marks, hollow=not row.certified)


def _time(of: InvocationFigures, unit: formatting.Unit) -> Mark:
    low, value, high = (nanos / unit.nanos for nanos in (of.fastest, of.compared, of.slowest))
    said = (
        f"invocation {of.invocation}: {unit.spell(of.compared)} {unit.name},"
        f" the median of {formatting.count(of.samples, 'iteration')}"
    )
    return Mark(of.invocation, value, low, high, said)
