"""``dramaturg report``: the files that people and other programs read, from the records."""

from contextlib import nullcontext
from pathlib import Path
from typing import Any

import click
from pydantic import BaseModel

from dramaturg import paths
from dramaturg.certificates import reviews, trust
from dramaturg.outcomes import USAGE_ERROR
from dramaturg.processes import confined
from dramaturg.processes.confined import Limits
from dramaturg.report import archive as archives
from dramaturg.report import job_summary
from dramaturg.report.report_files import HTML, JUNIT, SUMMARY, summarise, write_all, write_pictures
from dramaturg.results import ResultsError
from dramaturg.terminal import show
from dramaturg.visible import line, quoted

_READER = f"{__name__}:made"

_UNPACKED = 20
"""An archive's contents are expected to be at most so many times as long as the archive."""


@click.command()
@click.argument("folder", required=False, type=click.Path(path_type=Path))
@click.option("--output", type=show.FOLDER, help="Where to write; default FOLDER.")
@click.option("--pictures", type=show.FOLDER, help="Also write each drawing there, as SVG.")
@click.option(
    "--archive",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Also write one file there, from which anybody can make this report again.",
)
@click.option("--markdown", is_flag=True, help="Print the summary as Markdown, and write nothing.")
@click.option(
    "--site",
    "site_at",
    metavar="ADDRESS",
    default="",
    help="Where a site is (`dramaturg site`): requirements lead to their pages there.",
)
@show.trusted_option
@show.json_option
@click.pass_context
def report(
    context: click.Context,
    folder: Path | None,
    output: Path | None,
    pictures: Path | None,
    archive: Path | None,
    markdown: bool,
    site_at: str,
    trusted_file: Path | None,
    as_json: bool,
) -> None:
    """Write summary.json, junit.xml and report.html for the results in FOLDER.

    Without FOLDER it uses the latest results. It runs and measures nothing again. It shows
    files called review*.json in FOLDER as reviews of its builds, beside the verdict. FOLDER may
    be an archive that --archive wrote; then the command says whether the report is the same to
    the byte.

    \b
    Examples:
      dramaturg report
      dramaturg report results/20240131-120000 --output site
      dramaturg report --pictures docs/pictures
      dramaturg report results/20240131-120000 --archive paper.zip
      dramaturg report paper.zip --output again
      dramaturg report --site https://example.org/actors
      dramaturg report --markdown > summary.md
      dramaturg report --json | jq '.implementations[] | {implementation, certified}'
    """
    if markdown and (as_json or output or pictures or archive or site_at):
        raise click.UsageError("--markdown prints, and writes no files: it takes no other option")
    folder = folder or paths.results() / "latest"
    if folder.is_file() and not (output or markdown):
        raise click.UsageError(
            f"{quoted(str(folder))} is a file: say with --output FOLDER where its report goes"
        )
    if folder.is_file() and archive:
        raise click.UsageError("--archive packs a results folder, and this is an archive already")
    given = {
        "folder": str(folder),
        "output": _text(output),
        "pictures": _text(pictures),
        "archive": _text(archive),
        "requirements_at": f"{site_at.rstrip('/')}/requirements/" if site_at else "",
        "trusted": _text(trusted_file),
        "markdown": markdown,
        "document": as_json,
    }
    limits = Limits.of(folder, unpacked=_UNPACKED if folder.is_file() else 1)
    try:
        told = _Told.model_validate(confined.read(_READER, folder, given, limits))
    except ResultsError as error:
        show.notices().print(f"dramaturg: {quoted(str(error))}")
        context.exit(USAGE_ERROR)
    if as_json:
        show.print_json(told.document)
    elif markdown:
        click.echo(told.markdown, nl=False)
    else:
        console = show.console()
        for each in told.lines:
            console.print(each)


class _Told(BaseModel):
    """The result of making a report."""

    markdown: str = ""
    document: dict[str, Any] = {}
    lines: list[str] = []


def made(given: dict[str, Any]) -> dict[str, Any]:
    """Write the report, in the process that reads the records; returns a :class:`_Told`. Raises
    ResultsError for what holds none."""
    folder, output = Path(given["folder"]), _path(given["output"])
    trusted = trust.of_user(_path(given["trusted"]))
    with archives.unpacked(folder) if folder.is_file() else nullcontext() as again:
        place = again.folder if again else folder
        if given["markdown"]:
            return {"markdown": job_summary.document(summarise(place, trusted))}
        summary = write_all(place, output, trusted, given["requirements_at"])
        pictures, archive = _path(given["pictures"]), _path(given["archive"])
        drawn = write_pictures(place, pictures) if pictures else []
    written = {name: (output or folder) / name for name in (SUMMARY, JUNIT, HTML)}
    if archive:
        archives.pack(folder, written, archive)
        drawn.append(archive)
    if given["document"]:
        return {"document": summary.model_dump(mode="json")}
    lines = [*(line(str(file)) for file in (*written.values(), *drawn))]
    lines += reviews.spelt(summary.reviews)
    lines += [line(_compared(again, output or folder))] if again else []
    return {"lines": [*lines, line(f"{summary.results}: {summary.state}")]}


def _text(path: Path | None) -> str | None:
    return str(path) if path else None


def _path(text: str | None) -> Path | None:
    return Path(text) if text else None


def _compared(again: archives.Unpacked, made: Path) -> str:
    """Say if it is the report that was packed; if not, the possible reasons for the difference."""
    differ = again.differ(made)
    if not differ:
        return "the same, to the byte, as when it was packed"
    return (
        f"other than when it was packed: {', '.join(differ)}. It was packed by dramaturg"
        f" {again.manifest.harness}, this is {archives.version()}; options and trusted keys make"
        " a difference too"
    )
