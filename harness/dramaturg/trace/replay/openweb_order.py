"""Latencies and lateness of openweb against the source's own log (spec/openweb.md, OPEN-12).

The source reads its clock whenever it takes an arrival or an answer, and takes one after the other.
So whoever was answered behind an arrival waited until that was due, and an arrival behind an answer
was as late as the answer came. No clock is needed for that: the log is held against the model, and
says in which order things were.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dramaturg.model import names
from dramaturg.model.buckets import least_of
from dramaturg.trace.events import AnyLogs
from dramaturg.v2 import benchmarks_pb2
from dramaturg.v2 import trace_pb2 as kind

_SOURCE = names.name(names.SOURCE)
_ARRIVE, _ANSWER = kind.MESSAGE_KIND_SOURCE_ARRIVE, kind.MESSAGE_KIND_SOURCE_ANSWER

GRAIN = 10_000
"""Nanoseconds that rounding may add or take away: some clocks count microseconds. A source takes
its readings one after the other, so nothing else is allowed for."""

EXCEPT = (0.0, 0.01, 0.05, 0.1, 0.25, 0.5)
"""Shares of requests that may have been later than all others, when the others bound latencies."""

_Nanos = NDArray[np.int64]

Order = Sequence[tuple[bool, int]]
"""Pairs of a flag, true for an answer, and a request's number: in the order in which the source
took them."""


@dataclass(frozen=True, slots=True)
class Beyond:
    """The distance of a histogram from a bound that it exceeds, at the worst place."""

    bound: str
    nanos: int
    """Below 0, if nothing is beyond it."""
    text: str
    """The text on what is wrong if that is more than rounding."""


def problems(due: Sequence[int], logs: AnyLogs, said: benchmarks_pb2.DoneReceipt) -> list[str]:
    """Return what is wrong, in words: one text for each bound."""
    found = {each.bound: each.text for each in beyond(due, logs, said) if each.nanos > GRAIN}
    return list(found.values())


def beyond(due: Sequence[int], logs: AnyLogs, said: benchmarks_pb2.DoneReceipt) -> Iterator[Beyond]:
    """Hold a receipt's histograms against what was logged of the source: all that it took, or any
    part of it. ``due``: when each request is, in nanoseconds."""
    order = [
        (number == _ANSWER, args[0])
        for _, (number, args) in logs.get(_SOURCE, ())
        if number in (_ARRIVE, _ANSWER) and args[0] < len(due)
    ]
    if not order or not sum(said.latency) == sum(said.lateness) == len(due):
        return
    late, took = _least(order, due, _first(said.lateness), _first(said.latency))
    yield from _longest("latency", "answered", said.latency, took)
    yield from _longest("lateness", "sent", said.lateness, late)
    yield from _shortest(order, due, said.latency, said.lateness)


def _first(counts: Sequence[int]) -> int:
    """The shortest time that a histogram counts."""
    return least_of(next(bucket for bucket, count in enumerate(counts) if count))


def _least(
    order: Order, due: Sequence[int], lateness: int, latency: int
) -> tuple[list[int], list[int]]:
    """Return the least lateness and the least duration of requests, if none was less late, and none
    took less, than that."""
    late: list[int] = []
    took: list[int] = []
    now = 0
    for is_answer, request in order:
        now = max(now, due[request] + (latency if is_answer else lateness))
        (took if is_answer else late).append(now - due[request])
    return late, took


def _longest(what: str, done: str, counts: Sequence[int], least: Sequence[int]) -> Iterator[Beyond]:
    """Check that a histogram has as many long times as there must be."""
    needed = np.sort(np.array(least, np.int64))[::-1]
    _, ends = _sorted(counts)
    lack = needed - ends[::-1][: len(needed)]
    if not len(lack):
        return
    place = int(lack.argmax())
    text = (
        f"by the order in which source/0 took arrivals and answers {place + 1} requests were"
        f" {done} {needed[place] / 1e6:.3f} ms and more after they were due; {what} counts fewer"
        f" above {ends[::-1][place] / 1e6:.3f} ms (OPEN-12)"
    )
    yield Beyond(f"order-{what}", int(lack[place]), text)


def _shortest(
    order: Order,
    due: Sequence[int],
    latency: Sequence[int],
    lateness: Sequence[int],
) -> Iterator[Beyond]:
    """Check that a histogram has as many short latencies as there must be: an answer was taken
    before the next arrival was, and that no later than lateness says."""
    most, group, of_next, behind = [], [], -1, len(due)
    for is_answer, request in reversed(order):
        if not is_answer:
            of_next, behind = of_next + 1, request
        elif behind < len(due):
            most.append(due[behind] - due[request])
            group.append(of_next)
    if not most:
        return
    bound = np.sort(np.array(most, np.int64))
    # If so many arrivals were later than all others, no more answers than these are before them.
    before = np.cumsum(np.sort(np.bincount(group))[::-1])
    starts, _ = _sorted(latency)
    _, late = _sorted(lateness)
    for share in EXCEPT:
        without = min(int(share * len(due)), len(due) - 1)
        allowed = int(late[len(due) - 1 - without])
        left_out = int(before[min(without, len(before)) - 1]) if without else 0
        if left_out >= len(bound):
            return
        lack = starts[: len(bound) - left_out] - bound[left_out:] - allowed
        place = int(lack.argmax())
        text = (
            f"by the order in which source/0 took answers and arrivals {place + 1} requests were"
            f" answered before others arrived, within"
            f" {(bound[left_out + place] + allowed) / 1e6:.3f} ms of when they were due, if those"
            f" were late by {allowed / 1e6:.3f} ms as lateness says; latency counts fewer below"
            f" {starts[place] / 1e6:.3f} ms: arrivals were later, or waited for answers (OPEN-12)"
        )
        yield Beyond("order-arrivals", int(lack[place]), text)


def _sorted(counts: Sequence[int]) -> tuple[_Nanos, _Nanos]:
    """Return the nanoseconds between which each time is that a histogram counts, the shortest
    first."""
    used = [bucket for bucket, count in enumerate(counts) if count]
    many = [counts[bucket] for bucket in used]
    starts = np.array([least_of(bucket) for bucket in used], np.int64)
    ends = np.array([least_of(bucket + 1) for bucket in used], np.int64)
    return np.repeat(starts, many), np.repeat(ends, many)
