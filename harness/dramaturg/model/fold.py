"""Digests and checksums (spec/actors.md, ACT-8): many numbers in 32 bits.

Every digest begins with the salt that `Run` brings, so it cannot be known before. A fold
brings the upper half of its digest down to the lower one: in a sum of digests the highest bits
of the salt would cancel each other otherwise. A checksum does not, so a byte costs little.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

Words = NDArray[np.uint32]
"""Many 32-bit numbers at once; their arithmetic wraps as the digests' does."""

MASK = 0xFFFFFFFF
"""The bits of a digest."""


def fold(digest: int, number: int) -> int:
    """The digest, once this number is in it as well."""
    folded = 1664525 * digest + 1013904223 + number & MASK
    return folded ^ folded >> 16


def fold_all(digest: int, numbers: Iterable[int]) -> int:
    """These numbers folded into a digest, in their order."""
    for number in numbers:
        digest = fold(digest, number)
    return digest


MANY = 128
"""Numbers from which on a checksum is faster over all of them at once."""


def checksum(start: int, numbers: Sequence[int]) -> int:
    """Return the checksum of a list, in its order, beginning with ``start``."""
    count = len(numbers)
    if count >= MANY:
        of_all = np.dot(weights(count), np.array(numbers, np.uint32))
        return start * pow(31, count, 1 << 32) + int(of_all) & MASK
    total = start
    for number in numbers:
        total = 31 * total + number & MASK
    return total


def add(sum: int, value: int) -> int:
    """A sum of values or digests: modulo 2^32."""
    return (sum + value) & MASK


@lru_cache(maxsize=64)
def weights(count: int) -> Words:
    """The weight of each of so many numbers in a checksum: 31 for every number after it."""
    steps = np.full(count, 31, np.uint32)
    steps[:1] = 1
    return np.ascontiguousarray(np.cumprod(steps, dtype=np.uint32)[::-1])


def words(count: int) -> Words:
    """0, 1, 2, ... as often as ``count`` says."""
    return np.arange(count, dtype=np.uint32)


def fold_each(digests: Words | int, numbers: Words | int) -> Words:
    """:func:`fold` of each digest with the number in its place."""
    # NumPy would warn that a single number wraps.
    many = np.atleast_1d(np.asarray(digests, np.uint32))
    stepped = many * np.uint32(1664525) + np.uint32(1013904223)
    folded = np.add(stepped, numbers, dtype=np.uint32)
    return folded ^ (folded >> np.uint32(16))


def stream(key: int, count: int) -> list[int]:
    """The first numbers of the stream from ``key`` (ACT-11). None can be had without the key, nor
    without those before it."""
    # fold() written out: there are a million of them.
    found = []
    for place in range(count):
        key = 1664525 * key + 1013904223 + place & MASK
        key ^= key >> 16
        found.append(key)
    return found


def stream_checksum(key: int, count: int) -> int:
    """The checksum of the highest eight bits of each number of the stream, from 0."""
    total = 0
    for place in range(count):
        key = 1664525 * key + 1013904223 + place & MASK
        key ^= key >> 16
        total = 31 * total + (key >> 24) & MASK
    return total


def stream_checksums(keys: Words, count: int) -> Words:
    """:func:`stream_checksum` of each of these streams, number by number of all of them."""
    drawn, totals = keys.copy(), np.zeros_like(keys)
    # In place: a new array for each number would take half of the time.
    shifted = np.empty_like(keys)
    for place in range(count):
        drawn *= np.uint32(1664525)
        drawn += np.uint32(1013904223 + place & MASK)
        drawn ^= np.right_shift(drawn, 16, out=shifted)
        totals *= np.uint32(31)
        totals += np.right_shift(drawn, 24, out=shifted)
    return totals


CHUNK = 1 << 17
"""Numbers that are folded at once: the arrays for millions of messages stay in the cache."""


def sum_of_numbered(base: Words | int, count: int, *then: int | None) -> int:
    """The sum over all bases and all numbers below ``count`` of the base with the number
    folded into it, and ``then``, each in turn; None stands for the number once more."""
    total, bases = 0, np.atleast_1d(np.asarray(base, np.uint32))
    together = max(1, CHUNK // max(1, count))
    for first in range(0, len(bases), together):
        digests = bases[first : first + together, np.newaxis]
        for start in range(0, count, CHUNK):
            numbers = words(min(count, start + CHUNK) - start) + np.uint32(start & MASK)
            values = fold_each(digests, numbers)
            for number in then:
                values = fold_each(values, numbers if number is None else number)
            total = add(total, int(values.sum(dtype=np.uint64)) & MASK)
    return total
