"""The random generator (spec/lcg.md)."""

from collections.abc import MutableSequence
from typing import Any


class Lcg:
    """A linear congruential generator with 16 bits of state."""

    __slots__ = ("state",)

    def __init__(self, seed: int) -> None:
        self.state = seed

    def next_int(self, modulus: int) -> int:
        """Draw once; the output modulo ``modulus``, or the output itself for 0 (LCG-2)."""
        self.state = (1309 * self.state + 13849) & 0xFFFF
        return self.state % modulus if modulus else self.state

    def shuffle(self, items: MutableSequence[Any]) -> None:
        """Shuffle in place, from the end, with one draw fewer than there are items (LCG-3)."""
        for last in range(len(items) - 1, 0, -1):
            other = self.next_int(last + 1)
            items[last], items[other] = items[other], items[last]
