"""The three steps give the token game's verdict: on mutations, and on what is made to get by."""

import random
import time
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from columns_kit import decided, stored
from mutation_kit import RUNS, mutations, run_of

from dramaturg.compiled import loading
from dramaturg.model import names
from dramaturg.model.simulation import AtRandom, Simulation
from dramaturg.model.workload import MICRO, MicroWorkload
from dramaturg.trace.columns import store
from dramaturg.trace.columns.store import ARITIES
from dramaturg.trace.events import Event, Logs
from dramaturg.trace.replay.steps import actor_replay, order, sums, three_steps
from dramaturg.trace.replay.steps.three_steps import decide
from dramaturg.trace.replay.token_game import replay
from dramaturg.v2 import trace_pb2 as kind

SAMPLE = 40
"""Mutations of each benchmark; harness/scripts/same_verdicts.py tries all."""


@pytest.fixture(scope="module", autouse=True)
def _compiled() -> None:
    """Loops are compiled at their first call, which is no part of a run's CPU time."""
    workload, logs = run_of("pingpong")
    assert decide(workload, stored(logs).sort()).conforms


@pytest.fixture(params=["whole", "in pieces", "in pieces, interpreted"])
def _pieces(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Machine code decides where there is any, but for the last."""
    if request.param == "in pieces, interpreted":
        monkeypatch.setattr(loading, "package", lambda: "")
    if request.param != "whole":
        monkeypatch.setattr(store, "PIECE", 7)
        monkeypatch.setattr(store, "SHARD", 9)
        monkeypatch.setattr(three_steps, "SHARD", 9)
        monkeypatch.setattr(three_steps, "CELL", 5)
        monkeypatch.setattr(actor_replay, "ROWS", 3)
        monkeypatch.setattr(actor_replay, "FLUSH", 8)


@pytest.mark.usefixtures("_pieces")
@pytest.mark.parametrize("name", RUNS)
@pytest.mark.parametrize("seed", range(3))
def test_every_schedule_conforms_and_control_hears_the_same(name: str, seed: int) -> None:
    workload = RUNS[name]
    logs = Simulation(workload, AtRandom(random.Random(seed).randrange)).perform().logs
    expected, found = replay(workload, logs), decided(workload, logs)
    assert expected.conforms and found.conforms, found.why
    assert found.control == expected.control
    assert set(found.born.tolist()) == expected.born
    assert found.alive == expected.alive


@pytest.mark.usefixtures("_pieces")
@pytest.mark.parametrize("name", RUNS)
def test_a_sample_of_mutations_has_the_token_games_verdict(name: str) -> None:
    workload, logs = run_of(name)
    changed = list(mutations(logs))
    for how, other in random.Random(name).sample(changed, min(SAMPLE, len(changed))):
        expected, found = replay(workload, other).conforms, decided(workload, other)
        if found.conforms is None:
            assert found.why == "ran away" and not expected, f"{how}: {found.why}"
        else:
            assert found.conforms == expected, f"{how}: {found.why}"


def _of_kind(logs: Logs, number: int) -> list[tuple[int, int]]:
    return [
        (actor, place)
        for actor, log in logs.items()
        for place, (_, (each, _)) in enumerate(log)
        if each == number
    ]


def _with(logs: Logs, *changes: tuple[int, int, Event | None]) -> Logs:
    """Return the logs with these events in the places of others; None for one that is lost."""
    changed = {actor: [*log] for actor, log in logs.items()}
    for actor, place, event in sorted(changes, key=lambda each: -each[1]):
        changed[actor][place : place + 1] = [] if event is None else [event]
    return changed


def _flipped(logs: Logs) -> Logs:
    """Two messages have their last argument's last bit turned over: it cancels in weak sums."""
    places = _of_kind(logs, kind.MESSAGE_KIND_CLIENT_FORWARD)[:2]
    changes = []
    for actor, place in places:
        sender, (number, args) = logs[actor][place]
        changes.append((actor, place, (sender, (number, (*args[:-1], args[-1] ^ 1)))))
    return _with(logs, *changes)


def _added_and_taken_away(logs: Logs) -> Logs:
    """One payload gains what another loses, between the same two and elsewhere."""
    (one, at), (other, there) = _of_kind(logs, kind.MESSAGE_KIND_CLIENT_FORWARD)[:2]
    sender, (number, args) = logs[one][at]
    more = (sender, (number, (*args[:-1], args[-1] + 1)))
    sender, (number, args) = logs[other][there]
    less = (sender, (number, (*args[:-1], args[-1] - 1)))
    return _with(logs, (one, at, more), (other, there, less))


def _swapped_between_pairs(logs: Logs) -> Logs:
    """Two actors took each what the other was sent."""
    places = _of_kind(logs, kind.MESSAGE_KIND_CLIENT_ACT)
    one, at = places[0]
    other, there = next(
        (actor, place) for actor, place in places if logs[actor][place] != logs[one][at]
        and actor != one
    )  # fmt: skip
    return _with(logs, (one, at, logs[other][there]), (other, there, logs[one][at]))


def _swapped_in_a_pair(logs: Logs) -> Logs:
    """The second of two messages from one to another came first. An accumulator only counts, so it
    does the same with them in any order."""
    for actor, log in logs.items():
        if names.class_of(actor) != names.ACCUMULATOR:
            continue
        for place, event in enumerate(log):
            for later in range(place + 1, len(log)):
                other = log[later]
                if (other[0], other[1][0]) == (event[0], event[1][0]) and other != event:
                    return _with(logs, (actor, place, other), (actor, later, event))
    raise AssertionError


def _lost_and_doubled(logs: Logs) -> Logs:
    """One message is lost, and another came twice: as many as there should be."""
    (one, at), (other, there), *_ = _of_kind(logs, kind.MESSAGE_KIND_ACCUMULATOR_STOP)
    changed = _with(logs, (one, at, None))
    changed[other].insert(there, logs[other][there])
    return changed


def _in_two_logs(logs: Logs) -> Logs:
    """An actor was logged on two nodes: its rows are there twice."""
    actor = names.name(names.CLIENT, 1)
    return {**logs, actor: [*logs[actor], *logs[actor]]}


def _with_a_gap(logs: Logs) -> Logs:
    """An event is missing in the midst of the longest log."""
    actor = max(logs, key=lambda each: len(logs[each]))
    return _with(logs, (actor, len(logs[actor]) // 2, None))


def _of_nobody(logs: Logs) -> Logs:
    """Somebody who was never made has a log."""
    taken = logs[names.name(names.CLIENT, 1)]
    return {**logs, names.name(names.CLIENT, 77): [*taken]}


CHATAPP: list[Callable[[Logs], Logs]] = [
    _flipped, _added_and_taken_away, _swapped_between_pairs, _swapped_in_a_pair,
    _lost_and_doubled, _in_two_logs, _with_a_gap, _of_nobody,
]  # fmt: skip


@pytest.mark.usefixtures("_pieces")
@pytest.mark.parametrize("change", CHATAPP, ids=lambda change: change.__name__.strip("_"))
def test_what_is_made_to_cancel_is_refused(change: Callable[[Logs], Logs]) -> None:
    workload, logs = run_of("chatapp")
    changed = change(logs)
    assert not replay(workload, changed).conforms
    assert decided(workload, changed).conforms is False


@pytest.mark.usefixtures("_pieces")
def test_a_circle_of_messages_is_refused_by_the_third_step_alone() -> None:
    """A turn was confirmed before it was begun: each pair is as it should be."""
    workload, logs = run_of("chatapp")
    poker = names.name(names.POKER)
    run, confirm = (
        next(place for place, (_, (number, _)) in enumerate(logs[poker]) if number == wanted)
        for wanted in (kind.MESSAGE_KIND_POKER_RUN, kind.MESSAGE_KIND_POKER_CONFIRM)
    )
    rest = [event for place, event in enumerate(logs[poker]) if place != confirm]
    changed = {**logs, poker: [*rest[:run], logs[poker][confirm], *rest[run:]]}
    assert not replay(workload, changed).conforms
    found = decided(workload, changed)
    assert found.conforms is False
    assert "before it can have been sent" in found.why


@pytest.mark.usefixtures("_pieces")
def test_nobody_takes_anything_before_it_was_made() -> None:
    """A client's message to its directory came before the directory made it."""
    workload, logs = run_of("chatapp")
    directory = names.name(names.DIRECTORY, 0)
    log = logs[directory]
    settled = next(
        place for place, (_, (number, _)) in enumerate(log)
        if number == kind.MESSAGE_KIND_DIRECTORY_SETTLED
    )  # fmt: skip
    changed = {**logs, directory: [log[settled], *log[:settled], *log[settled + 1 :]]}
    assert not replay(workload, changed).conforms
    assert not decided(workload, changed).conforms


@pytest.mark.usefixtures("_pieces")
def test_control_says_nothing_before_its_turn() -> None:
    """`disconnect` before the run was reported: the lead's log has it too early."""
    workload, logs = run_of("chatapp")
    poker = names.name(names.POKER)
    log = logs[poker]
    last = next(
        place for place, (_, (number, _)) in enumerate(log)
        if number == kind.MESSAGE_KIND_POKER_DISCONNECT
    )  # fmt: skip
    before = next(
        place for place, (_, (number, _)) in enumerate(log)
        if number == kind.MESSAGE_KIND_POKER_CONFIRM
    )  # fmt: skip
    rest = [event for place, event in enumerate(log) if place != last]
    changed = {**logs, poker: [*rest[:before], log[last], *rest[before:]]}
    assert not replay(workload, changed).conforms
    assert decided(workload, changed).conforms is False


def test_a_model_that_runs_away_is_stopped_and_decided_by_the_token_game() -> None:
    """A directory that lacks a `login` has one client, which looks for a friend for ever."""
    workload, logs = run_of("chatapp")
    directory = names.name(names.DIRECTORY, 0)
    logins = [
        place for place, (_, (number, _)) in enumerate(logs[directory])
        if number == kind.MESSAGE_KIND_DIRECTORY_LOGIN
    ]  # fmt: skip
    lost = _with(logs, *((directory, place, None) for place in logins[1:]))
    found = decided(workload, lost)
    assert (found.conforms, found.why) == (None, "ran away")
    assert not replay(workload, lost).conforms


def test_many_actors_with_an_event_each_are_decided() -> None:
    micro = MICRO["chain"]
    workload = MicroWorkload(micro, micro.parameters(length=5000)).run(salt=3).disconnect()
    logs = Simulation(workload).perform().logs
    assert decided(workload, logs).conforms
    log = logs[names.name(names.LINK, 4000)]
    logs[names.name(names.LINK, 4000)] = log[:1]
    assert decided(workload, logs).conforms is False


ONE, OTHER = 0, 1


def _taken(
    senders: list[list[int]], causes: list[list[int]], parents: list[int], births: list[int]
) -> list[int]:
    """Return the number of events that each actor can take; the last one is control."""
    base = np.cumsum([0, *map(len, senders)]).astype(np.int64)
    columns = [np.array([each for log in logs for each in log], np.int32)
               for logs in (senders, causes)]  # fmt: skip
    born = [np.array(each, np.int32) for each in (parents, births)]
    control, lead = len(senders) - 1, 0
    return order.taken(base, *columns, *born, control, lead).tolist()


def test_events_that_wait_for_each_other_are_never_taken() -> None:
    senders = [[OTHER, OTHER], [ONE], []]
    assert _taken(senders, [[0, 0], [0], []], [-1, -1, -2], [0, 0, 0]) == [0, 0, 0]
    assert _taken(senders, [[0, 0], [-1], []], [-1, -1, -2], [0, 0, 0]) == [2, 1, 0]


def test_an_actor_takes_nothing_before_it_was_spawned() -> None:
    """``OTHER`` is spawned upon the second event of ``ONE``, which waits for its first."""
    senders = [[2, OTHER], [2], []]
    assert _taken(senders, [[-1, 0], [-1], []], [-1, 0, -2], [0, 0, 0]) == [2, 1, 0]
    assert _taken(senders, [[-1, 0], [-1], []], [-1, 0, -2], [0, 1, 0]) == [1, 0, 0]


def test_what_control_says_waits_for_the_leads_event() -> None:
    senders, spawned = [[3, 3, OTHER], [ONE], [], []], ([-1, -1, -1, -2], [0, 0, 0, 0])
    assert _taken(senders, [[-1, 0, 0], [0], [], []], *spawned) == [3, 1, 0, 0]
    assert _taken(senders, [[-1, 1, 0], [0], [], []], *spawned) == [1, 1, 0, 0]


def test_who_has_ended_takes_nothing_more() -> None:
    workload, logs = run_of("pingpong")
    pong = names.name(names.PONG)
    found = decided(workload, {**logs, pong: [*logs[pong], logs[pong][-1]]})
    assert found.conforms is False
    assert "pong/0 cannot take its event" in found.why and "after it has ended" in found.why


def test_sums_are_of_a_keyed_hash() -> None:
    """Another key gives other sums; another bit of anything another hash, in both halves."""
    key, args = np.array([1, 2], np.uint64), np.array([5, 1 << 63], np.uint64)

    def of(sender: int = 3, receiver: int = 4, number: int = 0, kind: int = 65) -> tuple[int, int]:
        return sums.hashed(
            key, np.uint64(sender), np.uint64(receiver), np.int32(number), np.uint16(kind), args,
            0, 2,
        )  # fmt: skip

    plain = of()
    others = [of(sender=2), of(receiver=5), of(number=1), of(kind=64)]
    args[1] ^= np.uint64(1)
    others.append(of())
    args[1] ^= np.uint64(1)
    key[0] ^= np.uint64(1 << 40)
    others.append(of())
    assert all(one != plain[0] and two != plain[1] for one, two in others)
    assert plain[0] != plain[1]
    assert not (sums.drawn() == sums.drawn()).all()


def test_the_hash_is_siphash_with_128_bits() -> None:
    """Held against the algorithm in Python's numbers, which do not wrap by themselves."""
    draw = random.Random(5)
    for _ in range(50):
        key = [draw.getrandbits(64) for _ in range(2)]
        words = [draw.getrandbits(64), draw.getrandbits(64), draw.getrandbits(40)]
        args = [draw.getrandbits(64) for _ in range(draw.randrange(5))]
        found = sums.hashed(
            np.array(key, np.uint64), np.uint64(words[0]), np.uint64(words[1]),
            np.int64(words[2] >> 16), np.uint16(words[2] & 0xFFFF), np.array(args, np.uint64), 0,
            len(args),
        )  # fmt: skip
        assert tuple(map(int, found)) == _siphash(key, [*words, *args])


def _siphash(key: list[int], words: list[int]) -> tuple[int, int]:
    mask = (1 << 64) - 1
    v = [
        key[0] ^ 0x736F6D6570736575, key[1] ^ 0x646F72616E646F6D ^ 0xEE,
        key[0] ^ 0x6C7967656E657261, key[1] ^ 0x7465646279746573,
    ]  # fmt: skip

    def turned(word: int, by: int) -> int:
        return (word << by | word >> (64 - by)) & mask

    def mix() -> None:
        v[0] = (v[0] + v[1]) & mask
        v[1] = turned(v[1], 13) ^ v[0]
        v[0] = turned(v[0], 32)
        v[2] = (v[2] + v[3]) & mask
        v[3] = turned(v[3], 16) ^ v[2]
        v[0] = (v[0] + v[3]) & mask
        v[3] = turned(v[3], 21) ^ v[0]
        v[2] = (v[2] + v[1]) & mask
        v[1] = turned(v[1], 17) ^ v[2]
        v[2] = turned(v[2], 32)

    for word in words:
        v[3] ^= word
        mix()
        v[0] ^= word
    halves = []
    for which, mark in ((2, 0xEE), (1, 0xDD)):
        v[which] ^= mark
        for _ in range(3):
            mix()
        halves.append(v[0] ^ v[1] ^ v[2] ^ v[3])
    return halves[0], halves[1]


def test_every_kind_has_its_number_of_arguments() -> None:
    assert Counter(ARITIES.tolist())[0] < len(ARITIES)
    assert stored({}).sort().rows == 0


def test_the_order_of_many_who_wait_for_one_takes_no_longer_than_there_are(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """All senders of bang wait for the receiver, each for another of its events."""
    taken, seconds = order.taken, list[float]()

    def timed(*given: Any) -> Any:
        begun = time.process_time()
        found = taken(*given)
        seconds.append(time.process_time() - begun)
        return found

    monkeypatch.setattr(order, "taken", timed)
    shortest = []
    for senders in (5_000, 20_000):
        workload = MicroWorkload(
            MICRO["bang"], MICRO["bang"].parameters(senders=senders, messages=1)
        ).run(7).disconnect()  # fmt: skip
        logs = Simulation(workload, AtRandom(random.Random(7).randrange)).perform().logs
        log = stored(logs, rows=1 << 16).sort()
        seconds.clear()
        for _ in range(5):
            assert decide(workload, log).conforms
        shortest.append(min(seconds))
    assert shortest[1] < 9 * shortest[0]
