"""The digest of a build: one number for all that decides what is built (spec/implementers.md).

The same sources have the same digest wherever they lie. Each part is written with its length
before it, so that no two sets of parts are written alike.
"""

import hashlib
import os
import stat
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from dramaturg.implementation import layout, variables
from dramaturg.implementation.layout import Layout
from dramaturg.implementation.manifest import Implementation
from dramaturg.implementation.outputs import Link

_FORM = b"dramaturg build 2"


@dataclass(frozen=True, slots=True)
class Built:
    """The sources of a build, and its result: both digests. Empty if that is not known."""

    build: str = ""
    artefact: str = ""


def built(implementation: Implementation, found: Layout | None = None) -> Built:
    """As it lies in its folder, or in the copy that was ``found``. Raises ManifestError."""
    found = found or layout.of(implementation)
    return Built(_digest(implementation, found), _artefact(found))


def digest(implementation: Implementation) -> str:
    """SHA-256 over the build's inputs, the manifest, the protocol files, the packages and the
    variables that the manifest says decide what is built.

    Raises ManifestError for inputs that match nothing, or that no digest can stand for.
    """
    return _digest(implementation, layout.of_sources(implementation))


def artefact(implementation: Implementation) -> str:
    """SHA-256 over what the build has made, and what links in it lead to. Empty if it makes
    nothing: its sources are run. Raises ManifestError."""
    return _artefact(layout.of(implementation))


def combined(parts: Iterable[bytes]) -> str:
    """SHA-256 over the parts, each with its length before it."""
    total = hashlib.sha256()
    for part in parts:
        total.update(b"%d:%b," % (len(part), part))
    return total.hexdigest()


def _digest(implementation: Implementation, found: Layout) -> str:
    parts = [_FORM]
    for name, file in sorted(found.inputs.items()):
        parts += [b"file", os.fsencode(name), *_of_file(file)]
    for name, file in sorted(found.protocol.items()):
        parts += [b"proto", os.fsencode(name), _content(file)]
    for package in found.packages:
        for name, file in sorted(package.items()):
            parts += [b"package", os.fsencode(name), _content(file)]
    decisive = variables.named(implementation) | implementation.settings.build_environment
    for name, value in sorted(decisive.items()):
        parts += [b"variable", os.fsencode(name), os.fsencode(value)]
    return combined(parts)


def _artefact(found: Layout) -> str:
    if found.outputs is None:
        return ""
    parts = [_FORM]
    for name, made in sorted(found.outputs.items()):
        if isinstance(made, Link):
            parts += [b"link", os.fsencode(name), os.fsencode(made.target)]
            for file in made.tool:
                parts += [b"tool", os.fsencode(file), *_of_file(file)]
        elif made.is_dir():
            parts += [b"folder", os.fsencode(name)]
        else:
            parts += [b"file", os.fsencode(name), *_of_file(made)]
    return combined(parts)


def _of_file(file: Path) -> tuple[bytes, bytes]:
    executable = bool(file.stat().st_mode & stat.S_IXUSR)
    return (b"executable" if executable else b"plain"), _content(file)


def _content(file: Path) -> bytes:
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").digest()
