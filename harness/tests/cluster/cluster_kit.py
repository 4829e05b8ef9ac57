"""Common parts of the tests of clusters: a command under way, and the processes that are left of
it."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psutil
from waiting import wait_until

from dramaturg import paths

ENDED = 30.0
"""Seconds in which nothing of a cluster is left (docs/cluster.md)."""

PATIENCE = 90.0
"""Seconds until a stage is reached, on a loaded machine."""


class Running:
    """A command under way, with all that descends from it, wherever that has gone."""

    def __init__(self, temporary: Path, *words: object, **variables: str) -> None:
        self._mark = f"TMPDIR={temporary}".encode()
        self.process = subprocess.Popen(
            [sys.executable, "-m", "dramaturg.cli.main", *map(str, words)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=paths.ROOT,
            env=os.environ | {"TMPDIR": str(temporary)} | variables,
            start_new_session=True,
        )

    def reach(self, mark: Callable[[], bool]) -> None:
        """Wait until it has come that far."""
        reached = wait_until(lambda: mark() or self.process.poll() is not None, PATIENCE, 0.05)
        assert reached
        assert self.process.poll() is None, self.process.communicate()

    def end(self) -> tuple[int, str, str]:
        """Its exit code and what it said; fails if anything is left of it after that."""
        out, said = self.process.communicate(timeout=5 * PATIENCE)
        assert wait_until(lambda: not self.left(), ENDED, 0.1), self.left()
        return self.process.returncode, out, said

    def members(self, role: str) -> list[int]:
        """Processes of this command that are a scheduler, or workers, by whom they listen for."""
        found = [pid for pid, line in self.descendants() if "dramaturg.cluster.member" in line]
        # Not by number: numbers of processes begin again.
        found.sort(key=lambda pid: psutil.Process(pid).create_time())
        return found[:1] if role == "scheduler" else found[1:]

    def children(self) -> list[int]:
        """Processes that perform a job for a worker."""
        return [pid for pid, line in self.descendants() if "dramaturg.cluster.child_job" in line]

    def left(self) -> list[str]:
        """Return the processes that are still there, but for the command itself."""
        return [line for pid, line in self.descendants() if pid != self.process.pid]

    def descendants(self) -> list[tuple[int, str]]:
        """Whoever has inherited the variable."""
        found = []
        for folder in Path("/proc").iterdir():
            if folder.name.isdigit():
                try:
                    if self._mark in (folder / "environ").read_bytes().split(b"\0"):
                        line = (folder / "cmdline").read_text().replace("\0", " ")
                        found.append((int(folder.name), line))
                except OSError:
                    continue
        return found


def records(folder: Path) -> list[dict[str, Any]]:
    """The records that are there, whole."""
    file = folder / "conformance.jsonl"
    if not file.exists():
        return []
    lines = [json.loads(line) for line in file.read_text().splitlines() if line.endswith("}")]
    return [line for line in lines if line["record"] == "case"]


def ended(pid: int) -> bool:
    """True if a process is gone, or dead and not waited for yet."""
    try:
        return (Path("/proc") / str(pid) / "stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


def send(pid: int, number: signal.Signals) -> None:
    """A signal to one process."""
    os.kill(pid, number)
    time.sleep(0.1)
