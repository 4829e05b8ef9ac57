"""Compares the costs of Prepare and Teardown with Run (spec/measurements.md, MEAS-44).

A trace before Run shows the watched actors that are there. One that is made there and enters no
log before its first message shows in no trace. But making it takes memory, and CPU time, and of
some benchmarks every actor but one is made in Run: there Prepare and Teardown have next to nothing
to do, however large the world is.
"""

from dataclasses import dataclass, field

from dramaturg.model.workload import MICRO
from dramaturg.timing.validity.iteration import Spent

SLACK = 192 << 20
"""Bytes by which a process may grow in its first Prepare beyond what it grows by in Run: what a
runtime loads and makes once; a JVM with its actor system, 81 MiB on a busy machine."""

SHARE = 1.0
"""The share of the CPU time of all Runs but the first that their Prepares and Teardowns may take
beyond ``FIXED``: a collector ends in Teardown what it began in Run."""

FIXED = 0.05
"""Seconds of CPU time that Prepare and Teardown take at any size: threads that look for work."""

LITTLE = 0.2
"""Seconds of CPU time in Prepare and Teardown, of all iterations, below which nothing is held
against Run."""


@dataclass(slots=True)
class Beforehand:
    """The iterations of one invocation so far."""

    benchmark: str
    runs: int = 0
    beside: float = 0.0
    """CPU seconds of Prepare and Teardown, without the first iteration's."""
    within: float = 0.0
    """The same of Run."""
    margins: dict[str, float] = field(default_factory=dict)
    """For each bound, the share of it that was used."""
    _is_born_in_run: bool = field(init=False)

    def __post_init__(self) -> None:
        micro = MICRO.get(self.benchmark)
        # ChatApp's poker makes the others in Prepare.
        self._is_born_in_run = micro is not None and micro.born_in_run

    def problems(self, spent: Spent | None) -> list[str]:
        """The faults of one more iteration."""
        self.margins = {}
        if not self._is_born_in_run or spent is None:
            return []
        self.runs += 1
        return self._memory(spent) if self.runs == 1 else self._time(spent)

    def _memory(self, spent: Spent) -> list[str]:
        """A process seldom gives memory back, so only the first iteration tells."""
        before, ready, after = spent.held
        made, grown = ready - before, max(0, after - ready)
        self.margins["MEAS-44 memory"] = max(0, made) / (SLACK + grown)
        if made <= SLACK + grown:
            return []
        return [
            f"the first Prepare took {made >> 20} MiB and the first Run {grown >> 20} MiB, expected"
            f" at most {(SLACK + grown) >> 20} MiB in Prepare: in {self.benchmark} one actor is"
            " there before Run, and the others are made in it (MEAS-44)"
        ]

    def _time(self, spent: Spent) -> list[str]:
        prepare, run, teardown = (nanos / 1e9 for nanos in spent.cpu)
        self.beside += prepare + teardown
        self.within += run
        most = SHARE * self.within + FIXED * (self.runs - 1)
        if self.beside < LITTLE:
            return []
        self.margins["MEAS-44"] = self.beside / most
        if self.beside <= most:
            return []
        return [
            f"over {self.runs - 1} iterations Prepare and Teardown took {self.beside:.3f} s of CPU"
            f" time and Run {self.within:.3f} s, expected at most {most:.3f} s beside Run: in"
            f" {self.benchmark} one actor is there before Run, and the others are made in it"
            " (MEAS-44)"
        ]
