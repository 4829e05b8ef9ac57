"""An actor that may live on is named, with the message that should have ended it."""

from dramaturg.model import names
from dramaturg.model.chatapp import LOGOUT, Parameters
from dramaturg.model.messages import Choice
from dramaturg.model.simulation import Simulation
from dramaturg.model.workload import MICRO, ChatAppWorkload, MicroWorkload
from dramaturg.trace.replay.survivors import survivors


def chats() -> Simulation:
    """Three chats, one of which ends in the middle of it."""
    parameters = Parameters(
        clients=4, directories=1, turns=1, compute=0, post=0, leave=0, invite=0, befriend=50
    )
    workload = ChatAppWorkload(parameters).prepare()
    for client in (0, 1, 2):
        workload.act(client, Choice.INVITE, k=1)
    for client in range(4):
        for _ in range(2):
            workload.act(client, Choice.LEAVE)
    workload.act(3, Choice.INVITE, k=1)
    return Simulation(workload.disconnect()).perform()


def test_a_class_of_that_size_is_named_with_its_end() -> None:
    run = chats()
    said = survivors(run.actors, run.logs, 4)
    assert "chat: chat/0.0, chat/1.0, chat/2.0 and 1 more (CHAT-39)" in said
    assert "client: client/0, client/1, client/2 and 1 more (CHAT-36)" in said


def test_those_that_ended_alike_are_named() -> None:
    run = chats()
    ended = [
        actor
        for actor, log in run.logs.items()
        if names.class_of(actor) == names.CHAT and log[-1][1][1] == (LOGOUT,)
    ]
    assert 0 < len(ended) < 4
    said = survivors(run.actors, run.logs, len(ended))
    assert "chat whose last message was leave at the end: " + names.spell(min(ended)) in said


def test_where_nobody_is_as_many_their_numbers_are_told() -> None:
    run = chats()
    assert survivors(run.actors, run.logs, 77) == (
        "no class has as many actors: 1 poker, 1 directory, 4 client, 4 chat, 12 accumulator"
    )


def test_one_of_two_is_either() -> None:
    made = MicroWorkload(MICRO["pingpong"], MICRO["pingpong"].parameters(rounds=3)).run()
    run = Simulation(made).perform()
    said = survivors(run.actors, run.logs, 1)
    assert said == (
        "there were as many of class ping: ping/0 (PING-1); or of class pong: pong/0 (PING-2)"
    )
    assert names.name(names.PING) in run.actors
