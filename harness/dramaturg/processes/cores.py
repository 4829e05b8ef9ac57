"""The time of a machine's cores, beside which the time of processes is seen."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Cores:
    """The cores of one machine up to a moment. In nanoseconds, all cores together."""

    first: int | None
    """The time for which they were busy, as ``interference.busy`` has it, read before anything else
    at that moment."""
    last: int | None
    """The same, read behind everything else."""
    taken: int
    """The time that a host or a quota took of them."""

    def since(self, before: "Cores") -> int | None:
        """The time for which they were busy between two moments, at most. None where the system
        does not say."""
        return None if self.last is None or before.first is None else self.last - before.first
