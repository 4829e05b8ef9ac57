"""The frames between nodes: messages of actors, births, and failures.

A message is its kind, the receiver's and the sender's names, and its arguments: 2, 8, 8 and 8
bytes each, unsigned, big-endian. An address is its actor's name, or 0 if it is none. Content
comes last: its length in 4 bytes, and the bytes. A birth is the kind 2, the new actor, its maker,
and its seed, as of a message. A failure is the kind 0, the length of a text, and the text.
"""

import struct
from collections.abc import Iterator
from typing import Any

from asyncio_actors.benchmarks import catalogue
from asyncio_actors.benchmarks.mailbox import Arguments
from asyncio_actors.benchmarks.messages import BEHAVIOUR_OF, CONTENT, KIND_OF

Frame = tuple[int, int, int, tuple[Any, ...]]
"""Kind, receiver, sender, arguments; of an address its name."""

BIRTH = 2
"""The kind of no message: the receiver is born, and the sender has made it with this seed."""

_KIND = struct.Struct("!H")
_FAILURE = struct.Struct("!HH")
_LENGTH = struct.Struct("!I")


def _form(sends: str) -> struct.Struct:
    """All but the content, of which there is the length."""
    return struct.Struct("!HQQ" + "".join("I" if each == CONTENT else "Q" for each in sends))


# Whoever sends takes part in a benchmark, so all of those have to be known.
assert catalogue.BENCHMARKS
_SENDS = {kind: KIND_OF[behaviour].sends for kind, behaviour in BEHAVIOUR_OF.items()} | {BIRTH: "n"}
_MESSAGES = {kind: _form(sends) for kind, sends in _SENDS.items()}
_CONTENT = frozenset(kind for kind, sends in _SENDS.items() if sends.endswith(CONTENT))


class WrongFrame(Exception):
    """The bytes that came are no frame of a node."""


class Failure(Exception):
    """An actor failed on another node, or that node has lost a third one."""


def message(kind: int, receiver: int, sender: int, arguments: Arguments) -> bytes:
    """A message as it goes over a connection. Raises struct.error if it is not all numbers, but
    for the content of a kind that has one."""
    form = _MESSAGES[kind]
    if kind not in _CONTENT:
        return form.pack(kind, receiver, sender, *arguments)
    *numbers, content = arguments
    head: bytes = form.pack(kind, receiver, sender, *numbers, len(content))
    return b"".join((head, content))


def failure(reason: str) -> bytes:
    """Return the frame that tells the lead's node of a failure on another one."""
    text = reason.encode()[:0xFFFF]
    return _FAILURE.pack(0, len(text)) + text


class Decoder:
    """Frames from what comes over a connection, in pieces of any length."""

    def __init__(self) -> None:
        self._rest = bytearray()

    def feed(self, data: bytes) -> Iterator[Frame]:
        """The messages that are complete. Raises Failure upon one, and WrongFrame."""
        self._rest += data
        at = 0
        while (frame := self._frame(at)) is not None:
            at, read = frame
            yield read
        del self._rest[:at]

    def _frame(self, at: int) -> tuple[int, Frame] | None:
        """The frame that begins here, and where the next one does; None if it is not whole."""
        data, whole = self._rest, len(self._rest)
        if whole - at < _KIND.size:
            return None
        (kind,) = _KIND.unpack_from(data, at)
        form = _MESSAGES.get(kind, _FAILURE)
        if kind and form is _FAILURE:
            raise WrongFrame(f"a message of kind {kind}, which is none")
        end = at + form.size
        if whole < end:
            return None
        _, *numbers = form.unpack_from(data, at)
        if form is not _FAILURE and kind not in _CONTENT:
            receiver, sender, *arguments = numbers
            return end, (kind, receiver, sender, tuple(arguments))
        start, end = end, end + numbers[-1]
        if whole < end:
            return None
        content = bytes(data[start:end])
        if form is _FAILURE:
            raise Failure(content.decode(errors="replace"))
        receiver, sender, *arguments = numbers[:-1]
        return end, (kind, receiver, sender, (*arguments, content))
