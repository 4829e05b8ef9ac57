"""The certification cache: remembers that a build was made on this machine, and certified.

Kept in the user's cache, never in the implementation's folder: a file that comes with a folder says
nothing of the folder. Whoever runs as the user can write here (SECURITY.md).
"""

import contextlib
import errno
import hashlib
import json
import os
import shutil
from pathlib import Path
from typing import Any

from dramaturg import files, paths
from dramaturg.implementation.manifest import Implementation

BUILT, CERTIFIED = "built", "certified"

_NO_CACHE = (errno.ENOENT, errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOTDIR, errno.EEXIST)
"""The errors of a folder that cannot be made, or is another user's, as root's is after sudo; a full
disk is something else."""

_PLACE = "place"
"""The file that says which folder the entries beside it are of."""


def read(implementation: Implementation, kind: str) -> dict[str, Any]:
    """The entry that was written last; empty if it cannot be read."""
    try:
        said = json.loads(files.read_text(_file(implementation, kind)))
    except (ValueError, RecursionError):  # Unreadable is such, too.
        return {}
    return said if isinstance(said, dict) else {}


def write(implementation: Implementation, kind: str, said: dict[str, Any]) -> None:
    """Keep it; if the user has no cache folder, none can be made, or they may not write there,
    nothing is remembered. Raises OSError that names the file, if it cannot be written."""
    file = _file(implementation, kind)
    try:
        if not file.parent.exists():
            _forget_what_is_gone(file.parent.parent)
            file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with files.naming(file):
            # A path need not be text: some are named in an encoding of long ago.
            files.write_bytes(file.parent / _PLACE, os.fsencode(implementation.folder.resolve()))
            files.write_text(file, json.dumps(said))
    except OSError as error:
        if error.errno not in _NO_CACHE:
            raise


def forget(implementation: Implementation, kind: str) -> None:
    """Raises OSError that names the file, if what is there cannot be removed and would be believed:
    a build counts only if it is the one that is there now."""
    file = _file(implementation, kind)
    try:
        with files.naming(file):
            file.unlink(missing_ok=True)
    except OSError as error:
        if error.errno not in _NO_CACHE or (kind != BUILT and read(implementation, kind)):
            raise


def _file(implementation: Implementation, kind: str) -> Path:
    place = f"{implementation.folder.resolve()}\0{implementation.build}"
    key = hashlib.sha256(os.fsencode(place)).hexdigest()
    # A variant without a build of its own is certified by itself all the same.
    name = kind if kind == BUILT else f"{implementation.name}.{kind}"
    return paths.cache() / "stamps" / key / f"{name}.json"


def _forget_what_is_gone(folder: Path) -> None:
    for each in folder.glob(f"*/{_PLACE}"):
        with contextlib.suppress(OSError, ValueError):
            if not Path(os.fsdecode(each.read_bytes())).exists():
                shutil.rmtree(each.parent)
