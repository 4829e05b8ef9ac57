"""The order in which a source took its messages bounds what it says of times (OPEN-12)."""

import random

import pytest

from dramaturg.model import names, openweb
from dramaturg.model.buckets import count_in
from dramaturg.trace.events import Logs
from dramaturg.trace.replay import openweb_order
from dramaturg.v2 import benchmarks_pb2
from dramaturg.v2 import trace_pb2 as kind

MS = 1_000_000
SOURCE = names.name(names.SOURCE)
DUE = openweb.arrivals(200, 20_000, 42)

Run = tuple[list[int], list[int]]
"""The times at which each request arrived, and at which it was answered."""


def open_loop(service: int, late: int = 80_000) -> Run:
    """A right run: one server, and a timer that is late by chance."""
    chance, arrived, answered, free = random.Random(1), [], [], 0
    for due in DUE:
        arrived.append(due + chance.randrange(1000, late))
        free = max(free, arrived[-1]) + int(service * chance.uniform(1.0, 1.3))
        answered.append(free)
    return arrived, answered


def closed_loop(service: int) -> Run:
    """The next request is sent when the one before it was answered."""
    chance, arrived, answered, now = random.Random(1), [], [], 0
    for due in DUE:
        now = max(now, due) + 5000
        arrived.append(now)
        now += int(service * chance.uniform(1.0, 1.3))
        answered.append(now)
    return arrived, answered


def logs_of(run: Run, begin: int = 0, end: int | None = None) -> Logs:
    """Return the source's log: messages ``begin`` to ``end``."""
    arrived, answered = run
    at = [(t, (kind.MESSAGE_KIND_SOURCE_ARRIVE, (k, DUE[k]))) for k, t in enumerate(arrived)]
    at += [(t, (kind.MESSAGE_KIND_SOURCE_ANSWER, (k, 0))) for k, t in enumerate(answered)]
    return {SOURCE: [(0, message) for _, message in sorted(at)][begin:end]}


def held(logs: Logs, lateness: list[int], latency: list[int]) -> list[str]:
    return openweb_order.problems(DUE, logs, said(lateness, latency))


def said(lateness: list[int], latency: list[int]) -> benchmarks_pb2.DoneReceipt:
    receipt = benchmarks_pb2.DoneReceipt()
    for field, times in ((receipt.lateness, lateness), (receipt.latency, latency)):
        counts: list[int] = []
        for nanos in times:
            count_in(counts, nanos)
        field.extend(counts)
    return receipt


def told(run: Run) -> tuple[list[int], list[int]]:
    """Return the values that OPEN-5 asks for."""
    return [t - due for t, due in zip(run[0], DUE, strict=True)], [
        t - due for t, due in zip(run[1], DUE, strict=True)
    ]


@pytest.mark.parametrize("service", [50_000, 14 * MS, 19 * MS, 40 * MS])
@pytest.mark.parametrize("late", [2000, 300_000, 30 * MS])
def test_a_right_source_uses_nothing_of_the_bounds(service: int, late: int) -> None:
    run = open_loop(service, late)
    if sorted(run[0]) != run[0]:
        run = closed_loop(service)
    found = list(openweb_order.beyond(DUE, logs_of(run), said(*told(run))))
    assert {each.bound for each in found} == {"order-latency", "order-lateness", "order-arrivals"}
    assert max(each.nanos for each in found) <= 0


def test_a_source_that_waits_for_answers_was_late() -> None:
    run = closed_loop(14 * MS)
    since = [b - a for a, b in zip(*run, strict=True)]
    found = held(logs_of(run), [0] * 200, since)
    assert "lateness counts fewer above" in found[0]
    assert "by the order in which source/0 took arrivals and answers" in found[0]
    assert "(OPEN-12)" in found[0]


def test_lateness_may_not_be_made_up_by_one_short_latency() -> None:
    run = closed_loop(14 * MS)
    since = [7 * MS, *(b - a for a, b in zip(*run, strict=True))][:200]
    chance = random.Random(2)
    found = held(logs_of(run), [chance.randrange(90_000) for _ in DUE], since)
    assert any("arrivals were later, or waited for answers" in text for text in found)


def test_nor_by_a_few_that_were_very_late() -> None:
    run = closed_loop(14 * MS)
    since = [b - a for a, b in zip(*run, strict=True)]
    late = [*[500 * MS] * 3, *[50_000] * 197]
    assert any("were late by 0.050 ms" in text for text in held(logs_of(run), late, since))


def test_whoever_is_answered_behind_an_arrival_waited_until_then() -> None:
    run = open_loop(40 * MS)
    lateness, _ = told(run)
    since = [min(b - a, 41 * MS) for a, b in zip(*run, strict=True)]
    (text,) = held(logs_of(run), lateness, since)
    assert "requests were answered" in text
    assert "latency counts fewer above" in text


def test_a_part_of_the_log_shows_it_too() -> None:
    run = open_loop(40 * MS)
    lateness, _ = told(run)
    since = [min(b - a, 41 * MS) for a, b in zip(*run, strict=True)]
    logs = logs_of(run, 150, 250)
    assert held(logs, lateness, since)
    assert held(logs, *told(run)) == []


def test_nothing_is_said_where_nothing_is_logged() -> None:
    run = open_loop(MS)
    assert list(openweb_order.beyond(DUE, {}, said(*told(run)))) == []
