"""Parts of one run are judged on several hosts: verdict and words are those of one machine."""

import contextlib
import json
import signal
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from importlib import import_module
from pathlib import Path

import pytest
from cluster_kit import Running, send
from test_replayed_elsewhere import replayed, run_of

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "judging"))
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "benchmarks"))

import bench_judging
from judging_kit import benchmark_of
from mutation_kit import run_of as logs_of

from dramaturg.cli import replay
from dramaturg.cluster.reached import Ended, Job
from dramaturg.cluster.worker_hosts import Host
from dramaturg.errors import ClusterLost, HarnessFault
from dramaturg.judging import divided_log
from dramaturg.orchestration import judged_in_parts
from dramaturg.orchestration.judged_in_parts import Found, judged
from dramaturg.results import ResultsError
from dramaturg.trace import recorded
from dramaturg.trace.columns.column_logs import ColumnLogs
from dramaturg.trace.events import Logs

ABOVE = 20
"""Events above which runs are divided here."""

BANG = 1_001_000
"""About how many events a run of bang has that is divided in any case."""


class Inline:
    """Hosts that perform within this process, one job after the other."""

    def __init__(self, shares: bool, why: str = "") -> None:
        host = Host("h0", "tcp://127.0.0.1:1", {}, shares)
        self.hosts = [host, replace(host, name="h1", worker="tcp://127.0.0.1:2")]
        self.why = why

    def perform(self, jobs: list[Job], notice: Callable[[str], None]) -> Iterator[Ended]:
        for number, job in enumerate(jobs):
            host = self.hosts[number % 2]
            if self.why and number:
                yield Ended(number, host.name, why=f"{host.name}: {self.why}")
                return
            module, _, name = job.function.partition(":")
            given = json.loads(json.dumps(job.given)) | {"shares": host.shares}
            if not host.shares:
                given["folder"] = "/not/there"
            answer = getattr(import_module(module), name)(given, print)
            yield Ended(number, host.name, json.loads(json.dumps(answer)))


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judged_in_parts, "ABOVE", ABOVE)


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder of all temporary files; none is left."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    yield folder
    assert [each.name for each in folder.iterdir()] == []


def saved(name: str, file: Path, change: Callable[[Logs], Logs] = lambda logs: logs) -> Path:
    workload, logs = logs_of(name)
    return recorded.save(
        file,
        implementation="reference",
        case="made",
        benchmark=benchmark_of(name),
        script=workload.script,
        logs=change(logs),
    )


def shortened(logs: Logs) -> Logs:
    actor = max(logs, key=lambda each: len(logs[each]))
    return {**logs, actor: logs[actor][:-1]}


@pytest.mark.parametrize("shares", [True, False])
@pytest.mark.parametrize("name", ["chatapp", "web"])
def test_a_run_conforms_in_parts_whether_hosts_see_it_or_are_sent_it(
    name: str, shares: bool, tmp_path: Path, temporary: Path
) -> None:
    file, said = saved(name, tmp_path / "made.run"), list[str]()
    actor = "client/0" if name == "chatapp" else "browser/1"
    found = judged(Inline(shares), file, actor, said.append)  # type: ignore[arg-type]
    here = replay.judged({"file": str(file), "actor": actor, "everything": False})
    assert found is not None and found.conforms, said
    told = replay._conforming(found)
    assert told.document == here["document"]
    assert told.lines == here["lines"]
    assert found.hosts == ["h0", "h1"]
    assert "parts of" in said[0]


@pytest.mark.parametrize("shares", [True, False])
def test_what_does_not_conform_is_refused_in_parts(
    shares: bool, tmp_path: Path, temporary: Path
) -> None:
    file = saved("web", tmp_path / "made.run", shortened)
    found = judged(Inline(shares), file, None, print)  # type: ignore[arg-type]
    assert found is not None
    assert found.conforms is False


def test_who_plays_everything_leaves_nothing_to_others(tmp_path: Path, temporary: Path) -> None:
    file = saved("mergesort", tmp_path / "made.run")
    assert judged(Inline(True), file, None, print) is None  # type: ignore[arg-type]


def test_a_small_run_is_not_divided_and_nor_is_one_for_a_single_host(
    tmp_path: Path, temporary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, one = saved("web", tmp_path / "made.run"), Inline(True)
    del one.hosts[1]
    assert judged(one, file, None, print) is None  # type: ignore[arg-type]
    monkeypatch.setattr(judged_in_parts, "ABOVE", 1000)
    assert judged(Inline(True), file, None, print) is None  # type: ignore[arg-type]


def test_what_is_no_run_is_left_to_one_host_which_says_so(tmp_path: Path, temporary: Path) -> None:
    file, said = tmp_path / "odd.run", list[str]()
    file.write_bytes(b"\xff" * 1000)
    assert judged(Inline(True), file, None, said.append) is None  # type: ignore[arg-type]
    assert "is no recorded run" in said[0]


def test_a_disk_without_room_to_sort_a_run_is_said_before_it_is_sorted(
    tmp_path: Path, temporary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ColumnLogs, "needs", property(lambda self: 1 << 60))
    monkeypatch.setattr(ColumnLogs, "sorted", property(lambda self: pytest.fail("it was sorted")))
    file = str(saved("big", tmp_path / "a.run"))
    given = {"file": file, "folder": str(temporary), "parts": 2, "above": ABOVE}
    with pytest.raises(ResultsError, match=r"MiB are free, and a log of .* TMPDIR"):
        divided_log.laid_out(given)


def test_a_host_that_cannot_go_on_is_named(tmp_path: Path, temporary: Path) -> None:
    file = saved("web", tmp_path / "made.run")
    full = Inline(True, "a part of a log cannot be decided: No space left on device")
    with pytest.raises(ClusterLost, match=r"made\.run was not replayed: h1: .*No space left"):
        judged(full, file, None, print)  # type: ignore[arg-type]


def test_a_part_that_did_not_come_as_it_was_sent_is_the_harnesss_fault(temporary: Path) -> None:
    given = {"folder": "/not/there", "part": 0, "content": {}, "shares": False}
    with pytest.raises(HarnessFault, match="did not come as it was sent"):
        divided_log.performed(given, print)


def test_parts_that_refuse_what_the_token_game_accepts_are_the_harnesss_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = saved("web", tmp_path / "made.run")
    refusal = Found(False, "made up", "reference", "made", 1)
    monkeypatch.setattr(judged_in_parts, "judged", lambda *given: refusal)
    opened = contextlib.nullcontext(Inline(True))
    monkeypatch.setattr(replay.cluster_use, "opened", lambda *given: opened)
    given = {"file": str(file), "actor": None, "everything": False}
    with pytest.raises(HarnessFault, match="token game accepts: made up"):
        replay._there("local:2", None, file, given)


def parent(pid: int) -> int:
    said = (Path("/proc") / str(pid) / "stat").read_text().rpartition(")")[2].split()
    return int(said[1])


def test_a_worker_that_is_killed_in_the_midst_of_its_part_costs_time_and_nothing_else(
    tmp_path: Path,
) -> None:
    file, folder = tmp_path / "made.run", tmp_path / "temporary"
    folder.mkdir()
    divided_log.ready()  # The code that is compiled here is compiled for all.
    bench_judging.record("bang", BANG, file)
    code, here, _ = replayed(folder, file)
    assert code == 0
    run = Running(folder, "replay", file, "--json", "--cluster", "local:2")
    run.reach(lambda: len(run.children()) == 2)
    send(parent(run.children()[0]), signal.SIGKILL)
    code, out, said = run.end()
    assert code == 0, said
    assert "was lost; its part goes to other hosts" in said
    there = json.loads(out)
    assert {*there.pop("host").split(", ")} <= {"local/0", "local/1"}
    assert there == here
    assert there["events"] > 1_000_000
    assert not list(folder.glob("dramaturg-part*"))


def test_ways_to_replay_say_the_same_of_a_run_that_is_too_small_to_be_divided(
    tmp_path: Path,
) -> None:
    folder = tmp_path / "temporary"
    folder.mkdir()
    file = run_of(50, tmp_path / "made.run", 1)
    code, here, _ = replayed(folder, file)
    there_code, there, _ = replayed(folder, file, "--cluster", "local:2")
    there.pop("host")
    assert (there_code, there) == (code, here)
