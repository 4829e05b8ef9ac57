"""The replay refuses all single-event mutations of a run that are no run.

Not a sample: each event of each log is removed, repeated, altered in each argument, given
to another sender, another kind and another actor, and swapped with the next. A mutation that the
replay accepts must be a run after all, and the simulation, which knows nothing of the replay, must
be able to perform it: then it is another schedule, and *equivalent*.
"""

import random
from collections import Counter

import pytest
from mutation_kit import RUNS, mutations

from dramaturg import paths
from dramaturg.model.simulation import AtRandom, Channel, Simulation
from dramaturg.model.workload import ChatAppWorkload, MicroWorkload
from dramaturg.trace.events import Logs
from dramaturg.trace.replay.token_game import replay

PAGE = paths.ROOT / "docs" / "why-believe-a-verdict.md"


class AsLogged:
    """Serves each actor's messages in the order of a log; stops where that is impossible."""

    def __init__(self, logs: Logs) -> None:
        self._wanted = {actor: [sender for sender, _ in log] for actor, log in logs.items()}
        self._taken: Counter[int] = Counter()
        self._waiting: Counter[Channel] = Counter()

    def sent(self, channel: Channel) -> None:
        self._waiting[channel] += 1

    @property
    def nothing_left(self) -> bool:
        return not self._waiting.total()

    def next(self) -> Channel | None:
        for actor, senders in self._wanted.items():
            place = self._taken[actor]
            if place < len(senders) and self._waiting[senders[place], actor]:
                channel = senders[place], actor
                self._taken[actor] += 1
                self._waiting[channel] -= 1
                return channel
        return None


def can_be_performed(workload: ChatAppWorkload | MicroWorkload, logs: Logs) -> bool:
    """True if some schedule of the model leaves just these logs."""
    schedule = AsLogged(logs)
    return Simulation(workload, schedule).perform().logs == logs and schedule.nothing_left


@pytest.mark.parametrize("name", RUNS)
def test_every_single_mutation_is_refused_or_is_another_schedule(name: str) -> None:
    workload = RUNS[name]
    logs = Simulation(workload, AtRandom(random.Random(7).randrange)).perform().logs
    refused: Counter[str] = Counter()
    equivalent: Counter[str] = Counter()
    for kind, changed in mutations(logs):
        if not replay(workload, changed).conforms:
            refused[kind] += 1
            continue
        assert can_be_performed(workload, changed), f"{kind}: accepted, and no run of the model"
        equivalent[kind] += 1
    total = refused.total() + equivalent.total()
    print(f"{name}: {refused.total()} of {total} refused, the others {dict(equivalent)}")
    assert set(equivalent) <= {"swapped with the next"}
    row = f"| {name} | {total:,} | {refused.total():,} | {equivalent.total()} |"
    assert row in PAGE.read_text(), "the page says how many"


@pytest.mark.parametrize("name", RUNS)
def test_a_run_can_be_performed_and_what_is_refused_cannot(name: str) -> None:
    """The oracle itself: it performs what was logged, and nothing that lacks an event."""
    workload = RUNS[name]
    logs = Simulation(workload, AtRandom(random.Random(3).randrange)).perform().logs
    assert can_be_performed(workload, logs)
    kinds = dict(mutations(logs))
    assert not can_be_performed(workload, kinds["removed"])
    assert not can_be_performed(workload, kinds["repeated"])
