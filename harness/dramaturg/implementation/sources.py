"""The source files of a build: those that its manifest names, else those that git tracks
(spec/implementers.md)."""

import contextlib
import os
from collections.abc import Iterable, Iterator
from enum import StrEnum
from pathlib import Path

from dramaturg.errors import ManifestError
from dramaturg.implementation.manifest import FILE_NAME, Implementation
from dramaturg.processes import git

MOST_INPUTS = 20_000
"""Files of one build. Ours have fewer than a hundred."""

MOST_BYTES = 4 * 1024 * 1024 * 1024
"""Bytes of all of them, or of all that a build makes: each process gets a copy, and each copy is
digested. Holes count as well."""

RESULTS = "results"
"""The folder in an implementation's own in which results may lie."""

_NEVER = {".build", "__pycache__"}
"""Folders of what was made, not written."""


class Origin(StrEnum):
    """The authority that says which files count."""

    MANIFEST = "the manifest"
    GIT = "git"
    FOLDER = "the folder"


def origin(implementation: Implementation) -> Origin:
    """Return the rule that chooses the inputs of this build, here and now."""
    if implementation.manifest.build.inputs is not None:
        return Origin.MANIFEST
    return Origin.FOLDER if _listed(implementation.folder.resolve()) is None else Origin.GIT


def inputs(implementation: Implementation) -> dict[str, Path]:
    """The manifest and all files that count, by their path from the folder.

    Raises ManifestError for patterns that match nothing, and for what no digest can stand for.
    """
    patterns = implementation.manifest.build.inputs
    own = by_default(implementation) if patterns is None else matched(implementation, patterns)
    found = own | beside(implementation)
    if (size := size_of(found.values())) > MOST_BYTES:
        raise _wrong(
            implementation.folder,
            f"its sources come to {size >> 20:,} MiB, more than {MOST_BYTES >> 20:,}; name the"
            " files that count in build.inputs",
        )
    return found


def size_of(found: Iterable[Path]) -> int:
    """Bytes of these files, as far as they are there."""
    total = 0
    for file in found:
        with contextlib.suppress(OSError):
            total += file.stat().st_size
    return total


def beside(implementation: Implementation) -> dict[str, Path]:
    """Return the inputs of other implementations, as ``../akka/src/main``. Raises ManifestError."""
    found: dict[str, Path] = {}
    for name, folder in folders_beside(implementation).items():
        for pattern in implementation.manifest.build.beside[name]:
            what = f"build.beside.{name} {pattern!r}"
            matches = [match for match in folder.glob(pattern) if could_count(folder, match)]
            there: dict[str, Path] = {}
            for match in matches:
                _enter(there, folder, match, what, implementation.folder)
            if not there:
                raise _wrong(implementation.folder, f"{what} matches no file of {folder}")
            found |= {f"../{name}/{file}": match for file, match in there.items()}
    return found


def folders_beside(implementation: Implementation) -> dict[str, Path]:
    """The folders that ``build.beside`` names. Raises ManifestError for one that is not there."""
    found = {}
    for name in implementation.manifest.build.beside:
        folder = implementation.folder.resolve().parent / name
        if folder.is_symlink() or not folder.is_dir():
            raise _wrong(
                implementation.folder,
                f"build.beside names {name!r}, and {folder} is no folder: both have to lie in one",
            )
        found[name] = folder
    return found


def by_default(implementation: Implementation) -> dict[str, Path]:
    """The files that git tracks, or would: new ones that are not ignored. Outside a repository,
    every file. In both cases without results, and without hidden files."""
    folder = implementation.folder.resolve()
    found = {FILE_NAME: folder / FILE_NAME}
    listed = _listed(folder)
    for match in _walked(folder) if listed is None else listed:
        _enter(found, folder, match, "the folder")
        if match.is_dir():
            raise _wrong(
                folder, f"{match.relative_to(folder)} is a repository within this one; name the"
                " files that count in build.inputs"
            )  # fmt: skip
    return found


def would_count(implementation: Implementation, place: Path) -> bool:
    """True if a file written there would count as a source, without inputs in the manifest."""
    folder, place = implementation.folder.resolve(), place.resolve()
    if implementation.manifest.build.inputs is not None or not place.is_relative_to(folder):
        return False
    ignored = git.ask(folder, "check-ignore", "--", str(place / "x"))
    return _shows(folder, place) and ignored is None


def matched(implementation: Implementation, patterns: list[str]) -> dict[str, Path]:
    """The files that these patterns match."""
    folder = implementation.folder.resolve()
    found = {FILE_NAME: folder / FILE_NAME}
    for pattern in patterns:
        what, before = f"build.inputs {pattern!r}", len(found)
        matches = [match for match in folder.glob(pattern) if could_count(folder, match)]
        for match in matches:
            _enter(found, folder, match, what)
        if len(found) == before and not any(match.is_file() for match in matches):
            raise _wrong(folder, f"{what} matches no file")
    return found


def _listed(folder: Path) -> list[Path] | None:
    """None outside of a repository, or where it has nothing of this folder."""
    said = git.ask(folder, "ls-files", "-z", "--cached", "--others", "--exclude-standard")
    files = [folder / name for name in git.names(said)]
    there = [file for file in files if os.path.lexists(file) and _shows(folder, file)]
    return there or None


def _walked(folder: Path) -> Iterator[Path]:
    for place, folders, files in os.walk(folder):
        here = Path(place)
        links = [name for name in folders if (here / name).is_symlink()]
        folders[:] = [name for name in folders if _shows(folder, here / name)]
        yield from (here / name for name in [*files, *links] if _shows(folder, here / name))


def could_count(folder: Path, file: Path) -> bool:
    """True if a file below ``folder`` could be an input at all, by its name: results and build
    outputs never are."""
    parts = Path(os.path.relpath(os.path.normpath(file), folder)).parts
    return parts[:1] != (RESULTS,) and _NEVER.isdisjoint(parts)


def _shows(folder: Path, file: Path) -> bool:
    hidden = any(part.startswith(".") for part in file.relative_to(folder).parts)
    return not hidden and could_count(folder, file)


def _enter(
    found: dict[str, Path], folder: Path, match: Path, what: str, named_by: Path | None = None
) -> None:
    """Add it, if it is a file. Raises ManifestError for what no digest can stand for."""
    manifest = named_by or folder
    name = os.path.relpath(os.path.normpath(match), folder)
    if not match.exists():
        raise _wrong(manifest, f"{what} matches {name}, a link that leads nowhere")
    real, named = match.resolve(), Path(os.path.normpath(match))
    if real != named and (not real.is_relative_to(folder) or real.is_dir()):
        raise _wrong(manifest, f"{what} matches {name}, a link that leads to {real}")
    if match.is_file():
        found[name] = match
    elif not match.is_dir():
        raise _wrong(manifest, f"{what} matches {name}, which is neither file nor folder")
    if len(found) > MOST_INPUTS:
        raise _wrong(manifest, f"{what} matches more than {MOST_INPUTS} files")


def _wrong(folder: Path, what: str) -> ManifestError:
    return ManifestError(f"{folder / FILE_NAME}: {what}")
