"""Was the work done at all? Work that an optimiser removed shows in no message.

Computing takes time, of which there is a lower bound: the number of calls that the
naive Fibonacci function makes, times what a call costs at least on this machine,
divided by how many computes can be under way at once (MEAS-13). Faster than that is faster than
possible. Nearer to what is honest are two others: what the same calls take as a probe of the same
process (MEAS-28), and what they take in a program of the harness's own in the same language
(MEAS-42).
"""

from dataclasses import dataclass

from dramaturg.machine.call_floor import Floor
from dramaturg.machine.floors import Cost
from dramaturg.model.fibonacci import calls
from dramaturg.model.receipt_names import benchmark_of
from dramaturg.model.workload import MICRO
from dramaturg.timing.planning.scenarios import CHATAPP, Scenario
from dramaturg.v2 import benchmarks_pb2

TICKS = 0.02
"""Seconds by which the kernel's CPU accounting may be late: two ticks of 10 ms."""

LATE = 0.001
"""Seconds by which it may be late in each of many runs: late at one end is early at the other."""

ROUNDED = 0.001
"""Seconds by which a run may be longer than it says: some clocks count milliseconds."""

LITTLE = 0.5
"""Seconds of CPU time that computes must need before what they took is held against a probe:
below that, what else a runtime does is not small beside it."""

DOUBTED, REFUSED = 0.9, 0.5
"""The shares of what the same computes take as a probe: below the first a result carries a
caution, below the second it is wrong."""

NATIVE = 0.5
"""The share of what a call takes in the harness's own program in the same language: no probe, and
no compute of a run, takes less. The same text, by the same compiler, takes as much."""

AGAIN = 1.5
"""Times that floor, below which a probe has it measured once more: the machine may have been
slower then than it is now."""

NO_FLOOR = Floor(None, "not run: nothing is computed")

BY_CLOCK = "computes, clock"
"""The name of a bound: what the same computes take as a probe, against the run time."""

HURRIED = "of the time that its computes take as a probe"
"""Words of the caution about runs that were that short; a report finds it by them."""

THIS_RUN, ALL_RUNS = "this run", "the timed runs so far"


@dataclass(slots=True)
class _Done:
    """Computes, and the CPU seconds of the runs that they were in."""

    computes: int = 0
    cpu_seconds: float = 0.0
    runs: int = 0
    run_seconds: float = 0.0
    """Seconds that those runs took."""

    @property
    def longest(self) -> float:
        """Seconds that those runs may have taken, with what rounding took away."""
        return self.run_seconds + self.runs * ROUNDED

    @property
    def most(self) -> float:
        """Seconds that those runs may have consumed, of which the kernel's account is late."""
        return self.cpu_seconds + TICKS + (self.runs - 1) * LATE


@dataclass(frozen=True, slots=True)
class _Kind:
    """A kind of computing, and the requirements on it."""

    many: str = "computes"
    part: str = "call"
    probe: str = "a call of fib"
    native: str = "MEAS-13"
    beside: str = "MEAS-28"
    floor: str = "MEAS-29"


_FIBONACCI = _Kind()
_PAYLOADS = _Kind("payloads", "byte", "a byte of a payload", "MEAS-46", "MEAS-46", "MEAS-46")


def computes(scenario: Scenario) -> bool:
    """True if its actors compute Fibonacci numbers."""
    return "fib_n" in scenario.parameters


def _computes(scenario: Scenario, receipt: benchmarks_pb2.Receipt) -> int:
    """Fibonacci numbers that the receipt says were computed; of web, where the workers are
    on the one node that is asked for time, those that its parameters ask for."""
    if benchmark_of(receipt) != scenario.benchmark:
        return 0
    if scenario.benchmark == CHATAPP:
        return receipt.chatapp.computes
    if scenario.benchmark == "web":
        return int(scenario.parameters["browsers"] * scenario.parameters["requests"])
    if scenario.benchmark == "openweb":
        return int(scenario.parameters["requests"])
    if scenario.benchmark == "broker":
        return int(scenario.parameters["tasks"])
    return 0


class WorkCheck:
    """Work claimed against time and CPU time, over the iterations of one invocation."""

    def __init__(self, scenario: Scenario, cost: Cost, floor: Floor = NO_FLOOR) -> None:
        self._scenario = scenario
        self._cost = cost
        self.floor = floor
        """The floor of the language in which it is written."""
        self._timed = _Done()
        reads = scenario.benchmark == "broker"
        self._kind = _PAYLOADS if reads else _FIBONACCI
        self.native = cost.byte if reads else cost.nanos
        """Nanoseconds of a call, or of a byte, that nobody is faster than on this machine."""
        self.probe = 0.0
        """CPU nanoseconds of a call on this runtime, as a probe; 0 while nobody knows."""
        self.share: float | None = None
        """The consumption of this run, or of the timed runs so far, as a share of what their
        computes take as a probe; None if too little was computed, or nobody knows."""
        self.judged = ""
        """The work of the last iteration that was compared with that, in words, or why none was;
        empty where nothing is computed."""
        self.margins: dict[str, float] = {}
        """For each bound on the last iteration's work, the share of it that was used."""
        self._shortest = 1.0
        """The least run time, as a share of what its computes take as a probe."""

    @property
    def cores(self) -> int:
        """Number of cores on which it may compute."""
        return self._cost.cores

    @property
    def at_once(self) -> int:
        """The number of computes that can be under way at once."""
        p, benchmark = self._scenario.parameters, self._scenario.benchmark
        names = ("clients",) if benchmark == CHATAPP else MICRO[benchmark].at_once
        return min([self.cores, *(int(p[name]) for name in names)])

    @property
    def compute(self) -> float:
        """Nanoseconds of one compute as a probe; 0 while nobody knows, or if there is none."""
        return self._calls * self.each if self.each else 0.0

    @property
    def _calls(self) -> int:
        """The calls of one compute, or the bytes of one payload."""
        if self._kind is _PAYLOADS:
            return int(self._scenario.parameters["size"])
        return calls(self._scenario.parameters["fib_n"])

    def is_low(self, nanos: float) -> bool:
        """True if a probe is so low that the floor ought to be measured once more."""
        return self.floor.nanos is not None and nanos < AGAIN * NATIVE * self.floor.nanos

    def probed(self, nanos: float) -> str:
        """Take a probe, in CPU nanoseconds for each call. Return what is wrong with it."""
        self.probe = nanos
        if nanos < self.native:
            return (
                f"as a probe {self._kind.probe} took {nanos:.4f} ns of CPU time, expected at least"
                f" {self.native:.4f} ns: the probe is not computed ({self._kind.floor})"
            )
        if self.floor.nanos is not None and nanos < NATIVE * self.floor.nanos:
            return (
                f"as a probe a call of fib took {nanos:.4f} ns of CPU time, expected at least"
                f" {NATIVE * self.floor.nanos:.4f} ns, half of {self.floor.source}: the probe makes"
                " fewer calls than fib(n) does (MEAS-42)"
            )
        return ""

    def problems(
        self, receipt: benchmarks_pb2.Receipt, cpu_seconds: float | None, *, timed: bool = True
    ) -> list[str]:
        """``cpu_seconds``: what the processes have consumed in this Run; None where nobody knows.
        ``timed``: whether it counts for the sum over runs, which warm-up and audits do not."""
        self.share, self.judged, self.margins = None, "", {}
        return self._messages(receipt) + self._work(receipt, cpu_seconds, timed)

    def _messages(self, receipt: benchmarks_pb2.Receipt) -> list[str]:
        """Check that there was time to hand all messages over. Ping-pong has one at a time."""
        if benchmark_of(receipt) != self._scenario.benchmark:
            return []
        messages, each = self._scenario.messages(receipt), self._cost.handover
        cores = 1 if self._scenario.benchmark == "pingpong" else self._cost.cores
        shortest = messages * each / cores
        if receipt.run_nanos >= shortest:
            return []
        return [
            f"impossible: {messages} messages in {receipt.run_nanos / 1e6:.3f} ms; {messages} *"
            f" {each:.3f} ns / {cores} {'core' if cores == 1 else 'cores'} are"
            f" {shortest / 1e6:.3f} ms, {each:.3f} ns being {self._cost.handover_source}"
            " (MEAS-24)"
        ]

    def _work(
        self, receipt: benchmarks_pb2.Receipt, cpu_seconds: float | None, timed: bool
    ) -> list[str]:
        computes = _computes(self._scenario, receipt)
        if not computes:
            return []
        least, kind = computes * self._calls * self.native, self._kind
        found = []
        shortest = least / self.at_once
        if receipt.run_nanos < shortest:
            found.append(
                f"{computes} {kind.many} in {receipt.run_nanos / 1e6:.3f} ms, expected at least"
                f" {shortest / 1e6:.3f} ms with {self.at_once} at once on {self.cores} cores:"
                f" the work was optimised away ({kind.native})"
            )
        if cpu_seconds is None:
            self.judged = "not judged: its processes are not the harness's to look at"
            return found
        if (cpu_seconds + TICKS) * 1e9 < least:
            found.append(
                f"{cpu_seconds:.3f} s of CPU time in Run, expected at least {least / 1e9:.3f} s for"
                f" the {kind.many}: the work was optimised away ({kind.native})"
            )
        if timed:
            self._timed.computes += computes
            self._timed.cpu_seconds += cpu_seconds
            self._timed.runs += 1
            self._timed.run_seconds += receipt.run_nanos / 1e9
        run = _Done(computes, cpu_seconds, 1, receipt.run_nanos / 1e9)
        return found or self._held_against(run)

    def _held_against(self, run: _Done) -> list[str]:
        """This run, or where it is too small all that count, against both floors: the probe by the
        implementation itself, and the program of ours."""
        found = []
        each = self.each
        if which := self._enough(run, each):
            called, done = which
            needed = self._needed(done, each)
            self.judged, self.share = called, done.most / needed
            self.margins[self._kind.beside] = REFUSED / self.share
            if self.share < REFUSED:
                found.append(
                    f"{done.computes} {self._kind.many} of {called} took {done.cpu_seconds:.3f} s"
                    " of CPU time; as a probe, on the same runtime, they take"
                    f" {done.computes} * {self._calls} {self._kind.part}s * {each:.3f} ns ="
                    f" {needed:.3f} s: the work was not done in Run, or is not the same"
                    f" ({self._kind.beside})"
                )
            else:
                found += self._by_the_clock(called, done, needed)
        elif each:
            little = max(self._needed(run, each), self._needed(self._timed, each))
            self.judged = (
                f"too little to be judged: {little:.3f} s of computing as a probe, needed are"
                f" {LITTLE} s"
            )
        if self.floor.nanos is not None and (which := self._enough(run, self.floor.nanos)):
            called, done = which
            needed = NATIVE * self._needed(done, self.floor.nanos)
            self.margins["MEAS-42"] = needed / done.most
            if done.most < needed and not found:
                found.append(
                    f"{done.computes} computes of {called} took {done.cpu_seconds:.3f} s of CPU"
                    f" time, expected at least {needed:.3f} s: half of {self.floor.source}, for"
                    f" each of {done.computes} * {self._calls} calls: fewer were made (MEAS-42)"
                )
        return found

    def _by_the_clock(self, called: str, done: _Done, needed: float) -> list[str]:
        """The CPU time is there; but an actor that computes has one core, and others wait."""
        shortest = needed / self.at_once
        share = done.longest / shortest
        self.margins[BY_CLOCK] = REFUSED / share
        self._shortest = min(self._shortest, share)
        if share >= REFUSED:
            return []
        return [
            f"{done.computes} {self._kind.many} of {called} took {done.run_seconds:.3f} s; as a"
            f" probe, with {self.at_once} at once, they take {shortest:.3f} s, expected at least"
            f" half of that: they were split, or answered before they were done"
            f" ({self._kind.beside})"
        ]

    def doubts(self) -> list[str]:
        """The caution by the whole probe about the run time of all iterations so far: no fault, but
        shown."""
        if self._shortest >= DOUBTED:
            return []
        return [
            f"{self._shortest:.2f} {HURRIED}, with {self.at_once} at once ({self._kind.beside})"
        ]

    @property
    def each(self) -> float:
        """Nanoseconds of a call as a probe; where that took longer than our own program, which was
        measured when the machine was at its fastest, as that took. 0 while nobody knows."""
        return min(self.probe, self.floor.nanos or self.probe)

    def _enough(self, run: _Done, nanos: float) -> tuple[str, _Done] | None:
        """The runs that can be judged at so many nanoseconds a call, and their name."""
        of = [(THIS_RUN, run), (ALL_RUNS, self._timed)]
        return next((each for each in of if self._needed(each[1], nanos) >= LITTLE), None)

    def _needed(self, done: _Done, nanos: float) -> float:
        """CPU seconds."""
        return done.computes * self._calls * nanos / 1e9
