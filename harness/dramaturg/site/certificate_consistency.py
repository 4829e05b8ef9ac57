"""Finds out if a certificate adds up, without running anything: the demands of LEVEL-15.

It may add up and be wrong all the same: its signer, and the result of running its cases again here,
are questions of their own.
"""

from collections import Counter
from collections.abc import Iterator
from functools import cache

from dramaturg.cases import cases
from dramaturg.cases.cases import Case
from dramaturg.certificates.statement import Cases, Claim
from dramaturg.levels import DISTRIBUTED, LEVELS, REQUIRED
from dramaturg.outcomes import Outcome

_NAMED = 3
"""Cases that a reason names; it counts the others."""


def problems(claim: Claim, judged_on: Cases) -> list[str]:
    """The parts of it that contradict that this build is certified; empty if none does."""
    return list(_problems(claim, judged_on))


def _problems(claim: Claim, judged_on: Cases) -> Iterator[str]:
    absent = [str(level) for level in REQUIRED if level not in claim.planned]
    if absent:
        yield f"level {', '.join(absent)} was not in its plan"
    strangers = sorted(claim.cases.keys() - judged_on.each.keys())
    if strangers:
        yield f"cases passed that are not among those it names: {_listed(strangers)}"
    required = judged_on.each.keys() - set(judged_on.recommended)
    lacking = sorted(path for path in required - claim.cases.keys() if _concerns(path, claim))
    if lacking:
        yield f"required cases did not pass: {_listed(lacking)}"
    passed = Counter(int(path.partition("-")[0]) for path in claim.cases)
    for level, said in sorted(claim.levels.items()):
        outcome = Outcome.PASS if passed[level] else Outcome.NOT_RUN
        if (said.cases, said.outcome) != (passed[level], outcome):
            yield (
                f"level {level} is {said.outcome} with {said.cases:,} cases, and by its cases"
                f" {outcome} with {passed[level]:,}"
            )
    if claim.levels.keys() != LEVELS.keys():
        yield f"it speaks of {len(claim.levels)} levels; there are {len(LEVELS)}"


def other_cases(claim: Claim, judged_on: Cases) -> list[str]:
    """The cases that are required here or there, are not the same here and there or did not
    pass there, and concern this build: by path. Recommended cases may come and go."""
    everything, required = _here()
    asked = required | (judged_on.each.keys() - set(judged_on.recommended))
    return sorted(
        path
        for path in asked
        if _concerns(path, claim)
        and (
            judged_on.each.get(path) != everything.get(path)
            or (path in required and path not in claim.cases)
        )
    )


def benchmarks(claim: Claim) -> dict[str, dict[int, int]]:
    """Cases that passed, by benchmark and level, of the benchmarks that there are here."""
    known = {case.benchmark for case in cases.load_all()} - {cases.CONTROL}
    counted: dict[str, dict[int, int]] = {name: {} for name in sorted(known & _claimed(claim))}
    for path in claim.cases:
        where, benchmark, _ = path.split("/")
        if benchmark in counted:
            level = int(where.partition("-")[0])
            counted[benchmark][level] = counted[benchmark].get(level, 0) + 1
    return {name: levels for name, levels in counted.items() if levels}


def _claimed(claim: Claim) -> set[str]:
    return set(claim.manifest.benchmarks)


def _concerns(path: str, claim: Claim) -> bool:
    """True if a case of this path was to be performed on it (``plan.make``)."""
    where, benchmark, _ = path.split("/")
    level = int(where.partition("-")[0])
    if level not in claim.planned:
        return False
    case = _cases_here().get(path)
    if case is not None and _spared(case, claim):
        return False
    offered = claim.manifest.distributed if level == DISTRIBUTED else claim.manifest.benchmarks
    return benchmark == cases.CONTROL or (benchmark in offered and benchmark in _claimed(claim))


def _spared(case: Case, claim: Claim) -> bool:
    """True if it takes one of some benchmarks, none of which is there, or few cores when several
    are needed, or a log limit that the implementation does not have."""
    if case.cores and case.benchmark in claim.several_cores:
        return True
    if case.log_limit and not claim.manifest.log_limit:
        return True
    return bool(case.needs) and case.needs.isdisjoint(_claimed(claim))


@cache
def _cases_here() -> dict[str, Case]:
    return {case.path: case for case in cases.load_all()}


@cache
def _here() -> tuple[dict[str, str], frozenset[str]]:
    """All cases of this harness with their digests, and those of them that are required."""
    each = cases.load_all()
    return (
        {case.path: cases.digest_of(case) for case in each},
        frozenset(case.path for case in each if not case.recommended),
    )


def _listed(paths: list[str]) -> str:
    rest = len(paths) - _NAMED
    return ", ".join(paths[:_NAMED]) + (f" and {rest:,} more" if rest > 0 else "")
