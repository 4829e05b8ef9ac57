"""Small runs of all benchmarks, and every single-event mutation of a run's logs."""

import random
from collections.abc import Iterator

from dramaturg.model import names
from dramaturg.model.chatapp import Parameters
from dramaturg.model.messages import ARITY
from dramaturg.model.simulation import AtRandom, Simulation
from dramaturg.model.workload import MICRO, ChatAppWorkload, MicroWorkload
from dramaturg.trace.events import Event, Logs

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
            "openweb": {"servers": 2, "requests": 5, "gap": 1, "seed": 42, "fib_n": 3},
        }.items()
    },
}  # fmt: skip


def run_of(name: str) -> tuple[ChatAppWorkload | MicroWorkload, Logs]:
    """One of these, with the logs of one schedule of it."""
    workload = RUNS[name]
    return workload, Simulation(workload, AtRandom(random.Random(7).randrange)).perform().logs


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
