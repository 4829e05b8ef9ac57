"""Columnar trace batches to receive logs and back (proto/dramaturg/v2/trace.proto)."""

from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

from dramaturg.model import names
from dramaturg.model.messages import ARITY, KINDS
from dramaturg.trace.events import Logs, TraceError
from dramaturg.trace.watches import EVERYBODY, Slice, Watched, Watches
from dramaturg.v2 import control_pb2, trace_pb2

BATCH_ROWS = 65_536
"""Rows in a full batch: the protocol's recommended limit."""


MOST_EVENTS = 10_000_000
"""Of one world, and actors with a count: two gigabytes here, and more than any case has."""


_ARITIES = np.full(max(ARITY) + 2, -1, np.int64)
"""Arguments by kind; -1 for what is no message, as the last is, which stands for all above it."""
_ARITIES[list(ARITY)] = list(ARITY.values())


class LogBuilder:
    """Collects batches into logs, checking what can be checked row by row."""

    def __init__(self, watches: Watches = EVERYBODY) -> None:
        self.logs: Logs = {}
        self.events = 0
        self.taken: dict[int, int] = {}
        """How many messages each watched actor took in all, by the last counts."""
        self._watched = Watched(watches)

    def add(self, batch: trace_pb2.TraceBatch) -> None:
        """Append a batch. Raises TraceError for columns that do not fit together, unknown
        kinds, a kind that the receiver's class does not take, an actor that is not watched,
        and more events of one than its watch asks for."""
        actors, kinds, args = list(batch.actor), list(batch.kind), tuple(batch.args)
        rows = len(actors)
        if self.events + rows > MOST_EVENTS:
            raise TraceError(f"there are more than {MOST_EVENTS} events, which no case has")
        if not rows == len(batch.sender) == len(kinds):
            raise TraceError(
                f"the batch's columns differ in length: {rows} actors, {len(batch.sender)} senders,"
                f" {len(kinds)} kinds (TRACE-3)"
            )
        arities = self._arities(actors, kinds)
        ends = np.cumsum(arities, dtype=np.int64)
        self._hold_to_arguments(actors, ends, len(args))
        for actor in dict.fromkeys(actors):
            if actor not in self.logs:
                self._slice_of(actor)
                self.logs[actor] = []
        taken = [
            args[end - n : end] for n, end in zip(arities.tolist(), ends.tolist(), strict=True)
        ]
        messages = zip(kinds, taken, strict=True)
        logs = self.logs
        for actor, event in zip(actors, zip(batch.sender, messages, strict=True), strict=True):
            logs[actor].append(event)
        self.events += rows
        if not self._watched.everybody:
            self._hold_to_slices(set(actors))

    def _arities(self, actors: list[int], kinds: list[int]) -> NDArray[np.int64]:
        """How many arguments each row takes. Raises TraceError for a row whose kind its
        receiver's class does not take."""
        kind, classes = np.array(kinds, np.uint32), np.array(actors, np.uint64) >> np.uint64(56)
        arities = _ARITIES[np.minimum(kind, len(_ARITIES) - 1)]
        unfit = (arities < 0) | (kind >> np.uint32(4) != classes)
        if unfit.any():
            row = int(unfit.argmax())
            raise TraceError(f"{self._spell(actors, row)} has {_unfit(kinds[row])} (TRACE-2)")
        return arities

    def _hold_to_arguments(self, actors: list[int], ends: NDArray[np.int64], there: int) -> None:
        """``ends`` is where the arguments of each row end."""
        wanted = int(ends[-1]) if len(ends) else 0
        if wanted > there:
            row = int((ends > there).argmax())
            raise TraceError(f"{self._spell(actors, row)} lacks arguments (TRACE-2)")
        if wanted < there:
            raise TraceError("the batch has more arguments than its rows take (TRACE-2)")

    def _spell(self, actors: list[int], row: int) -> str:
        """A row of a batch as an event of its actor."""
        actor = actors[row]
        number = len(self.logs.get(actor, ())) + actors[:row].count(actor)
        return f"{names.spell(actor)}: event {number}"

    def _hold_to_slices(self, actors: Iterable[int]) -> None:
        for actor in actors:
            wanted = self._slice_of(actor).events
            if len(self.logs[actor]) > wanted:
                raise TraceError(
                    f"{names.spell(actor)}: its log goes beyond the {wanted} events that were"
                    " asked for (TRACE-16)"
                )

    def take(self, item: control_pb2.TraceResponse) -> None:
        """What came of a trace: a batch, or counts. Raises TraceError."""
        if item.HasField("batch"):
            self.add(item.batch)
        elif item.HasField("counts"):
            self.count(item.counts)

    def begin_counts(self) -> None:
        """What follows are the counts of another stream."""
        self.taken = {}

    def count(self, counts: trace_pb2.TraceCounts) -> None:
        """Take counts. Raises TraceError for an actor that is not watched, or twice there."""
        if len(counts.actor) != len(counts.taken):
            raise TraceError(
                f"the counts' columns differ in length: {len(counts.actor)} actors,"
                f" {len(counts.taken)} numbers taken (TRACE-17)"
            )
        if len(self.taken) + len(counts.actor) > MOST_EVENTS:
            raise TraceError(f"more than {MOST_EVENTS} actors are counted, which no case has")
        for actor, taken in zip(counts.actor, counts.taken, strict=True):
            if actor in self.taken:
                raise TraceError(f"{names.spell(actor)}: is counted twice (TRACE-17)")
            self._slice_of(actor, "count")
            self.taken[actor] = taken

    def complete(self) -> None:
        """Hold the logs against the counts, of a world at rest. Raises TraceError."""
        for actor, taken in self.taken.items():
            expected, rows = self._slice_of(actor).rows(taken), len(self.logs.get(actor, ()))
            if rows != expected:
                raise TraceError(
                    f"{names.spell(actor)}: took {taken} messages, so its log must have"
                    f" {expected} events; it has {rows} (TRACE-2)"
                )
        for actor in self.logs.keys() - self.taken.keys():
            raise TraceError(f"{names.spell(actor)}: has a log and no count (TRACE-17)")

    def _slice_of(self, actor: int, has: str = "log") -> Slice:
        wanted = self._watched.slice_of(actor)
        if wanted is None:
            raise TraceError(f"{names.spell(actor)}: has a {has}, and nobody watches it (TRACE-15)")
        return wanted


def _unfit(kind: int) -> str:
    known = KINDS.get(kind)
    if known is None:
        return f"kind {kind}, which is no message"
    return f"a {known.label} ({kind}), which actors of that class do not receive"


def decode(batches: Iterable[trace_pb2.TraceBatch]) -> Logs:
    """All logs in these batches. Raises TraceError."""
    builder = LogBuilder()
    for batch in batches:
        builder.add(batch)
    return builder.logs


def encode(logs: Logs, rows: int = BATCH_ROWS) -> Iterator[trace_pb2.TraceBatch]:
    """The logs as batches of at most ``rows`` rows each."""
    batch = trace_pb2.TraceBatch()
    for actor, log in logs.items():
        for sender, (kind, args) in log:
            batch.actor.append(actor)
            batch.sender.append(sender)
            batch.kind.append(kind)
            batch.args.extend(args)
            if len(batch.actor) == rows:
                yield batch
                batch = trace_pb2.TraceBatch()
    if batch.actor:
        yield batch
