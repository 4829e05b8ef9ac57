"""A disk that is full on a host of a cluster, or where its work is parted: it is said, and nothing
is left on it."""

import json
import os
import subprocess
import tempfile
import zlib
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from fire_kit import Disk

from dramaturg import paths
from dramaturg.judging import divided_log
from dramaturg.model.simulation import Simulation
from dramaturg.model.workload import workload_of
from dramaturg.orchestration import judged_in_parts
from dramaturg.processes import confined
from dramaturg.trace import recorded
from dramaturg.trace.replay.steps import divided
from dramaturg.v2 import benchmarks_pb2

FULL = "No space left on device"


def performed(disk: Path, function: str, given: dict[str, Any]) -> dict[str, Any]:
    """The answer of a job as a worker has it performed, with its temporary files there."""
    job = json.dumps({"function": function, "given": given}).encode() + b"\n"
    with subprocess.Popen(
        paths.python("-m", "dramaturg.cluster.child_job"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=os.environ | {"TMPDIR": str(disk)},
    ) as process:
        assert process.stdin and process.stdout
        process.stdin.write(job)
        process.stdin.flush()
        answer: dict[str, Any] = json.loads(process.stdout.readlines()[-1])
    return answer


def test_a_part_of_a_log_for_which_a_host_has_no_room_is_refused_by_its_place(disk: Disk) -> None:
    disk.leave(16_384)
    large = confined.packed(zlib.compress(os.urandom(1 << 20)))
    given = {
        "folder": "/not/there",
        "part": 0,
        "events": 10,
        "actors": 10,
        "content": dict.fromkeys(divided.part_files(), large),
        "shares": False,
    }
    answer = performed(disk.folder, divided_log.FUNCTION, given)
    said = f"a part of a log cannot be decided: {disk.folder}: {FULL}"
    assert answer == {"failed": said}
    assert [each.name for each in disk.folder.iterdir()] == ["ballast"]


def test_a_run_for_whose_parts_there_is_no_room_is_left_to_one_host(
    disk: Disk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(disk.folder))
    monkeypatch.setattr(judged_in_parts, "ABOVE", 20)
    benchmark = benchmarks_pb2.Benchmark(pingpong=benchmarks_pb2.PingPongParameters(rounds=50))
    workload = workload_of(benchmark).run()
    file = recorded.save(
        tmp_path / "made.run",
        implementation="reference",
        case="made",
        benchmark=benchmark,
        script=workload.script,
        logs=Simulation(workload).perform().logs,
    )
    said, two = list[str](), SimpleNamespace(hosts=[None, None])
    found = judged_in_parts.judged(two, file, None, said.append)  # type: ignore[arg-type]
    assert found is None
    assert said[0].startswith(f"the run is not divided: {disk.folder}/")
    assert "MiB are free" in said[0]
    assert list(disk.folder.iterdir()) == []
