"""A program that does not start is not tried for each case, and what is not tried is not run."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from dramaturg.conformance.pool import Pool
from dramaturg.errors import Crashed, Unstartable
from dramaturg.implementation.manifest import Implementation, load

MANIFEST = """
name = "mine"
language = "sh"
spec = "2"
control = "stdio"
benchmarks = ["pingpong"]
[run]
command = ["./run"]
"""


def made(folder: Path, script: str) -> Implementation:
    """An implementation that notes each start beside itself."""
    (folder / "mine").mkdir()
    (folder / "mine" / "dramaturg.toml").write_text(MANIFEST)
    run = folder / "mine" / "run"
    run.write_text(f"#!/bin/sh\necho x >> {folder}/starts\n{script}\n")
    run.chmod(0o755)
    return load(folder / "mine")


def starts(folder: Path) -> int:
    return len((folder / "starts").read_text().splitlines())


def test_what_failed_twice_in_the_same_way_is_not_run_for_the_rest(tmp_path: Path) -> None:
    made(tmp_path, 'echo "no such module: $$" >&2; exit 3')
    words = ["certify", "mine", "--level", "0", "--level", "1", "--json", "--", "-n", "0"]
    done = subprocess.run(
        [sys.executable, "-m", "dramaturg.cli.main", *words],
        capture_output=True, text=True, timeout=300, check=False, cwd=tmp_path,
    )  # fmt: skip
    assert starts(tmp_path) == 2
    said = json.loads(done.stdout)["implementations"]["mine"]
    assert (done.returncode, said["certified"]) == (3, False)
    outcomes = [level["outcomes"] for level in said["levels"].values() if level["outcomes"]]
    assert sum(each.get("crash", 0) for each in outcomes) == 2
    assert sum(each.get("not run", 0) for each in outcomes) > 10
    assert not any(each.get("pass") for each in outcomes)
    records = (tmp_path / json.loads(done.stdout)["results"] / "conformance.jsonl").read_text()
    last = [json.loads(line) for line in records.splitlines()][-2]
    assert last["message"].startswith("not tried again: it did not start twice in the same way")
    assert "exited with status 3" in last["message"]


def test_another_way_or_a_start_in_between_begins_the_count_anew(tmp_path: Path) -> None:
    """Nobody is given up for two mishaps that are not one."""
    odd = f"[ $(($(wc -l < {tmp_path}/starts) % 2)) = 1 ]"
    mine = made(tmp_path, f"{odd} && exit 3; kill -KILL $$")
    pool = Pool()
    for said in ("exited with status 3", "SIGKILL", "exited with status 3", "SIGKILL"):
        with pytest.raises(Crashed, match=said):
            pool.get(mine)
    (mine.folder / "run").write_text(f"#!/bin/sh\necho x >> {tmp_path}/starts\nexit 3\n")
    with pytest.raises(Crashed):
        pool.get(mine)
    with pytest.raises(Crashed):
        pool.get(mine)
    with pytest.raises(Unstartable):
        pool.get(mine)
    assert starts(tmp_path) == 6
    with pytest.raises(Unstartable):
        pool.twin(mine, tmp_path / "log").get(mine)
