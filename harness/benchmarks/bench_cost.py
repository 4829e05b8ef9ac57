"""The cost of the harness itself: of the run time, of a run that does nothing, and of memory.

    bench_cost.py go erlang

Times the suite `conformance/endurance/cost.yaml` on real implementations, then sessions of few and
of many invocations that do next to nothing. Exit code 0: the harness took less than 1 % of the run
time of all of them on all cores, and its memory did not grow with the samples; 1: not so, or
something did not pass.

A run of one ping-pong is as good as none. Its cost to the harness is the fixed cost: bytes written
and read, stamps, marks, an answer parsed.
"""

import argparse
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

import yaml
from distress import outlived

from dramaturg import paths, results
from dramaturg.outcomes import Outcome
from dramaturg.records import SampleRecord
from dramaturg.report import row_accounts
from dramaturg.results import Recorded

SUITE = paths.ROOT / "conformance" / "endurance" / "cost.yaml"
NOTHING = {"benchmark": "pingpong", "parameters": {"rounds": 1}}
ITERATIONS = 25
"""Number of iterations of each invocation. The harness keeps those of the one under way, for its
logs are judged at its end; so memory is compared of sessions with more invocations and not with
longer ones."""

FEW, MANY = 3, 30
"""Invocations of the two sessions."""

KEPT = 4096
"""Bytes for each further sample that count as none: an allocator takes memory in larger pieces. A
sample that is kept, with what was seen of it, has four times as many."""

_TAIL = 4096
"""Bytes within which a footer begins."""

OFTEN = 0.05
"""Seconds between two looks at memory."""


@dataclass(frozen=True, slots=True)
class Timed:
    """One run of bench."""

    recorded: Recorded
    peak: int
    """Bytes, of the harness's process alone, without what it started, until all is timed."""


def timed(suite: Path, names: list[str], folder: Path) -> Timed:
    """Perform it, without certificates: nothing is compared."""
    command = outlived("TERM", str(paths.ROOT / "dramaturg"), "bench", str(suite), "--json")
    command += ["--uncertified", "--output", str(folder)]
    for name in names:
        command += ["-i", name]
    peak = 0
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as bench:
        while bench.poll() is None:
            now = _peak(bench.pid)
            # The report comes after the last record, and has all samples at once.
            if not _is_ended(folder / results.TIMINGS):
                peak = max(peak, now)
            time.sleep(OFTEN)
    return Timed(results.read(folder / results.TIMINGS), peak)


def _is_ended(file: Path) -> bool:
    """True if its footer is there."""
    try:
        with file.open("rb") as stream:
            stream.seek(-min(_TAIL, file.stat().st_size), 2)
            return b'"footer"' in stream.read().rpartition(b"\n{")[2]
    except OSError:
        return False


def _peak(process: int) -> int:
    """Bytes that it has taken at most so far; 0 if it has ended."""
    try:
        lines = Path(f"/proc/{process}/status").read_text(encoding="ascii").splitlines()
    except OSError:
        return 0
    return next((int(of.split()[1]) * 1024 for of in lines if of.startswith("VmHWM")), 0)


def shares(recorded: Recorded) -> bool:
    """Print what the harness took of each run; return whether it was little, and everything
    passed."""
    well = _passed(recorded)
    grouped: dict[tuple[str, str], list[SampleRecord]] = defaultdict(list)
    for sample in recorded.samples:
        grouped[sample.implementation, f"{sample.benchmark} {sample.scenario}"].append(sample)
    for (name, what), samples in sorted(grouped.items()):
        share = row_accounts.beside(samples).harness
        if share is None:
            print(f"{name:<12}{what:<28} no record says")
            well = False
            continue
        millis = statistics.median(sample.run_nanos for sample in samples) / 1e6
        mark = "" if share < row_accounts.DEAR else f"   more than {row_accounts.DEAR:.0%}"
        print(f"{name:<12}{what:<28}{share:8.3%} of {millis:,.1f} ms, {len(samples)} runs{mark}")
        well = well and share < row_accounts.DEAR
    return well


def fixed(recorded: Recorded) -> bool:
    """Print what it takes for a run that does nothing; return whether everything passed."""
    grouped: dict[str, list[int]] = defaultdict(list)
    for sample in recorded.samples:
        if sample.ledger is not None and sample.ledger.harness_nanos is not None:
            grouped[sample.implementation].append(sample.ledger.harness_nanos)
    for name, nanos in sorted(grouped.items()):
        low, middle, high = statistics.quantiles(nanos, n=4)
        print(
            f"{name:<12}a run that does nothing      {middle / 1e3:,.0f} µs"
            f" (quartiles {low / 1e3:,.0f} and {high / 1e3:,.0f}), {len(nanos)} runs"
        )
    return bool(grouped) and _passed(recorded)


def _passed(recorded: Recorded) -> bool:
    wrong = [unit for unit in recorded.units if unit.outcome is not Outcome.PASS]
    for unit in wrong:
        print(f"{unit.outcome}: {unit.implementation} {unit.benchmark}: {unit.message}")
    return bool(recorded.units) and not wrong


def nothing(name: str, invocations: int, folder: Path) -> Timed:
    """So many invocations whose iterations do next to nothing."""
    folder.mkdir()
    suite = folder / "nothing.yaml"
    plan = {
        "suite": "nothing", "invocations": invocations, "iterations": ITERATIONS, "warmup": 1,
        "timeout": 60, "benchmarks": [NOTHING],
    }  # fmt: skip
    suite.write_text(yaml.safe_dump(plan), encoding="utf-8")
    return timed(suite, [name], folder / "results")


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("names", nargs="+", metavar="NAME")
    options = parser.parse_args()
    well = True
    with tempfile.TemporaryDirectory(prefix="dramaturg-cost-") as place:
        well &= shares(timed(SUITE, options.names, Path(place) / "suite").recorded)
        for name in options.names:
            few = nothing(name, FEW, Path(place) / f"{name}-few")
            many = nothing(name, MANY, Path(place) / f"{name}-many")
            well &= fixed(many.recorded)
            more = len(many.recorded.samples) - len(few.recorded.samples)
            grown = (many.peak - few.peak) / more if more > 0 else float("inf")
            mark = "" if grown <= KEPT else f"   more than {KEPT} bytes a sample"
            print(
                f"{name:<12}memory of the harness        {few.peak / 2**20:,.1f} MiB for"
                f" {len(few.recorded.samples)} samples, {many.peak / 2**20:,.1f} MiB for"
                f" {len(many.recorded.samples)}{mark}"
            )
            well &= grown <= KEPT
    return 0 if well else 1


if __name__ == "__main__":
    sys.exit(main())
