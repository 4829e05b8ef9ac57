"""Whether somebody was late because nobody gave it a core (spec/levels.md, LEVEL-35).

The kernel counts for how long each thread was ready and did not run. Who hangs does not want a
core, and who loops for ever has one: at equal priority, beside three others on as many cores as
one would fill, it has a fourth of the time or more.
"""

import os
import time
from collections.abc import Mapping
from dataclasses import dataclass, field

from dramaturg.processes.consumption import Consumption, waits_of

LEAST_SHARE = 0.2
"""Who had less than this of the core time that it was ready for was starved ..."""

LEAST_WAIT = 0.5
"""... if its threads waited together for at least this part of its life."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What one process and its descendants wanted of the cores, over some time. In seconds."""

    life: float
    ran: float
    waited: float
    """Of all threads that live, together."""

    def starved(self) -> str:
        """What it lacked, in words; empty if it had its share."""
        if self.waited < LEAST_WAIT * self.life or self.ran >= LEAST_SHARE * (
            self.ran + self.waited
        ):
            return ""
        return (
            f"had a core for {self.ran:.1f} s, and was ready and waited for one for"
            f" {self.waited:.1f} s, in {self.life:.1f} s"
        )


def own_waits() -> int:
    """For how many nanoseconds the threads of this process have waited for a core so far."""
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


def excuse(hungry: Mapping[str, Wanted]) -> str:
    """What the first of these lacked, in words that follow on what was late; empty if nobody
    lacked anything."""
    for who, wants in hungry.items():
        if lacked := wants.starved():
            return f"; the machine is too busy to tell: {who} {lacked}"
    return ""


def wanted(consumption: Consumption, started: float) -> Wanted:
    """Of a process that was started at that moment of the monotonic clock. Never raises: who
    has gone wants nothing."""
    moment = consumption.moment()
    return Wanted(time.monotonic() - started, moment.cpu / 1e9, sum(moment.waits.values()) / 1e9)
