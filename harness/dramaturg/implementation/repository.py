"""The repository of an implementation's sources: its commit, and whether they are what was
committed (LEVEL-15).

No command that the repository's own configuration names is executed (``processes.committed``).
"""

import re
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

from dramaturg.implementation import sources
from dramaturg.implementation.manifest import Implementation
from dramaturg.processes import committed, git

MOST = 300
"""Characters of an address."""

_SHORT_FORM = re.compile(r"(?:[^@/\s]+@)?([A-Za-z0-9.-]+):(?!//)(\S+)")
"""``git@example.org:project.git``, as SSH takes it."""


@dataclass(frozen=True, slots=True)
class Repository:
    """The repository of a folder, as git knows it."""

    url: str
    """The address without user, password and query; empty if it is on this machine alone."""
    commit: str
    modified: bool
    """True if any file below the folder, or any input, is not what was committed."""


def of(implementation: Implementation) -> Repository | None:
    """None outside of a repository, and before the first commit. Raises ManifestError."""
    folder = implementation.folder.resolve()
    commit = (git.ask(folder, "rev-parse", "--verify", "--quiet", "HEAD") or b"").decode().strip()
    if len(commit) not in committed.HASHES:
        return None
    tree = _committed(folder, ".")
    if not tree:
        return None
    inputs = sources.inputs(implementation)
    for name in sources.folders_beside(implementation):
        there = _committed(folder, f"../{name}")
        tree |= {file: there[file] for file in there.keys() & inputs.keys()}
    modified = not inputs.keys() <= tree.keys() or committed.any_changed(folder, tree)
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


def _committed(folder: Path, below: str) -> dict[str, committed.Entry]:
    """Return the entries, but for results, which are no part of what was certified."""
    there = committed.at(folder, below)
    return {
        name: entry for name, entry in there.items() if name.partition("/")[0] != sources.RESULTS
    }
