"""Sweeps, summed up: from samples to one curve for each entry of a suite that has an axis."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from pydantic import BaseModel, TypeAdapter, ValidationError

from dramaturg.outcomes import Outcome
from dramaturg.records import Point, SampleRecord, TimedRecord, UnitRecord, Value
from dramaturg.report.latencies import ended, latencies
from dramaturg.report.summary import Curve, CurveGap, CurveLine, CurvePoint, Interval
from dramaturg.report.timing_summary import counted, estimate
from dramaturg.results import Recorded
from dramaturg.timing.planning import sweeps


class _Planned(BaseModel):
    """The header's data about a unit, as far as curves go."""

    implementation: str
    scenario: dict[str, Any] = {}
    points: list[Point] = []

    @property
    def benchmark(self) -> str:
        return str(self.scenario.get("benchmark", ""))

    @property
    def scale(self) -> str:
        return str(self.scenario.get("scale", ""))


@dataclass
class _Place:
    """The records of one implementation at one value; none, if it was not reached."""

    samples: list[SampleRecord] = field(default_factory=list)
    units: list[UnitRecord] = field(default_factory=list)


@dataclass
class _Drawn:
    """The records of one curve: places by line and value."""

    one: _Planned | TimedRecord
    axis: str
    fixed: dict[str, Value]
    lines: dict[str, dict[Value, _Place]] = field(
        default_factory=lambda: defaultdict(lambda: defaultdict(_Place))
    )


def curves(timed: Recorded) -> list[Curve]:
    """One for each entry with an axis; with two, one for each value of the second. In the order
    of the records."""
    drawn: dict[tuple[object, ...], _Drawn] = {}
    records: list[_Planned | TimedRecord] = [*timed.samples, *timed.units]
    for record in (*records, *_planned(timed.header)):
        for point in _swept(record):
            (axis, value), *rest = point.axes.items()
            of = drawn.setdefault((point.entry, axis, *rest), _Drawn(record, axis, dict(rest)))
            name = record.implementation
            line = name.partition("+")[0] if "variant" in point.axes else name
            place = of.lines[line][value]
            match record:
                case SampleRecord():
                    place.samples.append(record)
                case UnitRecord():
                    place.units.append(record)
    found = [_curve(str(key[0]), of, timed) for key, of in drawn.items()]
    return sorted(found, key=lambda curve: (curve.entry, _order(curve.fixed.values())))


def _planned(header: dict[str, Any]) -> list[_Planned]:
    """The units of the plan, where a header has one that can be read."""
    plan = header.get("plan")
    units = plan.get("units") if isinstance(plan, dict) else None
    try:
        return TypeAdapter(list[_Planned]).validate_python(units or [])
    except ValidationError:
        return []


def _swept(record: _Planned | TimedRecord) -> Iterator[Point]:
    return (point for point in record.points if point.axes)


def _curve(entry: str, of: _Drawn, timed: Recorded) -> Curve:
    values = {value for line in of.lines.values() for value in line}
    return Curve(
        entry=entry,
        benchmark=of.one.benchmark,
        scale=of.one.scale,
        axis=of.axis,
        unit=sweeps.UNITS.get(of.axis, ""),
        fixed=of.fixed,
        values=sorted(values, key=lambda value: _order([value])),
        lines=[
            _line(name, places, complete=timed.complete)
            for name, places in sorted(of.lines.items())
        ],
    )


def _line(name: str, places: dict[Value, _Place], *, complete: bool) -> CurveLine:
    points, gaps = [], []
    for value in sorted(places, key=lambda value: _order([value])):
        place = places[value]
        samples = counted(place.samples, place.units, complete=complete)
        if samples:
            points.append(_point(value, samples, place.units))
        gaps += _gaps(value, place, there=bool(samples))
    certified = all(
        sample.certified for place in places.values() for sample in place.samples
    ) and all(unit.certified is not False for place in places.values() for unit in place.units)
    return CurveLine(implementation=name, certified=certified, points=ended(points), gaps=gaps)


def _gaps(value: Value, place: _Place, *, there: bool) -> list[CurveGap]:
    """Return the reasons why there is no figure at a value, each once; why one rests on less than
    planned."""
    found = {
        (unit.outcome, unit.message) for unit in place.units if unit.outcome is not Outcome.PASS
    }
    if not found and not there:
        found = {(Outcome.NOT_RUN, "the run was cut short before, or within it")}
    return [
        CurveGap(value=value, outcome=outcome, message=message)
        for outcome, message in sorted(found)
    ]


def _point(value: Value, samples: list[SampleRecord], units: list[UnitRecord]) -> CurvePoint:
    messages = all(sample.messages for sample in samples)
    return CurvePoint(
        value=value,
        samples=len(samples),
        invocations=len({sample.invocation for sample in samples}),
        run=_interval(samples, lambda sample: float(sample.run_nanos)),
        cost=_interval(samples, lambda sample: sample.run_nanos / sample.messages)
        if messages
        else None,
        latency=latencies(samples),
        doubts=sorted({text for unit in units for text in unit.doubts}),
    )


def _interval(samples: list[SampleRecord], of: Any) -> Interval:
    by_invocation: dict[int, list[float]] = defaultdict(list)
    for sample in samples:
        by_invocation[sample.invocation].append(of(sample))
    return estimate(list(by_invocation.values()))


def _order(values: Iterable[Value]) -> list[tuple[bool, float, str]]:
    """Numbers in their order, then words."""
    return [
        (isinstance(value, str), 0.0 if isinstance(value, str) else float(value), str(value))
        for value in values
    ]
