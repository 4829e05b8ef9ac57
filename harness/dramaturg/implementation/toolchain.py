"""Is the toolchain there, which versions, and how to get it."""

import contextlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from dramaturg import files
from dramaturg.errors import Starved, ToolchainMissing
from dramaturg.implementation import variables
from dramaturg.implementation.manifest import Implementation, Tool
from dramaturg.processes import fence, interrupts, starvation, watchdog
from dramaturg.processes.capped import Capped
from dramaturg.processes.supervised import Supervised
from dramaturg.visible import typed

PROBE_TIMEOUT = 60.0
"""Seconds for one probe: a JVM on a loaded machine takes several to say its version."""

MATCH_TIMEOUT = 10.0
"""Seconds for finding the version in what a probe said, which takes microseconds."""

MOST_OUTPUT = 64 * 1024
"""Bytes that a probe may say."""

_MATCH = """
import re, sys
match = re.search(sys.argv[1], sys.stdin.buffer.read().decode("utf-8", "replace"))
sys.stdout.buffer.write((match[1] or "").encode()[:100] if match else b"")
"""


_ONLY_WHAT_IS_MISSING = (
    "--no-install-recommends",
    "--no-upgrade",
    "--no-remove",
    "--yes",
    "--quiet",
)


@dataclass(frozen=True, slots=True)
class Finding:
    """The finding of a probe. ``version`` is None when the tool is absent."""

    tool: str
    version: str | None
    problem: str = ""
    starved: bool = False
    """True if that is a problem of the machine, which gave the probe no core (LEVEL-35)."""

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
    """As :func:`probe`. Raises ToolchainMissing that says how to install what is not there,
    and Starved where the machine is too busy to tell."""
    findings = probe(implementation)
    missing = [finding for finding in findings if not finding.present]
    if missing:
        problems = "; ".join(finding.problem for finding in missing)
        if all(finding.starved for finding in missing):
            raise Starved(problems)
        raise ToolchainMissing(f"{problems}. Install: {install_hint(implementation)}")
    return findings


def packages(implementation: Implementation) -> list[str]:
    """Packages of this distribution that the toolchain is in, and that are not installed yet."""
    return of_debian(implementation.manifest.toolchain.install.debian)


def of_debian(names: Sequence[str]) -> list[str]:
    """Return those of these packages that can be had here, and are not installed yet."""
    if not names or not _is_debian():
        return []
    there = _installed(names)
    return [name for name in names if name not in there]


def install_hint(implementation: Implementation) -> str:
    """The advice to a person whose toolchain is missing."""
    if packages(implementation):
        return f"dramaturg doctor --install {typed(implementation.designation)}"
    return implementation.manifest.toolchain.install.other or "see README"


def install_command(wanted: Sequence[str]) -> list[str]:
    """The command that installs these packages, and leaves those that are installed already as
    they are."""
    return ["apt-get", *_ONLY_WHAT_IS_MISSING, "install", "--", *wanted]


def _installed(names: Sequence[str]) -> set[str]:
    form = "${Package} ${db:Status-Status}\n"
    command = ["dpkg-query", "--show", f"--showformat={form}", *names]
    said = subprocess.run(command, capture_output=True, text=True, check=False).stdout
    return {line.split()[0] for line in said.splitlines() if line.endswith(" installed")}


def _is_debian() -> bool:
    return Path("/etc/debian_version").exists() and all(
        map(shutil.which, ("apt-get", "dpkg-query"))
    )


def _probe(tool: Tool, folder: Path, environment: dict[str, str]) -> Finding:
    program = tool.probe[0]
    if (
        shutil.which(folder / program if "/" in program else program, path=environment.get("PATH"))
        is None
    ):
        return Finding(tool.what, None, f"{tool.what} is not here ({program} not found)")
    try:
        status, output, problem = _output(tool.probe, folder, environment, PROBE_TIMEOUT)
        version = "" if problem or status != 0 else _matched(tool.version, output)
    except Starved as error:
        return Finding(tool.what, None, f"{tool.what} {error}", starved=True)
    if not problem and version == "":
        said = output.strip().splitlines()[-1:] or ["nothing"]
        problem = f"is not usable ({program}: {files.brief(said[0])})"
    if problem or version is None:
        problem = problem or f"its version pattern takes more than {MATCH_TIMEOUT:.0f} s"
        return Finding(tool.what, None, f"{tool.what} {problem}")
    if _numbers(version) < _numbers(tool.minimum):
        return Finding(tool.what, version, f"{tool.what} is {version}, needed is {tool.minimum}")
    return Finding(tool.what, version)


def _output(
    command: Sequence[str],
    folder: Path,
    environment: dict[str, str],
    seconds: float,
    told: str = "",
) -> tuple[int | None, str, str]:
    """Its status, what it said, and why that says nothing. It and what it started are ended.
    ``told`` is its standard input. Raises Starved."""
    own = starvation.Own()
    with tempfile.TemporaryDirectory(prefix="dramaturg-") as temporary:
        fence.guard(Path(temporary))
        file, question = Path(temporary) / "said", Path(temporary) / "told"
        question.write_text(told, encoding="utf-8")
        with contextlib.ExitStack() as stack:
            stack.enter_context(watchdog.within(seconds, " ".join(command)))
            said = stack.enter_context(Capped(file, MOST_OUTPUT))
            try:
                with interrupts.held():
                    process = stack.enter_context(
                        Supervised.start(
                            command,
                            cwd=folder,
                            environment=environment | {"TMPDIR": temporary},
                            stdin=stack.enter_context(question.open("rb")),
                            stdout=said.fileno(),
                            stderr=said.fileno(),
                        )
                    )
            except OSError as error:
                return None, "", f"is not here ({error.strerror})"
            status = process.wait(seconds)
            hungry = (
                [("the harness", own.wanted()), ("it", process.wanted())] if status is None else []
            )
            said.settle()
        late = f"did not answer in {seconds:.0f} s"
        if excuse := starvation.excuse(hungry):
            raise Starved(late + excuse)
        if status is None:
            return None, "", late
        if said.exceeded.is_set():
            return None, "", f"says more than {MOST_OUTPUT} bytes when it is asked for its version"
        return status, file.read_text(encoding="utf-8", errors="replace"), ""


@cache
def _matched(pattern: str, output: str) -> str | None:
    """The first group of the pattern's first match, empty if there is none; None if that takes
    too long. In a process of its own, since nothing else ends a regular expression. Raises
    Starved."""
    command = [sys.executable, "-I", "-S", "-c", _MATCH, pattern]
    environment = {"PATH": os.environ.get("PATH", os.defpath)}
    status, version, _ = _output(command, Path("/"), environment, MATCH_TIMEOUT, output)
    if status is None:
        return None
    return version if status == 0 else ""


def _numbers(version: str) -> list[int]:
    return [int(part) for part in re.findall(r"\d+", version)]
