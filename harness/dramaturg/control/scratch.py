"""A folder of a session's own: its socket and what it writes to standard error."""

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
