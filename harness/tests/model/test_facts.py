"""Facts by themselves, apart from the model: what is refused, at its edges, and what is counted."""

import re
from dataclasses import replace

import pytest

from dramaturg.model import facts
from dramaturg.model.chatapp import Parameters, Selection
from dramaturg.model.facts import ImpossibleConfiguration
from dramaturg.model.lcg import PERIOD, Lcg

IDLE = Parameters(
    clients=6, directories=3, turns=1, compute=0, post=0, leave=0, invite=0, befriend=0
)


def test_the_cycle_goes_through_every_state_and_knows_each_one_s_place() -> None:
    states, places = facts._cycle()
    lcg = Lcg(0)
    assert states.tolist() == [lcg.next() for _ in range(PERIOD)]
    assert sorted(states.tolist()) == list(range(PERIOD))
    assert states[places].tolist() == list(range(PERIOD))


@pytest.mark.parametrize(
    ("allowed", "refused"),
    [
        ({"compute": 100}, {"compute": 100, "post": 1}),
        ({"befriend": 0, "invite": 0}, {"befriend": 0, "invite": 1}),
        ({"befriend": 1, "clients": 6}, {"befriend": 1, "clients": 5}),
        ({"befriend": 0, "clients": 3}, {"befriend": 1, "clients": 3}),
    ],
    ids=["CHAT-42", "CHAT-43", "CHAT-44", "CHAT-44 without friends"],
)
def test_a_bound_is_where_it_is(allowed: dict[str, int], refused: dict[str, int]) -> None:
    assert facts.problems(replace(IDLE, **allowed)) == []  # type: ignore[arg-type]
    assert len(facts.problems(replace(IDLE, **refused))) == 1  # type: ignore[arg-type]


def test_all_that_is_wrong_is_told_at_once() -> None:
    said = "leave is -1; it must be in 0..100; seed is 65536; it must be in 0..65535"
    with pytest.raises(ImpossibleConfiguration, match=f"^{said}$"):
        facts.check(replace(IDLE, leave=-1, seed=65536))


UNLUCKY = replace(IDLE, clients=9, directories=2, befriend=1)
"""Its second directory has four clients, which find no friend with any seed (CHAT-45)."""


@pytest.mark.parametrize("seed", [0, 7, 65535])
def test_a_directory_that_never_finds_a_friend_is_named_before_any_turn(seed: int) -> None:
    for refuse in (facts.check_friends, facts.facts):
        with pytest.raises(ImpossibleConfiguration) as caught:
            refuse(replace(UNLUCKY, seed=seed))
        assert re.fullmatch(
            "befriend is 1: directory 1, with 4 clients, never finds a friend for its client"
            r" number [0-3]: not in 65536 passes over them, and the LCG's draws repeat after"
            r" lcm\(65536, 4\)",
            str(caught.value),
        )


@pytest.mark.parametrize(
    "changes", [{"clients": 10}, {"befriend": 0}, {"befriend": 99}, {"befriend": 100}], ids=str
)
def test_who_finds_friends_is_not_refused(changes: dict[str, int]) -> None:
    facts.check_friends(replace(UNLUCKY, **changes))  # type: ignore[arg-type]


def test_what_cannot_be_run_at_all_is_refused_before_friends_are_looked_for() -> None:
    with pytest.raises(ImpossibleConfiguration, match="befriend is 101"):
        facts.check_friends(replace(IDLE, befriend=101))


def test_where_everybody_befriends_everybody_nobody_is_looked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A case with tens of thousands of directories is loaded by every command."""
    everybody = replace(UNLUCKY, befriend=100)
    for own, _, friends in facts._set_up(everybody):
        clients = len(range(everybody.clients)[own])
        assert friends.tolist() == [2 * (clients - 1)] * clients
    monkeypatch.setattr(facts, "_set_up", None)
    facts.check_friends(everybody)


@pytest.mark.parametrize("selection", [Selection.CUMULATIVE, Selection.CASCADE])
def test_the_least_deliveries_are_the_posts_of_who_has_a_chat_of_its_own_making(
    selection: Selection,
) -> None:
    """Client by client, the long way (CHAT-54). A client that leaves may leave any of its chats,
    its own as well."""
    parameters = Parameters(
        clients=40, directories=2, turns=30, compute=0, post=40, leave=35, invite=25,
        befriend=20, selection=selection, seed=4711,
    )  # fmt: skip
    own = [0] * parameters.clients
    least = left_the_last = 0
    for turn in facts.turns(parameters):
        for client, (action, guests) in enumerate(zip(turn.actions, turn.guests, strict=True)):
            assert (guests > 0) == (action == 3)
            least += action == 1 and own[client] > 0
            left_the_last += action == 2 and own[client] == 1
            if action == 2 and own[client] > 0:
                own[client] -= 1
            own[client] += action == 3
    assert left_the_last > 0
    assert facts.facts(parameters).least_deliveries == least > 0


def test_friends_are_looked_for_in_as_many_passes_as_there_are_draws() -> None:
    assert sum(facts._TOGETHER) == PERIOD
