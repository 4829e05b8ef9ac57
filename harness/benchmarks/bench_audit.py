"""The cost of an audit: ``.venv/bin/python harness/benchmarks/bench_audit.py [--baseline CLONE]``.

The model makes the logs, which are laid on disk as a timed run's are. Each round judges them in a
fresh process, by this harness and by that of another clone in turn, so that other work of the
machine meanwhile meets both. Figures are CPU seconds, garbage collection included.
"""

import argparse
import gc
import json
import os
import pickle
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

from google.protobuf import proto

from dramaturg.model.simulation import AtRandom, Simulation
from dramaturg.model.workload import MICRO, ChatAppWorkload, MicroWorkload
from dramaturg.records import Depth
from dramaturg.timing.planning.scenarios import Scenario, scenario
from dramaturg.timing.validity import audit, watched_parts
from dramaturg.timing.validity.fetching import Spooled
from dramaturg.trace.codec import encode
from dramaturg.trace.watches import Watched
from dramaturg.v2 import control_pb2, trace_pb2

SALT = 0xB105F00D


@dataclass(frozen=True)
class Size:
    """The size of an audited run, and of the watched part if ``budget`` is less than all its
    events."""

    scenario: tuple[str, str | None]
    overrides: dict[str, Any]
    budget: int = watched_parts.BUDGET

    @property
    def of(self) -> Scenario:
        return scenario(*self.scenario, overrides=self.overrides)


_CROWD = {"clients": 2048, "directories": 16, "turns": 8}

SIZES = {
    "mixed": Size(("chatapp", "mixed"), _CROWD),
    "message-bound": Size(("chatapp", "message-bound"), _CROWD),
    "part of message-bound": Size(("chatapp", "message-bound"), _CROWD, 200_000),
    "bang": Size(("bang", None), {"senders": 64, "messages": 4000}),
    "broker": Size(("broker", None), {"employees": 4, "tasks": 20_000}),
}


def lay(size: Size, file: Path) -> None:
    """Perform it, and lay what an audit of it would have watched beside this file."""
    chance, of = Random(7), size.of
    watches = watched_parts.closed(of, chance, size.budget)[0].watches
    workload: ChatAppWorkload | MicroWorkload
    if of.benchmark in MICRO:
        workload = MicroWorkload(MICRO[of.benchmark], of.micro)
    else:
        workload = ChatAppWorkload(of.chatapp).prepare()
    simulation = Simulation(workload, AtRandom(chance.randrange))
    watched, counts, files, said = Watched(watches), dict[int, int](), [], 0
    for stage in (lambda: workload, lambda: workload.run(SALT), workload.disconnect):
        script = stage().script
        simulation.perform(script[said:])
        said = len(script)
        new = {}
        for actor in filter(watched.slice_of, simulation.actors):
            log, before = simulation.logs.get(actor, []), counts.get(actor, 0)
            new[actor], counts[actor] = log[before:], len(log)
        files.append(file.with_suffix(f".{len(files)}"))
        with files[-1].open("wb") as stream:
            for batch in encode(new):
                proto.serialize_length_prefixed(control_pb2.TraceResponse(batch=batch), stream)
            rows = trace_pb2.TraceCounts(actor=list(counts), taken=list(counts.values()))
            proto.serialize_length_prefixed(control_pb2.TraceResponse(counts=rows), stream)
    row = [each.SerializeToString() for each in watches]
    file.write_bytes(pickle.dumps((files, row)))


def judged(size: Size, file: Path) -> dict[str, float]:
    """CPU seconds to judge what was laid down, and how many events it has."""
    files, rows = pickle.loads(file.read_bytes())
    watches = [control_pb2.Watch.FromString(row) for row in rows]
    spooled = []
    for each in files:  # Judging removes them.
        once = each.with_name(f"{each.name}-{os.getpid()}")
        once.hardlink_to(each)
        spooled.append(Spooled([once]))
    kept = audit.Kept(0, SALT, Depth.PARTS, watches, watches, *spooled)
    of, start = size.of, time.process_time()
    found = audit.judged(kept, of, "model", [])
    gc.collect()
    seconds = time.process_time() - start
    if found.message:
        raise SystemExit(f"{of}: {found.message}")
    return {"events": found.events, "decided": found.decided, "seconds": seconds}


def asked(harness: Path, name: str, file: Path) -> dict[str, float]:
    """The same, in a fresh process of this harness."""
    program = [sys.executable, __file__, name, "--judge", str(file)]
    environment = os.environ | {"PYTHONPATH": str(harness)}
    done = subprocess.run(program, env=environment, stdout=subprocess.PIPE, text=True, check=True)
    told: dict[str, float] = json.loads(done.stdout)
    return told


def compared(name: str, file: Path, baseline: Path | None, rounds: int) -> str:
    """Return the times here and there, alternating."""
    here: list[dict[str, float]] = []
    there: list[dict[str, float]] = []
    mine = Path(__file__).resolve().parents[1]
    for number in range(rounds):
        for taken, harness in [(here, mine), (there, baseline)][:: 1 if number % 2 else -1]:
            if harness is not None:
                taken.append(asked(harness, name, file))
    seconds = median(each["seconds"] for each in here)
    events, decided = here[0]["events"], here[0]["decided"]
    said = f"{name}: {events:,} events, {decided:,} decided: {events / seconds / 1e6:.2f} M/s"
    if not there:
        return said
    assert [each["decided"] for each in there] == [decided] * rounds
    ratios = [one["seconds"] / two["seconds"] for one, two in zip(here, there, strict=True)]
    return f"{said}; {median(ratios):.2f} times as long ({min(ratios):.2f} to {max(ratios):.2f})"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", default=list(SIZES))
    parser.add_argument("--baseline", type=Path, metavar="CLONE", help="another clone")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--judge", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.judge:
        print(json.dumps(judged(SIZES[options.names[0]], options.judge)))
        return
    other = None if options.baseline is None else options.baseline.resolve() / "harness"
    with tempfile.TemporaryDirectory() as folder:
        for number, name in enumerate(options.names):
            file = Path(folder) / str(number)
            lay(SIZES[name], file)
            print(compared(name, file, other, options.rounds), flush=True)


if __name__ == "__main__":
    main()
