"""A scheduler and a worker that somebody else has started, with TLS: they stay, and what they
performed for a command ends with it."""

import json
import os
import signal
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import psutil
import pytest
from cluster_kit import ENDED, Running, records, send
from waiting import wait_until

from dramaturg import paths
from dramaturg.cluster import tls_keys
from dramaturg.outcomes import INTERRUPTED


@dataclass
class Given:
    place: str
    keys: Path
    worker: "subprocess.Popen[bytes]"

    def jobs(self) -> list[int]:
        """Processes of the harness that the worker has started."""
        return [child.pid for child in psutil.Process(self.worker.pid).children()]


@pytest.fixture(scope="module")
def given(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Given]:
    folder = tmp_path_factory.mktemp("given")
    made = tls_keys.made()
    for kind, file in tls_keys.FILES.items():
        (folder / file).write_text(made[kind])
        (folder / file).chmod(0o600)
    tls = ["--protocol", "tls", "--tls-ca-file", folder / "ca.pem"]
    tls += ["--tls-cert", folder / "cert.pem", "--tls-key", folder / "key.pem", "--no-dashboard"]
    started: list[subprocess.Popen[bytes]] = []

    def start(program: str, *words: object) -> "subprocess.Popen[bytes]":
        command = [str(paths.PYTHON), "-m", f"distributed.cli.{program}", *map(str, words)]
        with (folder / f"{program}.log").open("wb") as log:
            started.append(
                subprocess.Popen(
                    [*command, *map(str, tls)], stderr=log, stdout=log, cwd=folder,
                    env=os.environ | {"TMPDIR": str(folder)},
                )
            )  # fmt: skip
        return started[-1]

    file = folder / "scheduler.json"
    try:
        start("dask_scheduler", "--host", "127.0.0.1", "--port", 0, "--scheduler-file", file)
        assert wait_until(lambda: file.exists() and file.read_text().strip(), 90, 0.1)
        place = json.loads(file.read_text())["address"]
        usual = ["--nthreads", 1, "--no-nanny", "--memory-limit", 0, "--host", "127.0.0.1"]
        worker = start("dask_worker", place, *usual, "--name", "given")
        log = folder / "dask_worker.log"
        assert wait_until(lambda: "Registered to" in log.read_text(), 90, 0.1), log.read_text()
        yield Given(place, folder, worker)
    finally:
        for process in reversed(started):
            process.kill()
            process.wait()


@pytest.fixture
def temporary(tmp_path: Path) -> Path:
    folder = tmp_path / "temporary"
    folder.mkdir()
    return folder


def test_it_is_reached_with_its_keys_and_not_without(given: Given, temporary: Path) -> None:
    words = ["doctor", "--json", "reference", "--cluster", given.place]
    code, out, said = Running(temporary, *words, "--cluster-tls", given.keys).end()
    assert code == 0, said
    assert list(json.loads(out)["hosts"]) == ["given"]
    code, _, said = Running(temporary, *words).end()
    assert code == 2
    assert "tls:// needs certificates" in said


def test_after_an_interrupt_it_performs_nothing_and_is_still_there(
    given: Given, tmp_path: Path, temporary: Path
) -> None:
    folder = tmp_path / "results"
    # These levels take minutes more.
    words = ["certify", "reference", "--level", "1", "--level", "2", "--level", "3"]
    words += ["--output", str(folder), "--cluster", given.place, "--cluster-tls", str(given.keys)]
    run = Running(temporary, *words)
    run.reach(lambda: len(records(folder)) >= 3)
    assert given.jobs()
    send(run.process.pid, signal.SIGINT)
    code, _, said = run.end()
    assert code == INTERRUPTED, said
    assert wait_until(lambda: not given.jobs(), ENDED, 0.1)
    assert given.worker.poll() is None


def test_a_worker_that_somebody_stops_is_lost_by_its_silence(
    given: Given, tmp_path: Path, temporary: Path
) -> None:
    folder = tmp_path / "results"
    words = ["certify", "reference", "--level", "0", "--output", folder, "--cluster", given.place]
    run = Running(temporary, *words, "--cluster-tls", given.keys)
    run.reach(lambda: len(records(folder)) >= 3)
    send(given.worker.pid, signal.SIGSTOP)
    try:
        code, _, said = run.end()
    finally:
        send(given.worker.pid, signal.SIGCONT)
    assert code == 7, said
    rest = [each for each in records(folder) if each["outcome"] != "pass"]
    assert {each["outcome"] for each in rest} == {"not run"}
    assert "its host given was lost" in rest[0]["message"]
    assert wait_until(lambda: not given.jobs(), ENDED, 0.1)
