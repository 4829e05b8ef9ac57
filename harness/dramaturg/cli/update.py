"""``dramaturg update``: what of the plumbing has changed since a repository was made."""

import sys
from pathlib import Path

import click

from dramaturg import files, paths
from dramaturg.implementation.manifest import load
from dramaturg.processes import committed, git
from dramaturg.template import changes, making, writing
from dramaturg.template import record as records
from dramaturg.template.changes import APPLIED, Change, State
from dramaturg.template.description import Description
from dramaturg.template.making import TemplateError
from dramaturg.terminal import show
from dramaturg.visible import line as spelt


@click.command()
@click.argument("path", type=show.FOLDER, default=Path())
@click.option("--apply", is_flag=True, help="Replace what changed in the package only.")
@click.option(
    "--merged",
    multiple=True,
    metavar="FILE",
    help="FILE is as it should be: the package's change is in it, or not wanted.",
)
@show.json_option
def update(path: Path, apply: bool, merged: tuple[str, ...], as_json: bool) -> None:
    """Say which files of a repository have changed since `dramaturg new` made them.

    A file of the plumbing is the same; or changed, new or gone in the package only; or changed
    here only; or changed in both, and then the difference is shown. --apply replaces files that
    changed in the package only, if git has the old ones. It never writes a file that changed in
    both: merge the two, then say --merged FILE.

    The exit code is 0 if nothing is left to do, 1 if something is, 2 for bad input.

    \b
    Examples:
      dramaturg update
      dramaturg update --apply
      dramaturg update --merged run
    """
    load(path)
    record = records.read(path)
    made = making.make(record.name, _template(record.template))
    for file in merged:
        if file not in made or made[file].yours:
            raise click.UsageError(
                f"{file} is no file of the plumbing; its paths begin in {path.resolve()}"
            )
    if merged:
        record = record.agreed({file: made[file] for file in merged})
    found = changes.compare(path, record, made)
    if apply:
        _refuse_dirty(path, found)
        writing.apply(path, found)
        record = record.agreed(
            {change.path: change.made for change in found if change.state in (*APPLIED, State.SAME)}
        )
    if apply or merged:
        files.write_text(path / records.PLACE, record.text())
    if as_json:
        _print_json(path, found, apply)
    else:
        _print(path, found, apply)
    to_do = (State.BOTH,) if apply else (State.BOTH, *APPLIED)
    sys.exit(1 if any(change.state in to_do for change in found) else 0)


def _template(name: str) -> Description:
    known = making.templates()
    if name not in known:
        there_are = ", ".join(known)
        raise TemplateError(
            f"{records.PLACE}: no template is called {name!r}; there are: {there_are}"
        )
    return known[name]


def _refuse_dirty(folder: Path, found: list[Change]) -> None:
    """Outside of a repository nothing is refused: only what is as it was made is replaced."""
    touched = [change.path for change in found if change.state in APPLIED]
    if not touched:
        return
    if git.ask(folder, "rev-parse", "--git-dir") is None:
        return
    dirty = committed.uncommitted(folder.resolve(), touched)
    if dirty:
        raise TemplateError(
            f"{folder}: nothing was applied: git has no copy of {', '.join(dirty)} as it is now;"
            " commit first"
        )


def _print_json(folder: Path, found: list[Change], applied: bool) -> None:
    show.print_json(
        {
            "folder": str(folder.resolve()),
            "package": records.version(),
            "applied": applied,
            "files": {change.path: str(change.state) for change in found},
            "differences": {
                change.path: "\n".join(changes.difference(folder, change))
                for change in found
                if change.state is State.BOTH
            },
        }
    )


def _print(folder: Path, found: list[Change], applied: bool) -> None:
    console = show.console()
    for change in found:
        if change.state is State.SAME:
            continue
        done = ", applied" if applied and change.state in APPLIED else ""
        console.print(f"{change.state}{done}: {spelt(change.path)}")
        if change.state is State.BOTH:
            for line in changes.difference(folder, change):
                console.print(f"  {line}")
    count = {state: sum(change.state is state for change in found) for state in State}
    console.print(", ".join(f"{number} {state}" for state, number in count.items() if number))
    if not applied and any(count[state] for state in APPLIED):
        console.print(
            f"`{paths.COMMAND} update --apply` brings in what changed in the package only"
        )
    if count[State.BOTH]:
        console.print(f"once merged by hand: `{paths.COMMAND} update --merged FILE`")
