"""The shared random generator (spec/lcg.md).

Every actor that draws has one of its own. Full period 65536; its weaknesses
(16 bits of state, an alternating low bit, one sequence shared by all streams)
are published with it and wanted: any language computes it without overflow.
"""

from typing import Any

MULTIPLIER = 1309
INCREMENT = 13849
PERIOD = 65536


class Lcg:
    """``x' = (1309 * x + 13849) mod 65536``; the new state is the output (LCG-1)."""

    __slots__ = ("state",)

    def __init__(self, seed: int) -> None:
        self.state = seed

    def next(self) -> int:
        """The next raw number, 0..65535."""
        self.state = (MULTIPLIER * self.state + INCREMENT) % PERIOD
        return self.state

    def next_int(self, limit: int) -> int:
        """The next number below ``limit``; with 0 the raw number. Always one draw (LCG-2)."""
        number = self.next()
        return number % limit if limit else number

    def shuffle(self, items: list[Any]) -> None:
        """Shuffle in place with ``len(items) - 1`` draws, from the back (LCG-3)."""
        for i in range(len(items) - 1, 0, -1):
            j = self.next_int(i + 1)
            items[i], items[j] = items[j], items[i]
