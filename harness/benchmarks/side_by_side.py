"""Two programs measured against each other, their fresh processes alternating.

They are compared by time per delivered message of ChatApp: schedules differ, and with them the
number of deliveries. Users wait for wall-clock time; a busy machine disturbs CPU time least.
"""

import argparse
import json
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from rich.console import Console
from rich.table import Table

from dramaturg.conformance.certification import is_certified
from dramaturg.errors import ControlError
from dramaturg.implementation.manifest import Implementation
from dramaturg.report.formatting import UNCERTIFIED
from dramaturg.timing.planning import scenarios
from dramaturg.timing.planning.scenarios import CHATAPP, Scenario
from dramaturg.timing.statistics import estimates

MESSAGE_BOUND = {
    "clients": 1024, "directories": 8, "turns": 32,
    "compute": 0, "post": 95, "leave": 0, "invite": 5, "befriend": 10,
    "selection": "cumulative",
}  # fmt: skip
"""The configuration for which the published programs' message counts are known."""


class Failed(Exception):
    """One of the two did not do what it was to do; says which, and what it did."""


@dataclass
class Series:
    """Nanoseconds per delivered message: a list for each invocation, of its iterations."""

    wall: list[list[float]] = field(default_factory=list)
    cpu: list[list[float]] = field(default_factory=list)

    def add(self, other: "Series") -> None:
        self.wall += other.wall
        self.cpu += other.cpu


Invoke = Callable[[], Series]
"""Runs one fresh process. Raises ControlError, Failed or OSError."""


@dataclass
class Pair:
    """Two programs, what each is called, and what was measured of it."""

    name: str
    over: tuple[str, Invoke]
    under: tuple[str, Invoke]
    measured: tuple[Series, Series] = field(default_factory=lambda: (Series(), Series()))
    failure: str = ""

    def round(self, number: int) -> None:
        """Both once, in an order that alternates from round to round."""
        runs = list(zip((self.over, self.under), self.measured, strict=True))
        fresh = []
        try:
            for (_, invoke), series in runs if number % 2 == 0 else reversed(runs):
                fresh.append((series, invoke()))
        except (ControlError, Failed, OSError) as error:
            self.failure = str(error)
            return
        for series, invoked in fresh:
            series.add(invoked)

    def to_dict(self) -> dict[str, Any]:
        over, under = self.measured
        document: dict[str, Any] = {"name": self.name, "failure": self.failure}
        document |= {"over": {"called": self.over[0]} | asdict(over)}
        document |= {"under": {"called": self.under[0]} | asdict(under)}
        if over.wall:
            document["wall_ratio"] = asdict(estimates.ratio(over.wall, under.wall, paired=True))
            document["cpu_ratio"] = asdict(estimates.ratio(over.cpu, under.cpu, paired=True))
        return document


def message_bound() -> Scenario:
    """The scenario that all are measured on."""
    return scenarios.scenario(CHATAPP, history=False, overrides=MESSAGE_BOUND)


def marked(called: str, implementation: Implementation) -> str:
    """Return the name of a series, marked if no certificate shows that its work is done (LEVEL-24).
    A published program is not one of ours, and no certificate could be expected of it."""
    return called if is_certified(implementation) else f"{called} ({UNCERTIFIED})"


def compare(pairs: Sequence[Pair], rounds: int) -> None:
    """All pairs in rounds; one that fails is left out from there on."""
    for number in range(rounds):
        for pair in pairs:
            if not pair.failure:
                say(f"round {number + 1} of {rounds}: {pair.name}")
                pair.round(number)
                if pair.failure:
                    say(f"{pair.name}: left out: {pair.failure}")


def report(pairs: Sequence[Pair], as_json: bool, load: tuple[float, float]) -> int:
    """Print what was found; the exit status, which is 1 if any pair failed."""
    if as_json:
        document = {"parameters": MESSAGE_BOUND, "load": load}
        json.dump(document | {"pairs": [pair.to_dict() for pair in pairs]}, sys.stdout, indent=2)
        print()
    else:
        Console().print(_table(pairs))
        print("Nanoseconds per delivered message, medians, 95 % intervals of the ratio.")
        print(f"Load: {load[0]:.1f} before, {load[1]:.1f} after.")
    return int(any(pair.failure for pair in pairs))


def _table(pairs: Sequence[Pair]) -> Table:
    shown = Table("", "time", "over", "ns", "under", "ns", "ratio", "interval", box=None)
    for pair in pairs:
        if not pair.measured[0].wall:
            shown.add_row(pair.name, pair.failure or "not run")
            continue
        for kind in ("wall", "cpu"):
            over, under = (getattr(series, kind) for series in pair.measured)
            ratio = estimates.ratio(over, under, paired=True)
            interval = f"{ratio.low:.3f} to {ratio.high:.3f}" if ratio.has_interval else ratio.note
            shown.add_row(
                pair.name if kind == "wall" else "",
                kind,
                pair.over[0],
                f"{estimates.median(over).value:.0f}",
                pair.under[0],
                f"{estimates.median(under).value:.0f}",
                f"{ratio.value:.3f}",
                interval,
            )
    return shown


def parser(text: str) -> argparse.ArgumentParser:
    """Options that all comparisons have."""
    made = argparse.ArgumentParser(
        description=text, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    made.add_argument("--invocations", type=int, default=8, help="fresh processes of each")
    made.add_argument("--iterations", type=int, default=6, help="in each process")
    made.add_argument("--json", action="store_true")
    return made


def load() -> float:
    """Processes that want to run, over the last minute."""
    return os.getloadavg()[0]


def say(text: str) -> None:
    """Progress, beside the result."""
    print(text, file=sys.stderr, flush=True)
