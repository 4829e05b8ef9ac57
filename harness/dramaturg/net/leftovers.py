"""Finds leftovers of emulated networks by their names, and removes them by name.

Every interface, bridge and shell of a run is called ``dr`` + the process id of
the harness in five digits of base 36 + ``s`` (the switch) or ``h<number>`` (a
host). So two runs at once never collide, within the 15 bytes that Linux gives to
the name of an interface, and what a dead harness left can be told from what a
living one uses.
"""

import contextlib
import os
import re
import signal
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

DEATH_TIMEOUT = 5.0
"""Seconds: a killed process is gone in milliseconds unless the machine is overloaded."""

_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
_NAME = re.compile(r"dr([0-9a-z]{5})(?:s|h\d+)(?:-eth\d+)?")
_SHELL = re.compile(rb"mininet:(dr[0-9a-z]{5}(?:s|h\d+))\0")


def prefix(pid: int) -> str:
    """The prefix of all names of the run of process ``pid``."""
    digits = ""
    while pid:
        pid, digit = divmod(pid, 36)
        digits = _DIGITS[digit] + digits
    return f"dr{digits:0>5}"


def owner(name: str) -> int | None:
    """The process that made what is called ``name``; None if it is none of ours."""
    match = _NAME.fullmatch(name)
    return int(match[1], 36) if match else None


@dataclass(frozen=True, slots=True)
class Leftover:
    """One thing that a run made: a bridge, an interface, or a process in a host."""

    kind: Literal["bridge", "interface", "process"]
    name: str
    owner: int
    """Process id of the harness that made it."""
    pid: int = 0
    """The id of a process."""

    def __str__(self) -> str:
        of = f" (process {self.pid})" if self.pid else ""
        return f"{self.kind} {self.name}{of}, made by process {self.owner}"


def leftovers(of: int | None = None) -> list[Leftover]:
    """The leftovers of the runs of process ``of``, or of all processes that are gone."""
    wanted = (lambda pid: pid == of) if of is not None else (lambda pid: not _alive(pid))
    found = [*_processes(), *_interfaces()]
    return [leftover for leftover in found if wanted(leftover.owner)]


def clean(of: int | None = None) -> list[Leftover]:
    """Take all of that away; returns what could not be. Needs root."""
    deadline = time.monotonic() + DEATH_TIMEOUT
    while (found := leftovers(of)) and time.monotonic() < deadline:
        for leftover in found:
            _remove(leftover)
    return found


def _remove(leftover: Leftover) -> None:
    if leftover.kind != "process":
        command = ["ip", "link", "delete", leftover.name]
        subprocess.run(command, capture_output=True, check=False)
        return
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.kill(leftover.pid, signal.SIGKILL)
    with contextlib.suppress(ChildProcessError):
        os.waitpid(leftover.pid, os.WNOHANG)


def _alive(pid: int) -> bool:
    return Path(f"/proc/{pid}").exists()


def _interfaces() -> Iterator[Leftover]:
    for folder in sorted(Path("/sys/class/net").iterdir()):
        pid = owner(folder.name)
        if pid is not None:
            kind: Literal["bridge", "interface"] = (
                "bridge" if (folder / "bridge").exists() else "interface"
            )
            yield Leftover(kind, folder.name, pid)


def _processes() -> Iterator[Leftover]:
    """Shells by their command line; whatever else runs in a host by the host's interface."""
    here = Path("/proc/self/ns/net").readlink()
    for folder in Path("/proc").iterdir():
        if not folder.name.isdigit():
            continue
        with contextlib.suppress(OSError):
            shell = _SHELL.search((folder / "cmdline").read_bytes())
            name = shell[1].decode() if shell else _host(folder, here)
            pid = owner(name) if name else None
            if name and pid is not None:
                yield Leftover("process", name, pid, int(folder.name))


def _host(process: Path, here: Path) -> str | None:
    if (process / "ns/net").readlink() == here:
        return None
    for line in (process / "net/dev").read_text().splitlines():
        interface = line.partition(":")[0].strip()
        if owner(interface) is not None:
            return interface.partition("-")[0]
    return None
