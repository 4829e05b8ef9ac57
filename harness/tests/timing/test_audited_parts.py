"""Audits watch closed parts within the budget, and all that is watched is replayed."""

import random

import pytest
from timing_fakes import SALT, performed
from timing_forms import forms, workload_of

from dramaturg.control.lifecycle import Lifecycle
from dramaturg.model import names
from dramaturg.records import Depth
from dramaturg.timing.planning import population
from dramaturg.timing.planning.scenarios import (
    CHATAPP,
    COUNTED,
    WINDOWED,
    WINDOWS,
    Scenario,
    scenario,
)
from dramaturg.timing.validity import audit, watched_parts
from dramaturg.trace.partial.part_replay import replay_part
from dramaturg.trace.watches import EVERYBODY, Watched, Watches, problems
from dramaturg.v2 import control_pb2

DRAWS = 20


def rows_of(of: Scenario, chance: random.Random, budget: int) -> list[Watches]:
    found = watched_parts.closed(of, chance, budget)
    return [
        *(part.watches for part in found),
        *([*part.watches, *watched_parts.beside(of, part, chance)] for part in found),
        watched_parts.crossing(of, chance),
    ]


@pytest.mark.parametrize("scale", ["full", "small", "tiny"])
@forms
def test_whatever_is_chosen_may_be_sent(benchmark: str, name: str, scale: str) -> None:
    of, chance = scenario(benchmark, name, scale), random.Random(1)  # type: ignore[arg-type]
    for _ in range(3):
        for watches in rows_of(of, chance, watched_parts.BUDGET):
            assert watches
            assert problems(watches) == []
            # Raises HarnessFault for what may not.
            request = control_pb2.PrepareRequest(benchmark=of.message(), watches=watches)
            Lifecycle().call("Prepare", request)


@forms
def test_parts_are_within_the_budget_and_the_best_comes_first(benchmark: str, name: str) -> None:
    of, chance = scenario(benchmark, name), random.Random(2)
    found = watched_parts.closed(of, chance)
    assert found
    assert all(0 < part.events <= watched_parts.BUDGET for part in found)
    assert [part.closed for part in found] == sorted((part.closed for part in found), reverse=True)
    fits = {"fanout", CHATAPP}
    if benchmark not in fits and name == COUNTED:
        assert found[0].watches == EVERYBODY


@forms
def test_what_is_chosen_is_replayed_and_a_closed_part_has_nothing_open(
    benchmark: str, name: str
) -> None:
    of, chance = scenario(benchmark, name, "tiny"), random.Random(3)
    logs = performed(of, SALT).logs
    taken = {actor: len(log) for actor, log in logs.items()}
    events = sum(taken.values())
    for draw in range(DRAWS):
        found = watched_parts.closed(of, chance, budget=max(1, events // (1 + draw % 5)))
        choices: list[tuple[Watches, bool]] = [(part.watches, part.closed) for part in found]
        choices += [
            ([*each.watches, *watched_parts.beside(of, each, chance)], False) for each in found
        ]
        for watches, closed in [*choices, (watched_parts.crossing(of, chance), False)]:
            watched = Watched(watches)
            part = {
                actor: kept
                for actor, log in logs.items()
                if (wanted := watched.slice_of(actor)) and (kept := wanted.of(log))
            }
            counted = {a: n for a, n in taken.items() if watched.slice_of(a)}
            verdict = replay_part(workload_of(of), watches, part, counted)
            assert verdict.conforms, verdict.divergence and verdict.divergence.headline()
            assert verdict.decided + verdict.bounded == sum(map(len, part.values()))
            assert not closed or verdict.bounded == 0


@pytest.mark.parametrize("name", ["default", "mixed", "actor-gc", "message-bound", "mailbox"])
def test_how_much_a_directory_does_is_told_within_a_factor(name: str) -> None:
    overrides = {"clients": 80, "directories": 4, "turns": 24}
    of = scenario(CHATAPP, name, overrides=overrides)
    said = population.directory_events(of.chatapp)
    assert said is not None
    total = 4 * sum(said)
    events = sum(map(len, performed(of, SALT).logs.values()))
    # An early run of many turns at once has fewer deliveries; directories differ.
    assert events / 2 < total < 4 * events


def test_what_is_extrapolated_is_near_what_is_performed(monkeypatch: pytest.MonkeyPatch) -> None:
    p = scenario(CHATAPP, "message-bound", overrides={"clients": 80, "directories": 4}).chatapp
    population.directory_events.cache_clear()
    whole = population.directory_events(p)
    population.directory_events.cache_clear()
    monkeypatch.setattr(population, "LOOKED_AT", sum(whole or ()) // 6)
    part = population.directory_events(p)
    population.directory_events.cache_clear()
    assert whole is not None
    assert part is not None
    assert sum(whole) / 2 < sum(part) < 2 * sum(whole)


@forms
def test_rows_that_have_everybody_are_no_two_alike_and_have_all_of_everybody(
    benchmark: str, name: str
) -> None:
    chance = random.Random(11)
    drawn = [watched_parts.spelled_out(benchmark, chance) for _ in range(DRAWS)]
    actors = performed(scenario(benchmark, name, "tiny"), SALT).logs
    for watches in drawn:
        assert problems(watches) == []
        watched = Watched(watches)
        slices = [watched.slice_of(actor) for actor in actors]
        assert {each and each.rows(1000) for each in slices} == {1000}
    assert len({str(watches) for watches in drawn}) == DRAWS


def test_what_a_part_leaves_out_is_watched_in_slices() -> None:
    of, chance = scenario("fanout", overrides={"runners": 60_000, "tasks": 100}), random.Random(7)
    masters = [
        row
        for watches in (audit.draw(of, Depth.PARTS, extra=False, chance=chance) for _ in range(9))
        for row in watches
        if getattr(row, "class") == names.MASTER
    ]
    assert len({getattr(row, "from") for row in masters}) == 9
    of = scenario(CHATAPP, "message-bound")
    classes = {
        getattr(row, "class") for row in audit.draw(of, Depth.PARTS, extra=False, chance=chance)
    }
    assert names.DIRECTORY in classes
    assert names.ACCUMULATOR in classes


def test_the_parts_of_two_audits_are_not_the_same() -> None:
    of, chance = scenario(CHATAPP, "message-bound"), random.Random(5)
    drawn = {str(watched_parts.closed(of, chance)[0].watches) for _ in range(8)}
    assert len(drawn) > 4


def test_a_directory_that_nobody_can_look_through_is_watched_in_slices() -> None:
    (part,) = watched_parts.closed(scenario(CHATAPP, "sequential"), random.Random(6))
    assert not part.closed
    classes = {getattr(row, "class") for row in part.watches}
    assert classes == {names.CLIENT, names.ACCUMULATOR, names.POKER}


@pytest.mark.parametrize("name", WINDOWS)
def test_an_audit_of_windows_finds_something_however_slow_the_run_was(name: str) -> None:
    of, chance = scenario(name, WINDOWED, "tiny"), random.Random(3)
    logs, begins = performed(of, SALT).logs, set()
    for _ in range(50):
        # Another iteration had a thousand times as many messages.
        watches = audit.draw(of, Depth.PARTS, extra=False, chance=chance, volume=1 << 20)
        watched = Watched(watches)
        wanted = {actor: each for actor in logs if (each := watched.slice_of(actor))}
        part = {actor: kept for actor, each in wanted.items() if (kept := each.of(logs[actor]))}
        taken = {actor: len(logs[actor]) for actor in wanted}
        verdict = replay_part(workload_of(of), watches, part, taken)
        assert verdict.conforms
        assert verdict.decided > 0
        begins |= {getattr(row, "from") for row in watches}
    assert 1 << 13 < max(begins) < 1 << 20


def test_no_receipt_puts_a_slice_where_no_watch_reaches() -> None:
    of, chance = scenario("pingpong", WINDOWED, "tiny"), random.Random(4)
    for _ in range(50):
        watches = audit.draw(of, Depth.PARTS, extra=False, chance=chance, volume=1 << 70)
        assert problems(watches) == []
