"""Latencies contain work, and the waiting for that of others (OPEN-10, OPEN-11, OPEN-13)."""

import random
from collections.abc import Sequence

import pytest

from dramaturg.machine.call_floor import Floor
from dramaturg.machine.floors import Cost
from dramaturg.model import openweb
from dramaturg.model.buckets import count_in
from dramaturg.model.fibonacci import calls
from dramaturg.timing.planning.scenarios import Scenario, scenario
from dramaturg.timing.validity.plausibility import NO_FLOOR, WorkCheck
from dramaturg.timing.validity.queueing import LatencyCheck, queue
from dramaturg.v2 import benchmarks_pb2

Receipt = benchmarks_pb2.Receipt

FIB = 20
EACH = calls(FIB)
"""A request's nanoseconds, if a call takes one."""


def of(servers: int = 1, requests: int = 200, gap: int = 40) -> Scenario:
    """By default a server is busy for half of the time."""
    sizes = {"servers": servers, "requests": requests, "gap": gap, "seed": 42, "fib_n": FIB}
    return scenario("openweb", overrides=sizes)


def check(
    scenario: Scenario, *, native: float = 0.1, floor: float | None = 1.0, probe: float = 1.0
) -> LatencyCheck:
    """``floor``: of its language."""
    known = NO_FLOOR if floor is None else Floor(floor, "a test")
    work = WorkCheck(scenario, Cost(nanos=native, source="test", cores=2), known)
    work.probe = probe
    return LatencyCheck(scenario, work)


def receipt(latency: Sequence[float], lateness: Sequence[float] | None = None) -> Receipt:
    said, chance = Receipt(), random.Random(1)
    late = [chance.uniform(1e3, 1e5) for _ in latency] if lateness is None else lateness
    for counts, times in ((said.done.latency, latency), (said.done.lateness, late)):
        made: list[int] = []
        for nanos in times:
            count_in(made, int(nanos))
        counts.extend(made)
    return said


def served(scenario: Scenario, service: float) -> list[float]:
    """Latencies of servers that take so long for each request, one after the other."""
    v, free, found = scenario.parameters, [0.0] * scenario.parameters["servers"], []
    for number, due in enumerate(openweb.arrivals_of(scenario.micro)):
        server = number % v["servers"]
        free[server] = max(free[server], due) + service
        found.append(free[server] - due)
    return found


def test_latencies_of_servers_that_compute_are_believed() -> None:
    held = check(of())
    assert held.problems(receipt(served(of(), EACH * 1.1))) == []
    assert 0 < held.margins["latency, work"] < 0.6
    assert 0 < held.margins["latency, queue"] < 0.6
    assert held.doubts() == []


def test_a_latency_below_its_work_is_refused() -> None:
    times = [nanos / 1000 for nanos in served(of(), EACH * 1.1)]
    (said,) = check(of()).problems(receipt(times))
    assert said.startswith("200 latencies are below")
    assert f"the work that each contains takes at least {(EACH + 1) // 2:,} ns" in said
    assert "half of a test (OPEN-10)" in said


def test_one_latency_below_its_work_is_enough() -> None:
    times = served(of(), EACH * 1.1)
    times[7] = EACH * 0.45
    (said,) = check(of()).problems(receipt(times))
    assert said.startswith("1 latencies are below")


@pytest.mark.parametrize(
    ("known", "says"),
    [
        ({"native": 0.9}, "in C on this machine"),
        ({"floor": None, "probe": 1.6}, "half of 1.600 ns, its own probe"),
        ({"floor": 1.5, "probe": 5.0}, "half of a test"),
    ],
)
def test_the_highest_floor_that_is_known_counts(known: dict[str, float], says: str) -> None:
    (said,) = check(of(), **known).problems(receipt([EACH * 0.7] * 200))
    assert says in said


def test_who_asks_for_nothing_until_it_is_answered_has_no_queue() -> None:
    busy = of(gap=12)
    (said,) = check(busy).problems(receipt([EACH * 1.02] * 200))
    assert "200 latencies are below" in said or "of 200 latencies are below" in said
    assert "with 1 servers" in said
    assert "(OPEN-11)" in said


def test_below_the_queue_of_the_whole_probe_it_is_a_doubt() -> None:
    held = check(of(gap=25))
    chance = random.Random(2)
    assert held.problems(receipt([EACH * chance.uniform(1.0, 2.6) for _ in range(200)])) == []
    (doubt,) = held.doubts()
    assert "in which each request takes as long as its probe" in doubt


def test_what_was_shed_is_in_no_queue() -> None:
    crowded = of(gap=11)
    shed = [min(nanos, 3 * EACH) for nanos in served(crowded, EACH * 1.1)]
    assert "(OPEN-11)" in check(crowded).problems(receipt(shed))[0]


def test_more_servers_than_cores_are_no_faster_than_these() -> None:
    many = of(servers=8, gap=4)
    (said,) = check(many).problems(receipt(served(many, EACH * 1.1)))
    assert "longest latencies" in said
    assert "2 cores cannot do with less" in said


def test_cores_that_are_shared_evenly_are_believed() -> None:
    """Three that begin at once end at once, all later than the first two one after the other."""
    bound = queue([0, 0, 0], 1.0, 3, 2)
    assert bound.shared is not None
    assert bound.shared.sum() <= 3 * 1.5
    assert bound.shared.max() <= 1.5
    assert list(bound.in_turn) == [1.0, 1.0, 1.0]


@pytest.mark.parametrize("servers", [1, 2, 3])
def test_a_queue_is_that_of_servers_one_after_the_other(servers: int) -> None:
    expected = sorted(served(of(servers, gap=15), EACH))
    due = openweb.arrivals_of(of(servers, gap=15).micro)
    assert list(queue(due, EACH, servers, servers).in_turn) == pytest.approx(expected)


def test_requests_that_share_cores_by_chance_are_never_refused() -> None:
    """Whatever an operating system gives a core: here by chance, a twentieth of a request each."""
    step, rate = EACH / 20, 2
    for seed in range(8):
        chance, many = random.Random(seed), of(servers=5, requests=120, gap=9)
        due = openweb.arrivals_of(many.micro)
        left, waiting, busy, now = {}, list(range(len(due))), [], 0.0
        took: dict[int, float] = {}
        while len(took) < len(due):
            while waiting and len(busy) < 5 and due[waiting[0]] <= now:
                busy.append(waiting.pop(0))
                left[busy[-1]] = EACH
            for each in chance.sample(busy, min(rate, len(busy))):
                left[each] -= step
                if left[each] <= 0:
                    busy.remove(each)
                    took[each] = now + step - due[each]
            now += step
        whole = check(many, floor=2.0, probe=1.0)  # half of it is all of it
        assert whole.problems(receipt(list(took.values()))) == []


def test_nothing_is_said_of_other_benchmarks_nor_of_wrong_counts(pingpong: Scenario) -> None:
    assert check(of()).problems(receipt([1.0])) == []
    work = WorkCheck(pingpong, Cost(nanos=1.0, source="test", cores=2))
    assert LatencyCheck(pingpong, work).problems(Receipt()) == []


# --- buckets ---


def _noisy(requests: int, seed: int = 3) -> list[float]:
    chance = random.Random(seed)
    return [EACH * (1.1 + chance.expovariate(1.0)) for _ in range(requests)]


SLOW = of(requests=1000, gap=100_000)


def test_times_with_one_digit_are_refused() -> None:
    rounded = [float(f"{nanos:.0e}") for nanos in _noisy(1000)]
    (said,) = check(SLOW).problems(receipt(rounded))
    assert "times in latency are in" in said
    assert "none in the buckets beside any of them" in said
    assert "(OPEN-13)" in said


def test_times_with_seven_bits_fewer_are_refused_when_enough_were_counted() -> None:
    times = of(requests=200, gap=100_000)
    held = check(times)
    said: list[str] = []
    for seed in range(5):
        few = [int(nanos) >> 13 << 13 for nanos in _noisy(200, seed)]
        said = held.problems(receipt(few))
    assert "(OPEN-13)" in said[0]


@pytest.mark.parametrize("grain", [1, 25, 100, 1000])
def test_a_clock_that_counts_microseconds_is_believed(grain: int) -> None:
    late = [nanos // grain * grain for nanos in _noisy(1000)]
    held = check(SLOW)
    for _ in range(5):
        assert held.problems(receipt(late, [nanos - EACH for nanos in late])) == []


def test_what_always_takes_the_same_time_is_believed() -> None:
    steady = [EACH * 1.1] * 900 + [EACH * 2.3] * 50 + [EACH * 7.7] * 50
    held = check(SLOW)
    assert held.problems(receipt(steady)) == []
    assert held.margins["latency, buckets"] < 1


@pytest.mark.parametrize(("same", "believed"), [(900, True), (960, False)])
def test_a_timer_that_waited_for_a_core_is_late_by_the_same_time_for_many(
    same: int, believed: bool
) -> None:
    late = [777.0] * same + _noisy(1000 - same)
    said = check(SLOW).problems(receipt(_noisy(1000), late))
    assert (said == []) is believed


@pytest.mark.parametrize("late", [0.0, 777.0])
def test_lateness_that_is_always_the_same_is_of_no_clock(late: float) -> None:
    (said,) = check(SLOW).problems(receipt(_noisy(1000), [late] * 1000))
    assert "1000 of 1000 requests are late by" in said
    assert "(OPEN-13)" in said
