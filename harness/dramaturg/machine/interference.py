"""The part of the machine that others take while something is timed: steal and pressure.

Steal is time in which the host of a virtual machine ran something else on a core that had work
(``/proc/stat``, proc(5)). Pressure is for how long some task of the whole machine waited for a
core, for memory or for a disk (``/proc/pressure``, the kernel's PSI). The timed processes are part
of that whole: with more busy threads than cores they make pressure of their own.
"""

import contextlib
import os
from dataclasses import dataclass
from pathlib import Path

PROC = Path("/proc")

RESOURCES = ("cpu", "memory", "io")
"""The resources for which the kernel reports pressure."""

_STEAL = 8
"""The place of steal in the first line of ``/proc/stat``, where 0 is its name."""


@dataclass(frozen=True, slots=True)
class Interference:
    """Since the machine was started, or between two moments. In nanoseconds."""

    steal: int | None
    """The steal time of all cores together, in steps of a tick, 10 ms; None where the system does
    not say."""
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
    with contextlib.suppress(OSError, ValueError, IndexError):
        with (proc / "stat").open(encoding="ascii") as lines:
            fields = lines.readline().split()
        if fields[0] == "cpu":
            return int(fields[_STEAL]) * (1_000_000_000 // os.sysconf("SC_CLK_TCK"))
    return None


def _pressure(file: Path) -> int | None:
    """The total of the line ``some``, which is in microseconds."""
    with contextlib.suppress(OSError, ValueError):
        for line in file.read_text(encoding="ascii").splitlines():
            kind, *fields = line.split()
            said = dict(field.split("=", 1) for field in fields)
            if kind == "some" and "total" in said:
                return int(said["total"]) * 1000
    return None
