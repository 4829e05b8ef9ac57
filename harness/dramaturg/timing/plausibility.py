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

from dramaturg import paths
from dramaturg.conformance import environment
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


@dataclass(frozen=True, slots=True)
class Cost:
    """The least that a call can take here, in nanoseconds, and where that is from."""

    nanos: float
    source: str
    cores: int

    def to_dict(self) -> dict[str, object]:
        return asdict(self)

    def least(self, scenario: Scenario, computes: int) -> float:
        """CPU nanoseconds that so many computes take at least, on all cores together."""
        return computes * calls(scenario.parameters["fib_n"]) * self.nanos


def calibrate() -> Cost:
    """The cost of a call on this machine: measured once, then remembered in the cache folder."""
    cores = len(os.sched_getaffinity(0))
    compiler = shutil.which("cc")
    if compiler is None:
        return Cost(DEFAULT_COST, "assumed: there is no C compiler to calibrate with", cores)
    what = f"{_SOURCE.read_text()}{environment.cpu_model()}{compiler}"
    key = hashlib.sha256(what.encode()).hexdigest()
    remembered = paths.cache() / f"fibonacci-{key[:16]}.json"
    try:
        measured = float(json.loads(remembered.read_text())["nanos_per_call"])
    except (OSError, ValueError, KeyError, TypeError):
        try:
            measured = _measure(compiler)
        except (OSError, ValueError, subprocess.SubprocessError):
            return Cost(DEFAULT_COST, "assumed: the C compiler does not work", cores)
        _remember(remembered, measured)
    text = f"half of {measured:.3f} ns, the cost in C with `cc -O3` on this machine"
    return Cost(measured * MARGIN, text, cores)


def _remember(file: Path, measured: float) -> None:
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps({"nanos_per_call": measured}))
    except OSError:
        pass  # It is measured again next time.


def _measure(compiler: str) -> float:
    """The best of many short runs: what else the machine does can only make it slower."""
    with tempfile.TemporaryDirectory(prefix="dramaturg-") as folder:
        program = Path(folder) / "fibonacci"
        build = [compiler, "-O3", "-march=native", "-o", str(program), str(_SOURCE)]
        subprocess.run(build, check=True, capture_output=True, timeout=60)
        done = subprocess.run([program], check=True, capture_output=True, text=True, timeout=60)
        measured = float(done.stdout)
        if not 0 < measured < 1000:
            raise ValueError(f"{measured} ns a call")
        return measured


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

    def problems(self, receipt: benchmarks_pb2.Receipt, cpu_seconds: float) -> list[str]:
        """``cpu_seconds``: what the invocation's processes have consumed since Prepare."""
        computes = _computes(self._scenario, receipt)
        if not computes:
            return []
        least = self._cost.least(self._scenario, computes)
        self._needed += least
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
        return found
