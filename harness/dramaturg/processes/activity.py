"""Says what a process does for which one waits, in words: busy or idle, by the kernel's account.

Nobody looks while it is timed: only who was late is asked, and then for a moment.
"""

import contextlib
import time
from collections import Counter
from pathlib import Path

from dramaturg.processes import consumption
from dramaturg.processes.consumption import Consumption

MOMENT = 0.2
"""Seconds in which it is looked at."""

BUSY, IDLE = 0.5, 0.05
"""The shares of one core in that moment from which on it is busy, and below which it is idle: an
idle runtime looks for work now and then."""

_STATES = {
    "R": "runs or is ready",
    "S": "sleeps",
    "D": "waits for a device",
    "T": "is stopped",
    "t": "is traced",
    "Z": "is dead",
}
"""The states of a thread, by the letter that the kernel has for each (proc(5))."""


def doing(counted: Consumption, seconds: float = MOMENT) -> str:
    """``is busy (0.20 s of CPU time in 0.20 s; 7 threads: sleeps, 1 thread: runs or is ready)``.
    Words that follow on the name of the process. Never raises: a process that has just gone is
    idle."""
    begun, before = time.monotonic(), counted.look().cpu_seconds
    time.sleep(seconds)
    states = Counter(_states(counted))
    used, passed = counted.look().cpu_seconds - before, time.monotonic() - begun
    said = f"{max(0.0, used):.2f} s of CPU time in {passed:.2f} s{_of(states)}"
    return f"{_called(used / passed)} ({said})"


def waits_for_device(counted: Consumption) -> bool:
    """True if one of its threads waits for a device, as one that swaps does. Never raises."""
    return "D" in _states(counted)


def _called(share: float) -> str:
    if share >= BUSY:
        return "is busy"
    return "is idle" if share < IDLE else "does a little"


def _of(states: Counter[str]) -> str:
    if not states:
        return ""
    listed = [
        f"{number} thread{'' if number == 1 else 's'}: {_STATES.get(state, f'state {state}')}"
        for state, number in states.most_common()
    ]
    return f"; {', '.join(listed)}"


def _states(counted: Consumption) -> list[str]:
    found = []
    for pid in counted.pids():
        with contextlib.suppress(OSError, ValueError, IndexError):
            for thread in (consumption.PROC / str(pid) / "task").iterdir():
                found.append(_state(thread / "stat"))
    return found


def _state(file: Path) -> str:
    # The name of a program, in brackets, may have spaces in it.
    return file.read_text().rpartition(")")[2].split()[0]
