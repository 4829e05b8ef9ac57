"""Every receipt is held against what must be true of it."""

import random
import re
from collections.abc import Callable
from dataclasses import replace

import pytest
from timing_fakes import MILLISECOND, Receipt, honest

from dramaturg.model import facts
from dramaturg.model.chatapp import Parameters
from dramaturg.model.workload import ChatAppWorkload
from dramaturg.model.simulation import AtRandom, Simulation
from dramaturg.timing import receipts
from dramaturg.timing.receipts import Ledger
from dramaturg.timing.scenarios import Scenario, scenario
from dramaturg.v2 import trace_pb2 as kind


def test_an_honest_receipt_has_no_problem(small_chat: Scenario, pingpong: Scenario) -> None:
    assert receipts.problems(small_chat, [honest(small_chat)]) == []
    assert receipts.problems(pingpong, [honest(pingpong)]) == []


@pytest.mark.parametrize(
    ("field", "requirement"),
    [
        ("computes", "CHAT-50"), ("posts", "CHAT-50"), ("leaves", "CHAT-50"),
        ("invites", "CHAT-50"), ("nones", "CHAT-50"), ("joins", "CHAT-51"),
        ("lcg_checksum", "CHAT-52"), ("fib_sum", "CHAT-53"), ("confirms", "CHAT-55"),
    ],
)  # fmt: skip
def test_a_receipt_that_lost_one_of_anything_is_refused(
    small_chat: Scenario, field: str, requirement: str
) -> None:
    receipt = honest(small_chat)
    expected = getattr(receipt.chatapp, field)
    setattr(receipt.chatapp, field, expected - 1)
    said = receipts.problems(small_chat, [receipt])
    assert f"{field} is {expected - 1}, expected {expected} ({requirement})" in said


def _too_many_deliveries(receipt: Receipt) -> None:
    receipt.chatapp.deliveries = receipt.chatapp.posts * (receipt.chatapp.joins + 1) + 1


def _no_deliveries(receipt: Receipt) -> None:
    receipt.chatapp.deliveries = 0


def _a_turn_too_few(receipt: Receipt) -> None:
    del receipt.chatapp.turn_nanos[-1]


def _a_turn_longer_than_the_run(receipt: Receipt) -> None:
    receipt.chatapp.turn_nanos[2] = receipt.run_nanos + 1


def _turns_one_after_the_other(receipt: Receipt) -> None:
    receipt.run_nanos = receipt.iteration_nanos = 60 * MILLISECOND
    receipt.chatapp.turn_nanos[:] = [10 * MILLISECOND] * 6


def _a_run_longer_than_the_iteration(receipt: Receipt) -> None:
    receipt.iteration_nanos = receipt.run_nanos - 1


def _a_survivor(receipt: Receipt) -> None:
    receipt.alive = 1


def _no_duration(receipt: Receipt) -> None:
    receipt.run_nanos = 0


@pytest.mark.parametrize(
    ("spoil", "says"),
    [
        (_too_many_deliveries, "deliveries is .*, expected .* to .*CHAT-54"),
        (_no_deliveries, "deliveries is 0, expected .* to .*CHAT-54"),
        (_a_turn_too_few, "turn_nanos has 5 entries, expected 6.*CHAT-55"),
        (_a_turn_longer_than_the_run, "turn 2 took .*CHAT-56"),
        (_turns_one_after_the_other, "the first turn and the longest together.*CHAT-7"),
        (_a_run_longer_than_the_iteration, "run_nanos is .*, expected at most .*CHAT-56"),
        (_a_survivor, "alive is 1, expected 0 .CHAT-57"),
        (_no_duration, "run_nanos is 0.*MEAS-3"),
    ],
)
def test_what_cannot_be_is_refused(
    small_chat: Scenario, spoil: Callable[[Receipt], None], says: str
) -> None:
    receipt = honest(small_chat)
    spoil(receipt)
    said = receipts.problems(small_chat, [receipt])
    assert any(re.search(says, problem) for problem in said), said


@pytest.mark.parametrize("history", [True, False])
@pytest.mark.parametrize("leave", [0, 20])
@pytest.mark.parametrize("seed", [7, 42, 4711])
def test_the_bounds_of_deliveries_hold_under_every_schedule(
    small: Parameters, history: bool, leave: int, seed: int
) -> None:
    parameters = replace(small, history=history, leave=leave, seed=seed)
    expected = facts.facts(parameters)
    for attempt in range(5):
        scheduler = AtRandom(random.Random(attempt).randrange)
        control = Simulation(ChatAppWorkload(parameters).prepare().run(), scheduler).perform().control
        deliveries = next(args[6] for k, args in control if k == kind.MESSAGE_KIND_CONTROL_FINISHED)
        assert 0 < expected.least_deliveries <= deliveries
        assert deliveries <= expected.posts * (expected.joins + 1)


def test_deliveries_without_posts_are_refused() -> None:
    silent = scenario("chatapp", overrides={"clients": 8, "directories": 1, "turns": 2, "post": 0})
    receipt = honest(silent)
    receipt.chatapp.deliveries = 1
    assert receipts.problems(silent, [receipt]) == ["deliveries is 1, expected 0 to 0 (CHAT-54)"]


def test_a_receipt_of_another_benchmark_is_refused(
    small_chat: Scenario, pingpong: Scenario
) -> None:
    assert "expected pingpong" in receipts.problems(pingpong, [honest(small_chat)])[0]
    assert "the receipt is of nothing" in receipts.problems(pingpong, [Receipt()])[0]


def _nodes(pings: tuple[int, int], pongs: tuple[int, int]) -> list[Receipt]:
    nodes = []
    for ping, pong in zip(pings, pongs, strict=True):
        receipt = Receipt(run_nanos=MILLISECOND, iteration_nanos=MILLISECOND)
        receipt.pingpong.pings, receipt.pingpong.pongs = ping, pong
        nodes.append(receipt)
    return nodes


def test_of_two_nodes_one_takes_the_pings_and_the_other_the_pongs(pingpong: Scenario) -> None:
    assert receipts.problems(pingpong, _nodes(pings=(0, 10), pongs=(10, 0))) == []


def test_two_nodes_that_both_play_alone_are_refused(pingpong: Scenario) -> None:
    said = receipts.problems(pingpong, _nodes(pings=(10, 10), pongs=(10, 10)))
    assert said == [
        "node 0: pings is 10, expected 0 (DIST-4)",
        "node 1: pongs is 10, expected 0 (DIST-4)",
    ]


def test_more_time_claimed_than_passed_is_refused(pingpong: Scenario) -> None:
    ledger, receipt = Ledger(), honest(pingpong)
    assert ledger.problems(receipt, elapsed=receipt.iteration_nanos) == []
    assert "MEAS-4" in ledger.problems(receipt, elapsed=receipt.iteration_nanos * 3 // 2)[0]


def test_a_receipt_that_is_heard_of_late_is_not_blamed_on_the_next(pingpong: Scenario) -> None:
    ledger, receipt = Ledger(), honest(pingpong)
    each = receipt.iteration_nanos
    assert ledger.problems(receipt, elapsed=each * 19 // 10) == []
    assert ledger.problems(receipt, elapsed=each * 2) == []


def test_a_clock_that_is_slewed_is_forgiven(pingpong: Scenario) -> None:
    receipt = honest(pingpong)
    receipt.iteration_nanos = 10**10
    assert Ledger().problems(receipt, elapsed=10**10 - 5 * 10**6) == []
