"""The answers of faulty.py instead of the truth."""

from collections.abc import AsyncIterator, Callable
from typing import Any

from dramaturg.model import names
from dramaturg.v2 import control_pb2, trace_pb2
from dramaturg.v2 import trace_pb2 as kind

Items = list[Any]


async def told(
    lie: str, said: AsyncIterator[Any], before: trace_pb2.TraceBatch | None
) -> AsyncIterator[Any]:
    """The stream, as the lie has it. ``before``: rows of the stream before."""
    items = [item async for item in said]
    if lie == "beyond_its_slice" and before and not any(i.HasField("batch") for i in items):
        added = [control_pb2.TraceResponse(batch=_last(before)), *items]
        for item in _recounted(added):
            yield item
        return
    for item in ALL[lie](items):
        yield item


# --- Describe, Prepare, Teardown: one answer ---


def too_long(items: Items) -> Items:
    """Five megabytes, where four are the limit."""
    items[0].details["story"] = "x" * (5 << 20)
    return items


def set_up_for_days(items: Items) -> Items:
    items[0].setup_nanos = 10**15
    return items


def leaking(items: Items) -> Items:
    items[0].receipt.alive = 2
    return items


def without_receipt(items: Items) -> Items:
    return [control_pb2.TeardownResponse()]


def receipt_of_nothing(items: Items) -> Items:
    items[0].receipt.ClearField("receipt")
    return items


def wrong_sum(items: Items) -> Items:
    items[0].receipt.done.arguments[1] ^= 1
    return items


# --- Run: marks ---


def without_marks(items: Items) -> Items:
    return []


def invented_mark(items: Items) -> Items:
    return [*items, _mark(10)]


def too_many_marks(items: Items) -> Items:
    return [_mark(done) for done in range(1, items[-1].mark.done + 1)]


def _mark(done: int) -> control_pb2.RunResponse:
    return control_pb2.RunResponse(mark=control_pb2.Mark(done=done))


# --- Trace: batches, counts, footer ---


def beyond_its_slice(items: Items) -> Items:
    """One event more than was asked for, or than there was."""
    for item in items:
        if item.HasField("batch"):
            item.batch.MergeFrom(_last(item.batch))
            return _recounted(items)
    return items


def _last(rows: trace_pb2.TraceBatch) -> trace_pb2.TraceBatch:
    """The last row. Those of ping-pong's messages have two arguments each."""
    columns = {"actor": rows.actor, "sender": rows.sender, "kind": rows.kind}
    last = {name: column[-1:] for name, column in columns.items()}
    return trace_pb2.TraceBatch(args=rows.args[-2:], **last)


def of_a_stranger(items: Items) -> Items:
    """An event of somebody that this world does not have."""
    batch = trace_pb2.TraceBatch(
        actor=[names.name(names.TALLY)], sender=[names.name(names.CONTROL)],
        kind=[kind.MESSAGE_KIND_TALLY_START], args=[0],
    )  # fmt: skip
    return _recounted([control_pb2.TraceResponse(batch=batch), *items])


def uncounted(items: Items) -> Items:
    return _recounted([item for item in items if not item.HasField("counts")])


def counted_wrongly(items: Items) -> Items:
    for item in items:
        if item.HasField("counts"):
            item.counts.taken[0] += 1
    return items


def without_footer(items: Items) -> Items:
    return items[:-1]


def two_footers(items: Items) -> Items:
    return [*items, items[-1]]


def _recounted(items: Items) -> Items:
    items[-1].footer.events = sum(len(item.batch.actor) for item in items)
    items[-1].footer.watched = sum(len(item.counts.actor) for item in items)
    return items


ALL: dict[str, Callable[[Items], Items]] = {
    lie.__name__: lie
    for lie in (
        too_long, set_up_for_days, leaking, without_receipt, receipt_of_nothing, wrong_sum,
        without_marks, invented_mark, too_many_marks, beyond_its_slice, of_a_stranger, uncounted,
        counted_wrongly, without_footer, two_footers,
    )
}  # fmt: skip

Line = dict[str, Any]


# --- over pipes: lines ---


def twice(line: Line) -> list[Line]:
    return [line, line]


def object_as_error(line: Line) -> list[Line]:
    """As version 1 spelled it."""
    return [{"id": line["id"], "error": {"code": "INTERNAL", "message": "ping/0 failed: oh"}}]


def described_as_in_version_1(line: Line) -> list[Line]:
    said = {"name": "x", "spec_version": "1", "benchmarks": ["pingpong"], "distributed": []}
    return [{"id": line["id"], "reply": line["reply"] | said}]


def to_another(line: Line) -> list[Line]:
    return [line | {"id": line["id"] + 1000}]


SPELLED: dict[str, Callable[[Line], list[Line]]] = {
    lie.__name__: lie for lie in (twice, object_as_error, described_as_in_version_1, to_another)
}
