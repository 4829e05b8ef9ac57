"""``dramaturg requirements``: which cases and mutants hold which requirement."""

import sys

import click
from rich.table import Table

from dramaturg.mutation import requirements_file, traceability
from dramaturg.terminal import show


@click.command()
@click.option("--check", is_flag=True, help="Write nothing; say what would change.")
@show.json_option
def requirements(check: bool, as_json: bool) -> None:
    """List every MUST of the specification with its cases and mutants.

    Writes conformance/requirements.yaml and docs/requirements.md. A requirement without
    a case, or without a mutant that breaks it, is an error, unless the file says why it
    can only be reviewed.

    \b
    Examples:
      dramaturg requirements
      dramaturg requirements --check --json | jq '.gaps'
    """
    traces = traceability.collect(requirements_file.written())
    expected = {
        requirements_file.FILE: traceability.text(traces),
        traceability.PAGE: traceability.page(traces),
    }
    changed = [
        file
        for file, text in expected.items()
        if not file.exists() or file.read_text(encoding="utf-8") != text
    ]
    if not check:
        for file in changed:
            file.write_text(expected[file], encoding="utf-8")
    gaps = {name: trace.gaps for name, trace in traces.items() if trace.gaps}
    reviewed = [name for name, trace in traces.items() if trace.review]
    if as_json:
        show.print_json(
            {
                "requirements": {name: trace.model_dump() for name, trace in traces.items()},
                "gaps": gaps,
                "reviewed": reviewed,
                "changed": [str(file) for file in changed],
                "written": not check,
            }
        )
    else:
        console = show.console()
        table = Table("requirement", "", box=None, pad_edge=False, padding=(0, 3, 0, 0))
        for name, gap in gaps.items():
            table.add_row(name, gap)
        if gaps:
            console.print(table)
        verb = "is not up to date" if check else "written"
        for file in changed:
            console.print(f"{file} {verb}")
        console.print(
            f"{len(traces)} requirements, {len(gaps)} with gaps, {len(reviewed)} for review",
            markup=False,
        )
    sys.exit(1 if gaps or (check and changed) else 0)
