"""What does tracing cost when it is off? ``make bench-tracing``.

Each implementation with a variant ``bare`` runs a message-bound ChatApp in its ordinary
build, which can trace and was told not to, and in the other, from which tracing is
compiled out. Fresh processes of both alternate, so that whatever changes in the machine
meets both. Schedules differ, and with them how much is delivered: what is compared is
time per delivered message.
"""

import argparse
import json
import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from rich.console import Console
from rich.table import Table

from dramaturg.control import build, session, toolchain
from dramaturg.control.errors import ControlError
from dramaturg.control.manifest import Implementation, available, find, load
from dramaturg.timing import receipts, scenarios, statistics
from dramaturg.timing.invocation import Measured, run_local
from dramaturg.timing.plan import Unit
from dramaturg.timing.scenarios import CHATAPP, Scenario
from dramaturg.timing.suites import DEFAULT_TIMEOUT, NetworkRequest

BARE = "bare"

MESSAGE_BOUND = {
    "clients": 1024, "directories": 8, "turns": 32,
    "compute": 0, "post": 95, "leave": 0, "invite": 5, "befriend": 10,
    "selection": "cumulative",
}  # fmt: skip


class WrongReceipt(Exception):
    """What did other work than was asked for is not compared."""


@dataclass
class Collector:
    """Listens to one invocation: nanoseconds per delivered message of its iterations."""

    scenario: Scenario
    warmup: int
    values: list[float] = field(default_factory=list)

    def measured(self, measured: Measured) -> None:
        problems = receipts.problems(self.scenario, measured.receipts)
        if problems:
            raise WrongReceipt("; ".join(problems))
        (receipt,) = measured.receipts
        if measured.iteration >= self.warmup:
            self.values.append(receipt.run_nanos / receipt.chatapp.deliveries)

    def progress(self, iteration: int, done: int, total: int) -> None:
        pass


@dataclass
class Comparison:
    """The two builds of one implementation; nanoseconds per delivery, by invocation."""

    implementation: str
    off: list[list[float]] = field(default_factory=list)
    bare: list[list[float]] = field(default_factory=list)

    def to_dict(self) -> dict[str, Any]:
        return asdict(self) | {
            "off_median": asdict(statistics.median(self.off)),
            "bare_median": asdict(statistics.median(self.bare)),
            "ratio": asdict(statistics.ratio(self.off, self.bare)),
        }


def comparable(names: Sequence[str]) -> Iterator[str]:
    """Those of ``names`` that have both builds, made now; says why of the others."""
    for name in names:
        ordinary = find(name)
        if BARE not in ordinary.manifest.variants:
            say(f"{name}: has no variant {BARE!r}")
            continue
        try:
            toolchain.require(ordinary)
            for implementation in pair(name):
                say(f"{implementation.name}: building")
                build.build(implementation)
        except ControlError as error:
            say(f"{name}: left out: {error}")
        else:
            yield name


def pair(name: str) -> tuple[Implementation, Implementation]:
    """The ordinary build and the bare one."""
    ordinary = find(name)
    return ordinary, load(ordinary.folder, BARE)


def invoke(implementation: Implementation, unit: Unit) -> list[float]:
    """One process, all its iterations. Raises ControlError and WrongReceipt."""
    unit = unit.model_copy(update={"implementation": implementation.name})
    collector = Collector(unit.scenario, unit.warmup)
    with session.start(implementation) as started:
        run_local(started, unit, collector)
    return collector.values


def compare(names: Sequence[str], unit: Unit) -> list[Comparison]:
    """All invocations in rounds: every implementation in turn, its two builds in an order
    that alternates from round to round. One that fails is left out from there on."""
    found = {name: Comparison(name) for name in names}
    for number in range(unit.invocations):
        for name, comparison in list(found.items()):
            say(f"round {number + 1} of {unit.invocations}: {name}")
            ordinary, bare = pair(name)
            runs = [(ordinary, comparison.off), (bare, comparison.bare)]
            try:
                for implementation, values in runs if number % 2 == 0 else reversed(runs):
                    values.append(invoke(implementation, unit))
            except (ControlError, WrongReceipt) as error:
                say(f"{name}: left out: {error}")
                del found[name]
    return list(found.values())


def table(comparisons: Sequence[Comparison]) -> Table:
    """One row for each implementation."""
    shown = Table("implementation", "off, ns", "bare, ns", "off / bare", "95 % interval", box=None)
    for comparison in comparisons:
        ratio = statistics.ratio(comparison.off, comparison.bare)
        interval = f"{ratio.low:.3f} to {ratio.high:.3f}" if ratio.has_interval else ""
        shown.add_row(
            comparison.implementation,
            f"{statistics.median(comparison.off).value:.1f}",
            f"{statistics.median(comparison.bare).value:.1f}",
            f"{ratio.value:.3f}",
            f"{interval}{' (' + ratio.note + ')' if ratio.note else ''}",
        )
    return shown


def say(text: str) -> None:
    """Progress, beside the result."""
    print(text, file=sys.stderr, flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--implementation", "-i", action="append", help="default: all")
    parser.add_argument("--invocations", type=int, default=8, help="fresh processes of each build")
    parser.add_argument("--iterations", type=int, default=6, help="in each process")
    parser.add_argument("--warmup", type=int, default=2, help="iterations that do not count")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    unit = Unit(
        implementation="",
        scenario=scenarios.scenario(CHATAPP, history=False, overrides=MESSAGE_BOUND),
        network=NetworkRequest(),
        invocations=options.invocations,
        iterations=options.iterations,
        warmup=options.warmup,
        timeout=DEFAULT_TIMEOUT,
    )
    receipts.foresee(unit.scenario)
    names = list(comparable(options.implementation or available()))
    before = os.getloadavg()[0]
    comparisons = compare(names, unit)
    after = os.getloadavg()[0]
    if options.json:
        found = [comparison.to_dict() for comparison in comparisons]
        document = {"parameters": unit.scenario.parameters, "load": [before, after]}
        json.dump(document | {"comparisons": found}, sys.stdout, indent=2)
        print()
        return
    Console().print(table(comparisons))
    print(f"Medians per delivered message. Load: {before:.1f} before, {after:.1f} after.")


if __name__ == "__main__":
    main()
