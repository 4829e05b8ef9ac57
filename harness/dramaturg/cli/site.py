"""``dramaturg site``: who is certified for what, from anybody's results, as pages."""

import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

import click

from dramaturg.certificates import trust
from dramaturg.processes import fence
from dramaturg.processes.confined import Confined, Limits
from dramaturg.results import ResultsError
from dramaturg.site import collected, fetch, plain_values, reading, site_folder
from dramaturg.site.supplied_data import Found, Source, Unread
from dramaturg.terminal import show
from dramaturg.visible import line, quoted

_READER = "dramaturg.site.plain_values:read"

LISTED = Limits(cpu=120.0, memory=1536 * 1024 * 1024, answer=32 * 1024 * 1024)
"""For an entry of a list, whatever its size."""

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

    FOLDER contains results, or folders with results, or is a certificate. The command runs
    nothing that it names. A file that cannot be read is named on the site and on standard
    error, the rest is made, and the exit code is 1. If nothing can be read, nothing is written,
    and it is 2.

    \b
    Examples:
      dramaturg site results
      dramaturg site results/latest others/certificate.json --output public
      dramaturg site --collect list.txt --trusted trusted.toml
    """
    if not folders and listed is None:
        raise click.UsageError("nothing to make a site of: name a FOLDER, or a LIST with --collect")
    trust.of_user(trusted_file)  # Nothing is fetched for a list that cannot be read.
    site_folder.claim(output)  # Before anything is fetched.
    with tempfile.TemporaryDirectory(prefix="dramaturg-site-") as kept:
        fence.guard(Path(kept))
        named = [Source(folder, str(folder)) for folder in folders]
        dead: list[Unread] = []
        if listed is not None:
            came = collected.collect(listed, Path(kept), seconds)
            named, dead = [*named, *came.sources], came.unread
        found = _read(named, trusted_file)
    found.unread += dead
    rendered = site_folder.rendered(found)
    for each in found.unread:
        show.notices().print(f"dramaturg: not read: {quoted(each.name)}: {quoted(each.why)}")
    if not found.certificates and not found.runs:
        raise ResultsError("nothing that was named could be read, so no site was made")
    made = site_folder.write(rendered, output)
    if as_json:
        show.print_json(made | {"output": str(output)})
    else:
        _print(made, output)
    sys.exit(INCOMPLETE if found.unread else 0)


def _read(named: Iterable[Source], trusted: Path | None) -> Found:
    """Everything that these have in them, each read within limits: a file beyond one is named as
    not read, and the next ones are read."""
    found = Found()
    with Confined(_READER) as confined:
        for source in named:
            try:
                parts = reading.parts(source)
            except ResultsError as error:
                found.unread.append(Unread(source.name, reading.without(source.place, error)))
                continue
            for part in parts:
                limits = LISTED if part.origin else Limits.of(part.place)
                try:
                    answer = confined.read(part.place, plain_values.asked(part, trusted), limits)
                    came = plain_values.found(answer)
                except (ResultsError, OSError) as error:
                    found.unread.append(Unread(part.name, reading.without(part.place, error)))
                    continue
                found.certificates += came.certificates
                found.runs += came.runs
                found.unread += came.unread
    return found


def _print(made: dict[str, list[dict[str, object]]], output: Path) -> None:
    console = show.console()
    for each in made["implementations"]:
        console.print(line(f"{each['name']}: {each['says']}"))
    console.print(str(output / "index.html"))
