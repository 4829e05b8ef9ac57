"""The machine and what ran on it: what a number (MEAS-15) or a certificate (LEVEL-15) means
nothing without."""

import hashlib
import json
import os
import platform
import shutil
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any

import psutil

from dramaturg import files, paths, results
from dramaturg.compiled import loading
from dramaturg.machine import capabilities, quota, usermode

_PACKAGE = Path(__file__).resolve().parents[1]
_PROC = Path("/proc")
_TOOLS = {"git": ["git", "--version"], "cc": ["cc", "--version"]}
_PACKAGES = ("dramaturg", "grpcio", "protobuf", "hypothesis", "numpy", "scipy")

NAMED_BY = "DRAMATURG_MACHINE"
"""The variable by which a machine is given a name that outlasts its containers."""

READERS = (
    "certificates", "claims", "cli", "cluster", "history", "mutation", "report", "site", "table",
    "template", "terminal",
)  # fmt: skip
"""Layers that only read what was recorded, or plan it: no figure depends on them."""


def capture() -> dict[str, Any]:
    """The facts about the machine that are known without starting any implementation. The harness
    that measures is not among them: ``machine.source``."""
    memory = psutil.virtual_memory()
    return {
        "captured": time.time(),
        "cpu": {
            "model": cpu_model(),
            "cores": os.cpu_count(),
            "physical": psutil.cpu_count(logical=False),
            "pinned_to": pinned_to(),
            **_quota(),
            "governor": _governor(),
            "frequency_mhz": _frequency(),
        },
        "memory": {"total": memory.total, "available": memory.available},
        "kernel": {
            "system": platform.system(),
            "release": platform.release(),
            "version": platform.version(),
            "machine": platform.machine(),
        },
        "distribution": _distribution(),
        "virtualised": virtualised(),
        "unknown": absent(),
        "load": dict(zip(("1min", "5min", "15min"), os.getloadavg(), strict=True)),
        "network": capabilities.probe().to_dict(),
        "python": sys.version.split()[0],
        "packages": {name: _package(name) for name in _PACKAGES},
        "model": loading.described(),
        "tools": {name: _first_line(command) for name, command in _TOOLS.items()},
        "implementations": {},
    }


def memory() -> int:
    """Bytes of the machine, all in all."""
    return int(psutil.virtual_memory().total)


def write(folder: Path, environment: Mapping[str, Any]) -> None:
    """``environment.json`` in a results folder; readers see the old one or the new one."""
    files.write_text(folder / results.ENVIRONMENT, json.dumps(environment, indent=2) + "\n")


def pinned_to() -> list[int] | None:
    """The cores that this process may use; None where the system does not say."""
    if not hasattr(os, "sched_getaffinity"):
        return None
    return sorted(os.sched_getaffinity(0))


def usable_cores() -> int:
    """Return the number of cores that this process may use, of which a quota leaves a part: 1 at
    least."""
    there = len(pinned_to() or ()) or os.cpu_count() or 1
    share = quota.cores()
    return max(1, there if share is None else min(there, int(share)))


def identity() -> dict[str, Any]:
    """Describe this machine, as far as plans and estimates are bound to one. ``id`` says only
    whether it is the same: a digest of the user's name for it (``NAMED_BY``), or else of the
    system's, which in a container may be new each time."""
    given = os.environ.get(NAMED_BY, "").strip()
    named = given or _read("/etc/machine-id").strip() or platform.node()
    return {
        "cpu": cpu_model(),
        "cores": os.cpu_count(),
        "pinned_to": pinned_to(),
        # Results of a machine without one say nothing of it, and are of the same machine.
        **_quota(),
        "id": hashlib.sha256(f"dramaturg {named}".encode()).hexdigest()[:16],
    }


def _quota() -> dict[str, float]:
    share = quota.cores()
    return {} if share is None else {"quota": share}


def why_not_confined(cores: Sequence[int] = ()) -> str:
    """Return the reason why a process cannot be confined to these cores here; empty if it can."""
    there = pinned_to()
    if there is None:
        return "this system does not say which cores a process may use"
    if set(cores) - set(there):
        where = " (User-Mode Linux has one CPU)" if usermode.inside() else ""
        return f"only these of them may be used here: {sorted(set(cores) & set(there))}{where}"
    if shutil.which("taskset") is None:
        return "taskset is not here (Debian: util-linux)"
    return ""


def absent() -> list[str]:
    """The facts that are not known here, and why: a system need not have what Linux has."""
    found = []
    if pinned_to() is None:
        found.append("which cores may be used: this system does not say")
    if not _PROC.exists():
        found.append("waits for a core, and who hides: there is no /proc here")
    if shutil.which("setpriv") is None:
        found.append("children end with a harness that is killed: setpriv is not here")
    return found


@cache
def cpu_model() -> str:
    """As the kernel names it."""
    for line in _read("/proc/cpuinfo").splitlines():
        if line.lower().startswith(("model name", "cpu model", "hardware")):
            return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def virtualised() -> str:
    """The kind of virtual machine or container; ``none``, or ``unknown``."""
    if usermode.inside():
        return usermode.DECIDES
    if shutil.which("systemd-detect-virt"):
        return _first_line(["systemd-detect-virt"]) or "unknown"
    if Path("/.dockerenv").exists():
        return "docker"
    if any(line.startswith("flags") and " hypervisor" in line for line in _cpuinfo()):
        return "virtual machine"
    return "unknown"


@cache
def harness() -> dict[str, str | None]:
    """Identify the harness that measures (MEAS-14): its version, and a digest over the protocol and
    the layers that run, time and check. A harness that differs only in presentation is the same."""
    found = {file.relative_to(_PACKAGE): file for file in sorted(_PACKAGE.rglob("*.[cp]*"))}
    total = hashlib.sha256()
    for name, file in found.items():
        if file.suffix in (".py", ".c") and name.parts[0] not in (*READERS, "v2", "data"):
            total.update(b"%s %s\n" % (str(name).encode(), _sum(file)))
    for file in sorted(paths.PROTO.glob("dramaturg/v2/*.proto")):
        total.update(b"%s %s\n" % (file.name.encode(), _sum(file)))
    return {"version": _package("dramaturg"), "digest": total.hexdigest()}


def _sum(file: Path) -> bytes:
    return hashlib.sha256(file.read_bytes()).hexdigest().encode()


def _cpuinfo() -> list[str]:
    return _read("/proc/cpuinfo").splitlines()


def _governor() -> str | None:
    return _read("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor").strip() or None


def _frequency() -> float | None:
    try:
        frequency = psutil.cpu_freq()
    except (OSError, NotImplementedError, AttributeError):
        return None
    return round(frequency.current, 1) if frequency else None


def _distribution() -> str | None:
    for line in _read("/etc/os-release").splitlines():
        if line.startswith("PRETTY_NAME="):
            return line.partition("=")[2].strip('"')
    return None


def _package(name: str) -> str | None:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def _first_line(command: Sequence[str]) -> str:
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, errors="replace", timeout=10, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return next(iter(done.stdout.splitlines()), "").strip()


def _read(path: str) -> str:
    try:
        return Path(path).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
