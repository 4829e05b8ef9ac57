"""``dramaturg new``: a repository of one's own, with everything in it but the actors."""

from pathlib import Path

import click

from dramaturg import paths
from dramaturg.cli import show
from dramaturg.implementation import git, toolchain
from dramaturg.implementation.manifest import load
from dramaturg.template import making, writing
from dramaturg.template import record as records
from dramaturg.template.making import Made
from dramaturg.visible import quoted


@click.command()
@click.argument("name")
@click.option("--language", required=True, type=click.Choice(sorted(making.templates())))
@show.json_option
def new(name: str, language: str, as_json: bool) -> None:
    """Make a repository for an implementation, with everything in it but the actors.

    It is made in the folder NAME of the one where you stand. It has a manifest, the whole plumbing
    (control port, watches, logs, stopwatch, arithmetic), the protocol's tables, ping-pong as an
    example, unit tests, a README that says how to go on, and a workflow for CI. Ping-pong is
    certified as it comes. The folder must be empty, or not there; a repository that was just
    cloned and has no files is taken as well. Outside of any repository, git makes one there.

    A toolchain that is missing is named, and what was made stays.

    \b
    Example:
      dramaturg new mine --language python
    """
    template = making.templates()[language]
    made = making.make(name, template)
    record = records.of(name, language, made)
    folder = Path(name)
    writing.create(folder, made | {records.PLACE: Made(record.text().encode(), yours=True)})
    if not git.ask(Path(), "rev-parse", "--git-dir") and not (folder / ".git").exists():
        git.ask(folder, "init")
    implementation = load(folder)
    missing = [finding.problem for finding in toolchain.probe(implementation) if finding.problem]
    if as_json:
        show.print_json(
            {"folder": str(folder.resolve()), "files": sorted(made), "missing": missing}
        )
        return
    click.echo(f"{name}: {len(made)} files, {template.language}")
    for problem in missing:
        click.echo(
            f"missing: {quoted(problem)}; `{paths.COMMAND} doctor {name}` says how to get it"
        )
    click.echo(f"Go on with {name}/README.md, or at once: {paths.COMMAND} certify {name}")
