"""Timed iterations watch little, but something, and nobody knows before what."""

import random
from collections import Counter

import pytest
from timing_fakes import SALT, performed

from dramaturg.model import mergesort, names
from dramaturg.model.workload import MICRO
from dramaturg.timing.planning import population
from dramaturg.timing.planning.scenarios import (
    CHATAPP_SCENARIOS,
    COUNTED,
    WINDOWED,
    WINDOWS,
    Scenario,
    scenario,
)
from dramaturg.timing.validity import watched_parts
from dramaturg.trace.watches import ALL, Watched
from dramaturg.v2 import control_pb2

FORMS = [("chatapp", name) for name in CHATAPP_SCENARIOS]
FORMS += [(name, COUNTED) for name in MICRO] + [(name, WINDOWED) for name in WINDOWS]
KNOWN = [form for form in FORMS if form[1] != WINDOWED]

DRAWS = 300

HUNDREDTH = 0.01
"""MEAS-7."""


def draws(of: Scenario, count: int = DRAWS) -> list[list[control_pb2.Watch]]:
    chance = random.Random(5)
    return [list(watched_parts.crossing(of, chance)) for _ in range(count)]


def logged(of: Scenario, watches: list[control_pb2.Watch]) -> int:
    """Events that a right implementation logs of these."""
    watched = Watched(watches)
    logs = performed(of, SALT).logs.items()
    return sum(
        len(wanted.of(log))
        for actor, log in logs
        if (wanted := watched.slice_of(actor)) is not None
    )


@pytest.mark.parametrize(("benchmark", "name"), KNOWN)
def test_no_more_than_a_hundredth_of_all_events_is_logged_and_never_nothing(
    benchmark: str, name: str
) -> None:
    of = scenario(benchmark, name, "tiny")
    events = sum(map(len, performed(of, SALT).logs.values()))
    often = draws(of)
    # Each row has at least one event, however few there are in all.
    most = events * HUNDREDTH + max(map(len, often))
    found = [logged(of, watches) for watches in often]
    assert min(found) > 0
    # ChatApp tells how much a directory's actors do, and not how much each of them does.
    assert (sum(found) / len(found) if benchmark == "chatapp" else max(found)) <= most


@pytest.mark.parametrize(
    ("benchmark", "sizes"), [("chain", {"length": 9}), ("mergesort", {"length": 7, "leaf": 2})]
)
def test_the_slice_of_who_has_fewer_messages_than_others_is_not_empty(
    benchmark: str, sizes: dict[str, int]
) -> None:
    of = scenario(benchmark, overrides=sizes)
    assert {logged(of, watches) for watches in draws(of)} == {1}


@pytest.mark.parametrize("scale", ["full", "small", "tiny"])
@pytest.mark.parametrize(("benchmark", "name"), FORMS)
def test_no_more_than_a_hundredth_is_asked_for_at_any_scale(
    benchmark: str, name: str, scale: str
) -> None:
    of = scenario(benchmark, name, scale)  # type: ignore[arg-type]
    there = {crowd.actor_class: crowd for crowd in population.of(of)}
    for watches in draws(of, 20):
        asked = 0
        for row in watches:
            crowd = there[getattr(row, "class")]
            many = min(row.last, crowd.first + crowd.many - 1) - row.first + 1
            asked += many * (crowd.each if row.events == ALL else row.events)
        assert 0 < asked <= max(len(watches), population.events_of(of) * HUNDREDTH)


@pytest.mark.parametrize(("benchmark", "name"), FORMS)
def test_every_class_that_works_is_watched_now_and_then(benchmark: str, name: str) -> None:
    of = scenario(benchmark, name, "tiny")
    classes = {getattr(row, "class") for watches in draws(of, 100) for row in watches}
    busy = Counter(
        names.class_of(actor) for actor, log in performed(of, SALT).logs.items() for _ in log
    )
    leads = {names.DIRECTORY, names.TALLY}
    assert set(busy) - leads <= classes


@pytest.mark.parametrize(("benchmark", "name"), KNOWN)
def test_what_those_who_are_watched_take_is_a_tenth_of_all_at_most_for_each_class(
    benchmark: str, name: str
) -> None:
    """They count it, whatever their slice is; of ping and pong one has to be there."""
    of = scenario(benchmark, name)
    there = {crowd.actor_class: crowd for crowd in population.of(of)}
    often, counted = draws(of), 0.0
    for watches in often:
        for row in watches:
            crowd = there[getattr(row, "class")]
            last = min(row.last, crowd.first + crowd.many - 1)
            counted += (last - row.first + 1) * population.share(crowd, list(there.values()))
    # Six standard deviations of the one that is there in a tenth of all.
    most = 0.5 if benchmark == "pingpong" else len(there) * watched_parts.COUNTED
    assert counted / len(often) < most + 6 * (0.1 * 0.9 / len(often)) ** 0.5


CROWDS = [
    ("chatapp", {"clients": 40, "directories": 2, "turns": 20}, names.CLIENT, range(40)),
    ("chatapp", {"clients": 40, "directories": 2, "turns": 20}, names.CHAT, range(40)),
    ("chatapp", {"clients": 40, "directories": 2, "turns": 20}, names.ACCUMULATOR, range(20)),
    ("big", {"peers": 9}, names.PEER, range(9)),
    ("bang", {"senders": 7}, names.SENDER, range(7)),
    ("web", {"browsers": 6, "workers": 3}, names.WORKER, range(3)),
    ("chain", {"length": 30}, names.LINK, range(30)),
    ("broker", {"employees": 5}, names.EMPLOYEE, range(5)),
    # The tree of seven integers: two leaves of four on the left, and three on the right.
    ("mergesort", {"length": 7, "leaf": 2}, names.SORTER, [1, 2, 3, 4, 5, 6, 7]),
    ("mergesort", {"length": 5, "leaf": 1}, names.SORTER, [1, 2, 3, 4, 5, 6, 7, 8, 9]),
    ("mergesort", {"length": 3, "leaf": 1}, names.SORTER, [1, 2, 3, 4, 5]),
]


@pytest.mark.parametrize(("benchmark", "sizes", "actor_class", "indices"), CROWDS)
def test_each_of_a_crowd_is_as_likely_to_be_watched(
    benchmark: str, sizes: dict[str, int], actor_class: int, indices: list[int]
) -> None:
    of = scenario(benchmark, overrides=sizes)
    often = 100 * len(indices)
    drawn = Counter(
        index
        for watches in draws(of, often)
        for row in watches
        if getattr(row, "class") == actor_class
        for index in range(row.first, min(row.last, max(indices)) + 1)
    )
    assert set(drawn) == set(indices)
    # A hundred are expected of each, for each that is watched at once: six standard deviations
    # on either side.
    assert (
        40 < min(drawn.values()) <= max(drawn.values()) < 1.6 * sum(drawn.values()) / len(indices)
    )


@pytest.mark.parametrize(("length", "leaf"), [(1, 1), (2, 1), (100, 7), (513, 1), (1000, 999)])
def test_a_sorter_that_is_watched_is_one_that_there_is(length: int, leaf: int) -> None:
    of = scenario("mergesort", overrides={"length": length, "leaf": leaf})
    there = {names.index_of(actor) for actor in performed(of, SALT).actors}
    assert len(there) == mergesort.sorters(length, leaf)
    assert {row.first for (row,) in draws(of)} <= there


def test_the_slice_of_an_actor_that_is_alone_begins_anywhere() -> None:
    of = scenario("pingpong", overrides={"rounds": 10_000})
    begins = {getattr(row, "from") for watches in draws(of, 50) for row in watches}
    assert len(begins) > 30
    assert of.parameters["rounds"] * 0.9 < max(begins) < of.parameters["rounds"]


@pytest.mark.parametrize("name", WINDOWS)
def test_nothing_is_passed_over_where_nobody_knows_how_much_comes(name: str) -> None:
    of = scenario(name, WINDOWED, "tiny")
    rows = [row for watches in draws(of, 50) for row in watches]
    # The messages to big's coordinator are known.
    free = [row for row in rows if getattr(row, "class") != names.COORDINATOR]
    assert {getattr(row, "from") for row in free} == {0}
