"""Conformance, summed up: from case records to the verdict table and its findings."""

from collections import Counter
from collections.abc import Iterable

from dramaturg import standing
from dramaturg.levels import LEVELS
from dramaturg.outcomes import Outcome, worst
from dramaturg.records import CaseRecord, SampleRecord
from dramaturg.report.summary import Finding, ImplementationVerdict, LevelVerdict
from dramaturg.results import Recorded


def implementations(
    conformance: Recorded | None, timed: Recorded | None
) -> list[ImplementationVerdict]:
    """One verdict for each implementation that was planned, judged or timed, by name."""
    conformance = conformance or Recorded(header={})
    samples, units = (timed.samples, timed.units) if timed else ([], [])
    names = {case.implementation for case in conformance.cases}
    names |= {sample.implementation for sample in samples}
    names |= {unit.implementation for unit in units}
    names |= set(conformance.header.get("planned", {}))
    return [
        _implementation(
            name,
            conformance,
            [sample for sample in samples if sample.implementation == name],
        )
        for name in sorted(names)
    ]


def findings(cases: Iterable[CaseRecord]) -> list[Finding]:
    """Every case that did not pass: by implementation, known failures last, the worst first."""
    order = list(Outcome)
    found = [case for case in cases if case.outcome is not Outcome.PASS]
    found.sort(
        key=lambda case: (
            case.implementation,
            bool(case.known) or case.excused,
            order.index(case.outcome),
            case.level,
        )
    )
    return [Finding(**case.model_dump(include=set(Finding.model_fields))) for case in found]


def _implementation(
    name: str, conformance: Recorded, samples: list[SampleRecord]
) -> ImplementationVerdict:
    header = conformance.header
    cases = [case for case in conformance.cases if case.implementation == name]
    missing = max(0, header.get("planned", {}).get(name, len(cases)) - len(cases))
    problems = list(header.get("manifest_problems", {}).get(name, []))
    counted = [case.outcome for case in cases if not (case.known or case.excused)]
    counted += [Outcome.NOT_RUN] if missing or not cases else []
    counted += [Outcome.FAIL] if problems else []
    recorded = [case.outcome for case in cases]
    in_plan = set(header.get("levels", [])) | {case.level for case in cases}
    obstacles = [str(header["void"])] if header.get("void") else []
    obstacles += [*problems, *standing.obstacles(cases, in_plan, missing)]
    if cases and not conformance.complete:
        obstacles.append("interrupted")
    return ImplementationVerdict(
        implementation=name,
        certified=not obstacles,
        obstacles=obstacles,
        remark=str(header.get("remarks", {}).get(name, "")),
        outcome=worst(counted),
        counts=_counts(recorded),
        levels=[_level(level, cases) for level in sorted({case.level for case in cases})],
        build=str(header.get("builds", {}).get(name, "")),
        events=sum(case.events for case in cases),
        seconds=sum(case.seconds for case in cases),
        receipts=len(samples),
        wrong_receipts=sum(not sample.valid for sample in samples),
        timed_certified=all(sample.certified for sample in samples) if samples else None,
    )


def _level(level: int, cases: list[CaseRecord]) -> LevelVerdict:
    here = [case for case in cases if case.level == level]
    return LevelVerdict(
        level=level,
        name=LEVELS.get(level, ""),
        counts=_counts(case.outcome for case in here),
        known=_counts(case.outcome for case in here if case.known and not case.excused),
        recommended=_counts(case.outcome for case in here if case.excused),
        worst=worst(case.outcome for case in here if not case.excused),
    )


def _counts(outcomes: Iterable[Outcome]) -> dict[Outcome, int]:
    counted = Counter(outcomes)
    return {outcome: counted[outcome] for outcome in Outcome if counted[outcome]}
