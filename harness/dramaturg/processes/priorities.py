"""Threads that the kernel prefers to the harness's own (spec/measurements.md, MEAS-63).

On a busy machine a thread of a higher priority has the cores for which others wait: the harness's,
and those of whom it is compared with. Whoever has the rights gives it to itself.
"""

import contextlib
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from dramaturg.processes import descent

REQUIREMENT = "MEAS-63"

_PROC = Path("/proc")

_NICE, _REAL_TIME, _POLICY = 16, 37, 38
"""Places in ``/proc/PID/stat`` behind the command (proc(5): fields 19, 40 and 41)."""

_CLASS = {5: 0, 0: 1, 3: 1, 1: 2, 2: 2, 6: 3}
"""Policies (sched(7)): whoever is of a higher class goes first. A thread is of the ordinary one if
nobody says so here."""

_NAMES = {0: "OTHER", 1: "FIFO", 2: "RR", 3: "BATCH", 5: "IDLE", 6: "DEADLINE"}


@dataclass(frozen=True, slots=True)
class _Priority:
    policy: int
    nice: int
    real_time: int

    @property
    def rank(self) -> tuple[int, int]:
        """The higher goes first."""
        of_class = _CLASS.get(self.policy, 1)
        return of_class, (0, -self.nice, self.real_time, 0)[of_class]

    def __str__(self) -> str:
        policy = _NAMES.get(self.policy, str(self.policy))
        level = f"priority {self.real_time}" if self.real_time else f"nice {self.nice}"
        return f"SCHED_{policy}, {level}"


def ahead(pids: Iterable[int]) -> list[str]:
    """Return, in words, the processes that have a thread of a higher priority than any of the
    harness's own. Never raises: a thread that has gone has none."""
    own = max((each for _, each in _threads(os.getpid())), key=lambda each: each.rank, default=None)
    if own is None:
        return []
    found = []
    for pid in sorted(pids):
        highest = max(_threads(pid), key=lambda each: each[1].rank, default=None)
        if highest is not None and highest[1].rank > own.rank:
            thread, priority = highest
            found.append(
                f"thread {thread} of process {pid} ({descent.command(pid)}) has the priority"
                f" {priority}, expected none above the harness's own, {own}: it goes ahead of all"
                f" that it is compared with ({REQUIREMENT})"
            )
    return found


def _threads(pid: int) -> Iterator[tuple[int, _Priority]]:
    """The live threads of a process."""
    tasks: list[Path] = []
    with contextlib.suppress(OSError):
        tasks = list((_PROC / str(pid) / "task").iterdir())
    for task in tasks:
        with contextlib.suppress(OSError, ValueError, IndexError):
            fields = (task / "stat").read_text(errors="replace").rpartition(")")[2].split()
            nice, real_time, policy = (int(fields[at]) for at in (_NICE, _REAL_TIME, _POLICY))
            yield int(task.name), _Priority(policy, nice, real_time)
