"""``dramaturg spec``: the specification, for who has the package and no clone."""

from pathlib import Path

import click

from dramaturg import paths
from dramaturg.terminal import shipped, show


@click.command()
@click.option("--copy", "target", type=show.FOLDER, metavar="DIR", help="Copy them below DIR.")
@show.json_option
def spec(target: Path | None, as_json: bool) -> None:
    """Say where the chapters of the specification are, or copy them.

    README.md in the printed folder says in which order to write an implementation, and
    implementers.md describes its folder and its manifest. The pages of docs/ lie beside the
    printed folder. --copy puts the chapters, the table and the test vectors into DIR; other
    files in it stay as they are.

    \b
    Examples:
      dramaturg spec
      dramaturg spec --copy spec
    """
    shipped.give(paths.SPEC, ("*.md", "*.json"), target, as_json)
