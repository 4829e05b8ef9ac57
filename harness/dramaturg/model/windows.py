"""The windowed form of ping-pong, big and bang: m windows on the lead's own timer.

The lead has the runtime's timer send it `tick` at the end of each window (WIN-1). To
the model, which has no clock, `tick` is a message that an actor sends to itself. The schedule
decides what falls into which window, but not the sum of all windows.
"""

from collections.abc import Sequence
from typing import Any

from dramaturg.model import names
from dramaturg.model.actor import Actor
from dramaturg.v2 import trace_pb2 as kind

SCALES = {"windows": (30, 3, 2), "window": (1_000, 500, 50)}
"""Parameters at scales full, small and tiny: windows of a second at full scale, as in the
thesis."""


class Windows:
    """A lead's windows: which is open, and the count at which it was opened."""

    def __init__(self, lead: Actor, tick: int, windows: int) -> None:
        self._lead = lead
        self._tick = tick
        self._windows = windows
        self._before = 0

    def __repr__(self) -> str:
        return f"{self._windows}, counted so far {self._before}"

    def open(self, number: int = 0) -> None:
        """Have the timer say when this window has ended."""
        self._lead.send(self._lead.name, self._tick, number)

    def next(self, number: int) -> bool:
        """Open the window after this one; False if it was the last."""
        if number + 1 == self._windows:
            return False
        self.open(number + 1)
        return True

    def report(self, number: int, count: int) -> None:
        """Tell control what fell into this window (WIN-2)."""
        self._lead.send(names.name(names.CONTROL), kind.MESSAGE_KIND_CONTROL_WINDOW, number, count)

    def since(self, total: int) -> int:
        """Return the growth of ``total`` since this was last asked."""
        before, self._before = self._before, total
        return total - before


def problems(
    parameters: Any, counts: Sequence[int], nanos: Sequence[int], total: int, rest: int
) -> list[str]:
    """The errors in the windows of a receipt (WIN-3, WIN-4).

    ``total`` is what the receipt counts over the whole run, and ``rest`` what of that
    was under way when the last window ended.
    """
    m, least = parameters.windows, parameters.window * 1_000_000
    if len(counts) != m or len(nanos) != m:
        return [f"there are {len(counts)} windows and {len(nanos)} durations, expected {m} (WIN-3)"]
    found = []
    if m and sum(counts) + rest != total:
        found.append(
            f"the windows count {sum(counts)} and {rest} were under way at their end,"
            f" which is not the total, {total} (WIN-4)"
        )
    short = [number for number, lasted in enumerate(nanos) if lasted < least]
    if short:
        found.append(
            f"window {short[0]} lasted {nanos[short[0]]} ns, expected at least {least} (WIN-3)"
        )
    return found
