"""A disk that is full on one host of two: the command ends, and names the host."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from cluster_kit import Running, records
from waiting import wait_until

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "benchmarks"))

import bench_judging

from dramaturg import paths
from dramaturg.judging import divided_log

FULL = "No space left on device"


@dataclass
class Two:
    """A scheduler of loopback, and two workers: ``roomy``, and ``full`` on a disk of 1 MB."""

    place: str
    disk: Path

    def fill(self) -> None:
        there = os.statvfs(self.disk)
        (self.disk / "ballast").write_bytes(bytes(there.f_bavail * there.f_frsize))


@pytest.fixture
def two(tmp_path: Path) -> Iterator[Two]:
    disk, roomy = tmp_path / "disk", tmp_path / "roomy"
    for folder in (disk, roomy):
        folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=1m,nr_inodes=4096", "tmpfs", str(disk)]
    done = subprocess.run(mount, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        pytest.skip(f"no file system can be mounted: {done.stderr.strip()}")
    started: list[subprocess.Popen[bytes]] = []

    def start(program: str, temporary: Path, *words: object) -> Path:
        log = tmp_path / f"{program}-{len(started)}.log"
        command = [str(paths.PYTHON), "-m", f"distributed.cli.{program}", *map(str, words)]
        with log.open("wb") as stream:
            started.append(
                subprocess.Popen(
                    [*command, "--no-dashboard"], stderr=stream, stdout=stream, cwd=tmp_path,
                    env=os.environ | {"TMPDIR": str(temporary)},
                )
            )  # fmt: skip
        return log

    file = tmp_path / "scheduler.json"
    local = ["--host", "127.0.0.1"]
    usual = [*local, "--nthreads", 1, "--no-nanny", "--memory-limit", 0]
    try:
        start("dask_scheduler", roomy, *local, "--port", 0, "--scheduler-file", file)
        assert wait_until(lambda: file.exists() and file.read_text().strip(), 90, 0.1)
        place = json.loads(file.read_text())["address"]
        for name, folder in (("roomy", roomy), ("full", disk)):
            log = start("dask_worker", folder, place, *usual, "--name", name,
                        "--local-directory", roomy)  # fmt: skip
            assert wait_until(lambda log=log: "Registered to" in log.read_text(), 90, 0.1)
        yield Two(place, disk)
    finally:
        for process in reversed(started):
            process.kill()
            process.wait()
        subprocess.run(["umount", "--lazy", str(disk)], check=True)


@pytest.fixture
def temporary(tmp_path: Path) -> Path:
    folder = tmp_path / "temporary"
    folder.mkdir()
    return folder


def test_a_host_without_room_for_its_part_of_a_run_is_named(
    two: Two, tmp_path: Path, temporary: Path
) -> None:
    file = tmp_path / "made.run"
    divided_log.ready()  # The code that is compiled here is compiled for all.
    bench_judging.record("bang", 1_001_000, file)
    code, out, said = Running(temporary, "replay", file, "--json", "--cluster", two.place).end()
    assert code == 8, (out, said)
    assert "made.run was not replayed: full: a part of a log cannot be decided" in said
    assert FULL in said
    assert [each.name for each in two.disk.iterdir()] == []


def test_cases_on_a_host_whose_disk_is_full_say_so_and_the_others_are_kept(
    two: Two, tmp_path: Path, temporary: Path
) -> None:
    folder = tmp_path / "results"
    words = ["certify", "reference", "conformance/mutants+early_confirm", "--level", "0"]
    run = Running(temporary, *words, "--cluster", two.place, "--output", folder)
    run.reach(lambda: any(each["host"] == "full" for each in records(folder)))
    before = records(folder)
    two.fill()
    run.end()
    found = records(folder)
    assert found[: len(before)] == before
    faults = [each for each in found if each["outcome"] == "harness fault"]
    # Whoever writes nothing goes on; the rest ends soon, and not with a verdict.
    assert {each["outcome"] for each in found} <= {"pass", "harness fault"}
    assert {each["host"] for each in faults} <= {"full"}
