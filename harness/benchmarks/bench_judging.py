"""The growth of judging with the size of a run: ``make bench-harness``, and docs/scaling.md.

The same log of ChatApp, message-bound, is decided by the token game and by the three steps, with
the model as it is written and compiled, in turns, each in a process of its own. With ``--benchmark
bang`` or ``chain`` the log is written without performing a run, at any size. Rates are events a
second of CPU time; memory is the largest that the process had, mapped pages included, beyond what
it had before the log.
"""

import argparse
import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from functools import partial
from itertools import accumulate
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from google.protobuf import proto
from rich.console import Console
from rich.table import Table

from dramaturg.compiled import loading
from dramaturg.judging import worker
from dramaturg.model import bang, chain, names
from dramaturg.model.chatapp import Parameters
from dramaturg.model.fold import fold, fold_each, words
from dramaturg.model.simulation import AtRandom, Simulation
from dramaturg.model.workload import MICRO, ChatAppWorkload, MicroWorkload
from dramaturg.trace.codec import LogBuilder, encode
from dramaturg.trace.columns.store import Store
from dramaturg.trace.events import without_cyclic_gc
from dramaturg.trace.replay.steps.three_steps import decide
from dramaturg.trace.replay.token_game import replay
from dramaturg.v2 import case_pb2, trace_pb2
from dramaturg.v2 import trace_pb2 as kind

INTERPRETED, COMPILED = "three steps, interpreted", "three steps, compiled"

WAYS = ("token game", INTERPRETED, COMPILED)

MOST_IN_MEMORY = 2_000_000
"""Events that the token game is given here: it holds them all."""

SIZES = {
    100_000: {"clients": 256, "directories": 2, "turns": 12},
    1_000_000: {"clients": 1024, "directories": 8, "turns": 29},
    10_000_000: {"clients": 4096, "directories": 32, "turns": 73},
}
"""About how many events a run of ChatApp has with these."""

SALT = 7

SENDERS = 1000
"""Senders of bang. Its receiver takes half of all events."""

BANG = tuple(10**power for power in range(5, 10))
"""About how many events a run of it has."""

CHAIN = tuple(2 * 10**power for power in range(4, 8))
"""About how many events a run of chain has: two for each link but the last."""

ALL_SIZES = {"chatapp": tuple(SIZES), "bang": BANG, "chain": CHAIN}

MOST_IN_A_FILE = 10**8
"""Events of a log of bang that is written to disk before it is read; a longer one comes through a
pipe, from a process beside, so that the disk has room for the columns."""

TOGETHER = 64
"""Messages of each sender in a batch."""


def workload_of(benchmark: str, size: int) -> ChatAppWorkload | MicroWorkload:
    if benchmark == "bang":
        return micro_workload(benchmark, senders=SENDERS, messages=size // (2 * SENDERS))
    if benchmark == "chain":
        return micro_workload(benchmark, length=size // 2)
    scenario = Parameters(
        **SIZES[size], compute=0, post=95, leave=0, invite=5, befriend=10, fib_n=3
    )
    return ChatAppWorkload(scenario).prepare().run(SALT).disconnect()


def micro_workload(benchmark: str, **parameters: int) -> MicroWorkload:
    micro = MICRO[benchmark]
    return MicroWorkload(micro, micro.parameters(**parameters)).run(SALT)


def write(benchmark: str, size: int, file: Path) -> int:
    """The log of a run, everybody's mixed as batches mix them; how many events it has."""
    if benchmark == "bang":
        return write_bang(size // (2 * SENDERS), file)
    if benchmark == "chain":
        return write_chain(size // 2, file)
    with without_cyclic_gc():
        simulation = Simulation(
            workload_of(benchmark, size), AtRandom(random.Random(1).randrange)
        ).perform()
    with file.open("wb") as stream:
        for batch in encode(simulation.logs):
            proto.serialize_length_prefixed(batch, stream)
    return sum(map(len, simulation.logs.values()))


def record(benchmark: str, size: int, file: Path) -> int:
    """A run of about so many events as ``dramaturg replay`` reads it; how many it has."""
    with tempfile.TemporaryDirectory(prefix="dramaturg-bench-") as folder:
        batches = Path(folder) / "batches"
        events = write(benchmark, size, batches)
        workload, head = workload_of(benchmark, size), case_pb2.RecordedRun()
        head.implementation, head.case = "model", f"{benchmark} of {events:,} events"
        parameters = getattr(head.benchmark, benchmark)
        parameters.SetInParent()
        for field in parameters.DESCRIPTOR.fields:
            setattr(parameters, field.name, getattr(workload.parameters, field.name))
        for number, args in workload.script:
            head.script.add(kind=number, args=args)
        with file.open("wb") as stream:
            # Messages one behind the other are one: what there are several of is added.
            stream.write(head.SerializeToString())
            for batch in read(batches):
                stream.write(case_pb2.RecordedRun(batches=[batch]).SerializeToString())
    return events


def write_bang(messages: int, file: Path) -> int:
    """The log of a run in which all senders take turns."""
    lead = names.name(names.RECEIVER)
    senders = np.array([bang.sender_name(index) for index in range(SENDERS)], np.uint64)
    keys = fold_each(SALT, words(SENDERS))
    taken = np.zeros(SENDERS, np.uint32)
    with file.open("wb") as stream:
        put = partial(put_rows, stream)
        put(lead, names.name(names.CONTROL), kind.MESSAGE_KIND_RECEIVER_START, SALT)
        put(senders, lead, kind.MESSAGE_KIND_SENDER_GO, SALT)
        for first in range(0, messages, TOGETHER):
            many = min(TOGETHER, messages - first)
            numbers = np.repeat(np.arange(first, first + many, dtype=np.uint32), SENDERS)
            values = fold_each(np.tile(keys, many), numbers)
            answers = fold_each(values, SALT)
            taken += answers.reshape(many, SENDERS).sum(axis=0, dtype=np.uint32)
            everybody = np.tile(senders, many)
            put(lead, everybody, kind.MESSAGE_KIND_RECEIVER_BANG, numbers, values)
            put(everybody, lead, kind.MESSAGE_KIND_SENDER_ANSWER, numbers, answers)
        put(lead, senders, kind.MESSAGE_KIND_RECEIVER_FINISHED, messages, taken)
    return bang_events(messages)


def write_chain(length: int, file: Path) -> int:
    """The log of a run of so many links, in the order in which they take their messages."""
    grow = kind.MESSAGE_KIND_LINK_GROW, range(length), -1
    finish = kind.MESSAGE_KIND_LINK_FINISH, range(length - 2, -1, -1), 1
    digest, rows = SALT, TOGETHER * SENDERS
    with file.open("wb") as stream:
        for number, links, from_there in (grow, finish):
            for begin in range(0, len(links), rows):
                some = links[begin : begin + rows]
                takers = [chain.link_name(link) for link in some]
                senders = [
                    chain.link_name(link + from_there) if link + from_there >= 0
                    else names.name(names.CONTROL)
                    for link in some
                ]  # fmt: skip
                left = [length - 1 - link for link in some]
                *digests, digest = accumulate(left, fold, initial=digest)
                put_rows(stream, takers, senders, number, left, digests)
    return 2 * length - 1


def put_rows(stream: BinaryIO, actor: Any, sender: Any, number: int, *args: Any) -> None:
    """Write a batch of messages of one kind; each column is an array, or one value for all rows."""
    rows = max(np.size(actor), np.size(sender))
    batch = trace_pb2.TraceBatch(
        actor=np.broadcast_to(actor, rows).tolist(),
        sender=np.broadcast_to(sender, rows).tolist(),
        kind=[number] * rows,
        args=np.stack([np.broadcast_to(each, rows) for each in args], 1).ravel().tolist(),
    )
    proto.serialize_length_prefixed(batch, stream)


def bang_events(messages: int) -> int:
    return 1 + SENDERS * (2 + 2 * messages)


def read(file: Path) -> Iterator[trace_pb2.TraceBatch]:
    with file.open("rb") as stream:
        while (batch := proto.parse_length_prefixed(trace_pb2.TraceBatch, stream)) is not None:
            yield batch


def decided(way: str, benchmark: str, size: int, file: Path) -> dict[str, float]:
    """Seconds of CPU time of each step, and bytes of memory."""
    if way == INTERPRETED:
        loading.package = lambda: ""
    if way == COMPILED and not loading.package():
        raise SystemExit("the model has changed since it was compiled: make setup")
    worker.ready()
    seconds: dict[str, float] = {}
    before, workload = _memory(), workload_of(benchmark, size)

    def timed(step: str, work: Callable[[], Any]) -> Any:
        start = time.process_time()
        done = work()
        seconds[step] = time.process_time() - start
        return done

    if way == "token game":
        builder = LogBuilder()

        def decode() -> None:
            for batch in read(file):
                builder.add(batch)

        with without_cyclic_gc():
            timed("decode", decode)
        conforms = timed("decide", lambda: replay(workload, builder.in_memory)).conforms
    else:
        store = Store()

        def lay_down() -> None:
            for batch in read(file):
                store.add(
                    np.array(batch.actor, np.uint64), np.array(batch.sender, np.uint64),
                    np.array(batch.kind, np.uint32), np.array(batch.args, np.uint64),
                )  # fmt: skip

        timed("decode", lay_down)
        log = timed("sort", store.sort)
        conforms = timed("decide", lambda: decide(workload, log)).conforms
    assert conforms, "the run of the model is one"
    return seconds | {"bytes": float(_memory() - before)}


def _memory() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def measure(
    benchmark: str, sizes: list[int], wanted: list[str], rounds: int, say: Console
) -> list[dict[str, Any]]:
    found = []
    with tempfile.TemporaryDirectory(prefix="dramaturg-bench-") as folder:
        for size in sizes:
            file = Path(folder) / str(size)
            piped = benchmark == "bang" and size > MOST_IN_A_FILE
            # Whoever has made a log has more memory than whoever decides it.
            events = (bang_events(size // (2 * SENDERS)) if piped
                      else int(_performed("--write", benchmark, str(size), str(file))))  # fmt: skip
            ways = [way for way in wanted
                    if (way != COMPILED or loading.package())
                    and (way != WAYS[0] or events <= MOST_IN_MEMORY)]  # fmt: skip
            runs: dict[str, list[dict[str, float]]] = {way: [] for way in ways}
            for number in range(rounds):
                for way in ways:
                    say.print(f"{events:,} events, round {number + 1} of {rounds}: {way}")
                    one = "--one", way, benchmark, str(size), str(file)
                    with _written_beside(benchmark, size, file) if piped else nullcontext():
                        runs[way].append(json.loads(_performed(*one)))
            for way, each in runs.items():
                steps = {
                    step: min(run[step] for run in each) for step in each[0] if step != "bytes"
                }
                found.append({
                    "benchmark": benchmark,
                    "way": way,
                    "events": events,
                    "events_per_second": {
                        **{step: events / seconds for step, seconds in steps.items()},
                        "all": events / sum(steps.values()),
                    },
                    "bytes_per_event": min(run["bytes"] for run in each) / events,
                    "rounds": rounds,
                })  # fmt: skip
            file.unlink(missing_ok=True)
    return found


@contextmanager
def _written_beside(benchmark: str, size: int, file: Path) -> Iterator[None]:
    """A pipe in place of the file, into which a process writes the log as it is read."""
    os.mkfifo(file)
    words = _words("--write", benchmark, str(size), str(file))
    with subprocess.Popen(words, stdout=subprocess.DEVNULL) as writer:
        try:
            yield
        finally:
            writer.kill()
            file.unlink()


def _performed(*words: str) -> str:
    done = subprocess.run(_words(*words), check=True, stdout=subprocess.PIPE, text=True)
    return done.stdout


def _words(*words: str) -> list[str]:
    return [sys.executable, __file__, *words]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--benchmark", choices=tuple(ALL_SIZES), default="chatapp")
    parser.add_argument("--sizes", type=int, nargs="+")
    parser.add_argument("--ways", nargs="+", choices=WAYS, default=list(WAYS), metavar="WAY")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", action="store_true")
    parser.add_argument(
        "--record", nargs=3, metavar=("BENCHMARK", "EVENTS", "FILE"),
        help="write a run of about so many events, for dramaturg replay",
    )  # fmt: skip
    parser.add_argument("--write", nargs=3, help=argparse.SUPPRESS)
    parser.add_argument("--one", nargs=4, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.record:
        benchmark, size, file = options.record
        print(f"{record(benchmark, int(size), Path(file)):,} events")
        return
    if options.write:
        benchmark, size, file = options.write
        print(write(benchmark, int(size), Path(file)))
        return
    if options.one:
        way, benchmark, size, file = options.one
        print(json.dumps(decided(way, benchmark, int(size), Path(file))))
        return
    sizes = ALL_SIZES[options.benchmark]
    wanted = options.sizes or sizes[:2]
    unknown = [size for size in wanted if size not in sizes]
    if unknown:
        parser.error(f"{unknown[0]} is no size of {options.benchmark}; there are {[*sizes]}")
    found = measure(options.benchmark, wanted, options.ways, options.rounds, Console(stderr=True))
    if options.json:
        json.dump({"judging": found}, sys.stdout, indent=2)
        print()
        return
    table = Table("events", "way", "decode", "sort", "decide", "all", "bytes an event", box=None)
    for row in found:
        rates = row["events_per_second"]
        cells = [f"{rates[s] / 1e6:.2f} M/s" if s in rates else ""
                 for s in ("decode", "sort", "decide", "all")]  # fmt: skip
        table.add_row(f"{row['events']:,}", row["way"], *cells, f"{row['bytes_per_event']:.0f}")
    Console().print(table)


if __name__ == "__main__":
    main()
