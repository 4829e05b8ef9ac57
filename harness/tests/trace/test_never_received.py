"""The texts on a message that is in no log: three things, one and the same log."""

import pytest
from explained_kit import (
    CHAT,
    DIRECTORY,
    GUEST,
    HOST,
    POKER,
    POST,
    asked,
    lose_the_last_forward,
    place,
    scripted,
)

from dramaturg.model import names
from dramaturg.model.simulation import Simulation
from dramaturg.model.workload import MICRO, MicroWorkload
from dramaturg.trace.events import Logs
from dramaturg.trace.explanation.causes import Causes, Place
from dramaturg.trace.explanation.departure import Explanation, explain
from dramaturg.trace.explanation.fate import fate_of
from dramaturg.trace.explanation.render import render
from dramaturg.trace.replay.divergence import Divergence, Fate, Kind
from dramaturg.trace.replay.token_game import replay
from dramaturg.v2 import trace_pb2 as kind

STOP, CONFIRM = kind.MESSAGE_KIND_ACCUMULATOR_STOP, kind.MESSAGE_KIND_POKER_CONFIRM
LEFT = kind.MESSAGE_KIND_CLIENT_LEFT
CONTROL, PING = names.name(names.CONTROL), names.name(names.PING)
SECOND = names.name(names.ACCUMULATOR, 2)


def torn_down() -> tuple[object, Logs]:
    workload, _ = scripted()
    workload.disconnect()
    return workload, Simulation(workload).perform().logs


def told(workload: object, logs: Logs, alive: int | None) -> Explanation:
    found = explain(workload, logs, replay(workload, logs), alive=alive)  # type: ignore[arg-type]
    assert found is not None
    return found


def without_the_last_left() -> tuple[object, Logs]:
    """The guest never took the `left` upon which it would have ended."""
    workload, logs = torn_down()
    del logs[GUEST][place(logs, GUEST, LEFT) :]
    return workload, logs


@pytest.mark.parametrize(
    ("alive", "says", "means"),
    [
        (None, "client/1 never received left(", "ends without it, and nothing moves any more."),
        (0, "client/1 ended without left(", "It has ended, and takes nothing any more."),
        (9, "client/1 still waits for left(", "somebody is alive: it may come yet."),
    ],
)
def test_who_waits_who_has_ended_and_what_is_gone_are_told_apart(
    alive: int | None, says: str, means: str
) -> None:
    found = told(*without_the_last_left(), alive)
    assert found.headline().startswith(says)
    assert found.to_dict()["headline"] == found.headline()
    assert means in " ".join(render(found).split())


def test_of_fewer_alive_than_should_be_nobody_knows_whether_it_waits() -> None:
    """The guest, its directory and the poker live on by their logs: of one, any may be it."""
    found = told(*without_the_last_left(), 1)
    assert found.divergence.fate is Fate.GONE


@pytest.mark.parametrize(("cause", "fate"), [(Place(GUEST, 0), Fate.GONE), (None, Fate.ENDED)])
def test_what_had_been_sent_before_its_receiver_ended_is_gone(
    cause: Place | None, fate: Fate
) -> None:
    """The chat ended upon its last member's `leave`: the guest's earlier messages had been sent."""
    workload, logs = torn_down()
    causes = Causes(workload, logs, {actor: len(log) for actor, log in logs.items()})  # type: ignore[arg-type]
    assert CHAT in causes.ended
    lost = Divergence(Kind.LOST, CHAT, 9, GUEST, (POST, (2, 1)), None, {}, {}, [])
    assert fate_of(lost, cause, causes, living=0, alive=0) is fate


def confirm_early(logs: Logs) -> None:
    """The accumulator confirms before it has heard of the guest, without what the guest says."""
    del logs[SECOND][place(logs, SECOND, STOP) :]
    at = place(logs, POKER, CONFIRM, 2)
    sender, (number, args) = logs[POKER][at]
    logs[POKER][at] = sender, (number, (args[0], args[1], *[max(0, a - 1) for a in args[2:]]))


def test_who_sends_too_early_comes_before_what_it_did_not_wait_for() -> None:
    workload, logs = scripted()
    confirm_early(logs)
    found = told(workload, logs, None)
    assert (found.divergence.kind, found.divergence.sender) == (Kind.INVENTED, SECOND)
    assert found.headline().startswith("turn 2: poker/0 received confirm(")
    assert "which accumulator/2 never sent" in found.headline()
    assert "accumulator/2 sent it without stop(" in found.note
    assert asked(found)[-1] == "ACT-2"
    assert any(name.startswith("CHAT-") for name in asked(found))


def test_who_does_what_follows_from_a_message_has_only_not_logged_it() -> None:
    workload, logs = scripted()
    lose_the_last_forward(logs)
    assert told(workload, logs, None).divergence.kind is Kind.LOST


def test_the_order_of_events_is_that_which_every_schedule_has() -> None:
    workload, logs = scripted()
    causes = Causes(workload, logs, {actor: len(log) for actor, log in logs.items()})
    first, last = Place(CHAT, 0), Place(POKER, len(logs[POKER]) - 1)
    assert causes.is_before(first, last)
    assert not causes.is_before(last, first)
    assert causes.is_before(Place(DIRECTORY, 0), Place(HOST, 0))


@pytest.mark.parametrize("windowed", [False, True])
def test_a_start_that_nobody_logged_is_blamed_on_its_receiver_alone(windowed: bool) -> None:
    """Ping, which logs from its second message on; pong is right."""
    some = {"rounds": 0, "windows": 2, "window": 1} if windowed else {"rounds": 3}
    workload = MicroWorkload(MICRO["pingpong"], MICRO["pingpong"].parameters(**some)).run(7)
    logs = Simulation(workload).perform().logs
    logs[PING] = [event for event in logs[PING] if event[0] != CONTROL]
    found = told(workload, logs, 0)
    assert found.headline().startswith("ping/0 did not log start(rounds=")
    assert found.headline().endswith("from control")
    assert [each.id for each in found.requirements] == ["TRACE-2", "ACT-5"]
    assert "The receiver's log lacks it" in render(found)


def test_a_start_that_is_logged_late_is_no_start_that_is_not_logged() -> None:
    workload = MicroWorkload(MICRO["pingpong"], MICRO["pingpong"].parameters(rounds=3)).run(7)
    logs = Simulation(workload).perform().logs
    logs[PING] = [*logs[PING][1:2], logs[PING][0], *logs[PING][2:]]
    found = told(workload, logs, 0)
    assert found.headline().startswith("ping/0 received pong(")
    assert [each.id for each in found.requirements] == ["TRACE-6", "ACT-1"]
