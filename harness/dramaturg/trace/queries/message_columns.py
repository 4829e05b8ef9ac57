"""The messages of a recorded run as columns: no row of them is ever an object."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dramaturg.trace.codec import LogBuilder
from dramaturg.trace.columns.array_logs import Columns
from dramaturg.trace.watches import EVERYBODY
from dramaturg.v2 import case_pb2, trace_pb2


@dataclass(frozen=True, slots=True)
class MessageColumns:
    """All messages, row by row as they were recorded, and all actors that took or count any."""

    receiver: NDArray[np.uint64]
    sender: NDArray[np.uint64]
    kind: NDArray[np.uint32]
    event: NDArray[np.int64]
    """Its place in the receiver's log."""
    begin: NDArray[np.int64]
    """The number of the receiver's first logged message."""
    pair_number: NDArray[np.int64]
    """Its place among those that the receiver logged from this sender."""
    args: list[NDArray[np.uint64]]
    """The first argument of each row, the second, and so on; 0 where a row has fewer."""
    actor: NDArray[np.uint64]
    logged: NDArray[np.int64]
    taken: NDArray[np.uint64]

    @property
    def rows(self) -> int:
        return len(self.receiver)

    def kinds(self) -> list[int]:
        """The kinds that there are."""
        return np.flatnonzero(np.bincount(self.kind)).tolist()


class _Lengths(LogBuilder):
    """Holds batches to the same rules, and keeps how long each log is instead of the log."""

    def columns(self, batch: trace_pb2.TraceBatch) -> Columns:
        """Raises TraceError."""
        columns = self._columns(batch)
        # A range stands for a log: it is as long.
        lengths: dict[int, Any] = self.logs  # type: ignore[assignment]
        actors, counts = np.unique(columns[0], return_counts=True)
        for actor, count in zip(actors.tolist(), counts.tolist(), strict=True):
            lengths[actor] = range(len(lengths.get(actor, ())) + count)
        if not self.watched.everybody:
            self._hold_to_slices(actors.tolist())
        self.events += len(columns[0])
        return columns


def message_columns(run: case_pb2.RecordedRun) -> MessageColumns:
    """Raises TraceError for batches that are no logs of what its watches ask for."""
    builder = _Lengths(list(run.watches) or EVERYBODY)
    pieces = [builder.columns(batch) for batch in run.batches]
    receiver = _joined([piece[0] for piece in pieces], np.uint64)
    sender = _joined([piece[1] for piece in pieces], np.uint64)
    kind = _joined([piece[2] for piece in pieces], np.uint32)
    words = _joined([piece[3] for piece in pieces], np.uint64)
    arities = _joined([piece[4] for piece in pieces], np.int64)
    del pieces
    builder.count(run.counts)
    actor = np.array(sorted({*builder.logs, *builder.taken}), np.uint64)
    names = actor.tolist()
    logged = np.array([len(builder.logs.get(name, ())) for name in names], np.int64)
    # If everybody is watched, no counts are recorded, and a log has all that was taken.
    recorded = builder.taken if run.watches else {n: len(builder.logs[n]) for n in builder.logs}
    taken = np.array([recorded.get(name, 0) for name in names], np.uint64)
    slices = [builder.watched.slice_of(name) for name in names]
    begins = np.array([each.begin if each else 0 for each in slices], np.int64)
    begin = begins[np.searchsorted(actor, receiver)] if len(actor) else np.zeros(0, np.int64)
    return MessageColumns(
        receiver, sender, kind, numbered(receiver), begin, numbered(sender, receiver),
        _spread(words, arities), actor, logged, taken,
    )  # fmt: skip


def numbered(*keys: NDArray[np.uint64]) -> NDArray[np.int64]:
    """The number of each row among the rows with the same keys, from 0 on, as they stand."""
    rows = len(keys[0])
    order = np.lexsort(keys)  # It is stable.
    begins = np.ones(rows, np.bool_)
    if rows:
        begins[1:] = False
    for key in keys:
        ordered = key[order]
        begins[1:] |= ordered[1:] != ordered[:-1]
    starts = np.flatnonzero(begins)
    lengths = np.diff(np.append(starts, rows))
    numbers = np.empty(rows, np.int64)
    numbers[order] = np.arange(rows) - np.repeat(starts, lengths)
    return numbers


def _joined(pieces: list[NDArray[Any]], kind: Any) -> NDArray[Any]:
    return np.concatenate(pieces) if pieces else np.zeros(0, kind)


def _spread(words: NDArray[np.uint64], arities: NDArray[np.int64]) -> list[NDArray[np.uint64]]:
    """Arguments that lie one behind the other as a column for each place."""
    begins = np.cumsum(arities) - arities
    columns = []
    for place in range(int(arities.max(initial=0))):
        column = np.zeros(len(arities), np.uint64)
        (there,) = np.nonzero(arities > place)
        column[there] = words[begins[there] + place]
        columns.append(column)
    return columns
