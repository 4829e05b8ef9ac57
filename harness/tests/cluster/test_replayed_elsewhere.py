"""A worker judges a recorded run as it is judged here; one that is killed costs time alone."""

import contextlib
import json
import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from cluster_kit import Running, send
from test_cluster_lost import at_work

from dramaturg.cli import replay
from dramaturg.model.simulation import Simulation
from dramaturg.model.workload import workload_of
from dramaturg.processes import confined
from dramaturg.trace import recorded
from dramaturg.v2 import benchmarks_pb2


@pytest.fixture
def temporary(tmp_path: Path) -> Path:
    folder = tmp_path / "temporary"
    folder.mkdir()
    return folder


def run_of(rounds: int, file: Path, lost: int = 0) -> Path:
    """A run of the model; the last so many events of one actor are lost."""
    benchmark = benchmarks_pb2.Benchmark(pingpong=benchmarks_pb2.PingPongParameters(rounds=rounds))
    workload = workload_of(benchmark)
    workload.run()
    logs = Simulation(workload).perform().logs
    if lost:
        actor = min(logs)
        logs[actor] = logs[actor][:-lost]
    return recorded.save(
        file,
        implementation="reference",
        case="made",
        benchmark=benchmark,
        script=workload.script,
        logs=logs,
    )


@contextlib.contextmanager
def at_a_standstill(run: Running) -> Iterator[None]:
    """The job under way stands still: it is not over before what is to happen in its midst."""
    [child] = run.children()
    os.kill(child, signal.SIGSTOP)
    try:
        yield
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.kill(child, signal.SIGCONT)


def replayed(temporary: Path, file: Path, *words: str) -> tuple[int, dict[str, Any], str]:
    code, out, said = Running(temporary, "replay", file, "--json", *words).end()
    return code, json.loads(out) if out else {}, said


@pytest.mark.parametrize("lost", [0, 1])
def test_a_verdict_is_that_of_one_machine(lost: int, tmp_path: Path, temporary: Path) -> None:
    file = run_of(50, tmp_path / "made.run", lost)
    code, here, _ = replayed(temporary, file)
    there_code, there, _ = replayed(temporary, file, "--cluster", "local:1")
    assert there.pop("host") == "local/0"
    assert there == here
    assert there_code == code == lost


def test_a_worker_that_is_killed_in_the_middle_costs_time_and_nothing_else(
    tmp_path: Path, temporary: Path
) -> None:
    file = run_of(150_000, tmp_path / "made.run")
    run = Running(temporary, "replay", file, "--json", "--cluster", "local:2")
    run.reach(lambda: len(run.children()) == 1)
    with at_a_standstill(run):
        send(at_work(run), signal.SIGKILL)
    code, out, said = run.end()
    assert "was lost; its part goes to other hosts" in said
    assert code == 0, said
    document = json.loads(out)
    assert document["conforms"]
    assert document["events"] == 300_001
    assert document["host"] in ("local/0", "local/1")


def test_all_workers_killed_is_no_verdict(tmp_path: Path, temporary: Path) -> None:
    file = run_of(150_000, tmp_path / "made.run")
    run = Running(temporary, "replay", file, "--json", "--cluster", "local:2")
    run.reach(lambda: len(run.children()) == 1)
    with at_a_standstill(run):
        for pid in run.members("worker"):
            send(pid, signal.SIGKILL)
    code, out, said = run.end()
    assert code == 8, (out, said)
    assert "made.run was not replayed" in said
    assert "local/0, local/1" in said


def test_what_is_no_run_is_refused_there_in_the_same_words(tmp_path: Path, temporary: Path) -> None:
    file = tmp_path / "odd.run"
    file.write_bytes(b"\xff" * 100)
    code, _, said = replayed(temporary, file)
    there_code, _, there = replayed(temporary, file, "--cluster", "local:1")
    assert there_code == code == 2
    assert there.strip().splitlines()[-1] == said.strip().splitlines()[-1]


def test_a_host_that_does_not_see_the_file_is_sent_it(tmp_path: Path) -> None:
    file = run_of(50, tmp_path / "made.run")
    given = {"file": "/not/there/made.run", "actor": None, "everything": False, "digest": ""}
    content = confined.packed(file.read_bytes())
    told = replay.judged_there(given | {"content": content, "shares": False}, print)
    assert told["conforms"]
