"""Asking git about a folder that anybody may have made: nothing that lies in it is executed."""

import os
import subprocess
from pathlib import Path

TIMEOUT = 30.0
"""Seconds for one question, which takes milliseconds in a repository of 10,000 files."""

_KEPT = ("PATH", "HOME", "XDG_CONFIG_HOME")
"""Not GIT_DIR and its like: inside a hook they mean another repository."""

# A repository's own configuration may name programs for these.
_HARMLESS = ("-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null")


def ask(folder: Path, *words: str) -> bytes | None:
    """What git says there; None where there is no git, no repository, or nothing to say."""
    command = ["git", "--no-optional-locks", *_HARMLESS, "-C", str(folder), *words]
    environment = {name: os.environ[name] for name in _KEPT if name in os.environ}
    try:
        done = subprocess.run(
            command,
            env=environment | {"LC_ALL": "C"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=TIMEOUT,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout if done.returncode == 0 and done.stdout else None


def names(said: bytes | None) -> list[str]:
    """The names in an answer to a question with ``-z``."""
    return [os.fsdecode(name) for name in (said or b"").split(b"\0") if name]
