"""Each kind of predicate, with data inside its bounds, outside, and on both sides."""

from typing import Any

import pytest
from claims_kit import RAN, claims, judged, row, run, verdict

from dramaturg.claims.decide import Verdict

CONFIRMED, REFUTED = Verdict.CONFIRMED, Verdict.REFUTED
OPEN, NOT_MEASURED = Verdict.NOT_DECIDED, Verdict.NOT_MEASURED

SIZES = [4, 16, 64, 256]
OVER = {"axis": "size", "values": SIZES}


def ratio(**bounds: float) -> dict[str, Any]:
    return {"kind": "ratio", "of": "quick", "to": "slow", **bounds}


def along(*speeds: float, implementation: str = "quick", **rest: Any) -> list[Any]:
    """A row at each size."""
    return [
        row(implementation, speed, parameters={"size": size}, **rest)
        for size, speed in zip(SIZES, speeds, strict=True)
    ]


@pytest.mark.parametrize(
    ("speed", "bounds", "expected"),
    [
        (1.5, {"above": 1}, CONFIRMED),
        (0.7, {"above": 1}, REFUTED),
        (1.001, {"above": 1}, OPEN),
        (0.7, {"below": 1}, CONFIRMED),
        (1.5, {"below": 1}, REFUTED),
        (2.0, {"above": 1.6, "below": 2.5}, CONFIRMED),
        (3.0, {"above": 1.6, "below": 2.5}, REFUTED),
        (1.2, {"above": 1.6, "below": 2.5}, REFUTED),
        (2.5, {"above": 1.6, "below": 2.5}, OPEN),
    ],
)
def test_a_ratio(speed: float, bounds: dict[str, float], expected: Verdict) -> None:
    found = judged(claims(ratio(**bounds)), row("quick", speed), row("slow"))
    assert found.verdict is expected
    [figure] = found.figures
    assert figure.value == pytest.approx(speed, rel=0.03)
    assert figure.low is not None and figure.high is not None
    assert figure.low < figure.value < figure.high
    assert found.versions == {"quick": "Quick 1.2.3-abc [release]", "slow": "Slow 7"}


def test_the_verdict_is_where_the_interval_is() -> None:
    for speed in (0.9, 0.97, 0.99, 0.995, 1.0, 1.005, 1.01, 1.02, 1.1):
        found = judged(claims(ratio(above=1)), row("quick", speed, noise=0.02), row("slow"))
        [figure] = found.figures
        assert figure.low is not None and figure.high is not None
        where = CONFIRMED if figure.low > 1 else REFUTED if figure.high < 1 else OPEN
        assert found.verdict is where


@pytest.mark.parametrize(
    ("speed", "noise", "expected"),
    [(1.02, 0.01, CONFIRMED), (1.5, 0.01, REFUTED), (0.7, 0.01, REFUTED), (1.02, 0.4, OPEN)],
)
def test_equal_takes_an_interval_within_the_margin_and_no_mere_lack_of_difference(
    speed: float, noise: float, expected: Verdict
) -> None:
    known = claims({"kind": "equal", "of": "quick", "to": "slow", "within": 0.1})
    assert judged(known, row("quick", speed, noise=noise), row("slow")).verdict is expected


@pytest.mark.parametrize(
    ("speeds", "expected"),
    [((3, 2, 1), CONFIRMED), ((3, 1, 2), REFUTED), ((3, 1.001, 1), OPEN), ((1, 2, 3), REFUTED)],
)
def test_an_order_needs_every_step(speeds: tuple[float, ...], expected: Verdict) -> None:
    known = claims({"kind": "order", "order": ["quick", "slow", "third"]})
    rows = map(row, ("quick", "slow", "third"), speeds)
    assert judged(known, *rows).verdict is expected


def test_within_a_rank_there_is_no_order() -> None:
    known = claims({"kind": "order", "order": ["quick", ["slow", "third"]]})
    for speeds in ((3, 1, 2), (3, 2, 1)):
        found = judged(known, *map(row, ("quick", "slow", "third"), speeds))
        assert found.verdict is CONFIRMED
        assert [figure.label for figure in found.figures] == ["quick / slow", "quick / third"]


def test_an_order_can_ask_for_a_distance() -> None:
    known = claims({"kind": "order", "order": ["quick", "slow"], "by": 2})
    assert judged(known, row("quick", 3), row("slow")).verdict is CONFIRMED
    assert judged(known, row("quick", 1.5), row("slow")).verdict is REFUTED


@pytest.mark.parametrize(
    ("speeds", "expected"),
    [
        ((64, 16, 4, 1), CONFIRMED),
        ((1, 1, 1, 1), REFUTED),
        ((1, 4, 16, 64), REFUTED),
        ((64, 18.66, 5.44, 1.587), OPEN),
    ],
)
def test_a_slope_between_logarithms(speeds: tuple[float, ...], expected: Verdict) -> None:
    slope = {"kind": "slope", "of": "quick", "over": OVER, "above": -1.1, "below": -0.889}
    found = judged(claims(slope), *along(*speeds))
    assert found.verdict is expected
    assert found.figures[0].unit == ""


@pytest.mark.parametrize(
    ("speeds", "expected"),
    [
        ((1, 1.048, 1.238, 2), CONFIRMED),
        ((2, 1.952, 1.762, 1), REFUTED),
        ((1.001, 1.002, 1.001, 1.002), OPEN),
    ],
)
def test_a_linear_slope(speeds: tuple[float, ...], expected: Verdict) -> None:
    slope = {"kind": "slope", "of": "quick", "over": OVER, "axes": "linear", "above": 0}
    assert judged(claims(slope), *along(*speeds)).verdict is expected


@pytest.mark.parametrize(
    ("kind", "speeds", "expected"),
    [
        ("rises", (1, 2, 3, 4), CONFIRMED),
        ("rises", (1, 2, 1.5, 4), REFUTED),
        ("rises", (1, 2, 2.001, 4), OPEN),
        ("falls", (4, 3, 2, 1), CONFIRMED),
        ("falls", (4, 2, 3, 1), REFUTED),
        ("falls", (4, 2, 2.001, 1), OPEN),
    ],
)
def test_rising_and_falling_are_of_every_step(
    kind: str, speeds: tuple[float, ...], expected: Verdict
) -> None:
    assert judged(claims({"kind": kind, "of": "quick", "over": OVER}), *along(*speeds)).verdict is (
        expected
    )


@pytest.mark.parametrize(
    ("at", "speeds", "expected"),
    [
        ("inside", (1, 2, 3, 1), CONFIRMED),
        ("inside", (1, 2, 3, 4), REFUTED),
        ("inside", (1, 2, 3, 3.001), OPEN),
        ("end", (1, 2, 3, 4), CONFIRMED),
        ("end", (1, 4, 3, 2), REFUTED),
        ("start", (4, 3, 2, 1), CONFIRMED),
        ("start", (1, 2, 3, 4), REFUTED),
        ([16, 64], (1, 3, 3, 2), CONFIRMED),
        ([16, 64], (1, 2, 2, 3), REFUTED),
        ([16, 64], (3, 3.001, 2, 1), OPEN),
    ],
)
def test_a_peak(at: Any, speeds: tuple[float, ...], expected: Verdict) -> None:
    known = claims({"kind": "peak", "of": "quick", "over": OVER, "at": at})
    assert judged(known, *along(*speeds)).verdict is expected


def test_payload_counts_bytes_and_not_messages() -> None:
    """The same messages a second are more bytes a second."""
    known = claims({"kind": "rises", "of": "quick", "over": OVER, "setup": {"measure": "payload"}})
    assert judged(known, *along(1, 1, 1, 1)).verdict is CONFIRMED


@pytest.mark.parametrize(
    ("below", "above", "expected"),
    [(1200, 800, CONFIRMED), (700, 500, REFUTED), (1003, 1.0, OPEN)],
)
def test_a_value_is_a_run_time_in_milliseconds(
    below: float, above: float, expected: Verdict
) -> None:
    known = claims({"kind": "value", "of": "slow", "above": above, "below": below})
    slow = row("slow", noise=0.0)
    assert slow.invocations[0].run_nanos == pytest.approx(1e6, rel=0.5)
    rows = [
        each.model_copy(update={"run_nanos": each.run_nanos * 1000}) for each in slow.invocations
    ]
    found = judged(known, slow.model_copy(update={"invocations": rows}))
    assert found.verdict is expected
    assert found.figures[0].unit == "ms"


@pytest.mark.parametrize(("crashed", "expected"), [(11, CONFIRMED), (0, REFUTED), (6, OPEN)])
def test_crashes_are_counted_and_need_no_certificate(crashed: int, expected: Verdict) -> None:
    known = claims({"kind": "crashes", "of": "quick"})
    found = judged(known, row("quick", certified=crashed == 0, crashed=crashed))
    assert found.verdict is expected
    assert found.figures[0].value == pytest.approx(crashed / 11, rel=1e-3)


def test_what_was_never_run_did_not_survive() -> None:
    known = claims({"kind": "crashes", "of": "quick"})
    absent = row("quick", certified=False, why_not="no compiler", not_run=11, invocations=[])
    found = judged(known, absent)
    assert found.verdict is Verdict.NOT_MEASURED
    assert "nothing of it was run: no compiler" in found.reason
    few = judged(known, row("quick", certified=False, crashed=1, not_run=9))
    assert few.figures[0].value == pytest.approx(1 / 2)
    assert few.verdict is OPEN


def test_a_ratio_over_an_axis_holds_at_every_point() -> None:
    known = claims(ratio(above=1) | {"over": OVER})
    slow = along(1, 1, 1, 1, implementation="slow")
    assert judged(known, *along(2, 2, 2, 2), *slow).verdict is CONFIRMED
    assert judged(known, *along(2, 2, 2, 0.5), *slow).verdict is REFUTED
    assert judged(known, *along(2, 2, 2, 1.001), *slow).verdict is OPEN
    assert judged(known, *along(2, 2, 2, 2), *slow[:3]).verdict is NOT_MEASURED


def test_a_claim_is_confirmed_if_all_parts_are_and_refuted_if_one_is() -> None:
    rows = [row("quick", 2), row("slow"), row("third", 2)]
    true, false = ratio(above=1), ratio(below=1)
    open_ = {"kind": "ratio", "of": "quick", "to": "third", "above": 1}
    unmeasured = {"kind": "ratio", "of": "quick", "to": "fourth", "above": 1}
    for parts, expected in (
        ([true, true], CONFIRMED),
        ([true, false], REFUTED),
        ([true, open_, unmeasured, false], REFUTED),
        ([true, open_, unmeasured], OPEN),
        ([true, unmeasured], NOT_MEASURED),
    ):
        known = claims(*parts)
        assert verdict(known, run(known, *rows)).verdict is expected


def test_a_cause_is_no_part_of_the_verdict() -> None:
    cause = {"says": "It is that.", "of": "slow", "to": "quick", "above": 1}
    known = claims(ratio(above=1), explained_by=[cause])
    found = verdict(known, run(known, row("quick", 2), row("slow")))
    assert found.verdict is CONFIRMED
    assert [each.verdict for each in found.explanations] == [REFUTED]


def test_what_is_not_decided_says_how_many_invocations_would_do() -> None:
    known = claims(ratio(above=1))
    near = judged(known, row("quick", 1.008, noise=0.02), row("slow", noise=0.02))
    assert near.verdict is OPEN
    assert near.enough is not None and near.enough > 10
    assert f"about {near.enough} invocations" in near.reason or "1000" in near.reason


def test_figures_that_agree_to_the_last_digit_decide_nothing() -> None:
    known = claims(ratio(above=1))
    quick, slow = row("quick", 2, noise=0), row("slow", noise=0)
    exact = [each.model_copy(update={"rate": 2e6}) for each in quick.invocations]
    half = [each.model_copy(update={"rate": 1e6}) for each in slow.invocations]
    found = judged(
        known,
        quick.model_copy(update={"invocations": exact}),
        slow.model_copy(update={"invocations": half}),
    )
    assert found.verdict is OPEN
    assert RAN["quick"].version.startswith("1.2")
