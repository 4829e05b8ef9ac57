"""Common parts of the tests that set the harness on fire."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from fire_kit import Command, Disk

from dramaturg import paths
from dramaturg.conformance import world
from dramaturg.control import session
from dramaturg.processes import supervised


@pytest.fixture
def temporary() -> Iterator[Path]:
    """The folder of temporary files in this test, and of nothing else: a short path, since sockets
    have theirs there."""
    with tempfile.TemporaryDirectory(prefix="fire-", ignore_cleanup_errors=True) as folder:
        yield Path(folder)


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, temporary: Path) -> None:
    """The harness's own limits, short enough for what is stopped for good; its own folders.
    That of the test itself is made before, where it is made elsewhere."""
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    monkeypatch.setattr(supervised, "GRACE", 0.2)
    monkeypatch.setattr(supervised, "LINGER", 0.3)
    for module in (session, world):
        monkeypatch.setattr(module, "ORDINARY_TIME", 1.0)


@pytest.fixture
def dramaturg(temporary: Path) -> Command:
    """The command line, with temporary files in a folder of this test's own."""

    def run(*words: object, **environment: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            [sys.executable, "-m", "dramaturg.cli.main", *map(str, words)],
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
            cwd=paths.ROOT,
            env=os.environ | {"TMPDIR": str(temporary)} | environment,
        )

    return run


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Disk]:
    """A disk that can be full. Takes root."""
    folder = tmp_path / "disk"
    folder.mkdir()
    options = ["-t", "tmpfs", "-o", "size=1m,nr_inodes=64", "tmpfs", str(folder)]
    done = subprocess.run(["mount", *options], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        pytest.skip(f"no file system can be mounted: {done.stderr.strip()}")
    yield Disk(folder)
    subprocess.run(["umount", "--lazy", str(folder)], check=True)
