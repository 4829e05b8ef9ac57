"""A call under which nothing moves any more is judged before its time is up."""

import contextlib
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import yaml

from dramaturg.cases.cases import load_file
from dramaturg.conformance import standstill
from dramaturg.conformance.cluster import Cluster
from dramaturg.conformance.performer import Performer
from dramaturg.conformance.pool import Pool
from dramaturg.conformance.standstill import watching
from dramaturg.errors import Crashed, Late
from dramaturg.implementation.manifest import find
from dramaturg.mutation import reference_mutants
from dramaturg.outcomes import Outcome
from dramaturg.plan.case_plan import Item
from dramaturg.processes.consumption import Moment
from dramaturg.processes.supervised import Supervised

STEP, PATIENCE = 0.05, 0.3
SLEEPS, COMPUTES = "input()", "while True: pass"


class Node:
    """A session whose process does what it is told."""

    def __init__(self, folder: Path, program: str) -> None:
        command = [sys.executable, "-c", program]
        self.process = Supervised.start(command, cwd=folder, environment=os.environ)

    def run(self, seconds: float = 20) -> None:
        """A call that is under way until the process ends."""
        if self.process.wait(seconds) is None:
            raise Late("no answer")
        raise Crashed("the connection is lost")


@pytest.fixture
def made(tmp_path: Path) -> Iterator[Callable[..., Any]]:
    nodes: list[Any] = []

    def make(*programs: str) -> Cluster:
        nodes.extend(Node(tmp_path, program) for program in programs)
        return Cluster(list(nodes))

    yield make
    for node in nodes:
        node.process.end()


@contextlib.contextmanager
def called(cluster: Cluster, wrong: standstill.Wrong) -> Iterator[None]:
    """A call is under way inside, and nothing else is called of this world."""
    with watching(cluster, PATIENCE, wrong, STEP) as call, call():
        yield


class Asked:
    """Says what the logs show, and counts how often it was asked."""

    def __init__(self, found: Exception | None) -> None:
        self.found = found
        self.times = 0

    def __call__(self, is_over: Callable[[], bool]) -> Exception | None:
        self.times += 1
        return self.found


def test_what_the_logs_show_takes_the_place_of_the_calls_own_error(
    made: Callable[..., Any],
) -> None:
    cluster, wrong = made(SLEEPS, SLEEPS), Asked(KeyError("ping is missing"))
    with pytest.raises(KeyError, match="ping is missing"), called(cluster, wrong):
        cluster.lead.run()
    assert wrong.times == 1
    assert all(node.process.wait(10) is not None for node in cluster.sessions)
    assert cluster.spent


def test_an_answer_that_comes_after_the_end_is_no_excuse(made: Callable[..., Any]) -> None:
    cluster = made(SLEEPS)
    with (
        pytest.raises(KeyError),
        called(cluster, Asked(KeyError("ping is missing"))),
    ):
        cluster.lead.process.wait(20)


def test_a_call_that_ends_while_it_is_judged_has_its_own_result(made: Callable[..., Any]) -> None:
    cluster, judging = made(SLEEPS), threading.Event()

    def wrong(is_over: Callable[[], bool]) -> Exception:
        judging.set()
        while not is_over():
            time.sleep(STEP)
        return KeyError("ping is missing")

    with called(cluster, wrong):
        assert judging.wait(20)
    assert cluster.lead.process.status is None
    assert not cluster.spent


def test_logs_that_show_nothing_leave_the_call_all_of_its_time(made: Callable[..., Any]) -> None:
    cluster, wrong = made(SLEEPS), Asked(None)
    with pytest.raises(Late, match="no answer"), called(cluster, wrong):
        cluster.lead.run(20 * PATIENCE)
    assert wrong.times == 1
    assert cluster.lead.process.status is None


def test_a_world_that_moves_again_is_looked_at_again(made: Callable[..., Any]) -> None:
    asked: list[int] = []

    def wrong(is_over: Callable[[], bool]) -> Exception:
        asked.append(1)
        if len(asked) < 3:
            raise standstill.Moved
        return KeyError("ping is missing")

    cluster = made(SLEEPS)
    with pytest.raises(KeyError), called(cluster, wrong):
        cluster.lead.run()
    assert len(asked) == 3


def test_calls_that_are_answered_do_not_add_up(made: Callable[..., Any]) -> None:
    """Each is short; together they are longer than one may stand."""
    cluster, wrong = made(SLEEPS), Asked(KeyError("ping is missing"))
    with watching(cluster, PATIENCE, wrong, STEP) as call:
        for _ in range(8):
            with call():
                time.sleep(PATIENCE / 2)
            time.sleep(PATIENCE / 2)
    assert wrong.times == 0


def test_the_next_call_is_watched_as_the_first_one_was(made: Callable[..., Any]) -> None:
    cluster, wrong = made(SLEEPS), Asked(None)
    with watching(cluster, PATIENCE, wrong, STEP) as call:
        with call(), pytest.raises(Late, match="no answer"):
            cluster.lead.run(5 * PATIENCE)
        wrong.found = KeyError("ping is missing")
        with pytest.raises(KeyError), call():
            cluster.lead.run()
    assert wrong.times == 2


def test_no_call_begins_before_the_last_one_was_judged(made: Callable[..., Any]) -> None:
    cluster, judging, ended = made(SLEEPS), threading.Event(), threading.Event()

    def wrong(is_over: Callable[[], bool]) -> None:
        judging.set()
        time.sleep(PATIENCE)
        ended.set()

    with watching(cluster, PATIENCE, wrong, STEP) as call:
        with call():
            assert judging.wait(20)
        assert ended.is_set()


def test_one_that_computes_is_enough(made: Callable[..., Any]) -> None:
    cluster, wrong = made(SLEEPS, COMPUTES, SLEEPS), Asked(KeyError("ping is missing"))
    with pytest.raises(Late, match="no answer"), called(cluster, wrong):
        cluster.lead.run(5 * PATIENCE)
    assert wrong.times == 0


def test_a_call_that_is_answered_is_not_asked_for(made: Callable[..., Any]) -> None:
    cluster, wrong = made(SLEEPS), Asked(KeyError("ping is missing"))
    with called(cluster, wrong):
        pass
    assert wrong.times == 0
    assert not cluster.spent


def test_a_process_that_somebody_else_has_started_may_stand() -> None:
    cluster: Any = Cluster([SimpleNamespace(process=None)])  # type: ignore[list-item]
    wrong = Asked(KeyError("ping is missing"))
    with called(cluster, wrong):
        threading.Event().wait(3 * PATIENCE)
    assert wrong.times == 0


def told(*moments: Moment) -> Any:
    """A process with these figures, one after the other, and then with the last of them."""
    left = list(moments)

    def moment() -> Moment:
        return left.pop(0) if len(left) > 1 else left[0]

    consumption = SimpleNamespace(moment=moment, pids=set)
    return SimpleNamespace(consumption=consumption, kill=lambda: None)


def looked_at(process: Any, wrong: Asked, seconds: float) -> None:
    cluster: Any = Cluster([SimpleNamespace(process=process)])  # type: ignore[list-item]
    with called(cluster, wrong):
        threading.Event().wait(seconds)


def test_a_thread_that_waits_for_a_core_is_about_to_move() -> None:
    wrong = Asked(None)
    waiting = [Moment({1: step * 50_000_000}, 7) for step in range(1000)]
    looked_at(told(*waiting), wrong, 4 * PATIENCE)
    assert wrong.times == 0


def test_a_runtime_that_looks_for_work_now_and_then_is_idle() -> None:
    wrong = Asked(None)
    looked_at(told(*[Moment({}, step * 500_000) for step in range(1000)]), wrong, 4 * PATIENCE)
    assert wrong.times == 1


def test_a_process_that_waits_for_a_device_is_slow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(standstill.activity, "_states", lambda counted: ["S", "D"])
    wrong = Asked(None)
    looked_at(told(Moment({}, 7)), wrong, 4 * PATIENCE)
    assert wrong.times == 0


def test_a_harness_that_was_stopped_has_not_seen_anything(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Ctrl-Z stops the processes as well."""
    clock = iter(range(0, 10_000_000, 1000))
    monkeypatch.setattr(standstill.time, "monotonic", lambda: float(next(clock)))
    cluster: Any = Cluster([SimpleNamespace(process=told(Moment({}, 7)))])  # type: ignore[list-item]
    wrong = Asked(None)
    with watching(cluster, 1000 * STEP, wrong, STEP) as call, call():
        threading.Event().wait(10 * STEP)
    assert wrong.times == 0


def test_a_lost_message_is_found_long_before_the_time_is_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(standstill, "STILL", 1.0)
    monkeypatch.setattr(standstill, "STEP", 0.2)
    member = next(m for _, m in reference_mutants.everybody()[0] if m.name == "dropped_forward")
    caught = reference_mutants.judge(reference_mutants.FOLDER, member, tmp_path)
    assert caught.verdict.outcome is Outcome.FAIL
    assert "never received forward(" in caught.verdict.message
    assert "(then: nothing has moved for 1 s)" in caught.verdict.message


def test_actors_that_sleep_do_not_stand(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, no_process_left: None
) -> None:
    """Each nap is longer than a world may stand that has none."""
    monkeypatch.setattr(standstill, "STILL", 0.5)
    monkeypatch.setattr(standstill, "STEP", 0.2)
    naps = {"benchmark": {"sleepers": {"sleepers": 3, "naps": 1, "delay": 4000}}}
    case = {"name": "sleeps", "purpose": "it", "level": 3, "concurrent": naps}
    file = tmp_path / "cases.yaml"
    file.write_text(yaml.safe_dump({"benchmark": "sleepers", "cases": [case]}))
    pool = Pool()
    try:
        record, _ = Performer(pool, tmp_path).perform(Item(find("reference"), load_file(file)[0]))
    finally:
        pool.close()
    assert record.outcome is Outcome.PASS, record.message
