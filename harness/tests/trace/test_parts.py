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

from dramaturg.model.chatapp import Parameters, Selection
from dramaturg.model.simulation import AtRandom, Simulation
from dramaturg.model.workload import MICRO, ChatAppWorkload, MicroWorkload
from dramaturg.trace.events import Logs
from dramaturg.trace.parts.replay import replay_part
from dramaturg.trace.replay import replay

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
                assert row, f"{seed}: {kind}: not decided, and no row of the table says why"
                found[str(row)] += 1
    print(name, dict(found))
