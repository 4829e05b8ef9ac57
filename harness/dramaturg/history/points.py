"""Makes the points of one results folder: the ratio of each build to the pinned one that ran
interleaved with it."""

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dramaturg import results
from dramaturg.records import TimedRecord
from dramaturg.report import formatting, machine, sessions
from dramaturg.results import Recorded, ResultsError
from dramaturg.timing.planning import baseline, pairing
from dramaturg.timing.planning.pairing import Comparison, Side
from dramaturg.timing.statistics import ranks

LEVEL = 0.95
"""The confidence level of a point's interval."""

MOST = math.log(1e12)
"""The largest logarithm of a ratio: beyond it one of the two measured nothing."""

FEWEST = 3
"""Pairs of a point: two might be one that went wrong, and nobody could tell which."""


@dataclass(frozen=True, slots=True)
class Origin:
    """The sources from which a build was made."""

    label: str
    """As its session called it."""
    build: str
    commit: str
    """Empty where the session does not say."""
    modified: bool


@dataclass(frozen=True, slots=True)
class Point:
    """One session's ratio."""

    started: float
    session: str
    """Its folder, as it was found."""
    origin: Origin
    against: Origin
    log: float
    """The logarithm of the ratio of both medians, over the pairs."""
    low: float | None
    high: float | None
    pairs: int
    certified: bool
    circumstances: Mapping[str, str]
    """The circumstances that cut a line if they change: name and value."""


@dataclass(frozen=True, slots=True)
class Called:
    """The subject of a line."""

    implementation: str
    """The implementation with its variant, whatever its build."""
    fields: Mapping[str, Any]
    """The fields by which records name a timed unit: benchmark, scenario, scale, parameters,
    cores."""
    network: Mapping[str, Any]
    machine: str
    """The machine, told apart by the system's name for itself."""

    @property
    def key(self) -> str:
        said = self.implementation, dict(self.fields), dict(self.network), self.machine
        return json.dumps(said, sort_keys=True)


@dataclass(frozen=True, slots=True)
class Gap:
    """The reason why a session has no point of a line."""

    started: float
    session: str
    why: str


Found = tuple[Called, Point | Gap]


@dataclass(frozen=True, slots=True)
class Session:
    """A results folder with timings, read."""

    folder: Path
    recorded: Recorded
    environment: dict[str, Any]
    started: float
    pinned: list[Side]
    compared: Comparison | None


def opened(folder: Path, names: Sequence[str] = ()) -> Session:
    """A results folder; ``names`` are implementations that are taken as pinned in it as well.
    Raises ResultsError for what cannot be read, or can have no place in a history."""
    file = folder / results.TIMINGS
    recorded = results.read(file)
    header = recorded.header
    started = header.get("started")
    if not formatting.is_moment(started) or not math.isfinite(started):
        raise ResultsError(f"{file}:1 does not say when it began, so it has no place in a history")
    environment = sessions.environment(folder)
    told = machine.circumstances(environment)
    if not told or not told["machine"] or not told["kernel"]:
        raise ResultsError(
            f"{folder} says nothing of its machine ({results.ENVIRONMENT}), so it compares with"
            " nothing"
        )
    compared = pairing.read(header, file)
    sides = [*baseline.read(header, file), *([compared.a] if compared else [])]
    sides += [side for name in names if (side := _named(name, recorded)) is not None]
    return Session(folder, recorded, environment, float(started), sides, compared)


def points(session: Session) -> Iterator[Found]:
    """The session's point, or its reason for none, on each line in which it takes part."""
    groups = _grouped(session.recorded)
    for (label, setting), group in groups.items():
        side = baseline.held_against(label, session.pinned)
        if side is not None:
            measure = groups.get((side.label, setting), Recorded(header={}))
            yield _called(session, _one(group)), _point(session, label, group, side, measure)


def _grouped(recorded: Recorded) -> dict[tuple[str, str], Recorded]:
    """The records of each implementation on each setting."""
    found: dict[tuple[str, str], Recorded] = {}
    built = {sample.what: sample for sample in recorded.samples}
    for name in ("units", "samples", "audits"):
        for record in getattr(recorded, name):
            # An implementation that failed before its network was up failed on the setting of those
            # that had it.
            of = next(filter(record.is_of, built.values()), record) if record.unbuilt else record
            key = record.implementation, _setting(of)
            getattr(found.setdefault(key, Recorded(header={})), name).append(record)
    return found


def _one(group: Recorded) -> TimedRecord:
    return next(iter([*group.units, *group.samples, *group.audits]))


def _named(name: str, recorded: Recorded) -> Side | None:
    """An implementation of a session that was told of no baseline."""
    builds = {each.build for each in recorded.samples if each.implementation == name}
    if len(builds) != 1:
        return None
    commit, modified = _commit(recorded.header, name)
    return Side(label=name, word=name, build=builds.pop(), commit=commit, modified=modified)


def _setting(record: TimedRecord) -> str:
    """The timed setting, without the kernel that emulated its network: that is no line's name."""
    return json.dumps((_fields(record), _network(record)), sort_keys=True)


def _fields(record: TimedRecord) -> dict[str, Any]:
    named = {"benchmark", "scenario", "scale", "parameters", "cores"}
    return record.model_dump(include=named, mode="json")


def _network(record: TimedRecord) -> dict[str, Any]:
    return {key: value for key, value in record.network.items() if key != "kernel"}


def _called(session: Session, record: TimedRecord) -> Called:
    said = session.recorded.header.get("machine")
    known = said.get("id") if isinstance(said, dict) else None
    at = str(known or _machine(session)["machine"])
    name = baseline.plain(record.implementation)
    return Called(name, _fields(record), _network(record), at)


def _machine(session: Session) -> dict[str, str]:
    """Machine, cores, kernel and harness, in words."""
    captured = session.environment
    cpu = captured.get("cpu")
    cores = dict(cpu) if isinstance(cpu, dict) else {}
    there = {key: cores.pop(key, None) for key in ("cores", "physical", "pinned_to", "quota")}
    told = machine.circumstances(captured | {"cpu": cores})
    return {
        "machine": told["machine"],
        "cores": formatting.pairs(
            {key: value for key, value in there.items() if value is not None}
        ),
        "kernel": told["kernel"],
        "harness": _harness(session, told["harness"]),
    }


def _harness(session: Session, told: str) -> str:
    """Name the harness by its digest if that was recorded; an unknown one is like none but
    itself."""
    said = session.recorded.header.get("harness")
    if isinstance(said, dict) and said.get("digest"):
        return f"{said.get('version')}, digest {str(said['digest'])[:12]}"
    return told if machine.known_source(session.environment) else f"not known ({session.folder})"


def _circumstances(
    session: Session, record: TimedRecord, measure: TimedRecord, side: Side
) -> dict[str, str]:
    at = f" at {side.revision or side.commit[:12]}" if side.revision or side.commit else ""
    return {
        "baseline": f"{baseline.plain(side.label)}{at}, build {side.build[:12]}",
        **_machine(session),
        "repetitions": pairing.repetitions(session.recorded.header, record),
        "repetitions of the baseline": pairing.repetitions(session.recorded.header, measure),
    }


def _point(
    session: Session, label: str, group: Recorded, side: Side, measure: Recorded
) -> Point | Gap:
    """The point of one build and the pinned one on the same setting."""
    why = _why_not(session, label, group, side, measure)
    logs = _logs(session, *map(pairing.medians, (group.samples, measure.samples)))
    if not why and len(logs) < FEWEST:
        pairs = formatting.count(len(logs), "pair")
        why = f"{pairs} with the baseline; {FEWEST} or more are needed"
    if not why and max(map(abs, logs)) > MOST:
        why = "a pair's times differ by more than a factor of 10^12"
    if why:
        return Gap(session.started, str(session.folder), why)
    shift = ranks.paired(logs, 1 - LEVEL)
    return Point(
        started=session.started,
        session=str(session.folder),
        origin=_origin(session, label, group.samples[0].build),
        against=Origin(side.label, side.build, side.commit, side.modified),
        log=ranks.middle(logs),
        low=shift.low if shift else None,
        high=shift.high if shift else None,
        pairs=len(logs),
        certified=pairing.is_certified([*group.units, *measure.units]),
        circumstances=_circumstances(session, _one(group), _one(measure), side),
    )


def _logs(session: Session, over: dict[int, float], under: dict[int, float]) -> list[float]:
    """Logarithms of the ratio, of each pair. A comparison counts its first pairs alone: these
    decide whether there are fresh ones."""
    most = session.compared.pairs if session.compared else math.inf
    return [over[each] - under[each] for each in sorted(over.keys() & under.keys()) if each < most]


def _why_not(session: Session, label: str, group: Recorded, side: Side, measure: Recorded) -> str:
    """The reason against a point, in words; empty if there is none."""
    if not session.recorded.complete:
        return "its run was interrupted"
    if session.compared is None and list(session.folder.glob("timings.interrupted-*")):
        return "it was resumed, so that its invocations need not be pairs"
    builds = {each.build for each in measure.samples}
    if builds - {side.build}:
        return f"{side.label} ran as another build than the one that was pinned"
    if not measure.units:
        return f"the baseline, {side.label}, did not run it"
    said = [
        f"{name}: {text}"
        for name, of in ((label, group), (side.label, measure))
        for text in pairing.against(of, lambda record: True)
    ]
    return pairing.brief(said) if said else ""


def _origin(session: Session, label: str, build: str) -> Origin:
    if session.compared and session.compared.b.label == label:
        side = session.compared.b
        return Origin(label, build, side.commit, side.modified)
    commit, modified = _commit(session.recorded.header, label)
    return Origin(label, build, commit, modified)


def _commit(header: Mapping[str, Any], name: str) -> tuple[str, bool]:
    """The commit of an implementation's sources and whether they were modified, where a header
    says it."""
    said = header.get("commits")
    of = said.get(name) if isinstance(said, dict) else None
    if not isinstance(of, dict) or not isinstance(of.get("commit"), str):
        return "", False
    return of["commit"], bool(of.get("modified"))
