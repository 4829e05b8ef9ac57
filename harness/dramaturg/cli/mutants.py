"""``dramaturg mutants``: would anybody notice?"""

import os
import sys
from collections import Counter
from pathlib import Path

import click
from rich.table import Table

from dramaturg import results
from dramaturg.cli import show
from dramaturg.conformance.cases import LEVELS
from dramaturg.conformance.mutants import FOLDERS, Caught, cast, perform
from dramaturg.outcomes import Outcome


@click.command()
@click.argument("names", nargs=-1)
@click.option("--jobs", "-j", type=click.IntRange(1), help="At a time. Default: one a core.")
@click.option("--output", type=show.FOLDER, help="Folder for the results.")
@show.json_option
def mutants(names: tuple[str, ...], jobs: int | None, output: Path | None, as_json: bool) -> None:
    """Hold the negative cast to the specification: every wrong implementation must fail.

    \b
    Examples:
      dramaturg mutants
      dramaturg mutants dropped_forward web_one_worker --json
    """
    everybody = [(folder, member) for folder in FOLDERS for member in cast(folder)]
    unknown = set(names) - {member.name for _, member in everybody}
    if unknown:
        raise click.UsageError(f"the cast has no {', '.join(sorted(unknown))}; see cast.yaml")
    chosen = [item for item in everybody if not names or item[1].name in names]
    folder = output or results.new_folder()
    with show.progress(as_json) as bar:
        task = bar.add_task("mutants", total=len(chosen))

        def watch(caught: Caught) -> None:
            bar.update(task, advance=1, description=caught.member.name)
            if caught.departs and not as_json:
                line = f"{caught.member.name}: {caught.departs}"
                bar.console.print(line, markup=False, soft_wrap=True)

        done = perform(chosen, folder, jobs or os.cpu_count() or 1, watch)
    outcome = Outcome.FAIL if any(caught.departs for caught in done) else Outcome.PASS
    if as_json:
        document = {
            "mutants": [caught.to_dict() for caught in done],
            "killed": sum(caught.killed for caught in done),
            "total": len(done),
            "results": str(folder),
            "exit_code": outcome.exit_code,
        }
        show.print_json(document)
    else:
        _print(done)
    sys.exit(outcome.exit_code)


def _print(done: list[Caught]) -> None:
    by_level = Counter(caught.level for caught in done if caught.killed)
    table = Table("level", "killed", "slowest", box=None, pad_edge=False, padding=(0, 3, 0, 0))
    for level in sorted(level for level in by_level if level is not None):
        here = [caught for caught in done if caught.killed and caught.level == level]
        slowest = max(here, key=lambda caught: caught.seconds)
        longest = f"{slowest.seconds:.1f} s, {slowest.member.name}"
        table.add_row(f"{level} {LEVELS[level]}", str(by_level[level]), longest)
    console = show.console()
    console.print(table)
    killed = sum(caught.killed for caught in done)
    console.print(f"{killed} of {len(done)} killed", markup=False)
