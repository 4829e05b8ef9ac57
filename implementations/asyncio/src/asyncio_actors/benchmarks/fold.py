"""Digests, sums of digests, and checksums of lists: numbers of 32 bits (ACT-8)."""

from collections.abc import Iterable, Iterator

MASK = 0xFFFF_FFFF


def fold(digest: int, number: int) -> int:
    """``number`` folded into ``digest``."""
    mixed = (1664525 * digest + 1013904223 + number) & MASK
    return mixed ^ mixed >> 16


def add(total: int, digest: int) -> int:
    """A sum of digests with one more."""
    return (total + digest) & MASK


def checksum(start: int, numbers: Iterable[int]) -> int:
    """Fold a list of numbers into ``start``, in order."""
    for number in numbers:
        start = (31 * start + number) & MASK
    return start


def stream(key: int, count: int) -> Iterator[int]:
    """The first numbers of the stream from ``key`` (ACT-11)."""
    for place in range(count):
        key = (1664525 * key + 1013904223 + place) & MASK
        key ^= key >> 16
        yield key


def payload_digest(payload: int) -> int:
    """The digest of what a post carries: of its two halves."""
    return fold(payload >> 32, payload & MASK)
