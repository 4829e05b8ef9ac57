"""``dramaturg warmup``, and `bench` by what it found."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from dramaturg import results
from dramaturg.timing.planning import warmups

SMALL = ["pingpong", "--scale", "tiny", "-i", "reference", "--uncertified"]


def _dramaturg(folder: Path, *arguments: object) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "dramaturg.cli.main", *map(str, arguments)]
    return subprocess.run(
        command, capture_output=True, text=True, check=False, cwd=folder,
        env=os.environ | {"COLUMNS": "600"},
    )  # fmt: skip


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ([], "name a suite or a benchmark"),
        (["chess"], "no suite is called 'chess'"),
        (["--from", "nowhere"], "nowhere/timings.jsonl"),
        (["--from", ".", "pingpong"], "--from runs nothing"),
        (["--from", "."], "timings.jsonl"),
    ],
)
def test_bad_input_is_an_error_and_exit_code_2(
    tmp_path: Path, arguments: list[str], says: str
) -> None:
    done = _dramaturg(tmp_path, "warmup", *arguments)
    assert done.returncode == 2, done.stderr
    assert says in done.stderr
    assert "Traceback" not in done.stderr


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder in which the reference's warm-up was measured."""
    folder = tmp_path_factory.mktemp("warmup")
    done = _dramaturg(folder, "warmup", *SMALL, "--json", "--output", "measured")
    assert done.returncode == 0, done.stderr
    return folder


def test_it_is_measured_and_kept_with_what_it_depends_on(folder: Path) -> None:
    (one,) = warmups.read(folder / "results" / warmups.FILE)
    assert (one.implementation, len(one.warmups), one.iterations) == ("reference", 3, 100)
    assert one.runtime_version.startswith("3.")
    assert one.machine["id"]
    assert one.harness["digest"]
    assert one.session == "measured"


def test_what_was_measured_is_read_again_without_a_run(folder: Path) -> None:
    before = (folder / "results" / warmups.FILE).read_text()
    done = _dramaturg(folder, "warmup", "--from", "measured")
    assert done.returncode == 0, done.stderr
    assert "pingpong counted, tiny scale" in done.stdout
    assert (folder / "results" / warmups.FILE).read_text() == before


def _bench(folder: Path, output: Path, **changed: Any) -> tuple[int, str, str]:
    """Iterations and rule of a run, and what it said, where the record is changed so."""
    file = folder / "results" / warmups.FILE
    whole = file.read_text()
    said = json.loads(whole)
    said["measured"][0] |= {"warmups": [2, 5, 3], "settled": True} | changed
    file.write_text(json.dumps(said))
    try:
        words = ("--invocations", 1, "--output", output)
        done = _dramaturg(folder, "bench", *SMALL, *words)
    finally:
        file.write_text(whole)
    assert done.returncode == 0, done.stderr
    recorded = results.read(output / results.TIMINGS)
    timed = [sample for sample in recorded.samples if sample.invocation == 0]
    return len(timed), recorded.units[0].warmup_rule, done.stderr


def test_bench_goes_by_it_and_says_so(folder: Path, tmp_path: Path) -> None:
    iterations, rule, _ = _bench(folder, tmp_path / "out")
    assert iterations == 10  # Five, as many as the suite has, and five of warm-up.
    assert "measured (3 x 100 iterations, measured): 5 iterations" in rule


def test_what_is_out_of_date_is_said_and_not_used(folder: Path, tmp_path: Path) -> None:
    iterations, rule, said = _bench(folder, tmp_path / "out", runtime_version="2.7")
    assert iterations == 5
    assert "since the runtime was 2.7 and is 3." in rule
    assert "is out of date, since the runtime was 2.7" in said


def test_a_record_that_is_none_is_refused_before_anything_runs(tmp_path: Path) -> None:
    (tmp_path / "results").mkdir()
    (tmp_path / "results" / warmups.FILE).write_text("{}")
    for more in ((), ("--dry-run",)):
        done = _dramaturg(tmp_path, "bench", *SMALL, *more)
        assert done.returncode == 2, done.stderr
        assert "warmup.json is no record of warm-up" in done.stderr
    done = _dramaturg(tmp_path, "bench", *SMALL, "--iterations", 2, "--dry-run")
    assert done.returncode == 0, done.stderr
