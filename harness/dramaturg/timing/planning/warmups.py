"""Warm-up that was measured on its own: suites run too few iterations to show its end (MEAS-34).

It is measured once for each runtime and benchmark, and kept in a file. A measurement from another
machine, or from another version of the runtime, is out of date and is not used.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from dramaturg import files, results
from dramaturg.outcomes import Outcome
from dramaturg.records import SampleRecord
from dramaturg.results import Recorded, ResultsError
from dramaturg.timing.planning import baseline, pairing
from dramaturg.timing.planning.pairing import Row
from dramaturg.timing.planning.suites import MOST_TIMES
from dramaturg.timing.planning.timing_plan import Plan, Unit
from dramaturg.timing.statistics import estimates
from dramaturg.visible import typed

FILE = "warmup.json"
"""Below ``results/``."""

INVOCATIONS, ITERATIONS = 3, 100
"""Numbers of invocations and iterations with which it is measured."""

OLD = "is out of date"
"""The words in the note of a unit whose warm-up was measured elsewhere."""

VERSION: Literal[1] = 1


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Measured(_Strict):
    """The warm-up of an implementation on one benchmark at one setting."""

    implementation: str
    setting: dict[str, Any]
    """Scenario, network and cores, as plans have them."""
    warmups: list[Annotated[int, Field(ge=0)]] = Field(min_length=1)
    """Iterations of each invocation."""
    settled: bool
    """True if all of them settled, within half of their iterations."""
    iterations: int = Field(ge=1, le=MOST_TIMES)
    """The iterations of each invocation."""
    build: str
    runtime: str
    runtime_version: str
    machine: dict[str, Any]
    kernel: str
    harness: dict[str, Any]
    started: float
    """Seconds since 1970."""
    session: str
    """The name of the results folder that it was found in."""

    @model_validator(mode="after")
    def _is_part_of_it(self) -> "Measured":
        if self.warmup > self.iterations:
            raise ValueError(f"{self.warmup} of {self.iterations} iterations cannot be warm-up")
        return self

    @property
    def key(self) -> str:
        return _key(self.implementation, self.setting)

    @property
    def warmup(self) -> int:
        """The warm-up of the invocation that took longest."""
        return max(self.warmups)


class _File(_Strict):
    version: Literal[1] = VERSION
    measured: list[Measured]


@dataclass(frozen=True, slots=True)
class Here:
    """The circumstances on which warm-up depends, as they are now."""

    machine: Mapping[str, Any]
    versions: Mapping[str, str]
    """The version of the runtime of each implementation that could be asked."""
    builds: Mapping[str, str]


def longer(made: Plan) -> Plan:
    """The plan by which the warm-up of all that is in it is measured."""
    changed = {"invocations": INVOCATIONS, "iterations": ITERATIONS, "warmup": 0}
    units = [unit.model_copy(update=changed) for unit in made.units]
    return made.model_copy(update={"units": units})


def found(
    folder: Path, recorded: Recorded, environment: Mapping[str, Any]
) -> tuple[list[Measured], list[str]]:
    """The warm-ups that a session shows, and the units of which it shows none, with the reason.
    Raises ResultsError for one that was interrupted, or does not say what warm-up depends on."""
    file, header = folder / results.TIMINGS, recorded.header
    if not recorded.complete:
        raise ResultsError(
            f"{file}: this run was interrupted; `dramaturg bench --resume {typed(folder)}` goes on,"
            f" and then `dramaturg warmup --from {typed(folder)}` reads it"
        )
    try:
        made = Plan.model_validate(header["plan"])
    except (KeyError, ValidationError):
        raise ResultsError(f"{file}:1: its header has no plan that can be read") from None
    measured, lacking = [], []
    for unit in made.units:
        one = _measured(unit, folder, recorded, environment)
        if isinstance(one, Measured):
            measured.append(one)
        else:
            lacking.append(f"{unit}: {one}")
    return measured, lacking


def read(file: Path) -> list[Measured]:
    """The contents of such a file; empty if there is none. Raises ResultsError."""
    if not file.exists():
        return []
    try:
        text = files.read_text(file)
        return _File.model_validate_json(text).measured
    except (files.Unreadable, ValidationError) as error:
        raise ResultsError(
            f"{file} is no record of warm-up: {files.brief(error)}; move it away, and measure"
            " again with `dramaturg warmup`"
        ) from None


def keep(file: Path, measured: Iterable[Measured]) -> None:
    """Into the file, in the place of what was measured of the same before. Raises ResultsError."""
    known = {each.key: each for each in (*read(file), *measured)}
    whole = _File(measured=sorted(known.values(), key=lambda each: each.key))
    text = json.dumps(whole.model_dump(mode="json"), indent=2) + "\n"
    if len(text.encode()) > files.MAX_BYTES:
        raise ResultsError(f"{file} has no room for more; move it away, and measure again")
    with files.naming(file):
        file.parent.mkdir(parents=True, exist_ok=True)
        files.write_text(file, text)


def applied(made: Plan, measured: Iterable[Measured], here: Here) -> Plan:
    """The plan with the warm-up that was measured in it. As many iterations count as before."""
    known = {each.key: each for each in measured}
    units = [_applied(unit, known.get(_of(unit)), here) for unit in made.units]
    return made.model_copy(update={"units": units})


def concerned(made: Plan, measured: Sequence[Measured]) -> list[str]:
    """The implementations of a plan of which something was measured."""
    known = {each.key for each in measured}
    return list(dict.fromkeys(unit.implementation for unit in made.units if _of(unit) in known))


def _key(implementation: str, setting: Mapping[str, Any]) -> str:
    return json.dumps((implementation, setting), sort_keys=True)


def _setting(unit: Unit) -> dict[str, Any]:
    return unit.model_dump(mode="json", include={"scenario", "network", "cores"})


def _of(unit: Unit) -> str:
    """A build of a revision warms up as its name does."""
    return _key(baseline.plain(unit.implementation), _setting(unit))


def _measured(
    unit: Unit, folder: Path, recorded: Recorded, environment: Mapping[str, Any]
) -> Measured | str:
    """The measured warm-up, or the reason why there is none."""
    speaks = Row.model_validate(unit.model_dump(mode="json")).speaks(unit.implementation)
    wrong = pairing.against(recorded, speaks)
    if wrong:
        return pairing.brief(wrong)
    grouped: dict[int, list[SampleRecord]] = {}
    for sample in recorded.samples:
        if speaks(sample):
            grouped.setdefault(sample.invocation, []).append(sample)
    ended = [each for each in recorded.units if speaks(each) and each.outcome is Outcome.PASS]
    if not grouped or not ended:
        return "not run"
    fewest = min(len(samples) for samples in grouped.values())
    if len(grouped) < INVOCATIONS or fewest < ITERATIONS:
        return (
            f"{len(grouped)} invocations of {fewest} iterations; {INVOCATIONS} of {ITERATIONS} or"
            " more are needed"
        )
    each = [
        estimates.warmup([sample.compared_nanos for sample in samples])
        for samples in grouped.values()
    ]
    said = _said(unit.implementation, environment)
    if said is None:
        return "its session does not say which runtime ran"
    header = recorded.header
    machine, harness = (_object(header.get(name)) for name in ("machine", "harness"))
    started = header.get("started")
    return Measured(
        implementation=unit.implementation,
        setting=_setting(unit),
        warmups=[one.iterations for one in each],
        settled=all(one.rule != estimates.NOT_SETTLED for one in each),
        iterations=fewest,
        build=next(iter(grouped.values()))[0].build,
        runtime=said[0],
        runtime_version=said[1],
        machine=machine,
        kernel=str(header.get("kernel")),
        harness=harness,
        started=started if isinstance(started, float) else 0.0,
        session=folder.resolve().name,
    )


def _said(name: str, environment: Mapping[str, Any]) -> tuple[str, str] | None:
    """Runtime and version."""
    of = _object(_object(environment.get("implementations")).get(name))
    runtime, version = of.get("runtime"), of.get("runtime_version")
    known = isinstance(runtime, str) and isinstance(version, str)
    return (str(runtime), str(version)) if known else None


def _object(said: Any) -> dict[str, Any]:
    return said if isinstance(said, dict) else {}


def _applied(unit: Unit, one: Measured | None, here: Here) -> Unit:
    if one is None:
        return unit
    counted = f"{len(one.warmups)} x {one.iterations} iterations, {one.session}"
    old = _out_of_date(one, here)
    if old:
        note = f"the measurement ({counted}) {OLD}, {old}: as the suite says"
        return unit.model_copy(update={"warmup_note": note})
    if not one.settled:
        note = f"measured ({counted}): not settled within half of them, so as the suite says"
        return unit.model_copy(update={"warmup_note": note})
    warmup = max(one.warmup, unit.warmup)
    note = f"measured ({counted}): {one.warmup} iterations"
    build = here.builds.get(one.implementation)
    if build is not None and build != one.build:
        note += ", on another build of the same runtime"
    iterations = unit.iterations - unit.warmup + warmup
    return unit.model_copy(update={"warmup": warmup, "iterations": iterations, "warmup_note": note})


def _out_of_date(one: Measured, here: Here) -> str:
    """Return the reason why it says nothing of now, in words; empty if it does."""
    differs = [
        f"{name}: then {one.machine.get(name)}, now {here.machine.get(name)}"
        for name in {**one.machine, **here.machine}
        if one.machine.get(name) != here.machine.get(name)
    ]
    if differs:
        return f"since the machine was another ({'; '.join(differs)})"
    version = here.versions.get(one.implementation)  # Unknown until it is started.
    if version is not None and version != one.runtime_version:
        return f"since the runtime was {one.runtime_version} and is {version}"
    return ""
