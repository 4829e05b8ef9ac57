"""The executable model against figures published or measured elsewhere, and against itself."""

import random
from dataclasses import replace

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from dramaturg.model import accounts, names
from dramaturg.model.chatapp import (
    Chat,
    Parameters,
    Selection,
    accumulator_name,
    chat_name,
    client_name,
    digest,
)
from dramaturg.model.facts import ImpossibleConfiguration, facts
from dramaturg.model.messages import Choice
from dramaturg.model.simulation import AtRandom, Simulation
from dramaturg.model.workload import ChatAppWorkload
from dramaturg.v2 import benchmarks_pb2
from dramaturg.v2 import trace_pb2 as kind

SALT = st.integers(0, 2**32 - 1)

PUBLISHED = Parameters(
    clients=1024, directories=8, turns=32, compute=0, post=95, leave=0, invite=5, befriend=10
)
"""The configuration of which the design has the published Pony program's own counts."""


def finished(simulation: Simulation) -> dict[str, int]:
    sums = next(args for k, args in simulation.control if k == kind.MESSAGE_KIND_CONTROL_FINISHED)
    labels = ["lcg", "computes", "posts", "leaves", "invites", "nones", "deliveries", "joins"]
    return dict(zip(labels, sums, strict=True))


def confirmed(simulation: Simulation) -> list[tuple[int, ...]]:
    return [args for k, args in simulation.control if k == kind.MESSAGE_KIND_CONTROL_CONFIRMED]


def performed(p: Parameters, rng: random.Random, salt: int = 0) -> Simulation:
    workload = ChatAppWorkload(p).prepare().run(salt).disconnect()
    return Simulation(workload, AtRandom(rng.randrange)).perform()


def is_possible(p: Parameters) -> bool:
    try:
        facts(p)
    except ImpossibleConfiguration:
        return False
    return True


def test_the_model_makes_the_published_programs_invitations_and_joins() -> None:
    sums = finished(Simulation(ChatAppWorkload(PUBLISHED).prepare().run().disconnect()).perform())
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
    simulation = performed(p, rng)
    sums = finished(simulation)
    turns = confirmed(simulation)
    assert expected.least_deliveries <= sums["deliveries"]
    assert expected.to_dict() == {
        "computes": sums["computes"],
        "posts": sums["posts"],
        "leaves": sums["leaves"],
        "invites": sums["invites"],
        "nones": sums["nones"],
        "joins": sums["joins"],
        "lcg_checksum": sums["lcg"],
        "fib_sum": sum(turn[1] for turn in turns),
        "confirms": len(turns),
    }


@settings(deadline=None, max_examples=40)
@given(configurations(), SALT, st.randoms(use_true_random=False))
def test_what_is_announced_is_consumed_under_every_schedule(
    p: Parameters, salt: int, rng: random.Random
) -> None:
    """CHAT-58 and CHAT-59, of each turn and so of all."""
    assume(is_possible(p))
    simulation = performed(p, rng, salt)
    sums = finished(simulation)
    turns = confirmed(simulation)
    assert sorted(turn[0] for turn in turns) == list(range(p.turns))
    assert [turn[3] for turn in turns] == [turn[4] for turn in turns]
    assert sum(turn[2] for turn in turns) == sums["deliveries"] + sums["joins"]


@settings(deadline=None, max_examples=30)
@given(configurations(), SALT, st.randoms(use_true_random=False))
def test_a_payload_is_its_posters_and_counts_on_from_the_salt(
    p: Parameters, salt: int, rng: random.Random
) -> None:
    assume(is_possible(p))
    posted: dict[int, list[int]] = {}
    for log in performed(p, rng, salt).logs.values():
        for sender, (number, args) in log:
            if number == kind.MESSAGE_KIND_CHAT_POST:
                posted.setdefault(names.index_of(sender), []).append(args[1])
    for client, payloads in posted.items():
        expected = {client << 32 | (salt + p) % 2**32 for p in range(len(payloads))}
        assert set(payloads) == expected


def test_what_counts_on_beyond_32_bits_begins_again_and_leaves_the_poster_alone(
    small: Parameters,
) -> None:
    simulation = performed(small, random.Random(1), salt=2**32 - 1)
    payloads = {
        (names.index_of(sender), args[1])
        for log in simulation.logs.values()
        for sender, (number, args) in log
        if number == kind.MESSAGE_KIND_CHAT_POST
    }
    assert all(payload >> 32 == client for client, payload in payloads)
    assert {payload & 0xFFFFFFFF for _, payload in payloads} >= {2**32 - 1, 0, 1}


@settings(deadline=None, max_examples=20)
@given(configurations(), SALT, st.randoms(use_true_random=False))
def test_another_salt_changes_payloads_and_what_is_summed_of_them_alone(
    p: Parameters, salt: int, rng: random.Random
) -> None:
    assume(is_possible(p))
    seed = rng.randrange(2**16)
    one, other = (
        performed(p, random.Random(seed), each) for each in (salt, (salt + 2**31) % 2**32)
    )
    assert finished(one) == finished(other)
    assert [turn[:3] for turn in confirmed(one)] == [turn[:3] for turn in confirmed(other)]


@settings(deadline=None, max_examples=30)
@given(configurations(), st.randoms(use_true_random=False))
def test_before_control_disconnects_all_that_live_for_a_turn_have_ended(
    p: Parameters, rng: random.Random
) -> None:
    assume(is_possible(p))
    workload = ChatAppWorkload(p).prepare().run()
    simulation = Simulation(workload, AtRandom(rng.randrange)).perform()
    classes = {names.class_of(actor) for actor in simulation.alive()}
    assert {names.POKER, names.DIRECTORY, names.CLIENT} <= classes
    assert names.ACCUMULATOR not in classes
    simulation.perform(workload.disconnect().script[-1:])
    assert simulation.alive() == set()


def test_acts_and_turns_have_the_salt_0(small: Parameters) -> None:
    simulation = Simulation(ChatAppWorkload(small).prepare().turn().act(3).turn()).perform()
    salts = {
        args[-1]
        for log in simulation.logs.values()
        for _, (number, args) in log
        if number == kind.MESSAGE_KIND_CLIENT_ACT
    }
    assert salts == {0}


def test_the_digest_of_a_payload_depends_on_who_posted_and_what() -> None:
    # 3 * 1664525 + 1013904223 + 5 = 1018897803 = 15547 * 2^16 + 9611
    assert digest(3 << 32 | 5) == 1018897803 ^ 15547
    assert digest(5 << 32 | 3) != digest(3 << 32 | 5)
    assert len({digest(client << 32 | 7) for client in range(100)}) == 100


@pytest.mark.parametrize(
    ("changes", "problems"),
    [
        ({}, []),
        ({"stops": 8}, ["stops is 8, expected 7, which is deliveries and joins (CHAT-58)"]),
        (
            {"consumed": 4},
            ["announced is 9 and consumed 4, which must be equal (CHAT-59)"],
        ),
    ],
)
def test_a_receipt_whose_two_ends_disagree_is_refused(
    changes: dict[str, int], problems: list[str]
) -> None:
    claimed = {"stops": 7, "deliveries": 5, "joins": 2, "announced": 9, "consumed": 9} | changes
    assert accounts.chatapp_ends(benchmarks_pb2.ChatAppReceipt(**claimed)) == problems


def test_a_receipt_that_differs_from_the_facts_says_which_requirement_it_breaks() -> None:
    claimed = benchmarks_pb2.ChatAppReceipt(posts=4, joins=2)
    assert accounts.chatapp_differences(claimed, {"posts": 3, "joins": 2}) == [
        "posts is 4, expected 3 (CHAT-50)"
    ]


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
    # Two forwards and an `accepted`; what the chat announced is what the guest was sent.
    sum_ = digest(0) + digest(1)
    assert confirmed(simulation)[3] == (3, 0, 3, sum_, sum_)


def test_a_chat_announces_the_sum_that_it_kept_and_makes_none_upon_a_join() -> None:
    sent: list[tuple[int, ...]] = []
    chat = Chat(chat_name(0, 0), 0, history=True)
    chat.send = lambda *message: sent.append(message)
    chat.post(client_name(0), 0, 5)
    assert chat.digests == digest(5)
    chat.digests += 1
    chat.join(client_name(0), 1, 3)
    bump = (accumulator_name(1), kind.MESSAGE_KIND_ACCUMULATOR_BUMP, 1, 2, digest(5) + 1)
    assert bump in sent


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"clients": 2}, r"directories is 3; it must be in 1\.\.2"),
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
