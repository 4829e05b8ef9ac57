"""What an implementation consumes: CPU time and memory of a process and all its descendants.

A cgroup (version 2) of its own counts whoever was ever in it, with or without controllers.
Where none can be made /proc is read, of those who live, with what they have of children that
have ended; who left its parent is found by a variable that it inherits. Which of the two it
was, and why not the first, is part of every result.
"""

import contextlib
import itertools
import os
import subprocess
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import psutil

from dramaturg.processes import elsewhere

LATE = 0.02
"""Seconds by which the kernel's account of a process may be late: two ticks of 10 ms. Where
/proc is read, each of those who live may hide as much in its ended children."""

PROC = Path("/proc")
"""Linux has it. Where there is none, psutil says less (elsewhere.py)."""

MARK = "DRAMATURG_PROCESS"
"""A variable that all who descend from a process inherit: a daemon leaves its parent, its
group and its session, but keeps its environment."""

_WITHIN = 5
"""Seconds in which a process that only enters a cgroup has ended."""

_ENTER = 'echo 0 > "$0" && exec "$@"'
"""Enters the cgroup whose list of processes is the first argument, and becomes the rest."""

_numbers = itertools.count()


@dataclass(frozen=True, slots=True)
class Used:
    """What was consumed up to one moment."""

    cpu_seconds: float
    """User and system time since the start."""
    peak_memory: int
    """Bytes: the highest so far."""
    held_memory: int
    """Bytes now, of what is neither a file's nor given back."""
    late: float
    """Seconds of CPU time that may be missing."""
    threads: int = 0
    """Those that live now, of all processes; 0 where nobody says."""


NOTHING = Used(0.0, 0, 0, 0.0)


@dataclass(frozen=True, slots=True)
class Moment:
    """What one look at who lives shows beside memory. In nanoseconds."""

    waits: dict[int, int]
    """For how long each live thread has waited for a core so far, by its number."""
    cpu: int
    """CPU time of all processes, as ``Used`` has it."""


class Consumption:
    """Counts one process and its descendants. Made before the process is started, with what has
    to stand before its command; ``watch`` says which process it is."""

    def __init__(self, mark: bytes) -> None:
        self._mark = mark
        self._pid = 0
        folder, self.why_no_cgroup = _available()
        self._cgroup = folder and _made(folder)

    @property
    def source(self) -> str:
        """Where the figures are from, in words."""
        if self._cgroup is not None:
            return "cgroup v2"
        where = "/proc" if PROC.exists() else "psutil"
        return f"{where}, of live processes ({self.why_no_cgroup})"

    @property
    def prefix(self) -> Sequence[str]:
        """What stands before the command."""
        return () if self._cgroup is None else _entering(self._cgroup)

    def watch(self, pid: int) -> None:
        """This is the process."""
        self._pid = pid

    def look(self) -> Used:
        """What was consumed so far. Who has just gone has consumed nothing: never raises."""
        pids = self.pids()
        if not PROC.exists():
            held = sum(map(elsewhere.memory, pids))
            return Used(sum(map(elsewhere.cpu_seconds, pids)), held, held, LATE * max(1, len(pids)))
        peak = sum(_status(pid, "VmHWM") for pid in pids)
        held = sum(_status(pid, "RssAnon") + _status(pid, "RssShmem") for pid in pids)
        threads = sum(len(_threads(pid)) for pid in pids)
        if self._cgroup is not None:
            with contextlib.suppress(OSError, ValueError, KeyError):
                cpu = _cpu_of(self._cgroup)
                with contextlib.suppress(OSError, ValueError):
                    peak = int((self._cgroup / "memory.peak").read_text())
                return Used(cpu, peak, held, LATE, threads)
        return Used(_cpu_of_live(pids), peak, held, LATE * max(1, len(pids)), threads)

    def pids(self) -> set[int]:
        """Who lives of them, also who left its parent, its group and its session: by the cgroup,
        or else by what they inherit."""
        if self._cgroup is not None:
            with contextlib.suppress(OSError, ValueError):
                return set(map(int, (self._cgroup / "cgroup.procs").read_text().split()))
        return set(self._marked())

    def moment(self) -> Moment:
        """Waits and CPU time so far: never raises, as ``look``."""
        pids = self.pids()
        waits = {thread: waited for pid in pids for thread, waited in waits_of(pid).items()}
        return Moment(waits, round(self._cpu(pids) * 1e9))

    def _cpu(self, pids: Iterable[int]) -> float:
        """Seconds."""
        if not PROC.exists():
            return sum(map(elsewhere.cpu_seconds, pids))
        if self._cgroup is not None:
            with contextlib.suppress(OSError, ValueError, KeyError):
                return _cpu_of(self._cgroup)
        return _cpu_of_live(pids)

    def everybody(self) -> set[int]:
        """All that can be found by either."""
        return self.pids() | set(self._marked())

    def _marked(self) -> Iterator[int]:
        # The leader has its mark only when it has been executed.
        if self._pid and lives(str(self._pid)):
            yield self._pid
        yield from (pid for pid, mark in marked() if mark == self._mark)

    def kill(self) -> None:
        """End all who are in the cgroup, if there is one, however they hide."""
        if self._cgroup is not None:
            with contextlib.suppress(OSError):
                (self._cgroup / "cgroup.kill").write_text("1")

    def close(self) -> None:
        """All have ended: remove what was made."""
        if self._cgroup is not None:
            _removed(self._cgroup)


def marked() -> Iterator[tuple[int, bytes]]:
    """All processes that carry a mark, with its value."""
    if not PROC.exists():
        yield from elsewhere.marked(MARK)
        return
    start = f"{MARK}=".encode()
    for folder in PROC.iterdir():
        if folder.name.isdigit():
            with contextlib.suppress(OSError):
                for entry in (folder / "environ").read_bytes().split(b"\0"):
                    if entry.startswith(start):
                        yield int(folder.name), entry[len(start) :]


def own_wait() -> int:
    """How many nanoseconds this thread has waited for a core so far."""
    return _waited(PROC / "thread-self" / "schedstat")


def waits_of(pid: int) -> dict[int, int]:
    """For how many nanoseconds each live thread of a process has waited for a core so far."""
    return {int(task.name): _waited(task / "schedstat") for task in _threads(pid)}


def _threads(pid: int) -> list[Path]:
    """A folder for each that lives; none if the process has gone."""
    with contextlib.suppress(OSError):
        return list((PROC / str(pid) / "task").iterdir())
    return []


def _waited(schedstat: Path) -> int:
    """0 where the thread has gone, or the kernel does not count this (CONFIG_SCHED_INFO)."""
    with contextlib.suppress(OSError, ValueError, IndexError):
        return int(schedstat.read_text().split()[1])
    return 0


def parent_cgroup() -> Path | None:
    """The cgroup in which those of processes are made, by the names of :func:`names_begin`."""
    return _available()[0]


def names_begin(pid: int) -> str:
    """How the names of all cgroups begin that process ``pid`` has made."""
    return f"dramaturg-{pid}-"


def why_no_cgroup() -> str:
    """Why CPU time is read from /proc here; empty if it is not."""
    return _available()[1]


@cache
def _available() -> tuple[Path | None, str]:
    """The cgroup in which others can be made, or why there is none."""
    folder, why = _own()
    if folder is None:
        return None, why
    _sweep(folder)
    try:
        trial = _made(folder)
    except OSError as error:
        return None, f"no cgroup can be made in {folder}: {error.strerror}"
    try:
        entered = subprocess.run(
            [*_entering(trial), "cat", "/proc/self/cgroup"],
            capture_output=True, text=True, timeout=_WITHIN, check=False,
        )  # fmt: skip
        if trial.name not in entered.stdout:
            return None, f"the cgroup {trial} cannot be entered: {entered.stderr.strip()}"
        _cpu_of(trial)
    except (OSError, ValueError, KeyError, subprocess.SubprocessError) as error:
        return None, f"the cgroup {trial} does not count: {error}"
    finally:
        _removed(trial)
    return folder, ""


def lives(pid: str) -> bool:
    """Whether there is a process of this number."""
    return (PROC / pid).exists() if PROC.exists() else psutil.pid_exists(int(pid))


def _own(
    mounts: Path = PROC / "self" / "mounts", membership: Path = PROC / "self" / "cgroup"
) -> tuple[Path | None, str]:
    """The cgroup that this process is in, or why it is in none."""
    try:
        mounted = [line.split() for line in mounts.read_text().splitlines()]
        lines = membership.read_text().splitlines()
    except OSError as error:
        return None, f"{error.filename}: {error.strerror}"
    for _, where, kind, *_ in mounted:
        if kind == "cgroup2":
            inside = next((line[3:] for line in lines if line.startswith("0::")), None)
            return (None, "no cgroup v2") if inside is None else (Path(where + inside), "")
    return None, "no cgroup v2 is mounted"


def _made(parent: Path) -> Path:
    """A new one. Raises OSError."""
    folder = parent / f"{names_begin(os.getpid())}{next(_numbers)}"
    folder.mkdir()
    return folder


def _entering(cgroup: Path) -> Sequence[str]:
    return "sh", "-c", _ENTER, str(cgroup / "cgroup.procs")


def _sweep(parent: Path) -> None:
    """Remove what harnesses that were killed have left."""
    for folder in parent.glob("dramaturg-*-*"):
        pid = folder.name.split("-")[1]
        if pid.isdigit() and not lives(pid):
            with contextlib.suppress(OSError):
                folder.rmdir()


def _removed(cgroup: Path) -> None:
    """Who was killed is in its cgroup for a moment longer."""
    deadline = time.monotonic() + 1.0
    while cgroup.exists() and time.monotonic() < deadline:
        with contextlib.suppress(OSError):
            cgroup.rmdir()
            return
        time.sleep(0.005)


def _cpu_of(cgroup: Path) -> float:
    counted = dict(line.split() for line in (cgroup / "cpu.stat").read_text().splitlines())
    return int(counted["usage_usec"]) / 1e6


def _status(pid: int, name: str) -> int:
    """Bytes, by a line of the process's status; 0 if it has gone."""
    with contextlib.suppress(OSError):
        return _bytes((PROC / str(pid) / "status").read_text().splitlines(), name)
    return 0


def _bytes(lines: Iterable[str], name: str) -> int:
    said = next((line for line in lines if line.startswith(f"{name}:")), None)
    return int(said.split()[1]) * 1024 if said else 0


def _cpu_of_live(pids: Iterable[int]) -> float:
    """Of these, and of their children that have ended."""
    return sum(_own_seconds(pid) + _children_seconds(pid) for pid in pids)


def _own_seconds(pid: int) -> float:
    """Of a live process, to the nanosecond, where /proc has ticks: ``clock_getcpuclockid(3)``,
    which Python does not offer."""
    with contextlib.suppress(OSError):
        return time.clock_gettime((~pid << 3) | 2)
    return 0.0


def _children_seconds(pid: int) -> float:
    """Of its children that have ended and been waited for, and of theirs."""
    with contextlib.suppress(OSError, ValueError, IndexError):
        fields = (PROC / str(pid) / "stat").read_text().rpartition(")")[2].split()
        return (int(fields[13]) + int(fields[14])) / os.sysconf("SC_CLK_TCK")
    return 0.0
