"""The receive log: one list for each actor, handed over in batches (spec/actors.md)."""

from collections.abc import Iterator

from dramaturg.v1 import control_pb2, trace_pb2

BATCH_ROWS = 65_536


class Trace:
    """Everything that was received and not yet handed over."""

    def __init__(self) -> None:
        self._seqs: dict[int, int] = {}
        self._events: list[tuple[int, int, int, int, tuple[int, ...]]] = []

    def received(self, actor: int, sender: int, kind: int, args: tuple[int, ...]) -> None:
        """Log a message that ``actor`` takes from its mailbox."""
        seq = self._seqs.get(actor, 0)
        self._seqs[actor] = seq + 1
        self._events.append((actor, seq, sender, kind, args))

    def hand_over(self) -> Iterator[control_pb2.TraceResponse]:
        """What was logged so far, in batches, and the footer."""
        events, self._events = self._events, []
        for start in range(0, len(events), BATCH_ROWS):
            batch = trace_pb2.TraceBatch()
            for actor, seq, sender, kind, args in events[start : start + BATCH_ROWS]:
                batch.actor.append(actor)
                batch.seq.append(seq)
                batch.sender.append(sender)
                batch.kind.append(kind)
                batch.args.extend(args)
            yield control_pb2.TraceResponse(batch=batch)
        yield control_pb2.TraceResponse(footer=trace_pb2.TraceFooter(events=len(events)))
