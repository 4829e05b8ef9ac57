"""The speed of the harness itself: ``make bench-harness``.

Every figure is the best of several rounds, since on a shared machine all noise is
in one direction; rates are events a second of one core. Run it before and after a
change to trace/ or model/.
"""

import argparse
import json
import random
import sys
import time
from collections.abc import Callable

from rich.console import Console
from rich.table import Table

from dramaturg.control.json_lines import parsed
from dramaturg.model.chatapp import Parameters
from dramaturg.model.facts import facts
from dramaturg.model.simulation import AtRandom, Simulation
from dramaturg.model.workload import ChatAppWorkload
from dramaturg.trace.codec import decode, encode
from dramaturg.trace.replay.token_game import replay
from dramaturg.v2 import control_pb2

MESSAGE_BOUND = Parameters(
    clients=1024, directories=8, turns=32, compute=0, post=95, leave=0, invite=5, befriend=10
)


def best(work: Callable[[], object], rounds: int) -> float:
    """Seconds of the fastest round."""
    seconds = []
    for _ in range(rounds):
        start = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - start)
    return min(seconds)


def measure(rounds: int) -> dict[str, float]:
    """Events a second for each part, by its name."""
    workload = ChatAppWorkload(MESSAGE_BOUND).prepare().run()
    simulation = Simulation(workload, AtRandom(random.Random(1).randrange)).perform()
    logs, events = simulation.logs, sum(map(len, simulation.logs.values()))
    batches = list(encode(logs))
    lines = [
        json.dumps({"batch": {c: list(getattr(batch, c)) for c in _COLUMNS}}) for batch in batches
    ]
    carried = [batch.SerializeToString() for batch in batches]

    def parse_protobuf() -> None:
        for data in carried:
            control_pb2.TraceResponse().batch.MergeFromString(data)

    works = {
        "replay": lambda: replay(workload, logs),
        "decode batches into logs": lambda: decode(batches),
        "encode logs into batches": lambda: list(encode(logs)),
        "parse batches (gRPC)": parse_protobuf,
        "parse batches (stdio gateway)": lambda: [parsed("trace", json.loads(x)) for x in lines],
        "perform the model": lambda: Simulation(workload).perform(),
    }
    return {name: events / best(work, rounds) for name, work in works.items()}


_COLUMNS = ("actor", "sender", "kind", "args")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    rates = measure(options.rounds)
    seconds = best(lambda: facts(MESSAGE_BOUND), options.rounds)
    if options.json:
        json.dump({"events_per_second": rates, "facts_seconds": seconds}, sys.stdout, indent=2)
        print()
        return
    table = Table("part", "events/s", box=None)
    for name, rate in rates.items():
        table.add_row(name, f"{rate:,.0f}")
    Console().print(table)
    print(f"facts of the same configuration: {seconds * 1000:.1f} ms")


if __name__ == "__main__":
    main()
