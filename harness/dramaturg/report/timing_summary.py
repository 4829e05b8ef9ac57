"""Timings, summed up: from samples to groups that may be compared (spec/measurements.md)."""

from collections import defaultdict
from collections.abc import Iterable
from statistics import fmean, median
from typing import Any

from dramaturg.outcomes import Outcome
from dramaturg.records import AuditRecord, SampleRecord, UnitRecord
from dramaturg.report import audits, row_accounts, turn_durations
from dramaturg.report.enough import enough
from dramaturg.report.summary import (
    Interval,
    InvalidSample,
    Sample,
    TimedImplementation,
    TimingGroup,
    UnitFinding,
)
from dramaturg.results import Recorded
from dramaturg.timing.statistics import estimates

UNENDED = "cut short"
"""The mark for samples of a certified build of which no invocation has ended."""

METHOD = (
    f"Medians with {estimates.LEVEL:.0%} bootstrap intervals"
    f" (percentile, {estimates.RESAMPLES:,} resamples of whole invocations)."
    " Messages a second are harmonic means over samples."
)
"""The method that MEAS-9 asks a result to name, and the mean by which MEAS-10 summarises rates."""


def groups(timed: Recorded) -> list[TimingGroup]:
    """Samples by what MEAS-14 lets be compared, and in each by implementation and build.

    Both are in order of their names, and sweeps in that of their values: runs are
    interleaved, so the order of the records is none for a reader.
    """
    grouped: dict[str, list[SampleRecord]] = defaultdict(list)
    for sample in timed.samples:
        grouped[sample.what].append(sample)
    found = sorted((_group(members, timed) for members in grouped.values()), key=_place)
    for group in found:
        group.varied = _varied(group, found)
    return found


def findings(units: Iterable[UnitRecord]) -> list[UnitFinding]:
    """Every unit that did not pass, in the order of the plan."""
    return [
        UnitFinding(**unit.model_dump(include=set(UnitFinding.model_fields)))
        for unit in units
        if unit.outcome is not Outcome.PASS
    ]


def _row(record: SampleRecord | AuditRecord) -> tuple[str, str]:
    """The implementation and build of a record."""
    return record.implementation, record.build


def _group(samples: list[SampleRecord], timed: Recorded) -> TimingGroup:
    rows: dict[tuple[str, str], list[SampleRecord]] = defaultdict(list)
    for sample in samples:
        rows[sample.implementation, sample.build].append(sample)
    one = samples[0]
    units = [unit for unit in timed.units if unit.is_of(one)]
    return TimingGroup(
        benchmark=one.benchmark,
        scenario=one.scenario,
        scale=one.scale,
        parameters=one.parameters,
        network=one.network,
        cores=one.cores,
        implementations=[
            _implementation(
                members,
                [unit for unit in units if unit.implementation == members[0].implementation],
                [
                    each
                    for each in timed.audits
                    if each.what == one.what and _row(each) == _row(members[0])
                ],
                complete=timed.complete,
            )
            for _, members in sorted(rows.items())
        ],
    )


def _place(group: TimingGroup) -> tuple[object, ...]:
    def values(of: dict[str, Any]) -> list[tuple[str, float, str]]:
        return [
            (key, float(value) if isinstance(value, (int, float)) else 0.0, str(value))
            for key, value in sorted(of.items())
        ]

    called = (group.benchmark, group.scenario, group.scale, str(group.network.get("kind", "")))
    return *called, values(group.network), group.cores, values(group.parameters)


def _varied(group: TimingGroup, all_groups: list[TimingGroup]) -> dict[str, Any]:
    """The parameters in which groups that are otherwise called the same differ."""

    def called(of: TimingGroup) -> tuple[object, ...]:
        return of.benchmark, of.scenario, of.scale, of.network, of.cores

    alike = [other.parameters for other in all_groups if called(other) == called(group)]
    return {
        key: value
        for key, value in group.parameters.items()
        if any(key not in other or other[key] != value for other in alike)
    }


def counted(
    samples: list[SampleRecord], units: list[UnitRecord], *, complete: bool
) -> list[SampleRecord]:
    """Return the samples that enter figures. The unit that ends an invocation says where its
    warm-up ended. In an interrupted file the last one may be missing, and then nothing says which
    count."""
    ended = {unit.invocation for unit in units}
    return [sample for sample in _steady(samples) if complete or sample.invocation in ended]


def _steady(samples: list[SampleRecord]) -> list[SampleRecord]:
    """Nothing invalid and no warm-up enters any figure (MEAS-5, MEAS-8)."""
    return [sample for sample in samples if sample.valid and not sample.warmup]


def estimate(by_invocation: list[list[float]]) -> Interval:
    """Their median with its interval (MEAS-9)."""
    found = estimates.median(by_invocation)
    return Interval(value=found.value, low=found.low, high=found.high, note=found.note)


def _implementation(
    samples: list[SampleRecord],
    units: list[UnitRecord],
    audited: list[AuditRecord],
    *,
    complete: bool,
) -> TimedImplementation:
    """One row."""
    samples = sorted(samples, key=lambda sample: (sample.invocation, sample.iteration))
    summarised = counted(samples, units, complete=complete)
    runs = [float(sample.run_nanos) for sample in summarised]
    compared = [sample.compared_nanos for sample in summarised]
    moments = estimates.moments(runs) if runs else None
    messages = {sample.messages for sample in summarised}
    return TimedImplementation(
        implementation=samples[0].implementation,
        build=samples[0].build,
        certified=all(sample.certified for sample in samples) and audits.is_complete(units),
        mark=_mark(samples, units),
        audit=audits.summed(audited, summarised),
        invocations=len({sample.invocation for sample in samples}),
        warmup=sum(sample.warmup and sample.valid for sample in samples),
        warmup_rules=sorted({unit.warmup_rule for unit in units if unit.warmup_rule}),
        told=sorted({unit.told for unit in units if unit.told}),
        undecided=len(_steady(samples)) - len(summarised),
        samples=[
            _sample(sample, outlier=outlier)
            for sample, outlier in zip(summarised, estimates.outliers(compared), strict=True)
        ],
        by_invocation=row_accounts.by_invocation(summarised),
        beside=row_accounts.beside(summarised) if summarised else None,
        ledger=row_accounts.ledger(summarised),
        wire=row_accounts.wire(summarised, audited),
        timeline=turn_durations.timeline(summarised),
        invalid=[_invalid(sample) for sample in samples if not sample.valid],
        probe_share=_probe_share(summarised),
        too_short=sum(_too_short(sample) for sample in summarised),
        enough=enough(summarised),
        doubts=sorted({text for unit in units for text in unit.doubts}),
        run=_median(summarised, "run_nanos"),
        compared=_median(summarised, "compared_nanos"),
        iteration=_median(summarised, "iteration_nanos"),
        setup=median(sample.setup_nanos for sample in summarised) if summarised else None,
        teardown=median(sample.teardown_nanos for sample in summarised) if summarised else None,
        runtime=_runtime(samples),
        mean=moments.mean if moments else None,
        deviation=moments.deviation if moments else None,
        error=moments.error if moments else None,
        **_turns(summarised),
        rate=_rate(summarised),
        messages=messages.pop() if len(messages) == 1 else None,
        cpu_seconds=fmean(sample.cpu_seconds for sample in summarised) if summarised else None,
        peak_memory=max((sample.peak_memory for sample in summarised), default=None),
        bytes_per_actor=_bytes_per_actor(samples),
    )


def _mark(samples: list[SampleRecord], units: list[UnitRecord]) -> str:
    """Return the mark of a certified build's figures that are not certified themselves."""
    if not all(sample.certified for sample in samples) or audits.is_complete(units):
        return ""
    marks = sorted({unit.mark for unit in units if unit.mark})
    return ", ".join(marks) if marks or units else UNENDED


def _runtime(samples: list[SampleRecord]) -> float | None:
    """Warm-up counts here: structures that outlive iterations are built in the first one."""
    each: dict[int, int] = defaultdict(int)
    for sample in samples:
        if sample.valid:
            each[sample.invocation] += sample.runtime_nanos
    return median(each.values()) if each else None


def _bytes_per_actor(samples: list[SampleRecord]) -> float | None:
    """Warm-up counts here: only the first iteration makes the process grow. One that has held more
    before does not grow, and then nothing is measured."""
    each = [
        sample.grown_memory / sample.parameters["length"]
        for sample in samples
        if sample.benchmark == "chain" and sample.valid
        if sample.grown_memory is not None and sample.grown_memory > 0
    ]
    return median(each) if each else None


def _median(samples: list[SampleRecord], quantity: str) -> Interval | None:
    by_invocation: dict[int, list[float]] = defaultdict(list)
    for sample in samples:
        by_invocation[sample.invocation].append(float(getattr(sample, quantity)))
    if not by_invocation:
        return None
    return estimate(list(by_invocation.values()))


def _turns(samples: list[SampleRecord]) -> dict[str, float | None]:
    turns = [sample.turn_nanos for sample in samples if sample.turn_nanos]
    even = len({len(of) for of in turns}) == 1
    return {
        "turn": median(turn for of in turns for turn in of) if turns else None,
        "qos": estimates.qos(turns) if even else None,
    }


def _rate(samples: list[SampleRecord]) -> float | None:
    rates = [
        sample.messages / (sample.run_nanos / 1e9)
        for sample in samples
        if sample.messages and sample.run_nanos > 0
    ]
    return estimates.harmonic_mean(rates) if rates else None


def _sample(record: SampleRecord, *, outlier: bool) -> Sample:
    fields = record.model_dump(include=set(Sample.model_fields))
    return Sample(
        **fields,
        iteration_nanos=record.iteration_nanos,
        compared_nanos=record.compared_nanos,
        too_short=_too_short(record),
        outlier=outlier,
    )


def _probe_share(samples: list[SampleRecord]) -> float | None:
    """The least of all: each run is held against the probe by itself, if it is not small."""
    shares = [sample.ledger.probe_share for sample in samples if sample.ledger]
    return min((share for share in shares if share is not None), default=None)


def _too_short(record: SampleRecord) -> bool:
    return record.ledger is not None and record.ledger.too_short


def _invalid(record: SampleRecord) -> InvalidSample:
    return InvalidSample(**record.model_dump(include=set(InvalidSample.model_fields)))
