"""The number of rows of a trace that a timed iteration may ask for, so that they take a fiftieth of
its run.

The rows come behind the end of Run, where nothing else is to happen (spec/measurements.md,
MEAS-38). The time of one row is measured as the invocation goes on.
"""

from dramaturg.timing.validity.ledger import ROW, SPARED

USUAL = 2_000
"""Nanoseconds of a row, before any was measured."""

SWIFTEST = 100
"""Nanoseconds that nobody's row is below: it is written, read and parsed."""

FEW = 200
"""Rows from which on what else a call takes is small beside them."""

EVENT = 100
"""Nanoseconds of an event, where no run has been seen."""


class Rows:
    """The rows of one invocation."""

    def __init__(self, events: int) -> None:
        """``events``: of an iteration, about."""
        self._run_nanos = events * EVENT
        self._nanos = float(USUAL)
        self._measured = False

    @property
    def most(self) -> int:
        """Number of rows that the next iteration may ask for, at least 1."""
        return max(1, int(self._run_nanos / SPARED / self._nanos))

    def took(self, rows: int, nanos: int, run_nanos: int) -> None:
        """So many rows came in that time, behind a run of that. The swiftest counts: time that a
        core was lacking is no row's. Nobody has few by being slow: ``ROW`` is the most."""
        self._run_nanos = run_nanos
        if rows >= FEW:
            each = min(float(ROW), max(float(SWIFTEST), nanos / rows))
            self._nanos = min(self._nanos, each) if self._measured else each
            self._measured = True
