"""Causes by themselves: of every event of a run, the one upon which it was sent."""

import random
from functools import cache

import pytest
from explained_kit import CHAT, FORWARD, GUEST, HOST, POKER, POST, place, scripted
from mutation_kit import RUNS

from dramaturg.model import names
from dramaturg.model.simulation import AtRandom, Simulation
from dramaturg.trace.events import Logs
from dramaturg.trace.explanation.causes import Causes, Place
from dramaturg.trace.replay.token_game import replay

CONTROL, NOBODY = names.name(names.CONTROL), names.name(names.CLIENT, 99)


def all_of(logs: Logs) -> dict[int, int]:
    return {actor: len(log) for actor, log in logs.items()}


@cache
def performed(name: str) -> tuple[Simulation, Causes]:
    simulation = Simulation(RUNS[name], AtRandom(random.Random(7).randrange)).perform()
    return simulation, Causes(RUNS[name], simulation.logs, all_of(simulation.logs))


@pytest.mark.parametrize("name", RUNS)
def test_every_event_was_sent_upon_one_event_of_its_sender(name: str) -> None:
    simulation, causes = performed(name)
    for actor, log in simulation.logs.items():
        for position, (sender, message) in enumerate(log):
            here = Place(actor, position)
            cause = causes.of(here)
            if sender == CONTROL:
                assert cause is None
                assert causes.chain(here) == [here]
                continue
            assert cause is not None
            assert cause.actor == sender
            (sent,) = (
                sent
                for sent in causes.sent_upon(cause)
                if causes.place_of(sender, actor, sent.nth) == here and sent.receiver == actor
            )
            assert (sent.upon, sent.message) == (cause, message)
            assert causes.of_nth(sender, actor, sent.nth) == cause
            assert causes.chain(here) == [*causes.chain(cause), here]


@pytest.mark.parametrize("name", RUNS)
def test_what_went_from_one_to_another_is_what_the_other_took(name: str) -> None:
    simulation, causes = performed(name)
    for actor, log in simulation.logs.items():
        for sender in {sender for sender, _ in log} - {CONTROL}:
            taken = [message for by, message in log if by == sender]
            assert causes.between(sender, actor) == taken
            assert causes.of_nth(sender, actor, len(taken)) is None
            assert causes.place_of(sender, actor, len(taken)) is None
        assert causes.never_taken(actor) is None
        assert causes.last(actor) == Place(actor, len(log) - 1)
        assert causes.is_spent(actor)
    assert causes.entered == simulation.actors.keys()
    assert causes.ended == simulation.ended


def test_of_who_was_never_there_nothing_is_known() -> None:
    _, causes = performed("chatapp")
    assert causes.log_of(NOBODY) == []
    assert causes.of(Place(NOBODY, 0)) is None
    assert causes.of_nth(NOBODY, HOST, 0) is None
    assert causes.place_of(HOST, NOBODY, 0) is None
    assert causes.between(HOST, NOBODY) == []
    assert causes.never_taken(NOBODY) is None
    assert causes.last(NOBODY) is None
    assert causes.is_spent(NOBODY)
    assert causes.chain(None) == []
    assert not causes.outside(NOBODY)


def test_an_actor_is_shown_as_it_was_before_an_event() -> None:
    workload, logs = scripted()
    causes = Causes(workload, logs, all_of(logs))
    first, second = place(logs, CHAT, POST), place(logs, CHAT, POST, 1)
    histories = [causes.before(Place(CHAT, at)).state()["history"] for at in (first, second)]
    assert [len(history) for history in histories] == [0, 1]


def test_behind_what_was_consumed_nothing_has_a_cause_or_a_place() -> None:
    workload, logs = scripted()
    at = place(logs, GUEST, FORWARD)
    taken = {**all_of(logs), GUEST: at}
    causes = Causes(workload, logs, taken)
    assert causes.of(Place(GUEST, at)) is None
    assert causes.of(Place(GUEST, at - 1)) is not None
    assert causes.place_of(CHAT, GUEST, 0) == Place(GUEST, at - 1)
    assert causes.place_of(CHAT, GUEST, 1) is None
    assert causes.last(GUEST) == Place(GUEST, at - 1)
    assert not causes.is_spent(GUEST)
    assert causes.never_taken(GUEST) is None


def test_of_who_was_watched_and_could_not_be_replayed_nothing_was_consumed() -> None:
    """Such as one of whom only a slice is there."""
    workload, logs = scripted()
    taken = all_of(logs)
    del taken[GUEST]
    causes = Causes(workload, logs, taken)
    assert causes.consumed(GUEST) == []
    assert causes.of(Place(GUEST, 0)) is None
    assert causes.last(GUEST) is None
    assert not causes.is_spent(GUEST)


def test_a_message_that_its_receiver_has_not_logged_was_never_taken() -> None:
    workload, logs = scripted()
    lost = logs[GUEST].pop(place(logs, GUEST, FORWARD, 1))
    causes = Causes(workload, logs, replay(workload, logs).taken)
    assert causes.never_taken(GUEST) == lost
    assert causes.never_taken(POKER) is None
    assert causes.never_taken(HOST) is None


def test_who_took_what_was_meant_for_another_and_who_went_without() -> None:
    workload = RUNS["fanout"]
    logs = performed("fanout")[0].logs
    runners = [names.name(names.RUNNER, index) for index in range(3)]
    sender, message = logs[runners[0]][0]
    causes = Causes(workload, logs, all_of(logs))
    for runner in runners:
        assert list(causes.mistaken(sender, runner, message)) == []
        assert list(causes.deprived(sender, runner, message)) == []
    moved = {**logs, runners[0]: logs[runners[0]][1:]}
    moved[runners[1]] = [*logs[runners[1]], (sender, message)]
    causes = Causes(workload, moved, replay(workload, moved).taken)
    last = len(logs[runners[1]])
    assert list(causes.mistaken(sender, runners[0], message)) == [(runners[1], last)]
    assert list(causes.mistaken(sender, runners[1], message)) == []
    assert list(causes.deprived(sender, runners[1], message)) == [runners[0]]
    assert list(causes.deprived(sender, runners[0], message)) == []
