"""The replay's words on a run in which one event was changed: the actor, the event of its log, the
expected event, and the state."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from mutation_kit import RUNS, run_of

from dramaturg.model import names
from dramaturg.model.actor import Actor
from dramaturg.model.simulation import Simulation
from dramaturg.model.workload import MICRO, MicroWorkload
from dramaturg.trace.events import Event, Logs
from dramaturg.trace.explanation.causes import Causes, Place
from dramaturg.trace.replay.divergence import Kind
from dramaturg.trace.replay.token_game import HISTORY, LONG, replay
from dramaturg.v2 import trace_pb2 as kind

ACT = kind.MESSAGE_KIND_CLIENT_ACT


def events_of(logs: Logs) -> Iterator[tuple[int, int, Event]]:
    for actor, log in logs.items():
        for position, event in enumerate(log):
            yield actor, position, event


def changed(logs: Logs, actor: int, position: int, *events: Event) -> Logs:
    """Return the logs with these events in the place of one."""
    log = logs[actor]
    return {**logs, actor: [*log[:position], *events, *log[position + 1 :]]}


@pytest.mark.parametrize("name", RUNS)
def test_an_argument_that_was_altered_is_all_that_is_named(name: str) -> None:
    """Whoever waits for that actor from there on is not to blame."""
    workload, logs = run_of(name)
    causes = Causes(workload, logs, {actor: len(log) for actor, log in logs.items()})
    altered = 0
    for actor, position, (sender, (number, args)) in events_of(logs):
        if not args:
            continue
        message = (number, (*args[:-1], args[-1] + 1))
        verdict = replay(workload, changed(logs, actor, position, (sender, message)))
        (found,) = verdict.divergences
        assert (found.kind, found.receiver, found.position) == (Kind.ALTERED, actor, position)
        assert (found.sender, found.expected, found.actual) == (sender, (number, args), message)
        assert found.history == logs[actor][max(0, position - HISTORY) : position]
        before = causes.before(Place(actor, position)).state()
        assert found.to_dict() == replace(found, receiver_state=before).to_dict()
        assert found.receiver_state.keys() == before.keys()
        # Control has no state, and an employee needs none.
        stateless = (names.CONTROL, names.EMPLOYEE)
        assert bool(found.sender_state) == (sender >> 56 not in stateless)
        assert verdict.taken[actor] == position
        assert verdict.taken.keys() == logs.keys()
        altered += 1
    assert altered > 0


def test_of_a_run_that_conforms_nothing_is_named() -> None:
    workload, logs = run_of("chatapp")
    verdict = replay(workload, logs)
    assert (verdict.divergences, verdict.divergence, verdict.taken) == ([], None, {})
    assert verdict.events == sum(map(len, logs.values()))


def test_who_was_never_made_has_no_state_and_is_not_born_by_having_a_log() -> None:
    """Two that nobody made, each of which says that it heard from the other."""
    workload, logs = run_of("chatapp")
    one, other = (names.name(names.CHAT, 9, number) for number in range(2))
    leave = (kind.MESSAGE_KIND_CHAT_LEAVE, (0,))
    verdict = replay(workload, {**logs, one: [(other, leave)], other: [(one, leave)]})
    assert {(found.kind, found.receiver) for found in verdict.divergences} == {
        (Kind.TOO_EARLY, one),
        (Kind.TOO_EARLY, other),
    }
    assert all(found.receiver_state == found.sender_state == {} for found in verdict.divergences)
    assert verdict.born == replay(workload, logs).born
    assert verdict.taken[one] == 0


def test_thousands_of_messages_may_be_under_way_between_two() -> None:
    parameters = MICRO["bang"].parameters(senders=1, messages=3 * LONG)
    workload = MicroWorkload(MICRO["bang"], parameters).run(salt=7).disconnect()
    logs = Simulation(workload).perform().logs
    assert replay(workload, logs).conforms
    receiver = names.name(names.RECEIVER)
    last = max(p for p, event in enumerate(logs[receiver]) if event[0] >> 56 == names.SENDER)
    sender, (number, args) = logs[receiver][last]
    late = changed(logs, receiver, last, (sender, (number, (args[0] + 1, *args[1:]))))
    (found,) = replay(workload, late).divergences
    assert (found.kind, found.position, found.expected) == (Kind.ALTERED, last, (number, args))


def test_of_one_that_is_stuck_the_words_of_every_sender_are_looked_at() -> None:
    """A client that hears from its own chat before the act that founds it; two others whose
    words were altered had sent them all the same."""
    workload, logs = run_of("chatapp")
    for actor, log in logs.items():
        own = [p for p, (by, _) in enumerate(log) if is_chat_of(by, actor)]
        if names.class_of(actor) != names.CLIENT or not own:
            continue
        act = next(p for p, (_, message) in enumerate(log) if message[0] == ACT)
        late = [log[own[0]], *log[act : own[0]], *log[own[0] + 1 :]]
        senders = {
            by: late.index((by, said)) for by, said in reversed(late[1:]) if by != late[0][0]
        }
        if len(senders) < 3:
            continue
        for at in senders.values():
            by, (number, args) = late[at]
            late[at] = (by, (number, (*args[:-1], args[-1] + 1)))
        verdict = replay(workload, {**logs, actor: [*log[:act], *late]})
        assert {(found.kind, found.receiver) for found in verdict.divergences} == {
            (Kind.ALTERED, actor)
        }
        assert {found.sender: found.position for found in verdict.divergences} == {
            by: act + at for by, at in senders.items()
        }
        return
    pytest.fail("no client of this run hears from its own chat and from three others")


def is_chat_of(chat: int, client: int) -> bool:
    return names.class_of(chat) == names.CHAT and names.index_of(chat) == names.index_of(client)


class WithoutPong:
    """Ping-pong in which nobody makes the one that answers."""

    def __init__(self) -> None:
        self._whole = RUNS["pingpong"]
        self.script, self.lead = self._whole.script, self._whole.lead
        self.reports = self._whole.reports

    def initial(self) -> list[Actor]:
        return [each for each in self._whole.initial() if names.class_of(each.name) != names.PONG]


def test_what_is_sent_to_one_that_was_never_made_is_lost() -> None:
    _, logs = run_of("pingpong")
    ping, pong = names.name(names.PING), names.name(names.PONG)
    verdict = replay(WithoutPong(), {ping: logs[ping][:1]})
    (found,) = verdict.divergences
    assert (found.kind, found.receiver, found.position) == (Kind.LOST, pong, 0)
    assert (found.sender, found.expected) == logs[pong][0]
    assert (found.receiver_state, found.history) == ({}, [])
    assert verdict.born == {ping}
    assert verdict.taken == {ping: 1}


def test_one_fault_does_not_hide_another_nor_those_who_were_made() -> None:
    workload, logs = run_of("fanout")
    altered, invented = names.name(names.RUNNER, 0), names.name(names.RUNNER, 2)
    stranger = names.name(names.MASTER, 9)
    sender, (number, args) = logs[altered][0]
    wrong = changed(logs, altered, 0, (sender, (number, (args[0] + 1, *args[1:]))))
    wrong[invented] = [(stranger, (number, args)), *logs[invented]]
    for order in (sorted(wrong), sorted(wrong, reverse=True)):
        verdict = replay(workload, {actor: wrong[actor] for actor in order})
        assert {(found.kind, found.receiver, found.sender) for found in verdict.divergences} == {
            (Kind.ALTERED, altered, sender),
            (Kind.INVENTED, invented, stranger),
        }
        assert verdict.born == replay(workload, logs).born
        assert verdict.alive == len(verdict.born)
