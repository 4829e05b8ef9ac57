"""Small worlds of all micro-benchmarks, and the receipts that an honest implementation makes."""

import random
from typing import Any

import pytest

from dramaturg.model import receipt_names
from dramaturg.model.simulation import AtRandom, InOrder, Simulation
from dramaturg.model.workload import MICRO, MicroWorkload
from dramaturg.v2 import trace_pb2 as kind

WORLDS: list[tuple[str, dict[str, int]]] = [
    ("pingpong", {"rounds": 7}),
    ("pingpong", {"rounds": 0, "windows": 3, "window": 1}),
    ("big", {"peers": 4, "rounds": 2}),
    ("big", {"peers": 3, "rounds": 5}),
    ("big", {"peers": 4, "rounds": 0, "windows": 3, "window": 1}),
    ("bang", {"senders": 3, "messages": 5}),
    ("bang", {"senders": 3, "messages": 2, "windows": 3, "window": 1}),
    ("web", {"browsers": 3, "workers": 2, "requests": 4, "fib_n": 5}),
    ("count", {"adders": 3, "adds": 5}),
    ("chain", {"length": 9}),
    ("fanout", {"runners": 3, "tasks": 5, "window": 2}),
    ("fanout", {"runners": 2, "tasks": 3, "window": 0}),
    ("sleepers", {"sleepers": 3, "naps": 2, "delay": 1}),
    ("mergesort", {"length": 21, "leaf": 2, "seed": 42}),
    ("broker", {"employees": 3, "tasks": 10, "size": 8}),
    ("openweb", {"servers": 2, "requests": 6, "gap": 3, "seed": 42, "fib_n": 5}),
]

worlds = pytest.mark.parametrize(
    ("name", "values"),
    WORLDS,
    ids=[f"{name}-{'-'.join(map(str, v.values()))}" for name, v in WORLDS],
)


def performed(
    name: str, values: dict[str, int], seed: int | None, salt: int = 0
) -> tuple[MicroWorkload, Simulation]:
    """The workload, let go of in the end, and its run under the schedule of that seed."""
    micro = MICRO[name]
    workload = MicroWorkload(micro, micro.parameters(**values)).run(salt).disconnect()
    scheduler = InOrder() if seed is None else AtRandom(random.Random(seed).randrange)
    return workload, Simulation(workload, scheduler).perform()


def fields(name: str) -> list[str]:
    """Those of its receipt that its `done` tells, in order."""
    return list(receipt_names.ARGUMENTS[name])


def claimed(name: str, simulation: Simulation) -> Any:
    """The receipt that an honest implementation makes of what control heard."""
    done = next(args for k, args in simulation.control if k == kind.MESSAGE_KIND_CONTROL_DONE)
    receipt = receipt_names.made(name, done)
    made = receipt_names.own(receipt)
    for number, args in simulation.control:
        if number == kind.MESSAGE_KIND_CONTROL_WINDOW:
            made.windows.append(args[1])
            made.window_nanos.append(1_000_000)
    if name == "sleepers":
        assert isinstance(simulation.workload, MicroWorkload)
        made.shortest_nanos = simulation.workload.parameters.delay * 1_000_000
    if name == "openweb":
        made.latency.append(made.answers)
        made.lateness.append(made.answers)
    return receipt


def counts(receipt: Any) -> dict[str, int]:
    """All fields of a receipt by their names."""
    return receipt_names.counts_of(receipt)
