"""Resting cases are performed beside all others, and judged as if it had been their turn."""

import os
import threading
from pathlib import Path
from typing import Any

import pytest

from dramaturg.cases.cases import load_all
from dramaturg.conformance import pool, resting_cases
from dramaturg.conformance.performer import Performer
from dramaturg.conformance.pool import UNCONFINED, Pool
from dramaturg.conformance.resting_cases import Beside, lanes
from dramaturg.errors import HarnessFault
from dramaturg.implementation.manifest import find
from dramaturg.outcomes import Outcome
from dramaturg.plan import case_plan
from dramaturg.plan.case_plan import Item
from dramaturg.records import CaseRecord

REFERENCE = find("reference")
ITEMS = case_plan.make([REFERENCE], [0, 1, 2, 3]).items
RESTING = [item for item in ITEMS if item.case.rests]


def test_lanes_take_about_as_long() -> None:
    assert lanes([60, 10, 20, 40, 60], float) == [[60], [60], [40], [20, 10]]
    assert lanes([5], float) == [[5]]
    assert lanes([], float) == []


def test_what_is_waited_for_is_over_in_a_minute_and_a_half() -> None:
    longest = max(
        sum(item.case.waits for item in lane)
        for lane in lanes(RESTING, lambda item: item.case.waits)
    )
    distributed = sum(case.waits for case in load_all() if case.nodes > 1)
    assert max(longest, 60) + distributed <= 90


def test_who_rests_comes_last() -> None:
    assert RESTING
    assert list(ITEMS[-len(RESTING) :]) == RESTING


class Waiting(Performer):
    """Performs nothing, when it is let."""

    let = threading.Event()
    performed: list[str] = []

    def perform(self, item: Item) -> Any:
        assert self.let.wait(30)
        self.performed.append(item.case.name)
        record = CaseRecord(
            implementation=item.implementation.name,
            level=item.case.level,
            benchmark=item.case.benchmark,
            case=item.case.name,
            outcome=Outcome.PASS,
        )
        return record, ""


@pytest.fixture(autouse=True)
def nobody_is_started(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resting_cases, "Performer", Waiting)
    monkeypatch.setattr(pool.Pool, "_require", lambda self, implementation: None)
    monkeypatch.setattr(Waiting, "let", threading.Event())
    monkeypatch.setattr(Waiting, "performed", [])


def test_what_came_of_each_is_there_once(tmp_path: Path) -> None:
    Waiting.let.set()
    first, second = (Beside(ITEMS, tmp_path, Pool()) for _ in range(2))
    first.begin(REFERENCE)
    for item in RESTING:
        for each in (first, second):
            assert item in each
            assert each.result(item)[0].case == item.case.name
    first.close()
    second.close()
    assert sorted(Waiting.performed) == sorted(item.case.name for item in RESTING)


def test_who_has_the_lanes_waits_for_them_since_others_do(tmp_path: Path) -> None:
    there = Beside(ITEMS, tmp_path, Pool())
    there.begin(REFERENCE)
    threading.Timer(0.2, Waiting.let.set).start()
    there.close()
    assert len(Waiting.performed) == len(RESTING)


def test_who_is_interrupted_does_not_wait(tmp_path: Path) -> None:
    there = Beside(ITEMS, tmp_path, Pool())
    there.begin(REFERENCE)
    there.close(abandon=True)
    assert Waiting.performed == []
    Waiting.let.set()


def test_a_result_that_cannot_come_any_more_is_the_harness_own_fault(tmp_path: Path) -> None:
    there = Beside(ITEMS, tmp_path, Pool())
    folder = tmp_path / resting_cases.RESULTS
    folder.mkdir()
    child = os.fork()
    if not child:
        os._exit(0)
    os.waitpid(child, 0)
    (folder / "reference.owner").write_text(str(child))
    with pytest.raises(HarnessFault, match="ended without a result"):
        there.result(RESTING[0])


def test_other_cases_are_performed_in_their_turn(tmp_path: Path) -> None:
    assert ITEMS[0] not in Beside(ITEMS, tmp_path, Pool())


def test_what_was_connected_to_is_not_confined(tmp_path: Path) -> None:
    from dramaturg.errors import Gone

    connected: Any = object()
    with pytest.raises(Gone, match=UNCONFINED[:30]):
        Pool(connected=connected).get(REFERENCE, 1)
