"""The part of the machine that others take while something is timed: steal, pressure, cores.

Steal is time in which the host of a virtual machine ran something else on a core that had work
(``/proc/stat``, proc(5)). Pressure is for how long some task of the whole machine waited for a
core, for memory or for a disk (``/proc/pressure``, the kernel's PSI). The timed processes are part
of that whole: with more busy threads than cores they make pressure of their own. The time for
which cores were at work tells them apart: without the CPU time of the timed processes it is what
others had.
"""

import contextlib
import os
from dataclasses import dataclass
from pathlib import Path

from dramaturg.machine import quota, usermode

PROC = Path("/proc")

RESOURCES = ("cpu", "memory", "io")
"""The resources for which the kernel reports pressure."""

_STEAL = 8
"""The place of steal in the first line of ``/proc/stat``, where 0 is its name."""

_BUSY = (1, 2, 3, 6, 7, _STEAL)
"""The places of the time in which cores ran programs, the kernel and interrupts, and of steal. The
time in which they were not idle is more: a core takes some to go to sleep and to wake up, a
twentieth where threads wait for each other all the time."""

TICK = 1_000_000_000 // os.sysconf("SC_CLK_TCK")
"""Nanoseconds of a step of all figures in ``/proc/stat``, of all cores together."""


@dataclass(frozen=True, slots=True)
class Interference:
    """Since the machine was started, or between two moments. In nanoseconds."""

    steal: int | None
    """The steal time of all cores together, in steps of a tick; None where the system does not
    say."""
    pressure: dict[str, int]
    """Nanoseconds by resource; without those of which the kernel does not tell it."""

    def since(self, before: "Interference") -> "Interference":
        """The interference between two readings."""
        known = self.steal is not None and before.steal is not None
        return Interference(
            (self.steal or 0) - (before.steal or 0) if known else None,
            {
                name: stalled - before.pressure[name]
                for name, stalled in self.pressure.items()
                if name in before.pressure
            },
        )


def look(proc: Path = PROC) -> Interference:
    """Return the interference so far. Never raises: a figure that cannot be read is not known."""
    found = ((name, _pressure(proc / "pressure" / name)) for name in RESOURCES)
    return Interference(
        stolen(proc), {name: stalled for name, stalled in found if stalled is not None}
    )


def stolen(proc: Path = PROC) -> int | None:
    """Steal so far, as :class:`Interference` has it. Never raises."""
    known = contextlib.suppress(OSError, ValueError, IndexError)
    with known, (proc / "stat").open(encoding="ascii") as lines:
        return _ticks(lines.readline())[_STEAL] * TICK
    return None


def taken() -> int:
    """Nanoseconds that the host of this machine, or a quota, took of its cores so far. Never
    raises."""
    return (stolen() or 0) + quota.throttled()


def busy(proc: Path = PROC) -> int | None:
    """Nanoseconds for which cores were at work so far, or a host or a quota had taken them, all
    cores together. None where the system does not say, where what it says is of a container, and in
    User-Mode Linux, which is charged for what its host does. Never raises."""
    if usermode.inside() or _is_elsewhere(proc):
        return None
    known = contextlib.suppress(OSError, ValueError, IndexError)
    with known, (proc / "stat").open(encoding="ascii") as lines:
        fields = _ticks(lines.readline())
        return sum(fields[place] for place in _BUSY) * TICK + quota.throttled()
    return None


def _is_elsewhere(proc: Path) -> bool:
    """True if the file is not the kernel's: LXC's file system lays one of a container over it."""
    with contextlib.suppress(OSError):
        return (proc / "stat").stat().st_dev != proc.stat().st_dev
    return False


def _ticks(line: str) -> list[int]:
    """The figures of all cores together; 0 in the place of their name."""
    name, *fields = line.split()
    if name != "cpu":
        raise ValueError(name)
    return [0, *map(int, fields)]


def _pressure(file: Path) -> int | None:
    """The total of the line ``some``, which is in microseconds."""
    with contextlib.suppress(OSError, ValueError):
        for line in file.read_text(encoding="ascii").splitlines():
            kind, *fields = line.split()
            said = dict(field.split("=", 1) for field in fields)
            if kind == "some" and "total" in said:
                return int(said["total"]) * 1000
    return None
