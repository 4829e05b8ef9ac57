"""Whoever is started is ended, wherever it hides, and however the harness ends."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from waiting import wait_until

from dramaturg.processes import consumption, supervised
from dramaturg.processes.supervised import Supervised

ESCAPE = """
import os, sys, time
if os.fork(): os._exit(0) if sys.argv[2:] else time.sleep(600)
os.setsid()
if os.fork(): os._exit(0)
os.chdir("/")
open(sys.argv[1], "w").write(str(os.getpid())) and os.execve(
    "/bin/sleep", ["sleep", "601"], {})
"""
"""A new session, a new parent, another name and an empty environment."""

HARNESS = """
import sys, time
from pathlib import Path
from dramaturg.processes import fence
from dramaturg.processes.supervised import Supervised
folder = Path(sys.argv[3]); folder.mkdir(); fence.guard(folder)
p = Supervised.start([sys.executable, "-c", sys.argv[1], sys.argv[2]], cwd=Path("/"),
                     environment={"PATH": "/usr/bin:/bin"})
time.sleep(600)
"""

fenced = pytest.mark.skipif(
    consumption.parent_cgroup() is None,
    reason="not run: no control groups of version 2 that we may make",
)


def alive(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


@pytest.fixture
def hidden(tmp_path: Path) -> Iterator[Path]:
    """The file in which an escaped process writes its number; it is ended after the test in any
    case."""
    file = tmp_path / "hidden"
    yield file
    if file.exists() and alive(int(file.read_text())):
        os.kill(int(file.read_text()), signal.SIGKILL)


def written(file: Path) -> bool:
    return file.exists() and file.read_text() != ""


@fenced
@pytest.mark.parametrize("rest", [[], ["leave"]], ids=["its parent stays", "its parent goes"])
def test_who_hides_is_found_and_ended(tmp_path: Path, hidden: Path, rest: list[str]) -> None:
    with Supervised.start(
        [sys.executable, "-c", ESCAPE, str(hidden), *rest], cwd=tmp_path, environment={}
    ):
        assert wait_until(lambda: written(hidden), 20)
        pid = int(hidden.read_text())
        assert wait_until(lambda: Path(f"/proc/{pid}/environ").read_bytes() == b"", 20)
    assert wait_until(lambda: not alive(pid), 30)


@fenced
def test_a_harness_that_is_killed_leaves_neither_processes_nor_folders(
    tmp_path: Path, hidden: Path
) -> None:
    folder = tmp_path / "folder"
    command = [sys.executable, "-c", HARNESS, ESCAPE, str(hidden), str(folder)]
    with subprocess.Popen(command) as harness:
        assert wait_until(lambda: written(hidden), 20)
        pid = int(hidden.read_text())
        harness.kill()
    assert wait_until(lambda: not alive(pid), 30)
    assert wait_until(lambda: not folder.exists(), 30)
    root = consumption.parent_cgroup()
    assert root is not None
    assert wait_until(lambda: not list(root.glob(f"dramaturg-{harness.pid}-*")), 30)


@fenced
def test_a_fence_is_gone_with_who_was_inside(tmp_path: Path) -> None:
    root = consumption.parent_cgroup()
    assert root is not None
    with Supervised.start(["sleep", "600"], cwd=tmp_path, environment={"PATH": "/usr/bin:/bin"}):
        assert list(root.glob(f"dramaturg-{os.getpid()}-*"))
    assert not list(root.glob(f"dramaturg-{os.getpid()}-*"))


def test_without_a_fence_who_carries_the_mark_is_found(
    tmp_path: Path, hidden: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(consumption, "_available", lambda: (None, "told so"))
    marked = ESCAPE.replace("{})", "os.environ)")
    with Supervised.start(
        [sys.executable, "-c", marked, str(hidden)], cwd=tmp_path, environment={}
    ):
        assert wait_until(lambda: written(hidden), 20)
    pid = int(hidden.read_text())
    assert wait_until(lambda: not alive(pid), 30)


def test_nothing_of_ours_is_taken_for_abandoned(tmp_path: Path) -> None:
    with Supervised.start(
        ["sleep", "600"], cwd=tmp_path, environment={"PATH": "/usr/bin:/bin"}
    ) as started:
        assert started.pid not in supervised.abandoned()
