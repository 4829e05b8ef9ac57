"""A divergence is traced back to what asks for it."""

import copy
from collections.abc import Callable

import pytest
from explained_kit import (
    BANG,
    CHAT,
    DIRECTORY,
    FORWARD,
    GUEST,
    HOST,
    POKER,
    POST,
    asked,
    drawn,
    explained,
    lose_the_last_forward,
    place,
    scripted,
    take_the_invitation_first,
)

from dramaturg.model import names
from dramaturg.model.chatapp import Parameters
from dramaturg.model.messages import Choice
from dramaturg.model.workload import MICRO, ChatAppWorkload, MicroWorkload
from dramaturg.trace.events import Logs
from dramaturg.trace.explanation.departure import explain
from dramaturg.trace.replay.divergence import Kind
from dramaturg.trace.replay.token_game import replay
from dramaturg.v2 import trace_pb2 as kind


def test_a_lost_message_is_asked_for_by_what_its_sender_had_to_do() -> None:
    explanation = explained(lose_the_last_forward)
    assert explanation.divergence.kind is Kind.LOST
    assert asked(explanation) == ["CHAT-37", "ACT-5"]
    assert explanation.cause_event == (HOST, (POST, (2, 1)))


def test_a_message_that_is_answered_and_not_logged_is_named_beside_what_came_too_early() -> None:
    workload, _ = scripted()
    workload.act(1, Choice.NONE)

    def forget(logs: Logs) -> None:
        del logs[GUEST][place(logs, GUEST, FORWARD, 1)]

    explanation = explained(forget, workload)
    divergence = explanation.divergence
    assert (divergence.kind, divergence.receiver) == (Kind.TOO_EARLY, GUEST)
    assert explanation.note == (
        "chat/0.0 sent client/1 forward(turn=2, level=1, payload=1), which it never took."
    )


def test_what_comes_from_oneself_unsent_came_too_early() -> None:
    workload = MicroWorkload(MICRO["big"], MICRO["big"].parameters(peers=3, rounds=1)).run()
    peer = names.name(names.PEER)

    def ping_itself(logs: Logs) -> None:
        at = place(logs, peer, kind.MESSAGE_KIND_PEER_PING)
        logs[peer][at] = (peer, (kind.MESSAGE_KIND_PEER_PING, (0,)))

    divergence = explained(ping_itself, workload).divergence
    assert (divergence.kind, divergence.receiver) == (Kind.TOO_EARLY, peer)
    assert divergence.sender == peer


def test_what_one_logged_later_is_held_against_what_it_was_sent_before() -> None:
    workload, _ = scripted()
    workload.act(1, Choice.NONE).act(0, Choice.POST)

    def forget(logs: Logs) -> None:
        del logs[GUEST][place(logs, GUEST, FORWARD, 1)]

    divergence = explained(forget, workload).divergence
    assert divergence.kind is Kind.ALTERED
    assert (divergence.expected, divergence.actual) == ((FORWARD, (2, 1, 1)), (FORWARD, (4, 1, 2)))
    assert divergence.history[-1][1][0] == kind.MESSAGE_KIND_CLIENT_ACT


def test_what_is_lost_at_the_end_comes_before_what_cannot_follow_from_it() -> None:
    workload, _ = scripted()
    workload.disconnect()

    def forget(logs: Logs) -> None:
        del logs[GUEST][place(logs, GUEST, kind.MESSAGE_KIND_CLIENT_LEFT) :]

    explanation = explained(forget, workload)
    assert explanation.divergence.headline().startswith("client/1 never received left(")
    assert asked(explanation) == ["CHAT-39", "ACT-5"]


def test_a_wrong_argument_is_the_senders_alone() -> None:
    def alter(logs: Logs) -> None:
        logs[GUEST][place(logs, GUEST, FORWARD)] = (CHAT, (FORWARD, (1, 1, 77)))

    explanation = explained(alter)
    assert explanation.divergence.kind is Kind.ALTERED
    assert (asked(explanation), explanation.note) == (["CHAT-37"], "")
    assert drawn(explanation)[-2:] == [
        ("chat/0.0", "client/1", "forward", "expected"),
        ("chat/0.0", "client/1", "forward", "actual"),
    ]


def test_of_what_an_act_asks_for_only_what_speaks_of_the_message_is_quoted() -> None:
    def leave_instead(logs: Logs) -> None:
        logs[CHAT][place(logs, CHAT, POST)] = (HOST, (kind.MESSAGE_KIND_CHAT_LEAVE, (1,)))

    explanation = explained(leave_instead)
    assert asked(explanation) == ["CHAT-24"]
    assert "CHAT-19" in explanation.related
    assert "CHAT-24" not in explanation.related


def test_a_name_that_a_requirement_only_takes_does_not_make_it_speak_of_sending() -> None:
    workload, _ = scripted()
    workload.disconnect()

    def lose_the_report(logs: Logs) -> None:
        del logs[DIRECTORY][place(logs, DIRECTORY, kind.MESSAGE_KIND_DIRECTORY_LEFT, 1) :]

    explanation = explained(lose_the_report, workload)
    assert asked(explanation) == ["CHAT-36", "ACT-5"]
    assert explanation.related == ["CHAT-34"]


def test_an_overtaken_message_breaks_the_promised_order() -> None:
    workload = MicroWorkload(MICRO["bang"], MICRO["bang"].parameters(senders=1, messages=3)).run()
    receiver = names.name(names.RECEIVER)

    def overtake(logs: Logs) -> None:
        log = logs[receiver]
        log[1], log[3] = log[3], log[1]

    explanation = explained(overtake, workload)
    assert asked(explanation) == ["BANG-2", "ACT-5"]
    assert "behind the expected one and 1 more" in explanation.note
    assert drawn(explanation)[-3:] == [
        ("sender/0", "receiver/0", "bang", "expected"),
        ("sender/0", "receiver/0", "bang", "actual"),
        ("sender/0", "receiver/0", "bang", "pending"),
    ]


def test_only_the_windowed_form_is_held_to_what_it_adds() -> None:
    bang = MICRO["bang"]
    workload = MicroWorkload(
        bang, bang.parameters(senders=1, messages=3, windows=2, window=1)
    ).run()
    sender = names.name(names.SENDER)

    def forget(logs: Logs) -> None:
        del logs[names.name(names.RECEIVER)][place(logs, names.name(names.RECEIVER), BANG) :]
        del logs[sender][1:]

    assert asked(explained(forget, workload)) == ["BANG-2", "BANG-6", "ACT-5"]


def test_a_message_taken_again_instead_of_the_next_is_said_to_be_one() -> None:
    def repeat(logs: Logs) -> None:
        at = place(logs, GUEST, FORWARD)
        logs[GUEST].insert(at, logs[GUEST][at])

    explanation = explained(repeat)
    assert explanation.divergence.kind is Kind.ALTERED
    assert asked(explanation) == ["CHAT-37", "ACT-5"]
    assert "may have come twice" in explanation.note


def test_a_message_taken_twice_breaks_exactly_once_and_is_drawn_twice() -> None:
    explanation = explained(lambda logs: logs[GUEST].append(logs[GUEST][-1]))
    assert explanation.divergence.kind is Kind.INVENTED
    assert asked(explanation) == ["ACT-5", "CHAT-37"]
    assert drawn(explanation)[-2:] == [
        ("chat/0.0", "client/1", "forward", "taken"),
        ("chat/0.0", "client/1", "forward", "actual"),
    ]


def test_an_invented_message_breaks_nothing_else_and_names_what_would_have_sent_it() -> None:
    explanation = explained(lambda logs: logs[GUEST].append((CHAT, (FORWARD, (2, 1, 77)))))
    assert explanation.divergence.kind is Kind.INVENTED
    assert asked(explanation) == ["ACT-2"]
    assert explanation.related == ["CHAT-37", "CHAT-38"]
    assert explanation.cause is None
    assert drawn(explanation)[-1] == ("chat/0.0", "client/1", "forward", "actual")


def test_an_actor_that_nobody_made_is_named() -> None:
    nobody = names.name(names.CHAT, 9)

    def make_one_up(logs: Logs) -> None:
        logs[nobody] = [(HOST, (POST, (2, 0)))]

    explanation = explained(make_one_up)
    assert asked(explanation) == ["TRACE-4", "ACT-2"]
    assert explanation.note == "The model never made chat/9.0."
    assert drawn(explanation)[-1] == ("client/0", "chat/9.0", "post", "actual")


def test_a_message_to_one_that_has_ended_breaks_the_end() -> None:
    workload, _ = scripted()
    workload.disconnect()
    befriend = (DIRECTORY, (kind.MESSAGE_KIND_CLIENT_BEFRIEND, (9,)))
    explanation = explained(lambda logs: logs[GUEST].append(befriend), workload)
    assert asked(explanation) == ["ACT-6", "ACT-2"]
    assert explanation.note == "client/1 had ended by then."


def test_of_those_that_wait_for_each_other_it_is_who_could_have_gone_on() -> None:
    explanation = explained(take_the_invitation_first)
    divergence = explanation.divergence
    assert divergence.kind is Kind.TOO_EARLY
    assert (divergence.receiver, divergence.position) == (GUEST, 0)
    assert asked(explanation) == ["TRACE-6", "ACT-1"]
    assert explanation.related == ["CHAT-38"]
    assert drawn(explanation)[-1] == ("chat/0.0", "client/1", "accepted", "actual")


def test_who_only_waits_for_those_that_wait_for_each_other_is_not_to_blame() -> None:
    parameters = Parameters(
        clients=4, directories=2, turns=1, compute=0, post=0, leave=0, invite=0, befriend=50
    )
    workload = ChatAppWorkload(parameters).prepare().act(0, Choice.INVITE, k=1)
    guest = names.name(names.CLIENT, 2)

    def take_the_invitation_first(logs: Logs) -> None:
        log = logs[guest]
        log.insert(0, log.pop(place(logs, guest, kind.MESSAGE_KIND_CLIENT_ACCEPTED)))

    assert explained(take_the_invitation_first, workload).divergence.receiver == guest


def test_a_message_that_came_again_too_early_is_one_that_came_twice() -> None:
    accumulator = names.name(names.ACCUMULATOR, 1)

    def stop_again(logs: Logs) -> None:
        at = place(logs, accumulator, kind.MESSAGE_KIND_ACCUMULATOR_STOP)
        logs[accumulator].insert(at, logs[accumulator][at])

    explanation = explained(stop_again)
    assert explanation.divergence.kind is Kind.TOO_EARLY
    assert asked(explanation) == ["ACT-5", "CHAT-29", "TRACE-6"]


def test_what_control_asked_for_is_held_against_the_script() -> None:
    def ask_for_another(logs: Logs) -> None:
        at = place(logs, POKER, kind.MESSAGE_KIND_POKER_ACT)
        control = names.name(names.CONTROL)
        logs[POKER][at] = (control, (kind.MESSAGE_KIND_POKER_TURN, ()))

    explanation = explained(ask_for_another)
    assert asked(explanation) == ["TRACE-5"]
    assert explanation.cause is None
    assert drawn(explanation)[-2:] == [
        ("control", "poker/0", "act", "expected"),
        ("control", "poker/0", "turn", "actual"),
    ]


def test_the_same_logs_are_explained_the_same_in_whatever_order_they_came() -> None:
    workload, logs = scripted()
    lose_the_last_forward(logs)
    turned = dict(reversed(copy.deepcopy(logs).items()))
    one, other = (explain(workload, each, replay(workload, each)) for each in (logs, turned))
    assert one is not None
    assert other is not None
    assert one.to_dict() == other.to_dict()


def test_a_run_that_conforms_needs_no_explanation() -> None:
    workload, logs = scripted()
    assert explain(workload, logs, replay(workload, logs)) is None


@pytest.mark.parametrize("change", [lose_the_last_forward, take_the_invitation_first])
def test_explaining_leaves_the_logs_as_they_were(change: Callable[[Logs], None]) -> None:
    workload, logs = scripted()
    change(logs)
    before = copy.deepcopy(logs)
    explain(workload, logs, replay(workload, logs))
    assert logs == before
