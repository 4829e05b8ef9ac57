"""What does tracing cost when it is off? ``make bench-tracing``.

Each implementation with a variant ``bare`` runs a message-bound ChatApp in its ordinary
build, which can trace and was told not to, and in the other, from which tracing is
compiled out.
"""

import sys
from dataclasses import dataclass, field

import side_by_side
from side_by_side import Failed, Pair, Series, say

from dramaturg.control import build, session, toolchain
from dramaturg.control.errors import ControlError
from dramaturg.control.manifest import Implementation, available, find, load
from dramaturg.timing import receipts
from dramaturg.timing.invocation import Measured, run_local
from dramaturg.timing.plan import Unit
from dramaturg.timing.scenarios import Scenario
from dramaturg.timing.suites import DEFAULT_TIMEOUT, NetworkRequest

BARE = "bare"


@dataclass
class Collector:
    """Listens to one invocation: nanoseconds per delivered message of its iterations."""

    scenario: Scenario
    warmup: int
    wall: list[float] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)
    _cpu_seconds: float = 0.0

    def measured(self, measured: Measured) -> None:
        problems = receipts.problems(self.scenario, measured.receipts)
        if problems:
            raise Failed("; ".join(problems))
        (receipt,) = measured.receipts
        consumed = measured.cpu_seconds - self._cpu_seconds
        self._cpu_seconds = measured.cpu_seconds
        if measured.iteration >= self.warmup:
            self.wall.append(receipt.run_nanos / receipt.chatapp.deliveries)
            self.cpu.append(consumed * 1e9 / receipt.chatapp.deliveries)

    def progress(self, iteration: int, done: int, total: int) -> None:
        pass


def built(name: str) -> str:
    """Builds both; why not, if it cannot be."""
    try:
        toolchain.require(find(name))
        for implementation in both(name):
            say(f"{implementation.name}: building")
            build.build(implementation)
    except ControlError as error:
        return str(error)
    return ""


def both(name: str) -> tuple[Implementation, Implementation]:
    """The ordinary build and the bare one."""
    ordinary = find(name)
    return ordinary, load(ordinary.folder, BARE)


def invoke(implementation: Implementation, unit: Unit) -> Series:
    """One process, all its iterations. Raises ControlError and Failed."""
    unit = unit.model_copy(update={"implementation": implementation.name})
    collector = Collector(unit.scenario, unit.warmup)
    with session.start(implementation) as started:
        run_local(started, unit, collector)
    # The kernel counts CPU time in ticks, which is too coarse for one iteration.
    return Series([collector.wall], [[sum(collector.cpu) / len(collector.cpu)]])


def main() -> None:
    parser = side_by_side.parser(str(__doc__))
    parser.add_argument("--implementation", "-i", action="append", help="default: all")
    parser.add_argument("--warmup", type=int, default=2, help="iterations that do not count")
    options = parser.parse_args()
    unit = Unit(
        implementation="",
        scenario=side_by_side.message_bound(),
        network=NetworkRequest(),
        invocations=options.invocations,
        iterations=options.iterations,
        warmup=options.warmup,
        timeout=DEFAULT_TIMEOUT,
    )
    receipts.foresee(unit.scenario)
    pairs = []
    for name in options.implementation or available():
        if BARE not in find(name).manifest.variants:
            say(f"{name}: has no variant {BARE!r}")
            continue
        ordinary, bare = both(name)
        pair = Pair(
            name,
            (side_by_side.marked("off", ordinary), lambda chosen=ordinary: invoke(chosen, unit)),
            (side_by_side.marked(BARE, bare), lambda chosen=bare: invoke(chosen, unit)),
            failure=built(name),
        )
        pairs.append(pair)
    before = side_by_side.load()
    side_by_side.compare(pairs, options.invocations)
    sys.exit(side_by_side.report(pairs, options.json, (before, side_by_side.load())))


if __name__ == "__main__":
    main()
