"""Finds the descendants of a process that was started, by parentage alone (spec/measurements.md,
MEAS-40).

Whoever loses its parent is given to the nearest *subreaper* above (prctl(2)), which the harness
is: so a daemon stays a descendant, in whatever session, control group and environment. It is told
from the harness's own children by its session, which nobody can enter from outside, and by what
all that is started here inherits and cannot undo: that they get no new privileges.
"""

import contextlib
import ctypes
import os
import sys
import threading
from collections.abc import Iterable, Iterator
from pathlib import Path

PROC = Path("/proc")

_PR_SET_CHILD_SUBREAPER = 36

births = threading.RLock()
"""Held from before a process is started until its family is known. A family that looked in between
would take it for a process that one of its own has started."""

_families: "dict[int, Descent]" = {}
"""The families of processes that were started and have not been ended, by the process that was
started."""


def adopt() -> bool:
    """From now on a process that loses its parent becomes a child of this process, if this returns
    True."""
    if sys.platform != "linux":
        return False
    try:
        prctl = ctypes.CDLL(None, use_errno=True).prctl
    except (OSError, AttributeError):
        return False
    return bool(prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0)


class Descent:
    """A process and whoever descends from it."""

    def __init__(self, pid: int, mark: bytes = b"") -> None:
        self._pid = pid
        self._mark = mark
        self._since = _started(pid)
        self._known: dict[int, int] = {}
        """Those that were ever seen, with when each was started, by the kernel's clock."""
        self.ended_cpu = 0.0
        """Seconds of CPU time of those that ended as children of the harness."""
        _families[pid] = self

    def close(self) -> None:
        """All have ended."""
        _families.pop(self._pid, None)

    def live(self) -> set[int]:
        """The live ones among them. Those that have ended as children of the harness are let
        go."""
        found: set[int] = set()
        self._reap()
        ahead = [self._pid, *(pid for pid in _orphans() if self._is_of_it(pid))]
        while ahead:
            pid = ahead.pop()
            if pid in found or not _is_alive(pid):
                continue
            found.add(pid)
            ahead += children(pid)
        for pid in found:
            self._known.setdefault(pid, _started(pid))
        return found

    def _is_of_it(self, pid: int) -> bool:
        """True if a process is of this family. Each family takes a process of which nobody knows
        anything and that is as old: one of them has started it. An older one was left by others,
        and its consumption is theirs."""
        if _started(pid) < self._since:
            return False
        owner = next((each for each in _families.values() if each.knows(pid)), None)
        return owner is None or owner is self

    def knows(self, pid: int) -> bool:
        """True if it is of this family by what was seen of it, its session or its environment."""
        if pid in self._known and self._known[pid] == _started(pid):
            return True
        with contextlib.suppress(OSError):
            if (session := os.getsid(pid)) == self._pid or session in self._known:
                return True
        return bool(self._mark) and mark_of(pid) == self._mark

    def _reap(self) -> None:
        for pid in _orphans():
            if self._is_of_it(pid):
                with contextlib.suppress(OSError):
                    ended, _, used = os.wait4(pid, os.WNOHANG)
                    self.ended_cpu += used.ru_utime + used.ru_stime if ended else 0.0


MARK = "DRAMATURG_PROCESS"
"""A variable that all who descend from a process inherit, unless they clear their environment."""


def mark_of(pid: int) -> bytes:
    """The value of that variable; empty if it has none, or has gone."""
    start = f"{MARK}=".encode()
    with contextlib.suppress(OSError):
        for entry in (PROC / str(pid) / "environ").read_bytes().split(b"\0"):
            if entry.startswith(start):
                return entry[len(start) :]
    return b""


def children(pid: int) -> list[int]:
    """Return the children that live or wait to be let go; none if the process has gone."""
    found: list[int] = []
    with contextlib.suppress(OSError):
        for task in (PROC / str(pid) / "task").iterdir():
            with contextlib.suppress(OSError):
                found += map(int, (task / "children").read_text().split())
    return found


def _orphans() -> Iterator[int]:
    """Children of this process that others have started. If the harness itself gets no new
    privileges, those that a family knows."""
    own, told = os.getsid(0), not _is_bound(os.getpid())
    with births:
        listed = children(os.getpid())
    for pid in listed:
        if pid in _families:
            continue
        with contextlib.suppress(OSError):
            if os.getsid(pid) != own and (
                _is_bound(pid) if told else any(each.knows(pid) for each in _families.values())
            ):
                yield pid


def _is_bound(pid: int) -> bool:
    """True if it gets no new privileges, nor its descendants."""
    with contextlib.suppress(OSError):
        lines = (PROC / str(pid) / "status").read_text().splitlines()
        return "NoNewPrivs:\t1" in lines
    return False


def _is_alive(pid: int) -> bool:
    return _stat(pid)[:1] not in ([], ["Z"], ["X"])


def _started(pid: int) -> int:
    fields = _stat(pid)
    return int(fields[19]) if len(fields) > 19 else 0


def _stat(pid: int) -> list[str]:
    """The fields of /proc about a process, behind its name; none if it has gone."""
    with contextlib.suppress(OSError):
        return (PROC / str(pid) / "stat").read_text().rpartition(")")[2].split()
    return []


def stopped(pids: Iterable[int]) -> int:
    """One of these processes that a signal has stopped; 0 if none is."""
    for pid in pids:
        if _stat(pid)[:1] == ["T"]:
            return pid
    return 0


def command(pid: int) -> str:
    """Return the command that it was started with, or else its name."""
    with contextlib.suppress(OSError):
        words = (PROC / str(pid) / "cmdline").read_bytes().replace(b"\0", b" ").strip()
        return (
            words.decode("utf-8", "replace")[:120] or (PROC / str(pid) / "comm").read_text().strip()
        )
    return "gone"
