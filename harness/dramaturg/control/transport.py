"""The transports that carry calls to an implementation: pipes or a gRPC channel, each stamped
where its bytes pass.

The stamps are taken by the thread that made the call, next to the system call that writes or
the one that reads: nothing is encoded, decoded, queued or handed over in between. So what
lies between two of them is the implementation's time, the kernel's, and of ours nothing but
the wait for a core.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Protocol

from google.protobuf.message import Message

from dramaturg.v2 import control_pb2

RESPONSES: dict[str, type[Message]] = {
    "Describe": control_pb2.DescribeResponse,
    "Prepare": control_pb2.PrepareResponse,
    "Act": control_pb2.ActResponse,
    "Turn": control_pb2.TurnResponse,
    "Run": control_pb2.RunResponse,
    "Trace": control_pb2.TraceResponse,
    "Teardown": control_pb2.TeardownResponse,
}

MAX_MESSAGE = 4 * 1024 * 1024
"""Bytes of one protocol message in protobuf's encoding: the limit that trace.proto sets."""

MAX_HELD = 1024 * 1024 * 1024
"""Bytes of an answer that is held until somebody decodes it. The longest log that is decided in
memory has less than half of it."""

STREAMS = ("Run", "Trace")
"""Calls that are answered with any number of messages."""


@dataclass(slots=True)
class Stamps:
    """The times at which the bytes of a call passed, in nanoseconds of the harness's monotonic
    clock."""

    sent: int = 0
    """Before the first byte of the request was written."""
    came: int = 0
    """The time at which the last message so far, or the end, had been read."""
    meanwhile: Callable[[], None] | None = None
    """A function that the caller runs when the request has been written and before anything is
    read: then an answer is on its way, and nobody waits for it."""

    @property
    def nanos(self) -> int:
        """Nanoseconds from the request to the last message."""
        return self.came - self.sent


FILLS = 0.2
"""Seconds in which who has begun to answer fills a pipe, or gRPC's window."""


class Overdue(Exception):
    """The time for a call is up."""


class Lost(Exception):
    """Nothing can be carried any more; the text says why, or is empty if nobody knows."""


class Refused(Exception):
    """The call was answered with an error status."""

    def __init__(self, code: str, details: str) -> None:
        super().__init__(f"{code}: {details}")
        self.code = code
        self.details = details


class TooLong(Exception):
    """A message over MAX_MESSAGE; the text says what is known of it."""


class TooMuch(Exception):
    """A held answer over MAX_HELD."""

    def __init__(self) -> None:
        super().__init__(f"it goes on after {MAX_HELD} bytes, and nothing of it is decoded yet")


Later = Callable[[], Iterator[Message]]
"""Decodes what a call was answered with, as ``Wire.call`` would have, and raises what it would."""


class Wire(Protocol):
    """Carries one call, and `Trace` beside another one from another thread."""

    def call(
        self, method: str, request: Message, seconds: float, stamps: Stamps
    ) -> Iterator[Message]:
        """Make a call of control.proto: its answers, ``stamps`` being up to date at each and in
        the end. Raises Overdue after ``seconds``, Lost, Refused and TooLong."""

    def hold(self, method: str, request: Message, seconds: float, stamps: Stamps) -> Later:
        """As ``call`` of one that is answered with a stream, up to its end; but what came is
        decoded when it is asked for: a thread that waits for another call need not wait for that.
        Raises Overdue, Lost, Refused and TooMuch."""

    def leave_unread(self, method: str, request: Message, seconds: float) -> None:
        """Make a call, and return when its answer has had time to fill what lies between. Nobody
        reads it. Raises Overdue and Lost."""

    def close(self) -> None:
        """Let go of the connection. The process is not touched."""
