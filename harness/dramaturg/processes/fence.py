"""Ends processes whose harness was killed: nobody else is left to do it.

The cgroup that counts a process (consumption.py) holds whoever descends from it: a new
session, a new parent and an empty environment hide nobody in there.
https://docs.kernel.org/admin-guide/cgroup-v2.html
"""

import contextlib
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

from dramaturg.processes import consumption

_warden: int | None = None
_starting = threading.Lock()


def guard(folder: Path | None = None) -> None:
    """See to it that cgroups are cleared, and ``folder`` removed, if this process is killed:
    a process of its own waits for the end of a pipe (warden.py)."""
    global _warden
    with _starting:
        if _warden is None:
            reading, _warden = os.pipe()
            program = Path(__file__).with_name("warden.py")
            command = [sys.executable, "-I", "-S", str(program)]
            command += [
                str(consumption.parent_cgroup() or ""),
                consumption.names_begin(os.getpid()),
            ]
            with contextlib.suppress(OSError):
                subprocess.run(
                    command,
                    stdin=reading,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                    env={},
                    cwd="/",
                    start_new_session=True,
                    check=False,
                )
            os.close(reading)
        if folder is not None:
            with contextlib.suppress(OSError):
                os.write(_warden, os.fsencode(folder.resolve()) + b"\0")


def left_by_the_dead() -> Iterator[int]:
    """Processes in cgroups whose harness is no more."""
    parent = consumption.parent_cgroup()
    for folder in parent.glob("dramaturg-*-*") if parent else ():
        if not consumption.lives(folder.name.split("-")[1]):
            with contextlib.suppress(OSError):
                yield from map(int, (folder / "cgroup.procs").read_text().split())
