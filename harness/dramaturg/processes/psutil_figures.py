"""The figures of /proc where there is none: by psutil, which knows less.

A process that left its parent and emptied its environment is not found, and CPU time is counted in
the ticks of the system.
"""

from collections.abc import Iterator

import psutil


def marked(name: str) -> Iterator[tuple[int, bytes]]:
    """All processes whose environment has this variable, with its value."""
    for process in psutil.process_iter():
        try:
            value = process.environ().get(name)
        except (psutil.Error, OSError):
            continue  # It has gone, or is somebody else's.
        if value is not None:
            yield process.pid, value.encode()


def cpu_seconds(pid: int) -> float:
    """User and system time of a live process; 0 if it has gone."""
    try:
        times = psutil.Process(pid).cpu_times()
    except (psutil.Error, OSError):
        return 0.0
    return float(times.user + times.system)


def memory(pid: int) -> int:
    """Bytes that it holds; 0 if it has gone."""
    try:
        return int(psutil.Process(pid).memory_info().rss)
    except (psutil.Error, OSError):
        return 0
