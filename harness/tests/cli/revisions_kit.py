"""A repository with commits in it, for commands that take revisions."""

import subprocess
from collections.abc import Callable
from pathlib import Path

_GIT = ["git", "-c", "user.name=test", "-c", "user.email=test@example.org"]


def git(folder: Path, *words: str) -> str:
    """Return git's answer."""
    done = subprocess.run([*_GIT, *words], cwd=folder, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def made(copy_reference: Callable[[Path], Path], root: Path) -> Path:
    """A repository with the reference in it, and two commits of it; returns its folder."""
    root.mkdir()
    folder = copy_reference(root)
    git(root, "init", "-q")
    (root / "README").write_text("before there was anything\n")
    git(root, "add", "README")
    git(root, "commit", "-q", "-m", "nothing")
    git(root, "add", ".")
    git(root, "commit", "-q", "-m", "one")
    (folder / "src" / "more.py").write_text("MORE = 1\n")
    git(root, "add", ".")
    git(root, "commit", "-q", "-m", "two")
    return folder


def trees(folder: Path) -> list[str]:
    """Work trees of a repository beside its own, and what git keeps of such."""
    listed = git(folder, "worktree", "list", "--porcelain").count("worktree ") - 1
    kept = list((folder.parent / ".git" / "worktrees").glob("*"))
    return [str(each) for each in kept] + ["listed"] * listed
