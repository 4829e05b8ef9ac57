"""User-Mode Linux: a kernel that runs as a process, and has the shapers that this one may lack."""

from functools import cache
from pathlib import Path

DECIDES = (
    "User-Mode Linux: one CPU and slow context switches; slopes and equality are decided"
    " here, crossings are not"
)
"""What its figures are good for, as records say it."""


@cache
def inside() -> bool:
    """Whether this process runs on such a kernel. Its processor says so, also in a container."""
    try:
        return "User Mode Linux" in Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:
        return False
