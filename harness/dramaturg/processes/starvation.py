"""Finds out if a process was late because nobody gave it a core (spec/levels.md, LEVEL-35).

The kernel counts the time that each thread was ready and did not run. A process that hangs does not
want a core, and one that loops for ever has one: at equal priority, beside three others on as many
cores as one would fill, it has a fourth of the time or more.
"""

import os
import time
from collections.abc import Iterable
from dataclasses import dataclass, field

from dramaturg.processes.consumption import Consumption, Moment, waits_of

LEAST_SHARE = 0.2
"""A process that had less than this share of the core time for which it was ready was starved
..."""

LEAST_WAIT = 0.5
"""... if its threads waited together for at least this part of the time that is looked at."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """The core time that one process and its descendants wanted, over some time. In seconds."""

    life: float
    ran: float
    waited: float
    """The time that all live threads waited, together."""

    def starved(self) -> str:
        """The core time that it lacked, in words; empty if it had its share."""
        if self.waited < LEAST_WAIT * self.life or self.ran >= LEAST_SHARE * (
            self.ran + self.waited
        ):
            return ""
        return (
            f"had a core for {self.ran:.1f} s, and was ready and waited for one for"
            f" {self.waited:.1f} s, in {self.life:.1f} s"
        )


def own_waits() -> int:
    """Return the nanoseconds for which the threads of this process have waited for a core so
    far."""
    return sum(waits_of(os.getpid()).values())


@dataclass(frozen=True, slots=True)
class Own:
    """This process, from when this was made."""

    _begun: float = field(default_factory=time.monotonic)
    _ran: float = field(default_factory=time.process_time)
    _waited: int = field(default_factory=own_waits)

    def wanted(self) -> Wanted:
        """Since then."""
        return Wanted(
            time.monotonic() - self._begun,
            time.process_time() - self._ran,
            (own_waits() - self._waited) / 1e9,
        )


def excuse(hungry: Iterable[tuple[str, Wanted]]) -> str:
    """The core time that the first of these lacked, in words that follow on what was late; empty
    if none lacked any."""
    for who, wants in hungry:
        if lacked := wants.starved():
            return f"; the machine is too busy to tell: {who} {lacked}"
    return ""


@dataclass(frozen=True, slots=True)
class Earlier:
    """The figures of a process at an earlier moment of the monotonic clock. A short wait after a
    long life is judged from there: the whole life says nothing of it."""

    moment: Moment
    at: float


def wanted(consumption: Consumption, earlier: Earlier) -> Wanted:
    """The core time wanted by a process since then. Never raises: a process that has gone wants
    none."""
    now, before = consumption.moment(), earlier.moment
    waited = sum(max(0, wait - before.waits.get(thread, 0)) for thread, wait in now.waits.items())
    return Wanted(time.monotonic() - earlier.at, (now.cpu - before.cpu) / 1e9, waited / 1e9)
