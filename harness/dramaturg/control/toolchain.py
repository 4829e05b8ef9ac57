"""Is the toolchain there, which versions, and how to get it."""

import re
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from dramaturg.control import variables
from dramaturg.control.errors import ToolchainMissing
from dramaturg.control.manifest import Implementation, Tool

PROBE_TIMEOUT = 60.0
"""Seconds for one probe: a JVM on a loaded machine takes several to say its version."""


_ONLY_WHAT_IS_MISSING = (
    "--no-install-recommends",
    "--no-upgrade",
    "--no-remove",
    "--yes",
    "--quiet",
)


@dataclass(frozen=True, slots=True)
class Finding:
    """What a probe found. ``version`` is None when the tool is absent."""

    tool: str
    version: str | None
    problem: str = ""

    @property
    def present(self) -> bool:
        return not self.problem


def probe(implementation: Implementation) -> list[Finding]:
    """Every tool of the implementation's toolchain, present or not."""
    environment = variables.for_build(implementation)
    return [
        _probe(tool, implementation.folder, environment)
        for tool in implementation.manifest.toolchain.needs
    ]


def require(implementation: Implementation) -> list[Finding]:
    """As :func:`probe`. Raises ToolchainMissing that says how to install what is not there."""
    findings = probe(implementation)
    missing = [finding for finding in findings if not finding.present]
    if missing:
        problems = "; ".join(finding.problem for finding in missing)
        raise ToolchainMissing(f"{problems}. Install: {install_hint(implementation)}")
    return findings


def packages(implementation: Implementation) -> list[str]:
    """Packages of this distribution that the toolchain is in; empty if none is known."""
    return implementation.manifest.toolchain.install.debian if _is_debian() else []


def install_hint(implementation: Implementation) -> str:
    """What to tell a person whose toolchain is missing."""
    if packages(implementation):
        return f"dramaturg doctor --install {implementation.designation}"
    return implementation.manifest.toolchain.install.other or "see README"


def install_command(wanted: Sequence[str]) -> list[str]:
    """What installs these packages, and leaves what is installed already as it is."""
    return ["apt-get", *_ONLY_WHAT_IS_MISSING, "install", "--", *wanted]


def _is_debian() -> bool:
    return Path("/etc/debian_version").exists() and shutil.which("apt-get") is not None


def _probe(tool: Tool, folder: Path, environment: dict[str, str]) -> Finding:
    try:
        done = subprocess.run(
            tool.probe,
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=PROBE_TIMEOUT,
            check=False,
        )
    except (FileNotFoundError, PermissionError):
        return Finding(tool.what, None, f"{tool.what} is not here ({tool.probe[0]} not found)")
    except subprocess.TimeoutExpired:
        return Finding(tool.what, None, f"{tool.what} did not answer in {PROBE_TIMEOUT:.0f} s")
    output = done.stdout + done.stderr
    match = re.search(tool.version, output)
    if done.returncode != 0 or match is None:
        said = output.strip().splitlines()[-1:] or ["nothing"]
        return Finding(tool.what, None, f"{tool.what} is not usable ({tool.probe[0]}: {said[0]})")
    version = match[1]
    if _numbers(version) < _numbers(tool.minimum):
        return Finding(tool.what, version, f"{tool.what} is {version}, needed is {tool.minimum}")
    return Finding(tool.what, version)


def _numbers(version: str) -> list[int]:
    return [int(part) for part in re.findall(r"\d+", version)]
