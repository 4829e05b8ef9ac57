"""A harness that is wrong is caught by its own tests (conformance/mutants/harness/)."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from dramaturg import paths
from dramaturg.casts import traceability
from dramaturg.casts.traceability import WrongHarness

TESTS = paths.ROOT / "harness" / "tests"
FAILED = 1
"""How pytest ends when a test failed; other numbers say that nothing was tested."""


WRONG = traceability.wrong_harnesses()


@pytest.fixture
def copy(tmp_path: Path) -> Iterator[Path]:
    """The project with a harness of its own; what is large and not changed is only linked.

    What Python has compiled comes along: it knows a changed file by its time and its size.
    """
    for item in paths.ROOT.iterdir():
        if item.name not in ("harness", "results", ".git"):
            (tmp_path / item.name).symlink_to(item)
    shutil.copytree(
        paths.ROOT / "harness",
        tmp_path / "harness",
        ignore=shutil.ignore_patterns("*.egg-info", ".hypothesis", ".*_cache"),
    )
    yield tmp_path
    shutil.rmtree(tmp_path / "harness")


@pytest.mark.parametrize("wrong", WRONG, ids=[wrong.name for wrong in WRONG])
def test_a_wrong_harness_is_caught_by_its_own_tests(wrong: WrongHarness, copy: Path) -> None:
    file = copy / "harness" / "dramaturg" / wrong.file
    text = file.read_text()
    assert text.count(wrong.replace) == 1, "the text to be replaced is there once"
    file.write_text(text.replace(wrong.replace, wrong.by))
    where, _, keywords = wrong.caught_by.partition(" -k ")
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", where]
    command += ["-k", keywords.strip('"')] if keywords else []
    done = subprocess.run(
        command,
        cwd=copy / "harness" / "tests",
        env=os.environ | {"PYTHONPATH": str(copy / "harness"), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == FAILED, done.stdout[-3000:] + done.stderr[-1000:]
