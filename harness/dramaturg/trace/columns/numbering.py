"""Actors' names as numbers from 0 on, in the order in which they come."""

import secrets
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dramaturg.trace.columns.jit import compiled

_FIRST_ROOM = 1 << 10
_DOWN, _ASIDE = np.uint64(32), np.uint64(29)
# Of SplitMix64 (Steele, Lea, Flood 2014): each bit changes about half of all bits.
_FIRST, _SECOND = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)


class Numbering:
    """Numbers each name once. Twelve to forty bytes a name."""

    def __init__(self) -> None:
        self.count = 0
        # An implementation chooses names, and must not know which of them meet in one place.
        self._spread = np.array([secrets.randbits(63) << 1 | 1 for _ in range(2)], np.uint64)
        self._keys = np.zeros(2 * _FIRST_ROOM, np.uint64)
        self._values = np.full(2 * _FIRST_ROOM, -1, np.int32)
        self._names = np.zeros(_FIRST_ROOM, np.uint64)

    @property
    def names(self) -> NDArray[np.uint64]:
        """The names by number."""
        return self._names[: self.count]

    def number(self, names: NDArray[np.uint64]) -> NDArray[np.int32]:
        """The number of each of these; names that are new get one."""
        numbers = np.empty(len(names), np.int32)
        done = 0
        while True:
            done, self.count = _number(
                names, done, self._spread, self._keys, self._values, self._names, self.count,
                numbers,
            )  # fmt: skip
            if done == len(names):
                return numbers
            self._grow()

    def find(self, name: int) -> int:
        """The number of this name; -1 for one that never came."""
        return int(_find(np.uint64(name), self._spread, self._keys, self._values))

    def find_all(self, names: NDArray[np.uint64]) -> NDArray[np.int32]:
        """The number of each of these; -1 for those that never came."""
        numbers = np.empty(len(names), np.int32)
        _find_all(names, self._spread, self._keys, self._values, numbers)
        return numbers

    def _grow(self) -> None:
        room = 2 * len(self._names)
        names = np.zeros(room, np.uint64)
        names[: self.count] = self.names
        self._keys = np.zeros(2 * room, np.uint64)
        self._values = np.full(2 * room, -1, np.int32)
        known = names[: self.count].copy()
        numbers = np.empty(len(known), np.int32)
        _number(known, 0, self._spread, self._keys, self._values, names, 0, numbers)
        self._names = names


@compiled
def _place(name: Any, spread: Any, keys: Any, values: Any) -> Any:
    """Return the place of this name in the table, or that which it would have."""
    mask = len(keys) - 1
    mixed = name ^ spread[0]
    mixed = (mixed ^ (mixed >> _DOWN)) * _FIRST
    mixed = (mixed ^ (mixed >> _ASIDE)) * _SECOND
    mixed ^= mixed >> _DOWN
    at = np.int64((mixed * spread[1]) >> _DOWN) & mask
    while values[at] >= 0 and keys[at] != name:
        at = (at + 1) & mask
    return at


@compiled
def _number(
    names: Any, begin: Any, spread: Any, keys: Any, values: Any, known: Any, count: Any,
    numbers: Any,
) -> Any:  # fmt: skip
    """Return how many have a number now, and how many names there are. It stops when there is no
    room."""
    for row in range(begin, len(names)):
        at = _place(names[row], spread, keys, values)
        if values[at] < 0:
            if count == len(known):
                return row, count
            keys[at], values[at], known[count] = names[row], count, names[row]
            count += 1
        numbers[row] = values[at]
    return len(names), count


@compiled
def _find(name: Any, spread: Any, keys: Any, values: Any) -> Any:
    return values[_place(name, spread, keys, values)]


@compiled
def _find_all(names: Any, spread: Any, keys: Any, values: Any, numbers: Any) -> Any:
    for row in range(len(names)):
        numbers[row] = values[_place(names[row], spread, keys, values)]
