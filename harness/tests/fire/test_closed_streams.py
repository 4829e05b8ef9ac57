"""A closed standard stream, a read-only checkout, a byte order mark: no fault, no traceback."""

import errno
import io
import itertools
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from dramaturg import paths, results
from dramaturg.conformance.result import outcome_of
from dramaturg.errors import Unwritable
from dramaturg.implementation import build, startable
from dramaturg.implementation.manifest import load
from dramaturg.outcomes import USAGE_ERROR, Outcome
from dramaturg.results import ResultsError
from dramaturg.terminal import streams
from dramaturg.timing.planning import suites

DRAMATURG = paths.ROOT / "dramaturg"


STREAMS = ("<&-", ">&-", "2>&-")
CLOSED = [" ".join(each) for n in (1, 2, 3) for each in itertools.combinations(STREAMS, n)]


@pytest.mark.parametrize("closed", CLOSED)
def test_a_closed_stream_changes_no_exit_code_and_breaks_nothing(
    closed: str, tmp_path: Path
) -> None:
    for words, status in (("doctor reference", 0), ("doctor reference --json", 0), ("certfy", 2)):
        done = subprocess.run(
            ["sh", "-c", f"'{DRAMATURG}' {words} {closed}"],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        assert done.returncode == status, done.stdout + done.stderr
        assert "Traceback" not in done.stdout + done.stderr
        assert "fault" not in done.stdout + done.stderr


@pytest.mark.parametrize(
    ("words", "streams", "status"),
    [
        ("doctor reference", ">/dev/full", Outcome.HARNESS_FAULT.exit_code),
        ("doctor reference", "2>/dev/full", 0),
        ("spec", ">/dev/full", Outcome.HARNESS_FAULT.exit_code),
        ("certfy", ">/dev/full 2>/dev/full", 2),
    ],
)
def test_a_full_stream_is_one_line_and_an_exit_code_of_ours(
    words: str, streams: str, status: int, tmp_path: Path
) -> None:
    harness = shlex.join(paths.python("-m", "dramaturg.cli.main"))
    done = subprocess.run(
        ["sh", "-c", f"unset PYTHONUNBUFFERED; {harness} {words} {streams}"],
        cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == status, done.stderr
    assert "Exception ignored" not in done.stderr
    assert done.stderr.count("No space left on device") == (status == 8)


def test_a_current_folder_that_is_gone_is_said_so(tmp_path: Path) -> None:
    (tmp_path / "gone").mkdir()
    harness = shlex.join(paths.python("-m", "dramaturg.cli.main"))
    done = subprocess.run(
        ["sh", "-c", f"cd gone; rmdir ../gone; {harness} doctor reference"],
        cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == USAGE_ERROR, done.stderr
    assert done.stderr.endswith("the folder in which this was typed is no longer there\n")


def test_a_run_whose_standard_error_is_closed_is_whole(tmp_path: Path) -> None:
    words = f"certify reference --level 0 --output {tmp_path}/out -- -k fold"
    done = subprocess.run(
        ["sh", "-c", f"'{DRAMATURG}' {words} 2>&-"],
        cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    assert done.returncode == Outcome.NOT_RUN.exit_code
    assert "1 passed" in done.stdout


def refusing(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """As on a file system that is mounted read-only; for root modes are nothing."""
    usual = Path.mkdir

    def mkdir(self: Path, *words: object, **more: object) -> None:
        if self.name == name:
            raise OSError(errno.EROFS, "Read-only file system", str(self))
        usual(self, *words, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(Path, "mkdir", mkdir)


def test_a_checkout_that_is_read_only_is_not_run_and_no_fault(
    implementation_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    refusing(monkeypatch, ".build")
    with pytest.raises(Unwritable, match="Read-only file system; a build is made in") as raised:
        build.build(load(implementation_folder))
    assert outcome_of(raised.value) is Outcome.NOT_RUN


def test_results_that_cannot_lie_where_one_stands_can_lie_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    refusing(monkeypatch, "results")
    with pytest.raises(ResultsError, match="--output FOLDER"):
        results.new_folder()
    with (
        pytest.raises(ResultsError, match="--output FOLDER"),
        results.claimed(tmp_path / "results"),
    ):
        pass


def test_a_byte_order_mark_is_no_part_of_what_a_file_says(
    implementation_folder: Path, tmp_path: Path
) -> None:
    for file in (implementation_folder / "dramaturg.toml", tmp_path / "s.yaml"):
        said = file.read_bytes() if file.exists() else b"suite: a\nbenchmarks: [{benchmark: big}]\n"
        file.write_bytes(b"\xef\xbb\xbf" + said)
    assert load(implementation_folder).name == "sketch"
    assert suites.load(str(tmp_path / "s.yaml")).suite == "a"


def test_a_script_that_begins_with_one_is_named(tmp_path: Path) -> None:
    (tmp_path / "run").write_bytes(b"\xef\xbb\xbf#!/bin/sh\n")
    (tmp_path / "run").chmod(0o755)
    assert "byte order mark" in startable.problem(["./run"], tmp_path, {})


@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
def test_a_terminal_of_another_encoding_is_shown_escapes(
    encoding: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Servers often have such streams: a multiplication sign is none of ASCII's."""
    there = {
        name: io.TextIOWrapper(io.BytesIO(), encoding=encoding) for name in ("stdout", "stderr")
    }
    for name, stream in there.items():
        monkeypatch.setattr(sys, name, stream)
    streams.spell_out()
    for stream in there.values():
        stream.write("\u2264 10 \u2502 x")
        stream.flush()
        assert stream.buffer.getvalue() == b"\\u2264 10 \\u2502 x"  # type: ignore[attr-defined]
