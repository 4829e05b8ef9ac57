"""Events at a moment of the harness's own clock bound an implementation's times (MEAS-49)."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from dramaturg.model import names, openweb
from dramaturg.model.buckets import bucket_of
from dramaturg.records import SampleRecord
from dramaturg.timing.planning.scenarios import Scenario, scenario
from dramaturg.timing.validity import look_bounds, look_contrast
from dramaturg.timing.validity.bound_findings import Shown
from dramaturg.timing.validity.look_bounds import Whole
from dramaturg.timing.validity.looks import Look, Looks
from dramaturg.trace.events import Logs
from dramaturg.trace.spool import Snapshot
from dramaturg.trace.watches import EVERYBODY, watch
from dramaturg.v2 import benchmarks_pb2
from dramaturg.v2 import trace_pb2 as kind

MS = 1_000_000
PING, SLEEPER, ALARM = (names.name(each) for each in (names.PING, names.SLEEPER, names.ALARM))
SOURCE, RECEIVER = names.name(names.SOURCE), names.name(names.RECEIVER)
Receipt = benchmarks_pb2.Receipt

At = tuple[float, float, Mapping[int, int] | None]
"""Milliseconds at which a look was asked for and answered, and what it counted; None if a node was
not asked."""


def shown(
    of: Scenario,
    *at: At,
    run: float = 1000,
    taken: Mapping[int, int] | None = None,
    logs: Logs | None = None,
    receipt: Receipt | None = None,
    cpu: tuple[int, int] | None = None,
    beside: float = 0,
    watches: Any = EVERYBODY,
) -> Shown:
    """Return what such looks show of a run of so many milliseconds. ``cpu`` is CPU time at each
    look, and in all."""
    all_looks = [
        Look(int(asked * MS), int(answered * MS), cpu and cpu[0], [Path()])
        for asked, answered, _ in at
    ]
    seen = [None if counted is None else Snapshot(counted, counted) for _, _, counted in at]
    return look_bounds.shown(
        of,
        Looks(all_looks, int(run * MS), cpu and cpu[1], int(beside * MS)),
        seen,
        Whole(watches, logs or {}, taken or {}),
        receipt or Receipt(),
    )


PINGPONG = scenario("pingpong", overrides={"rounds": 1000})


def test_a_run_at_an_even_pace_uses_little_of_the_bound() -> None:
    found = shown(PINGPONG, (500, 510, {PING: 500}), taken={PING: 1001})
    assert not found.problems
    assert 0 < found.margins["look-pace"] < 0.5


def test_the_rest_many_times_as_fast_as_what_was_before_a_look_is_refused() -> None:
    found = shown(PINGPONG, (500, 510, {PING: 50}), taken={PING: 1001})
    (said,) = found.problems
    assert "ping/0 had taken 50 of 1001 messages when 0.500 s of 1.000 s" in said
    assert "(MEAS-49)" in said
    assert found.margins["look-pace"] > 1


def test_who_had_no_core_before_a_look_was_not_slow() -> None:
    starved = shown(PINGPONG, (500, 510, {PING: 50}), taken={PING: 1001}, cpu=(5 * MS, 100 * MS))
    assert not starved.problems
    busy = shown(PINGPONG, (500, 510, {PING: 50}), taken={PING: 1001}, cpu=(50 * MS, 100 * MS))
    assert busy.problems


@pytest.mark.parametrize(
    "at",
    [
        (20, 30, {PING: 0}),  # nothing is said of its first moments
        (140, 150, {PING: 0}),  # of which 50 ms are anybody's
        (500, 1200, {PING: 50}),  # what was answered behind the run may have been counted whenever
        (1100, 1200, {PING: 50}),
    ],
)
def test_looks_that_tell_nothing_of_its_pace_are_left_out(at: At) -> None:
    assert not shown(PINGPONG, at, taken={PING: 1001}).margins


def test_who_waited_for_a_core_before_a_look_was_not_slow() -> None:
    at = (500, 510, {PING: 50})
    assert not shown(PINGPONG, at, taken={PING: 1001}, beside=360).problems
    assert shown(PINGPONG, at, taken={PING: 1001}, beside=60).problems


def test_whoever_was_held_up_at_the_beginning_was_not_slow() -> None:
    held = (65, 66, {PING: 5})
    assert not shown(PINGPONG, held, taken={PING: 1001}, run=200).problems
    later = (140, 141, {PING: 5})
    assert shown(PINGPONG, later, taken={PING: 1001}, run=200).problems
    # Of a run of 100 ms that is more than a quarter.
    assert not shown(PINGPONG, (58, 59, {PING: 2}), taken={PING: 1001}, run=100).problems
    assert shown(PINGPONG, (75, 76, {PING: 2}), taken={PING: 1001}, run=100).problems


def test_whoever_took_its_time_to_begin_was_not_slow() -> None:
    """A quarter of the run passed before its first message was answered."""
    early = (260, 261, {PING: 10})
    assert not shown(PINGPONG, early, taken={PING: 1001}).problems
    assert not shown(PINGPONG, (400, 401, {PING: 200}), taken={PING: 1001}).problems
    assert shown(PINGPONG, (400, 401, {PING: 20}), taken={PING: 1001}).problems


def test_of_many_nobody_is_asked_alone() -> None:
    """One employee of two had its tasks late: the other one had them in the meantime."""
    broker = scenario("broker", overrides={"employees": 2, "tasks": 1000})
    first, second = (names.name(names.EMPLOYEE, index) for index in range(2))
    late = (500, 510, {first: 5, second: 480})
    assert not shown(broker, late, taken={first: 500, second: 500}).problems
    assert not shown(broker, late, taken={first: 500}).margins
    both = shown(broker, (500, 510, {first: 5, second: 5}), taken={first: 500, second: 500})
    assert "all 2 together, from employee/0 on, had taken 10 of 1000 messages" in both.problems[0]


def test_a_look_at_which_one_node_was_not_asked_says_nothing_of_all_of_them() -> None:
    broker = scenario("broker", overrides={"employees": 2, "tasks": 1000})
    employees = {names.name(names.EMPLOYEE, index): 500 for index in range(2)}
    assert not shown(broker, (900, 901, None), taken=employees).margins
    slow = dict.fromkeys(employees, 40)
    both = shown(broker, (500, 510, slow), (900, 901, None), taken=employees)
    assert "had taken 80 of 1000 messages when 0.500 s" in both.problems[0]


def test_who_takes_its_messages_when_it_likes_has_no_pace() -> None:
    web = scenario("mergesort", overrides={"length": 4096})
    assert not shown(web, (50, 51, {}), taken={names.name(names.SORTER, 1): 500}).problems


NAPS = scenario("sleepers", overrides={"sleepers": 2, "naps": 4, "delay": 30})


def test_a_nap_that_had_ended_before_its_time_is_seen_by_the_harness_s_clock() -> None:
    assert not shown(NAPS, (20, 28.5, {SLEEPER: 1})).problems
    assert not shown(NAPS, (20, 30.5, {SLEEPER: 2})).problems
    (said,) = shown(NAPS, (20, 28.5, {SLEEPER: 2})).problems
    assert said.startswith("sleeper/0: 1 naps ended after the run had begun")
    assert "(SLEEP-2)" in said


def test_a_nap_that_began_and_ended_between_two_looks_took_no_longer_than_these() -> None:
    whole = ((40, 41, {SLEEPER: 2}), (65, 66, {SLEEPER: 4}))
    assert "one look at it had been asked for" in shown(NAPS, *whole).problems[0]
    # It was in the midst of that nap already.
    assert not shown(NAPS, (40, 41, {SLEEPER: 3}), (65, 66, {SLEEPER: 4})).problems


def test_the_alarm_hears_of_no_more_naps_than_can_have_ended() -> None:
    assert not shown(NAPS, (40, 45, {ALARM: 3})).problems
    assert "alarm/0: 3 naps" in shown(NAPS, (40, 45, {ALARM: 4})).problems[0]
    assert not shown(NAPS, (40, 41, {ALARM: 3}), (61, 62, {ALARM: 5})).problems
    more = shown(NAPS, (70, 71, {ALARM: 1}), (91, 92, {ALARM: 6}))
    assert "alarm/0: 5 naps ended after one look at it had been asked for" in more.problems[0]


WINDOWS = scenario("pingpong", overrides={"rounds": 0, "windows": 2, "window": 40})


def _windows(nanos: list[int], counts: list[int]) -> tuple[Receipt, Logs]:
    receipt, log = Receipt(), []
    receipt.done.window_nanos.extend(nanos)
    receipt.done.windows.extend(counts)
    log.append((0, (kind.MESSAGE_KIND_PING_START, (0, 1))))
    for number, count in enumerate(counts):
        log += [(0, (kind.MESSAGE_KIND_PING_PONG, (0, 0)))] * count
        log.append((PING, (kind.MESSAGE_KIND_PING_TICK, (number,))))
    return receipt, {PING: log}


@pytest.mark.parametrize(
    ("at", "says"),
    [
        ((30, 31, {PING: 6}), ""),
        ((30, 31, {PING: 20}), "had taken tick(0) before 0.031 s of the run had passed"),
        ((60, 61, {PING: 6}), "had not taken tick(0) when 0.060 s had passed"),
        ((60, 61, {PING: 12}), ""),
        ((90, 91, {PING: 13}), "by the receipt windows 0 to 1 ended after 0.085 s"),
        ((90, 91, {PING: 23}), ""),
    ],
)
def test_windows_are_held_against_what_a_look_saw(at: At, says: str) -> None:
    receipt, logs = _windows([42 * MS, 43 * MS], [10, 10])
    found = shown(WINDOWS, at, receipt=receipt, logs=logs, taken={PING: 30})
    said = [each for each in found.problems if "MEAS-49" not in each]
    assert bool(said) == bool(says), said
    assert says in " ".join(said)


def test_a_tick_in_the_midst_of_a_window_of_the_receipt_is_too_early() -> None:
    receipt, logs = _windows([80 * MS, 43 * MS], [10, 10])
    found = shown(WINDOWS, (50, 51, {PING: 12}), receipt=receipt, logs=logs, run=140)
    assert "windows 0 to 0 lasted 0.080 s by the receipt" in found.problems[0]
    late = shown(WINDOWS, (50, 51, {PING: 12}), receipt=receipt, logs=logs, run=140, beside=30)
    assert not late.problems


def test_more_than_the_windows_count_is_seen_while_they_last() -> None:
    receipt, logs = _windows([80 * MS, 43 * MS], [10, 10])
    found = shown(WINDOWS, (50, 51, {PING: 13}), receipt=receipt, logs=logs, run=140)
    assert any("had taken 13 messages by a look" in each for each in found.problems)


def test_a_turn_lasts_at_least_from_one_look_to_another_that_it_is_under_way_at() -> None:
    chat = scenario("chatapp", overrides={"clients": 8, "directories": 1, "turns": 1})
    accumulator = names.name(names.ACCUMULATOR, 0)
    receipt = Receipt()
    receipt.chatapp.turn_nanos.append(30 * MS)
    at: list[At] = [(10, 11, {accumulator: 1}), (50, 51, {accumulator: 7})]
    assert "turn 0 took 0.030 s by the receipt" in shown(chat, *at, receipt=receipt).problems[0]
    receipt.chatapp.turn_nanos[0] = 40 * MS
    assert not shown(chat, *at, receipt=receipt).problems


OPEN = scenario("openweb", overrides={"servers": 1, "requests": 4, "gap": 1000, "seed": 42})
DUE = openweb.arrivals_of(OPEN.micro)


def _open(latency: float, lateness: float = 0.01) -> tuple[Receipt, Logs]:
    """All requests are answered when all have arrived, and all took so many milliseconds."""
    receipt, log = Receipt(), [(0, (kind.MESSAGE_KIND_SOURCE_START, (0,)))]
    log += [(0, (kind.MESSAGE_KIND_SOURCE_ARRIVE, (k, due))) for k, due in enumerate(DUE)]
    log += [(0, (kind.MESSAGE_KIND_SOURCE_ANSWER, (k, 0))) for k in range(len(DUE))]
    receipt.done.latency.extend([0] * bucket_of(int(latency * MS)) + [4])
    receipt.done.lateness.extend([0] * bucket_of(int(lateness * MS)) + [4])
    return receipt, {SOURCE: log}


@pytest.mark.parametrize("watched", [EVERYBODY, (watch(names.SOURCE, events=1),)])
def test_who_was_not_answered_at_a_look_has_waited_since_it_was_due(watched: Any) -> None:
    last = DUE[-1] / MS
    receipt, logs = _open(0.05)
    logs = {SOURCE: logs[SOURCE][: 1 if len(watched) and watched[0].events == 1 else None]}
    at = (last + 20, last + 21, {SOURCE: 5})
    (said,) = shown(OPEN, at, receipt=receipt, logs=logs, watches=watched).problems
    assert "1 requests were not answered when" in said
    assert "latency counts fewer" in said
    honest, _ = _open(last + 30)
    assert not shown(OPEN, at, receipt=honest, logs=logs, watches=watched).problems


def test_who_was_answered_at_a_look_has_waited_no_longer() -> None:
    receipt, logs = _open(90)
    last = DUE[-1] / MS
    at = (last + 20, last + 21, {SOURCE: 9})
    assert "were answered before" in shown(OPEN, at, receipt=receipt, logs=logs).problems[0]


def test_an_arrival_before_it_is_due_is_seen_by_the_harness_s_clock() -> None:
    receipt, logs = _open(20)
    second = DUE[1] / MS
    found = shown(OPEN, (second - 3, second - 2, {SOURCE: 3}), receipt=receipt, logs=logs)
    assert "had taken arrive(1)" in found.problems[0]
    found = shown(OPEN, (second - 3, second - 2, {SOURCE: 2}), receipt=receipt, logs=logs)
    assert not found.problems


def test_a_request_that_had_not_arrived_at_a_look_is_late() -> None:
    receipt, logs = _open(50)
    last = DUE[-1] / MS
    found = shown(OPEN, (last + 20, last + 21, {SOURCE: 4}), receipt=receipt, logs=logs)
    assert any("were not sent when" in each for each in found.problems)


def _sample(iteration: int, run: int, looks: int) -> SampleRecord:
    return SampleRecord.model_construct(
        iteration=iteration, run_nanos=run * MS, messages=1000, looks=looks, ledger=None
    )


def test_runs_that_are_looked_at_take_as_long_as_others() -> None:
    even = [_sample(n, 100 + n, n % 2) for n in range(6)]
    assert not look_contrast.dearer(even).problems
    uneven = [_sample(n, 100 + 300 * (n % 2), n % 2) for n in range(6)]
    assert "(MEAS-50)" in look_contrast.dearer(uneven).problems[0]
    # One alone may have been held up.
    assert not look_contrast.dearer(uneven[:3]).margins


def _asked(run: int, asked: int, answered: int, cpu: tuple[int, int] | None = None) -> Looks:
    look = Look(asked * MS, answered * MS, cpu and cpu[0] * MS, [])
    return Looks([look], run * MS, cpu and cpu[1] * MS, 0)


def test_looks_that_are_answered_behind_each_run_are_refused() -> None:
    behind, within = _asked(1000, 100, 1200), _asked(1000, 100, 300)
    assert "2 looks were asked for when at least 0.9 s" in look_contrast.ignored([behind, behind])
    assert not look_contrast.ignored([behind, behind, within])
    assert not look_contrast.ignored([behind])
    assert not look_contrast.ignored([_asked(300, 100, 1200)] * 2)


def test_one_look_is_enough_where_a_run_goes_on_for_long_and_has_its_cores() -> None:
    within = _asked(1000, 100, 300)
    assert "(CTRL-9, MEAS-50)" in look_contrast.ignored([_asked(3000, 100, 3100), within])
    assert look_contrast.ignored([_asked(3000, 100, 3100, (100, 2900))])
    assert not look_contrast.ignored([_asked(3000, 100, 3100, (100, 900))])
