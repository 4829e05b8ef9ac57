"""A salted receipt's values cannot be had before that salt, kept or made up."""

from functools import cache
from typing import Any

import pytest
from timing_fakes import SALT, Receipt, honest, performed

from dramaturg.model import receipt_names
from dramaturg.model.workload import MICRO
from dramaturg.timing.planning.scenarios import COUNTED, WINDOWED, WINDOWS, Scenario, scenario
from dramaturg.timing.validity import timed_receipts

FORMS = [(name, COUNTED) for name in MICRO] + [(name, WINDOWED) for name in WINDOWS]

KNOWN = {
    "pingpong": ["sum"], "big": ["given", "taken"], "bang": ["given", "taken"], "web": ["sum"],
    "count": ["sum"], "chain": ["digest"], "fanout": ["sum"], "sleepers": ["sum"],
    "mergesort": ["checksum"], "broker": ["sum"], "openweb": ["sum"],
}  # fmt: skip
"""For the counted forms: the fields that the salt decides."""

SIZES = {
    "pingpong": ["rounds"], "big": ["peers"], "bang": ["senders", "messages"],
    "web": ["browsers", "requests"], "count": ["adders", "adds"], "chain": ["length"],
    "fanout": ["runners", "tasks"], "sleepers": ["sleepers", "naps"], "mergesort": ["length"],
    "broker": ["tasks"], "openweb": ["requests"],
}  # fmt: skip
"""The fields that decide how many values there are."""

ALIKE = {
    "pingpong": {}, "big": {"rounds": 2}, "bang": {}, "web": {"workers": 2, "fib_n": 5},
    "count": {}, "chain": {}, "fanout": {"window": 2}, "sleepers": {"delay": 1},
    "mergesort": {"leaf": 1, "seed": 42}, "broker": {"employees": 2, "size": 256},
    "openweb": {"servers": 2, "gap": 1, "seed": 42, "fib_n": 5},
}  # fmt: skip
"""And the other parameters."""

SALTED = [
    (name, form, field)
    for name, form in FORMS
    for field in KNOWN[name]
    # Nobody can know how much of the others falls into windows: only that both ends agree.
    if form == COUNTED or name == "pingpong"
]


@cache
def tiny(name: str, form: str) -> Scenario:
    return scenario(name, form, "tiny")


def problems(of: Scenario, receipt: Receipt, salt: int = SALT) -> list[str]:
    return timed_receipts.problems(of, salt, [receipt])


def counts(receipt: Receipt) -> Any:
    return receipt_names.own(receipt)


@pytest.mark.parametrize(("name", "form"), FORMS)
def test_a_receipt_is_right_if_it_says_what_the_actors_have_said(name: str, form: str) -> None:
    of = tiny(name, form)
    assert problems(of, honest(of)) == []


@pytest.mark.parametrize(("name", "form"), FORMS)
def test_each_field_of_a_receipt_is_held_against_something(name: str, form: str) -> None:
    of = tiny(name, form)
    for field, value in receipt_names.counts(name, honest(of)).items():
        if isinstance(value, list):
            continue
        wrong = honest(of)
        setattr(counts(wrong), field, value ^ 1)
        assert problems(of, wrong), field


@pytest.mark.parametrize(("name", "form", "field"), SALTED)
def test_a_sum_that_is_one_off_is_named_with_what_it_should_be(
    name: str, form: str, field: str
) -> None:
    of = tiny(name, form)
    wrong = honest(of)
    value = getattr(counts(wrong), field)
    setattr(counts(wrong), field, value ^ 0x80000000)
    (said,) = problems(of, wrong)
    assert said.startswith(f"{field} is {value ^ 0x80000000}, expected {value} (")


@pytest.mark.parametrize(("name", "form", "field"), SALTED)
def test_what_was_kept_from_the_last_iteration_is_refused(name: str, form: str, field: str) -> None:
    of = tiny(name, form)
    said = problems(of, honest(of, salt=SALT), salt=0x0DDBA11)
    assert any(problem.startswith(f"{field} is ") for problem in said), said


@pytest.mark.parametrize("width", [8, 16])
@pytest.mark.parametrize(("name", "form", "field"), SALTED)
def test_a_salt_that_was_cut_is_refused(name: str, form: str, field: str, width: int) -> None:
    of = tiny(name, form)
    said = problems(of, honest(of, salt=SALT & (1 << width) - 1))
    assert any(problem.startswith(f"{field} is ") for problem in said), said


@pytest.mark.parametrize("name", ["big", "bang"])
def test_windowed_ends_that_disagree_are_refused(name: str) -> None:
    of = tiny(name, WINDOWED)
    wrong = honest(of)
    counts(wrong).taken += 1
    (said,) = problems(of, wrong)
    assert "expected" in said


@pytest.mark.parametrize("name", WINDOWS)
@pytest.mark.parametrize("many", [10**10, 2**60, 2**64 - 1])
def test_more_than_anybody_can_do_in_a_window_is_refused_at_once(name: str, many: int) -> None:
    """Not summed up, which would take hours."""
    of = tiny(name, WINDOWED)
    wrong = honest(of)
    for field in ("pings", "pongs", "bangs", "answers"):
        if field in receipt_names.ARGUMENTS[name]:
            setattr(counts(wrong), field, many)
    (said,) = problems(of, wrong)
    assert f"is {many}, expected at most 10000000 in such windows" in said


@pytest.mark.parametrize("name", WINDOWS)
def test_windows_that_do_not_add_up_are_refused(name: str) -> None:
    of = tiny(name, WINDOWED)
    wrong = honest(of)
    counts(wrong).windows[0] += 1
    (said,) = problems(of, wrong)
    assert "WIN-4" in said


@pytest.mark.parametrize("name", WINDOWS)
def test_a_window_that_was_cut_short_is_refused(name: str) -> None:
    of = tiny(name, WINDOWED)
    wrong = honest(of)
    counts(wrong).window_nanos[1] -= 1
    (said,) = problems(of, wrong)
    assert said.startswith("window 1 lasted 49999999 ns, expected at least 50000000")


@pytest.mark.parametrize("name", WINDOWS)
def test_windows_that_last_longer_than_the_run_are_refused(name: str) -> None:
    of = tiny(name, WINDOWED)
    wrong = honest(of)
    counts(wrong).window_nanos[0] = wrong.run_nanos
    (said,) = problems(of, wrong)
    assert "expected at most run_nanos" in said


def test_naps_that_were_not_slept_are_refused() -> None:
    of = tiny("sleepers", COUNTED)
    (said, _) = problems(of, honest(of, run_nanos=19_999_999))
    assert "expected at least 20000000" in said


def test_a_single_nap_that_was_too_short_is_refused() -> None:
    """The run took as long as all naps: one timer fired early, and another one late."""
    of = tiny("sleepers", COUNTED)
    early = honest(of, run_nanos=25_000_000)
    early.done.shortest_nanos = 9_999_999
    (said,) = problems(of, early)
    assert "the shortest nap took 9999999 ns" in said
    assert "SLEEP-5" in said


def test_a_shortest_nap_that_is_longer_than_the_run_allows_is_refused() -> None:
    """Two naps, one after the other, took 25 ms, so one of them took 12.5 ms at most."""
    of = tiny("sleepers", COUNTED)
    late = honest(of, run_nanos=25_000_000)
    late.done.shortest_nanos = 12_500_001
    (said,) = problems(of, late)
    assert "expected at most 12500000" in said


def test_the_salt_decides_nothing_of_chatapp_but_its_payloads() -> None:
    """Whatever is drawn is the LCG's; so receipts differ in two sums alone."""
    sizes = {"clients": 32, "directories": 2, "turns": 8, "post": 40, "invite": 30, "fib_n": 3}
    of = scenario("chatapp", overrides=sizes | {"compute": 10, "befriend": 50})
    said = [performed(of, salt).logs for salt in (0, SALT)]
    assert said[0] != said[1]
    one, other = (honest(of, salt).chatapp for salt in (0, SALT))
    assert one.announced != other.announced
    other.announced, other.consumed = one.announced, one.consumed
    assert one == other


@pytest.mark.parametrize("bits", [8, 16, 24, 28, 30, 31])
@pytest.mark.parametrize("size", [1, 2, 8, 64])
@pytest.mark.parametrize("name", MICRO)
def test_a_salt_that_was_kept_in_too_few_bits_shows(name: str, size: int, bits: int) -> None:
    """Its highest bits too, where a sum has an even number of values: they do not cancel."""
    parameters = MICRO[name].parameters(**{**ALIKE[name], **dict.fromkeys(SIZES[name], 2 * size)})
    for salt in (1 << 31, 0xFFFFFFFF, 0x9E3779B9, 0xC0000001):
        kept = salt & ((1 << bits) - 1)
        of_salt, of_kept = (MICRO[name].receipt(parameters, each, {}) for each in (salt, kept))
        assert of_salt != of_kept, (salt, kept)
