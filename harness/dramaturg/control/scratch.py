"""Folders of a session's own: its socket, what it writes to standard error, where it is started."""

import contextlib
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

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
def place(of: Path) -> Iterator[Path]:
    """Where what lies in ``of`` can be started, at a path as long as that of any other such place:
    links to all of it, and beside them to what lies beside it. Gone at the end; raises OSError.

    How long a path is shifts what a program holds in memory, and so how fast it is: the same beam
    files were 3 % faster in a folder whose name had 34 letters more (docs/comparing.md).
    """
    with folder() as made:
        there = made / _PLACE
        there.mkdir()
        _link(of, there)
        # Not everybody may look into what is above.
        with contextlib.suppress(PermissionError):
            _link(of.parent, made)
        yield there


_PLACE = "side"


def _link(source: Path, target: Path) -> None:
    for item in source.absolute().iterdir():
        link = target / item.name
        if not link.exists():
            link.symlink_to(item)
