"""Decides a run in three steps, in a process with limits (``processes/confined.py``)."""

from pathlib import Path
from typing import Any

import numpy as np

from dramaturg.model.workload import Workload, workload_of
from dramaturg.processes.confined import unpacked
from dramaturg.results import ResultsError
from dramaturg.trace.columns.store import Damaged, Store, opened
from dramaturg.trace.replay.steps import departure_places
from dramaturg.trace.replay.steps.three_steps import decide as three_steps
from dramaturg.v2 import benchmarks_pb2
from dramaturg.v2 import trace_pb2 as kind

BORN = "born.npy"
"""The file for the names of the model's actors, in the log's folder."""


def ready() -> None:
    """Have everything compiled: that is no part of what a run takes. The log that does it is none
    of a run."""
    benchmark = benchmarks_pb2.Benchmark(
        pingpong=benchmarks_pb2.PingPongParameters(rounds=1, shift=0)
    )
    workload = workload_of(benchmark).run(1).disconnect()
    store = Store()
    one, two = (np.array([name], np.uint64) for name in (workload.lead, workload.lead + (1 << 56)))
    control = np.array([1 << 56], np.uint64)
    start, ping, pong = (
        np.array([number], np.uint32)
        for number in (
            kind.MESSAGE_KIND_PING_START, kind.MESSAGE_KIND_PONG_PING, kind.MESSAGE_KIND_PING_PONG,
        )
    )  # fmt: skip
    words = np.array([1, 1], np.uint64)
    for receiver, sender, number in ((one, control, start), (two, one, ping), (one, two, pong)):
        store.add(receiver, sender, number, words)
    three_steps(workload, opened(store.sort().folder))


def decide(given: dict[str, Any]) -> dict[str, Any]:
    """The three steps' decision of the log in ``folder``, of a run of ``benchmark`` by ``script``.
    Raises ResultsError for columns that are none."""
    folder = Path(given["folder"])
    try:
        decision = three_steps(workload_given(given), opened(folder))
    except Damaged as error:
        raise ResultsError(str(error)) from None
    if decision.conforms:
        with (folder / BORN).open("wb") as file:
            np.save(file, decision.born)
    return {
        "conforms": decision.conforms,
        "why": decision.why,
        "differs": bool(decision.cells),
        "control": decision.control,
        "alive": decision.alive,
    }


def find(given: dict[str, Any]) -> list[str]:
    """Return the places where the run departs, in words (:func:`departure_places.found`)."""
    try:
        log = opened(Path(given["folder"]))
    except Damaged as error:
        raise ResultsError(str(error)) from None
    return departure_places.found(workload_given(given), log)


def workload_given(given: dict[str, Any]) -> Workload:
    """Return the workload of the ``benchmark`` that is packed there, with its ``script``."""
    benchmark = benchmarks_pb2.Benchmark.FromString(unpacked(given["benchmark"]))
    workload = workload_of(benchmark)
    workload.script = [(number, tuple(args)) for number, args in given["script"]]
    return workload
