"""``dramaturg table``: the protocol's registries and the vectors, for other languages."""

import sys

import click

from dramaturg import paths
from dramaturg.table.formats import KEPT
from dramaturg.table.source_files import FORMS, source
from dramaturg.terminal import show


@click.command()
@click.option(
    "--format",
    "name",
    type=click.Choice(FORMS),
    help="Print the table in this form; `vectors` are questions with their answers, as JSON.",
)
@click.option("--update", is_flag=True, help="Write those that are checked in.")
@click.option("--check", is_flag=True, help="Say which of those are out of date; exit 1 if any is.")
@show.json_option
def table(name: str | None, update: bool, check: bool, as_json: bool) -> None:
    """Print classes, kinds, labels, arguments, choices and ranges as a source file.

    \b
    Examples:
      dramaturg table --format rust > table.rs
      dramaturg table --format vectors > vectors.json
      dramaturg table --check
    """
    if sum([name is not None, update, check]) != 1:
        raise click.UsageError("one of --format, --update and --check is needed")
    if name is not None:
        click.echo(source(name), nl=False)
        return
    if not paths.IN_CLONE:
        raise click.UsageError("--update and --check are for tables in a clone of the repository")
    stale = []
    for file, form in KEPT.items():
        path, expected = paths.ROOT / file, source(form)
        if not path.exists() or path.read_text(encoding="utf-8") != expected:
            stale.append(file)
            if update:
                path.write_text(expected, encoding="utf-8")
    if as_json:
        show.print_json({"tables": sorted(KEPT), "stale": stale, "written": update})
    else:
        for file in stale:
            click.echo(f"{file} {'written' if update else 'is out of date'}")
        click.echo(f"{len(KEPT)} tables, {len(stale)} changed")
    sys.exit(1 if check and stale else 0)
