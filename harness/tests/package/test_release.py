"""Checks that refuse a false release. A whole one takes minutes and the net: nothing here does. A
whole one takes minutes and the net: nothing here does."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from dramaturg import paths

SCRIPT = "harness/scripts/release.sh"


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """The few files that are looked at before anything is made, committed."""
    (tmp_path / "harness" / "scripts").mkdir(parents=True)
    shutil.copy(paths.ROOT / SCRIPT, tmp_path / SCRIPT)
    (tmp_path / "harness" / "pyproject.toml").write_text('[project]\nversion = "1.2.3"\n')
    (tmp_path / "CHANGELOG.md").write_text("# Changelog\n\n## 1.2.3 (2030-01-01)\n")
    git(tmp_path, "init", "-q")
    commit(tmp_path)
    return tmp_path


def git(folder: Path, *words: str) -> None:
    named = ["-c", "user.name=a", "-c", "user.email=a@b"]
    subprocess.run(["git", "-C", str(folder), *named, *words], check=True, capture_output=True)


def commit(folder: Path) -> None:
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "x", "--allow-empty")


def release(folder: Path, tag: str) -> "subprocess.CompletedProcess[str]":
    # The interpreter reads the version; what would build ends at once.
    python = folder.parent / "python"
    python.write_text('#!/bin/sh\n[ "$1" = -c ] && exec python3 "$@"\necho BUILDS; exit 99\n')
    python.chmod(0o755)
    environment = os.environ | {"TAG": tag, "PYTHON": str(python)}
    return subprocess.run(
        [folder / SCRIPT], env=environment, capture_output=True, text=True, check=False
    )


def test_a_tag_of_this_version_is_built(clone: Path) -> None:
    done = release(clone, "v1.2.3")
    assert (done.returncode, done.stdout) == (99, "BUILDS\n")


@pytest.mark.parametrize("tag", ["", "1.2.3", "v1.2.4", "v1.2.3 ", "v1.2.3-rc1"])
def test_a_tag_of_another_version_is_refused(clone: Path, tag: str) -> None:
    done = release(clone, tag)
    assert done.returncode == 2
    assert f"the tag is '{tag}', and harness/pyproject.toml says 1.2.3" in done.stderr


@pytest.mark.parametrize("text", ["", "## 1.2.30\n", "## 1x2.3\n", "### 1.2.3\n"])
def test_a_version_without_an_entry_in_the_changelog_is_refused(clone: Path, text: str) -> None:
    (clone / "CHANGELOG.md").write_text(text)
    commit(clone)
    done = release(clone, "v1.2.3")
    assert (done.returncode, done.stderr) == (2, "release: CHANGELOG.md has no '## 1.2.3'\n")


def test_what_differs_from_its_commit_and_what_was_built_before_is_refused(clone: Path) -> None:
    (clone / "stray.py").touch()
    done = release(clone, "v1.2.3")
    assert (done.returncode, "differs from its commit" in done.stderr) == (2, True)
    (clone / "stray.py").unlink()
    (clone / ".gitignore").write_text("dist/\n")
    commit(clone)
    (clone / "dist").mkdir()
    done = release(clone, "v1.2.3")
    assert (done.returncode, "dist/ is there already" in done.stderr) == (2, True)
