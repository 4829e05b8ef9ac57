"""Timings for a person, and with --json for a program."""

from pathlib import Path
from typing import Any

from rich.table import Table
from rich.text import Text

from dramaturg.outcomes import Outcome
from dramaturg.records import UnitRecord
from dramaturg.report import audits, formatting, row_accounts
from dramaturg.report.report_files import HTML
from dramaturg.report.summary import Interval, Summary, TimedImplementation, TimingGroup
from dramaturg.terminal import show
from dramaturg.visible import quoted

WIDTH = 160
"""Columns of a table that goes to a file or a pipe."""


def line(record: UnitRecord) -> str:
    """One unit of which there is something to say."""
    what = " ".join(part for part in (record.benchmark, record.scenario, record.scale) if part)
    which = "" if record.invocation is None else f", invocation {record.invocation}"
    return (
        f"{record.outcome}: {what} on {formatting.called(record)}{which}: {quoted(record.message)}"
    )


def document(summary: Summary, folder: Path, outcome: Outcome) -> dict[str, Any]:
    """The document that ``--json`` prints."""
    content = summary.model_dump(
        mode="json", include={"method", "state", "groups", "curves", "units", "warnings"}
    )
    return {
        "results": str(folder),
        "outcome": str(outcome),
        "exit_code": outcome.exit_code,
        "left_out": _left_out(summary),
        **content,
    }


def print_all(summary: Summary, folder: Path, outcome: Outcome) -> None:
    """One table for each set of results that may be compared."""
    console = show.console(WIDTH)
    for group in summary.groups:
        console.print(_table(group))
        console.print()
    for warning in summary.warnings:
        console.print(f"warning: {quoted(warning)}", style="yellow")
    if summary.groups:
        console.print(summary.method, style="dim")
    show.left_out(console, _left_out(summary))
    console.print(f"{outcome}; see {folder / HTML}")


def _left_out(summary: Summary) -> list[str]:
    """The units that were not asked of implementations that nobody named, since they lack them."""
    return list(summary.timings.header.get("plan", {}).get("left_out", []))


def _table(group: TimingGroup) -> Table:
    title = f"{group.benchmark} {formatting.setting(group)}"
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), title=title, title_justify="left")
    table.add_column("")
    for name in (f"{group.compared_by}, median", "interval", "messages/s", "CPU s", "memory"):
        table.add_column(name, justify="right", no_wrap=True)
    with_actors = group.benchmark == "chain"
    if with_actors:
        table.add_column("bytes/actor", justify="right")
    with_wire = any(row.wire is not None for row in group.implementations)
    if with_wire:
        table.add_column("network, packets, stays", justify="right", no_wrap=True)
    table.add_column("audited", justify="right", no_wrap=True)
    table.add_column("samples in invocations")
    table.add_column("")
    for row in group.implementations:
        style = None if row.certified else "yellow"
        table.add_row(formatting.called(row), *_cells(row, with_actors, with_wire), style=style)
    return table


def _cells(row: TimedImplementation, with_actors: bool, with_wire: bool) -> list[str | Text]:
    actor = formatting.bytes_per_actor(row.bytes_per_actor)
    return [
        formatting.duration(row.compared.value) if row.compared else "-",
        _interval(row.compared),
        formatting.significant(row.rate) if row.rate else "-",
        f"{row.cpu_seconds:.2f}" if row.cpu_seconds is not None else "-",
        formatting.memory(row.peak_memory) if row.peak_memory else "-",
        *([actor] if with_actors else []),
        *([row_accounts.spell_wire(row.wire)] if with_wire else []),
        audits.spell(row.audit),
        _counts(row),
        show.styled((f"{len(row.invalid)} INVALID", "bold red")) if row.invalid else "",
    ]


def _interval(of: Interval | None) -> str:
    if of is None or of.low is None or of.high is None:
        return "-"
    unit = formatting.for_durations([of.low, of.high])
    return f"{unit.spell(of.low)} .. {unit.spell(of.high)} {unit.name}"


def _counts(row: TimedImplementation) -> str:
    text = f"{len(row.samples)} in {row.invocations}"
    if row.warmup:
        text += f", {row.warmup} warm-up"
    outliers = sum(sample.outlier for sample in row.samples)
    text += f", {formatting.count(outliers, 'outlier')}" if outliers else ""
    return text + (f", {row.too_short} too short" if row.too_short else "")
