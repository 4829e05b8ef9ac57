"""``dramaturg history``: each benchmark over commits, and where it became slower or faster."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import click
from rich.table import Table

from dramaturg import files
from dramaturg.history import document, handed_sessions, history_page, lines, plot
from dramaturg.history.document import History, HistoryLine
from dramaturg.processes import confined
from dramaturg.processes.confined import Limits
from dramaturg.terminal import show
from dramaturg.visible import line as spelt

_READER = f"{handed_sessions.__name__}:read"

_SEARCH = 1.0
"""Seconds of CPU time for each folder, besides what its length gives: changes are looked for among
all of them."""

_TONES = {"slower": "bold red", "faster": "bold green"}


@click.command()
@click.argument("words", metavar="FOLDER...", nargs=-1, type=click.Path(path_type=Path))
@click.option(
    "--baseline",
    "names",
    metavar="NAME",
    multiple=True,
    help="Take this implementation of each session as its baseline.",
)
@click.option(
    "--page",
    "page_file",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Also write a page with a picture of each line.",
)
@show.json_option
def history(
    words: tuple[Path, ...], names: tuple[str, ...], page_file: Path | None, as_json: bool
) -> None:
    """Draw each benchmark over commits, and find where it changed.

    FOLDER is a results folder, or contains some. A point is the ratio of a build's time to that
    of the pinned one in the same session (`bench --baseline`, or A of `compare`). If the machine,
    its kernel, its cores, the harness or the baseline changes, a line is cut.

    \b
    Examples:
      dramaturg history results
      dramaturg history results --page history.html
      dramaturg history results/monday results/tuesday --baseline reference
      dramaturg history results --json | jq '.lines[].stretches[].changes[]'
    """
    if not words:
        raise click.UsageError("name results folders, or a folder that has some in it")
    found = _read(lines.folders(words), names)
    if page_file is not None:
        with files.naming(page_file):
            page_file.parent.mkdir(parents=True, exist_ok=True)
            files.write_text(page_file, history_page.text(found))
    if as_json:
        show.print_json(found.model_dump(mode="json"))
    else:
        _print(found, page_file)


def _read(folders: Sequence[Path], names: Sequence[str]) -> History:
    """Read it by a process with limits. Raises ResultsError."""
    given = {"folders": [str(folder) for folder in folders], "names": list(names)}
    limits = Limits.of(*folders)
    limits = replace(limits, cpu=limits.cpu + _SEARCH * len(folders))
    more = f" and {len(folders) - 1} more" if len(folders) > 1 else ""
    return History.model_validate(confined.read(_READER, f"{folders[0]}{more}", given, limits))


def _print(of: History, file: Path | None) -> None:
    console = show.console()
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for head in ("benchmark", "implementation", "points", "cuts", "last", ""):
        table.add_column(head, justify="right" if head in ("points", "cuts", "last") else "left")
    for line in of.lines:
        shown = [point for stretch in line.stretches for point in stretch.points]
        table.add_row(
            spelt(document.name(line)),
            spelt(line.implementation),
            str(len(shown)),
            str(max(0, len(line.stretches) - 1)),
            f"×{shown[-1].ratio:.3f}" if shown else "",
            "\n".join(map(spelt, _said(line))),
        )
    console.print(table)
    for line in of.lines:
        for stretch in line.stretches:
            for change in stretch.changes:
                where = spelt(f"{document.name(line)}, {line.implementation}: ")
                when = plot.day(stretch.points[change.at].started)
                said = spelt(plot.told(change))
                console.print(show.styled(where, (said, _TONES[change.said]), f", {when}"))
    for note in of.notes:
        console.print(spelt(note))
    for folder in of.without:
        show.notices().print(f"dramaturg: {spelt(folder)} has no baseline, so it is in no line")
    if file is not None:
        console.print(spelt(str(file)))


def _said(of: HistoryLine) -> list[str]:
    """Describes a line in a few words."""
    many = sum(len(stretch.changes) for stretch in of.stretches)
    words = [f"{many} change{'' if many == 1 else 's'}"] if many else []
    looked = [stretch for stretch in of.stretches if not stretch.why]
    words += ["no change found"] if looked and not many else []
    words += [of.stretches[-1].why] if of.stretches and of.stretches[-1].why else []
    if of.gaps:
        last = of.gaps[-1]
        words.append(f"{len(of.gaps)} without a point; the last: {last.session}: {last.why}")
    return words
