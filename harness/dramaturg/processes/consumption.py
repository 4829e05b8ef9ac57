"""The consumption of an implementation: CPU time and memory of a process and all its descendants.

A cgroup (version 2) of its own counts every process that was ever in it, with or without
controllers. If none can be made, /proc is read of live processes, with their account of children
that have ended; a process that left its parent is found by a variable that it inherits. Every
result says which of the two it was, and why not the first.
"""

import contextlib
import itertools
import os
import subprocess
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import psutil

from dramaturg.processes import descent, priorities, psutil_figures
from dramaturg.processes.cores import Cores
from dramaturg.processes.descent import Descent

LATE = 0.02
"""Seconds by which the kernel's account of a process may be late: two ticks of 10 ms. If /proc is
read, each live process may hide as much in its ended children."""

PROC = Path("/proc")
"""Linux has it. Without it, psutil says less (psutil_figures.py)."""

MARK = descent.MARK
"""A daemon leaves its parent, its group and its session, but keeps its environment."""

ENTERING = 0.1
"""Seconds of CPU time that a process has consumed before it entered its cgroup, at most."""

_OFF = 0.01
"""The share by which two accounts of the kernel may differ."""

_WITHIN = 5
"""Seconds in which a process that only enters a cgroup has ended."""

_ENTER = 'echo 0 > "$0" && exec "$@"'
"""Enters the cgroup whose list of processes is the first argument, and becomes the rest."""

_numbers = itertools.count()


@dataclass(frozen=True, slots=True)
class Used:
    """The consumption up to one moment."""

    cpu_seconds: float
    """User and system time since the start."""
    peak_memory: int
    """Bytes: the highest so far."""
    held_memory: int
    """Bytes now, of what is neither a file's nor given back."""
    late: float
    """Seconds of CPU time that may be missing."""
    threads: int = 0
    """Number of threads that live now, of all processes; 0 if nobody says."""


NOTHING = Used(0.0, 0, 0, 0.0)


@dataclass(frozen=True, slots=True)
class Moment:
    """The figures beside memory that one look at the live processes shows. In nanoseconds."""

    waits: dict[int, int]
    """Nanoseconds for which each live thread has waited for a core so far, by its number."""
    cpu: int
    """CPU time of all processes, as ``Used`` has it."""
    cores: tuple[Cores, ...] = ()
    """Those of its machine, where that is another one than the harness's own."""


class Consumption:
    """Counts one process and its descendants. Made before the process is started, with what has
    to stand before its command; ``watch`` says which process it is."""

    def __init__(self, mark: bytes) -> None:
        self._mark = mark
        self._pid = 0
        self._descent: Descent | None = None
        folder, self.why_no_cgroup = _available()
        self._cgroup = folder and _made(folder)

    @property
    def source(self) -> str:
        """The source of the figures, in words."""
        if self._cgroup is not None:
            return "cgroup v2"
        where = "/proc" if PROC.exists() else "psutil"
        return f"{where}, of live processes ({self.why_no_cgroup})"

    @property
    def prefix(self) -> Sequence[str]:
        """The prefix of the command."""
        return () if self._cgroup is None else _entering(self._cgroup)

    def watch(self, pid: int) -> None:
        """This is the process."""
        self._pid = pid
        if PROC.exists():
            self._descent = Descent(pid, self._mark)

    def look(self) -> Used:
        """The consumption so far. A process that has just gone has consumed nothing: never
        raises."""
        pids = self.pids()
        if not PROC.exists():
            held = sum(map(psutil_figures.memory, pids))
            seconds = sum(map(psutil_figures.cpu_seconds, pids))
            return Used(seconds, held, held, LATE * max(1, len(pids)))
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
        """The live processes, also one that left its parent, its group and its session: found by
        the cgroup and those that it has made below, or else by descent and by what they
        inherit."""
        if self._cgroup is not None:
            with contextlib.suppress(OSError, ValueError):
                return _within(self._cgroup)
        return set(self._marked()) | self._descendants()

    def strays(self) -> list[str]:
        """The descendants of the process that the harness does not count, in words: those outside
        of its cgroup (MEAS-40), and CPU time that the cgroup has not (MEAS-41); or else those with
        a higher priority than its own (MEAS-63). Never raises. Without a cgroup, none can leave
        it."""
        return self._uncounted() or priorities.ahead(self.pids())

    def _uncounted(self) -> list[str]:
        if self._cgroup is None or self._descent is None:
            return []
        found = [
            f"process {pid} ({descent.command(pid)}) descends from what was started, and is in the"
            f" control group {where or '/'}, expected {self._cgroup.name} or one below: its CPU"
            " time is counted nowhere (MEAS-40)"
            for pid in sorted(self._descent.live())
            if (where := _where(pid)) is not None and self._cgroup.name not in where.split("/")
        ]
        with contextlib.suppress(OSError):
            kind = (self._cgroup / "cgroup.type").read_text().strip()
            if not kind.startswith("domain") or kind.endswith("invalid"):
                found.append(
                    f"the control group {self._cgroup.name} was made {kind}, expected domain: its"
                    " threads can be anywhere (MEAS-40)"
                )
        return found or self._computed_elsewhere(self._descent)

    def _computed_elsewhere(self, of: Descent) -> list[str]:
        assert self._cgroup is not None
        own = _cpu_of_live(of.live()) + of.ended_cpu
        with contextlib.suppress(OSError, ValueError, KeyError):
            counted = _cpu_of(self._cgroup)
            if own > counted * (1 + _OFF) + LATE + ENTERING:
                return [
                    f"by the kernel what was started and descends from it has consumed {own:.3f} s"
                    f" of CPU time, and {counted:.3f} s are counted by its control group, expected"
                    " as much: it computes outside of it (MEAS-41)"
                ]
        return []

    def _descendants(self) -> set[int]:
        return self._descent.live() if self._descent is not None else set()

    def moment(self) -> Moment:
        """Waits and CPU time so far: never raises, as ``look``."""
        pids = self.pids()
        waits = {thread: waited for pid in pids for thread, waited in waits_of(pid).items()}
        return Moment(waits, round(self._cpu(pids) * 1e9))

    def cpu(self) -> int:
        """Nanoseconds of CPU time so far: never raises, and takes less than ``moment``."""
        return round(self._cpu(self.pids()) * 1e9)

    def asked_moment(self) -> Callable[[], Moment]:
        """Return what gives the moment. On another host the question is on its way by then, so that
        many hosts may be asked at the same time."""
        return self.moment

    def asked_cpu(self) -> Callable[[], int]:
        """As ``asked_moment``."""
        return self.cpu

    def _cpu(self, pids: Iterable[int]) -> float:
        """Seconds."""
        if not PROC.exists():
            return sum(map(psutil_figures.cpu_seconds, pids))
        if self._cgroup is not None:
            with contextlib.suppress(OSError, ValueError, KeyError):
                return _cpu_of(self._cgroup)
        return _cpu_of_live(pids)

    def everybody(self) -> set[int]:
        """All that can be found by either."""
        return self.pids() | set(self._marked()) | self._descendants()

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
        if self._descent is not None:
            self._descent.close()
        if self._cgroup is not None:
            _removed(self._cgroup)


def broken(stray: str) -> str:
    """The requirement that such a process breaks."""
    ahead = stray.endswith(f"({priorities.REQUIREMENT})")
    return priorities.REQUIREMENT if ahead else "MEAS-40"


def is_of(pid: int, users: Collection[int]) -> bool:
    """True if a process acts by the rights of one of these users, or may do so again."""
    if not PROC.exists():
        return True
    with contextlib.suppress(OSError, ValueError):
        for line in (PROC / str(pid) / "status").read_text(errors="replace").splitlines():
            if line.startswith("Uid:"):
                return not set(map(int, line.split()[1:])).isdisjoint(users)
    return False


def marked(users: Collection[int] | None = None) -> Iterator[tuple[int, bytes]]:
    """All processes that carry a mark, with its value; if ``users`` are given, of theirs alone:
    whoever reads what is in the memory of somebody else's may have to wait for it."""
    if not PROC.exists():
        yield from psutil_figures.marked(MARK)
        return
    for folder in PROC.iterdir():
        if not folder.name.isdigit() or (users and not is_of(int(folder.name), users)):
            continue
        if mark := descent.mark_of(int(folder.name)):
            yield int(folder.name), mark


def _within(cgroup: Path) -> set[int]:
    """The processes in a cgroup, or in one below. Raises OSError and ValueError."""
    found = set(map(int, (cgroup / "cgroup.procs").read_text().split()))
    for below in cgroup.iterdir():
        if below.is_dir():
            # A threaded cgroup has no list of its own: its processes are above.
            with contextlib.suppress(OSError):
                found |= _within(below)
    return found


def _where(pid: int) -> str | None:
    """The cgroup (version 2) of a process; None if it has gone."""
    with contextlib.suppress(OSError):
        for line in (PROC / str(pid) / "cgroup").read_text().splitlines():
            if line.startswith("0::"):
                return line[3:]
    return None


def waits_of(pid: int) -> dict[int, int]:
    """Return the nanoseconds for which each live thread of a process has waited for a core so
    far."""
    return {int(task.name): _waited(task / "schedstat") for task in _threads(pid)}


def own_wait() -> int:
    """Return the nanoseconds for which the thread that calls this has waited for a core so far."""
    return _waited(PROC / "thread-self" / "schedstat")


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
    """Return the beginning of the names of all cgroups that process ``pid`` has made."""
    return f"dramaturg-{pid}-"


def why_no_cgroup() -> str:
    """Return the reason why CPU time is read from /proc here; empty if it is not."""
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
    """True if there is a process of this number."""
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
                _rmdir(folder)


def _removed(cgroup: Path) -> None:
    """Removes a cgroup. A killed process is in it for a moment longer."""
    deadline = time.monotonic() + 1.0
    while cgroup.exists() and time.monotonic() < deadline:
        with contextlib.suppress(OSError):
            _rmdir(cgroup)
            return
        time.sleep(0.005)


def _rmdir(cgroup: Path) -> None:
    """Remove it, with those that were made below. Raises OSError."""
    for below in cgroup.iterdir():
        if below.is_dir():
            _rmdir(below)
    cgroup.rmdir()


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
    """The CPU time of these processes, and of their children that have ended."""
    return sum(_own_seconds(pid) + _children_seconds(pid) for pid in pids)


def _own_seconds(pid: int) -> float:
    """The CPU seconds of a live process, to the nanosecond, where /proc has ticks:
    ``clock_getcpuclockid(3)``, which Python does not offer."""
    with contextlib.suppress(OSError):
        return time.clock_gettime((~pid << 3) | 2)
    return 0.0


def _children_seconds(pid: int) -> float:
    """The CPU seconds of its children that have ended and been waited for, and of theirs."""
    with contextlib.suppress(OSError, ValueError, IndexError):
        fields = (PROC / str(pid) / "stat").read_text().rpartition(")")[2].split()
        return (int(fields[13]) + int(fields[14])) / os.sysconf("SC_CLK_TCK")
    return 0.0
