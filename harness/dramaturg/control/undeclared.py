"""Finds the file that a program missed where it ran, since its manifest does not declare it."""

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar

from dramaturg.errors import ControlError
from dramaturg.implementation.manifest import Implementation

_Error = TypeVar("_Error", bound=ControlError)

_WORD = re.compile(r"[^\s\"'`:;,()\[\]<>]+")
"""A word that may be the name of a file in a program's message."""

_MISSES = re.compile(
    r"no such file|no module|not found|not exist|missing|enoent"
    r"|(?:can ?not|can't|could not|couldn't|unable to) (?:open|find|load|read|resolve|access)",
    re.IGNORECASE,
)
"""The words with which programs say that a file is not there. A name in any other line may mean
anything."""

_MODULE = re.compile(r"No module named '?([\w.]+)")

_MOST_WORDS = 2000


def named(error: _Error, implementation: Implementation, place: Path) -> _Error:
    """The same error, which says as well which of the files that the command or the program's
    words name is in its folder, and not in the ``place`` where it ran. Mostly there is none."""
    missed = _missed(implementation, place, f"{error}\n{error.said}")
    if missed:
        text = (
            f"{error}; {missed} lies in {implementation.folder}, and none of build.inputs,"
            " build.outputs and build.beside names it, so it is not where this runs"
            " (spec/implementers.md)"
        )
        error.args = (text,)
    return error


def _missed(implementation: Implementation, place: Path, said: str) -> str:
    own = implementation.folder.resolve()
    for name in _names(implementation, place, said):
        wanted = os.path.normpath(name)
        try:
            # A path further out could be declared nowhere.
            if wanted.startswith("../.."):
                continue
            if wanted not in (".", "..") and _is_left_out(own / wanted, place / wanted):
                return wanted
        except (OSError, ValueError):  # No name of a file.
            continue
    return ""


def _is_left_out(file: Path, copy: Path) -> bool:
    return file.exists() and not copy.exists()


def _names(implementation: Implementation, place: Path, said: str) -> Iterator[str]:
    """The words that could be files, by paths from the implementation's folder."""
    lines = [line for line in said.splitlines() if _MISSES.search(line)]
    text = "\n".join([*implementation.manifest.run.command, *lines])
    below = f"{place.parent}/"
    for word in _WORD.findall(text)[:_MOST_WORDS]:
        word = word.replace("$BUILD", implementation.build)
        if word.startswith(below):
            yield os.path.relpath(word, place)
        elif not word.startswith("/"):
            yield word
    roots = implementation.manifest.run.environment.get("PYTHONPATH", "").split(os.pathsep)
    for module in _MODULE.findall(said):
        path = module.replace(".", "/")
        for root in (*roots, "."):
            yield from (f"{root}/{path}.py", f"{root}/{path}/__init__.py", f"{root}/{path}")
