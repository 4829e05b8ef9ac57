"""Traces that wait on disk: what one call of Trace brought, undecoded, message after message."""

from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import cast

from google.protobuf import proto
from google.protobuf.message import DecodeError

from dramaturg.trace.codec import LogBuilder
from dramaturg.trace.events import TraceError
from dramaturg.trace.watches import Watches
from dramaturg.v2 import control_pb2


def read(file: Path, watches: Watches) -> LogBuilder:
    """The log of these watches, held against its counts. Raises TraceError for what is no such
    log, and for a file that is none or was cut short."""
    log = LogBuilder(watches)
    for item in _items(file):
        log.take(item)
    log.complete()
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
