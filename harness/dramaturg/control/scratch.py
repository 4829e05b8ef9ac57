"""Folders of a session's own: its socket, what it writes to standard error, what it runs from."""

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
        _remove(made)


def _remove(folder: Path) -> None:
    """Also where nobody may write, nor look."""
    with contextlib.suppress(OSError):
        folder.chmod(0o700)
    for place, folders, _ in os.walk(folder):
        for each in (Path(place, name) for name in folders):
            with contextlib.suppress(OSError):
                if not each.is_symlink():
                    each.chmod(0o700)
    shutil.rmtree(folder, ignore_errors=True)
