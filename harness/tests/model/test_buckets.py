"""Both histograms of an open load, and what they cannot say (spec/openweb.md, OPEN-5, OPEN-6)."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dramaturg.model import accounts, openweb
from dramaturg.model.buckets import PATIENCE, bucket_of, count_in, least_of, problems
from dramaturg.v2 import benchmarks_pb2

P = openweb.Parameters(servers=1, requests=4, gap=1000, seed=42, fib_n=5)
LAST = openweb.arrivals_of(P)[-1]
MILLI = 1_000_000


_FIELDS = ("latency", "lateness")


def histogram(*nanos: int) -> list[int]:
    counts: list[int] = []
    for each in nanos:
        count_in(counts, each)
    return counts


def said(
    latency: tuple[int, ...] = (3, 5, 4, 9),
    lateness: tuple[int, ...] = (1, 2, 3, 8),
    after: int = 10 * MILLI,
) -> list[str]:
    """Return what is wrong with these latencies and latenesses in milliseconds, in a run that ends
    so many nanoseconds after the last request was due."""
    own = benchmarks_pb2.DoneReceipt(
        benchmark="openweb",
        latency=histogram(*(MILLI * each for each in latency)),
        lateness=histogram(*(MILLI * each for each in lateness)),
    )
    receipt = benchmarks_pb2.Receipt(done=own, run_nanos=LAST + after)
    return accounts.durations("openweb", P, receipt)


def test_buckets_are_numbered_as_the_chapter_says() -> None:
    assert [bucket_of(nanos) for nanos in (0, 255, 256, 257, 258)] == [0, 255, 256, 256, 257]
    assert (bucket_of(1000), least_of(506), least_of(507)) == (506, 1000, 1004)
    assert (bucket_of(10**9), least_of(3054), least_of(3055)) == (3054, 998_244_352, 1_002_438_656)


@given(st.integers(0, 2**62))
def test_each_time_is_in_one_bucket_that_is_narrow(nanos: int) -> None:
    bucket = bucket_of(nanos)
    least, next_one = least_of(bucket), least_of(bucket + 1)
    assert least <= nanos < next_one
    assert next_one - least == 1 or (next_one - least) * 128 <= least


def test_a_right_receipt_is_taken() -> None:
    assert said() == []


@pytest.mark.parametrize("field", ["latency", "lateness"])
def test_there_are_as_many_latencies_and_latenesses_as_requests(field: Any) -> None:
    (found,) = said(**{field: (3, 5, 4)})
    assert found == f"{field} counts 3 requests, expected 4 (OPEN-6)"
    (found,) = said(**{field: ()})
    assert found == f"{field} counts 0 requests, expected 4 (OPEN-6)"
    assert "counts 5 requests" in said(**{field: (3, 5, 4, 9, 9)})[0]


def test_no_answer_is_before_its_request() -> None:
    (found,) = said(latency=(3, 5, 4, 7))
    assert "a request is answered after it was sent" in found
    assert said(latency=(8, 3, 2, 1)) == []


def test_a_run_goes_on_until_the_last_request_is_due() -> None:
    assert f"expected at least {LAST}: then the last request" in said(after=-1)[0]


def test_no_latency_is_longer_than_the_run() -> None:
    (found,) = said(latency=(3, 5, 4, 60_000))
    assert "a latency is 5" in found
    assert "expected at most run_nanos" in found


@pytest.mark.parametrize("field", ["latency", "lateness"])
def test_a_bucket_where_no_run_can_have_a_request_is_named_and_no_absurd_time(field: str) -> None:
    absurd = least_of(7423)
    assert absurd == 18374686479671623680
    both = {each: histogram(3, 5, 4, absurd if each == field else 9) for each in _FIELDS}
    found = problems(**both, requests=4, run_nanos=LAST + MILLI, last=LAST)
    assert f"{field} counts a request in bucket 7423, where no run can have one" in found[0]
    assert f"and {bucket_of(1 << 52)} is the last that there can be (OPEN-5, OPEN-6)" in found[0]
    assert not any(str(absurd) in text for text in found)


def test_a_run_does_not_go_on_for_long_after_the_last_answer() -> None:
    (found,) = said(after=PATIENCE + 20 * MILLI)
    assert "all latencies are below" in found
    assert said(after=PATIENCE + 10 * MILLI) == []
