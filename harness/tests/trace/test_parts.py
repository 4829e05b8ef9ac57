"""Replay of a part: what the whole replay refuses of it is decided, or open as its table says;
no part of a run is refused.

For each benchmark random watches of runs under random schedules, and of each run every
single-event mutation of what is watched. `DRAMATURG_PARTS=200` looks at that many watches of
each instead of a few.
"""

import os
import random
from collections import Counter

import pytest
from mutation_kit import RUNS, mutations
from part_kit import Run, is_open, is_part_of_a_run, some_watches, watched_of

from dramaturg.model import names
from dramaturg.model.chatapp import Parameters, Selection
from dramaturg.model.messages import ARITY
from dramaturg.model.simulation import AtRandom, Simulation
from dramaturg.model.workload import MICRO, ChatAppWorkload, MicroWorkload
from dramaturg.trace.events import Event, Logs
from dramaturg.trace.explanation.render import render
from dramaturg.trace.partial import message_counts
from dramaturg.trace.partial.part_departure import explain_part
from dramaturg.trace.partial.part_replay import replay_part
from dramaturg.trace.replay.divergence import Kind
from dramaturg.trace.replay.token_game import replay
from dramaturg.trace.watches import ALL, watch
from dramaturg.v2 import control_pb2
from dramaturg.v2 import trace_pb2 as kinds

ASKED = int(os.environ.get("DRAMATURG_PARTS", "0"))
MUTATED = ASKED or 4
UNCHANGED = 10 * ASKED or 60

TRIES = 20
"""Schedules of the outsiders that are tried for one that explains what was accepted."""


def micro(name: str, **values: int) -> MicroWorkload:
    return MicroWorkload(MICRO[name], MICRO[name].parameters(**values)).run(salt=7).disconnect()


def chatapp(**values: int) -> ChatAppWorkload:
    usual = {
        "clients": 6, "directories": 2, "turns": 4, "compute": 5, "post": 45, "leave": 20,
        "invite": 30, "befriend": 60, "fib_n": 3,
    }  # fmt: skip
    parameters = Parameters(**{**usual, **values})  # type: ignore[arg-type]
    return ChatAppWorkload(parameters).prepare().run(salt=0x89ABCDEF).disconnect()


WORLDS: dict[str, Run] = {
    **RUNS,
    "pingpong windowed": micro("pingpong", rounds=0, windows=3, window=1),
    "big windowed": micro("big", peers=4, rounds=0, windows=2, window=1),
    "big of two": micro("big", peers=2, rounds=3),
    "bang windowed": micro("bang", senders=3, messages=2, windows=2, window=1),
    "fanout at once": micro("fanout", runners=2, tasks=3, window=0),
    "mergesort in leaves": micro("mergesort", length=21, leaf=2, seed=42),
    "chatapp without history": chatapp(history=False),
    "chatapp of one directory": chatapp(directories=1, clients=5),
    "chatapp, cascade": chatapp(selection=Selection.CASCADE),
    "chatapp that leaves": chatapp(post=30, leave=40, invite=30, compute=0, turns=6),
}


LOGOUT = kinds.MESSAGE_KIND_CLIENT_LOGOUT
SETTLED, POKE = kinds.MESSAGE_KIND_DIRECTORY_SETTLED, kinds.MESSAGE_KIND_DIRECTORY_POKE


def one_directory(of: int, number: int) -> list[control_pb2.Watch]:
    """A directory with its clients and their chats."""
    return [
        watch(names.DIRECTORY, first=number, last=number),
        watch(names.CLIENT, modulus=of, remainder=number),
        watch(names.CHAT, modulus=of, remainder=number),
    ]


def performed(workload: Run, seed: int) -> tuple[Logs, random.Random]:
    chance = random.Random(seed)
    return Simulation(workload, AtRandom(chance.randrange)).perform().logs, chance


@pytest.mark.parametrize("name", WORLDS)
def test_no_part_of_a_run_is_refused(name: str) -> None:
    workload = WORLDS[name]
    decided = events = 0
    for seed in range(UNCHANGED):
        logs, chance = performed(workload, seed)
        watches = some_watches(logs, chance)
        part = watched_of(logs, watches)
        verdict = replay_part(workload, watches, part)
        said = verdict.divergence and verdict.divergence.headline()
        assert verdict.conforms, f"schedule and watches {seed}: {said}"
        assert verdict.decided + verdict.bounded == verdict.events == sum(map(len, part.values()))
        decided, events = decided + verdict.decided, events + verdict.events
    print(f"{name}: {decided} of {events} events decided exactly")


@pytest.mark.parametrize("name", WORLDS)
def test_what_the_whole_replay_refuses_is_decided_or_open_as_the_table_says(name: str) -> None:
    workload = WORLDS[name]
    found: Counter[str] = Counter()
    for seed in range(MUTATED):
        logs, chance = performed(workload, seed)
        watches = some_watches(logs, chance)
        part = watched_of(logs, watches)
        others = {actor: log for actor, log in logs.items() if actor not in part}
        for kind, changed in mutations(part):
            whole = replay(workload, {**others, **changed})
            verdict = replay_part(workload, watches, changed)
            if whole.conforms:
                assert verdict.conforms, f"{seed}: {kind}: another schedule, and refused"
                found["another schedule"] += 1
            elif not verdict.conforms:
                found["decided"] += 1
            elif is_part_of_a_run(workload, watches, changed, TRIES):
                found["another schedule of outsiders"] += 1
            else:
                row = is_open(verdict.open, kind, part, changed, watches)
                if row is None:
                    legal = is_part_of_a_run(workload, watches, changed, 100 * TRIES)
                    assert legal, f"{seed}: {kind}: not decided, and no row of the table says why"
                found[str(row)] += 1
    print(name, dict(found))


CLOSED: list[tuple[str, list[control_pb2.Watch]]] = [
    ("chatapp", one_directory(2, 0)),
    ("chatapp", one_directory(2, 1)),
    ("chatapp", [*one_directory(2, 0), watch(names.ACCUMULATOR)]),
    ("chatapp without history", one_directory(2, 1)),
    ("chatapp of one directory", one_directory(1, 0)),
    ("chatapp, cascade", one_directory(2, 0)),
    ("chatapp that leaves", one_directory(2, 0)),
    ("pingpong", [watch(names.PING)]),
    ("pingpong", [watch(names.PONG)]),
    ("pingpong windowed", [watch(names.PING)]),
    ("bang", [watch(names.SENDER, first=1, last=1)]),
    ("bang", [watch(names.RECEIVER)]),
    ("bang windowed", [watch(names.RECEIVER)]),
    # The time at which it is told to stop is open, and each answer to that is another schedule.
    ("bang windowed", [watch(names.SENDER, first=1, last=1)]),
    ("web", [watch(names.DISPATCHER)]),
    ("web", [watch(names.DISPATCHER), watch(names.WORKER, last=0)]),
    ("count", [watch(names.COUNTER)]),
    ("chain", [watch(names.LINK, modulus=2)]),
    ("chain", [watch(names.LINK, first=2, last=3)]),
    ("fanout", [watch(names.RUNNER, last=1)]),
    ("fanout", [watch(names.MASTER)]),
    ("fanout at once", [watch(names.RUNNER, last=0)]),
    ("sleepers", [watch(names.SLEEPER, last=1)]),
    ("sleepers", [watch(names.ALARM)]),
    ("mergesort", [watch(names.SORTER, first=2, last=5)]),
    ("mergesort", [watch(names.SORTER, modulus=3, remainder=1)]),
    ("broker", [watch(names.ROUTER)]),
    ("openweb", [watch(names.BALANCER)]),
    ("openweb", [watch(names.BALANCER), watch(names.SERVER, last=0)]),
    ("broker", [watch(names.ROUTER), watch(names.EMPLOYEE, last=0)]),
]


@pytest.mark.parametrize(
    ("name", "watches"), CLOSED, ids=[f"{name}-{n}" for n, (name, _) in enumerate(CLOSED)]
)
def test_of_a_closed_part_nothing_is_open(name: str, watches: list[control_pb2.Watch]) -> None:
    workload = WORLDS[name]
    found: Counter[str] = Counter()
    for seed in range(MUTATED // 2):
        logs, _ = performed(workload, seed)
        part = watched_of(logs, watches)
        others = {actor: log for actor, log in logs.items() if actor not in part}
        for kind, changed in mutations(part):
            verdict = replay_part(workload, watches, changed)
            if replay(workload, {**others, **changed}).conforms:
                assert verdict.conforms
                found["another schedule"] += 1
            elif not verdict.conforms:
                found["decided"] += 1
            else:
                assert is_part_of_a_run(workload, watches, changed, 250 * TRIES), f"{seed}: {kind}"
                found["another schedule of outsiders"] += 1
    print(name, dict(found))


@pytest.mark.parametrize("name", WORLDS)
def test_no_slice_of_a_run_is_refused_and_what_is_decided_of_it_can_be_wrong(name: str) -> None:
    workload = WORLDS[name]
    refused: Counter[bool] = Counter()
    for seed in range(UNCHANGED // 2):
        logs, chance = performed(workload, seed)
        watches = []
        for row in some_watches(logs, chance):
            row.events = chance.choice((1, 2, 5, ALL))
            setattr(row, "from", chance.choice((0, 0, 1, 2, 4)))
            watches.append(row)
        part = watched_of(logs, watches)
        taken = {actor: len(log) for actor, log in logs.items()}
        verdict = replay_part(workload, watches, part, taken)
        assert verdict.conforms, verdict.divergence and verdict.divergence.headline()
        assert verdict.decided + verdict.bounded == verdict.events == sum(map(len, part.values()))
        if seed < MUTATED:
            for kind, changed in mutations(part):
                if kind == "altered":
                    refused[not replay_part(workload, watches, changed, taken).conforms] += 1
    print(f"{name}: of altered events {dict(refused)} refused")
    assert refused[True] > refused[False]


@pytest.mark.parametrize("name", WORLDS)
def test_whatever_is_refused_of_a_part_is_explained(name: str) -> None:
    workload = WORLDS[name]
    told = 0
    for seed in range(6):
        logs, chance = performed(workload, seed)
        watches = some_watches(logs, chance)
        if seed % 2:
            for row in watches:
                row.events = chance.choice((2, 5, ALL))
                setattr(row, "from", chance.choice((0, 1, 2)))
        part, taken = watched_of(logs, watches), {actor: len(log) for actor, log in logs.items()}
        for _, changed in mutations(part):
            if chance.random() > 0.04:
                continue
            verdict = replay_part(workload, watches, changed, taken)
            explanation = explain_part(workload, watches, changed, taken, verdict)
            assert (explanation is None) == verdict.conforms
            if explanation is not None:
                text = render(explanation)
                assert "class-" not in text
                made = explanation.note.removeprefix("The model never made ").rstrip(".")
                assert made == explanation.note.rstrip(".") or names.parse(made) not in logs
                told += 1
    assert told


WILD = (0, 1, 3, 4, 255, 1 << 16, (1 << 24) - 1, (1 << 32) - 1, 1 << 32, 1 << 63, (1 << 64) - 1)


@pytest.mark.parametrize("name", WORLDS)
def test_whatever_stands_in_a_log_there_is_a_verdict(name: str) -> None:
    workload = WORLDS[name]
    chance = random.Random(9)
    for seed in range(MUTATED * 15):
        logs, _ = performed(workload, seed % 5)
        watches = some_watches(logs, chance)
        if seed % 3 == 0:
            for row in watches:
                row.events, begin = chance.choice((2, 5, ALL)), chance.choice((0, 1, 2))
                setattr(row, "from", begin)
        part, taken = watched_of(logs, watches), {actor: len(log) for actor, log in logs.items()}
        for actor, log in part.items():
            part[actor] = [
                _wild(event, chance) if chance.random() < 0.2 else event for event in log
            ]
        verdict = replay_part(workload, watches, part, taken)
        explain_part(workload, watches, part, taken, verdict)


def _wild(event: Event, chance: random.Random) -> Event:
    sender, (number, args) = event
    if chance.random() < 0.3:
        sender = names.name(names.class_of(sender), chance.choice(WILD) % (1 << 32))
    if chance.random() < 0.2:
        of_class = [other for other in ARITY if other >> 4 == number >> 4]
        number = chance.choice(of_class)
        args = tuple(chance.choice(WILD) for _ in range(ARITY[number]))
    return sender, (
        number, tuple(chance.choice(WILD) if chance.random() < 0.3 else arg for arg in args)
    )  # fmt: skip


def test_the_counts_name_whom_the_facts_have_born() -> None:
    workload, row = WORLDS["chain"], watch(names.LINK, modulus=2)
    logs, _ = performed(workload, 0)
    part = watched_of(logs, [row])
    taken = {actor: len(log) for actor, log in part.items()}
    assert replay_part(workload, [row], part, taken).miscounted == ""
    stranger = names.name(names.LINK, 100)
    said = replay_part(workload, [row], part, {**taken, stranger: 0}).miscounted
    assert said == "link/100 has a count and was never made (TRACE-17)"
    del taken[names.name(names.LINK, 2)]
    said = replay_part(workload, [row], part, taken).miscounted
    assert said == f"link/2 {message_counts.UNCOUNTED}"


def test_a_part_of_acts_is_not_replayed() -> None:
    workload = ChatAppWorkload(chatapp().parameters).prepare().act(0)
    with pytest.raises(ValueError, match="not of acts and turns"):
        replay_part(workload, [watch(names.CLIENT)], {})


def test_a_farewell_before_all_else_is_too_early() -> None:
    workload, watches = WORLDS["chatapp"], one_directory(2, 0)
    logs, _ = performed(workload, 1)
    part = watched_of(logs, watches)
    client = names.name(names.CLIENT, 2)
    log = part[client]
    place = next(p for p, (_, (number, _)) in enumerate(log) if number == LOGOUT)
    part[client] = [*log[: place - 1], log[place], log[place - 1], *log[place + 1 :]]
    divergence = replay_part(workload, watches, part).divergence
    assert divergence is not None
    assert divergence.receiver == client


def test_a_poke_before_the_directory_has_settled_is_too_early() -> None:
    workload, watches = WORLDS["chatapp"], one_directory(2, 0)
    logs, _ = performed(workload, 1)
    part = watched_of(logs, watches)
    directory = names.name(names.DIRECTORY)
    log = part[directory]
    settled = max(p for p, (_, (number, _)) in enumerate(log) if number == SETTLED)
    assert log[settled + 1][1][0] == POKE
    part[directory] = [*log[:settled], log[settled + 1], log[settled], *log[settled + 2 :]]
    divergence = replay_part(workload, watches, part).divergence
    assert divergence is not None
    assert (divergence.kind, divergence.receiver) == (Kind.TOO_EARLY, directory)


def test_what_a_watched_client_tells_a_watched_accumulator_is_compared() -> None:
    workload = WORLDS["chatapp"]
    watches = [*one_directory(2, 0), watch(names.ACCUMULATOR, last=0)]
    logs, _ = performed(workload, 1)
    part = watched_of(logs, watches)
    accumulator = names.name(names.ACCUMULATOR)
    mine = [p for p, (sender, _) in enumerate(part[accumulator]) if names.index_of(sender) == 0]
    del part[accumulator][mine[-1]]
    divergence = replay_part(workload, watches, part).divergence
    assert divergence is not None
    assert divergence.receiver == accumulator


def test_a_salt_of_another_run_does_not_fit() -> None:
    watches = [watch(names.RUNNER)]
    right, other = WORLDS["fanout"], micro("fanout", runners=3, tasks=4, window=2)
    other.script = [(other.script[0][0], (8,))]
    part = watched_of(performed(other, 0)[0], watches)
    divergence = replay_part(right, watches, part).divergence
    assert divergence is not None
    assert divergence.kind is Kind.ALTERED


def test_what_a_client_posts_comes_back_to_it() -> None:
    """Though nobody watches the chat, or any other client."""
    workload, client = WORLDS["chatapp of one directory"], names.name(names.CLIENT)
    for seed in range(20):
        logs, _ = performed(workload, seed)
        part = {client: logs[client]}
        row = watch(names.CLIENT, last=0)
        mine = [p for p, (_, (number, args)) in enumerate(part[client]) if _is_own(number, args)]
        for place in mine:
            log = [*part[client][:place], *part[client][place + 1 :]]
            divergence = replay_part(workload, [row], {client: log}).divergence
            assert divergence is not None
            assert divergence.receiver == client
        if mine:
            return
    raise AssertionError("in none of the schedules did client/0 post")


def _is_own(number: int, args: tuple[int, ...]) -> bool:
    return number == kinds.MESSAGE_KIND_CLIENT_FORWARD and args[2] >> 32 == 0


def test_the_first_messages_of_an_actor_are_replayed() -> None:
    workload = WORLDS["fanout"]
    row = watch(names.RUNNER, events=2)
    logs, _ = performed(workload, 0)
    part, taken = watched_of(logs, [row]), {actor: len(log) for actor, log in logs.items()}
    assert replay_part(workload, [row], part, taken).conforms
    runner = names.name(names.RUNNER)
    part[runner] = part[runner][::-1]
    divergence = replay_part(workload, [row], part, taken).divergence
    assert divergence is not None
    assert (divergence.kind, divergence.receiver) == (Kind.ALTERED, runner)
