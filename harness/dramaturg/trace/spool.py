"""Traces that wait on disk: what one call of Trace brought, undecoded, message after message."""

from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import cast

from google.protobuf import proto
from google.protobuf.message import DecodeError

from dramaturg.trace.codec import LogBuilder
from dramaturg.trace.events import TraceError
from dramaturg.trace.rest import AtRest
from dramaturg.trace.watches import Watches
from dramaturg.v2 import control_pb2


def read(at_rest: Path, ended: Path, watches: Watches) -> LogBuilder:
    """The log of these watches, from what was fetched when Run had ended and after Teardown, held
    against its counts. Raises TraceError for what is no such log, for what was taken at
    another time, and for a file that is none or was cut short."""
    log = LogBuilder(watches)
    for item in _items(at_rest):
        log.take(item)
    rest = AtRest(log.logs, log.taken)
    log.begin_counts()
    for item in _items(ended):
        log.take(item)
    log.complete()
    if broken := rest.broken(log.logs, log.taken):
        raise TraceError(broken)
    return log


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
        raise TraceError(f"{file}: {error.strerror}") from None
    except (DecodeError, ValueError):
        raise TraceError(f"{file}: is no trace, or was cut short") from None
