"""Does `dramaturg compare` call slower what is, and nothing else? About an hour on a quiet machine.

A/A: two copies of the same sources, in folders whose names have other lengths, are compared in 80
pairs on two rows each of three runtimes. Cut into disjoint blocks of ten pairs, at most as many may
be flagged as chance allows (6 of 48); of disjoint blocks of twelve, none may be confirmed. The
same pool, with B's times scaled, gives the power at 3, 5, 10 and 20 %: pairs are drawn from it
without putting back. Then the versions of conformance/mutants/slower, which take a tenth longer,
are compared as anybody would: at least eight of ten must be found, none may be called faster.

    compare_acceptance.py --output /tmp/acceptance
    compare_acceptance.py --output /tmp/acceptance --figures
    compare_acceptance.py --output /tmp/small --runtimes reference asyncio --pairs 24

Comparisons lie in FOLDER, as results of `dramaturg compare`, and are not made again: the program
can be interrupted at any moment, and goes on where it was. ``--figures`` measures nothing, and
prints what the results say so far. Exit code 0: all is done and within bounds; 1: something is not;
2: not all is done.
"""

import argparse
import json
import math
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import yaml
from scipy.stats import binom

from dramaturg import paths, results
from dramaturg.mutation import patches
from dramaturg.report.report_files import summarise
from dramaturg.report.summary import ComparedRow
from dramaturg.timing.statistics import difference
from dramaturg.timing.statistics.difference import Verdict

SLOWER = paths.CONFORMANCE / "mutants" / "slower"

RUNTIMES = ("erlang", "go", "pony")

ROWS = (
    {"benchmark": "pingpong", "parameters": {"rounds": 150_000}, "cores": 1},
    {"benchmark": "chatapp", "scenario": "compute-bound", "scale": "tiny"},
)
"""One that hands over, and one that computes: both are audited in little time. On two cores a
process of Pony hands over at one of two paces, three times apart, for as long as it lives."""

REPEATS = {"iterations": 8, "warmup": 2, "timeout": 120}
"""The median of three iterations of 20 to 90 ms varied by 15 to 20 % from process to process, that
of five by 4 %."""

PAIRS = 80

EFFECTS = (0.03, 0.05, 0.10, 0.20)

DRAWS = 200
"""Number of draws of first and fresh pairs out of each row's pool, for each effect."""

SURE = 0.99
"""So often right chance allows as many flagged blocks as are let through."""

FOUND = 0.8
"""The share of the slower versions that must be found."""

DIFFERENT = (Verdict.SLOWER, Verdict.FASTER)


@dataclass(frozen=True)
class Job:
    """One comparison."""

    name: str
    a: Path
    b: Path
    suite: dict[str, Any]
    options: tuple[str, ...] = ()


def jobs(runtimes: Sequence[str], pairs: int, folder: Path) -> Iterator[Job]:
    """All of them, A/A first. Copies are made as they are reached."""
    for runtime in runtimes:
        suite = {"suite": f"same-{runtime}", "benchmarks": list(ROWS), **REPEATS}
        # Fresh pairs are of no use if pairs are cut into blocks anyhow: as few as may be.
        few = ("--pairs", str(pairs), "--confirm", str(difference.FEWEST_FRESH))
        a = copied(folder / "a" / runtime, runtime)
        b = copied(folder / "in_a_folder_with_a_much_longer_name" / runtime, runtime)
        yield Job(f"same/{runtime}", a, b, suite, few)
    for name, entry in slower(runtimes).items():
        runtime, _, patch = name.partition("/")
        suite = {"suite": f"slower-{runtime}", "benchmarks": [entry], **REPEATS}
        a = copied(folder / "a" / runtime, runtime)
        b = copied(folder / patch / runtime, runtime, SLOWER / f"{name}.patch")
        yield Job(f"slower/{name}", a, b, suite)


def slower(runtimes: Sequence[str]) -> dict[str, Any]:
    """The versions of these runtimes, with the entry of a suite for each."""
    listed: dict[str, Any] = yaml.safe_load((SLOWER / "slower.yaml").read_text())
    return {name: entry for name, entry in listed.items() if name.partition("/")[0] in runtimes}


def copied(place: Path, runtime: str, patch: Path | None = None) -> Path:
    """A copy of its sources, made once: a copy that was cut short has no name yet."""
    if not place.exists():
        place.parent.mkdir(parents=True, exist_ok=True)
        begun = place.with_name(f"{place.name}.begun")
        subprocess.run(["rm", "-rf", str(begun)], check=True)
        patches.bring(paths.IMPLEMENTATIONS / runtime, patch, begun)
        begun.rename(place)
    return place


def perform(job: Job, folder: Path) -> None:
    """Run it, or what is left of it. A run that does not end is not done, and left to the next
    time."""
    target = folder / "results" / job.name
    file = target / results.TIMINGS
    if file.exists() and results.read(file).complete:
        return
    command = [str(paths.ROOT / "dramaturg"), "compare"]
    if file.exists():
        command += ["--resume", str(target)]
    else:
        target.mkdir(parents=True, exist_ok=True)
        suite = target / "suite.yaml"
        suite.write_text(json.dumps(job.suite))
        command += [str(job.a), str(job.b), str(suite), "--output", str(target), "--uncertified"]
        command += job.options
    say(f"{job.name}: {' '.join(command[1:3])}")
    subprocess.run([*command, "--json"], check=False, stdout=subprocess.DEVNULL)
    if not (file.exists() and results.read(file).complete):
        say(f"{job.name}: did not end; why stands above, and the same command goes on")


def rows_of(folder: Path, name: str) -> list[ComparedRow] | None:
    """Return the rows of a comparison; None if it is not done."""
    file = folder / "results" / name / results.TIMINGS
    if not (file.exists() and results.read(file).complete):
        return None
    found = summarise(file.parent).comparison
    return found.rows if found else None


def blocks(values: Sequence[float], size: int) -> list[list[float]]:
    """Disjoint ones, as they were taken, as logarithms."""
    logs = [math.log(value) for value in values]
    return [logs[at : at + size] for at in range(0, len(logs) - size + 1, size)]


def power(values: Sequence[float], effect: float) -> tuple[float, float]:
    """The shares of draws that are flagged, and that are confirmed to be slower."""
    random = np.random.default_rng(1)
    logs = np.log(np.asarray(values)) + math.log1p(effect)
    flagged = confirmed = 0
    first, fresh = difference.PAIRS, difference.CONFIRM
    for _ in range(DRAWS):
        drawn = random.permutation(logs)[: first + fresh]
        flagged += difference.is_flagged(list(drawn[:first]))
        found = difference.judged(list(drawn[:first]), list(drawn[first:]), difference.MARGIN)
        confirmed += found.verdict is Verdict.SLOWER
    return flagged / DRAWS, confirmed / DRAWS


def tell_same(folder: Path, runtimes: Sequence[str], planned: int) -> bool | None:
    """Print what A/A shows; return whether it is within bounds, None if not all is done."""
    pools: dict[str, list[float]] = {}
    for runtime in runtimes:
        for row in rows_of(folder, f"same/{runtime}") or []:
            if len(row.first) < planned:
                print(f"same/{runtime} {row.benchmark}: {row.why}")
            else:
                pools[f"{runtime} {row.benchmark}"] = row.first
    tens = [block for pool in pools.values() for block in blocks(pool, difference.PAIRS)]
    twelves = [block for pool in pools.values() for block in blocks(pool, difference.CONFIRM)]
    flagged = sum(map(difference.is_flagged, tens))
    confirmed = sum(
        difference.decided(block, difference.DECIDE, difference.MARGIN).verdict in DIFFERENT
        for block in twelves
    )
    most = int(binom.ppf(SURE, len(tens), difference.FLAG)) if tens else 0
    print(f"A/A: {flagged} of {len(tens)} blocks of {difference.PAIRS} flagged, at most {most}")
    print(f"A/A: {confirmed} of {len(twelves)} blocks of {difference.CONFIRM} confirmed, at most 0")
    enough = difference.PAIRS + difference.CONFIRM
    for name, pool in pools.items():
        if len(pool) < enough:
            print(f"{name}: {len(pool)} pairs; power takes {enough}")
            continue
        spread = 100 * float(np.std(np.log(pool)))
        said = [
            "{:g} %: {:.0%} flagged, {:.0%} confirmed".format(100 * effect, *power(pool, effect))
            for effect in EFFECTS
        ]
        print(f"{name}, a pair's ratio varies by {spread:.1f} %: {'; '.join(said)}")
    if len(pools) < len(runtimes) * len(ROWS) or not (tens and twelves):
        return None
    return flagged <= most and confirmed == 0


def tell_slower(folder: Path, runtimes: Sequence[str]) -> bool | None:
    """Print what came of the slower versions; as :func:`tell_same`."""
    verdicts: dict[str, Verdict] = {}
    names = list(slower(runtimes))
    for name in names:
        for row in rows_of(folder, f"slower/{name}") or []:
            at = "" if row.ratio is None else f" {row.ratio:.3f} ({row.low:.3f} to {row.high:.3f})"
            print(f"{name}: {row.said}{at}{row.why and f': {row.why}'}")
            if row.verdict is not Verdict.NONE:
                verdicts[name] = row.verdict
    found = list(verdicts.values()).count(Verdict.SLOWER)
    wrong = list(verdicts.values()).count(Verdict.FASTER)
    least = math.ceil(FOUND * len(names))
    print(f"a tenth slower: {found} of {len(names)} found, at least {least}; {wrong} called faster")
    if len(verdicts) < len(names) or not names:
        return None
    return found >= least and wrong == 0


def say(text: str) -> None:
    """Progress, beside the result."""
    print(text, file=sys.stderr, flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--output", type=Path, required=True, help="folder for what was done")
    parser.add_argument("--runtimes", nargs="+", default=list(RUNTIMES), metavar="NAME")
    parser.add_argument("--pairs", type=int, default=PAIRS, help="A/A, a row")
    parser.add_argument("--figures", action="store_true", help="measure nothing")
    options = parser.parse_args()
    folder = options.output.resolve()
    if not options.figures:
        try:
            for job in jobs(options.runtimes, options.pairs, folder / "copies"):
                perform(job, folder)
        except KeyboardInterrupt:
            say("interrupted; the same command goes on")
    said = [
        tell_same(folder, options.runtimes, options.pairs),
        tell_slower(folder, options.runtimes),
    ]
    if False in said:
        return 1
    return 2 if None in said else 0


if __name__ == "__main__":
    sys.exit(main())
