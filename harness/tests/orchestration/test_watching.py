"""--watch: from a saved file to a verdict, until Ctrl-C, and nothing is left."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest
from waiting import wait_until

from dramaturg.outcomes import INTERRUPTED, Outcome
from dramaturg.results import CONFORMANCE

PATIENCE = 300.0
"""Seconds for one verdict, which takes five with nothing beside it."""

WAITS = "watching the sources of reference; Ctrl-C ends it"


class Watching:
    """The command, under way in a folder of its own."""

    def __init__(self, home: Path, implementation: Path, *words: str) -> None:
        self.folder, self.home = implementation, home
        self.said = home / "said"
        command = [sys.executable, "-m", "dramaturg.cli.main", "certify", str(implementation)]
        with self.said.open("wb") as said:
            self.process = subprocess.Popen(
                [*command, "--watch", *words], cwd=home, stdout=said, stderr=said,
                start_new_session=True, env=os.environ | {"TMPDIR": str(home)},
            )  # fmt: skip
        self.verdicts = 0

    def text(self) -> str:
        return self.said.read_text()

    def verdict(self) -> list[str]:
        """Wait until one more is there, and it waits; the cases that were run for it."""
        self.verdicts += 1
        assert wait_until(lambda: self.text().count(WAITS) >= self.verdicts, PATIENCE), self.text()
        assert self.process.poll() is None, self.text()
        return self.cases()[-1]

    def cases(self) -> list[list[str]]:
        """Return for each run the cases with their outcomes."""
        files = sorted((self.home / "results").glob(f"2*/{CONFORMANCE}"), key=_age)
        lines = [list(map(json.loads, file.read_text().splitlines())) for file in files]
        return [
            [f"{line['case']} {line['outcome']}" for line in found if line["record"] == "case"]
            for found in lines
        ]

    def change(self, old: str, new: str) -> None:
        """Save a file of the sources, as an editor does: another one in its place."""
        file = self.folder / "src" / "reference" / "control" / "describe.py"
        text = file.read_text()
        assert old in text
        beside = file.with_suffix(".tmp")
        beside.write_text(text.replace(old, new))
        beside.rename(file)

    def end(self, number: int = signal.SIGINT) -> int:
        started = psutil.Process(self.process.pid).children(recursive=True)
        self.process.send_signal(number)
        code = self.process.wait(PATIENCE)
        assert [each for each in started if each.is_running()] == []
        assert not list(self.home.glob("dramaturg-*"))
        return code


def _age(file: Path) -> int:
    return file.stat().st_mtime_ns


@pytest.fixture
def watch(reference_copy: Path, tmp_path: Path) -> Iterator[Callable[..., Watching]]:
    began: list[Watching] = []

    def begin(*words: str) -> Watching:
        home = tmp_path / "home"
        home.mkdir()
        began.append(Watching(home, reference_copy, "--level", "0", *words))
        return began[-1]

    yield begin
    for each in began:
        if each.process.poll() is None:
            each.process.kill()
            each.process.wait()


def test_what_failed_runs_again_and_all_of_it_when_that_passes(
    watch: Callable[..., Watching],
) -> None:
    watching = watch()
    whole = watching.verdict()
    assert {line.split()[-1] for line in whole} == {"pass"}
    watching.change("schedulers=1", "schedulers=0")
    assert watching.verdict().count("introduces-itself fail") == 1
    watching.change("schedulers=0", "schedulers=0 + 0")
    assert watching.verdict() == ["introduces-itself fail"]
    watching.change("schedulers=0 + 0", "schedulers=1")
    assert sorted(watching.verdict()) == sorted(whole)
    assert watching.cases()[-2] == ["introduces-itself pass"]
    assert "all that had failed passes: all cases once more" in watching.text()
    assert watching.end() == Outcome.PASS.exit_code
    assert watching.text().endswith("no longer watching; nothing runs any more\n")


def test_what_is_no_source_starts_nothing(watch: Callable[..., Watching]) -> None:
    watching = watch("--", "-k", "introduces")
    assert watching.verdict() == ["introduces-itself pass"]
    for name in ("notes.md", ".build/x.py", "results/x.py", "src/reference/__pycache__/x.py"):
        file = watching.folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("x")
    time.sleep(2)
    assert len(watching.cases()) == 1
    watching.change("schedulers=1", "schedulers=0")
    assert watching.verdict() == ["introduces-itself fail"]
    assert len(watching.cases()) == 2
    assert watching.end(signal.SIGTERM) == Outcome.FAIL.exit_code


def test_sources_that_a_build_links_into_its_folder_are_seen_to_change(
    watch: Callable[..., Watching],
) -> None:
    watching = watch("--", "-k", "introduces")
    watching.verdict()
    # A folder's changes are told by one of its names: by that which was listed last.
    for name in range(20):
        made = watching.folder / f"part{name}" / ".build"
        made.mkdir(parents=True)
        (made / "src").symlink_to("../../src")
    manifest = watching.folder / "dramaturg.toml"
    manifest.write_text(manifest.read_text() + "\n")
    assert watching.verdict() == ["introduces-itself pass"]
    time.sleep(2)
    watching.change("schedulers=1", "schedulers=0")
    assert watching.verdict() == ["introduces-itself fail"]
    assert watching.end() == Outcome.FAIL.exit_code


def test_what_cannot_be_read_or_built_is_said_and_waited_for(
    watch: Callable[..., Watching],
) -> None:
    watching = watch("--", "-k", "introduces")
    watching.verdict()
    manifest = watching.folder / "dramaturg.toml"
    right = manifest.read_text()
    manifest.write_text(right.replace('spec = "2"', "spec = "))
    assert wait_until(lambda: "dramaturg.toml" in watching.text(), PATIENCE)
    watching.verdict()
    manifest.write_text(right.replace("commands = []", 'commands = [["false"]]'))
    watching.verdict()
    assert "`false` ended with 1" in watching.text()
    assert len(watching.cases()) == 1
    manifest.write_text(right + "\n")
    watching.verdict()
    assert len(watching.cases()) == 2
    assert watching.end() == Outcome.NOT_RUN.exit_code


def test_ctrl_c_in_the_middle_ends_what_runs(watch: Callable[..., Watching]) -> None:
    watching = watch()
    assert wait_until(lambda: any(map(len, watching.cases())), PATIENCE)
    assert watching.end() == INTERRUPTED


@pytest.mark.parametrize("other", ["--json", "--dry-run", "--connect=unix:/tmp/x"])
def test_what_does_not_go_with_it_is_refused(tmp_path: Path, other: str) -> None:
    command = [sys.executable, "-m", "dramaturg.cli.main", "certify", "reference", "--watch", other]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "--watch goes without" in done.stderr
