"""The share of the cores that a control group leaves to its processes (``docker --cpus``, limits of
Kubernetes), and the time for which it has stopped all of them.

A quota is of a group and all below it (``cpu.max``; ``cpu.cfs_quota_us`` of version 1), so the
least on the way to the root holds.
"""

import contextlib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

_ROOT = Path("/")


def cores(root: Path = _ROOT) -> float | None:
    """As many cores as may be used over time, such as 0.5; None without a quota. Never raises."""
    found = [share for _, share in _groups(root)]
    return round(min(found), 3) if found else None


def throttled() -> int:
    """Nanoseconds for which groups with a quota were stopped so far, all cores added up; 0 without
    one. Never raises."""
    return sum(map(_stopped, _limited()))


@cache
def _limited() -> tuple[Path, ...]:
    """Asked in the midst of what is timed: looked for once."""
    return tuple(place for place, _ in _groups(_ROOT))


def _groups(root: Path) -> Iterator[tuple[Path, float]]:
    """Groups of this process that have a quota, from its own to the root, with their cores."""
    for mounted, path in _places(root):
        here = mounted / path.lstrip("/")
        # In a container the path may be the host's, and what is mounted the container's own group.
        here = here if here.is_dir() else mounted
        for place in (here, *here.parents):
            share = _share(place)
            if share is not None:
                yield place, share
            if place == mounted:
                break


def _places(root: Path) -> Iterator[tuple[Path, str]]:
    """Yield the mount points of hierarchies that know the processor, and the path of this process
    there."""
    folder = root / "sys/fs/cgroup"
    for line in _lines(root / "proc/self/cgroup"):
        _, controllers, path = [*line.split(":", 2), "", ""][:3]
        if not controllers:
            yield folder, path
            yield folder / "unified", path
        elif "cpu" in controllers.split(","):
            names = dict.fromkeys((controllers, "cpu"))
            yield next((folder / name for name in names if (folder / name).is_dir()), folder), path


def _share(place: Path) -> float | None:
    with contextlib.suppress(ValueError, IndexError, ZeroDivisionError):
        said = _lines(place / "cpu.max")
        if said:
            quota, period = said[0].split()
        else:
            quota = _lines(place / "cpu.cfs_quota_us")[0]
            period = _lines(place / "cpu.cfs_period_us")[0]
        return int(quota) / int(period) if quota != "max" and int(quota) > 0 else None
    return None


def _stopped(place: Path) -> int:
    for line in _lines(place / "cpu.stat"):
        name, _, value = line.partition(" ")
        with contextlib.suppress(ValueError):
            if name == "throttled_usec":
                return int(value) * 1000
            if name == "throttled_time":
                return int(value)
    return 0


def _lines(file: Path) -> list[str]:
    try:
        return file.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return []
