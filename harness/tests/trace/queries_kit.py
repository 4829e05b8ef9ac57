"""Recorded runs of the model, for whoever asks them in SQL."""

from pathlib import Path
from typing import Any

from dramaturg.model.simulation import Simulation
from dramaturg.model.workload import workload_of
from dramaturg.trace import recorded
from dramaturg.trace.events import AnyLogs
from dramaturg.trace.queries.database import Database
from dramaturg.trace.queries.message_columns import message_columns
from dramaturg.trace.queries.sent_upon import sent_upon
from dramaturg.v2 import benchmarks_pb2

PINGPONG = benchmarks_pb2.Benchmark(pingpong=benchmarks_pb2.PingPongParameters(rounds=5))
CHATAPP = benchmarks_pb2.Benchmark(
    chatapp=benchmarks_pb2.ChatAppParameters(
        clients=8, directories=2, turns=8, post=60, invite=40, befriend=50, seed=42,
        selection=benchmarks_pb2.SELECTION_CUMULATIVE, fib_n=3, history=True,
    )
)  # fmt: skip


def performed(benchmark: benchmarks_pb2.Benchmark) -> tuple[Any, dict[int, Any]]:
    """The workload and the logs of a run of the model."""
    workload = workload_of(benchmark)
    if benchmark.HasField("chatapp"):
        workload.prepare().run(salt=3).disconnect()  # type: ignore[union-attr]
    else:
        workload.run()
    return workload, Simulation(workload).perform().logs


def saved(
    file: Path, benchmark: benchmarks_pb2.Benchmark, logs: AnyLogs | None = None, **given: Any
) -> Path:
    """The run, recorded; with other logs than its own, if there are any."""
    workload, own = performed(benchmark)
    return recorded.save(
        file, implementation="reference", case="made", benchmark=benchmark,
        script=workload.script, logs=own if logs is None else logs, **given,
    )  # fmt: skip


def opened(file: Path, sent: bool = False) -> Database:
    """The tables of a recorded run."""
    run = recorded.load(file)
    columns = message_columns(run)
    return Database(columns, 1 << 29, sent_upon(file, run, columns) if sent else None)


def rows(database: Database, sql: str) -> list[list[Any]]:
    """All rows of the answer."""
    return list(database.answer(sql).rows)
