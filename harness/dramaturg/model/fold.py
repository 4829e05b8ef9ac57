"""Digests (spec/actors.md, ACT-8): numbers folded, one after the other, into 32 bits.

Every digest begins with the salt that `Run` brings, so it cannot be known before. Bits of
the salt above those of the numbers that are folded in pass through linearly; in a sum of an
even number of digests the highest of them cancel. The logs show them all.
"""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

Words = NDArray[np.uint32]
"""Many 32-bit numbers at once; their arithmetic wraps as the digests' does."""

_MASK = 0xFFFFFFFF


def fold(digest: int, number: int) -> int:
    """The digest, once this number is in it as well."""
    return (31 * (digest ^ number) + 1) & _MASK


def fold_all(digest: int, numbers: Iterable[int]) -> int:
    """The digest of a list, in its order."""
    for number in numbers:
        digest = (31 * (digest ^ number) + 1) & _MASK
    return digest


def add(sum: int, value: int) -> int:
    """A sum of values or digests: modulo 2^32."""
    return (sum + value) & _MASK


def words(count: int) -> Words:
    """0, 1, 2, ... as often as ``count`` says."""
    return np.arange(count, dtype=np.uint32)


def fold_each(digests: Words | int, numbers: Words | int) -> Words:
    """:func:`fold` of each digest with the number in its place."""
    # Of a single number NumPy would warn that it wraps.
    mixed = np.bitwise_xor(np.atleast_1d(np.asarray(digests, np.uint32)), numbers, dtype=np.uint32)
    return mixed * np.uint32(31) + np.uint32(1)


CHUNK = 1 << 20
"""Numbers that are folded at once: what stands for millions of messages takes little memory."""


def sum_of_numbered(base: Words | int, count: int, *then: int | None) -> int:
    """The sum over all bases and all numbers below ``count`` of the base with the number
    folded into it, and ``then``, each in turn; None stands for the number once more."""
    total = 0
    for digest in np.atleast_1d(np.asarray(base, np.uint32)):
        for start in range(0, count, CHUNK):
            numbers = words(min(count, start + CHUNK) - start) + np.uint32(start & _MASK)
            values = fold_each(digest, numbers)
            for number in then:
                values = fold_each(values, numbers if number is None else number)
            total = add(total, int(values.sum(dtype=np.uint64)) & _MASK)
    return total
