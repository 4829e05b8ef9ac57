"""The executable model against figures published or measured elsewhere, and against itself."""

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dramaturg.model import names
from dramaturg.model.chatapp import Parameters, Selection
from dramaturg.model.facts import ImpossibleConfiguration, check, facts
from dramaturg.model.messages import Choice
from dramaturg.model.workload import ChatAppWorkload
from dramaturg.model.simulation import AtRandom, Simulation
from dramaturg.v2 import trace_pb2 as kind

PUBLISHED = Parameters(
    clients=1024, directories=8, turns=32, compute=0, post=95, leave=0, invite=5, befriend=10
)
"""The configuration of which DESIGN has the published Pony program's own counts."""


def finished(simulation: Simulation) -> dict[str, int]:
    sums = next(args for k, args in simulation.control if k == kind.MESSAGE_KIND_CONTROL_FINISHED)
    labels = ["lcg", "computes", "posts", "leaves", "invites", "nones", "deliveries", "joins"]
    return dict(zip(labels, sums, strict=True))


def test_the_model_makes_the_published_programs_invitations_and_joins() -> None:
    sums = finished(Simulation(ChatAppWorkload(PUBLISHED).prepare().run()).perform())
    assert (sums["invites"], sums["joins"]) == (1071, 13513)


def test_the_facts_are_the_published_programs() -> None:
    found = facts(PUBLISHED)
    assert (found.invites, found.joins) == (1071, 13513)


@st.composite
def configurations(draw: st.DrawFn) -> Parameters:
    directories = draw(st.integers(1, 4))
    selection = draw(st.sampled_from(list(Selection)))
    percentages = [draw(st.integers(0, 100)) for _ in range(4)]
    if selection is Selection.CUMULATIVE:
        total = max(1, sum(percentages))
        percentages = [percentage * 100 // max(total, 100) for percentage in percentages]
    compute, post, leave, invite = percentages
    return Parameters(
        clients=draw(st.integers(2 * directories, 16)),
        directories=directories,
        turns=draw(st.integers(1, 5)),
        compute=compute,
        post=post,
        leave=leave,
        invite=invite,
        befriend=draw(st.integers(10, 100)),
        selection=selection,
        fib_n=draw(st.integers(0, 12)),
        history=draw(st.booleans()),
        seed=draw(st.integers(0, 65535)),
    )


@settings(deadline=None, max_examples=60)
@given(configurations(), st.randoms(use_true_random=False))
def test_facts_hold_under_every_schedule(p: Parameters, rng: random.Random) -> None:
    try:
        expected = facts(p)
    except ImpossibleConfiguration:
        return
    simulation = Simulation(ChatAppWorkload(p).prepare().run(), AtRandom(rng.randrange)).perform()
    sums = finished(simulation)
    confirmed = [args for k, args in simulation.control if k == kind.MESSAGE_KIND_CONTROL_CONFIRMED]
    assert expected.least_deliveries <= sums["deliveries"]
    assert expected.to_dict() == {
        "computes": sums["computes"],
        "posts": sums["posts"],
        "leaves": sums["leaves"],
        "invites": sums["invites"],
        "nones": sums["nones"],
        "joins": sums["joins"],
        "lcg_checksum": sums["lcg"],
        "fib_sum": sum(value for _, value in confirmed),
        "confirms": len(confirmed),
    }


@settings(deadline=None, max_examples=40)
@given(configurations(), st.randoms(use_true_random=False))
def test_nothing_but_poker_and_directories_is_alive_at_the_end(
    p: Parameters, rng: random.Random
) -> None:
    try:
        check(p)
        facts(p)
    except ImpossibleConfiguration:
        return
    simulation = Simulation(ChatAppWorkload(p).prepare().run(), AtRandom(rng.randrange)).perform()
    classes = {names.class_of(actor) for actor in simulation.alive()}
    assert classes == {names.POKER, names.DIRECTORY}


def test_a_late_joiner_hears_the_history_in_order(small: Parameters) -> None:
    workload = ChatAppWorkload(small).prepare().act(0, Choice.INVITE, k=1)
    workload.act(0, Choice.POST).act(0, Choice.POST).act(0, Choice.JOIN, k=1)
    simulation = Simulation(workload).perform()
    levels = [
        args[1:]
        for log in simulation.logs.values()
        for _, (number, args) in log
        if number == kind.MESSAGE_KIND_CLIENT_FORWARD and args[0] == 3
    ]
    assert levels == [(2, 0), (2, 1)]


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"clients": 2}, "directory without clients"),
        ({"clients": 4}, "single client"),
        ({"befriend": 0}, "nobody to invite"),
        ({"compute": 101}, "compute is 101"),
        ({"leave": -1}, "leave is -1"),
        ({"post": 90}, "add up to 140"),
        ({"turns": 0}, "turns is 0"),
        ({"fib_n": 48}, "fib_n is 48"),
        ({"seed": 65536}, "seed is 65536"),
        ({"directories": 0}, "directories is 0"),
    ],
)
def test_an_impossible_configuration_is_refused_with_its_reason(
    small: Parameters, change: dict[str, int], reason: str
) -> None:
    with pytest.raises(ImpossibleConfiguration, match=reason):
        facts(replace(small, **change))


def test_befriending_that_the_lcg_can_never_satisfy_is_refused() -> None:
    # With four clients the draws for one client only ever see a quarter of the cycle,
    # and 1 % of them may have no success in it.
    p = Parameters(
        clients=4, directories=1, turns=1, compute=0, post=0, leave=0, invite=0, befriend=1
    )
    with pytest.raises(ImpossibleConfiguration, match="never finds a friend"):
        facts(p)
