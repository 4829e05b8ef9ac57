"""Logs in columns, and the small runs that other tests of traces have."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "trace"))

from mutation_kit import RUNS, mutations, run_of
from part_kit import Run, some_watches, watched_of

from dramaturg.trace.codec import LogBuilder, encode
from dramaturg.trace.columns.array_logs import ArrayLogs
from dramaturg.trace.events import Logs

__all__ = ["RUNS", "Run", "in_columns", "mutations", "run_of", "some_watches", "watched_of"]


def in_columns(logs: Logs) -> ArrayLogs:
    """As batches bring them in which rows of all actors take turns."""
    builder = LogBuilder(in_columns=True)
    for place in range(max(map(len, logs.values()), default=0)):
        row = {actor: log[place : place + 1] for actor, log in logs.items()}
        for batch in encode(row):
            builder.add(batch)
    return builder.in_columns
