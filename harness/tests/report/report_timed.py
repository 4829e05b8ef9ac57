"""A session of timings as researchers have it: certified, audited, with ledgers, turns and an axis.

``python tests/report/report_timed.py FOLDER`` and then ``dramaturg report FOLDER``.
"""

import math
from pathlib import Path
from typing import Any

from report_records import audited, sample, unit, write_samples

from dramaturg.outcomes import Outcome
from dramaturg.records import LedgerRecord

CAST = {"caf": 41e6, "erlang": 92e6, "go": 40.5e6}
INVOCATIONS, ITERATIONS = 6, 4
BIG = {"benchmark": "big", "scenario": "", "parameters": {"workers": 64, "pings": 500}}


def wave(*seeds: int) -> float:
    """Return a number from -1 to 1, as good as by chance, and always the same."""
    return math.sin(sum(seed * prime for seed, prime in zip(seeds, (127, 311, 733), strict=False)))


def ledger(run_nanos: int, **values: Any) -> LedgerRecord:
    """The ledger of a run on two cores, unless told otherwise."""
    standard: dict[str, Any] = {
        "prepare_nanos": 15_100_000, "run_nanos": run_nanos + 150_000,
        "teardown_nanos": [5_100_000], "round_trip_nanos": 110_000,
        "tolerance_nanos": 2_500_000, "waited_nanos": [0, run_nanos // 20, 0],
        "forgiven_nanos": 0, "too_short": False, "cpu_seconds": [0.4],
        "peak_memory": [80 << 20], "held_memory": [40 << 20], "source": "cgroup v2",
        "probe_nanos": None, "probe_share": None, "run_cpu_nanos": int(run_nanos * 1.8),
        "harness_nanos": 200_000, "machine_cores": 2, "steal_nanos": run_nanos // 500,
        "pressure_nanos": {"cpu": run_nanos // 8, "memory": 0, "io": run_nanos // 9000},
    }  # fmt: skip
    return LedgerRecord(**standard | values)


def _timed(name: str, number: int, mean: float, disturbed: bool, **of: Any) -> list[Any]:
    samples = []
    for iteration in range(ITERATIONS):
        run = int(mean * (1 + 0.03 * wave(number, iteration, len(name))) * (1 + 0.2 * disturbed))
        steal = run // 3 if disturbed else run // 400
        turns = [
            int(run / 32 * (1 + 0.2 * wave(turn, iteration) + turn / 64)) for turn in range(32)
        ]
        samples.append(
            sample(
                name, invocation=number, iteration=iteration, run_nanos=run,
                turn_nanos=[] if "benchmark" in of else turns, salt=number * 16 + iteration,
                ledger=ledger(run, steal_nanos=steal), **of,
            )
        )  # fmt: skip
    return audited(*samples, points=of.get("points", []))


def session(folder: Path) -> None:
    """ChatApp on three, one invocation of which was disturbed, and big over a delay, where one
    refuses the last value."""
    records: list[Any] = []
    for number in range(INVOCATIONS):
        for name, mean in CAST.items():
            records += _timed(name, number, mean, disturbed=name == "erlang" and number == 3)
    for delay in (0, 1, 2, 4, 8, 16):
        at = {
            "points": [{"entry": "thesis/T5", "axes": {"delay": delay}}],
            "network": {"kind": "mininet", "nodes": 4, "delay": delay},
        }
        for name, mean in CAST.items():
            if (name, delay) == ("go", 16):
                refused = {"outcome": Outcome.CRASH, "message": "signal 11", "invocation": 0}
                records.append(unit(name, **BIG | at | refused))
                continue
            for number in range(3):
                mean_here = mean / 8 + delay * 3e6 * len(name)
                records += _timed(name, number, mean_here, disturbed=False, **BIG | at)
    write_samples(folder, *records)


if __name__ == "__main__":
    import sys

    session(Path(sys.argv[1]))
