"""An implementation as it was committed: ``erlang@HEAD~3``, in a work tree of git's that is taken
away again, also when the harness is killed."""

import contextlib
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from dramaturg import files
from dramaturg.errors import ManifestError
from dramaturg.implementation import git
from dramaturg.implementation.manifest import FILE_NAME, Implementation, find, load
from dramaturg.processes import fence, interrupts

SEPARATOR = "@"

PATIENCE = 600.0
"""Seconds for checking out a whole repository; ours takes less than one."""


@dataclass(frozen=True, slots=True)
class Named:
    """What a word means, before anything is checked out."""

    now: Implementation
    """As it lies in its folder."""
    revision: str = ""
    """Empty: as it lies there."""
    commit: str = ""
    """What the revision is the name of today."""


def named(word: str) -> Named:
    """``NAME``, ``NAME+VARIANT`` or a path, each with ``@REVISION`` behind it or not.

    The shortest beginning that is an implementation counts, since a revision may have the sign in
    it as well (``erlang@HEAD@{1}``). Raises ManifestError.
    """
    if SEPARATOR not in word:
        return Named(find(word))
    parts, first = word.split(SEPARATOR), None
    for at in range(1, len(parts) + 1):
        base, revision = SEPARATOR.join(parts[:at]), SEPARATOR.join(parts[at:])
        try:
            now = find(base)
        except ManifestError as error:
            first = first or error
            continue
        if at == len(parts):
            return Named(now)
        return Named(now, revision, _commit(now.folder, revision))
    assert first is not None
    raise first


@contextlib.contextmanager
def checked_out(of: Named) -> Iterator[Implementation]:
    """The implementation at that commit, in a folder of its own that is gone at the end.

    Raises ManifestError where the commit has no such implementation, or one that this harness
    cannot read.
    """
    folder = of.now.folder.resolve()
    top = _answer(folder, "rev-parse", "--show-toplevel")
    common = _answer(folder, "rev-parse", "--path-format=absolute", "--git-common-dir")
    made = Path(tempfile.mkdtemp(prefix="dramaturg-"))
    # Git calls what it keeps of a work tree by the folder's last name.
    tree, kept = made / made.name, Path(common) / "worktrees" / made.name
    fence.guard(made)
    fence.guard(kept)
    try:
        problem = git.problem(
            folder, "worktree", "add", "--detach", str(tree), of.commit, timeout=PATIENCE
        )
        if problem is not None:
            raise ManifestError(
                f"{of.now.name}{SEPARATOR}{of.revision}: git cannot check it out:"
                f" {files.brief(problem)}"
            )
        place = tree / folder.relative_to(Path(top).resolve())
        if not (place / FILE_NAME).is_file():
            raise ManifestError(
                f"{of.now.name}{SEPARATOR}{of.revision}: commit {of.commit[:12]} has no"
                f" {place.relative_to(tree) / FILE_NAME}; name a later one"
            )
        yield load(place, of.now.variant)
    finally:
        with interrupts.held():
            for each in (made, kept):
                shutil.rmtree(each, ignore_errors=True)


def _commit(folder: Path, revision: str) -> str:
    """Raises ManifestError for what git does not know."""
    if not revision or revision.startswith("-"):
        raise ManifestError(f"{folder.name}{SEPARATOR}{revision}: no revision is called so")
    if git.ask(folder, "rev-parse", "--git-dir") is None:
        raise ManifestError(f"{folder}: lies in no git repository, so it has no revision")
    found = git.ask(folder, "rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}")
    if found is None:
        shallow = (git.ask(folder, "rev-parse", "--is-shallow-repository") or b"").strip()
        hint = (
            "; this clone has only the latest commits: `git fetch --unshallow` brings the others"
            if shallow == b"true"
            else "; `git log --oneline` lists what there is"
        )
        raise ManifestError(f"{folder.name}{SEPARATOR}{revision}: git knows no such revision{hint}")
    return found.decode().strip()


def _answer(folder: Path, *words: str) -> str:
    said = git.ask(folder, *words)
    if said is None:
        raise ManifestError(f"{folder}: git does not say where its repository is")
    return said.decode().rstrip("\n")
