"""Was the work done at all? Work that an optimiser removed shows in no message.

Computing takes time, of which there is a lower bound: the number of calls that the
naive Fibonacci function makes, times what a call costs at least on this machine,
divided by the cores (MEAS-13). Faster than that is faster than possible.
"""

import hashlib
import json
import os
import shutil
import subprocess
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from dramaturg import paths
from dramaturg.machine import environment
from dramaturg.model.fibonacci import calls
from dramaturg.timing.scenarios import CHATAPP, Scenario
from dramaturg.v2 import benchmarks_pb2

MARGIN = 0.5
"""The calibrated cost is halved: the C compiler unrolls the recursion several levels deep
and shares calls between them, so that nobody is expected to be faster; but another
compiler might unroll deeper, and a false alarm costs more than a floor that is low."""

DEFAULT_COST = 0.05
"""Nanoseconds a call where there is no C compiler: four whole calls in every cycle of a
5 GHz core, which no unrolling reaches (a call that is not shared takes an addition, a
comparison and a branch)."""

TICKS = 0.02
"""Seconds by which the kernel's CPU accounting may be late: two ticks of 10 ms."""

_SOURCE = Path(__file__).with_name("fibonacci.c")
_HANDOVER = Path(__file__).with_name("handover.c")

LITTLE = 0.5
"""Seconds of CPU time that the computes of an invocation must need before what they took is
held against a probe: below that, what else a runtime does is not small beside it."""

DOUBTED, REFUSED = 0.9, 0.5
"""Of what the same computes take as a probe: below the first a result carries a caution, below
the second it is wrong."""


@dataclass(frozen=True, slots=True)
class Cost:
    """The least that things can take here, in nanoseconds, and where that is from."""

    nanos: float
    """A call of the Fibonacci function."""
    source: str
    cores: int
    handover: float = 0.0
    """A message, handed over within a thread; 0 where it was not measured."""
    crossing: float = 0.0
    """A message, handed over from one thread to another; no floor of anything, since nobody
    must do that."""
    handover_source: str = "not run"

    def to_dict(self) -> dict[str, object]:
        return asdict(self)

    def least(self, scenario: Scenario, computes: int) -> float:
        """CPU nanoseconds that so many computes take at least, on all cores together."""
        return computes * calls(scenario.parameters["fib_n"]) * self.nanos


def calibrate() -> Cost:
    """What things cost on this machine: measured once, then remembered in the cache folder."""
    cores = len(os.sched_getaffinity(0))
    if shutil.which("cc") is None:
        why = "there is no C compiler to calibrate with"
        return Cost(DEFAULT_COST, f"assumed: {why}", cores, handover_source=f"not run: {why}")
    try:
        (call,) = _measured(_SOURCE, 1)
        nanos = call * MARGIN
        source = f"half of {call:.3f} ns, the cost in C with `cc -O3` on this machine"
    except (OSError, ValueError, subprocess.SubprocessError):
        nanos, source = DEFAULT_COST, "assumed: the C compiler does not work"
    try:
        within, between = _measured(_HANDOVER, 2)
    except (OSError, ValueError, subprocess.SubprocessError) as error:
        return Cost(nanos, source, cores, handover_source=f"not run: {error}")
    text = f"half of {within:.3f} ns, in C with `cc -O3` on this machine"
    return Cost(nanos, source, cores, within * MARGIN, between * MARGIN, text)


def _measured(source: Path, figures: int) -> list[float]:
    """What a program of ours prints: nanoseconds. Raises OSError, ValueError and
    SubprocessError if it cannot be had."""
    compiler = shutil.which("cc")
    what = f"{source.read_text()}{environment.cpu_model()}{compiler}{os.sched_getaffinity(0)}"
    key = hashlib.sha256(what.encode()).hexdigest()
    remembered = paths.cache() / f"{source.stem}-{key[:16]}.json"
    try:
        return _checked(json.loads(remembered.read_text())["nanos"], figures)
    except (OSError, ValueError, KeyError, TypeError):
        measured = _checked(_run(source), figures)
    try:
        remembered.parent.mkdir(parents=True, exist_ok=True)
        remembered.write_text(json.dumps({"nanos": measured}))
    except OSError:
        pass  # It is measured again next time.
    return measured


def _checked(measured: Any, figures: int) -> list[float]:
    numbers = [float(number) for number in measured]
    if len(numbers) != figures or not all(0 < number < 1e6 for number in numbers):
        raise ValueError(f"{measured} ns, expected {figures} positive figures")
    return numbers


def _run(source: Path) -> list[str]:
    """The best of many short runs: what else the machine does can only make it slower."""
    with tempfile.TemporaryDirectory(prefix="dramaturg-") as folder:
        program = str(Path(folder) / source.stem)
        build = ["cc", "-O3", "-march=native", "-pthread", "-o", program, str(source)]
        subprocess.run(build, check=True, capture_output=True, timeout=60)
        done = subprocess.run([program], check=True, capture_output=True, text=True, timeout=60)
        return done.stdout.split()


def _computes(scenario: Scenario, receipt: benchmarks_pb2.Receipt) -> int:
    """Fibonacci numbers that the receipt says were computed; of web, where the workers are
    on the one node that is asked for time, those that its parameters ask for."""
    if receipt.WhichOneof("receipt") != scenario.benchmark:
        return 0
    if scenario.benchmark == CHATAPP:
        return receipt.chatapp.computes
    if scenario.benchmark == "web":
        return int(scenario.parameters["browsers"] * scenario.parameters["requests"])
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
        least = self._cost.least(self._scenario, computes)
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
