"""What will be run, in which order: a plan is decided before anything is started.

It is kept in the header of the results, so that an interrupted run can be resumed
and a reader can see what is missing.
"""

import os
import random
from collections.abc import Sequence
from typing import Any

from pydantic import BaseModel, ConfigDict

from dramaturg.machine import environment
from dramaturg.records import Point
from dramaturg.timing import sweeps
from dramaturg.timing.scenarios import Scenario
from dramaturg.timing.suites import NetworkRequest, Suite, SuiteError


class Unit(BaseModel):
    """A benchmark on an implementation over a network, however often it is invoked."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    implementation: str
    scenario: Scenario
    network: NetworkRequest
    cores: tuple[int, ...] = ()
    """To which it is confined, by their numbers; to none, if empty."""
    invocations: int
    """That are timed; one more is for an audit."""
    iterations: int
    warmup: int
    timeout: float
    """Seconds for one iteration."""
    points: tuple[Point, ...] = ()
    """Of which entries it is, and where in their sweeps."""

    @property
    def what(self) -> tuple[str, Scenario, NetworkRequest, tuple[int, ...]]:
        """What samples are told apart by; how often it is run is not part of it."""
        return self.implementation, self.scenario, self.network, self.cores

    def __str__(self) -> str:
        nodes = "" if self.network.local else f" on {self.network.nodes} nodes"
        at = next((f" at {sweeps.spelt(point.axes)}" for point in self.points if point.axes), "")
        return f"{self.scenario}{nodes}{at} on {self.implementation}"

    def called(self) -> dict[str, Any]:
        """The fields by which records name what is timed."""
        where = {"cores": list(self.cores), "points": list(self.points)}
        return self.scenario.called() | where


class Plan(BaseModel):
    """All units, and the order of their invocations."""

    model_config = ConfigDict(extra="forbid")

    suites: list[str]
    seed: int
    units: list[Unit]

    def order(self) -> list[tuple[Unit, int]]:
        """Invocations in rounds: each invokes every unit once, benchmark by benchmark, the
        implementations of each in an order drawn anew. The last one of each unit is its audit.

        So whatever changes in the machine meets all implementations (MEAS-12), and none
        always runs after the same other one.
        """
        shuffler = random.Random(self.seed)
        rounds = max((unit.invocations + 1 for unit in self.units), default=0)
        order: list[tuple[Unit, int]] = []
        for number in range(rounds):
            for units in self._by_benchmark():
                due = [unit for unit in units if number <= unit.invocations]
                shuffler.shuffle(due)
                order += [(unit, number) for unit in due]
        return order

    def _by_benchmark(self) -> list[list[Unit]]:
        grouped: dict[tuple[object, ...], list[Unit]] = {}
        for unit in self.units:
            grouped.setdefault(unit.what[1:], []).append(unit)
        return list(grouped.values())


def make(
    suites: Sequence[Suite],
    implementations: Sequence[str],
    seed: int,
    cores: Sequence[int] | None = None,
) -> Plan:
    """A plan of all these suites. ``implementations`` counts where a suite names none; ``cores``
    are those there are, by their numbers. Raises SuiteError for more cores than these; of
    what two entries have in common, the first says how often, and both have it."""
    units: dict[object, Unit] = {}
    for suite in suites:
        for name, entry in suite.named():
            for values, at in entry.points():
                confined = _confined(name, at.cores, cores)
                for implementation in _run_as(suite.implementations or implementations, at.variant):
                    unit = Unit(
                        implementation=implementation,
                        scenario=at.made,
                        network=at.network,
                        cores=confined,
                        invocations=at.invocations or suite.invocations,
                        iterations=at.iterations or suite.iterations,
                        warmup=suite.warmup if at.warmup is None else at.warmup,
                        timeout=at.timeout or suite.timeout,
                    )
                    first = units.setdefault(unit.what, unit)
                    points = dict.fromkeys((*first.points, Point(entry=name, axes=values)))
                    units[unit.what] = first.model_copy(update={"points": tuple(points)})
    return Plan(suites=[suite.suite for suite in suites], seed=seed, units=list(units.values()))


def _run_as(implementations: Sequence[str], variant: str | None) -> list[str]:
    """Their names, in this variant; each implementation once."""
    if variant is None:
        return list(implementations)
    ending = "" if variant == sweeps.PLAIN else f"+{variant}"
    return list(dict.fromkeys(name.partition("+")[0] + ending for name in implementations))


def _confined(entry: str, many: int | None, there: Sequence[int] | None) -> tuple[int, ...]:
    """The first so many of these cores. Raises SuiteError if there are fewer."""
    if many is None:
        return ()
    if there is None:
        there = environment.pinned_to() or range(os.cpu_count() or 1)
    if many > len(there):
        raise SuiteError(
            f"{entry}: {many} cores, and this machine has {len(there)} that may be used; leave out"
            " what is more, or run it on another machine"
        )
    return tuple(sorted(there)[:many])
