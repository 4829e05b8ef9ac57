"""Comparisons for a person, for the summary of a job, and with --json for a program."""

from dataclasses import dataclass
from pathlib import Path

import click
from rich.table import Table

from dramaturg.outcomes import Outcome
from dramaturg.report import comparison, job_summary
from dramaturg.report.report_files import HTML
from dramaturg.report.summary import Compared
from dramaturg.terminal import show
from dramaturg.terminal.timing_table import WIDTH
from dramaturg.timing.statistics.difference import Verdict

_STYLES = {
    Verdict.SLOWER: "bold red",
    Verdict.FASTER: "bold green",
    Verdict.NONE: "yellow",
}


@dataclass(frozen=True, slots=True)
class Form:
    """The form in which it is shown."""

    markdown: bool
    as_json: bool

    @property
    def quiet(self) -> bool:
        """True if standard output is for a program."""
        return self.as_json or self.markdown

    def tell(self, found: Compared, outcome: Outcome, code: int, folder: Path | None) -> None:
        """``folder`` has the report, if there is one."""
        if self.as_json:
            show.print_json(
                {
                    "results": str(folder) if folder else None,
                    "outcome": str(outcome),
                    "exit_code": code,
                    "comparison": found.model_dump(mode="json"),
                }
            )
        elif self.markdown:
            click.echo("\n".join(job_summary.comparison(found)), nl=True)
        else:
            _print(found, outcome, folder)


def _print(found: Compared, outcome: Outcome, folder: Path | None) -> None:
    console = show.console(WIDTH)
    for name, side in (("A", found.a), ("B", found.b)):
        at = f" ({side.revision})" if side.revision else ""
        console.print(f"{name}: {side.label}{at}, build {side.build[:12]}")
    console.print(_table(found))
    for note in found.notes:
        console.print(note, style="yellow")
    console.print(found.method, style="dim")
    slower = comparison.slower(found)
    said = "slower" if slower and outcome is Outcome.PASS else str(outcome)
    console.print(f"{said}; see {folder / HTML}" if folder else said)


def _table(found: Compared) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column("")
    table.add_column("B is", no_wrap=True)
    table.add_column("B / A", justify="right", no_wrap=True)
    table.add_column("interval", no_wrap=True)
    table.add_column("pairs" if found.paired else "invocations", justify="right", no_wrap=True)
    table.add_column("")
    for row in found.rows:
        table.add_row(
            comparison.name(row),
            show.styled((row.said, _STYLES.get(row.verdict, ""))),
            "-" if row.ratio is None else f"{row.ratio:.3f}",
            comparison.interval(row) or "-",
            str(row.pairs) if row.pairs else "-",
            "; ".join(comparison.remarks(row)),
        )
    return table
