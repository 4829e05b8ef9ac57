"""Runs whose logs are laid down, however small they are."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "trace"))

from mutation_kit import RUNS

from dramaturg.model.workload import ChatAppWorkload
from dramaturg.trace import codec
from dramaturg.trace.codec import LogBuilder, encode
from dramaturg.trace.columns.array_logs import ArrayLogs
from dramaturg.trace.events import LaidDown, Logs
from dramaturg.v2 import benchmarks_pb2


def benchmark_of(name: str) -> benchmarks_pb2.Benchmark:
    """Return that run's benchmark as a message of the protocol."""
    workload, benchmark = RUNS[name], benchmarks_pb2.Benchmark()
    message = getattr(benchmark, "chatapp" if isinstance(workload, ChatAppWorkload) else name)
    message.SetInParent()
    for field in message.DESCRIPTOR.fields:
        setattr(message, field.name, getattr(workload.parameters, field.name))
    return benchmark


def in_columns(logs: Logs, rows: int = 7) -> ArrayLogs:
    """These logs as they come from an implementation, and stay in memory."""
    builder = LogBuilder(laid_down=True)
    for batch in encode(logs, rows):
        builder.add(batch)
    return builder.in_columns


def laid_down(logs: Logs, monkeypatch: pytest.MonkeyPatch, rows: int = 7) -> LaidDown:
    """These logs as they come from an implementation, too large for memory after 20 events."""
    monkeypatch.setattr(codec, "IN_MEMORY", 20)
    builder = LogBuilder(laid_down=True)
    for batch in encode(logs, rows):
        builder.add(batch)
    assert isinstance(builder.logs, LaidDown)
    return builder.logs
