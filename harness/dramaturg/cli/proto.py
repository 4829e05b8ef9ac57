"""``dramaturg proto``: the control protocol, for builds and for repositories of one's own."""

import shutil
from pathlib import Path

import click

from dramaturg import files, paths
from dramaturg.cli import show


@click.command()
@click.option("--copy", "target", type=show.FOLDER, metavar="DIR", help="Copy them below DIR.")
@show.json_option
def proto(target: Path | None, as_json: bool) -> None:
    """Say where the protocol's files are, or copy them.

    Builds and runs find them at DRAMATURG_PROTO, which is the folder that is printed. With
    --copy, DIR has the same folders in it afterwards; other files in it stay as they are.

    \b
    Examples:
      dramaturg proto
      dramaturg proto --copy proto
    """
    root = target or paths.PROTO
    there = sorted(file.relative_to(paths.PROTO) for file in paths.PROTO.rglob("*.proto"))
    if target is not None:
        for file in there:
            place = target / file
            with files.naming(place):
                place.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(paths.PROTO / file, place)
    if as_json:
        show.print_json({"folder": str(root), "files": [str(file) for file in there]})
    elif target is None:
        click.echo(root)
    else:
        for file in there:
            click.echo(root / file)
