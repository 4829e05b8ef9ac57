"""Asking git about a folder that anybody may have made: nothing that lies in it is executed.

The list here has what git may do, and not what it may not: a question is one of ``QUESTIONS``,
which convert no content, and git reaches no other repository, by no protocol (SECURITY.md).
"""

import contextlib
import os
import resource
import signal
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import BinaryIO

from dramaturg import files
from dramaturg.errors import HarnessFault, ManifestError

TIMEOUT = 30.0
"""Seconds for one question, which takes milliseconds in a repository of 10,000 files."""

MOST_MEMORY = 1024 * 1024 * 1024
"""Bytes that git may fill. A file of its own may be a link to one without an end, and a few trees
that name each other many times come to more files than any disk has."""

MOST_SAID = 64 * 1024 * 1024
"""Bytes of an answer: half a million names."""

MOST_WRITTEN = 4 * 1024 * 1024 * 1024
"""Bytes of one file that it writes for a deed."""

_MOST_COMPLAINED = 64 * 1024

_KEPT = ("PATH", "SUDO_UID")
"""Not GIT_DIR and its like: inside a hook they mean another repository. By SUDO_UID git knows
whose checkouts are root's own where sudo is asked for; its check of owners stays as it is."""

_HOMES = ("HOME", "XDG_CONFIG_HOME")
"""The folders of the user's configuration. Paths that do not begin at the root would be below the
folder that is asked about, so they count as not set (paths.of_user)."""

_OUTSIDE = b"not a git repository (or any"
"""The words of git if there is no repository at all. Git says something else of one that it cannot
find, or may not read."""

QUESTIONS = (
    "cat-file", "check-attr", "check-ignore", "config", "ls-files", "ls-tree", "rev-parse",
)  # fmt: skip
"""None of these starts a filter, a textconv or an external diff, or looks into a submodule."""

DEEDS = ("init", "read-tree", "checkout-index", "worktree", "apply")
"""The commands that change a repository. ``checkout-index`` where no file has a filter, and with no
program for any, as later versions take attributes from where the configuration says (attr.tree);
``apply`` without any repository: one that the folder lies in would have filters, and git would
pass over what is not below the folder by the paths of that one."""

_SETTINGS = {
    "core.fsmonitor": "false",
    "core.hooksPath": "/dev/null",
    "core.sparseCheckout": "false",
    # A folder that looks like a repository, inside of one that is: nobody has named that.
    "safe.bareRepository": "explicit",
    # Else git's advice on GIT_GRAFT_FILE stands before what it says itself.
    "advice.graftFileDeprecated": "false",
}
"""They outweigh what the repository's own configuration says."""

_FIXED = {
    "LC_ALL": "C",
    # Missing objects stay missing: to fetch them would be to start what the repository names.
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "",
    "GIT_TERMINAL_PROMPT": "0",
    # A user's log of what git does may be longer than the answers that it may give here.
    "GIT_TRACE2": "0",
    "GIT_TRACE2_EVENT": "0",
    "GIT_TRACE2_PERF": "0",
    # A commit is what its name stands for.
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_GRAFT_FILE": "/dev/null",
}


def ask(folder: Path, *words: str, given: bytes | None = None) -> bytes | None:
    """Git's answer there; None where there is no git, no repository, or no answer.

    Raises ManifestError for a folder that git takes for a repository and that nobody has named,
    where it does not end, and, in git's own words, for a repository that it refuses: without it
    the build would be of other files.
    """
    if words[0] not in QUESTIONS:
        raise HarnessFault(f"git {words[0]} is not among the questions that are safe to ask")
    try:
        done = _run(folder, words, TIMEOUT, given)
    except OSError:
        return None
    except subprocess.TimeoutExpired:
        # A pipe that nobody writes to, as its configuration, say: the next question would wait too.
        raise ManifestError(
            f"{folder}: git {words[0]} has not ended within {TIMEOUT:.0f} s; what does it wait for"
            " there? (a pipe among the files that its configuration names, a disk that is gone)"
        ) from None
    if done.returncode != 0 and b"safe.bareRepository" in done.stderr:
        raise ManifestError(
            f"{folder}: it looks like a repository of git's inside (HEAD, objects, refs), or a"
            " folder above it does, and nothing there is asked: take these files away, or rename"
            " one of them"
        )
    _hold_to_refusal(folder, words, done)
    return done.stdout if done.returncode == 0 and done.stdout else None


_LISTING = "ls-files"
"""The question by which files are chosen."""


def _hold_to_refusal(
    folder: Path, words: Sequence[str], done: "subprocess.CompletedProcess[bytes]"
) -> None:
    if done.returncode == 0 or _OUTSIDE in done.stderr:
        return
    if words[0] != _LISTING and b"dubious ownership" not in done.stderr:
        return
    said = " ".join(done.stderr.decode("utf-8", "replace").split())
    raise ManifestError(f"{folder}: git refuses this repository, and says: {files.brief(said)}")


def problem(folder: Path, *words: str, timeout: float) -> str | None:
    """Have git do something there: None if it did, else why not, in its words."""
    if words[0] not in DEEDS:
        raise HarnessFault(f"git {words[0]} is not among what is safe to do")
    try:
        done = _run(folder, words, timeout)
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    return None if done.returncode == 0 else done.stderr.decode("utf-8", "replace")


def _run(
    folder: Path, words: Sequence[str], timeout: float, given: bytes | None = None
) -> "subprocess.CompletedProcess[bytes]":
    environment = {name: os.environ[name] for name in _KEPT if name in os.environ}
    homes = {name: os.environ.get(name, "") for name in _HOMES}
    environment |= {name: home for name, home in homes.items() if Path(home).is_absolute()}
    fixed = _FIXED | ({"GIT_DIR": os.devnull} if words[0] == "apply" else {})
    fixed |= _without_filters(folder) if words[0] == "checkout-index" else {}
    settings = [word for name in _SETTINGS for word in ("-c", f"{name}={_SETTINGS[name]}")]
    command = ["git", "--no-optional-locks", *settings, "-C", str(folder), *words]
    with _kept() as said, _kept() as complained:
        with subprocess.Popen(
            command,
            env=environment | fixed,
            stdin=subprocess.PIPE,
            stdout=said,
            stderr=complained,
        ) as process:
            _limit(process.pid, MOST_SAID if words[0] in QUESTIONS else MOST_WRITTEN)
            try:
                process.communicate(given or b"", timeout=timeout)
            except BaseException:
                process.kill()
                raise
        done = subprocess.CompletedProcess(
            command, process.returncode, _read(said, MOST_SAID), _read(complained, _MOST_COMPLAINED)
        )
    _hold_to_limits(folder, words, done)
    return done


def _without_filters(folder: Path) -> dict[str, str]:
    """The variables by which a filter that any configuration names has no program."""
    said = ask(folder, "config", "--name-only", "-z", "--get-regexp", r"^filter\.")
    drivers = dict.fromkeys(name.rpartition(".")[0] for name in names(said))
    keys = [f"{driver}.{key}" for driver in drivers for key in _OF_A_FILTER]
    values = [value for _ in drivers for value in _OF_A_FILTER.values()]
    said_so = {f"GIT_CONFIG_KEY_{number}": key for number, key in enumerate(keys)}
    said_so |= {f"GIT_CONFIG_VALUE_{number}": value for number, value in enumerate(values)}
    return said_so | {"GIT_CONFIG_COUNT": str(len(keys))}


_OF_A_FILTER = {"smudge": "", "process": "", "required": "false"}


@contextlib.contextmanager
def _kept() -> Iterator[BinaryIO]:
    """A file without a name: a limit holds for it as for any. Raises HarnessFault: that there is
    none is not that there is no git."""
    try:
        file = _in_memory() or tempfile.TemporaryFile()  # noqa: SIM115
    except OSError as error:
        raise HarnessFault(f"there is no place for what git says: {error}") from None
    with file:
        yield file


def _in_memory() -> BinaryIO | None:
    """Open a file in memory, if the kernel lets this process make one: no folder need be there."""
    if hasattr(os, "memfd_create"):
        with contextlib.suppress(OSError):
            return os.fdopen(os.memfd_create("git"), "w+b")
    return None


def _read(file: BinaryIO, most: int) -> bytes:
    there = file.seek(0, os.SEEK_END)
    file.seek(0)
    return file.read(min(there, most))


def _limit(pid: int, written: int) -> None:
    """Limit it, if the kernel lets one process limit another; at once, before it has read anything
    much. A limit that it has already and that is lower stays."""
    if not hasattr(resource, "prlimit"):
        return
    for which, most in ((resource.RLIMIT_DATA, MOST_MEMORY), (resource.RLIMIT_FSIZE, written)):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            has = resource.prlimit(pid, which)
            soft = min([most, *(limit for limit in has if limit != resource.RLIM_INFINITY)])
            resource.prlimit(pid, which, (soft, has[1]))


def _hold_to_limits(
    folder: Path, words: Sequence[str], done: "subprocess.CompletedProcess[bytes]"
) -> None:
    """An answer that was cut short is none, and does not mean that there is no repository
    either."""
    if done.returncode == -signal.SIGXFSZ:
        most = MOST_SAID if words[0] in QUESTIONS else MOST_WRITTEN
        what = f"comes to more than {most >> 20:,} MiB"
    elif done.returncode != 0 and any(each in done.stderr.lower() for each in _NO_MEMORY):
        what = f"takes more than {MOST_MEMORY >> 20:,} MiB of memory"
    else:
        return
    raise ManifestError(
        f"{folder}: git {words[0]} {what} there, which is the limit: is a file of its repository a"
        " link to one without an end, or has a commit more files than a disk?"
    )


_NO_MEMORY = (b"out of memory", b"cannot allocate memory")
"""The words of git for it, and the system's."""


def names(said: bytes | None) -> list[str]:
    """The names in an answer to a question with ``-z``."""
    return [os.fsdecode(name) for name in (said or b"").split(b"\0") if name]
