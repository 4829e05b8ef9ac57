"""Traces that wait on disk: what one call of Trace brought, undecoded, message after message."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from typing import cast

from google.protobuf import proto
from google.protobuf.message import DecodeError

from dramaturg import meant
from dramaturg.model import names
from dramaturg.trace.codec import LogBuilder
from dramaturg.trace.events import TraceError, lengths
from dramaturg.trace.rest import AtRest, SetUp
from dramaturg.trace.watches import Watched, Watches
from dramaturg.v2 import control_pb2

SUFFIX = ".trace"
"""The suffix of a trace that waits."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The count of each watched actor when Trace was answered in the midst of a run."""

    taken: Mapping[int, int]
    """Number of messages that each actor had counted."""
    rows: Mapping[int, int]
    """The rows of its log so far."""


def read(
    set_up: Path,
    at_rest: Path,
    ended: Path,
    watches: Watches,
    looks: Sequence[Path] = (),
    seen: list[Snapshot | None] | None = None,
) -> LogBuilder:
    """The log of these watches, from what was fetched before Run, while it was under way
    (``looks``), when it had ended and after Teardown, held against its counts. ``seen`` is told
    what each look saw; None where this node was not asked. Raises TraceError for what is no such
    log, for what was taken at another time, and for a file that is none or was cut short."""
    log = LogBuilder(watches, in_columns=True)
    _take(log, set_up)
    there = SetUp(log.logs, log.taken)
    snapshots = [_look(log, file) for file in looks]
    _take(log, at_rest)
    rest, resting = AtRest(log.logs, log.taken), _snapshot(log)
    _take(log, ended)
    log.complete()
    held_back = _held_back([*filter(None, snapshots), resting], log.watched)
    if broken := there.broken(log.logs) or held_back or rest.broken(log.logs, log.taken):
        raise TraceError(broken)
    if seen is not None:
        seen.extend(snapshots)
    return log


def _take(log: LogBuilder, file: Path) -> None:
    """All that one call of Trace brought; its counts are those that count."""
    log.begin_counts()
    for item in _items(file):
        log.take(item)


def _look(log: LogBuilder, file: Path) -> Snapshot | None:
    if not file.exists():
        return None
    _take(log, file)
    return _snapshot(log)


def _snapshot(log: LogBuilder) -> Snapshot:
    return Snapshot(log.taken, lengths(log.logs))


def _held_back(snapshots: Sequence[Snapshot], watched: Watched) -> str:
    """Name the actor that had come less far at a later look, or the log that lacks messages counted
    before it was asked for (CTRL-7); empty if none. The last snapshot is of a world at rest.
    Messages counted at another may not be in its rows, and the other way round: actors go on
    meanwhile. An actor that counts a message first may be about to log it, and takes one at a
    time."""
    for number, (before, after) in enumerate(pairwise(snapshots), start=2):
        for actor, taken in before.taken.items():
            now = after.taken.get(actor)
            if now is None or now < taken:
                came = "no count" if now is None else f"a count of {now}"
                return (
                    f"{names.spell(actor)} had taken {taken} messages when Run was under way, and"
                    f" has {came} by the next Trace (TRACE-17)"
                )
            if lacking := _lacking(actor, taken - 1, after, watched):
                return f"{lacking} before Trace {number} of this Run was asked for"
    resting = snapshots[-1]
    lacks = (_lacking(actor, taken, resting, watched) for actor, taken in resting.taken.items())
    lacking = next(filter(None, lacks), "")
    return f"{lacking} before it was asked for behind Run" if lacking else ""


def _lacking(actor: int, taken: int, seen: Snapshot, watched: Watched) -> str:
    wanted, rows = watched.slice_of(actor), seen.rows.get(actor, 0)
    least = wanted.rows(max(0, taken)) if wanted is not None else 0
    if rows >= least:
        return ""
    return (
        f"Trace had delivered {rows} events of {names.spell(actor)} by its end, expected {least}"
        f" (CTRL-7): it had counted {taken} messages"
    )


def _items(file: Path) -> Iterator[control_pb2.TraceResponse]:
    try:
        with file.open("rb") as stream:
            while (
                item := proto.parse_length_prefixed(
                    control_pb2.TraceResponse, cast("BytesIO", stream)
                )
            ) is not None:
                yield item
    except OSError as error:
        raise TraceError(f"{file}: {error.strerror}{meant.path_hint(file)}") from None
    except (DecodeError, ValueError):
        raise TraceError(f"{file} is no trace, or was cut short") from None
