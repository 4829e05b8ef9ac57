"""Whatever ends: nothing is left behind, hosts are named, and results so far are kept."""

import json
import signal
from pathlib import Path

import pytest
from cluster_kit import ENDED, Running, ended, records, send
from waiting import wait_until

from dramaturg.implementation.manifest import find
from dramaturg.outcomes import INTERRUPTED, Outcome
from dramaturg.plan.case_plan import make

WORDS = ["certify", "reference", "--level", "0", "--cluster", "local:2", "--json", "--output"]

ALL = len(make([find("reference")], [0]).items)

SOME = 3
"""Cases after which it is in the midst of the others."""


@pytest.fixture
def temporary(tmp_path: Path) -> Path:
    folder = tmp_path / "temporary"
    folder.mkdir()
    return folder


def at_work(run: Running) -> int:
    """The worker that performs: the parent of the process that does."""
    [child] = run.children()
    said = (Path("/proc") / str(child) / "stat").read_text().rpartition(")")[2].split()
    return int(said[1])


def under_way(tmp_path: Path, temporary: Path) -> tuple[Running, Path]:
    folder = tmp_path / "results"
    run = Running(temporary, *WORDS, folder)
    run.reach(lambda: len(records(folder)) >= SOME and len(run.children()) == 1)
    return run, folder


def test_a_worker_that_is_killed_costs_time_and_nothing_else(
    tmp_path: Path, temporary: Path
) -> None:
    run, folder = under_way(tmp_path, temporary)
    before = records(folder)
    [child] = run.children()
    send(at_work(run), signal.SIGKILL)
    assert wait_until(lambda: ended(child), ENDED, 0.1), "what it performed has ended"
    code, out, said = run.end()
    assert "was lost; its part goes to other hosts" in said
    assert code == 0, (out, said)
    found = records(folder)
    assert found[: len(before)] == before
    assert len(found) == ALL
    assert len({each["case"] for each in found}) == ALL
    assert {each["outcome"] for each in found} == {"pass"}
    assert len({each["host"] for each in found}) == 2


def test_a_worker_that_is_stopped_is_lost_and_its_work_goes_to_the_other(
    tmp_path: Path, temporary: Path
) -> None:
    run, folder = under_way(tmp_path, temporary)
    send(at_work(run), signal.SIGSTOP)
    _, _, said = run.end()
    assert "was lost" in said
    assert len(records(folder)) == ALL


def test_all_workers_lost_is_not_run_with_their_names(tmp_path: Path, temporary: Path) -> None:
    run, folder = under_way(tmp_path, temporary)
    for pid in run.members("worker"):
        send(pid, signal.SIGKILL)
    code, _, _ = run.end()
    found = records(folder)
    rest = [each for each in found if each["outcome"] != "pass"]
    assert len(found) == ALL and rest
    assert {each["outcome"] for each in rest} == {"not run"}
    assert "local/0, local/1" in rest[0]["message"]
    assert code == Outcome.NOT_RUN.exit_code


def test_a_scheduler_that_is_lost_ends_all_and_keeps_what_there_is(
    tmp_path: Path, temporary: Path
) -> None:
    run, folder = under_way(tmp_path, temporary)
    [scheduler] = run.members("scheduler")
    send(scheduler, signal.SIGKILL)
    code, out, said = run.end()
    document = json.loads(out)
    assert ["the scheduler was lost" in each for each in document["errors"]] == [True], (out, said)
    assert code == Outcome.HARNESS_FAULT.exit_code
    assert SOME <= len(records(folder)) < ALL


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_ends_all_and_keeps_what_there_is(
    number: signal.Signals, tmp_path: Path, temporary: Path
) -> None:
    run, folder = under_way(tmp_path, temporary)
    send(run.process.pid, number)
    code, _, said = run.end()
    assert code == INTERRUPTED, said
    assert "Traceback" not in said
    assert SOME <= len(records(folder)) < ALL
    assert list(temporary.iterdir()) == []


def test_a_command_that_is_killed_leaves_nobody(tmp_path: Path, temporary: Path) -> None:
    run, folder = under_way(tmp_path, temporary)
    send(run.process.pid, signal.SIGKILL)
    run.process.wait()
    assert wait_until(lambda: not run.left(), ENDED, 0.1), run.left()
    assert wait_until(lambda: not list(temporary.iterdir()), ENDED, 0.1), list(temporary.iterdir())
    assert len(records(folder)) >= SOME
