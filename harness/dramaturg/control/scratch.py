"""Folders of a session's own: its socket, what it writes to standard error, where it is started."""

import contextlib
import os
import shutil
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from dramaturg.errors import HarnessFault
from dramaturg.processes import fence

MAX_SOCKET_PATH = 107
"""Bytes: ``sun_path`` of Linux, less the final zero."""

SOCKET = "control.sock"

_SHORT = "/tmp"


@contextmanager
def folder() -> Iterator[Path]:
    """One that no process outside the session may open, gone at the end; raises OSError.

    It is where temporary files go. A socket's path has at most 107 bytes, so it is in /tmp if
    that place's own path (``TMPDIR``) is too long.
    """
    made = Path(tempfile.mkdtemp(prefix="dramaturg-"))
    if len(os.fsencode(made / SOCKET)) > MAX_SOCKET_PATH:
        made.rmdir()
        made = Path(tempfile.mkdtemp(prefix="dramaturg-", dir=_SHORT))
    try:
        fence.guard(made)
        yield made
    finally:
        shutil.rmtree(made, ignore_errors=True)


@contextmanager
def place(of: Path, built: Iterable[Path] = ()) -> Iterator[Path]:
    """Where what lies in ``of`` can be started, at a path as long as that of any other such place:
    copies of what was ``built`` (files, by their paths from there), links to all the rest, and
    beside it links to what lies beside ``of``. Gone at the end. Raises HarnessFault where nothing
    can be executed, and OSError.

    How long a path is shifts what a program holds in memory, and so how fast it is (MEAS-37). So
    does where the pages of a file are, as long as they stay in memory: those of a copy are new.
    """
    with folder() as made:
        if os.statvfs(made).f_flag & os.ST_NOEXEC:
            raise HarnessFault(
                f"{made.parent}: nothing can be executed there (it is mounted noexec), and"
                " what is timed is copied there; set TMPDIR to a folder where it can"
            )
        there = made / _PLACE
        there.mkdir()
        for name in built:
            copy = there / name
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(of / name, copy, follow_symlinks=False)
        _link(of, there)
        # Not everybody may look into what is above.
        with contextlib.suppress(PermissionError):
            _link(of.parent, made, inside=False)
        yield there


_PLACE = "side"


def _link(source: Path, target: Path, *, inside: bool = True) -> None:
    """To all that is not there already, ``inside`` of folders that are, too."""
    for item in source.absolute().iterdir():
        link = target / item.name
        if not os.path.lexists(link):
            link.symlink_to(item)
        elif inside and link.is_dir() and not link.is_symlink():
            _link(item, link)
