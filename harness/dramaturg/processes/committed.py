"""The committed files of a folder, and those that differ from the commit.

Git lists, and files are compared here, byte for byte: `git status` has them converted by programs
that the repository's own configuration names. So what git converts on its way to disk (ends of
lines, large files kept elsewhere) counts as changed.
"""

import contextlib
import hashlib
import os
import stat
from collections.abc import Iterable, Mapping
from pathlib import Path

from dramaturg.errors import ManifestError
from dramaturg.processes import git

Entry = tuple[str, str]
"""A file's mode and the name of its content, as git has them."""

MOST_BYTES = 4 * 1024 * 1024 * 1024
"""Bytes that are compared, of all files of a folder. One that packs well may stand in a repository
under any number of names, and holes cost a file nothing."""

HASHES = {40: "sha1", 64: "sha256"}
"""The hash function by the length of such a name, or of a commit's."""


def at(folder: Path, below: str = ".") -> dict[str, Entry]:
    """Each file that was committed there, by its path from the folder. Raises ManifestError."""
    return _entries(git.ask(folder, "ls-tree", "-r", "-z", "HEAD", "--", below), kind=True)


def staged(folder: Path) -> dict[str, Entry]:
    """As :func:`at`, of what git would commit next."""
    return _entries(git.ask(folder, "ls-files", "-z", "--stage", "--", "."), kind=False)


def differs(folder: Path) -> bool:
    """True if anything below the folder is not as it was committed, is about to be committed
    otherwise, or is new and not ignored. Raises ManifestError."""
    committed = at(folder)
    new = git.ask(folder, "ls-files", "-z", "--others", "--exclude-standard")
    return bool(new) or staged(folder) != committed or any_changed(folder, committed)


def uncommitted(folder: Path, names: Iterable[str]) -> list[str]:
    """Return those of these files, by their path from the folder, that are not as they were
    committed, or are about to be committed otherwise. Raises ManifestError."""
    tree, index = at(folder), staged(folder)
    return [
        name
        for name in names
        if tree.get(name) != index.get(name)
        or (changed(folder / name, *tree[name]) if name in tree else os.path.lexists(folder / name))
    ]


def any_changed(folder: Path, entries: Mapping[str, Entry]) -> bool:
    """True if any of these files is not what was committed. Raises ManifestError."""
    left = MOST_BYTES
    for name, entry in entries.items():
        with contextlib.suppress(OSError):
            left -= (folder / name).lstat().st_size
        if left < 0:
            raise ManifestError(
                f"{folder}: the files there that are committed come to more than"
                f" {MOST_BYTES >> 30} GiB, and are not compared with the commit"
            )
        if changed(folder / name, *entry):
            return True
    return False


def changed(file: Path, mode: str, blob: str) -> bool:
    """True if it is not what was committed."""
    if mode == "160000":
        return True  # A repository within: what is in it is in no file of this commit.
    try:
        status = file.lstat()
        if mode == "120000":
            content = os.fsencode(file.readlink())
            return _named(blob, [content], len(content)) != blob
        if not stat.S_ISREG(status.st_mode) or (mode == "100755") != bool(
            status.st_mode & stat.S_IXUSR
        ):
            return True
        with file.open("rb") as stream:
            pieces = iter(lambda: stream.read(_PIECE), b"")
            return _named(blob, pieces, status.st_size) != blob
    except OSError:
        return True


_PIECE = 1024 * 1024


def _named(like: str, pieces: Iterable[bytes], size: int) -> str:
    """Git's name for such a content, by the hash that made the other one."""
    total = hashlib.new(HASHES[len(like)], b"blob %d\0" % size, usedforsecurity=False)
    for piece in pieces:
        total.update(piece)
    return total.hexdigest()


def _entries(said: bytes | None, *, kind: bool) -> dict[str, Entry]:
    """``kind``: whether each line has one between mode and name."""
    found = {}
    for entry in git.names(said):
        about, _, name = entry.partition("\t")
        fields = about.split(" ")
        found[name] = (fields[0], fields[2 if kind else 1])
    return found
