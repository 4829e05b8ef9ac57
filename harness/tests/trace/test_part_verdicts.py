"""The further statements of a verdict on a part: how much is decided, of which actors, and whose
counts are no counts of such a run."""

from collections.abc import Callable

import pytest
from mutation_kit import RUNS
from part_kit import Run, watched_of

from dramaturg.model import names
from dramaturg.model.simulation import Simulation
from dramaturg.model.workload import MICRO, ChatAppWorkload, MicroWorkload
from dramaturg.trace.events import Logs
from dramaturg.trace.partial.part_replay import PartVerdict, replay_part
from dramaturg.trace.replay.divergence import Kind
from dramaturg.trace.watches import EVERYBODY, Watches, watch
from dramaturg.v2 import trace_pb2 as kind

WEB, FANOUT, CHATAPP = RUNS["web"], RUNS["fanout"], RUNS["chatapp"]
BROWSERS, REQUESTS = 4, 2
"""These are of WEB. The dispatcher's messages to a browser are decided; the worker that answers it
is not."""


def performed(workload: Run) -> Logs:
    return Simulation(workload).perform().logs


def counts_of(logs: Logs) -> dict[int, int]:
    return {actor: len(log) for actor, log in logs.items()}


def judged(workload: Run, watches: Watches, logs: Logs | None = None) -> PartVerdict:
    logs = performed(workload) if logs is None else logs
    return replay_part(workload, watches, watched_of(logs, watches), counts_of(logs))


def amounts(verdict: PartVerdict) -> tuple[int, int, int]:
    return verdict.decided, verdict.bounded, verdict.pairs


def test_what_is_decided_of_whole_actors_and_of_their_first_messages_adds_up() -> None:
    everything = judged(WEB, [watch(names.BROWSER)])
    assert amounts(everything) == (BROWSERS, BROWSERS * REQUESTS, BROWSERS)
    of_first_two = judged(WEB, [watch(names.BROWSER, events=2)])
    assert amounts(of_first_two) == (BROWSERS, BROWSERS, BROWSERS)
    mixed = judged(WEB, [watch(names.BROWSER, last=1), watch(names.BROWSER, first=2, events=2)])
    assert amounts(mixed) == (BROWSERS, 2 * REQUESTS + 2, BROWSERS)
    for verdict in (everything, of_first_two, mixed):
        assert verdict.conforms
        assert verdict.events == verdict.decided + verdict.bounded
        assert verdict.born == {names.name(names.BROWSER, index) for index in range(BROWSERS)}
        assert [str(row) for row in verdict.open] == [
            "worker to browser: which worker answers a request"
        ]
        assert (verdict.miscounted, verdict.taken) == ("", {})


def test_what_is_open_of_one_and_of_another_is_open_of_both() -> None:
    verdict = judged(WEB, [watch(names.BROWSER, events=2), watch(names.WORKER, events=2)])
    assert {(row.receiver, row.sender) for row in verdict.open} == {
        (names.BROWSER, names.WORKER),
        (names.WORKER, names.DISPATCHER),
    }


def test_what_is_wrong_with_the_first_messages_of_several_is_all_told() -> None:
    logs = performed(FANOUT)
    first, second, third = (names.name(names.RUNNER, index) for index in range(3))
    wrong = {**logs, first: logs[first][::-1], third: logs[third][::-1]}
    verdict = judged(FANOUT, [watch(names.RUNNER, events=2)], wrong)
    assert [(found.kind, found.receiver) for found in verdict.divergences] == [
        (Kind.ALTERED, first),
        (Kind.ALTERED, third),
    ]
    assert verdict.taken == {first: 0, third: 0}
    assert verdict.born == {first, second, third}
    assert verdict.miscounted == ""


@pytest.mark.parametrize("begin", [0, 1])
def test_a_count_that_no_run_has_is_told_if_nothing_else_is_wrong(begin: int) -> None:
    """One actor was watched as a whole, and of one a few messages are known."""
    row = watch(names.RUNNER, first=1, last=1)
    setattr(row, "from", begin)
    logs = performed(FANOUT)
    part, runner = watched_of(logs, [row]), names.name(names.RUNNER, 1)
    tasks = len(logs[runner])
    said = f"runner/1 took {tasks + 1} messages, expected {tasks} (TRACE-13)"
    counts = {**counts_of(logs), runner: tasks + 1}
    assert replay_part(FANOUT, [row], part).miscounted == ""
    assert replay_part(FANOUT, [row], part, counts_of(logs)).miscounted == ""
    assert replay_part(FANOUT, [row], part, counts).miscounted == said
    sender, (number, args) = part[runner][1]
    part[runner][1] = (sender, (number, (args[0] + 1, *args[1:])))
    verdict = replay_part(FANOUT, [row], part, counts)
    assert (verdict.conforms, verdict.miscounted) == (False, "")


LEADS = {"chatapp": names.POKER, "web": names.DISPATCHER, "broker": names.EMPLOYER}
"""The actors that hear of the end, in benchmarks that are told of it."""


@pytest.mark.parametrize("name", LEADS)
def test_a_run_has_its_end_if_its_script_has_it_and_only_then(name: str) -> None:
    ended = RUNS[name]
    unended: Run
    if isinstance(ended, ChatAppWorkload):
        unended = ChatAppWorkload(ended.parameters).prepare().run(salt=7)
    else:
        unended = MicroWorkload(MICRO[name], ended.parameters).run(salt=7)
    rows = [watch(LEADS[name])]
    whole, cut = performed(ended), performed(unended)
    for workload, logs in ((ended, whole), (unended, cut)):
        verdict = judged(workload, rows, logs)
        assert (verdict.conforms, verdict.miscounted) == (True, "")
    assert not judged(ended, rows, cut).conforms
    assert not judged(unended, rows, whole).conforms


PREPARE, RUN, ACT, DISCONNECT = (
    getattr(kind, f"MESSAGE_KIND_POKER_{label}")
    for label in ("PREPARE", "RUN", "ACT", "DISCONNECT")
)


@pytest.mark.parametrize(
    "script",
    [
        [PREPARE], [RUN], [PREPARE, ACT], [PREPARE, RUN, ACT], [PREPARE, RUN, DISCONNECT, ACT],
        [PREPARE, ACT, RUN], [PREPARE, DISCONNECT],
    ],
)  # fmt: skip
def test_only_one_run_after_set_up_is_replayed_in_parts(script: list[int]) -> None:
    workload = ChatAppWorkload(CHATAPP.parameters)
    workload.script = [(number, (0, 0, 0, 0) if number == ACT else (7,)) for number in script]
    with pytest.raises(ValueError, match=r"^a part is replayed of one run, not of acts and turns$"):
        replay_part(workload, [watch(names.CLIENT)], {})


RUNNER, MASTER, STRANGER = (
    names.name(names.RUNNER),
    names.name(names.MASTER),
    names.name(names.MASTER, 9),
)


def of_the_runners(change: Callable[[Logs], None]) -> list[tuple[Kind, int, int, int]]:
    """Return the findings when the logs of all runners were changed: they alone are watched."""
    rows = [watch(names.RUNNER)]
    part = watched_of(performed(FANOUT), rows)
    change(part)
    return [
        (found.kind, found.receiver, found.position, found.sender)
        for found in replay_part(FANOUT, rows, part).divergences
    ]


def test_what_an_outsider_has_nothing_of_left_to_send_is_invented() -> None:
    def from_a_stranger(part: Logs) -> None:
        part[RUNNER].insert(1, (STRANGER, part[RUNNER][0][1]))

    def once_more(part: Logs) -> None:
        part[RUNNER].append(part[RUNNER][-1])

    assert of_the_runners(from_a_stranger) == [(Kind.INVENTED, RUNNER, 1, STRANGER)]
    (found,) = of_the_runners(once_more)
    assert found[:2] == (Kind.INVENTED, RUNNER)


def test_of_one_that_departs_from_an_outsider_what_came_before_was_taken() -> None:
    rows = [watch(names.RUNNER)]
    part = watched_of(performed(FANOUT), rows)
    sender, (number, args) = part[RUNNER][2]
    part[RUNNER][2] = (sender, (number, (args[0] + 1, *args[1:])))
    verdict = replay_part(FANOUT, rows, part)
    (found,) = verdict.divergences
    assert (found.kind, found.position) == (Kind.ALTERED, 2)
    assert verdict.taken[RUNNER] == 2


def test_who_was_never_made_was_told_nothing_by_those_whom_nobody_watches() -> None:
    nobody = names.name(names.RUNNER, 9)

    def make_one_up(part: Logs) -> None:
        part[nobody] = [(MASTER, part[RUNNER][0][1])]

    assert of_the_runners(make_one_up) == [(Kind.INVENTED, nobody, 0, MASTER)]


def test_who_was_never_made_is_named_beside_others_if_a_stranger_spoke_to_it() -> None:
    nobody = names.name(names.RUNNER, 9)
    logs = performed(FANOUT)
    sender, (number, args) = logs[RUNNER][0]
    logs[RUNNER][0] = (sender, (number, (args[0] + 1, *args[1:])))
    logs[nobody] = [(STRANGER, (number, args))]
    verdict = replay_part(FANOUT, EVERYBODY, logs)
    assert {(found.kind, found.receiver) for found in verdict.divergences} == {
        (Kind.ALTERED, RUNNER),
        (Kind.INVENTED, nobody),
    }


def test_who_waits_to_be_made_by_one_that_has_departed_is_not_to_blame() -> None:
    """A chat in whose log only guests are, whom nobody watches."""
    logs = performed(CHATAPP)
    tried = 0
    for chat, log in logs.items():
        host = names.name(names.CLIENT, names.index_of(chat))
        of_guests = [event for event in log if event[0] != host]
        if names.class_of(chat) != names.CHAT or not of_guests:
            continue
        rows = [
            watch(of, first=names.index_of(chat), last=names.index_of(chat))
            for of in (names.CLIENT, names.CHAT)
        ]
        part = {**watched_of(logs, rows), chat: of_guests}
        sender, (number, args) = part[host][0]
        part[host] = [(sender, (number, (args[0] + 1, *args[1:]))), *part[host][1:]]
        verdict = replay_part(CHATAPP, rows, part)
        assert {found.receiver for found in verdict.divergences} == {host}
        tried += 1
    assert tried > 0


def test_what_an_outsider_must_have_sent_and_nobody_took_is_lost() -> None:
    rows = [watch(names.RUNNER)]
    part = watched_of(performed(FANOUT), rows)
    lost = part[RUNNER].pop()
    (found,) = replay_part(FANOUT, rows, part).divergences
    assert (found.kind, found.receiver, found.position) == (Kind.LOST, RUNNER, len(part[RUNNER]))
    assert (found.sender, found.expected) == lost


def test_what_a_chat_announced_must_be_what_its_members_took() -> None:
    """Though nobody watches either: the accumulator hears from both ends."""
    rows = [watch(names.ACCUMULATOR)]
    part = watched_of(performed(CHATAPP), rows)
    tried = 0
    for actor, log in part.items():
        for place, (sender, (number, args)) in enumerate(log):
            of_chat = names.class_of(sender) == names.CHAT
            if number != kind.MESSAGE_KIND_ACCUMULATOR_BUMP or args[0] or not of_chat:
                continue
            wrong = (sender, (number, (*args[:-1], args[-1] ^ 1)))
            changed = {**part, actor: [*log[:place], wrong, *log[place + 1 :]]}
            (found,) = replay_part(CHATAPP, rows, changed).divergences
            assert (found.kind, found.receiver) == (Kind.INVENTED, actor)
            assert (found.sender, found.actual) == changed[actor][found.position]
            tried += 1
    assert tried > 0


def test_what_comes_to_everybody_in_the_end_is_lost_though_nothing_that_was_seen_let_it() -> None:
    rows, worker = [watch(names.WORKER, last=0)], names.name(names.WORKER)
    part = watched_of(performed(WEB), rows)
    lost = part[worker].pop()
    (found,) = replay_part(WEB, rows, part).divergences
    assert (found.kind, found.receiver, found.position) == (Kind.LOST, worker, len(part[worker]))
    assert (found.sender, found.expected) == lost


@pytest.mark.parametrize("shift", [-2, -1, 1, 2])
def test_a_slice_that_begins_elsewhere_is_told_by_where_it_begins(shift: int) -> None:
    workload = MicroWorkload(MICRO["pingpong"], MICRO["pingpong"].parameters(rounds=30)).run(7)
    pong, logs = names.name(names.PONG), performed(workload)
    row = [watch(names.PONG, begin=5, events=6)]
    shifted = {pong: logs[pong][5 + shift : 11 + shift]}
    verdict = replay_part(workload, row, shifted, counts_of(logs))
    assert not verdict.conforms
    assert verdict.shifted == f"pong/0: its log begins at {5 + shift}, asked for 5 (TRACE-16)"


def test_a_slice_with_another_fault_is_not_said_to_begin_elsewhere() -> None:
    workload = MicroWorkload(MICRO["pingpong"], MICRO["pingpong"].parameters(rounds=30)).run(7)
    pong, logs = names.name(names.PONG), performed(workload)
    altered = logs[pong][5:11]
    del altered[2]
    verdict = replay_part(workload, [watch(names.PONG, begin=5, events=5)], {pong: altered}, None)
    assert not verdict.conforms
    assert verdict.shifted == ""
