"""Ours beside a published micro-benchmark, fresh and warm.

The published programs are not part of this project: name the command that runs one. It prints for
each iteration what that took, a number of milliseconds on a line of its own. Ours is the whole
iteration by its receipt, set-up, run and tear-down, and in the first one also what outlives it,
since theirs starts and ends its runtime in each. Fresh processes of all alternate, in an order that
turns around from round to round.

    bench_published.py akka chain -p length=1000000 -- java -cp ... Main chain 4
    bench_published.py akka mergesort -- "java $OUR_FLAGS ..." "java ..."

Each command is one string, or all words after ``--`` are one. Only with the same flags, memory and
cores are the programs compared; with others it is what a user of each gets.
"""

import argparse
import json
import re
import shlex
import subprocess
import sys
from collections.abc import Sequence

import side_by_side
from rich.console import Console
from rich.table import Table
from side_by_side import Failed

from dramaturg.control import starting
from dramaturg.errors import ControlError
from dramaturg.implementation import build, toolchain
from dramaturg.implementation.manifest import Implementation, find
from dramaturg.timing.planning import scenarios
from dramaturg.timing.planning.scenarios import Scenario
from dramaturg.timing.statistics import estimates
from dramaturg.timing.validity import timed_receipts
from dramaturg.trace.watches import NOBODY

PATIENCE = 600.0
"""Seconds for one process of anybody."""

_TIME = re.compile(r"^\s*(\d+(?:\.\d+)?)\s*$", re.MULTILINE)

Times = list[float]
"""Milliseconds of each iteration of one process."""


def ours(implementation: Implementation, scenario: Scenario, iterations: int) -> Times:
    """One process. Raises ControlError, and Failed for a wrong receipt."""
    times = []
    with starting.start(implementation) as started:
        for salt in range(iterations):
            prepared = started.prepare(scenario.message(), NOBODY, timeout=PATIENCE)
            started.run(salt, timeout=PATIENCE)
            receipt = started.teardown(timeout=PATIENCE)
            if problems := timed_receipts.problems(scenario, salt, [receipt]):
                raise Failed("; ".join(problems))
            whole = prepared.runtime_nanos + prepared.setup_nanos + receipt.run_nanos
            times.append((whole + receipt.teardown_nanos) / 1e6)
        started.end_input()
    return times


def theirs(command: Sequence[str], iterations: int) -> Times:
    """One process. Raises Failed if it does not end well, or does not say what took how long."""
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=PATIENCE, check=False
        )
    except subprocess.TimeoutExpired:
        raise Failed(f"{command[0]} still ran after {PATIENCE:.0f} s") from None
    except OSError as error:
        raise Failed(f"{command[0]}: {error.strerror}") from None
    if done.returncode != 0:
        raise Failed(f"{command[0]} ended with {done.returncode}: {done.stderr[-300:]!r}")
    times = [float(found) for found in _TIME.findall(done.stdout)]
    if len(times) != iterations:
        raise Failed(f"{command[0]} printed {len(times)} times, expected {iterations}")
    return times


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("implementation")
    parser.add_argument("benchmark")
    parser.add_argument("-p", "--parameter", action="append", default=[], metavar="NAME=NUMBER")
    parser.add_argument("--rounds", type=int, default=5, help="processes of each (default: 5)")
    parser.add_argument("--iterations", type=int, default=4, help="in a process (default: 4)")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("command", nargs="+", help="theirs")
    options = parser.parse_args()
    given = dict(each.split("=", 1) for each in options.parameter)
    numbers = {name: int(number) for name, number in given.items()}
    scenario = scenarios.scenario(options.benchmark, overrides=numbers)
    implementation = find(options.implementation)
    whole = any(" " in word for word in options.command)
    commands = [shlex.split(each) for each in options.command] if whole else [options.command]
    try:
        toolchain.require(implementation)
        build.build(implementation)
        measured = rounds(implementation, scenario, commands, options.rounds, options.iterations)
    except (ControlError, Failed) as error:
        sys.exit(str(error))
    called = side_by_side.marked("ours", implementation)
    if options.json:
        json.dump({"ours": called, "millis": measured}, sys.stdout, indent=2)
        print()
    else:
        Console().print(_table(called, measured))


def rounds(
    implementation: Implementation,
    scenario: Scenario,
    commands: Sequence[Sequence[str]],
    many: int,
    iterations: int,
) -> list[list[Times]]:
    """Return the times of each process: ours, and those of each command."""
    timed_receipts.foresee(scenario)
    measured: list[list[Times]] = [[] for _ in (None, *commands)]
    for number in range(many):
        side_by_side.say(f"round {number + 1} of {many}")
        order = list(range(len(measured)))
        for which in order if number % 2 == 0 else reversed(order):
            if which:
                measured[which].append(theirs(commands[which - 1], iterations))
            else:
                measured[which].append(ours(implementation, scenario, iterations))
    return measured


def _table(called: str, measured: Sequence[Sequence[Times]]) -> Table:
    shown = Table("", f"{called}, ms", "theirs, ms", f"{called} / theirs", "interval", box=None)
    mine, *others = measured
    for number, other in enumerate(others, start=1):
        for what, part in (("fresh", slice(0, 1)), ("warm", slice(1, None))):
            over, under = ([times[part] for times in each] for each in (mine, other))
            found = estimates.ratio(over, under, paired=True)
            interval = f"{found.low:.3f} to {found.high:.3f}" if found.has_interval else found.note
            shown.add_row(
                f"{number}, {what}",
                f"{estimates.median(over).value:.0f}",
                f"{estimates.median(under).value:.0f}",
                f"{found.value:.3f}",
                interval,
            )
    return shown


if __name__ == "__main__":
    main()
