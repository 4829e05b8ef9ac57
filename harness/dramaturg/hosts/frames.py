"""The frames on the pipes of an agent: an object of JSON and bytes, again and again.

Both lengths stand before each frame. Whatever a login shell prints before the first one (a message
of the day) is skipped: frames begin behind a mark.
"""

import json
import os
import struct
from collections.abc import Callable, Iterator
from typing import Any

MARK = b"\0dramaturg-hosts-1\n"
"""Stands before the first frame, either way."""

MOST_WORDS, MOST_BYTES = 1 << 24, (1 << 32) - 1
"""Maximum lengths, in bytes: of a frame's JSON, and of the content that follows it."""

_LENGTHS = struct.Struct("!II")
_PIECE = 1 << 20
_CHATTER = 1 << 20
"""Bytes that may come before the mark."""

Frame = tuple[dict[str, Any], bytes]


class Broken(Exception):
    """The bytes that came are no frame."""


def packed(words: dict[str, Any], content: bytes = b"") -> bytes:
    """One frame."""
    said = json.dumps(words, separators=(",", ":")).encode()
    if len(said) > MOST_WORDS or len(content) > MOST_BYTES:
        raise ValueError(f"{len(said)} and {len(content)} bytes are too many for a frame")
    return _LENGTHS.pack(len(said), len(content)) + said + content


def read(end: int, came: Callable[[int], None] = lambda many: None) -> Iterator[Frame]:
    """All frames up to the end of a pipe. ``came`` is told how much has come, also of parts of a
    long frame. Raises Broken, also for a frame that was cut short."""
    held = bytearray()
    begun = False
    while True:
        piece = os.read(end, _PIECE)
        if not piece:
            if begun and held:
                raise Broken("it ended within a frame")
            return
        came(len(piece))
        held += piece
        if not begun:
            at = held.find(MARK)
            if at < 0:
                if len(held) > _CHATTER:
                    raise Broken(f"{len(held)} bytes came, and none of them are an agent's")
                continue
            begun = True
            del held[: at + len(MARK)]
        while (frame := _first(held)) is not None:
            yield frame


def _first(held: bytearray) -> Frame | None:
    """The first frame, taken out; None as long as it is not whole."""
    if len(held) < _LENGTHS.size:
        return None
    words, content = _LENGTHS.unpack_from(held)
    if words > MOST_WORDS:
        raise Broken(f"a frame of {words} bytes of words")
    whole = _LENGTHS.size + words + content
    if len(held) < whole:
        return None
    try:
        said = json.loads(held[_LENGTHS.size : _LENGTHS.size + words])
    except (ValueError, RecursionError) as error:
        raise Broken(f"a frame that is no JSON: {error}") from None
    if not isinstance(said, dict):
        raise Broken("a frame that is no object")
    followed = bytes(held[_LENGTHS.size + words : whole])
    del held[:whole]
    return said, followed
