"""The replay accepts every legal schedule and names what is wrong with any other log."""

import copy
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dramaturg.model import names
from dramaturg.model.chatapp import Parameters
from dramaturg.model.messages import Choice
from dramaturg.model.simulation import AtRandom, Simulation
from dramaturg.model.workload import MICRO, ChatAppWorkload, MicroWorkload
from dramaturg.trace.events import Logs, canonical
from dramaturg.trace.replay.divergence import Kind
from dramaturg.trace.replay.token_game import replay
from dramaturg.v2 import trace_pb2 as kind


def run_of(parameters: Parameters, seed: int = 1) -> tuple[ChatAppWorkload, Logs]:
    workload = ChatAppWorkload(parameters).prepare().run(salt=3).disconnect()
    return workload, Simulation(workload, AtRandom(random.Random(seed).randrange)).perform().logs


@settings(deadline=None, max_examples=30)
@given(st.randoms(use_true_random=False), st.booleans())
def test_every_schedule_of_the_model_is_accepted(rng: random.Random, pipelined: bool) -> None:
    parameters = Parameters(
        clients=12, directories=2, turns=4, compute=10, post=45, leave=20, invite=20,
        befriend=25, fib_n=3,
    )  # fmt: skip
    workload = ChatAppWorkload(parameters).prepare()
    if pipelined:
        workload.run(salt=rng.randrange(2**32))
    else:
        workload.turn().act(3).turn().act(0)
    workload.disconnect()
    simulation = Simulation(workload, AtRandom(rng.randrange)).perform()
    verdict = replay(workload, simulation.logs)
    assert verdict.conforms
    assert verdict.born == simulation.actors.keys()
    assert verdict.alive == 0
    assert verdict.control == simulation.control


def test_who_has_not_ended_is_alive_and_everybody_the_model_made_was_born(
    small: Parameters,
) -> None:
    workload = ChatAppWorkload(small).prepare().run()
    simulation = Simulation(workload).perform()
    verdict = replay(workload, simulation.logs)
    assert verdict.conforms
    assert verdict.alive == len(simulation.alive()) > small.clients
    assert verdict.born == simulation.actors.keys()


def test_an_actor_that_took_nothing_was_born_all_the_same() -> None:
    """A worker that is never given work takes nothing before `stop`."""
    web = MICRO["web"]
    parameters = web.parameters(browsers=1, workers=3, requests=1, fib_n=1)
    workload = MicroWorkload(web, parameters).run()
    simulation = Simulation(workload).perform()
    idle = names.name(names.WORKER, 2)
    assert idle not in simulation.logs
    verdict = replay(workload, simulation.logs)
    assert idle in verdict.born
    assert verdict.alive == 4


def test_a_log_of_control_is_no_actors(small: Parameters) -> None:
    workload, logs = run_of(small)
    logs[names.name(names.CONTROL)] = [
        (names.name(names.POKER), (kind.MESSAGE_KIND_CONTROL_READY, ()))
    ]
    assert not replay(workload, logs).conforms


def find(logs: Logs, number: int, nth: int = 0) -> tuple[int, int]:
    """Actor and place of the nth message of this kind."""
    places = [
        (actor, place)
        for actor, log in sorted(logs.items())
        for place, (_, message) in enumerate(log)
        if message[0] == number
    ]
    return places[nth]


def test_a_lost_forward_is_reported_at_the_turn_it_was_lost(small: Parameters) -> None:
    workload, logs = run_of(small)
    actor, place = find(logs, kind.MESSAGE_KIND_CLIENT_FORWARD, 7)
    sender, message = logs[actor].pop(place)
    divergence = replay(workload, logs).divergence
    assert divergence is not None
    assert (divergence.receiver, divergence.sender) == (actor, sender)
    assert divergence.expected == message
    assert divergence.turn == message[1][0]


def test_an_altered_payload_is_reported_with_what_was_expected(small: Parameters) -> None:
    workload, logs = run_of(small)
    actor, place = find(logs, kind.MESSAGE_KIND_CLIENT_FORWARD)
    sender, (number, (turn, level, payload)) = logs[actor][place]
    logs[actor][place] = (sender, (number, (turn, level, payload + 1)))
    divergence = replay(workload, logs).divergence
    assert divergence is not None
    assert divergence.kind is Kind.ALTERED
    assert divergence.expected == (number, (turn, level, payload))
    assert divergence.actual == (number, (turn, level, payload + 1))
    assert divergence.position == place


def test_a_duplicated_message_is_reported(small: Parameters) -> None:
    workload, logs = run_of(small)
    actor, place = find(logs, kind.MESSAGE_KIND_CHAT_POST)
    logs[actor].insert(place, logs[actor][place])
    assert not replay(workload, logs).conforms


def test_two_messages_of_one_sender_in_the_wrong_order_are_reported(small: Parameters) -> None:
    workload, logs = run_of(small)
    for log in logs.values():
        for i in range(len(log) - 1):
            if log[i][0] == log[i + 1][0] and log[i][1] != log[i + 1][1]:
                log[i], log[i + 1] = log[i + 1], log[i]
                assert not replay(workload, logs).conforms
                return
    pytest.fail("the run has no two messages in a row from one sender")


def test_a_message_received_before_it_can_have_been_sent_is_reported(small: Parameters) -> None:
    workload, logs = run_of(small)
    actor, place = find(logs, kind.MESSAGE_KIND_CLIENT_ACCEPTED)
    event = logs[actor].pop(place)
    first_act = next(
        i for i, (_, message) in enumerate(logs[actor])
        if message[0] == kind.MESSAGE_KIND_CLIENT_BEFRIEND
    )  # fmt: skip
    logs[actor].insert(first_act, event)
    divergence = replay(workload, logs).divergence
    assert divergence is not None


def test_a_log_that_is_missing_altogether_is_reported(small: Parameters) -> None:
    workload, logs = run_of(small)
    chat = next(actor for actor in logs if names.class_of(actor) == names.CHAT)
    del logs[chat]
    assert not replay(workload, logs).conforms


def test_an_actor_that_nobody_made_is_reported(small: Parameters) -> None:
    workload, logs = run_of(small)
    logs[names.name(names.CHAT, 99, 0)] = [
        (names.name(names.CLIENT, 0), (kind.MESSAGE_KIND_CHAT_LEAVE, (0,)))
    ]
    assert not replay(workload, logs).conforms


def test_an_act_that_did_not_wait_for_the_one_before_is_reported(small: Parameters) -> None:
    """Control speaks when the poker has reported (ACT-7): so one act's end comes first."""
    workload = ChatAppWorkload(small).prepare()
    workload.act(0, Choice.INVITE, k=3).act(0, Choice.POST).disconnect()
    logs = Simulation(workload).perform().logs
    poker = logs[names.name(names.POKER)]
    acts = [i for i, (_, message) in enumerate(poker) if message[0] == kind.MESSAGE_KIND_POKER_ACT]
    confirm = acts[0] + 1
    assert poker[confirm][1][0] == kind.MESSAGE_KIND_POKER_CONFIRM
    poker[confirm], poker[acts[1]] = poker[acts[1]], poker[confirm]
    divergence = replay(workload, logs).divergence
    assert divergence is not None
    assert divergence.sender == names.name(names.CONTROL)


def test_of_two_divergences_the_earlier_turn_s_is_named(small: Parameters) -> None:
    workload, logs = run_of(small)
    for turn in (0, 2):
        actor, place = next(
            (actor, place)
            for actor, log in sorted(logs.items())
            for place, (_, message) in enumerate(log)
            if message[0] == kind.MESSAGE_KIND_ACCUMULATOR_STOP and names.index_of(actor) == turn
        )
        sender, (number, (level, value)) = logs[actor][place]
        logs[actor][place] = (sender, (number, (level, value + 1)))
    verdict = replay(workload, logs)
    assert {divergence.turn for divergence in verdict.divergences} >= {0, 2}
    assert verdict.divergence is not None
    assert verdict.divergence.turn == 0


def test_an_empty_trace_is_no_run(small: Parameters) -> None:
    workload = ChatAppWorkload(small).prepare().run()
    assert not replay(workload, {}).conforms


def test_the_canonical_form_does_not_depend_on_the_schedule(small: Parameters) -> None:
    workload = ChatAppWorkload(small).prepare()
    for client in range(small.clients):
        workload.act(client)
    forms = [
        canonical(Simulation(workload, AtRandom(random.Random(seed).randrange)).perform().logs)
        for seed in range(5)
    ]
    assert all(form == forms[0] for form in forms)


def test_the_replay_leaves_the_logs_as_they_were(small: Parameters) -> None:
    workload, logs = run_of(small)
    before = copy.deepcopy(logs)
    replay(workload, logs)
    assert logs == before
