"""``dramaturg report``: the files that people and other programs read, from the records."""

from pathlib import Path

import click

from dramaturg import paths
from dramaturg.certificates import reviews, trust
from dramaturg.cli import show
from dramaturg.outcomes import USAGE_ERROR
from dramaturg.report import job
from dramaturg.report.write import HTML, JUNIT, SUMMARY, summarise, write_all, write_pictures
from dramaturg.results import ResultsError
from dramaturg.visible import quoted


@click.command()
@click.argument("folder", required=False, type=click.Path(path_type=Path))
@click.option("--output", type=show.FOLDER, help="Where to write; default FOLDER.")
@click.option("--pictures", type=show.FOLDER, help="Also write each drawing there, as SVG.")
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
    markdown: bool,
    site_at: str,
    trusted_file: Path | None,
    as_json: bool,
) -> None:
    """Write summary.json, junit.xml and report.html for the results in FOLDER.

    Without FOLDER: the latest results. Nothing is run or measured again. Files called
    review*.json in it are shown as reviews of its builds, beside the verdict.

    \b
    Examples:
      dramaturg report
      dramaturg report results/20240131-120000 --output site
      dramaturg report --pictures docs/pictures
      dramaturg report --site https://example.org/actors
      dramaturg report --markdown > summary.md
      dramaturg report --json | jq '.implementations[] | {implementation, certified}'
    """
    if markdown and (as_json or output or pictures or site_at):
        raise click.UsageError("--markdown prints, and writes no files: it takes no other option")
    folder = folder or paths.results() / "latest"
    try:
        if markdown:
            click.echo(job.document(summarise(folder, trust.of_user(trusted_file))), nl=False)
            return
        at = f"{site_at.rstrip('/')}/requirements/" if site_at else ""
        summary = write_all(folder, output, trust.of_user(trusted_file), at)
        drawn = write_pictures(folder, pictures) if pictures else []
    except ResultsError as error:
        show.notices().print(f"dramaturg: {quoted(str(error))}")
        context.exit(USAGE_ERROR)
    if as_json:
        show.print_json(summary.model_dump(mode="json"))
        return
    console = show.console()
    for name in (SUMMARY, JUNIT, HTML):
        console.print(str((output or folder) / name))
    for file in drawn:
        console.print(str(file))
    for line in reviews.spelt(summary.reviews):
        console.print(line)
    console.print(f"{summary.results}: {summary.state}")
