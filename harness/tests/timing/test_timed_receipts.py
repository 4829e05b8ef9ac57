"""Every receipt of ChatApp is held against what must be true of it, and of every benchmark
whose it is and that nobody lives on."""

import json
import random
import re
from collections.abc import Callable
from dataclasses import replace

import pytest
from timing_fakes import MILLISECOND, SALT, Receipt, honest

from dramaturg.model import facts, receipt_names
from dramaturg.model.chatapp import Parameters
from dramaturg.model.simulation import AtRandom, Simulation
from dramaturg.model.workload import ChatAppWorkload
from dramaturg.timing.planning.scenarios import Scenario, scenario
from dramaturg.timing.validity import timed_receipts
from dramaturg.timing.validity.ledger import GRAIN
from dramaturg.v2 import trace_pb2 as kind


def problems(of: Scenario, *said: Receipt) -> list[str]:
    return timed_receipts.problems(of, SALT, said)


def test_an_honest_receipt_has_no_problem(small_chat: Scenario, pingpong: Scenario) -> None:
    assert problems(small_chat, honest(small_chat)) == []
    assert problems(pingpong, honest(pingpong)) == []


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
    said = problems(small_chat, receipt)
    assert f"{field} is {expected - 1}, expected {expected} ({requirement})" in said


def _too_many_deliveries(receipt: Receipt) -> None:
    receipt.chatapp.deliveries = receipt.chatapp.posts * (receipt.chatapp.joins + 1) + 1


def _no_deliveries(receipt: Receipt) -> None:
    receipt.chatapp.deliveries = 0


def _a_delivery_without_a_stop(receipt: Receipt) -> None:
    receipt.chatapp.deliveries += 1


def _a_stop_without_a_delivery(receipt: Receipt) -> None:
    receipt.chatapp.stops += 1


def _a_payload_that_was_changed_on_its_way(receipt: Receipt) -> None:
    receipt.chatapp.consumed ^= 1


def _a_payload_that_nobody_announced(receipt: Receipt) -> None:
    receipt.chatapp.announced = 0


def _a_turn_too_few(receipt: Receipt) -> None:
    del receipt.chatapp.turn_nanos[-1]


def _a_turn_too_many(receipt: Receipt) -> None:
    receipt.chatapp.turn_nanos.append(1)


def _no_turns_in_no_time(receipt: Receipt) -> None:
    del receipt.chatapp.turn_nanos[:]
    receipt.run_nanos = 0


def _more_picks_than_acts(receipt: Receipt) -> None:
    receipt.chatapp.nones += 1


def _a_turn_longer_than_the_run(receipt: Receipt) -> None:
    receipt.chatapp.turn_nanos[2] = receipt.run_nanos + 1


def _turns_one_after_the_other(receipt: Receipt) -> None:
    receipt.run_nanos = 60 * MILLISECOND
    receipt.chatapp.turn_nanos[:] = [10 * MILLISECOND] * 6


def _a_survivor(receipt: Receipt) -> None:
    receipt.alive = 1


def _no_duration(receipt: Receipt) -> None:
    receipt.run_nanos = 0


@pytest.mark.parametrize(
    ("spoil", "says"),
    [
        (_too_many_deliveries, "deliveries is .*, expected .* to .*CHAT-54"),
        (_no_deliveries, "deliveries is 0, expected .* to .*CHAT-54"),
        (_a_delivery_without_a_stop, "stops is .*, which is deliveries and joins .CHAT-58"),
        (_a_stop_without_a_delivery, "stops is .*, which is deliveries and joins .CHAT-58"),
        (_a_payload_that_was_changed_on_its_way, "announced is .* and consumed .*CHAT-59"),
        (_a_payload_that_nobody_announced, "announced is 0 and consumed .*CHAT-59"),
        (_a_turn_too_few, "turn_nanos has 5 entries, expected 6.*CHAT-55"),
        (_a_turn_too_many, "turn_nanos has 7 entries, expected 6.*CHAT-55"),
        (_no_turns_in_no_time, "turn_nanos has 0 entries, expected 6.*CHAT-55"),
        (_no_turns_in_no_time, "run_nanos is 0.*MEAS-3"),
        (_more_picks_than_acts, "the picks add up to 145, expected 144, .*CHAT-50"),
        (_a_turn_longer_than_the_run, "turn 2 took .*CHAT-56"),
        (_turns_one_after_the_other, "the first turn and the longest together.*CHAT-7"),
        (_a_survivor, "alive is 1, expected 0 .CTRL-8"),
        (_no_duration, "run_nanos is 0.*MEAS-3"),
    ],
)
def test_what_cannot_be_is_refused(
    small_chat: Scenario, spoil: Callable[[Receipt], None], says: str
) -> None:
    receipt = honest(small_chat)
    spoil(receipt)
    said = problems(small_chat, receipt)
    assert any(re.search(says, problem) for problem in said), said


def test_a_turn_may_be_as_long_as_the_run_and_no_longer(small_chat: Scenario) -> None:
    receipt = honest(small_chat)
    receipt.chatapp.turn_nanos[3] = receipt.run_nanos
    assert problems(small_chat, receipt) == []
    receipt.chatapp.turn_nanos[3] += 1
    (said,) = problems(small_chat, receipt)
    assert "CHAT-56" in said


def test_turns_that_overlap_fit_into_the_first_and_the_longest(small_chat: Scenario) -> None:
    """And a clock that counts milliseconds may cut one off at either end."""
    receipt = honest(small_chat)
    receipt.chatapp.turn_nanos[:] = [3 * MILLISECOND + turn for turn in (0, 5, 7, 5, 2, 1)]
    receipt.run_nanos = 2 * 3 * MILLISECOND + 7 + 2 * GRAIN
    assert problems(small_chat, receipt) == []
    receipt.run_nanos += 1
    (said,) = problems(small_chat, receipt)
    assert f"expected at most {receipt.run_nanos - 1}, the first turn and the longest" in said


def test_picks_that_are_as_many_as_acts_may_still_be_the_wrong_ones(small_chat: Scenario) -> None:
    receipt = honest(small_chat)
    receipt.chatapp.posts += 1
    receipt.chatapp.nones -= 1
    assert [problem.split(" is ")[0] for problem in problems(small_chat, receipt)] == [
        "posts",
        "nones",
    ]


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
        workload = ChatAppWorkload(parameters).prepare().run(SALT).disconnect()
        control = Simulation(workload, scheduler).perform().control
        deliveries = next(args[6] for k, args in control if k == kind.MESSAGE_KIND_CONTROL_FINISHED)
        assert 0 < expected.least_deliveries <= deliveries
        assert deliveries <= expected.posts * (expected.joins + 1)


@pytest.mark.parametrize(("end", "beyond"), [("least", -1), ("most", 1)])
def test_deliveries_may_be_at_either_end_of_their_bounds_and_not_beyond(
    small_chat: Scenario, end: str, beyond: int
) -> None:
    expected = facts.facts(small_chat.chatapp)
    most = expected.posts * (expected.joins + 1)
    receipt = honest(small_chat)
    receipt.chatapp.deliveries = expected.least_deliveries if end == "least" else most
    receipt.chatapp.stops = receipt.chatapp.deliveries + receipt.chatapp.joins
    assert problems(small_chat, receipt) == []
    receipt.chatapp.deliveries += beyond
    receipt.chatapp.stops += beyond
    (said,) = problems(small_chat, receipt)
    assert f"expected {expected.least_deliveries} to {most} (CHAT-54)" in said


def test_deliveries_without_chats_are_refused() -> None:
    lonely = scenario(
        "chatapp", overrides={"clients": 8, "directories": 1, "turns": 2, "invite": 0}
    )
    receipt = honest(lonely)
    assert receipt.chatapp.posts > 0
    receipt.chatapp.deliveries = 1
    receipt.chatapp.stops += 1
    assert problems(lonely, receipt) == ["deliveries is 1, expected 0 to 0 (CHAT-54)"]


def test_deliveries_without_posts_are_refused() -> None:
    silent = scenario("chatapp", overrides={"clients": 8, "directories": 1, "turns": 2, "post": 0})
    receipt = honest(silent)
    receipt.chatapp.deliveries = 1
    receipt.chatapp.stops += 1
    assert problems(silent, receipt) == ["deliveries is 1, expected 0 to 0 (CHAT-54)"]


def test_what_can_be_set_up_for_nobody_is_refused_before_anything_is_measured() -> None:
    timed_receipts.foresee(scenario("pingpong", overrides={"rounds": 10}))
    with pytest.raises(facts.ImpossibleConfiguration, match="never finds a friend"):
        timed_receipts.foresee(
            scenario("chatapp", overrides={"clients": 4, "directories": 1, "befriend": 1})
        )


def test_results_keep_all_counts_and_no_durations(small_chat: Scenario) -> None:
    receipt = honest(small_chat)
    receipt.alive = 2
    kept = timed_receipts.to_dict(receipt)
    own = {field.name for field in receipt.chatapp.DESCRIPTOR.fields} - {"turn_nanos"}
    assert kept == {name: getattr(receipt.chatapp, name) for name in own} | {"alive": 2}


def test_results_keep_windows_as_lists() -> None:
    receipt = receipt_names.made("pingpong", (7, 0), run_nanos=9)
    receipt.done.windows.extend([2, 3])
    receipt.done.window_nanos.extend([4, 5])
    kept = timed_receipts.to_dict(receipt)
    assert kept == {"pongs": 7, "sum": 0, "windows": [2, 3], "window_nanos": [4, 5], "alive": 0}
    assert json.loads(json.dumps(kept)) == kept


def test_of_a_node_that_has_no_counts_results_keep_who_is_alive() -> None:
    assert timed_receipts.to_dict(Receipt(alive=3)) == {"alive": 3}


def test_a_receipt_of_another_benchmark_is_refused(
    small_chat: Scenario, pingpong: Scenario
) -> None:
    (said,) = problems(pingpong, honest(small_chat))
    assert said == "it is the receipt of chatapp, expected pingpong (CTRL-8)"
    (said,) = problems(pingpong, Receipt(run_nanos=1))
    assert said == "it is the receipt of no benchmark, expected pingpong (CTRL-8)"


def test_node_0_speaks_for_all_nodes_and_the_others_of_themselves(pingpong: Scenario) -> None:
    assert problems(pingpong, honest(pingpong), Receipt(teardown_nanos=5)) == []


def test_a_node_that_hands_over_a_share_is_refused(pingpong: Scenario) -> None:
    share = receipt_names.made("pingpong", (10, 0))
    assert problems(pingpong, honest(pingpong), share) == [
        "node 1: it is the receipt of pingpong, expected none (DIST-4)"
    ]


def test_a_node_that_says_how_long_the_run_took_is_refused(pingpong: Scenario) -> None:
    [said] = problems(pingpong, honest(pingpong), Receipt(run_nanos=4))
    assert said.startswith("node 1: run_nanos is 4, expected 0")


def test_a_node_0_that_leaves_its_receipt_to_another_is_refused(pingpong: Scenario) -> None:
    said = problems(pingpong, Receipt(run_nanos=1), honest(pingpong))
    assert said == ["node 0: it is the receipt of no benchmark, expected pingpong (CTRL-8)"]


def test_of_several_nodes_a_whole_receipt_is_checked_as_that_of_one(pingpong: Scenario) -> None:
    whole = honest(pingpong)
    whole.done.arguments[0] -= 5
    (said,) = problems(pingpong, whole, Receipt())
    assert said == "pongs is 5, expected 10 (PING-3)"


@pytest.mark.parametrize("node", [0, 1, 2])
def test_who_lives_on_is_counted_node_by_node(node: int) -> None:
    bang = scenario("bang", scale="tiny")
    said = [honest(bang), Receipt(), Receipt()]
    said[node].alive = 3
    assert problems(bang, *said) == [f"node {node}: alive is 3, expected 0 (CTRL-8)"]
