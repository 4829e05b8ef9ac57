"""Columnar trace batches to receive logs and back (proto/dramaturg/v1/trace.proto)."""

from collections.abc import Iterable, Iterator
from itertools import islice

from dramaturg.model import names
from dramaturg.model.messages import ARITY, KINDS
from dramaturg.trace.events import Logs, TraceError
from dramaturg.v1 import trace_pb2

BATCH_ROWS = 65_536
"""Rows in a full batch: the protocol's recommended limit."""


class LogBuilder:
    """Collects batches into logs, checking what can be checked row by row."""

    def __init__(self) -> None:
        self.logs: Logs = {}
        self.events = 0

    def add(self, batch: trace_pb2.TraceBatch) -> None:
        """Append a batch. Raises TraceError for columns that do not fit together,
        unknown kinds, a kind that the receiver's class does not take, and gaps or
        repeats in an actor's sequence numbers."""
        actors, seqs, senders, kinds = batch.actor, batch.seq, batch.sender, batch.kind
        rows = len(actors)
        if not rows == len(seqs) == len(senders) == len(kinds):
            raise TraceError(
                f"the batch's columns differ in length: {rows} actors, {len(seqs)} sequence"
                f" numbers, {len(senders)} senders, {len(kinds)} kinds"
            )
        args = iter(batch.args)
        logs = self.logs
        arity = ARITY
        for actor, seq, sender, kind in zip(actors, seqs, senders, kinds, strict=True):
            log = logs.get(actor)
            if log is None:
                log = logs[actor] = []
            if len(log) != seq:
                raise TraceError(
                    f"{names.spell(actor)}: event {seq} follows event {len(log) - 1};"
                    " sequence numbers count 0, 1, 2, ... without gaps"
                )
            if kind >> 4 != actor >> 56 or kind not in arity:
                raise TraceError(f"{names.spell(actor)}: event {seq} has {_unfit(kind)}")
            taken = tuple(islice(args, arity[kind]))
            if len(taken) != arity[kind]:
                raise TraceError(f"{names.spell(actor)}: event {seq} lacks arguments")
            log.append((sender, (kind, taken)))
        if next(args, None) is not None:
            raise TraceError("the batch has more arguments than its rows take")
        self.events += rows


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
        for seq, (sender, (kind, args)) in enumerate(log):
            batch.actor.append(actor)
            batch.seq.append(seq)
            batch.sender.append(sender)
            batch.kind.append(kind)
            batch.args.extend(args)
            if len(batch.actor) == rows:
                yield batch
                batch = trace_pb2.TraceBatch()
    if batch.actor:
        yield batch
