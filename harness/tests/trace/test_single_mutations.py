"""Of every single-event mutation of a run, the replay refuses all that are no run.

Not a sample: each event of each log is removed, repeated, altered in each argument, given
to another sender, another kind and another actor, and swapped with the next. What the
replay accepts must be a run after all, and the simulation, which knows nothing of the replay,
must be able to perform it: then it is another schedule, and *equivalent*.
"""

import random
from collections import Counter
from collections.abc import Iterator

import pytest

from dramaturg import paths
from dramaturg.model import names
from dramaturg.model.chatapp import Parameters
from dramaturg.model.messages import ARITY
from dramaturg.model.simulation import AtRandom, Channel, Simulation
from dramaturg.model.workload import MICRO, ChatAppWorkload, MicroWorkload
from dramaturg.trace.events import Event, Logs
from dramaturg.trace.replay import replay

PAGE = paths.ROOT / "docs" / "why-believe-a-verdict.md"

RUNS: dict[str, ChatAppWorkload | MicroWorkload] = {
    "chatapp": ChatAppWorkload(
        Parameters(
            clients=5, directories=2, turns=3, compute=10, post=45, leave=20, invite=25,
            befriend=60, fib_n=3,
        )
    ).prepare().run(salt=7).disconnect(),
    **{
        name: MicroWorkload(MICRO[name], MICRO[name].parameters(**values)).run(salt=7).disconnect()
        for name, values in {
            "pingpong": {"rounds": 4},
            "big": {"peers": 4, "rounds": 2},
            "bang": {"senders": 3, "messages": 4},
            "web": {"browsers": 4, "workers": 2, "requests": 2, "fib_n": 3},
            "count": {"adders": 3, "adds": 4},
            "chain": {"length": 6},
            "fanout": {"runners": 3, "tasks": 4, "window": 2},
            "sleepers": {"sleepers": 3, "naps": 2, "delay": 1},
            "mergesort": {"length": 9, "leaf": 1, "seed": 42},
            "broker": {"employees": 3, "tasks": 6, "size": 4},
        }.items()
    },
}  # fmt: skip


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
    """Whether some schedule of the model leaves just these logs."""
    schedule = AsLogged(logs)
    return Simulation(workload, schedule).perform().logs == logs and schedule.nothing_left


def mutations(logs: Logs) -> Iterator[tuple[str, Logs]]:
    """All of them, by kind. The logs that are not touched are shared."""

    def with_log(actor: int, log: list[Event]) -> Logs:
        changed = {**logs, actor: log}
        return {name: events for name, events in changed.items() if events}

    for actor, log in logs.items():
        for place, event in enumerate(log):
            before, after = log[:place], log[place + 1 :]
            sender, (number, args) = event
            yield "removed", with_log(actor, before + after)
            yield "repeated", with_log(actor, [*before, event, event, *after])
            for which, value in enumerate(args):
                for other in (value + 1, 0 if value else 2):
                    changed = (*args[:which], other, *args[which + 1 :])
                    altered = (sender, (number, changed))
                    yield "altered", with_log(actor, [*before, altered, *after])
            for stranger in {sender + (1 << 24), names.name(names.CONTROL)} - {sender}:
                misattributed = (stranger, (number, args))
                yield "misattributed", with_log(actor, [*before, misattributed, *after])
            for kind in ARITY:
                if kind >> 4 == number >> 4 and kind != number and ARITY[kind] == len(args):
                    renamed = (sender, (kind, args))
                    yield "of another kind", with_log(actor, [*before, renamed, *after])
            for other_actor in logs:
                if other_actor != actor and other_actor >> 56 == actor >> 56:
                    moved = with_log(actor, before + after)
                    moved[other_actor] = [*logs[other_actor], event]
                    yield "taken by another actor", moved
                    break
            if after and after[0] != event:
                yield (
                    "swapped with the next",
                    with_log(actor, [*before, after[0], event, *after[1:]]),
                )


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
