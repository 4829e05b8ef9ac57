"""``dramaturg site``: who is certified for what, from anybody's results, as pages."""

import sys
import tempfile
from pathlib import Path

import click

from dramaturg.certificates import trust
from dramaturg.cli import show
from dramaturg.results import ResultsError
from dramaturg.site import collected, fetch, league, sources, write
from dramaturg.site.found import Source, Unread
from dramaturg.visible import quoted

INCOMPLETE = 1
"""The site is made, and something that it should have in it could not be read."""


@click.command()
@click.argument("folders", metavar="[FOLDER]...", nargs=-1, type=click.Path(path_type=Path))
@click.option(
    "--collect",
    "listed",
    metavar="LIST",
    type=click.Path(path_type=Path),
    help="A file with an address or a path in each line: certificates, archives of results.",
)
@click.option("--output", type=show.FOLDER, default=Path("site"), help="Default: site.")
@show.trusted_option
@click.option(
    "--seconds",
    type=click.FloatRange(0.1, 600),
    default=fetch.SECONDS,
    show_default=True,
    help="How long each address may take.",
)
@show.json_option
def site(
    folders: tuple[Path, ...],
    listed: Path | None,
    output: Path,
    trusted_file: Path | None,
    seconds: float,
    as_json: bool,
) -> None:
    """Make a site of results folders and certificates, and of the specification.

    FOLDER has results in it, or folders with results, or is a certificate. Nothing of what
    it names is run. What cannot be read is named on the site and on standard error, the rest
    is made, and the exit code is 1. If nothing can be read nothing is written, and it is 2.

    \b
    Examples:
      dramaturg site results
      dramaturg site results/latest others/certificate.json --output public
      dramaturg site --collect list.txt --trusted trusted.toml
    """
    if not folders and listed is None:
        raise click.UsageError("nothing to make a site of: name a FOLDER, or a LIST with --collect")
    trusted = trust.of_user(trusted_file)
    write.claim(output)  # Before anything is fetched.
    with tempfile.TemporaryDirectory(prefix="dramaturg-site-") as kept:
        named = [Source(folder, str(folder)) for folder in folders]
        dead: list[Unread] = []
        if listed is not None:
            came = collected.collect(listed, Path(kept), seconds)
            named, dead = [*named, *came.sources], came.unread
        found = sources.read(named, trusted)
    found.unread += dead
    for each in found.unread:
        show.notices().print(f"dramaturg: not read: {quoted(each.name)}: {quoted(each.why)}")
    if not found.certificates and not found.runs:
        raise ResultsError("nothing that was named could be read, so no site was made")
    made = write.write(league.gather(found), output)
    if as_json:
        show.print_json(made | {"output": str(output)})
    else:
        _print(made, output)
    sys.exit(INCOMPLETE if found.unread else 0)


def _print(made: dict[str, list[dict[str, object]]], output: Path) -> None:
    console = show.console()
    for each in made["implementations"]:
        console.print(f"{each['name']}: {each['says']}")
    console.print(str(output / "index.html"))
