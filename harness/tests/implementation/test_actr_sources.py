"""actr has no releases: one commit of it is compiled, and nothing else."""

import os
import subprocess
from pathlib import Path

import pytest

from dramaturg import paths
from dramaturg.errors import ToolchainMissing
from dramaturg.implementation import toolchain
from dramaturg.implementation.manifest import find

SOURCES = Path("src", "main", "java", "com", "zakgof", "actr")


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    """A copy, to be changed."""
    try:
        toolchain.require(find("actr"))
    except ToolchainMissing as error:
        pytest.skip(str(error))
    copy = tmp_path / "actr"
    command = ["git", "clone", "--quiet", "--shared", os.environ["ACTR_ROOT"], str(copy)]
    subprocess.run(command, check=True)
    return copy


def _said(sources: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["sh", "actr-version.sh"],
        cwd=paths.IMPLEMENTATIONS / "actr",
        env=os.environ | {"ACTR_ROOT": str(sources)},
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_commit_has_its_version(sources: Path) -> None:
    assert _said(sources).stdout == "0.4.3\n"


@pytest.mark.parametrize("ignored", [False, True])
def test_a_file_that_git_does_not_know_is_another_library(sources: Path, ignored: bool) -> None:
    """It was compiled into actr.jar, under the commit's name."""
    (sources / SOURCES / "Faster.java").write_text("class Faster {}\n")
    if ignored:
        (sources / ".git" / "info" / "exclude").write_text("Faster.java\n")
    said = _said(sources)
    assert said.returncode == 1
    assert "is not that commit, unchanged: git clone " in said.stderr


def test_a_changed_file_is_another_library(sources: Path) -> None:
    changed = next((sources / SOURCES).glob("*.java"))
    changed.write_text(changed.read_text() + "// faster\n")
    assert _said(sources).returncode == 1


def test_another_commit_is_another_library(sources: Path) -> None:
    subprocess.run(["git", "checkout", "--quiet", "HEAD~1"], cwd=sources, check=True)
    assert _said(sources).returncode == 1
