"""The answer to `Trace`: rows, and a footer that says how many they are (TRACE-3)."""

from collections.abc import Callable, Iterator
from io import BytesIO
from typing import Any, BinaryIO, cast

from google.protobuf import proto

from dramaturg.trace.events import TraceError
from dramaturg.v2 import control_pb2


def into(file: BinaryIO) -> Callable[[control_pb2.TraceResponse], object]:
    """Writes whole messages."""
    return lambda item: proto.serialize_length_prefixed(item, cast("BytesIO", file))


def take_all(
    items: Iterator[Any],
    take: Callable[[control_pb2.TraceResponse], object],
    ended: list[bool] | None = None,
) -> int:
    """Takes an answer to Trace up to its footer, which it passes to ``ended``. Returns the number
    of rows, events and counts. Raises TraceError for an answer that is no trace."""
    events = watched = 0
    footer = None
    for item in items:
        if footer is not None:
            raise TraceError("the trace goes on after its footer (TRACE-3)")
        if item.HasField("footer"):
            footer = item.footer
            if ended is not None:
                ended.append(True)
            continue
        events += len(item.batch.actor)
        watched += len(item.counts.actor)
        take(item)
    if footer is None:
        raise TraceError("the trace has no footer, so its end is missing (TRACE-3)")
    for what, said, came in (
        ("events", footer.events, events),
        ("watched", footer.watched, watched),
    ):
        if said != came:
            raise TraceError(f"the footer says {said} {what}, and {came} came (TRACE-3)")
    return events + watched
