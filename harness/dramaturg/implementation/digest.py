"""Which build it is: one number for all that decides what is built (spec/implementers.md).

The same sources have the same digest wherever they lie. Each part is written with its length
before it, so that no two sets of parts are written alike.
"""

import hashlib
import os
import stat
from collections.abc import Iterable
from pathlib import Path

from dramaturg import paths
from dramaturg.errors import ManifestError
from dramaturg.implementation import packages, variables
from dramaturg.implementation.manifest import BUILD, Implementation
from dramaturg.implementation.sources import MOST_INPUTS, inputs

LOG = "build.log"
"""In the build's folder: what its commands said. No part of what they made."""

_FORM = b"dramaturg build 2"


def digest(implementation: Implementation) -> str:
    """SHA-256 over the build's inputs, the manifest, the protocol files, the packages and the
    variables that the manifest says decide what is built.

    Raises ManifestError for inputs that match nothing, or that no digest can stand for.
    """
    parts = [_FORM]
    for name, file in sorted(inputs(implementation).items()):
        parts += [b"file", os.fsencode(name), *_of_file(file)]
    for file in sorted(paths.PROTO.glob("dramaturg/v2/*.proto")):
        parts += [b"proto", os.fsencode(file.name), _content(file)]
    for package in packages.named(implementation):
        for name, file in sorted(package.files.items()):
            parts += [b"package", os.fsencode(name), _content(file)]
    decisive = variables.named(implementation) | implementation.settings.build_environment
    for name, value in sorted(decisive.items()):
        parts += [b"variable", os.fsencode(name), os.fsencode(value)]
    return combined(parts)


def combined(parts: Iterable[bytes]) -> str:
    """SHA-256 over the parts, each with its length before it."""
    total = hashlib.sha256()
    for part in parts:
        total.update(b"%d:%b," % (len(part), part))
    return total.hexdigest()


def artefact(implementation: Implementation) -> str:
    """SHA-256 over what the build has made. Empty if it makes nothing: its sources are run."""
    made = {
        name: file for found in outputs(implementation).values() for name, file in found.items()
    }
    parts = [_FORM]
    for name, file in sorted(made.items()):
        if file.is_symlink():
            parts += [b"link", os.fsencode(name), os.fsencode(file.readlink())]
        else:
            parts += [b"file", os.fsencode(name), *_of_file(file)]
    return combined(parts) if outputs(implementation) else ""


def outputs(implementation: Implementation) -> dict[str, dict[str, Path]]:
    """What each pattern of ``build.outputs`` matches, by its path from the build's folder."""
    manifest = implementation.manifest
    patterns = manifest.build.outputs
    if patterns is None:
        patterns = ["**/*"] if manifest.build.commands else []
    folder = implementation.folder.resolve() / implementation.build
    built = {name for name, variant in manifest.variants.items() if variant.build_environment}
    # Variants are built beside each other below .build, and never below one another.
    others = built if implementation.build == BUILD else set()
    return {pattern: _made(folder, pattern, {LOG, *others}) for pattern in patterns}


def _made(folder: Path, pattern: str, never: set[str]) -> dict[str, Path]:
    found: dict[str, Path] = {}
    for match in folder.glob(pattern):
        name = os.path.relpath(os.path.normpath(match), folder)
        if name.startswith(".."):
            raise ManifestError(
                f"build.outputs {pattern!r} leads out of the build's folder {folder}"
            )
        if Path(name).parts[0] not in never and (match.is_symlink() or match.is_file()):
            found[name] = match
        if len(found) > MOST_INPUTS:
            raise ManifestError(f"build.outputs {pattern!r} matches more than {MOST_INPUTS} files")
    return found


def _of_file(file: Path) -> tuple[bytes, bytes]:
    executable = bool(file.stat().st_mode & stat.S_IXUSR)
    return (b"executable" if executable else b"plain"), _content(file)


def _content(file: Path) -> bytes:
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").digest()
