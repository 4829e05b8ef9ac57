"""A comparison as records keep it: two sides, their rows, and which invocations make pairs.

Invocation i of the one and invocation i of the other are a pair: their iterations took turns, or
they ran back to back (runner.py). Invocations below ``pairs`` flag, those from there on are fresh,
and the last is the audit's.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from dramaturg import files
from dramaturg.outcomes import Outcome
from dramaturg.records import SampleRecord, TimedRecord, UnitRecord
from dramaturg.results import Recorded, ResultsError
from dramaturg.timing.statistics import difference
from dramaturg.timing.statistics.difference import Found, Verdict

HEADER = "comparison"
"""The key of the header of the records that has it."""

MOST_PAIRS = 1000
"""The most pairs of either kind: above it, effects show that nobody would mend."""

MOST_ROWS = 500
"""The most rows of one comparison: all that the suites have is a tenth of it."""

_NAMED = 3
"""Reasons that are spelt out for one row."""

_LINK = ("nodes", "bandwidth", "delay", "loss")
"""The requested properties of a network."""


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Side(_Strict):
    """One of the two."""

    label: str
    """The name of its records."""
    word: str
    """As it was typed."""
    build: str
    """The build's digest."""
    commit: str = ""
    """The commit of its sources; empty where git knows of none."""
    modified: bool = False
    """True if its sources are not what was committed."""
    revision: str = ""
    """The revision, as it was asked for; empty for the folder's own state."""


class Comparison(_Strict):
    """The requested comparison, before anything was timed."""

    a: Side
    """The side with which B is compared."""
    b: Side
    """The side that is judged."""
    pairs: int = Field(default=difference.PAIRS, ge=1, le=MOST_PAIRS)
    confirm: int = Field(default=difference.CONFIRM, ge=1, le=MOST_PAIRS)
    margin: float = Field(default=difference.MARGIN, gt=0, le=1, allow_inf_nan=False)

    @property
    def invocations(self) -> int:
        """Number of invocations that are timed of each at most; the next is the audit's."""
        return self.pairs + self.confirm

    @property
    def labels(self) -> tuple[str, str]:
        return self.a.label, self.b.label

    @property
    def alike(self) -> bool:
        """True if both are one build, so that every difference is a false one."""
        return self.a.build == self.b.build


class _Scenario(_Strict):
    benchmark: str
    name: str
    scale: str
    parameters: dict[str, Any]


class Row(_Strict):
    """A timed row, as the plan has it."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    scenario: _Scenario
    network: dict[str, Any]
    cores: list[int] = []

    @property
    def asked(self) -> dict[str, Any]:
        """The requested network; empty for one node."""
        found = {key: self.network[key] for key in _LINK if self.network.get(key) is not None}
        return found if found.get("nodes", 1) != 1 else {}

    def called(self) -> dict[str, Any]:
        """The fields by which records name it."""
        said = self.scenario
        return {
            "benchmark": said.benchmark,
            "scenario": said.name,
            "scale": said.scale,
            "parameters": said.parameters,
            "cores": self.cores,
        }

    def speaks(self, label: str) -> Callable[[TimedRecord], bool]:
        """True if a record is of this on the side with that label. Networks are compared as they
        were asked for: the built one may be the loopback."""
        called, asked = self.called(), self.asked

        def of(record: TimedRecord) -> bool:
            built = {key: record.network[key] for key in _LINK if key in record.network}
            named = all(getattr(record, key) == value for key, value in called.items())
            return record.implementation == label and named and built == asked

        return of


@dataclass(frozen=True, slots=True)
class Judged:
    """A row with its verdict."""

    called: dict[str, Any]
    """The fields by which records name what is timed."""
    found: Found
    first: list[float]
    """B over A of each pair, in the order in which they ran."""
    fresh: list[float]
    in_turns: bool
    network: dict[str, Any]
    """As it was built, or else asked for."""
    certified: bool
    too_short: int
    """Iterations of both that are too short to be precise (MEAS-23)."""
    doubts: list[str]
    """Other cautions that have to stand beside the verdict, of both sides (MEAS-47)."""


def read(header: dict[str, Any], file: Path) -> Comparison | None:
    """The comparison that a header tells of; None if it tells of none. Raises ResultsError."""
    if HEADER not in header:
        return None
    try:
        asked = Comparison.model_validate(header[HEADER])
        rows(header)
    except (ValidationError, ResultsError) as error:
        said = files.brief(str(error))
        raise ResultsError(f"{file}:1: its comparison cannot be read: {said}") from None
    return asked


def judge(recorded: Recorded, asked: Comparison) -> list[Judged]:
    """All rows of the plan. Raises ResultsError for records without one."""
    return [_judged(recorded, asked, row) for row in rows(recorded.header)]


def rows(header: dict[str, Any]) -> list[Row]:
    """The rows on which both sides are timed, each once, in the plan's order. Raises
    ResultsError."""
    found: list[Row] = []
    try:
        for unit in header["plan"]["units"]:
            row = Row.model_validate(unit)
            found += [] if row in found else [row]
    except (KeyError, TypeError, ValidationError):
        raise ResultsError("the header of this comparison has no plan that can be read") from None
    if len(found) > MOST_ROWS:
        raise ResultsError(f"the plan of this comparison has more than {MOST_ROWS} rows")
    return found


def repetitions(header: dict[str, Any], record: TimedRecord) -> str:
    """Return the number of iterations planned for each process: a warmer one is another measure."""
    plan = header.get("plan")
    planned = plan.get("units") if isinstance(plan, dict) else None
    for unit in planned if isinstance(planned, list) else []:
        try:
            row = Row.model_validate(unit)
        except ValidationError:
            continue
        name = record.implementation
        if unit.get("implementation") == name and row.speaks(name)(record):
            return f"{unit.get('iterations')} iterations, {unit.get('warmup')} of them warm-up"
    return "not recorded"


def flagged(recorded: Recorded, asked: Comparison) -> list[Row]:
    """Rows that get fresh pairs: all first pairs are there, nothing is wrong with them, and they
    differ."""
    found = []
    for row in rows(recorded.header):
        first, _ = _logs(recorded, asked, row)
        enough = len(first) == asked.pairs
        if enough and not _said(recorded, asked, row) and difference.is_flagged(first):
            found.append(row)
    return found


def medians(samples: Iterable[SampleRecord]) -> dict[int, float]:
    """The logarithm of the median of each invocation, of what counts in it (MEAS-8): of its run
    times, or of those for each message if it is windowed."""
    grouped: dict[int, list[float]] = {}
    for sample in samples:
        if sample.valid and not sample.warmup:
            grouped.setdefault(sample.invocation, []).append(sample.compared_nanos)
    found = {number: median(times) for number, times in grouped.items()}
    return {number: math.log(value) for number, value in found.items() if value > 0}


def against(recorded: Recorded, speaks: Callable[[TimedRecord], bool]) -> list[str]:
    """The reasons against a verdict on the records that ``speaks`` lets through, in words."""
    units = [record for record in recorded.units if speaks(record)]
    audits = [record for record in recorded.audits if speaks(record)]
    samples = [record for record in recorded.samples if speaks(record)]
    found = [_spelt(record) for record in units if record.outcome is not Outcome.PASS]
    found += [
        f"invocation {each.invocation}: its audit ended with {each.outcome}: {each.message}"
        for each in audits
        if each.outcome is not Outcome.PASS
    ]
    found += [
        f"invocation {each.invocation}, iteration {each.iteration}: {'; '.join(each.problems)}"
        for each in samples
        if not each.valid
    ]
    return list(dict.fromkeys(found))


def brief(reasons: Sequence[str]) -> str:
    """The first few, and how many more."""
    more = f"; and {len(reasons) - _NAMED} more" if len(reasons) > _NAMED else ""
    return files.brief("; ".join(reasons[:_NAMED])) + more


def too_short(samples: Iterable[SampleRecord]) -> int:
    """Return the number of these that cannot be vouched for (MEAS-23)."""
    return sum(each.ledger is not None and each.ledger.too_short for each in samples)


def doubts(units: Iterable[UnitRecord]) -> list[str]:
    """The cautions that have to stand beside figures of these, with the side of each (MEAS-47)."""
    return sorted({f"{unit.implementation}: {text}" for unit in units for text in unit.doubts})


def took_turns(units: Sequence[UnitRecord]) -> bool:
    """True if the iterations of each of these and of its other half alternated."""
    return bool(units) and all(unit.in_turns for unit in units)


def is_certified(units: Sequence[UnitRecord]) -> bool:
    """True if every invocation ran under a certificate and passed with its audit (MEAS-27)."""
    return bool(units) and all(unit.certified for unit in units)


def _judged(recorded: Recorded, asked: Comparison, row: Row) -> Judged:
    first, fresh = _logs(recorded, asked, row)
    units = [record for record in recorded.units if _either(asked, row)(record)]
    samples = [record for record in recorded.samples if _either(asked, row)(record)]
    asked_for = {"kind": "mininet"} | row.asked if row.asked else {"kind": "local"}
    return Judged(
        called=row.called(),
        found=_found(recorded, asked, row, first, fresh),
        first=[math.exp(log) for log in first],
        fresh=[math.exp(log) for log in fresh],
        in_turns=took_turns(units),
        network=samples[0].network if samples else asked_for,
        certified=is_certified(units),
        too_short=too_short(samples),
        doubts=doubts(units),
    )


def _found(
    recorded: Recorded, asked: Comparison, row: Row, first: list[float], fresh: list[float]
) -> Found:
    said = _said(recorded, asked, row)
    if said:
        return difference.none(brief(said))
    if len({record.what for record in recorded.samples if _either(asked, row)(record)}) > 1:
        return difference.none("some of it ran over another network than the rest (MEAS-14)")
    if len(first) < asked.pairs:
        return difference.none(_missing(len(first), asked.pairs, "pairs", recorded))
    if difference.is_flagged(first) and len(fresh) < asked.confirm:
        return difference.none(_missing(len(fresh), asked.confirm, "fresh pairs", recorded))
    found = difference.judged(first, fresh, asked.margin)
    ended = [
        {record.invocation for record in recorded.units if row.speaks(label)(record)}
        for label in asked.labels
    ]
    if found.verdict is not Verdict.NONE and not all(asked.invocations in each for each in ended):
        return difference.none("its last invocation, which is audited elsewhere, was not run")
    return found


def _missing(there: int, planned: int, what: str, recorded: Recorded) -> str:
    why = "" if recorded.complete else ": the run was interrupted, and --resume goes on"
    return f"{there} of {planned} {what} are there{why}"


def _either(asked: Comparison, row: Row) -> Callable[[TimedRecord], bool]:
    a, b = map(row.speaks, asked.labels)
    return lambda record: a(record) or b(record)


def _said(recorded: Recorded, asked: Comparison, row: Row) -> list[str]:
    return [
        f"{label}: {each}"
        for label in asked.labels
        for each in against(recorded, row.speaks(label))
    ]


def _spelt(record: UnitRecord) -> str:
    which = "" if record.invocation is None else f"invocation {record.invocation}: "
    said = f": {record.message}" if record.message else ""
    return f"{which}{record.outcome}{said}"


def _logs(recorded: Recorded, asked: Comparison, row: Row) -> tuple[list[float], list[float]]:
    """Logarithms of B over A: of the first pairs, and of the fresh ones."""
    under, over = (
        medians(sample for sample in recorded.samples if row.speaks(label)(sample))
        for label in asked.labels
    )
    logs = {number: over[number] - under[number] for number in sorted(under.keys() & over.keys())}
    first = [log for number, log in logs.items() if number < asked.pairs]
    return first, [log for number, log in logs.items() if number >= asked.pairs]
