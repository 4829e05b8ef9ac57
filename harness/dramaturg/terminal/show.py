"""Helpers by which several commands talk to a person, or with --json to a program."""

import json
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any, TypeVar

import click
from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    Task,
    TaskID,
    TimeElapsedColumn,
)
from rich.table import Table
from rich.text import Text

from dramaturg.visible import visible

_Command = TypeVar("_Command", bound=Callable[..., Any])

WIDTH = 132
"""Columns of what goes to a file or a pipe."""

EACH = 60.0
"""Seconds between two lines of progress, where there is no terminal: a log stays short."""

_CUT = "…"
"""The sign in a table for text that does not fit."""

_INDENT = 4
"""Columns before what stands below a row's first line."""

FOLDER = click.Path(path_type=Path, file_okay=False)
"""A folder to write into, which need not be there."""


def json_option(command: _Command) -> _Command:
    """``--json``: one JSON document on standard output, and nothing else there."""
    return click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")(command)


def trusted_option(command: _Command) -> _Command:
    """``--trusted``, as ``trusted_file``."""
    return click.option(
        "--trusted",
        "trusted_file",
        metavar="LIST.toml",
        type=click.Path(path_type=Path),
        help="The keys whose signatures count. Default: ~/.config/dramaturg/trusted.toml.",
    )(command)


def cluster_options(command: _Command) -> _Command:
    """``--cluster`` and ``--cluster-tls``, as ``cluster`` and ``cluster_tls``."""
    said = "On other hosts: local:N, tcp://HOST:PORT, tls://HOST:PORT, ssh:HOSTS.yaml or slurm:N."
    named = click.option("--cluster", metavar="HOSTS", help=said)
    keys = click.option(
        "--cluster-tls",
        metavar="FOLDER",
        type=click.Path(path_type=Path, exists=True, file_okay=False),
        help="With tls://: a folder with ca.pem, cert.pem and key.pem.",
    )
    return named(keys(command))


class Literal(Console):
    """Prints what it is given as it is: no markup, no emoji, control characters visible.
    Text that is to have a style says so itself, with :func:`styled`."""

    def __init__(self, *, soft_wrap: bool = True, **options: Any) -> None:
        options |= {"markup": False, "emoji": False, "highlight": False}
        super().__init__(soft_wrap=soft_wrap, **options)

    def print(self, *objects: Any, **options: Any) -> None:
        """As Console does; of a table for which there is no room nothing is cut: each row becomes a
        line of its first two cells, and the others stand below it."""
        for each in objects:
            if isinstance(each, Table) and self._cuts(each):
                super().print(*self._rows(each), sep="\n", soft_wrap=True)
                return
        super().print(*objects, **options)

    def _cuts(self, table: Table) -> bool:
        said = "".join(segment.text for segment in self.render(table))
        return said.count(_CUT) > sum(
            _plain(cell).count(_CUT) for column in table.columns for cell in column.cells
        )

    def _rows(self, table: Table) -> Iterator[Text]:
        if table.title:
            yield Text(_plain(table.title))
        heads = [_plain(column.header) for column in table.columns]
        for row in zip(*(column.cells for column in table.columns), strict=True):
            cells = [cell if isinstance(cell, Text) else Text(visible(str(cell))) for cell in row]
            yield Text("   ").join(cell for cell in cells[:2] if cell)
            below = [
                Text(" ").join(part for part in (Text(head, "dim"), cell) if part)
                for head, cell in zip(heads[2:], cells[2:], strict=True)
                if cell.plain.strip()
            ]
            for line in Text(", ").join(below).wrap(self, max(20, self.width - _INDENT)):
                yield Text.assemble(" " * _INDENT, line)

    def render_str(self, text: str, **options: Any) -> Text:
        return super().render_str(visible(text), **options | {"markup": False, "emoji": False})


def _plain(cell: Any) -> str:
    return cell.plain if isinstance(cell, Text) else str(cell)


def styled(*parts: str | tuple[str, str]) -> Text:
    """A line of parts, each a text or a text with its style."""
    pairs = [(part, "") if isinstance(part, str) else part for part in parts]
    return Text.assemble(*((visible(text), style) for text, style in pairs))


def console(width: int = WIDTH) -> Literal:
    """For results, on standard output; ``width`` columns where no terminal sets them."""
    return Literal(width=None if sys.stdout.isatty() else width)


def left_out(to: Console, sentences: Sequence[str]) -> None:
    """Says which units a plan lacks, since nobody named the implementations that lack them."""
    if sentences:
        to.print("left out, since nobody named them:")
    for sentence in sentences:
        to.print(f"  {sentence}")


def notices() -> Literal:
    """Return the console for notices meanwhile, on standard error."""
    return Literal(stderr=True)


def print_json(document: Any) -> None:
    """The document, indented."""
    json.dump(document, sys.stdout, indent=2)
    sys.stdout.write("\n")


class _Description(ProgressColumn):
    """The description of the work under way, whose name may come from others."""

    def render(self, task: Task) -> Text:
        return Text(visible(task.description))


class _Lines(Progress):
    """A progress bar's place in a file or a pipe: now and then a line says how far it is."""

    def __init__(self, to: Console, seconds: float) -> None:
        super().__init__(_Description(), console=to, disable=True)
        self._seconds = seconds
        self._last = time.monotonic()

    def update(self, task_id: TaskID, **changes: Any) -> None:
        super().update(task_id, **changes)
        self._tell(self._tasks[task_id])

    def advance(self, task_id: TaskID, advance: float = 1) -> None:
        super().advance(task_id, advance)
        self._tell(self._tasks[task_id])

    def _tell(self, task: Task) -> None:
        now = time.monotonic()
        if now - self._last < self._seconds or task.total is None:
            return
        self._last = now
        after = timedelta(seconds=round(task.elapsed or 0))
        so_far = f"{task.completed:.0f} of {task.total:.0f} after {after}"
        self.console.print(f"{so_far}: {task.description}")


def progress(as_json: bool) -> Progress:
    """Show the progress of a long piece of work, on standard error: a bar on a terminal, and else a
    line a minute. With ``as_json`` a program looks on, and is told nothing."""
    terminal = Literal(stderr=True, soft_wrap=False)
    if not as_json and not terminal.is_terminal:
        return _Lines(notices(), EACH)
    return Progress(
        _Description(),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=terminal,
        transient=True,
        disable=as_json,
    )
