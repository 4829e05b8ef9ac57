"""An implementation as it was committed: ``erlang@HEAD~3``, in a work tree of git's that is taken
away again, also when the harness is killed."""

import contextlib
import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from dramaturg import files, meant
from dramaturg.errors import ManifestError
from dramaturg.implementation.manifest import FILE_NAME, Implementation, find, load
from dramaturg.processes import fence, git, interrupts
from dramaturg.visible import visible

SEPARATOR = "@"

LEFT = 1024 * 1024 * 1024
"""Bytes that stay free on the disk where a revision is checked out."""

PATIENCE = 600.0
"""Seconds for checking out a whole repository; ours takes less than one."""


@dataclass(frozen=True, slots=True)
class Named:
    """The meaning of a word, before anything is checked out."""

    now: Implementation
    """As it lies in its folder."""
    revision: str = ""
    """Empty: as it lies there."""
    commit: str = ""
    """The commit that the revision names today."""


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
    if not folder.is_relative_to(Path(top).resolve()):
        raise ManifestError(
            f"{folder}: its repository is of another folder ({visible(top)}), as core.worktree or"
            " a file .git there says, so it has no revision here"
        )
    common = _answer(folder, "rev-parse", "--path-format=absolute", "--git-common-dir")
    made = Path(tempfile.mkdtemp(prefix="dramaturg-"))
    # Git calls what it keeps of a work tree by the folder's last name.
    tree, kept = made / made.name, Path(common) / "worktrees" / made.name
    fence.guard(made)
    fence.guard(kept)
    try:
        name = f"{of.now.name}{SEPARATOR}{of.revision}"
        _refuse_too_much(name, folder, of.commit, made)
        _do(name, folder, "worktree", "add", "--no-checkout", "--detach", str(tree), of.commit)
        _do(name, tree, "read-tree", of.commit)
        _refuse_filters(name, tree)
        _do(name, tree, "checkout-index", "--all", "--force", "--quiet")
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


def _do(name: str, folder: Path, *words: str) -> None:
    problem = git.problem(folder, *words, timeout=PATIENCE)
    if problem is not None:
        raise ManifestError(f"{name}: git cannot check it out: {files.brief(problem)}")


def _refuse_too_much(name: str, folder: Path, commit: str, place: Path) -> None:
    """A few trees that name each other many times, or a file that packs well, are small in a
    repository and large beside it."""
    listed = git.names(git.ask(folder, "ls-tree", "-r", "-l", "-z", "--full-tree", commit))
    sizes = [entry.partition("\t")[0].split()[-1] for entry in listed]
    total = sum(int(size) for size in sizes if size.isdigit())
    room = shutil.disk_usage(place).free - LEFT
    if total > room:
        raise ManifestError(
            f"{name}: its commit comes to {total >> 20:,} MiB, and {place.parent} has room for"
            f" {max(0, room) >> 20:,}: set TMPDIR to a folder on a larger disk"
        )


def _refuse_filters(name: str, tree: Path) -> None:
    """A filter is a program that some configuration names, and none is started. By what the
    commit's own attributes say, before there is any file of it."""
    listed = git.ask(tree, "ls-files", "-z", "--cached")
    said = git.ask(tree, "check-attr", "--cached", "--stdin", "-z", "filter", given=listed)
    fields = git.names(said)
    for file, value in zip(fields[::3], fields[2::3], strict=True):
        if value not in ("unspecified", "unset"):
            raise ManifestError(
                f"{name}: {visible(file)} is kept through a filter of git's"
                f" ({visible(value)}), and none is run here: check it out"
                " yourself (`git worktree add FOLDER REVISION`), and name its folder"
            )
    if listed is not None and len(fields) != 3 * len(git.names(listed)):
        raise ManifestError(f"{name}: git does not say which of its files need a filter")


def _commit(folder: Path, revision: str) -> str:
    """Raises ManifestError for what git does not know."""
    if not revision or revision.startswith("-"):
        raise ManifestError(f"{folder.name}{SEPARATOR}{revision}: no revision is called so")
    if git.ask(folder, "rev-parse", "--git-dir") is None:
        raise ManifestError(f"{folder} lies in no git repository, so it has no revision")
    found = git.ask(folder, "rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}")
    if found is None:
        shallow = (git.ask(folder, "rev-parse", "--is-shallow-repository") or b"").strip()
        hint = (
            "; this clone has only the latest commits: `git fetch --unshallow` brings the others"
            if shallow == b"true"
            else _meant(folder, revision) or "; `git log --oneline` lists what there is"
        )
        raise ManifestError(f"{folder.name}{SEPARATOR}{revision}: git knows no such revision{hint}")
    return found.decode().strip()


def _meant(folder: Path, revision: str) -> str:
    """A branch or a tag that is called nearly so, with what stands behind its name (``~2``)."""
    said = git.ask(folder, "rev-parse", "--symbolic", "--branches", "--tags", "--remotes")
    names = [*(said or b"").decode("utf-8", "replace").split(), "HEAD"]
    base = re.split(r"[~^:@]", revision)[0]
    near = meant.closest(base, names)
    return f"; did you mean {near + revision[len(base) :]!r}?" if near else ""


def _answer(folder: Path, *words: str) -> str:
    said = git.ask(folder, *words)
    if said is None:
        raise ManifestError(f"{folder}: git does not say where its repository is")
    return os.fsdecode(said.removesuffix(b"\n"))
