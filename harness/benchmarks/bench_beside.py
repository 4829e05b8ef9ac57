"""Ours beside a published ChatApp, message-bound, per delivered message.

The published programs are not part of this project: name the command that runs one,
and how many messages one of its iterations delivers. They do different amounts of
work, so time is divided by that number. Fresh processes of both alternate and run the
same number of iterations. CPU time is that of the whole process. Wall-clock time is
theirs from start to end, and ours from the first call of Prepare to the last answer to
Teardown: the time before and after is the control port's, which theirs has not, and with it our
process would be measured by how fast gRPC starts.

    bench_beside.py pony --deliveries 168184 -- path/to/chat-app --run ...

The other's command line must make it run as many iterations as --iterations says. Ours is given
no variable of the shell, only those of its manifest and those of --set. Flags of a runtime are
made equal so: Pony's are in PONY_FLAGS here, and in the command line there.

    bench_beside.py pony --set PONY_FLAGS=--ponynoblock --deliveries 168184 -- \\
        path/to/chat-app --ponynoblock --run ...
"""

import argparse
import resource
import subprocess
import sys
import time

import side_by_side
from side_by_side import Failed, Pair, Series

from dramaturg.control import starting
from dramaturg.errors import ControlError
from dramaturg.implementation import build, toolchain
from dramaturg.implementation.manifest import Implementation, find
from dramaturg.timing.validity import timed_receipts
from dramaturg.trace.watches import NOBODY

PATIENCE = 600.0
"""Seconds for one process of either."""


def ours(
    implementation: Implementation, iterations: int, environment: dict[str, str] | None = None
) -> Series:
    """One process, with these variables besides its manifest's. Raises ControlError, and Failed
    for a wrong receipt."""
    scenario = side_by_side.message_bound()
    before = _children()
    with starting.start(implementation, environment=environment) as started:
        start = time.monotonic_ns()
        made = []
        for salt in range(iterations):
            started.prepare(scenario.message(), NOBODY, timeout=PATIENCE)
            started.run(salt, timeout=PATIENCE)
            made.append(started.teardown(timeout=PATIENCE))
        wall = time.monotonic_ns() - start
        started.end_input()
    cpu = _children() - before
    problems = [
        problem
        for salt, receipt in enumerate(made)
        for problem in timed_receipts.problems(scenario, salt, [receipt])
    ]
    if problems:
        raise Failed("; ".join(problems))
    return _per_message(wall, cpu, sum(receipt.chatapp.deliveries for receipt in made))


def theirs(command: list[str], deliveries: int) -> Series:
    """One process. Raises OSError, and Failed if it does not end well."""
    start, before = time.monotonic_ns(), _children()
    try:
        done = subprocess.run(command, capture_output=True, timeout=PATIENCE, check=False)
    except subprocess.TimeoutExpired:
        raise Failed(f"{command[0]} still ran after {PATIENCE:.0f} s") from None
    wall, cpu = time.monotonic_ns() - start, _children() - before
    if done.returncode != 0:
        raise Failed(f"{command[0]} ended with {done.returncode}: {done.stderr[-300:]!r}")
    return _per_message(wall, cpu, deliveries)


def _children() -> int:
    """CPU nanoseconds of all children that have ended, and of theirs."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return int((used.ru_utime + used.ru_stime) * 1e9)


def _per_message(wall: int, cpu: int, deliveries: int) -> Series:
    return Series([[wall / deliveries]], [[cpu / deliveries]])


def variable(word: str) -> tuple[str, str]:
    """``NAME=VALUE``, as an argument. Raises ArgumentTypeError."""
    name, equals, value = word.partition("=")
    if not name or not equals:
        raise argparse.ArgumentTypeError(f"{word!r} is not NAME=VALUE")
    return name, value


def main() -> None:
    parser = side_by_side.parser(str(__doc__))
    parser.add_argument("implementation")
    parser.add_argument("--deliveries", type=int, required=True, help="of theirs, an iteration")
    parser.add_argument("--set", action="append", default=[], type=variable, help="NAME=VALUE")
    parser.add_argument("command", nargs="+", help="theirs")
    options = parser.parse_args()
    implementation = find(options.implementation)
    failure = ""
    try:
        toolchain.require(implementation)
        build.build(implementation)
    except ControlError as error:
        failure = str(error)
    called = side_by_side.marked("ours", implementation)
    pair = Pair(
        options.implementation,
        (called, lambda: ours(implementation, options.iterations, dict(options.set))),
        ("theirs", lambda: theirs(options.command, options.deliveries * options.iterations)),
        failure=failure,
    )
    timed_receipts.foresee(side_by_side.message_bound())
    before = side_by_side.load()
    side_by_side.compare([pair], options.invocations)
    sys.exit(side_by_side.report([pair], options.json, (before, side_by_side.load())))


if __name__ == "__main__":
    main()
