"""The files that the package ships for authors: where it is, or a copy of it."""

from pathlib import Path

import click

from dramaturg import files
from dramaturg.terminal import show


def give(root: Path, patterns: tuple[str, ...], target: Path | None, as_json: bool) -> None:
    """Print the folder; or copy what is below it and of these patterns below ``target``, where
    other files stay as they are, and print what was written.

    Raises OSError, with the file's name, where it cannot be written, and UsageError for a folder
    below ``target`` that is a link.
    """
    found = {file.relative_to(root) for pattern in patterns for file in root.rglob(pattern)}
    there = sorted(found)
    if target is not None:
        for file in there:
            place = target / file
            for parent in list(file.parents)[:-1]:
                if (target / parent).is_symlink():
                    raise click.UsageError(
                        f"{target / parent} is a link, and files are written there; take it away,"
                        " or name another folder"
                    )
            with files.naming(place):
                place.parent.mkdir(parents=True, exist_ok=True)
            # In the place of a link, not where it leads.
            files.write_bytes(place, (root / file).read_bytes())
    folder = target or root
    if as_json:
        show.print_json({"folder": str(folder), "files": [str(file) for file in there]})
    elif target is None:
        click.echo(folder)
    else:
        for file in there:
            click.echo(folder / file)
