"""Where an implementation's sources are kept, at which commit, and whether they are what was
committed (LEVEL-15).

Nothing is executed of what the repository's own configuration names: files are compared with
the commit here, byte for byte. So what git converts on its way to disk (ends of lines, large
files kept elsewhere) counts as changed.
"""

import hashlib
import os
import re
import stat
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

from dramaturg.implementation import git, sources
from dramaturg.implementation.manifest import Implementation

MOST = 300
"""Characters of an address."""

_HASHES = {40: "sha1", 64: "sha256"}
"""By the length of a commit's name."""

_SHORT_FORM = re.compile(r"(?:[^@/\s]+@)?([A-Za-z0-9.-]+):(?!//)(\S+)")
"""``git@example.org:project.git``, as SSH takes it."""


@dataclass(frozen=True, slots=True)
class Repository:
    """What git knows of the folder."""

    url: str
    """Without user, password and query; empty for one that is on this machine alone."""
    commit: str
    modified: bool
    """Whether any file below the folder, or any input, is not what was committed."""


def of(implementation: Implementation) -> Repository | None:
    """None outside of a repository, and before the first commit. Raises ManifestError."""
    folder = implementation.folder.resolve()
    commit = (git.ask(folder, "rev-parse", "--verify", "--quiet", "HEAD") or b"").decode().strip()
    if len(commit) not in _HASHES:
        return None
    tree = _committed(folder, ".")
    if not tree:
        return None
    inputs = sources.inputs(implementation)
    for name in sources.folders_beside(implementation):
        there = _committed(folder, f"../{name}")
        tree |= {file: there[file] for file in there.keys() & inputs.keys()}
    modified = not inputs.keys() <= tree.keys() or any(
        _changed(folder / name, *entry, _HASHES[len(commit)]) for name, entry in tree.items()
    )
    return Repository(_address(folder), commit, modified)


def public(url: str) -> str:
    """The address as everybody may read it; empty for one that nobody else can use."""
    short = _SHORT_FORM.fullmatch(url)
    if short and "://" not in url:
        return f"ssh://{short[1]}/{short[2].lstrip('/')}"[:MOST]
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        return ""
    if parts.scheme not in ("https", "http", "ssh", "git") or not host:
        return ""
    place = (f"[{host}]" if ":" in host else host) + (f":{port}" if port else "")
    return urlunsplit((parts.scheme, place, parts.path, "", ""))[:MOST]


def _address(folder: Path) -> str:
    said = git.ask(folder, "config", "--local", "--get", "remote.origin.url")
    return public((said or b"").decode("utf-8", "replace").strip())


def _committed(folder: Path, below: str) -> dict[str, tuple[str, str]]:
    """Mode and name of each file that was committed there, by its path from the folder."""
    entries = git.names(git.ask(folder, "ls-tree", "-r", "-z", "HEAD", "--", below))
    found = {}
    for entry in entries:
        about, _, name = entry.partition("\t")
        mode, _, blob = about.split(" ")
        if name.partition("/")[0] != sources.RESULTS:
            found[name] = (mode, blob)
    return found


def _changed(file: Path, mode: str, blob: str, algorithm: str) -> bool:
    if mode == "160000":
        return True  # A repository within: what is in it is in no file of this commit.
    try:
        status = file.lstat()
        if mode == "120000":
            content = os.fsencode(file.readlink())
        elif not stat.S_ISREG(status.st_mode) or (mode == "100755") != bool(
            status.st_mode & stat.S_IXUSR
        ):
            return True
        else:
            content = file.read_bytes()
    except OSError:
        return True
    total = hashlib.new(algorithm, b"blob %d\0" % len(content), usedforsecurity=False)
    total.update(content)
    return total.hexdigest() != blob
