"""Asking git about a folder that anybody may have made: nothing that lies in it is executed."""

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

TIMEOUT = 30.0
"""Seconds for one question, which takes milliseconds in a repository of 10,000 files."""

_KEPT = ("PATH", "HOME", "XDG_CONFIG_HOME")
"""Not GIT_DIR and its like: inside a hook they mean another repository."""

# A repository's own configuration may name programs for these.
_HARMLESS = ("-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null")


def ask(folder: Path, *words: str) -> bytes | None:
    """What git says there; None where there is no git, no repository, or nothing to say."""
    try:
        done = _run(folder, words, TIMEOUT)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout if done.returncode == 0 and done.stdout else None


def problem(folder: Path, *words: str, timeout: float) -> str | None:
    """Have git do something there: None if it did, else why not, in its words."""
    try:
        done = _run(folder, words, timeout)
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    return None if done.returncode == 0 else done.stderr.decode("utf-8", "replace")


def _run(
    folder: Path, words: Sequence[str], timeout: float
) -> "subprocess.CompletedProcess[bytes]":
    environment = {name: os.environ[name] for name in _KEPT if name in os.environ}
    return subprocess.run(
        ["git", "--no-optional-locks", *_HARMLESS, "-C", str(folder), *words],
        env=environment | {"LC_ALL": "C"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=timeout,
        check=False,
    )


def names(said: bytes | None) -> list[str]:
    """The names in an answer to a question with ``-z``."""
    return [os.fsdecode(name) for name in (said or b"").split(b"\0") if name]
