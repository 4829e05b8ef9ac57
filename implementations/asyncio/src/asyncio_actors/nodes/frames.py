"""What nodes send each other: messages of actors, and failures.

A message is its kind, the receiver's and the sender's names, and its arguments, as many as the
kind has: 2, 8, 8 and 8 bytes each, unsigned, big-endian. A failure is the kind 0, the length of
a text, and the text.
"""

import struct
from collections.abc import Iterator

from asyncio_actors.benchmarks import table
from asyncio_actors.benchmarks.mailbox import Arguments

Frame = tuple[int, int, int, tuple[int, ...]]
"""Kind, receiver, sender, arguments."""

_KIND = struct.Struct("!H")
_MESSAGES = {kind: struct.Struct(f"!HQQ{arity}Q") for kind, (_, arity) in table.KINDS.items()}
_FAILURE = struct.Struct("!HH")


class WrongFrame(Exception):
    """What came is nothing that a node sends."""


class Failure(Exception):
    """An actor failed on another node, or that node has lost a third one."""


def message(kind: int, receiver: int, sender: int, arguments: Arguments) -> bytes:
    """A message as it goes over a connection. Raises struct.error if it is not all numbers."""
    return _MESSAGES[kind].pack(kind, receiver, sender, *arguments)


def failure(reason: str) -> bytes:
    """What the lead's node is told when something fails on another one."""
    text = reason.encode()[:0xFFFF]
    return _FAILURE.pack(0, len(text)) + text


class Decoder:
    """Frames from what comes over a connection, in pieces of any length."""

    def __init__(self) -> None:
        self._rest = b""

    def feed(self, data: bytes) -> Iterator[Frame]:
        """The messages that are complete. Raises Failure upon one, and WrongFrame."""
        data = self._rest + data
        at = 0
        while len(data) - at >= _KIND.size:
            (kind,) = _KIND.unpack_from(data, at)
            form = _MESSAGES.get(kind, _FAILURE)
            if kind and form is _FAILURE:
                raise WrongFrame(f"a message of kind {kind}, which is none")
            if len(data) - at < form.size:
                break
            if form is _FAILURE:
                _, length = form.unpack_from(data, at)
                text = data[at + form.size : at + form.size + length]
                if len(text) < length:
                    break
                raise Failure(text.decode(errors="replace"))
            _, receiver, sender, *arguments = form.unpack_from(data, at)
            at += form.size
            yield kind, receiver, sender, tuple(arguments)
        self._rest = data[at:]
