"""The least that a call and a message can take on this machine: measured, not assumed, in C."""

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

MARGIN = 0.5
"""The calibrated cost is halved: the C compiler unrolls the recursion several levels deep
and shares calls between them, so that nobody is expected to be faster; but another
compiler might unroll deeper, and a false alarm costs more than a floor that is low."""

DEFAULT_COST = 0.05
"""Nanoseconds a call where there is no C compiler: four whole calls in every cycle of a
5 GHz core, which no unrolling reaches (a call that is not shared takes an addition, a
comparison and a branch)."""

_SOURCE = Path(__file__).with_name("fibonacci.c")
_PAYLOAD = Path(__file__).with_name("payload.c")
_HANDOVER = Path(__file__).with_name("handover.c")


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
    byte: float = 0.0
    """A byte of broker's payload, made and read; 0 where it was not measured."""

    def to_dict(self) -> dict[str, object]:
        return asdict(self)


def calibrate() -> Cost:
    """The native costs on this machine: measured once, then remembered in the cache folder."""
    cores = len(environment.pinned_to() or range(os.cpu_count() or 1))
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
        (byte,) = _measured(_PAYLOAD, 1)
    except (OSError, ValueError, subprocess.SubprocessError):
        byte = 0.0
    try:
        within, between = _measured(_HANDOVER, 2)
    except (OSError, ValueError, subprocess.SubprocessError) as error:
        said = f"not run: {error}"
        return Cost(nanos, source, cores, handover_source=said, byte=byte * MARGIN)
    text = f"half of {within:.3f} ns, in C with `cc -O3` on this machine"
    return Cost(nanos, source, cores, within * MARGIN, between * MARGIN, text, byte * MARGIN)


def _measured(source: Path, figures: int) -> list[float]:
    """The nanoseconds that a program of ours prints. Raises OSError, ValueError and
    SubprocessError if it cannot be had."""
    compiler = shutil.which("cc")
    what = f"{source.read_text()}{environment.cpu_model()}{compiler}{environment.pinned_to()}"
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
    """The best of many short runs: other work of the machine can only make it slower."""
    with tempfile.TemporaryDirectory(prefix="dramaturg-") as folder:
        program = str(Path(folder) / source.stem)
        build = ["cc", "-O3", "-march=native", "-pthread", "-o", program, str(source)]
        subprocess.run(build, check=True, capture_output=True, timeout=60)
        done = subprocess.run([program], check=True, capture_output=True, text=True, timeout=60)
        return done.stdout.split()
