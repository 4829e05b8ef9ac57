"""Was the work done at all? Work that an optimiser removed shows in no message.

Computing takes time, of which there is a lower bound: the number of calls that the
naive Fibonacci function makes, times what a call costs at least on this machine,
divided by the cores (MEAS-13). Faster than that is faster than possible.
"""

from dramaturg.machine.floors import Cost
from dramaturg.model.fibonacci import calls
from dramaturg.timing.scenarios import CHATAPP, Scenario
from dramaturg.v2 import benchmarks_pb2

TICKS = 0.02
"""Seconds by which the kernel's CPU accounting may be late: two ticks of 10 ms."""

LITTLE = 0.5
"""Seconds of CPU time that the computes of an invocation must need before what they took is
held against a probe: below that, what else a runtime does is not small beside it."""

DOUBTED, REFUSED = 0.9, 0.5
"""Of what the same computes take as a probe: below the first a result carries a caution, below
the second it is wrong."""


def _computes(scenario: Scenario, receipt: benchmarks_pb2.Receipt) -> int:
    """Fibonacci numbers that the receipt says were computed; of web, where the workers are
    on the one node that is asked for time, those that its parameters ask for."""
    if receipt.WhichOneof("receipt") != scenario.benchmark:
        return 0
    if scenario.benchmark == CHATAPP:
        return receipt.chatapp.computes
    if scenario.benchmark == "web":
        return int(scenario.parameters["browsers"] * scenario.parameters["requests"])
    if scenario.benchmark == "openweb":
        return int(scenario.parameters["requests"])
    return 0


class WorkCheck:
    """Work claimed against time and CPU time, over the iterations of one invocation."""

    def __init__(self, scenario: Scenario, cost: Cost) -> None:
        self._scenario = scenario
        self._cost = cost
        self._needed = 0.0
        self._computed = 0
        self.probe = 0.0
        """CPU nanoseconds of a call on this runtime, as a probe; 0 while nobody knows."""
        self.share: float | None = None
        """Of what the computes so far take as a probe, what was consumed; None if too little
        was computed, or nobody knows."""

    def probed(self, nanos: float) -> str:
        """A probe took so many CPU nanoseconds for each call. What is wrong with that."""
        self.probe = nanos
        if nanos >= self._cost.nanos:
            return ""
        return (
            f"as a probe a call of fib took {nanos:.4f} ns of CPU time, expected at least"
            f" {self._cost.nanos:.4f} ns: the probe is not computed (MEAS-29)"
        )

    def problems(self, receipt: benchmarks_pb2.Receipt, cpu_seconds: float) -> list[str]:
        """``cpu_seconds``: what the invocation's processes have consumed since Prepare."""
        return self._messages(receipt) + self._work(receipt, cpu_seconds)

    def _messages(self, receipt: benchmarks_pb2.Receipt) -> list[str]:
        """Whether there was time to hand all messages over. Of ping-pong there is one at a time."""
        if receipt.WhichOneof("receipt") != self._scenario.benchmark:
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

    def _work(self, receipt: benchmarks_pb2.Receipt, cpu_seconds: float) -> list[str]:
        computes = _computes(self._scenario, receipt)
        if not computes:
            return []
        least = computes * calls(self._scenario.parameters["fib_n"]) * self._cost.nanos
        self._needed += least
        self._computed += computes
        found = []
        shortest = least / self._cost.cores
        if receipt.run_nanos < shortest:
            found.append(
                f"{computes} computes in {receipt.run_nanos / 1e6:.3f} ms, expected at least"
                f" {shortest / 1e6:.3f} ms on {self._cost.cores} cores:"
                " the work was optimised away (MEAS-13)"
            )
        if (cpu_seconds + TICKS) * 1e9 < self._needed:
            found.append(
                f"{cpu_seconds:.3f} s of CPU time so far, expected at least"
                f" {self._needed / 1e9:.3f} s for the computes: the work was optimised away"
                " (MEAS-13)"
            )
        return found or self._beside_the_probe(cpu_seconds)

    def _beside_the_probe(self, cpu_seconds: float) -> list[str]:
        each = calls(self._scenario.parameters["fib_n"])
        needed = self._computed * each * self.probe / 1e9
        if needed < LITTLE:
            return []
        self.share = (cpu_seconds + TICKS) / needed
        if self.share >= REFUSED:
            return []
        return [
            f"{self._computed} computes in {cpu_seconds:.3f} s of CPU time; as a probe, on the"
            f" same runtime, they take {self._computed} * {each} calls * {self.probe:.3f} ns ="
            f" {needed:.3f} s (natively at least {self._needed / 1e9:.3f} s): the work was not"
            " done, or is not the same (MEAS-28)"
        ]
