"""User-Mode Linux: a kernel that runs as a process, and has the shapers that this one may lack.

Debian's package has the kernel and its modules; kmod loads them inside.
"""

import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from functools import cache
from pathlib import Path

PROGRAM = "linux.uml"

MODULES = Path("/usr/lib/uml/modules")
"""A folder for each release, as Debian's package has them."""

PACKAGES = ("user-mode-linux", "kmod")
"""The packages of Debian that provide it."""

OTHERWISE = "install User-Mode Linux (linux.uml, with its modules) and kmod by hand"
"""The advice to a person whose system is not Debian."""

WANTED = ("overlay", "sch_netem", "sch_htb", "veth", "bridge")
"""Modules: of what is written inside, and of an emulated network."""

ASKED = "uml"
"""The word that `--kernel` takes, and that the header of records has for a run inside."""

HEADER = "inside"
"""The key of that word in the header; a run of `bench` that is resumed goes on there."""

DECIDES = (
    "User-Mode Linux: one CPU and slow context switches; slopes and equality are decided"
    " here, crossings are not"
)
"""The use of its figures, in the words of records."""

KNOWS_AMX = (6, 13)
"""The first release that saves as many registers as the processor has. One before it ends at once
where there are those of AMX: `ptrace set fp regs failed`."""

_ANSWER = 10.0
"""Seconds in which a program says its version; it takes a hundredth of one."""


@dataclass(frozen=True, slots=True)
class Kernel:
    """One that can be started here."""

    program: str
    release: str
    modules: Path


@cache
def inside() -> bool:
    """True if this process runs on such a kernel. Its processor says so, also in a container."""
    try:
        return "User Mode Linux" in Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:
        return False


_NEEDED = ("modprobe", "mount", "umount", "pivot_root", "ip")
"""The programs that the guest's first script calls and a small machine may lack."""


@cache
def find() -> tuple[Kernel | None, str]:
    """The kernel, or why there is none, with what to do. Starts it only to ask its version."""
    get = "`dramaturg doctor --install --kernel uml`"
    if inside():
        return None, "this is User-Mode Linux already"
    program = shutil.which(PROGRAM)
    if program is None:
        return None, f"{PROGRAM} is not here ({get})"
    lacking = [tool for tool in _NEEDED if _tool(tool) is None]
    if lacking:
        return None, f"{', '.join(lacking)} not here ({get})"
    release = _release(program)
    if not release:
        return None, f"{program} does not say its version; install it again: {get}"
    if _release_number(release) < KNOWS_AMX and "amx_tile" in _processor():
        knows = ".".join(map(str, KNOWS_AMX))
        return None, (
            f"{program} is Linux {release}, which runs no program on a processor with AMX, as this"
            f" one is; install User-Mode Linux {knows} or later"
        )
    modules = MODULES / release
    there = {file.name for file in modules.rglob("*.ko")}
    without = [name for name in WANTED if f"{name}.ko" not in there]
    if without:
        return None, f"{modules} lacks {', '.join(without)}; install it again: {get}"
    return Kernel(program, release, modules), ""


def _processor() -> list[str]:
    """Return what the processor says of itself, word by word."""
    try:
        return Path("/proc/cpuinfo").read_text(encoding="utf-8").split()
    except OSError:
        return []


def _release_number(release: str) -> tuple[int, ...]:
    """``6.1.176`` as (6, 1)."""
    return tuple(int(number) for number in re.findall(r"\d+", release)[:2])


def _tool(name: str) -> str | None:
    """Return its path; users' paths lack the folders of root."""
    return shutil.which(name, path=os.pathsep.join((os.environ.get("PATH", ""), "/usr/sbin:/sbin")))


def _release(program: str) -> str:
    try:
        done = subprocess.run(
            [program, "--version"],
            capture_output=True,
            text=True,
            errors="replace",
            stdin=subprocess.DEVNULL,
            timeout=_ANSWER,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    said = done.stdout.strip()
    return said if done.returncode == 0 and said[:1].isdigit() and "/" not in said else ""
