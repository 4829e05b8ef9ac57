"""Columnar trace batches to receive logs and back (proto/dramaturg/v2/trace.proto)."""

from collections.abc import Iterable, Iterator
from itertools import islice

from dramaturg.model import names
from dramaturg.model.messages import ARITY, KINDS
from dramaturg.trace.events import Logs, TraceError
from dramaturg.trace.watches import EVERYBODY, Slice, Watched, Watches
from dramaturg.v2 import control_pb2, trace_pb2

BATCH_ROWS = 65_536
"""Rows in a full batch: the protocol's recommended limit."""


MOST_EVENTS = 10_000_000
"""Of one world, and actors with a count: two gigabytes here, and more than any case has."""


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
        actors, senders, kinds = batch.actor, batch.sender, batch.kind
        rows = len(actors)
        if self.events + rows > MOST_EVENTS:
            raise TraceError(f"there are more than {MOST_EVENTS} events, which no case has")
        if not rows == len(senders) == len(kinds):
            raise TraceError(
                f"the batch's columns differ in length: {rows} actors, {len(senders)} senders,"
                f" {len(kinds)} kinds (TRACE-3)"
            )
        args = iter(batch.args)
        logs = self.logs
        arity = ARITY
        for actor, sender, kind in zip(actors, senders, kinds, strict=True):
            log = logs.get(actor)
            if log is None:
                self._slice_of(actor)
                log = logs[actor] = []
            if kind >> 4 != actor >> 56 or kind not in arity:
                raise TraceError(
                    f"{names.spell(actor)}: event {len(log)} has {_unfit(kind)} (TRACE-2)"
                )
            taken = tuple(islice(args, arity[kind]))
            if len(taken) != arity[kind]:
                raise TraceError(
                    f"{names.spell(actor)}: event {len(log)} lacks arguments (TRACE-2)"
                )
            log.append((sender, (kind, taken)))
        if next(args, None) is not None:
            raise TraceError("the batch has more arguments than its rows take (TRACE-2)")
        self.events += rows
        if not self._watched.everybody:
            self._hold_to_slices(set(actors))

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
