"""The committed files of a folder, and those that differ from the commit.

Git lists, and files are compared here, byte for byte: `git status` has them converted by programs
that the repository's own configuration names. So what git converts on its way to disk (ends of
lines, large files kept elsewhere) counts as changed.
"""

import hashlib
import os
import stat
from collections.abc import Iterable
from pathlib import Path

from dramaturg.processes import git

Entry = tuple[str, str]
"""A file's mode and the name of its content, as git has them."""

HASHES = {40: "sha1", 64: "sha256"}
"""By the length of such a name, or of a commit's."""


def at(folder: Path, below: str = ".") -> dict[str, Entry]:
    """Each file that was committed there, by its path from the folder. Raises ManifestError."""
    return _entries(git.ask(folder, "ls-tree", "-r", "-z", "HEAD", "--", below), kind=True)


def staged(folder: Path) -> dict[str, Entry]:
    """As :func:`at`, of what git would commit next."""
    return _entries(git.ask(folder, "ls-files", "-z", "--stage", "--", "."), kind=False)


def differs(folder: Path) -> bool:
    """Whether anything below the folder is not as it was committed, is about to be committed
    otherwise, or is new and not ignored. Raises ManifestError."""
    committed = at(folder)
    new = git.ask(folder, "ls-files", "-z", "--others", "--exclude-standard")
    return (
        bool(new)
        or staged(folder) != committed
        or any(changed(folder / name, *entry) for name, entry in committed.items())
    )


def uncommitted(folder: Path, names: Iterable[str]) -> list[str]:
    """Those of these files, by their path from the folder, that are not as they were committed, or
    are about to be committed otherwise. Raises ManifestError."""
    tree, index = at(folder), staged(folder)
    return [
        name
        for name in names
        if tree.get(name) != index.get(name)
        or (changed(folder / name, *tree[name]) if name in tree else os.path.lexists(folder / name))
    ]


def changed(file: Path, mode: str, blob: str) -> bool:
    """Whether it is not what was committed."""
    if mode == "160000":
        return True  # A repository within: what is in it is in no file of this commit.
    try:
        status = file.lstat()
        if mode == "120000":
            content = os.fsencode(file.readlink())
        elif not stat.S_ISREG(status.st_mode) or (mode == "100755") != bool(
            status.st_mode & stat.S_IXUSR
        ):
            return True
        else:
            content = file.read_bytes()
    except OSError:
        return True
    total = hashlib.new(HASHES[len(blob)], b"blob %d\0" % len(content), usedforsecurity=False)
    total.update(content)
    return total.hexdigest() != blob


def _entries(said: bytes | None, *, kind: bool) -> dict[str, Entry]:
    """``kind``: whether each line has one between mode and name."""
    found = {}
    for entry in git.names(said):
        about, _, name = entry.partition("\t")
        fields = about.split(" ")
        found[name] = (fields[0], fields[2 if kind else 1])
    return found
