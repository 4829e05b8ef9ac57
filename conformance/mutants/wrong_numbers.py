"""Wrong numbers: the generator, the shuffle, Fibonacci and digests, each with one thing changed."""

import random
import sys
from collections.abc import Callable, Iterable
from functools import reduce
from typing import Any

import numpy as np

from dramaturg.model import chatapp, fold, lcg

from reference.control import describe

# --- the generator ---


def lcg_32_bit() -> None:
    """The state is never reduced, in 32 bits that overflow."""

    def unreduced(self: lcg.Lcg) -> int:
        number = (lcg.MULTIPLIER * self.state + lcg.INCREMENT) % (1 << 32)
        self.state = number - (1 << 32) if number >> 31 else number
        return abs(self.state)

    lcg.Lcg.next = unreduced  # type: ignore[method-assign]


def lcg_wrong_increment() -> None:
    """Two digits of the increment changed places."""
    lcg.INCREMENT = 13894


def lcg_modulo_before_mask() -> None:
    """`next_int` takes the modulus before the state is reduced."""

    def next_int(self: lcg.Lcg, limit: int) -> int:
        number = lcg.MULTIPLIER * self.state + lcg.INCREMENT
        self.state = number % lcg.PERIOD
        return number % limit if limit else self.state

    lcg.Lcg.next_int = next_int  # type: ignore[method-assign]


def lcg_masked_to_15_bits() -> None:
    """The mask is 0x7FFF, as in the C library's `rand`."""
    lcg.PERIOD = 1 << 15


def next_int_of_zero_draws_nothing() -> None:
    """With nothing to choose from, no number is drawn."""
    right = lcg.Lcg.next_int
    lcg.Lcg.next_int = lambda self, limit: right(self, limit) if limit else 0  # type: ignore[assignment,method-assign]


def next_int_of_one_draws_nothing() -> None:
    """With a single thing to choose, no number is drawn."""
    right = lcg.Lcg.next_int
    lcg.Lcg.next_int = lambda self, limit: 0 if limit == 1 else right(self, limit)  # type: ignore[assignment,method-assign]


def shuffle_n_draws() -> None:
    """The shuffle also draws for the first element, as the published CAF program does."""

    def shuffle(self: lcg.Lcg, items: Any) -> None:
        for i in range(len(items) - 1, -1, -1):
            j = self.next_int(i + 1)
            items[i], items[j] = items[j], items[i]

    lcg.Lcg.shuffle = shuffle  # type: ignore[method-assign]


def shuffle_forwards() -> None:
    """The shuffle begins at the front: as good, and another one."""

    def shuffle(self: lcg.Lcg, items: Any) -> None:
        for i in range(len(items) - 1):
            j = i + self.next_int(len(items) - i)
            items[i], items[j] = items[j], items[i]

    lcg.Lcg.shuffle = shuffle  # type: ignore[method-assign]


def shuffle_never_stays() -> None:
    """`next_int(i)` for `next_int(i + 1)`: no element can stay where it is."""

    def shuffle(self: lcg.Lcg, items: Any) -> None:
        for i in range(len(items) - 1, 0, -1):
            j = self.next_int(i)
            items[i], items[j] = items[j], items[i]

    lcg.Lcg.shuffle = shuffle  # type: ignore[method-assign]


def shuffles_with_the_runtimes_generator() -> None:
    """A client's friends are shuffled by the standard library; the draws are made as well."""

    class Shuffled(lcg.Lcg):
        __slots__ = ()

        def shuffle(self, items: Any) -> None:
            for i in range(len(items) - 1, 0, -1):
                self.next_int(i + 1)
            random.shuffle(items)

    chatapp.Lcg = Shuffled  # type: ignore[misc]


def fibonacci_from_one() -> None:
    """The sequence begins 1, 1, 2."""
    right = chatapp.Client.work
    chatapp.Client.work = staticmethod(lambda n: right(n + 1))  # type: ignore[assignment]
    describe.naive_fibonacci = lambda n: right(n + 1)


# --- digests ---


def _folded(digest: int, number: int, bits: int = 32) -> int:
    folded = (1664525 * digest + 1013904223 + number) % (1 << bits)
    return folded ^ folded >> 16


def _folding(step: Callable[[int, int], int]) -> None:
    """A digest takes a number in by ``step``, wherever there are digests."""

    def fold_all(digest: int, numbers: Iterable[int]) -> int:
        return reduce(step, numbers, digest)

    for right, wrong in ((fold.fold, step), (fold.fold_all, fold_all)):
        for module in list(sys.modules.values()):
            if getattr(module, right.__name__, None) is right:
                setattr(module, right.__name__, wrong)


def fold_signed() -> None:
    """Digests are signed, and their sign goes with them into 64 bits."""

    def step(digest: int, number: int) -> int:
        folded = _folded(digest, number)
        return folded | 0xFFFFFFFF << 32 if folded >> 31 else folded

    _folding(step)


def fold_in_64_bits() -> None:
    """Digests are kept in 64 bits and never reduced."""
    _folding(lambda digest, number: _folded(digest, number, bits=64))


def fold_in_31_bits() -> None:
    """Digests are small integers of the runtime, a bit short of a word."""
    _folding(lambda digest, number: _folded(digest, number, bits=31))


def fold_shifts_with_the_sign() -> None:
    """The upper half comes down by an arithmetic shift, in signed 32 bits."""

    def step(digest: int, number: int) -> int:
        folded = (1664525 * digest + 1013904223 + number) % (1 << 32)
        down = folded >> 16 | (0xFFFF0000 if folded >> 31 else 0)
        return folded ^ down

    _folding(step)


def fold_in_single_precision() -> None:
    """The product is made in a floating-point number that has too few bits for it."""

    def step(digest: int, number: int) -> int:
        folded = int(np.float32(1664525) * np.float32(digest)) + 1013904223 + number & 0xFFFFFFFF
        return folded ^ folded >> 16

    _folding(step)


def fold_multiplies_last() -> None:
    """The number comes in first, and then both are multiplied: two steps changed places."""
    _folding(lambda digest, number: _folded(digest + number, 0))


def fold_multiplies_by_31() -> None:
    """The factor is the one of checksums."""

    def step(digest: int, number: int) -> int:
        folded = (31 * digest + 1013904223 + number) % (1 << 32)
        return folded ^ folded >> 16

    _folding(step)


def fold_adds_nothing() -> None:
    """The constant is left out: zeros leave a digest of 0 as it is."""

    def step(digest: int, number: int) -> int:
        folded = (1664525 * digest + number) % (1 << 32)
        return folded ^ folded >> 16

    _folding(step)


def fold_leaves_the_upper_half_where_it_is() -> None:
    """It folds without the exclusive or in the end."""
    _folding(lambda digest, number: (1664525 * digest + 1013904223 + number) % (1 << 32))


def fold_begins_at_zero() -> None:
    """The numbers are folded, and the salt is forgotten."""
    right = describe.fold_all
    describe.fold_all = lambda salt, numbers: right(0, numbers)


def fold_from_the_end() -> None:
    """A list is folded from its last number to its first, as `foldr` does."""
    right = describe.fold_all
    describe.fold_all = lambda salt, numbers: right(salt, reversed(numbers))
