"""The changes since a repository was made: here, in the package, or in both."""

import difflib
import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from dramaturg.template import record as records
from dramaturg.template.making import Made
from dramaturg.template.record import Record

MAX_BYTES = 4 * 1024 * 1024
"""The largest file that is compared line by line, in bytes; the largest that a template makes has
a hundredth."""


class State(StrEnum):
    """The state of one file of the plumbing."""

    SAME = "same"
    NEWER = "changed in the package"
    """Replaced by ``--apply``."""
    NEW = "new in the package"
    """Written by ``--apply``."""
    GONE = "gone from the package"
    """Taken away by ``--apply``."""
    YOURS = "changed here"
    """Left as it is, also if it was taken away here or is gone from the package."""
    BOTH = "changed in both"
    """Shown as a difference, and left as it is."""


APPLIED = (State.NEWER, State.NEW, State.GONE)


@dataclass(frozen=True, slots=True)
class Change:
    """One file, and what the package has for it: nothing if it is gone."""

    path: str
    state: State
    made: Made | None


def compare(folder: Path, record: Record, made: dict[str, Made]) -> list[Change]:
    """Every file of the plumbing, then and now, by its path."""
    plumbing = {path: file for path, file in made.items() if not file.yours}
    return [
        Change(path, _state(here, record.files.get(path), plumbing.get(path)), plumbing.get(path))
        for path in sorted(record.files.keys() | plumbing.keys())
        for here in [digest_of(folder, path)]
        if path in plumbing or here is not None
    ]


def _state(here: str | None, then: str | None, made: Made | None) -> State:
    now = records.digest(made.content, made.executable) if made else None
    if here == now:
        return State.SAME
    if then is None:
        return State.NEW if here is None else State.BOTH
    if now == then:
        return State.YOURS
    if here == then:
        return State.NEWER if made else State.GONE
    return State.BOTH if made else State.YOURS


def digest_of(folder: Path, path: str) -> str | None:
    """The digest of the file there; None if there is none. A digest of something that is not a
    plain file, or lies behind a link, equals that of no file that was ever made. A file that is not
    there, but would lie behind a link, has such a digest too: it would be written elsewhere."""
    if not os.path.lexists(folder / path) and not _is_behind_a_link(folder, path):
        return None
    content = _plain(folder, path)
    if content is None:
        return "no plain file"
    return records.digest(content, bool((folder / path).lstat().st_mode & stat.S_IXUSR))


def _plain(folder: Path, path: str) -> bytes | None:
    """The content of a file that is one, and in the repository itself."""
    file = folder / path
    if file.is_symlink() or _is_behind_a_link(folder, path):
        return None
    if not file.is_file() or file.stat().st_size > MAX_BYTES:
        return None
    return file.read_bytes()


def _is_behind_a_link(folder: Path, path: str) -> bool:
    # A path that is too long for a file leads to none: ``is_symlink`` raises for it.
    return any(os.path.islink(folder / parent) for parent in Path(path).parents[:-1])  # noqa: PTH114


def difference(folder: Path, change: Change) -> Iterator[str]:
    """Yield the difference between the file here and the package's, as ``diff -u`` has it, line by
    line."""
    content = _plain(folder, change.path)
    here = (content or b"").decode("utf-8", "replace").splitlines()
    there = change.made.content.decode().splitlines() if change.made else []
    yield from difflib.unified_diff(
        here,
        there,
        os.devnull if content is None else f"{change.path} (here)",
        f"{change.path} (dramaturg {records.version()})",
        lineterm="",
    )
