"""Logs that leave the implementation while it runs, and how many events it may hold (CTRL-18)."""

import itertools
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest
import yaml

from dramaturg.cases.cases import Case, CaseError, load_all, load_file
from dramaturg.conformance import case_run, leaving_logs
from dramaturg.conformance.leaving_logs import LeavingLogs
from dramaturg.control.session import Session
from dramaturg.errors import CallFailed, Crashed, Late
from dramaturg.implementation.manifest import Implementation, find
from dramaturg.plan import case_plan
from dramaturg.site import certificate_consistency
from dramaturg.v2 import case_pb2

REFERENCE = find("reference")
LIMITED = {case.name for case in load_all() if case.log_limit}


def without_limit() -> Implementation:
    manifest = REFERENCE.manifest.model_copy(update={"log_limit": False})
    return Implementation(REFERENCE.folder, manifest)


def test_cases_with_a_limit_are_for_implementations_that_have_one() -> None:
    def planned(implementation: Implementation) -> set[str]:
        return {item.case.name for item in case_plan.make([implementation], [3]).items}

    assert len(LIMITED) == 2
    assert planned(REFERENCE) >= LIMITED
    assert planned(without_limit()) == planned(REFERENCE) - LIMITED


@pytest.mark.parametrize("has_one", [True, False])
def test_a_certificate_needs_such_cases_if_its_manifest_says_so(has_one: bool) -> None:
    implementation = REFERENCE if has_one else without_limit()
    claim = SimpleNamespace(manifest=implementation.manifest, several_cores={}, planned=[3])
    for case in load_all():
        if case.log_limit:
            concerns = certificate_consistency._concerns(case.path, claim)  # type: ignore[arg-type]
            assert concerns is has_one


@pytest.mark.parametrize("more", [{"turns": 2}, {"unwatched": True}, {"looks": True}])
def test_a_limit_is_for_runs_where_everybody_is_watched(
    tmp_path: Path, more: dict[str, int]
) -> None:
    concurrent = {"benchmark": {"big": {"peers": 4, "rounds": 1}}, "log_limit": 5, **more}
    case = {"name": "limited", "purpose": "it", "level": 3, "concurrent": concurrent}
    file = tmp_path / "cases.yaml"
    file.write_text(yaml.safe_dump({"benchmark": "big", "cases": [case]}))
    with pytest.raises(CaseError, match=r"log_limit is for run|looks is for sleepers"):
        load_file(file)


@dataclass
class Fetched:
    """A session whose Trace does what it is told, and counts what it brought."""

    trace: Callable[[float], None] = lambda patience: None
    run_since: int = 1
    log: SimpleNamespace = field(default_factory=lambda: SimpleNamespace(events=0, taken={}))
    killed: bool = False

    attached: bool = False

    @property
    def process(self) -> SimpleNamespace | None:
        return None if self.attached else SimpleNamespace(kill=self._kill)

    def close(self) -> None:
        self.killed = True

    def _kill(self) -> None:
        self.killed = True


def bringing(*events: int, counts: tuple[int, ...] = ()) -> Fetched:
    """A session whose Traces bring so many events, one after the other, and then none; those of
    these numbers bring counts."""
    session, left, done = Fetched(), list(events), itertools.count()

    def trace(patience: float) -> None:
        session.log.events += left.pop(0) if left else 0
        session.log.taken = {1: 1} if next(done) in counts else {}

    session.trace = trace
    return session


def answered(session: Fetched) -> threading.Semaphore:
    """Released by each Trace of the session that is answered from now on."""
    done = threading.Semaphore(0)
    trace = session.trace

    def counted(patience: float) -> None:
        trace(patience)
        done.release()

    session.trace = counted
    return done


def left_by(session: Fetched, limit: int, traces: int, fill: bool = True) -> LeavingLogs:
    """The fetching of a run that ends when so many Traces were answered."""
    done = answered(session)
    leaving = LeavingLogs(cast(Session, session), limit, fill=fill, patience=1)
    with leaving:
        for _ in range(traces):
            assert done.acquire(timeout=10)
    return leaving


@pytest.fixture(autouse=True)
def short_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leaving_logs, "FILL_TIME", 0.01)


def test_a_log_may_be_full_and_no_fuller() -> None:
    assert left_by(bringing(100, 100, 3), 100, 4).broken(100) == ""
    assert "delivered 101 events at once" in left_by(bringing(100, 101), 100, 3).broken(0)
    assert "101 events were logged and not delivered" in left_by(bringing(7), 100, 2).broken(101)
    assert left_by(bringing(5_000_000), 0, 2).broken(5_000_000) == "", "no limit"


def test_a_log_that_was_never_full_tells_nothing() -> None:
    assert left_by(bringing(99, 2), 100, 3).was_full
    assert not left_by(bringing(50, 2), 100, 3).was_full


@pytest.mark.parametrize("counted", [0, 1, 2])
def test_counts_wait_until_the_run_has_ended(counted: int) -> None:
    counting = left_by(bringing(*[100] * 6, counts=(counted,)), 100, 7)
    assert "delivered counts while Run was under way" in counting.broken(0)
    always = left_by(bringing(*[100] * 6, counts=tuple(range(counted, 7))), 100, 7)
    assert "delivered counts while Run was under way" in always.broken(0)
    ended = left_by(bringing(100, 100, 100, counts=(counted,)), 100, 4)
    assert ended.broken(0) == "", "the run may have ended before that Trace"


def test_counts_before_the_run_was_taken_are_none_of_its() -> None:
    assert left_by(bringing(0, *[100] * 5, counts=(0,)), 100, 7).broken(0) == ""


def test_nothing_is_fetched_before_the_run_was_called() -> None:
    session = bringing()
    asked: list[float] = []
    session.run_since = 0
    session.trace = asked.append
    with LeavingLogs(cast(Session, session), 100, fill=True, patience=1):
        time.sleep(0.1)
    assert asked == []


def test_a_long_run_is_fetched_again_and_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leaving_logs, "LONG_RUN", 0.01)
    monkeypatch.setattr(leaving_logs, "BETWEEN", 0.01)
    assert left_by(bringing(10, 20, 30), 1_000_000, 4, fill=False).most == 30


def test_only_a_log_that_is_fetched_is_limited() -> None:
    def limit_of(implementation: Implementation, concurrent: case_pb2.Concurrent) -> int:
        setting = case_run._Setting(implementation, None, None, None, 0)  # type: ignore[arg-type]
        return setting._log_limit(Case("big", case_pb2.Case(level=3, concurrent=concurrent)))

    assert limit_of(REFERENCE, case_pb2.Concurrent(log_limit=7)) == 7
    assert limit_of(REFERENCE, case_pb2.Concurrent()) == leaving_logs.MOST_HELD
    assert limit_of(REFERENCE, case_pb2.Concurrent(looks=True)) == 0
    assert limit_of(REFERENCE, case_pb2.Concurrent(unwatched=True)) == 0
    assert limit_of(without_limit(), case_pb2.Concurrent()) == 0


def failing() -> Fetched:
    session = Fetched()

    def trace(patience: float) -> None:
        raise CallFailed("Trace", "INTERNAL", "no")

    session.trace = trace
    return session


@pytest.mark.parametrize("attached", [False, True])
def test_a_trace_that_fails_ends_the_run_whose_actors_wait(attached: bool) -> None:
    session = failing()
    session.attached = attached
    with (
        pytest.raises(CallFailed, match="Trace answered INTERNAL"),
        LeavingLogs(cast(Session, session), 100, fill=True, patience=1),
    ):
        deadline = time.monotonic() + 10
        while not session.killed and time.monotonic() < deadline:
            time.sleep(0.01)
        raise Crashed("it was ended by SIGKILL")
    assert session.killed


def test_a_trace_that_fails_is_told_when_the_run_has_ended() -> None:
    session = failing()
    with (
        pytest.raises(CallFailed, match="Trace answered INTERNAL"),
        LeavingLogs(cast(Session, session), 100, fill=True, patience=1),
    ):
        time.sleep(0.1)
    assert not session.killed


@pytest.mark.parametrize(
    "own", [CallFailed("Run", "INTERNAL", "peer/3 failed"), KeyboardInterrupt()]
)
def test_the_error_of_the_run_itself_goes_first(own: BaseException) -> None:
    session = failing()
    with (
        pytest.raises(type(own)) as caught,
        LeavingLogs(cast(Session, session), 100, fill=True, patience=1),
    ):
        time.sleep(0.1)
        raise own
    assert caught.value is own
    assert not session.killed


def late(session: Fetched, traces: int) -> Late:
    """The error of a run that is overdue when so many Traces were answered."""
    done = answered(session)
    with (
        pytest.raises(Late) as caught,
        LeavingLogs(cast(Session, session), 100, fill=True, patience=1),
    ):
        for _ in range(traces):
            assert done.acquire(timeout=10)
        raise Late("Run was not answered within 1 s").because("CTRL-15")
    return caught.value


def test_a_run_that_stands_says_that_its_log_was_full(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leaving_logs, "SILENCE", 0.0)
    stands = late(bringing(100, 100), 4)
    assert stands.breaks == "CTRL-15"
    assert "its actors may still have waited for room (CTRL-18)" in str(stands)
    assert "CTRL-18" not in str(late(bringing(3), 3)), "nobody had to wait"


def test_a_run_that_is_merely_slow_does_not() -> None:
    assert "CTRL-18" not in str(late(bringing(*[100] * 50), 3))
    assert "CTRL-18" not in str(late(bringing(100, 100), 4)), "it was silent for a moment"
