"""Time claimed against time passed, call by call: nobody can have been longer at something
than the call in which it was done."""

import pytest
from timing_fakes import MILLISECOND, Receipt

from dramaturg.timing.invocation import Elapsed
from dramaturg.timing.receipts import CLOCK_GRAIN, ledger
from dramaturg.v2 import control_pb2

SECOND = 1000 * MILLISECOND

CALLS = {
    "setup_nanos": "Prepare", "runtime_nanos": "Prepare", "run_nanos": "Run",
    "teardown_nanos": "Teardown",
}  # fmt: skip

PASSED = Elapsed(prepare=2 * SECOND, run=3 * SECOND, teardown=5 * SECOND)
OF_CALL = {"Prepare": PASSED.prepare, "Run": PASSED.run, "Teardown": PASSED.teardown}


def told(elapsed: Elapsed = PASSED, peer: int = 0, **claims: int) -> list[str]:
    of_prepare = {key: claims.pop(key) for key in ("setup_nanos", "runtime_nanos") if key in claims}
    receipts = [Receipt(**claims)] + ([Receipt(teardown_nanos=peer)] if peer else [])
    return ledger(control_pb2.PrepareResponse(**of_prepare), receipts, elapsed)


def test_claims_that_fill_their_calls_are_believed() -> None:
    claims = {"run_nanos": PASSED.run, "teardown_nanos": PASSED.teardown}
    assert told(setup_nanos=PASSED.prepare // 2, runtime_nanos=PASSED.prepare // 2, **claims) == []


@pytest.mark.parametrize("claim", CALLS)
def test_a_claim_that_is_longer_than_its_call_is_refused(claim: str) -> None:
    """Though the other calls had the time for it."""
    call = CALLS[claim]
    longer = OF_CALL[call] + OF_CALL[call] // 100
    (said,) = told(**{claim: longer})
    assert f"{claim} is {longer}" in said
    assert f"expected at most {OF_CALL[call]}, which is what {call} took (MEAS-4)" in said


def test_set_up_and_what_outlives_the_world_share_one_call() -> None:
    (said,) = told(setup_nanos=2 * SECOND, runtime_nanos=SECOND)
    assert f"setup_nanos is {2 * SECOND} and runtime_nanos is {SECOND}" in said


def test_every_call_is_judged_for_itself() -> None:
    longer = 10 * SECOND
    said = told(setup_nanos=longer, run_nanos=longer, teardown_nanos=longer)
    assert [text.rpartition("what ")[2].split()[0] for text in said] == [
        "Prepare",
        "Run",
        "Teardown",
    ]


def test_the_tear_down_of_every_node_is_held_against_the_clock() -> None:
    assert told(teardown_nanos=1, peer=PASSED.teardown) == []
    (said,) = told(teardown_nanos=1, peer=6 * SECOND)
    assert f"teardown_nanos is {6 * SECOND}" in said


def test_a_clock_that_is_slewed_or_counts_milliseconds_is_forgiven() -> None:
    passed = Elapsed(prepare=10 * SECOND, run=10 * SECOND, teardown=0)
    assert told(passed, run_nanos=10 * SECOND + 5 * MILLISECOND, teardown_nanos=CLOCK_GRAIN) == []
    (said,) = told(passed, run_nanos=10 * SECOND + 12 * MILLISECOND)
    assert "run_nanos" in said
    (said,) = told(passed, teardown_nanos=CLOCK_GRAIN + 1)
    assert "teardown_nanos" in said


def test_a_claim_beyond_all_bounds_is_just_too_long() -> None:
    assert len(told(setup_nanos=2**64 - 1, runtime_nanos=2**64 - 1)) == 1
