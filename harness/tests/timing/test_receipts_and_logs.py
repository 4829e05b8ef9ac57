"""A receipt is held against what the lead has logged: nobody else knows what is the schedule's."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from timing_fakes import MILLISECOND, SALT, FakeSession, Receipt, honest, performed
from timing_kit import Run

from dramaturg.machine.floors import Cost
from dramaturg.model import names
from dramaturg.outcomes import Outcome
from dramaturg.records import Depth
from dramaturg.timing.planning.scenarios import Scenario, scenario
from dramaturg.timing.validity import audit, fetching, window_ticks
from dramaturg.timing.validity.plausibility import WorkCheck
from dramaturg.trace.replay import turn_order
from dramaturg.trace.watches import EVERYBODY, watch
from dramaturg.v2 import trace_pb2 as kind

StartFake = Callable[..., Any]

COMPANY = scenario(
    "chatapp",
    overrides={"clients": 8, "directories": 2, "turns": 6, "compute": 10, "post": 50, "leave": 5,
               "invite": 30, "befriend": 80, "fib_n": 3},
)  # fmt: skip


def _more_deliveries(of: Scenario, salt: int) -> Receipt:
    """More than there were, at both ends and within what is possible."""
    receipt = honest(of, salt)
    receipt.chatapp.deliveries += 2
    receipt.chatapp.stops += 2
    return receipt


def test_deliveries_that_were_not_made_are_seen_by_who_watches_the_poker(
    run: Run, start_fake: StartFake
) -> None:
    made = honest(COMPANY).chatapp.deliveries
    assert made > 0
    outcome, recorded = run(COMPANY, start_fake(COMPANY, _more_deliveries), iterations=2)
    assert all(sample.valid for sample in recorded.samples)
    assert outcome is Outcome.FAIL
    (audited,) = [
        each for each in recorded.audits if each.invocation == 0 and each.depth == "parts"
    ]
    assert f"deliveries is {made + 2}, expected {made} (CHAT-54)" in audited.message


WINDOWED = {
    "pingpong": (names.PING, kind.MESSAGE_KIND_PING_TICK),
    "bang": (names.RECEIVER, kind.MESSAGE_KIND_RECEIVER_TICK),
}
WINDOWS = 3


def _windowed(name: str) -> Scenario:
    few = {"senders": 2, "messages": 5} if name == "bang" else {"rounds": 0}
    return scenario(name, "windowed", overrides=few | {"windows": WINDOWS, "window": 1})


@pytest.mark.parametrize("name", WINDOWED)
def test_the_place_of_a_tick_says_what_was_counted_before(name: str) -> None:
    of, (lead_class, tick) = _windowed(name), WINDOWED[name]
    logs, receipt = performed(of, SALT).logs, honest(of, SALT)
    lead = names.name(lead_class)
    log, found = logs[lead], 0
    for begin in range(len(log) + 1):
        watches = [watch(lead_class, begin=begin)]
        seen = {lead: log[begin:]}
        assert window_ticks.problem(of, watches, seen, receipt) == ""
        for window in range(WINDOWS):
            lying = honest(of, SALT)
            lying.done.windows[window] += 1
            here = any(message[0] == tick and message[1][0] >= window for _, message in log[begin:])
            assert ("(WIN-2)" in window_ticks.problem(of, watches, seen, lying)) is here
            found += here
    assert found > WINDOWS


@pytest.mark.parametrize("of", [scenario("pingpong", overrides={"rounds": 5}), COMPANY])
def test_where_there_are_no_windows_no_tick_is_looked_for(of: Scenario) -> None:
    logs = performed(of, SALT).logs
    assert window_ticks.problem(of, [watch()], logs, honest(of, SALT)) == ""


OPEN = scenario(
    "openweb",
    overrides={"servers": 1, "requests": 60, "gap": 500, "seed": 42, "fib_n": 3},
)


def _audited(tmp_path: Path, change: Callable[[Receipt], None]) -> audit.Finding:
    """Return the finding on such a receipt if nobody looks in the midst."""
    fake = FakeSession(OPEN)
    sessions: Any = [fake]
    fake.prepare(OPEN.message(), EVERYBODY)
    fetched = [fetching.fetch(sessions, tmp_path, "set-up", timeout=1)]
    fake.run(SALT, 1, lambda done: None)
    fetched.append(fetching.fetch(sessions, tmp_path, "at-rest", timeout=1))
    fake.teardown(1)
    fetched.append(fetching.fetch(sessions, tmp_path, "ended", timeout=1))
    kept = audit.Kept(0, SALT, Depth.PARTS, EVERYBODY, EVERYBODY, *fetched)
    receipt = honest(OPEN, SALT)
    change(receipt)
    return audit.judged(kept, OPEN, "fake", [receipt])


def _in_time(receipt: Receipt) -> None:
    """Nobody was late, though arrivals stand behind answers in its log."""
    receipt.done.lateness[:] = [0] * 255 + [60]


def test_lateness_is_held_against_the_order_of_arrivals_and_answers(tmp_path: Path) -> None:
    right = _audited(tmp_path, lambda receipt: None)
    assert right.outcome is Outcome.PASS, right.message
    assert right.margins["order-arrivals"] == 0
    wrong = _audited(tmp_path, _in_time)
    assert wrong.outcome is Outcome.FAIL
    assert "(OPEN-12)" in wrong.message
    assert max(wrong.margins.values()) > 1


def _short(of: Scenario, salt: int) -> Receipt:
    """Each request was answered when it had arrived."""
    receipt = honest(of, salt)
    receipt.done.latency[:] = receipt.done.lateness
    return receipt


def test_latencies_of_timed_iterations_are_held_against_their_work(
    run: Run, start_fake: StartFake
) -> None:
    busy = scenario("openweb", overrides=OPEN.parameters | {"fib_n": 47})
    cost = Cost(nanos=0.1, source="test", cores=1)
    _, recorded = run(busy, start_fake(busy, _short), iterations=2, cost=cost)
    assert recorded.samples
    for sample in recorded.samples:
        assert any("(OPEN-10)" in said for said in sample.problems)
        assert sample.ledger is not None
        assert sample.ledger.margins["latency, work"] > 1


def test_turns_are_held_against_the_order_of_confirms(
    run: Run, start_fake: StartFake, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The log of a right poker is changed, not its receipt: the last turn is confirmed first."""
    beyond = turn_order.beyond

    def backwards(logs: Any, turn_nanos: Any) -> Any:
        poker = names.name(names.POKER)
        return beyond({poker: list(logs.get(poker, ()))[::-1]}, turn_nanos)

    def tell(of: Scenario, salt: int) -> Receipt:
        receipt = honest(of, salt)
        receipt.chatapp.turn_nanos[:] = [MILLISECOND * (10 + turn) for turn in range(6)]
        return receipt

    monkeypatch.setattr(turn_order, "beyond", backwards)
    _, recorded = run(COMPANY, start_fake(COMPANY, tell))
    assert any("poker/0 took its confirm before" in audit.message for audit in recorded.audits)


@pytest.mark.parametrize(("nanos", "refused"), [(1e6, False), (60e9, True)])
def test_what_had_been_computed_by_a_look_is_held_against_a_probe(
    run: Run,
    start_fake: StartFake,
    monkeypatch: pytest.MonkeyPatch,
    nanos: float,
    refused: bool,
) -> None:
    monkeypatch.setattr(WorkCheck, "compute", property(lambda self: nanos))
    _, recorded = run(OPEN, start_fake(OPEN))
    said = " ".join(audit.message for audit in recorded.audits)
    assert ("by a look in its midst; as a probe" in said) is refused
