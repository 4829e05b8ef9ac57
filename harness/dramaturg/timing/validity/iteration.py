"""One iteration, as it was claimed and as it was seen from outside: what everything that doubts
it is told."""

from collections.abc import Sequence
from dataclasses import dataclass

from dramaturg.conformance.link_traffic import Crossed
from dramaturg.control.session import Ran
from dramaturg.machine.interference import Interference
from dramaturg.processes.consumption import Used
from dramaturg.timing.validity.audit import Kept
from dramaturg.timing.validity.ledger import Closing, Elapsed, Tolerance
from dramaturg.v2 import benchmarks_pb2, control_pb2

Receipts = list[benchmarks_pb2.Receipt]


@dataclass(frozen=True, slots=True)
class Spent:
    """CPU time and memory of all processes, call by call."""

    cpu: tuple[int, int, int]
    """Nanoseconds in Prepare, Run and Teardown."""
    held: tuple[int, int, int]
    """Bytes before Prepare, before Run and after Run."""


@dataclass(frozen=True, slots=True)
class Measured:
    """One iteration, as it was claimed and as it was seen from outside."""

    iteration: int
    salt: int
    prepared: control_pb2.PrepareResponse
    """The answer of node 0."""
    ran: Ran
    receipts: Receipts
    """One for each node."""
    logs: Kept
    """The logs, to be read when nothing is timed any more."""
    elapsed: Elapsed
    tolerance: Tolerance
    cpu_seconds: float
    """The CPU time of all processes, since the first iteration began."""
    used: list[Used]
    """The consumption of each node, since its process was started."""
    source: str
    """The source of CPU time and memory, in words."""
    seconds: float
    """Seconds by the harness's clock, since the look before that one."""
    run_cpu: int | None
    """Nanoseconds of CPU time of all processes in Run; None where one is not ours to look at."""
    own_cpu: int
    """The same of the harness itself, all its threads, from before `Run` was sent to its answer's
    end."""
    interference: Interference
    """The part of the machine that others took in Run."""
    closing: Closing
    """The calls between the end of Run and Teardown."""
    run_wall: int = 0
    """Nanoseconds between the two looks that ``run_cpu`` is from."""
    outside_cpu: int | None = None
    """Nanoseconds of CPU time of all processes outside of Prepare, Run and Teardown: from the last
    iteration's end to this one's Prepare, and from the end of Run to Teardown."""
    teardown_cpu: int | None = None
    """The same in Teardown."""
    crossed: Crossed | None = None
    """The bytes and packets that crossed the network; None where nothing counts them."""
    strays: Sequence[str] = ()
    """The descendants of the processes that were not counted, at its beginning or its end, in
    words."""
    made: Sequence[Used] = ()
    """The consumption of each node when Prepare had been answered."""
    spent: Spent | None = None
    """The consumption of its calls; None where the harness may not look at a process."""

    @property
    def grown_memory(self) -> int | None:
        """Bytes by which the peak grew from Prepare's answer on; of a first iteration only."""
        if self.iteration > 0:
            return None
        return self.peak_memory - sum(then.peak_memory for then in self.made)

    @property
    def hidden_memory(self) -> int:
        """Bytes by which the peak was above what was held when Run was called."""
        return sum(then.peak_memory - then.held_memory for then in self.made)

    @property
    def peak_memory(self) -> int:
        """Bytes, all processes together."""
        return sum(used.peak_memory for used in self.used)

    @property
    def held_memory(self) -> int:
        """Bytes after Teardown, all processes together."""
        return sum(used.held_memory for used in self.used)

    @property
    def threads(self) -> int:
        """Number of threads that live after Teardown, of all nodes together."""
        return sum(used.threads for used in self.used)
