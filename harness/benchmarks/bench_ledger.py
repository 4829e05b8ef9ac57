"""False alarms: right implementations, timed while every core is busy with something else.

Times `conformance/endurance/honest.yaml`, in which nothing is wrong, beside a busy loop for each
core. Whatever is found wrong is a false alarm of the ledger, the floors, the marks or the looks,
and is printed. So is, for each bound, the largest share of it that an honest iteration used, and
whose: above a half it is too narrow. A bound that no iteration was held against is *not run*: of it
nothing is known. It can be interrupted and goes on with the folder that is
there:

    bench_ledger.py --output /tmp/honest erlang caf
    bench_ledger.py --output /tmp/honest erlang caf --minutes 5     # and again, until it is done

Exit code 0: all invocations were timed, none was found wrong, and half of each bound would have
done; 1: not so; 2: not all are done, or some cannot be here (a network needs the rights of root).
"""

import argparse
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path

from distress import distressed, outlived

from dramaturg import paths, results
from dramaturg.outcomes import Outcome
from dramaturg.results import Recorded
from dramaturg.timing.validity.plausibility import BY_CLOCK

SUITE = paths.ROOT / "conformance" / "endurance" / "honest.yaml"


def timed(names: list[str], folder: Path, minutes: float | None) -> None:
    """Go on with the folder, or begin it; at most for so long."""
    command = outlived("TERM", str(paths.ROOT / "dramaturg"), "bench", "--json")
    if (folder / results.TIMINGS).exists():
        command += ["--resume", str(folder)]
    else:
        command += [str(SUITE), "--uncertified", "--output", str(folder)]
        for name in names:
            command += ["-i", name]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as bench:
        try:
            bench.wait(None if minutes is None else minutes * 60)
        except (subprocess.TimeoutExpired, KeyboardInterrupt):
            bench.send_signal(signal.SIGTERM)
            bench.wait()


ENOUGH = 0.5
"""The share of a bound that honest iterations may use: few have been seen of all that there are."""

FULL = ("run_cpu", "lateness, in one bucket")
"""Bounds that may be used up: nobody computes longer than there are cores, and no share of requests
is twice as large as half of them."""


BOUNDS = (
    "MEAS-25", "MEAS-28", "MEAS-33", "MEAS-42", "MEAS-44", "MEAS-44 memory", "MEAS-46", BY_CLOCK,
    "closing", "closings", "outside_cpu", "teardown_cpu", "run_cpu",
    "latency, buckets", "latency, queue", "latency, work",
    "lateness, buckets", "lateness, in one bucket",
    "look-arrivals", "look-counts", "look-lateness", "look-latency", "look-naps", "look-pace",
    "look-ticks", "look-turns", "look-windows", "look-work",
    "network, at rest", "network, in Run", "windows, what is left",
    "order-arrivals", "order-lateness", "order-latency", "order-turns",
)  # fmt: skip
"""The names of all bounds that records have shares of."""


def used(recorded: Recorded) -> dict[str, tuple[float, str]]:
    """Return the largest share of each bound that was used, and its place."""
    worst: dict[str, tuple[float, str]] = {}
    for record in (*recorded.samples, *recorded.audits, *recorded.units):
        ledger = getattr(record, "ledger", None)
        margins = ledger.margins if ledger is not None else getattr(record, "margins", {})
        for bound, share in margins.items():
            if share > worst.get(bound, (-1.0, ""))[0]:
                worst[bound] = share, f"{record.implementation} {record.benchmark}"
    return worst


def of_bounds(worst: dict[str, tuple[float, str]]) -> list[str]:
    """Return a line for each bound, the narrowest first, and behind them those of which nothing is
    known."""
    most = sorted(worst.items(), key=lambda each: -each[1][0])
    found = [
        f"{bound}: {share:.2f} of it at most, in {what}" if share else f"{bound}: none of it"
        for bound, (share, what) in most
    ]
    missing = [bound for bound in BOUNDS if bound not in worst]
    return [*found, *(f"{bound}: not run: no iteration was held against it" for bound in missing)]


def told(recorded: Recorded) -> int:
    """Print what was found, and how long what lay beside the claims was."""
    units = recorded.units
    other = [unit for unit in units if unit.outcome is not Outcome.PASS]
    wrong = [unit for unit in other if unit.outcome is not Outcome.NOT_RUN]
    for unit in other:
        what = f"{unit.implementation} {unit.benchmark}, invocation {unit.invocation}"
        print(f"{unit.outcome}: {what}: {unit.message}")
    for name in sorted({unit.implementation for unit in units}):
        mine = [sample for sample in recorded.samples if sample.implementation == name]
        seen = [(sample, sample.ledger) for sample in mine if sample.ledger is not None]
        beside = sorted(
            100 * (ledger.run_nanos - sample.run_nanos) / ledger.tolerance_nanos
            for sample, ledger in seen
        )
        ended = Counter(unit.outcome for unit in units if unit.implementation == name)
        outcomes = ", ".join(f"{count} {outcome}" for outcome, count in ended.items())
        short = sum(ledger.too_short for _, ledger in seen)
        forgiven = sum(ledger.forgiven_nanos > 0 for _, ledger in seen)
        print(
            f"{name}: invocations: {outcomes}; {len(mine)} iterations, {short} too short to be"
            f" precise, {forgiven} of them since threads waited long; beside Run lay"
            f" {beside[len(beside) // 2]:.1f} % of the tolerance in the median, {beside[-1]:.1f} %"
            " at most"
            if beside
            else f"{name}: invocations: {outcomes}; no iteration"
        )
    worst = used(recorded)
    print(*of_bounds(worst), sep="\n")
    if wrong or any(share > ENOUGH for bound, (share, _) in worst.items() if bound not in FULL):
        return 1
    return 0 if recorded.complete and not other else 2


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="+", help="implementations")
    parser.add_argument("--output", type=Path, required=True, help="folder for the results")
    parser.add_argument("--minutes", type=float, help="so long, and no longer")
    options = parser.parse_args()
    with distressed():
        timed(options.names, options.output, options.minutes)
    try:
        return told(results.read(options.output / results.TIMINGS))
    except results.ResultsError as error:
        print(error)
        return 2


if __name__ == "__main__":
    sys.exit(main())
