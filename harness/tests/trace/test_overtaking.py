"""Messages that overtook causally earlier ones are counted, and nothing else is."""

from collections.abc import Callable

import pytest

from dramaturg.model import chatapp, names
from dramaturg.model.chatapp import Selection
from dramaturg.model.simulation import Simulation
from dramaturg.model.workload import ChatAppWorkload
from dramaturg.trace.events import Event, Logs
from dramaturg.trace.explanation import overtaking
from dramaturg.trace.replay.token_game import replay
from dramaturg.v2 import trace_pb2 as kind

FEW = chatapp.Parameters(6, 2, 12, 0, 60, 0, 40, 80, Selection.CUMULATIVE, 1)


def performed() -> tuple[ChatAppWorkload, Logs]:
    workload = ChatAppWorkload(FEW).prepare().run(7).disconnect()
    return workload, Simulation(workload).perform().logs


def is_bump_of_a_chat(event: Event) -> bool:
    sender, (number, args) = event
    return (
        number == kind.MESSAGE_KIND_ACCUMULATOR_BUMP
        and names.class_of(sender) == names.CHAT
        and args[1] > 1
    )


def moved(logs: Logs, chosen: Callable[[Event], bool], actor_class: int) -> tuple[Logs, int]:
    """The first such message of some actor of this class comes last; how many it waited for."""
    for actor, log in logs.items():
        places = [place for place, event in enumerate(log) if chosen(event)]
        if names.class_of(actor) == actor_class and places and places[0] < len(log) - 1:
            late = log[: places[0]] + log[places[0] + 1 :] + [log[places[0]]]
            return {**logs, actor: late}, len(log) - 1 - places[0]
    pytest.fail("nobody took such a message")


def test_a_member_that_is_quicker_than_the_chat_is_counted() -> None:
    workload, logs = performed()
    late, waited = moved(logs, is_bump_of_a_chat, names.ACCUMULATOR)
    assert replay(workload, late).conforms, "no order between two senders is asked for"
    before, after = overtaking.count(workload, logs), overtaking.count(workload, late)
    assert before < after <= before + waited


def test_what_has_nothing_to_do_with_it_may_come_first_and_is_not_counted() -> None:
    """Clients that each report of what they did themselves overtake nobody."""
    workload, logs = performed()
    sole = [
        log
        for actor, log in logs.items()
        if names.class_of(actor) == names.ACCUMULATOR
        and all(number == kind.MESSAGE_KIND_ACCUMULATOR_STOP for _, (number, _) in log)
    ]
    turned = {
        actor: log[::-1] if any(log is one for one in sole) else log for actor, log in logs.items()
    }
    assert replay(workload, turned).conforms
    assert overtaking.count(workload, turned) == overtaking.count(workload, logs)
