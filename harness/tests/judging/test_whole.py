"""A run that is on disk is decided as one in memory, and what is wrong with it is named."""

import os
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from judging_kit import RUNS, benchmark_of, in_columns, laid_down
from mutation_kit import mutations, run_of
from waiting import wait_until

from dramaturg import paths
from dramaturg.compiled import loading
from dramaturg.errors import HarnessFault
from dramaturg.judging import whole, worker
from dramaturg.judging.whole import Judged, judge
from dramaturg.model import chatapp, names
from dramaturg.model.simulation import Simulation
from dramaturg.model.workload import ChatAppWorkload
from dramaturg.processes import confined
from dramaturg.trace.columns import laying_down
from dramaturg.trace.columns.store import Store
from dramaturg.trace.events import DECIDING, LaidDown, Logs
from dramaturg.trace.replay.token_game import replay
from dramaturg.v2 import trace_pb2 as kind

CHANGES = ("removed", "repeated", "altered", "misattributed", "of another kind")


@pytest.fixture(params=["explained", "too large to be explained"])
def _size(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param != "explained":
        monkeypatch.setattr(whole, "EXPLAINED", 5)


def judged(name: str, logs: LaidDown, alive: int | None = None) -> Judged:
    return judge(benchmark_of(name), RUNS[name], logs, alive)


@pytest.mark.parametrize("name", ["chatapp", "web", "mergesort"])
def test_a_run_on_disk_conforms_as_it_does_in_memory(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    workload, logs = run_of(name)
    expected, found = replay(workload, logs), judged(name, laid_down(logs, monkeypatch))
    assert (found.failed, found.explanation) == ("", None)
    assert found.verdict == expected


@pytest.mark.parametrize("name", RUNS)
def test_a_run_in_columns_conforms_as_it_does_in_lists(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the compiled game alone, where there is one."""
    workload, logs = run_of(name)
    expected = replay(workload, logs)
    if loading.machine(workload.parameters) is not None:
        monkeypatch.delattr(whole, "replay")
    found = judge(benchmark_of(name), workload, in_columns(logs))
    assert (found.failed, found.explanation) == ("", None)
    assert found.verdict == expected


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("name", ["chatapp", "web"])
def test_what_is_wrong_with_a_run_in_columns_is_explained_as_it_is_in_lists(
    name: str, change: str
) -> None:
    workload, logs = run_of(name)
    changed = next(other for how, other in mutations(logs) if how == change)
    found, expected = (
        judge(benchmark_of(name), workload, each) for each in (in_columns(changed), changed)
    )
    assert found.failed == expected.failed != ""
    assert found.verdict == expected.verdict
    assert found.explanation == expected.explanation


def test_a_run_that_acts_and_turns_drive_is_decided_so_as_well(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    workload = ChatAppWorkload(RUNS["chatapp"].parameters).prepare()
    workload.turn().act(1, chatapp.Choice.POST).turn().disconnect()
    logs = Simulation(workload).perform().logs
    expected = replay(workload, logs)
    assert expected.conforms
    if loading.machine(workload.parameters) is not None:
        monkeypatch.delattr(whole, "replay")
    assert judge(benchmark_of("chatapp"), workload, in_columns(logs)).verdict == expected


@pytest.mark.usefixtures("_size")
@pytest.mark.parametrize("change", CHANGES)
def test_what_is_wrong_with_a_run_on_disk_is_named(
    change: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    workload, logs = run_of("web")
    changed = next(other for how, other in mutations(logs) if how == change)
    expected = replay(workload, changed).divergence
    assert expected is not None
    found = judged("web", laid_down(changed, monkeypatch))
    assert names.spell(expected.receiver) in found.failed
    if whole.EXPLAINED > 5:
        assert found.failed == expected.headline()
        assert found.explanation is not None


@pytest.mark.parametrize("change", ["removed", "altered"])
def test_a_place_in_a_large_log_is_the_token_games(
    change: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A forward in the midst of the run; all that follows is as it should be."""
    monkeypatch.setattr(whole, "EXPLAINED", 5)
    workload, logs = run_of("chatapp")
    actor, place = next(
        (actor, place)
        for actor, log in logs.items()
        for place, (_, (number, _)) in enumerate(log)
        if number == kind.MESSAGE_KIND_CLIENT_FORWARD
    )
    sender, (number, args) = logs[actor][place]
    altered = [(sender, (number, (*args[:-1], args[-1] + 1)))] if change == "altered" else []
    changed = {**logs, actor: [*logs[actor][:place], *altered, *logs[actor][place + 1 :]]}
    expected = replay(workload, changed).divergence
    assert expected is not None
    assert judged("chatapp", laid_down(changed, monkeypatch)).failed.startswith(expected.headline())


def test_a_circle_in_a_large_log_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(whole, "EXPLAINED", 5)
    _, logs = run_of("chatapp")
    poker = names.name(names.POKER)
    kinds = [number for _, (number, _) in logs[poker]]
    run, confirm = map(kinds.index, (kind.MESSAGE_KIND_POKER_RUN, kind.MESSAGE_KIND_POKER_CONFIRM))
    rest = [event for place, event in enumerate(logs[poker]) if place != confirm]
    changed = {**logs, poker: [*rest[:run], logs[poker][confirm], *rest[run:]]}
    found = judged("chatapp", laid_down(changed, monkeypatch))
    assert found.failed.startswith("poker/0 took its event ")
    assert "before it can have been sent" in found.failed


def _without_logins(logs: Logs) -> Logs:
    directory = names.name(names.DIRECTORY, 0)
    first = kind.MESSAGE_KIND_DIRECTORY_LOGIN
    places = [n for n, (_, (number, _)) in enumerate(logs[directory]) if number == first]
    kept = [event for n, event in enumerate(logs[directory]) if n not in places[1:]]
    return {**logs, directory: kept}


def test_the_token_game_stands_behind_a_model_that_runs_away(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(whole, "_CPU", 1.0)
    workload, logs = run_of("chatapp")
    changed = _without_logins(logs)
    expected = replay(workload, changed).divergence
    assert expected is not None
    found = judged("chatapp", laid_down(changed, monkeypatch))
    assert found.failed == expected.headline()


def test_who_runs_away_in_a_large_log_is_no_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(whole, "_CPU", 1.0)
    monkeypatch.setattr(whole, "EXPLAINED", 5)
    _, logs = run_of("chatapp")
    with pytest.raises(HarnessFault, match=r"could not be decided.* s of CPU time"):
        judged("chatapp", laid_down(_without_logins(logs), monkeypatch))


@pytest.fixture
def _dies(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A worker that is killed by somebody, as by a kernel that is out of memory."""
    monkeypatch.setattr(whole, "_WORKER", "dying_worker")
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parent), prepend=os.pathsep)
    yield


@pytest.mark.usefixtures("_dies")
def test_a_worker_that_dies_leaves_it_to_the_token_game(monkeypatch: pytest.MonkeyPatch) -> None:
    workload, logs = run_of("web")
    found = judged("web", laid_down(logs, monkeypatch))
    assert not found.failed and found.verdict == replay(workload, logs)
    monkeypatch.setattr(whole, "EXPLAINED", 5)
    with pytest.raises(HarnessFault, match="could not be decided"):
        judged("web", laid_down(logs, monkeypatch))


def test_ways_to_decide_that_disagree_are_the_harnesss_fault(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    refusal = {"conforms": False, "why": "made up", "differs": True}
    monkeypatch.setattr(whole, "_decision", lambda given, logs: refusal)
    with pytest.raises(HarnessFault, match="refuse a log that the token game accepts: made up"):
        judged("web", laid_down(run_of("web")[1], monkeypatch))
    monkeypatch.setattr(whole, "EXPLAINED", 5)
    with pytest.raises(HarnessFault, match="every message is as it was sent"):
        judged("web", laid_down(run_of("web")[1], monkeypatch))


def test_a_place_that_takes_too_long_to_find_is_a_failure_all_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(whole, "EXPLAINED", 5)
    changed = next(other for how, other in mutations(run_of("web")[1]) if how == "altered")
    read = confined.read

    def endless(function: str, *given: Any) -> Any:
        if function.endswith(":find"):
            raise confined.Exceeded("a log: takes more than 1 s of CPU time")
        return read(function, *given)

    monkeypatch.setattr(confined, "read", endless)
    found = judged("web", laid_down(changed, monkeypatch))
    assert found.failed.endswith("(where was not found: a log: takes more than 1 s of CPU time)")


def test_a_disk_without_room_to_decide_is_said_before(monkeypatch: pytest.MonkeyPatch) -> None:
    logs = laid_down(run_of("web")[1], monkeypatch)
    monkeypatch.setattr(laying_down, "LEFT", 1 << 60)
    with pytest.raises(HarnessFault, match=r"MiB are free, and a log of .* TMPDIR"):
        judged("web", logs)
    assert not list(logs.folder.glob("sorted.*"))


def test_a_log_that_is_sorted_needs_room_to_be_decided_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    logs = laid_down(run_of("web")[1], monkeypatch)
    before = logs.needs
    logs.lie_in()
    assert 0 < logs.needs == DECIDING * logs.arrived[0] < before


_LAYS_DOWN = """
import time
from dramaturg.model import names
from dramaturg.processes import fence
from dramaturg.trace.codec import LogBuilder
from dramaturg.v2 import trace_pb2
builder = LogBuilder(laid_down=True, in_memory=0, guard=fence.guard)
actor, kind = [names.name(names.PING)], [trace_pb2.MESSAGE_KIND_PING_PONG]
builder.add(trace_pb2.TraceBatch(actor=actor, sender=actor, kind=kind, args=[0, 1]))
print(builder.logs.folder, flush=True)
time.sleep(60)
"""


def test_a_log_goes_with_a_harness_that_is_killed() -> None:
    words = paths.python("-c", _LAYS_DOWN)
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        folder = Path(process.stdout.readline().strip())
        assert folder.is_dir()
        process.kill()
    assert wait_until(lambda: not folder.exists(), 20)


def test_columns_that_are_cut_short_while_they_come_are_no_verdict(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    logs = laid_down(run_of("web")[1], monkeypatch)
    os.truncate(logs.folder / "come.args", 8)
    with pytest.raises(HarnessFault, match=r"cannot be sorted: .*come.args ends before"):
        judged("web", logs)


def test_columns_that_are_cut_short_are_no_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    logs = laid_down(run_of("web")[1], monkeypatch)
    os.truncate(logs.lie_in() / "sorted.args", 8)
    with pytest.raises(HarnessFault, match=r"cannot be decided: .*sorted.args has 8 bytes"):
        judged("web", logs)


def test_nothing_is_left_running_or_on_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    logs = laid_down(run_of("web")[1], monkeypatch)
    folder = logs.lie_in()
    judged("web", logs)
    assert not [file for file in folder.iterdir() if file.name.startswith(("sent", "cause"))]
    del logs
    assert not folder.exists()


def test_what_is_compiled_beforehand_is_a_run() -> None:
    worker.ready()
    assert Store().rows == 0
    assert signal.getsignal(signal.SIGXCPU) is signal.SIG_DFL
