"""The cost of watching: ``make bench-tracing``.

Four ways of the same benchmark: a build without any of it (the variant ``bare``), the
ordinary build with an empty list of watches, with a list as timed iterations have one
(at most 1 % of the events), and with everybody watched. Two are compared at a time. Each has
a process of its own, that does nothing else: a compiler has seen as much of the one as of
the other, and no heap holds what the other has left. Both are up at once and take turns,
iteration by iteration, in an order drawn anew for each round; so other work of the machine
meanwhile meets both, and a ratio is that of neighbours.

CPU time is that of the whole process from the call of Run to its answer, divided by what
was delivered. *No difference shown* says that the interval holds 1.
"""

import json
import random
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import side_by_side
from rich.console import Console
from rich.table import Table
from side_by_side import Failed, say

from dramaturg.control import starting
from dramaturg.control.session import Session
from dramaturg.errors import ControlError
from dramaturg.implementation import build, toolchain
from dramaturg.implementation.manifest import available, find, load
from dramaturg.timing.planning import scenarios
from dramaturg.timing.planning.scenarios import Scenario
from dramaturg.timing.statistics import estimates
from dramaturg.timing.validity import timed_receipts, watched_parts
from dramaturg.trace.watches import EVERYBODY, NOBODY, Watches

BARE = "bare"
COMPARED = (("empty", BARE), ("timed", "empty"), ("everybody", "empty"))
SEED = 7
PATIENCE = 300.0
"""Seconds for one call."""

SCENARIOS = {
    "chatapp": side_by_side.message_bound(),
    "chain": scenarios.scenario("chain", overrides={"length": 200_000}),
    "count": scenarios.scenario("count", overrides={"adders": 2, "adds": 400_000}),
}
"""Deliveries that cost something, actors that are born, and deliveries that cost nothing."""


def _nothing() -> dict[tuple[str, str], list[list[float]]]:
    return {pair: [] for pair in COMPARED}


@dataclass
class Subject:
    """An implementation on a scenario: the ratios of each comparison, a list for each
    invocation."""

    name: str
    scenario: Scenario
    wall: dict[tuple[str, str], list[list[float]]] = field(default_factory=_nothing)
    cpu: dict[tuple[str, str], list[list[float]]] = field(default_factory=_nothing)
    failure: str = ""

    def estimates(self) -> list[dict[str, Any]]:
        """Each comparison with its interval and what it shows."""
        found = []
        for over, under in COMPARED:
            for kind in ("cpu", "wall"):
                estimate = estimates.median(getattr(self, kind)[over, under])
                found.append(
                    {"over": over, "under": under, "time": kind, "shows": shows(estimate)}
                    | asdict(estimate)
                )
        return found


def shows(estimate: estimates.Estimate) -> str:
    """Say in words what a ratio shows."""
    if not estimate.has_interval:
        return estimate.note
    assert estimate.low is not None and estimate.high is not None
    if estimate.low <= 1 <= estimate.high:
        return "no difference shown"
    return "more" if estimate.value > 1 else "less"


def iteration(started: Session, scenario: Scenario, watches: Watches) -> tuple[float, float]:
    """Wall-clock and CPU nanoseconds for each message. Raises ControlError and Failed."""
    salt = random.getrandbits(32)
    assert started.process is not None
    started.prepare(scenario.message(), watches, timeout=PATIENCE)
    before, start = started.process.cpu_seconds(), time.monotonic()
    started.run(salt, timeout=PATIENCE)
    wall, cpu = time.monotonic() - start, started.process.cpu_seconds() - before
    receipt = started.teardown(timeout=PATIENCE)
    problems = timed_receipts.problems(scenario, salt, [receipt])
    if problems:
        raise Failed("; ".join(problems))
    messages = scenario.messages(receipt)
    return wall * 1e9 / messages, cpu * 1e9 / messages


def invocation(
    subject: Subject, over: str, under: str, rounds: int, warmup: int, chance: random.Random
) -> None:
    """A process for each of two ways, in turn. Raises ControlError and Failed."""
    ordinary = find(subject.name)
    bare = load(ordinary.folder, BARE)
    wall, cpu = [], []
    with (
        starting.start(bare if over == BARE else ordinary) as mine,
        starting.start(bare if under == BARE else ordinary) as theirs,
    ):
        pair = [(over, mine), (under, theirs)]
        for number in range(warmup + rounds):
            found = {}
            for way, started in chance.sample(pair, 2):
                watches = {
                    "timed": lambda: watched_parts.crossing(subject.scenario, chance),
                    "everybody": lambda: EVERYBODY,
                }.get(way, lambda: NOBODY)()
                found[way] = iteration(started, subject.scenario, watches)
            if number >= warmup:
                wall.append(found[over][0] / found[under][0])
                cpu.append(found[over][1] / found[under][1])
    subject.wall[over, under].append(wall)
    subject.cpu[over, under].append(cpu)


def built(name: str) -> str:
    """Builds both; why not, if it cannot be."""
    try:
        toolchain.require(find(name))
        for implementation in (find(name), load(find(name).folder, BARE)):
            say(f"{implementation.name}: building")
            build.build(implementation)
    except ControlError as error:
        return str(error)
    return ""


def table(subjects: Sequence[Subject]) -> Table:
    shown = Table("", "", "", "CPU", "interval", "", "wall", "interval", "", box=None)
    for subject in subjects:
        if subject.failure:
            shown.add_row(subject.name, subject.scenario.benchmark, subject.failure)
            continue
        estimates = subject.estimates()
        for cpu, wall in zip(estimates[::2], estimates[1::2], strict=True):
            cells = [f"{cpu['over']} / {cpu['under']}"]
            for each in (cpu, wall):
                whole = each["low"] is not None
                interval = f"{each['low']:.3f} to {each['high']:.3f}" if whole else ""
                cells += [f"{each['value']:.3f}", interval, each["shows"]]
            shown.add_row(subject.name, subject.scenario.benchmark, *cells)
    return shown


def main() -> None:
    parser = side_by_side.parser(str(__doc__))
    parser.add_argument("--implementation", "-i", action="append", help="default: all")
    parser.add_argument("--benchmark", "-b", action="append", choices=list(SCENARIOS))
    parser.add_argument("--warmup", type=int, default=3, help="rounds that do not count")
    options = parser.parse_args()
    chance = random.Random(SEED)
    subjects = []
    for name in options.implementation or available():
        if BARE not in find(name).manifest.variants:
            say(f"{name}: has no variant {BARE!r}")
            continue
        failure = built(name)
        for benchmark in options.benchmark or SCENARIOS:
            subjects.append(Subject(name, SCENARIOS[benchmark], failure=failure))
    for subject in subjects:
        timed_receipts.foresee(subject.scenario)
    before = side_by_side.load()
    for number in range(options.invocations):
        for subject in subjects:
            if subject.failure:
                continue
            what = f"{subject.name}, {subject.scenario.benchmark}"
            say(f"invocation {number + 1} of {options.invocations}: {what}")
            try:
                for pair in COMPARED:
                    invocation(subject, *pair, options.iterations, options.warmup, chance)
            except (ControlError, Failed) as error:
                subject.failure = str(error)
                say(f"{what}: left out: {error}")
    loads = (before, side_by_side.load())
    if options.json:
        found = [
            {"name": each.name, "benchmark": each.scenario.called(), "failure": each.failure}
            | {"ratios": [] if each.failure else each.estimates()}
            | {
                kind: {" / ".join(pair): found for pair, found in getattr(each, kind).items()}
                for kind in ("wall", "cpu")
            }
            for each in subjects
        ]
        json.dump({"load": loads, "subjects": found}, sys.stdout, indent=2)
        print()
    else:
        Console(width=140).print(table(subjects))
        print("Ratios of neighbouring iterations for each message: medians, 95 % intervals.")
        print(f"Load: {loads[0]:.1f} before, {loads[1]:.1f} after.")
    sys.exit(int(any(subject.failure for subject in subjects)))


if __name__ == "__main__":
    main()
