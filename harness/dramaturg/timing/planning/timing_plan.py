"""The plan of what will be run, in which order, decided before anything is started.

It is kept in the header of the results, so that an interrupted run can be resumed
and a reader can see what is missing.
"""

import os
import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, field_validator

from dramaturg import files, meant
from dramaturg.implementation.manifest import Manifest
from dramaturg.machine import environment
from dramaturg.records import Point
from dramaturg.timing.planning import sweeps
from dramaturg.timing.planning.scenarios import Scenario
from dramaturg.timing.planning.suites import MOST_TIMES, NetworkRequest, Suite, SuiteError


class Unit(BaseModel):
    """A benchmark on an implementation over a network, however often it is invoked."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    implementation: str
    scenario: Scenario
    network: NetworkRequest
    cores: tuple[int, ...] = ()
    """The cores to which it is confined, by their numbers; empty if to none."""
    invocations: int = Field(le=MOST_TIMES)
    """Number of invocations that are timed; one more is for an audit."""
    iterations: int = Field(le=MOST_TIMES)
    warmup: int
    timeout: float
    """Seconds for one iteration."""
    points: tuple[Point, ...] = ()
    """The entries to which it belongs, and its points in their sweeps."""
    warmup_note: str = ""
    """The source of its warm-up, in words, if it was measured; empty if the suite says it."""
    planned: str = ""
    """The reason for its number of runs, in words; empty if the suite says it."""

    @field_validator("network")
    @classmethod
    def _is_possible(cls, network: NetworkRequest) -> NetworkRequest:
        network.check()
        return network

    @property
    def what(self) -> tuple[str, Scenario, NetworkRequest, tuple[int, ...]]:
        """The key that distinguishes samples; how often it is run is not part of it."""
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
    pairs: bool = False
    """True if invocations of one number and benchmark take turns, iteration by iteration."""
    left_out: list[str] = []
    """The units that implementations lack which nobody named, a sentence each."""

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
    *,
    asked: bool = False,
) -> Plan:
    """A plan of all these suites on these implementations, or on whom the suites name where
    nobody ``asked`` for these. ``cores`` are those there are, by their numbers. Raises SuiteError
    for more cores than these; if two entries have a unit in common, the first says how often, and
    both have it; and for two suites of one name."""
    units: dict[object, Unit] = {}
    called: dict[str, Suite] = {}
    for suite in suites:
        if called.setdefault(suite.suite, suite) != suite:
            raise SuiteError(
                f"two suites are called {suite.suite}, and would be one in the results; give one of"
                " them another name"
            )
        for name, entry in suite.named():
            for values, at in entry.points():
                confined = _confined(name, at.cores, cores)
                cast = None if asked else suite.cast(entry)
                for implementation in _run_as(cast or implementations, at.variant):
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


class _Lack(NamedTuple):
    """A thing that an implementation does not have, in words that can be combined."""

    who: str
    what: str
    why: str

    def said(self, *objects: str) -> str:
        return f"{self.who} {', '.join(objects)}{self.why}"


def lacking(unit: Unit, manifest: Manifest) -> str:
    """The parts of a unit that this implementation lacks, by its manifest; empty if it has all."""
    lack = _lack(unit, manifest)
    return lack.said(lack.what) if lack else ""


def _lack(unit: Unit, manifest: Manifest) -> _Lack | None:
    name, benchmark = unit.implementation, unit.scenario.benchmark
    variant = name.partition("+")[2]
    if variant and variant not in manifest.variants:
        known = ", ".join(manifest.variants) or "none"
        return _Lack(f"{manifest.name} has no variant", repr(variant), f"; its variants: {known}")
    if benchmark not in manifest.benchmarks:
        return _Lack(f"{name} does not implement", benchmark, "")
    if not unit.network.local and benchmark not in manifest.distributed:
        reason = f": {manifest.distributed_reason}" if manifest.distributed_reason else ""
        return _Lack(f"{name} does not distribute", benchmark, reason)
    return None


def only(made: Plan, words: Sequence[str]) -> Plan:
    """The part of a plan that these words name: entries, benchmarks, implementations. Words of one
    kind add up, and of several kinds all must match. Raises SuiteError for a word that names
    nothing, or more than one kind, and where nothing fits."""
    kinds = {"entries": _entries, "benchmarks": _benchmarks, "implementations": _implementations}
    wanted: dict[str, set[str]] = {}
    for word in words:
        found = [
            kind for kind, names in kinds.items() if any(word in names(unit) for unit in made.units)
        ]
        if len(found) != 1:
            raise SuiteError(f"--only {word}: {_why_not(word, made, kinds, found)}")
        wanted.setdefault(found[0], set()).add(word)
    units = [
        _of_entries(unit, wanted.get("entries"))
        for unit in made.units
        if all(words & kinds[kind](unit) for kind, words in wanted.items())
    ]
    if not units:
        raise SuiteError(f"--only {' --only '.join(words)}: nothing of this plan is all of that")
    return made.model_copy(update={"units": units})


def offered(made: Plan, suites: Sequence[Suite], manifests: Mapping[str, Manifest]) -> Plan:
    """A plan without what implementations lack for which no entry names them: of one that is named
    it is *unsupported* when its turn comes. Raises SuiteError where nothing is left."""
    named: dict[str, set[str]] = {}
    for suite in suites:
        for called, entry in suite.named():
            cast = {name.partition("+")[0] for name in suite.cast(entry) or ()}
            named.setdefault(called, set()).update(cast)

    def lacks(unit: Unit) -> _Lack | None:
        name, _, variant = unit.implementation.partition("+")
        is_named = any(name in named[point.entry] for point in unit.points)
        if is_named or name not in manifests:
            return None
        return _lack(unit, manifests[name].of_variant(variant))

    lacked = [lacks(unit) for unit in made.units]
    units = [unit for unit, lack in zip(made.units, lacked, strict=True) if lack is None]
    left_out = _together(filter(None, lacked))
    if left_out and not units:
        raise SuiteError(f"nobody has any of this: {left_out[0]}, and so on")
    return made.model_copy(update={"units": units, "left_out": left_out})


def _together(lacks: Iterable[_Lack]) -> list[str]:
    """Say in one sentence what one implementation lacks in one way."""
    found: dict[tuple[str, str], dict[str, _Lack]] = {}
    for lack in sorted(lacks):
        found.setdefault((lack.who, lack.why), {})[lack.what] = lack
    return [next(iter(each.values())).said(*each) for each in found.values()]


def _entries(unit: Unit) -> set[str]:
    """As they are called in the whole, and by their names alone, but not by a number."""
    whole = {point.entry for point in unit.points}
    names = {each.rpartition("/")[2] for each in whole}
    return whole | {name for name in names if name[:1].isalpha()}


def _benchmarks(unit: Unit) -> set[str]:
    return {unit.scenario.benchmark}


def _implementations(unit: Unit) -> set[str]:
    return {unit.implementation, unit.implementation.partition("+")[0]}


def _of_entries(unit: Unit, names: set[str] | None) -> Unit:
    """A unit that is of these entries alone: others that it was of would be curves of one point."""
    if names is None:
        return unit
    points = [p for p in unit.points if {p.entry, p.entry.rpartition("/")[2]} & names]
    return unit.model_copy(update={"points": tuple(points)})


def _why_not(
    word: str, made: Plan, kinds: Mapping[str, Callable[[Unit], set[str]]], found: Sequence[str]
) -> str:
    if found:
        return f"there are {' and '.join(found)} of that name; name it otherwise"
    there = {
        kind: sorted({name for unit in made.units for name in names(unit)})
        for kind, names in kinds.items()
    }
    said = "; ".join(f"{kind}: {', '.join(names)}" for kind, names in there.items())
    near = meant.hint(word, [name for names in there.values() for name in names]) or ";"
    return f"nothing in this plan is called so{near} there are {files.brief(said)}"


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
