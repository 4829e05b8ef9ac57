"""The launcher says what to do where the set-up is not that of the sources beside it."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from dramaturg import paths

SETUP = ".venv/bin/dramaturg"
STAMP = ".venv/.installed"
LOCK = "harness/requirements.lock"
PROTO = "proto/dramaturg/v2/control.proto"
GENERATED = "harness/dramaturg/v2/control_pb2.py"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A folder with a launcher, which has been set up."""
    for moment, name in enumerate([LOCK, PROTO, STAMP, GENERATED, SETUP]):
        file = tmp_path / "a project" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("")
        os.utime(file, (moment, moment))
    program = tmp_path / "a project" / SETUP
    program.write_text("import sys\nprint('launched', *sys.argv[1:])\n")
    program.chmod(0o755)
    program.with_name("python").symlink_to(sys.executable)
    shutil.copy(paths.ROOT / "dramaturg", tmp_path / "a project")
    return tmp_path / "a project"


def _launch(project: Path) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [project / "dramaturg", "table", "--check"], capture_output=True, text=True, check=False
    )


def test_what_is_set_up_is_launched(project: Path) -> None:
    done = _launch(project)
    assert (done.returncode, done.stdout, done.stderr) == (0, "launched table --check\n", "")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda project: (project / SETUP).unlink(), "not set up yet"),
        (lambda project: (project / LOCK).write_text("new"), f"{LOCK} has changed"),
        (lambda project: (project / STAMP).unlink(), f"{LOCK} has changed"),
        (lambda project: (project / PROTO).touch(), "proto/ has changed"),
        (lambda project: (project / GENERATED).unlink(), "proto/ has changed"),
    ],
)
def test_what_is_not_is_refused(project: Path, change: Callable[[Path], object], said: str) -> None:
    change(project)
    done = _launch(project)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr
    assert f"run 'make setup' in {project}" in done.stderr
