"""A command reports words that match nothing, and folders that hold nothing."""

import subprocess
from pathlib import Path

import pytest

from dramaturg import paths, results
from dramaturg.outcomes import Outcome
from dramaturg.records import CaseRecord
from dramaturg.results import Writer

DRAMATURG = str(paths.ROOT / "dramaturg")


def run(folder: Path, *words: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [DRAMATURG, *words], cwd=folder, capture_output=True, text=True, timeout=300, check=False
    )


def test_words_that_match_no_case_are_named_with_what_was_meant(tmp_path: Path) -> None:
    said = run(tmp_path, "certify", "reference", "--dry-run", "--", "-k", "pingpnog")
    output = " ".join(said.stderr.split())
    assert "-k pingpnog matches none of the" in output
    assert "did you mean 'pingpong'?" in output
    assert "matches none" not in run(
        tmp_path, "certify", "reference", "--dry-run", "--", "-k", "pingpong"
    ).stderr  # fmt: skip


def record() -> CaseRecord:
    return CaseRecord(
        implementation="mine", level=0, benchmark="control", case="one", outcome=Outcome.PASS
    )


def test_latest_is_the_last_that_has_something_in_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    latest = tmp_path / "results" / "latest"
    first = results.new_folder()
    assert latest.resolve() == first
    with Writer(first / results.CONFORMANCE) as writer:
        writer.write(record())
    empty = results.new_folder()
    with Writer(empty / results.CONFORMANCE):
        pass
    assert latest.resolve() == first
    third = results.new_folder()
    assert latest.resolve() == first
    with Writer(third / results.TIMINGS) as writer:
        writer.write(record())
        assert latest.resolve() == third
    named = tmp_path / "results" / "monday"
    with Writer(named / results.CONFORMANCE) as writer:
        writer.write(record())
    assert latest.resolve() == third
