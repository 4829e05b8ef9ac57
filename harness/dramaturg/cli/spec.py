"""``dramaturg spec``: the specification, for who has the package and no clone."""

from pathlib import Path

import click

from dramaturg import paths
from dramaturg.cli import shipped, show


@click.command()
@click.option("--copy", "target", type=show.FOLDER, metavar="DIR", help="Copy them below DIR.")
@show.json_option
def spec(target: Path | None, as_json: bool) -> None:
    """Say where the chapters of the specification are, or copy them.

    README.md in the folder that is printed says in which order an implementation is written, and
    implementers.md what its folder and its manifest look like. With --copy, DIR has the chapters,
    the table and the test vectors in it afterwards; other files in it stay as they are.

    \b
    Examples:
      dramaturg spec
      dramaturg spec --copy spec
    """
    shipped.give(paths.SPEC, ("*.md", "*.json"), target, as_json)
