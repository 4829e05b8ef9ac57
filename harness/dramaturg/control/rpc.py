"""Calls over gRPC (spec/control.md, CTRL-1)."""

import time
from collections.abc import Iterator
from time import monotonic_ns
from typing import Any

import grpc
from google.protobuf.message import DecodeError, Message
from grpc.experimental import ChannelOptions

from dramaturg.control import transport
from dramaturg.control.transport import (
    FILLS,
    MAX_MESSAGE,
    RESPONSES,
    STREAMS,
    Later,
    Lost,
    Overdue,
    Refused,
    Stamps,
    TooLong,
    TooMuch,
)

RETRY = 50
"""Milliseconds between two looks at whether a process that was just started serves its socket:
gRPC's own first pause, of a second, is longer than most runtimes take to start."""

LOOKS = 0.3
"""Seconds, in which that thread has seen that nobody asks any more: it looks every 0.2."""

_LEAST = 100
"""Bytes that a message takes here, however short it is."""

_SERVICE = "/dramaturg.v2.Control"

_OPTIONS = (
    (ChannelOptions.SingleThreadedUnaryStream, 1),
    ("grpc.max_receive_message_length", MAX_MESSAGE),
    ("grpc.enable_http_proxy", 0),
    ("grpc.use_local_subchannel_pool", 1),
    ("grpc.initial_reconnect_backoff_ms", RETRY),
    ("grpc.min_reconnect_backoff_ms", RETRY),
    ("grpc.max_reconnect_backoff_ms", RETRY),
)

_NEXT_TO_NOTHING = (("grpc.http2.lookahead_bytes", 1 << 16), ("grpc.http2.bdp_probe", 0))
"""The amount that a stream may send before somebody asks for it: HTTP/2's own 64 KiB, and not 4
MiB."""


class Rpc:
    """A channel to ``target``. Messages cross it as bytes: they are encoded before a call's
    first stamp and decoded after its last, and streams are read by who asked for them."""

    def __init__(self, target: str) -> None:
        self._target = target
        self._channel = grpc.insecure_channel(target, options=_OPTIONS)
        self._calls: dict[str, Any] = {
            method: _made(self._channel, method, method in STREAMS) for method in RESPONSES
        }
        self._unread: grpc.Channel | None = None

    def is_served(self, seconds: float) -> bool:
        """True if somebody serves the socket, or does within so many seconds."""
        ready = grpc.channel_ready_future(self._channel)
        try:
            ready.result(timeout=seconds)
        except grpc.FutureTimeoutError:
            return False
        finally:
            if ready.cancel():
                # A thread of gRPC's looks at the channel now and then, and fails aloud if it
                # finds it closed.
                time.sleep(LOOKS)
        return True

    def call(
        self, method: str, request: Message, seconds: float, stamps: Stamps
    ) -> Iterator[Message]:
        """As Wire has it."""
        data = request.SerializeToString()
        stamps.sent = monotonic_ns()
        try:
            yield from self._stream(method, data, seconds, stamps)
        except grpc.RpcError as error:
            raise _failure(error) from None

    def _stream(self, method: str, data: bytes, seconds: float, stamps: Stamps) -> Iterator[Any]:
        if method not in STREAMS:
            answer = self._calls[method](data, timeout=seconds)
            stamps.came = monotonic_ns()
            yield _decoded(method, answer)
            return
        answers = self._calls[method](data, timeout=seconds)
        if stamps.meanwhile is not None:
            stamps.meanwhile()
        try:
            for answer in answers:
                stamps.came = monotonic_ns()
                yield _decoded(method, answer)
            stamps.came = monotonic_ns()
        finally:
            answers.cancel()

    def hold(self, method: str, request: Message, seconds: float, stamps: Stamps) -> Later:
        """As Wire has it."""
        data = request.SerializeToString()
        stamps.sent = monotonic_ns()
        answers: list[bytes] = []
        left = transport.MAX_HELD
        try:
            coming = self._calls[method](data, timeout=seconds)
            for answer in coming:
                answers.append(answer)
                left -= len(answer) + _LEAST
                if left < 0:
                    coming.cancel()
                    raise TooMuch
        except grpc.RpcError as error:
            raise _failure(error) from None
        stamps.came = monotonic_ns()
        return lambda: (_decoded(method, answer) for answer in answers)

    def leave_unread(self, method: str, request: Message, seconds: float) -> None:
        """As Wire has it. A reader that is asked for no message takes none, but gRPC reads ahead:
        over a connection of its own, next to nothing."""
        self._unread = grpc.insecure_channel(self._target, options=[*_OPTIONS, *_NEXT_TO_NOTHING])
        call = _made(self._unread, method, method in STREAMS)
        self._left = call(request.SerializeToString(), timeout=seconds, wait_for_ready=True)
        time.sleep(FILLS)

    def close(self) -> None:
        """As Wire has it."""
        if self._unread is not None:
            self._unread.close()
        self._channel.close()


def _made(channel: grpc.Channel, method: str, stream: bool) -> Any:
    kind = channel.unary_stream if stream else channel.unary_unary
    return kind(f"{_SERVICE}/{method}", None, None)


def _decoded(method: str, answer: bytes) -> Message:
    try:
        return RESPONSES[method].FromString(answer)
    except DecodeError:
        text = f"{method} was answered with {len(answer)} bytes that are no"
        raise Lost(f"{text} {RESPONSES[method].DESCRIPTOR.name}") from None


def _failure(error: Any) -> Exception:
    code, details = error.code(), error.details() or ""
    if code is grpc.StatusCode.DEADLINE_EXCEEDED:
        return Overdue()
    if code in (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DATA_LOSS):
        return Lost(details)
    if code is grpc.StatusCode.RESOURCE_EXHAUSTED and "larger than max" in details:
        return TooLong(details)
    return Refused(code.name, details)
