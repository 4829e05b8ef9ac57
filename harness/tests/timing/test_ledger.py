"""Time claimed against time seen, call by call and all together, in both directions."""

from collections.abc import Callable

import pytest
from timing_fakes import MILLISECOND, Receipt

from dramaturg.timing.validity.ledger import (
    GRAIN,
    LONGEST_WAIT,
    MOST_WAIT,
    RECENT,
    STALL,
    USUAL_WAIT,
    VOUCHED,
    WAYS,
    Elapsed,
    Ledger,
    RoundTrips,
    Tolerance,
)
from dramaturg.v2 import control_pb2

SECOND = 1000 * MILLISECOND
TRIP = MILLISECOND // 10
TOLERANCE = RoundTrips(first=0, trips=[TRIP]).tolerance(1)  # type: ignore[arg-type]

CALLS = {
    "setup_nanos": "Prepare", "runtime_nanos": "Prepare", "run_nanos": "Run",
    "teardown_nanos": "Teardown",
}  # fmt: skip

PASSED = Elapsed(prepare=2 * SECOND, run=3 * SECOND, teardown=(5 * SECOND,))
OF_CALL = {"Prepare": PASSED.prepare, "Run": PASSED.run, "Teardown": PASSED.teardown[0]}
FULL = {
    "setup_nanos": PASSED.prepare, "run_nanos": PASSED.run, "teardown_nanos": PASSED.teardown[0],
}  # fmt: skip


def told(
    elapsed: Elapsed = PASSED,
    tolerance: Tolerance = TOLERANCE,
    ledger: Ledger | None = None,
    **claims: int,
) -> list[str]:
    """Return what is wrong with claims that fill their calls, but for these."""
    claims = FULL | claims
    of_prepare = {key: claims.pop(key) for key in ("setup_nanos", "runtime_nanos") if key in claims}
    prepared = control_pb2.PrepareResponse(**of_prepare)
    return (ledger or Ledger(local=True)).problems(
        prepared, [Receipt(**claims)], elapsed, tolerance
    )


def test_claims_that_fill_their_calls_are_believed() -> None:
    half = PASSED.prepare // 2
    assert told(setup_nanos=half, runtime_nanos=half) == []


@pytest.mark.parametrize("claim", CALLS)
def test_a_claim_that_is_longer_than_its_call_is_refused(claim: str) -> None:
    """Though the other calls had the time for it."""
    call = CALLS[claim]
    longer = OF_CALL[call] + OF_CALL[call] // 100
    (said,) = told(**{claim: longer})
    assert f"{claim} is {longer}" in said
    assert f"expected at most {OF_CALL[call]}, which is what {call} took (MEAS-4)" in said


@pytest.mark.parametrize("claim", FULL)
def test_a_claim_that_leaves_more_than_an_empty_call_is_refused(claim: str) -> None:
    call = CALLS[claim]
    rest = OF_CALL[call] // 1000 + TOLERANCE.single + STALL
    assert told(**{claim: OF_CALL[call] - rest}) == []
    shorter = OF_CALL[call] - rest - 1
    (said,) = told(**{claim: shorter})
    assert f"{claim} is {shorter}" in said
    assert f"expected at least {shorter + 1}: {call} took {OF_CALL[call]}" in said


@pytest.mark.parametrize("claim", FULL)
def test_no_time_at_all_is_too_little(claim: str) -> None:
    (said,) = told(**{claim: 0})
    assert f"{claim} is 0" in said


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


def test_a_stall_of_one_call_is_forgiven_and_one_of_each_is_not() -> None:
    """The time that the host took is in no account of the kernel's."""
    stalled = 100 * MILLISECOND - TRIP - STALL
    assert repeated(lambda iteration: stalled if iteration == 3 else 100 * MILLISECOND - TRIP) == []
    (said,) = repeated(lambda _: stalled)
    assert "over 2 iterations run_nanos come to" in said


def test_no_run_is_vouched_for_by_a_stall() -> None:
    assert TOLERANCE.vouches_for(VOUCHED * TOLERANCE.single, VOUCHED * TOLERANCE.single)


def test_a_clock_that_is_slewed_or_counts_milliseconds_is_forgiven() -> None:
    ten = Elapsed(prepare=10 * SECOND, run=10 * SECOND, teardown=(0,))
    claims = {"setup_nanos": 10 * SECOND, "teardown_nanos": GRAIN}
    assert told(ten, **claims, run_nanos=10 * SECOND + 5 * MILLISECOND) == []
    assert told(ten, **claims, run_nanos=10 * SECOND - 5 * MILLISECOND) == []
    (said,) = told(ten, **claims, run_nanos=10 * SECOND + 12 * MILLISECOND)
    assert "run_nanos" in said
    (said,) = told(ten, **claims | {"teardown_nanos": GRAIN + 1}, run_nanos=10 * SECOND)
    assert "teardown_nanos" in said


def test_a_claim_beyond_all_bounds_is_just_too_long() -> None:
    assert len(told(setup_nanos=2**64 - 1, runtime_nanos=2**64 - 1)) == 1


# --- over an invocation ---


HUNDRED = Elapsed(prepare=100 * MILLISECOND, run=100 * MILLISECOND, teardown=(0,))
SLEWED = MILLISECOND // 10
"""By what a clock may be off in a call of HUNDRED."""


def in_turn(claim: str, *beside: int, waited: int = 0) -> list[str]:
    """Return what is wrong with the last of these iterations, in each of which the claim is so much
    less than its call took, beyond what its clock may be off."""
    ledger, said = Ledger(local=True), [""]
    full = {"setup_nanos": 100 * MILLISECOND, "run_nanos": 100 * MILLISECOND, "teardown_nanos": 0}
    elapsed = Elapsed(HUNDRED.prepare, HUNDRED.run, HUNDRED.teardown, (waited, waited, 0))
    for count, nanos in enumerate(beside):
        assert said == [] or count == 0, f"iteration {count - 1}"
        off = SLEWED if nanos > 0 else -SLEWED
        said = told(elapsed, ledger=ledger, **full | {claim: full[claim] - nanos - off})
    return said


@pytest.mark.parametrize(
    ("claim", "fields", "call"),
    [
        ("setup_nanos", "setup_nanos and runtime_nanos", "Prepare"),
        ("run_nanos", "run_nanos", "Run"),
    ],
)
def test_what_lies_beside_adds_up_to_a_bound_and_not_a_nanosecond_more(
    claim: str, fields: str, call: str
) -> None:
    """Three times four ways and half a millisecond, and once what a single call may."""
    usual = WAYS * TRIP + GRAIN // 2
    bound = 3 * usual + TOLERANCE.beside
    assert in_turn(claim, TOLERANCE.beside, usual, 2 * usual) == []
    (said,) = in_turn(claim, TOLERANCE.beside, usual, 2 * usual + 1)
    least = 300 * MILLISECOND - 3 * SLEWED - bound
    assert said == (
        f"over 3 iterations {fields} come to {least - 1}, expected at least {least}:"
        f" {call} took {300 * MILLISECOND} (MEAS-4)"
    )


def test_what_is_claimed_too_much_adds_up_to_a_bound_and_not_a_nanosecond_more() -> None:
    """Three times half a millisecond, and one more."""
    half = GRAIN // 2
    assert in_turn("run_nanos", -GRAIN, -GRAIN, -half) == []
    (said,) = in_turn("run_nanos", -GRAIN, -GRAIN, -half - 1)
    most = 300 * MILLISECOND + 3 * SLEWED + 2 * GRAIN + half
    assert said == (
        f"over 3 iterations run_nanos come to {most + 1}, expected at most {most}:"
        f" Run took {300 * MILLISECOND} (MEAS-4)"
    )


def test_of_waits_the_usual_counts_in_every_iteration_and_the_rest_is_forgiven() -> None:
    """Three times what is usual, and once what a single call may; then as long as was waited."""
    waited = 2 * USUAL_WAIT
    elapsed = Elapsed(HUNDRED.prepare, HUNDRED.run, HUNDRED.teardown, (waited, waited, 0))
    full = HUNDRED.run - SLEWED
    usual = WAYS * TRIP + GRAIN // 2 + USUAL_WAIT
    first, rest = TOLERANCE.beside + waited, 2 * usual - USUAL_WAIT

    def third(beside: int) -> tuple[list[str], int]:
        ledger = Ledger(local=True)
        claims = {"setup_nanos": HUNDRED.prepare, "teardown_nanos": 0}
        for nanos in (first, usual, beside):
            said = told(elapsed, ledger=ledger, **claims, run_nanos=full - nanos)
        return said, ledger.forgiven

    assert third(rest) == ([], 0)
    assert third(rest + 1) == ([], 1)
    assert third(first) == ([], first - rest)


def test_waits_are_forgiven_for_as_long_as_they_were_and_no_more() -> None:
    """In each iteration a millisecond lies beside the claim that is no wait."""
    waited = 2 * USUAL_WAIT
    elapsed = Elapsed(0, HUNDRED.run, (0,), (0, waited, 0))
    claims = {"setup_nanos": 0, "teardown_nanos": 0}
    beside = WAYS * TRIP + GRAIN // 2 + waited + MILLISECOND
    claims["run_nanos"] = HUNDRED.run - SLEWED - beside
    ledger, once = Ledger(local=True), TOLERANCE.beside + waited - USUAL_WAIT
    forgiven = []
    for _ in range(once // MILLISECOND):
        assert told(elapsed, ledger=ledger, **claims) == []
        forgiven.append(ledger.forgiven)
    (said,) = told(elapsed, ledger=ledger, **claims)
    assert f"over {len(forgiven) + 1} iterations run_nanos come to" in said
    assert 0 < sum(forgiven) <= len(forgiven) * (waited - USUAL_WAIT)


def test_waits_are_longer_where_nodes_share_a_core() -> None:
    """Eight nodes on one core, as in User-Mode Linux: each waits for the seven others."""
    waited, off = 300 * MILLISECOND, 80 * MILLISECOND
    elapsed = Elapsed(0, SECOND, (0,), (0, waited, 0))

    def vouched(sharing: int) -> int:
        ledger, found = Ledger(local=True, sharing=sharing), 0
        claims = {"setup_nanos": 0, "teardown_nanos": 0, "run_nanos": SECOND - off}
        for _ in range(9):
            assert told(elapsed, ledger=ledger, **claims) == []
            found += ledger.forgiven == 0
        return found

    assert vouched(8) == 9
    assert 1 <= vouched(1) < 9


def repeated(run_nanos: Callable[[int], int], iterations: int = 40) -> list[str]:
    ledger = Ledger(local=True)
    elapsed = Elapsed(prepare=0, run=100 * MILLISECOND, teardown=(0,))
    for iteration in range(iterations):
        said = told(
            elapsed, ledger=ledger, setup_nanos=0, teardown_nanos=0, run_nanos=run_nanos(iteration)
        )
        if said:
            return [f"iteration {iteration}: {text}" for text in said]
    return []


def test_a_little_of_each_iteration_adds_up() -> None:
    """A clock that runs slow by two hundredths: no run alone is out of its tolerance."""
    (said,) = repeated(lambda _: 98 * MILLISECOND - TRIP)
    assert "iterations run_nanos come to" in said
    assert "expected at least" in said


def test_a_little_more_in_each_iteration_adds_up() -> None:
    (said,) = repeated(lambda _: 100 * MILLISECOND + 8 * GRAIN // 10)
    assert "expected at most" in said
    assert "over " in said


def test_ways_there_and_back_may_add_up() -> None:
    assert repeated(lambda _: 100 * MILLISECOND - 2 * TRIP) == []


def test_milliseconds_that_are_cut_off_may_add_up() -> None:
    assert repeated(lambda number: (100 - number % 2) * MILLISECOND - TRIP) == []


def test_what_outlives_worlds_is_built_once() -> None:
    ledger, half = Ledger(local=True), PASSED.prepare // 2
    assert told(ledger=ledger, setup_nanos=half, runtime_nanos=half) == []
    assert told(ledger=ledger) == []
    (said,) = told(ledger=ledger, setup_nanos=half, runtime_nanos=half)
    assert f"runtime_nanos is {half} in a later iteration, expected 0" in said
    assert "(IMPL-8)" in said


# --- several nodes ---


def distributed(*teardown: int, setup_nanos: int = PASSED.prepare) -> list[str]:
    prepared = control_pb2.PrepareResponse(setup_nanos=setup_nanos)
    receipts = [Receipt(run_nanos=PASSED.run, teardown_nanos=nanos) for nanos in teardown]
    elapsed = Elapsed(PASSED.prepare, PASSED.run, tuple(SECOND for _ in teardown))
    return Ledger(local=False).problems(prepared, receipts, elapsed, TOLERANCE)


def test_the_tear_down_of_every_node_is_held_against_its_own_call() -> None:
    assert distributed(SECOND, SECOND) == []
    (said,) = distributed(SECOND, 2 * SECOND)
    assert f"teardown_nanos is {2 * SECOND}" in said
    assert "which is what Teardown of node 1 took" in said


def test_every_receipt_has_its_call() -> None:
    elapsed = Elapsed(PASSED.prepare, PASSED.run, (SECOND, SECOND))
    receipts = [Receipt(run_nanos=PASSED.run, teardown_nanos=SECOND)]
    prepared = control_pb2.PrepareResponse(setup_nanos=PASSED.prepare)
    with pytest.raises(ValueError, match="zip"):
        Ledger(local=False).problems(prepared, receipts, elapsed, TOLERANCE)


def test_connections_of_a_distributed_world_are_in_no_figure() -> None:
    assert distributed(0, 0, setup_nanos=0) == []


def test_nothing_is_forgiven_that_is_in_no_figure() -> None:
    ledger = Ledger(local=False)
    assert ledger.forgiven == 0
    waits = Elapsed(SECOND, SECOND, (SECOND,), (SECOND, SECOND, SECOND))
    claims = {"setup_nanos": 0, "teardown_nanos": 0, "run_nanos": SECOND}
    assert told(waits, ledger=ledger, **claims) == []
    assert ledger.forgiven == 0


# --- the tolerance ---


def trips(*nanos: int, first: int = 0) -> RoundTrips:
    measured = RoundTrips(first)
    measured.trips.extend(nanos)
    return measured


def test_a_tolerance_is_made_of_the_longest_empty_call() -> None:
    tolerance = trips(100, 300, 200).tolerance(3)
    assert tolerance.single == WAYS * 300 + GRAIN
    assert tolerance.mean == 200
    assert repr(trips(100, 101).tolerance(3).mean) == "100"


def test_of_a_long_call_a_hundredth_may_be_spent_waiting_in_whole_nanoseconds() -> None:
    waits = Tolerance(single=GRAIN, mean=TRIP).after(10**15, seen=60 * SECOND + 199)
    assert repr(waits.waited) == str(600 * MILLISECOND + 1)
    assert waits.single == GRAIN + 600 * MILLISECOND + 1
    assert repr(waits.more) == str(400 * MILLISECOND - 1)
    assert Tolerance(GRAIN, TRIP).after(10**15, seen=200 * SECOND).more == 0


def test_empty_calls_of_long_ago_are_forgotten() -> None:
    assert trips(SECOND, *[100] * RECENT).tolerance(3) == trips(100).tolerance(3)


def test_the_first_iteration_may_load_what_it_needs() -> None:
    measured = trips(100, first=SECOND)
    assert measured.tolerance(0).single == measured.tolerance(1).single + SECOND


def test_a_run_that_is_not_much_longer_than_the_tolerance_is_not_vouched_for() -> None:
    tolerance = trips(100).tolerance(1)
    least = VOUCHED * tolerance.single
    assert tolerance.vouches_for(least, seen=least)
    assert not tolerance.vouches_for(least - 1, seen=least)


def test_a_run_beside_which_much_lies_is_not_vouched_for() -> None:
    tolerance = trips(100).tolerance(1)
    assert tolerance.vouches_for(SECOND, seen=SECOND + SECOND // VOUCHED)
    assert not tolerance.vouches_for(SECOND, seen=SECOND + SECOND // VOUCHED + 1)


def test_what_waited_for_a_core_may_lie_beside_the_claim_of_its_call_and_no_other() -> None:
    wait = 50 * MILLISECOND
    for call, claim in enumerate(("setup_nanos", "run_nanos", "teardown_nanos")):
        waited = tuple(wait if number == call else 0 for number in range(3))
        busy = Elapsed(PASSED.prepare, PASSED.run, PASSED.teardown, waited)  # type: ignore[arg-type]
        shorter = {each: FULL[each] - wait - FULL[each] // 1000 for each in FULL}
        assert told(busy, **{claim: shorter[claim]}) == []
        assert len(told(busy, **shorter)) == 2


def test_who_waited_in_the_midst_of_a_run_did_not_wait_beside_it() -> None:
    """Whoever plays ping-pong is woken a million times, and waits a little each time."""
    waits = Elapsed(PASSED.prepare, PASSED.run, PASSED.teardown, (0, 10 * SECOND, 0))
    least = PASSED.run - PASSED.run // 1000 - TOLERANCE.single - STALL - MOST_WAIT
    assert told(waits, run_nanos=least) == []
    (said,) = told(waits, run_nanos=least - 1)
    assert f"expected at least {least}" in said
    assert f"at most {TOLERANCE.beside + MOST_WAIT} of that" in said
    assert f"{MOST_WAIT}, waiting for a core" in said


@pytest.mark.parametrize("claim", FULL)
def test_what_only_longer_waits_explain_is_forgiven_and_said(claim: str) -> None:
    waited = LONGEST_WAIT + 70 * MILLISECOND
    waits = Elapsed(PASSED.prepare, PASSED.run, PASSED.teardown, (waited, waited, waited))
    usually = OF_CALL[CALLS[claim]] - OF_CALL[CALLS[claim]] // 1000 - TOLERANCE.beside
    ledger = Ledger(local=True)
    assert told(waits, ledger=ledger, **{claim: usually - LONGEST_WAIT}) == []
    assert ledger.forgiven == 0
    ledger = Ledger(local=True)
    assert told(waits, ledger=ledger, **{claim: usually - waited}) == []
    assert ledger.forgiven == waited - LONGEST_WAIT
    assert told(waits, ledger=ledger) == []
    assert ledger.forgiven == 0
    (said,) = told(waits, **{claim: usually - waited - 1})
    assert f"{waited}, waiting for a core" in said


@pytest.mark.parametrize("claim", FULL)
@pytest.mark.parametrize("had", [0, 30 * MILLISECOND])
def test_no_more_is_forgiven_than_others_had_the_cores(claim: str, had: int) -> None:
    """An implementation with more threads than cores waits for itself alone, throughout a run."""
    waited = (LONGEST_WAIT + 70 * MILLISECOND,) * 3
    waits = Elapsed(PASSED.prepare, PASSED.run, PASSED.teardown, waited, (had, had, had))
    call = OF_CALL[CALLS[claim]]
    usually = call - call // 1000 - TOLERANCE.beside - LONGEST_WAIT
    ledger = Ledger(local=True)
    assert told(waits, ledger=ledger, **{claim: usually - had}) == []
    assert ledger.forgiven == had
    (said,) = told(waits, **{claim: usually - had - 1})
    assert f"{LONGEST_WAIT + had}, waiting for a core" in said


def test_of_a_sum_no_more_is_forgiven_than_others_had_the_cores() -> None:
    waits = Elapsed(0, SECOND, (0,), (0, SECOND, 0), (0, MILLISECOND, 0))
    claims = {"setup_nanos": 0, "teardown_nanos": 0}
    usual = SECOND // 1000 + WAYS * TRIP + GRAIN // 2 + USUAL_WAIT
    # Each time that little more, for which nobody else had a core.
    run_nanos = SECOND - usual - 2 * MILLISECOND
    ledger, forgiven, count = Ledger(local=True), 0, 0
    while not (said := told(waits, ledger=ledger, **claims, run_nanos=run_nanos)):
        forgiven, count = forgiven + ledger.forgiven, count + 1
        assert count < 500
    assert "iterations run_nanos come to" in said[0]
    assert 0 < forgiven <= count * MILLISECOND


def test_what_is_forgiven_over_an_invocation_has_an_end() -> None:
    """A program whose threads wait for each other gains nothing but not to be vouched for."""
    waits = Elapsed(0, SECOND, (0,), (0, SECOND, 0))
    claims = {"setup_nanos": 0, "teardown_nanos": 0}
    usual = SECOND // 1000 + WAYS * TRIP + GRAIN // 2 + USUAL_WAIT
    ledger, forgiven = Ledger(local=True), 0
    for _ in range(100):
        run_nanos = SECOND - usual - 50 * MILLISECOND
        said = told(waits, ledger=ledger, **claims, run_nanos=run_nanos)
        if said:
            break
        forgiven += ledger.forgiven
    assert "iterations run_nanos come to" in said[0]
    assert MOST_WAIT - 50 * MILLISECOND < forgiven <= MOST_WAIT


def test_of_a_long_run_a_hundredth_may_have_been_spent_waiting() -> None:
    minute = 60 * SECOND
    waits = Elapsed(0, minute, (0,), (0, minute, 0))
    claims = {"setup_nanos": 0, "teardown_nanos": 0}
    ledger = Ledger(local=True)
    assert told(waits, ledger=ledger, **claims, run_nanos=minute - minute // 100) == []
    assert ledger.forgiven == 0
    assert told(waits, ledger=Ledger(local=True), **claims, run_nanos=minute - minute // 70) == []
    assert len(told(waits, **claims, run_nanos=minute - minute // 40)) == 1


def test_the_usual_waits_may_be_claimed_in_every_iteration() -> None:
    waits = Elapsed(0, SECOND, (0,), (0, SECOND, 0))
    claims = {"setup_nanos": 0, "teardown_nanos": 0}
    ledger = Ledger(local=True)
    for _ in range(10):
        assert told(waits, ledger=ledger, **claims, run_nanos=SECOND - 10 * MILLISECOND) == []
        assert ledger.forgiven == 0
