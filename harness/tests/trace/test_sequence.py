"""The events that led to a divergence are drawn along its causes, and never at too great a
length."""

import random

from explained_kit import CHAT, drawn, explained, lose_the_last_forward
from hypothesis import given, settings
from hypothesis import strategies as st

from dramaturg.model import messages, names
from dramaturg.model.chatapp import Parameters
from dramaturg.model.messages import Choice
from dramaturg.model.simulation import AtRandom, Simulation
from dramaturg.model.workload import MICRO, ChatAppWorkload, MicroWorkload
from dramaturg.trace.events import Logs
from dramaturg.trace.explanation.departure import explain
from dramaturg.trace.explanation.message_sequence import (
    BEFORE,
    CHAIN_HEAD,
    CHAIN_TAIL,
    FAN_AFTER,
    FAN_BEFORE,
    FAN_HEAD,
    Cut,
    Step,
    lanes,
    parse,
)
from dramaturg.trace.replay.token_game import replay


def test_the_sequence_leads_from_controls_word_to_the_lost_message() -> None:
    assert drawn(explained(lose_the_last_forward)) == [
        ("control", "poker/0", "act", "taken"),
        ("poker/0", "directory/0", "act", "taken"),
        ("directory/0", "client/0", "act", "taken"),
        ("client/0", "chat/0.0", "post", "taken"),
        ("chat/0.0", "accumulator/2", "bump", "taken"),
        ("chat/0.0", "client/0", "forward", "taken"),
        ("chat/0.0", "client/1", "forward", "lost"),
    ]


def test_a_long_chain_is_cut_in_its_middle() -> None:
    workload = MicroWorkload(MICRO["pingpong"], MICRO["pingpong"].parameters(rounds=100)).run()
    explanation = explained(lambda logs: logs[names.name(names.PING)].pop(), workload)
    start, *_, lost = drawn(explanation)
    assert (start[2], lost[2:]) == ("start", ("pong", "lost"))
    cuts = [entry for entry in explanation.sequence if isinstance(entry, Cut)]
    assert [entry.more + CHAIN_HEAD + CHAIN_TAIL for entry in cuts] == [200]


def test_of_many_messages_of_one_cause_those_around_the_lost_one_are_drawn() -> None:
    parameters = Parameters(
        clients=20, directories=1, turns=1, compute=0, post=0, leave=0, invite=0, befriend=90
    )
    workload = ChatAppWorkload(parameters).prepare().act(0, Choice.INVITE, k=99).act(0, Choice.POST)
    guests = Simulation(workload).perform().actors[CHAT].members

    def forget(logs: Logs) -> None:
        logs[names.name(names.CLIENT, guests[10])].pop()

    sequence = explained(forget, workload).sequence
    lost = next(i for i, entry in enumerate(sequence) if "lost" in entry.to_dict().values())
    fan = sequence[lost - FAN_BEFORE - 1 - FAN_HEAD :]
    assert [place for place, entry in enumerate(fan) if isinstance(entry, Cut)] == [2, 10]
    assert sum(entry.more if isinstance(entry, Cut) else 1 for entry in fan) == len(guests) + 1
    beside = lanes(sequence).index("chat/0.0") + 1
    assert lanes(sequence)[beside] == names.spell(names.name(names.CLIENT, guests[10]))


def mutated(data: st.DataObject) -> tuple[ChatAppWorkload, Logs]:
    parameters = Parameters(
        clients=8, directories=2, turns=3, compute=10, post=45, leave=20, invite=20,
        befriend=40, fib_n=3,
    )  # fmt: skip
    workload = ChatAppWorkload(parameters).prepare().run()
    seed = data.draw(st.integers(0, 50))
    logs = Simulation(workload, AtRandom(random.Random(seed).randrange)).perform().logs
    actor = data.draw(st.sampled_from(sorted(logs)))
    at = data.draw(st.integers(0, len(logs[actor]) - 1))
    sender, message = logs[actor][at]
    match data.draw(st.sampled_from(["remove", "cut", "repeat", "misattribute"])):
        case "remove":
            del logs[actor][at]
        case "cut":
            del logs[actor][at:]
        case "repeat":
            logs[actor].insert(at, (sender, message))
        case "misattribute":
            logs[actor][at] = (sender + (1 << 24), message)
    return workload, logs


@settings(deadline=None, max_examples=150)
@given(st.data())
def test_whatever_is_wrong_is_explained_in_a_sequence_that_can_be_read(data: st.DataObject) -> None:
    workload, logs = mutated(data)
    explanation = explain(workload, logs, replay(workload, logs))
    assert explanation is not None
    assert explanation.requirements
    sequence = explanation.sequence
    assert parse([entry.to_dict() for entry in sequence]) == sequence
    fan = FAN_HEAD + FAN_BEFORE + 1 + FAN_AFTER
    assert len(sequence) <= CHAIN_HEAD + CHAIN_TAIL + 1 + fan + 2 + BEFORE + 1 + 2
    steps = [entry for entry in sequence if isinstance(entry, Step)]
    assert {"lost", "expected", "actual"} & {str(step.status) for step in steps}


@settings(deadline=None, max_examples=60)
@given(st.data())
def test_each_actors_messages_are_drawn_in_the_order_of_its_log(data: st.DataObject) -> None:
    workload, logs = mutated(data)
    explanation = explain(workload, logs, replay(workload, logs))
    assert explanation is not None
    for actor, log in logs.items():
        shown = [
            step
            for step in explanation.sequence
            if isinstance(step, Step)
            and step.target == names.spell(actor)
            and step.status == "taken"
        ]
        told = iter([(names.spell(sender), messages.spell(*message)) for sender, message in log])
        assert all((step.source, step.message) in told for step in shown)
