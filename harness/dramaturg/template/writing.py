"""The only place that writes what templates make: a repository whole or not at all, and file by
file what an update replaces."""

import os
import secrets
import shutil
from collections.abc import Iterable, Mapping
from pathlib import Path

from dramaturg import files
from dramaturg.processes import interrupts
from dramaturg.template.changes import APPLIED, Change, State
from dramaturg.template.making import Made, TemplateError

_KEPT = ".git"
"""A folder may have this in it: that of a repository that was just cloned, with nothing in it."""


def refuse_taken(folder: Path) -> None:
    """Raises TemplateError unless nothing is there, or an empty folder."""
    if folder.is_symlink():
        raise TemplateError(f"{folder} is a link; a repository is made in a folder of its own")
    if not folder.exists():
        return
    if not folder.is_dir():
        raise TemplateError(f"{folder} is a file; a repository is made in a folder of its own")
    there = sorted(entry.name for entry in folder.iterdir() if entry.name != _KEPT)
    if there:
        raise TemplateError(
            f"{folder} is not empty ({there[0]} is in it); choose another name, or move away what"
            " is there"
        )


def create(folder: Path, made: Mapping[str, Made]) -> None:
    """The repository. Nothing is left of it where that fails. Raises TemplateError and OSError."""
    refuse_taken(folder)
    beside = folder.with_name(f".{folder.name}-{os.getpid()}")
    with interrupts.held():
        try:
            with files.naming(folder):
                beside.mkdir()
            for path, file in made.items():
                _write(beside / path, file)
            with files.naming(folder):
                _move(beside, folder)
        except BaseException:
            shutil.rmtree(beside, ignore_errors=True)
            raise


def _move(made: Path, folder: Path) -> None:
    """Move it in one step; beside the ``.git`` of a cloned repository, entry by entry."""
    if not (folder / _KEPT).exists():
        made.rename(folder)  # Raises OSError if somebody has put something there meanwhile.
        return
    for entry in sorted(made.iterdir()):
        if os.path.lexists(folder / entry.name):
            raise TemplateError(f"{folder / entry.name} has come in between; nothing is replaced")
        entry.rename(folder / entry.name)
    made.rmdir()


def apply(folder: Path, changes: Iterable[Change]) -> None:
    """Replace, add and take away what only the package has changed. Raises OSError."""
    with interrupts.held():
        for change in changes:
            if change.state is State.GONE:
                with files.naming(folder / change.path):
                    (folder / change.path).unlink()
            elif change.state in APPLIED and change.made:
                _write(folder / change.path, change.made)


def _write(file: Path, made: Made) -> None:
    """Readers see the old file or the new one."""
    # A stranger's folder may have links under all names that can be known before.
    temporary = file.with_name(f".{file.name}-{secrets.token_hex(8)}")
    with files.naming(file):
        file.parent.mkdir(parents=True, exist_ok=True)
        try:
            with temporary.open("xb") as stream:
                stream.write(made.content)
            mode = temporary.stat().st_mode
            temporary.chmod(mode | (mode & 0o444) >> 2 if made.executable else mode)
            temporary.replace(file)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise
