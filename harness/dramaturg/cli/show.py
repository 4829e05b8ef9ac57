"""What several commands need to talk to a person, or with --json to a program."""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

_Command = TypeVar("_Command", bound=Callable[..., Any])

FOLDER = click.Path(path_type=Path, file_okay=False)
"""A folder to write into, which need not be there."""


def json_option(command: _Command) -> _Command:
    """``--json``: one JSON document on standard output, and nothing else there."""
    return click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")(command)


def console() -> Console:
    """For results, on standard output; wide where no terminal sets a width."""
    width = None if sys.stdout.isatty() else 132
    return Console(highlight=False, soft_wrap=True, width=width)


def notices() -> Console:
    """For what happens meanwhile, on standard error."""
    return Console(stderr=True, highlight=False, soft_wrap=True)


def print_json(document: Any) -> None:
    """The document, indented."""
    json.dump(document, sys.stdout, indent=2)
    sys.stdout.write("\n")


def progress(as_json: bool) -> Progress:
    """A progress bar on standard error; nothing where nobody looks."""
    terminal = Console(stderr=True)
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=terminal,
        transient=True,
        disable=as_json or not terminal.is_terminal,
    )
