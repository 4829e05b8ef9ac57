"""The facts of a host: asked once, of each worker, and compared with where the command was
typed."""

import hashlib
import os
import platform
import socket
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dramaturg.machine import environment, quota

_PACKAGE = Path(__file__).parents[1]

PERFORMED = ("cli", "cluster", "mutation")
"""Layers of which hosts perform something, and that the digest of MEAS-14 leaves out."""

_BOOT = Path("/proc/sys/kernel/random/boot_id")


@dataclass(frozen=True, slots=True)
class Version:
    """The versions that must be the same on both sides, so that outcomes are the same."""

    harness: str
    """Its digest (MEAS-14)."""
    python: str
    """Major and minor version: a function that is sent is found by its name, and is the same."""
    protocol: str
    """The protocol between hosts: a digest of what they perform beside that."""

    def differences(self, other: "Version", shown: tuple[str, str]) -> list[str]:
        """Return the differences in words, both named; ``shown`` are the whole versions of
        Python."""
        found = []
        if self.python != other.python:
            found.append(f"Python {shown[0]}, here {shown[1]}")
        if self.harness != other.harness:
            found.append(f"harness {self.harness[:12]}, here {other.harness[:12]}")
        if self.protocol != other.protocol:
            found.append(f"cluster protocol {self.protocol[:12]}, here {other.protocol[:12]}")
        return found


def version() -> Version:
    """The version of this process."""
    major, minor, _ = platform.python_version_tuple()
    return Version(str(environment.harness()["digest"]), f"{major}.{minor}", _protocol())


def version_of(facts: Mapping[str, Any]) -> tuple[Version, str]:
    """The version that a host says it is, and its whole version of Python; that of another time may
    not say all of it."""
    said = {name: str(facts.get(name, "unknown")) for name in ("harness", "python", "protocol")}
    return Version(**said), str(facts.get("python_whole", said["python"]))


def here() -> dict[str, Any]:
    """Values of JSON: which versions, which machine, and what it has. Starts nothing."""
    own = version()
    return {
        "harness": own.harness,
        "version": environment.harness()["version"],
        "python": own.python,
        "python_whole": platform.python_version(),
        "protocol": own.protocol,
        "hostname": socket.gethostname(),
        "boot": boot(),
        "pid": os.getpid(),
        "cores": environment.usable_cores(),
        "cpu": environment.cpu_model(),
        "memory": environment.memory(),
        "quota": quota.cores(),
        "kernel": platform.release(),
        "architecture": platform.machine(),
    }


def boot() -> str:
    """The identifier of the running kernel's boot: two hosts with the same are one machine. Empty
    where no kernel says it."""
    try:
        return _BOOT.read_text(encoding="ascii").strip()
    except OSError:
        return ""


def _protocol() -> str:
    total = hashlib.sha256()
    for file in sorted(file for layer in PERFORMED for file in (_PACKAGE / layer).glob("*.py")):
        name = str(file.relative_to(_PACKAGE)).encode()
        total.update(b"%s %s\n" % (name, hashlib.sha256(file.read_bytes()).digest()))
    return total.hexdigest()
