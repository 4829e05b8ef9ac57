"""``dramaturg report``: the files that people and other programs read, from the records."""

from contextlib import nullcontext
from pathlib import Path

import click

from dramaturg import paths
from dramaturg.certificates import reviews, trust
from dramaturg.cli import show
from dramaturg.outcomes import USAGE_ERROR
from dramaturg.report import archive as archives
from dramaturg.report import job
from dramaturg.report.write import HTML, JUNIT, SUMMARY, summarise, write_all, write_pictures
from dramaturg.results import ResultsError
from dramaturg.visible import quoted


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

    Without FOLDER: the latest results. Nothing is run or measured again. Files called
    review*.json in it are shown as reviews of its builds, beside the verdict. FOLDER may be an
    archive that --archive wrote; then it is said whether the report is the same to the byte.

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
    trusted = trust.of_user(trusted_file)
    try:
        with archives.unpacked(folder) if folder.is_file() else nullcontext() as again:
            place = again.folder if again else folder
            if markdown:
                click.echo(job.document(summarise(place, trusted)), nl=False)
                return
            at = f"{site_at.rstrip('/')}/requirements/" if site_at else ""
            summary = write_all(place, output, trusted, at)
            drawn = write_pictures(place, pictures) if pictures else []
        made = {name: (output or folder) / name for name in (SUMMARY, JUNIT, HTML)}
        if archive:
            archives.pack(folder, made, archive)
            drawn.append(archive)
    except ResultsError as error:
        show.notices().print(f"dramaturg: {quoted(str(error))}")
        context.exit(USAGE_ERROR)
    if as_json:
        show.print_json(summary.model_dump(mode="json"))
        return
    console = show.console()
    for file in (*made.values(), *drawn):
        console.print(str(file))
    for line in reviews.spelt(summary.reviews):
        console.print(line)
    if again:
        console.print(_compared(again, output or folder))
    console.print(f"{summary.results}: {summary.state}")


def _compared(again: archives.Unpacked, made: Path) -> str:
    """Whether it is the report that was packed; if not, what may have made the difference."""
    differ = again.differ(made)
    if not differ:
        return "the same, to the byte, as when it was packed"
    return (
        f"other than when it was packed: {', '.join(differ)}. It was packed by dramaturg"
        f" {again.manifest.harness}, this is {archives.version()}; options and trusted keys make"
        " a difference too"
    )
