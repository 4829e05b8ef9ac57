"""``dramaturg proto``: the control protocol, for builds and for repositories of one's own."""

from pathlib import Path

import click

from dramaturg import paths
from dramaturg.terminal import shipped, show


@click.command()
@click.option("--copy", "target", type=show.FOLDER, metavar="DIR", help="Copy them below DIR.")
@show.json_option
def proto(target: Path | None, as_json: bool) -> None:
    """Say where the protocol's files are, or copy them.

    Builds and runs find them at DRAMATURG_PROTO, which is the printed folder. --copy puts the
    same folders into DIR; other files in it stay as they are.

    \b
    Examples:
      dramaturg proto
      dramaturg proto --copy proto
    """
    shipped.give(paths.PROTO, ("*.proto",), target, as_json)
