"""The folders that implementations run in: copies that the harness makes anew, of what the digests
cover.

Certified or timed, each process finds itself in such a place: its path is as long as that of any
other and tells nothing (MEAS-37), its files were digested after they were copied (LEVEL-16), and
undeclared files are not there.
"""

import contextlib
import os
import shutil
import stat
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from dramaturg.control import scratch
from dramaturg.errors import Changed, HarnessFault
from dramaturg.implementation import build, layout
from dramaturg.implementation.build import Built
from dramaturg.implementation.manifest import Implementation
from dramaturg.implementation.outputs import Link

_BOUND = 'mount --bind -o ro "$1" "$1" && cd "$2" && shift 2 && exec "$@"'
"""Run in a namespace of its own: nobody else sees the mount, and it is gone with the process. The
current folder is entered anew, since it was below the mount."""

_LATE = 10.0
"""Seconds for the probe of two system calls."""


@contextmanager
def made(implementation: Implementation, expected: Built | None = None) -> Iterator[Path]:
    """A copy of the implementation's folder, of what lies beside and of the harness's packages, as
    far as they are declared. Gone at the end.

    Raises Changed if that is not what was ``expected``, ManifestError, HarnessFault where
    nothing can be executed or written, and OSError.
    """
    with scratch.folder() as folder:
        root = folder.resolve()
        if os.statvfs(root).f_flag & os.ST_NOEXEC:
            raise HarnessFault(
                f"{root.parent}: nothing can be executed there (it is mounted noexec), and"
                " what is run is copied there; set TMPDIR to a folder where it can"
            )
        there = root / layout.own_name(implementation)
        try:
            there.mkdir()
            _copy(implementation, root, expected)
            _protect(root)
        except OSError as error:
            raise HarnessFault(f"{implementation.name} cannot be copied: {error}") from None
        yield there


def _copy(implementation: Implementation, root: Path, expected: Built | None) -> None:
    found = layout.of(implementation)
    for name, file in found.placed(implementation):
        copy = root / name
        copy.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(file, Link):
            copy.symlink_to(file.target)
        elif file.is_dir():
            copy.mkdir(exist_ok=True)
        else:
            shutil.copy(file, copy)
    if expected is None:
        return
    copied = build.built(implementation, found.copied(implementation, root))
    if copied != expected:
        what = "sources" if copied.build != expected.build else "what was built"
        raise Changed(
            f"{implementation.name}: {what} in {implementation.folder} changed since it was built"
            " and judged, so it is not run; build and certify it again, and let nothing write there"
        )


def _protect(root: Path) -> None:
    """Protect it from programs that run there, as far as modes do: not from root, nor from its
    owner on purpose. A file keeps of its own mode only what its digest has, so its mode tells
    nothing else."""
    for place, folders, files in os.walk(root, topdown=False):
        for each in files:
            file = Path(place, each)
            if not file.is_symlink():
                file.chmod(0o555 if file.stat().st_mode & stat.S_IXUSR else 0o444)
        for each in folders:
            file = Path(place, each)
            if not file.is_symlink():
                file.chmod(0o500)
    root.chmod(0o500)


def read_only(place: Path) -> tuple[str, ...]:
    """The prefix of a command that runs in ``place`` and must not write there, where the kernel
    can ensure this; empty where modes must do (SECURITY.md)."""
    return (*_NAMESPACE, str(place.parent), str(place)) if _can_bind() else ()


_NAMESPACE = ("unshare", "--mount", "--", "sh", "-c", _BOUND, "sh")


@cache
def _can_bind() -> bool:
    """True if this user may mount in a namespace of its own, tried for real."""
    if os.geteuid() != 0 or not all(map(shutil.which, ("unshare", "mount"))):
        return False
    with scratch.folder() as folder, contextlib.suppress(OSError, subprocess.TimeoutExpired):
        test = ("sh", "-c", 'test -e . && ! touch "$0"', str(folder / "x"))
        command = [*_NAMESPACE, str(folder), str(folder), *test]
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, check=False, timeout=_LATE
        )
        return done.returncode == 0
    return False
