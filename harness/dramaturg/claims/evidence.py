"""Finds the figures of a predicate in recorded runs, or the reason why there are none."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from packaging.specifiers import SpecifierSet
from packaging.version import Version

from dramaturg.claims import catalogue, decide
from dramaturg.claims.catalogue import Catalogue, Claim, Unit
from dramaturg.claims.decide import Atom, Question
from dramaturg.claims.measured_systems import Measure
from dramaturg.claims.runs import Row, Run
from dramaturg.claims.terms import Contrast, Term, terms


class Missing(Exception):
    """No run has what a predicate speaks of; says what, and why the nearest does not count."""

    nearly = False
    """There is a nearest one."""


@dataclass
class Basis:
    """The basis on which figures rest."""

    runs: dict[str, Run] = field(default_factory=dict)
    versions: dict[str, str] = field(default_factory=dict)
    """The version of each system, as it called itself."""
    notes: list[str] = field(default_factory=list)

    def note(self, text: str) -> None:
        if text not in self.notes:
            self.notes.append(text)


@dataclass(frozen=True)
class _Seen:
    """One unit's row in one run."""

    run: Run
    row: Row
    build: str
    version: str

    @property
    def kind(self) -> tuple[str, dict[str, Any], str | None]:
        """The properties that must be equal to combine runs: build, network and the measuring
        harness (MEAS-14)."""
        return self.build, self.row.network, self.run.rooms

    def speeds(self, measure: Measure) -> dict[int, float]:
        """Return the speeds by invocation."""
        if measure == "runs":
            return {each.number: 1e9 / each.run_nanos for each in self.row.invocations}
        size = self.row.called["parameters"]["size"] if measure == "payload" else 1
        return {each.number: each.rate * size for each in self.row.invocations if each.rate}


class Evidence:
    """All recorded runs, asked for one claim."""

    def __init__(self, known: Catalogue, claim: Claim, runs: Sequence[Run]) -> None:
        self._known = known
        self._claim = claim
        self._runs = runs

    def question(
        self, predicate: catalogue.Predicate | catalogue.Explanation
    ) -> tuple[Question, Basis]:
        """Its figures, and what they rest on: of one machine and kernel, the last that has them all
        (MEAS-14). Each that has them is one more look. Raises Missing."""
        machines = list(dict.fromkeys(run.machine for run in reversed(self._runs)))[::-1]
        groups = [[run for run in self._runs if run.machine == each] for each in machines] or [[]]
        found: list[tuple[Question, Basis]] = []
        why: list[Missing] = []
        for group in groups:
            try:
                found.append(Evidence(self._known, self._claim, group)._on_one(predicate))
            except Missing as missing:
                why.append(missing)
        if not found:
            raise max(reversed(why), key=lambda missing: missing.nearly)
        # Not the last machine on which anything was run.
        found.sort(key=lambda each: max((run.started, run.name) for run in each[1].runs.values()))
        question, basis = found.pop()
        for _, other in found:
            for run in other.runs.values():
                basis.note(f"{run.name} is of another machine or kernel: looked at, not counted")
        return replace(question, looks=question.looks + sum(each.looks for each, _ in found)), basis

    def _on_one(
        self, predicate: catalogue.Predicate | catalogue.Explanation
    ) -> tuple[Question, Basis]:
        """The same, of runs of one machine."""
        basis = Basis()
        if isinstance(predicate, catalogue.Crashes):
            alternatives = [[self._crashes(predicate, basis)]]
        else:
            alternatives = [
                [self._atom(predicate, term, basis) for term in all_of]
                for all_of in terms(predicate)
            ]
        for run in basis.runs.values():
            if run.remark:
                basis.note(f"{run.name}: {run.remark}")
        looks = max(1, len(basis.runs))
        return Question(tuple(map(tuple, alternatives)), looks), basis

    def _atom(self, of: catalogue.Predicate, term: Term, basis: Basis) -> Atom:
        figures = self._figures(of, term.units, term.contrast, basis)
        return Atom(term.label, figures, term.low, term.high, term.unit)

    def _crashes(self, of: catalogue.Crashes, basis: Basis) -> Atom:
        seen = self._seen(of, of.of, basis, certified=False)
        for each in seen:
            basis.runs[each.run.digest] = each.run
            basis.versions[of.of.system] = each.version
        crashed = sum(each.row.crashed for each in seen)
        # The invocation that is only audited is one as well.
        tried = sum(each.row.planned + 1 - each.row.not_run for each in seen)
        if tried < 1:
            raise Missing(f"{seen[-1].run.name}: nothing of it was run: {seen[-1].row.why_not}")
        label = f"{of.of.system}, share of invocations that crash"
        return Atom(label, (), low=of.share, unit=decide.PLAIN, count=min(crashed, tried), n=tried)

    def _figures(
        self,
        of: catalogue.Predicate,
        units: Sequence[Unit],
        contrast: Contrast,
        basis: Basis,
    ) -> tuple[float, ...]:
        """One for each round of each run that has all these units, of the latest builds."""
        # A time is one over a run's speed, whatever else the claim counts.
        measure: list[Measure] = [
            "runs"
            if isinstance(of, catalogue.Value)
            else self._known.place(self._claim, of, unit).measure
            for unit in units
        ]
        trials = [{each.run.digest: each for each in self._seen(of, unit, basis)} for unit in units]
        common = [run for run in self._runs if all(run.digest in seen for seen in trials)]
        if not common:
            raise Missing("its units were measured, but never in one run, in turns (MEAS-12)")
        last = [seen[common[-1].digest] for seen in trials]
        found: list[float] = []
        for run in common:
            rows = [seen[run.digest] for seen in trials]
            basis.runs[run.digest] = run
            if [row.kind for row in rows] != [row.kind for row in last]:
                basis.note(
                    f"{run.name} is of another build, network or harness: looked at, not counted"
                )
                continue
            for unit, row in zip(units, rows, strict=True):
                basis.versions[unit.system] = row.version
                if row.row.too_short:
                    basis.note(
                        f"{run.name}: {row.row.too_short} iterations of {unit.system} are too short"
                        " to be precise"
                    )
                for text in row.row.doubts:
                    basis.note(f"{run.name}: {unit.system}: {text}")
            speeds = [row.speeds(each) for row, each in zip(rows, measure, strict=True)]
            rounds = sorted(set.intersection(*(set(each) for each in speeds)))
            if rounds:
                table = np.log([[each[number] for each in speeds] for number in rounds])
                found += [float(figure) for figure in contrast(table)]
        if len(found) < decide.FEWEST:
            raise Missing(f"{len(found)} invocations are too few: {decide.FEWEST} are needed")
        return tuple(found)

    def _seen(
        self, of: catalogue.Predicate, unit: Unit, basis: Basis, certified: bool = True
    ) -> list[_Seen]:
        """Its row in each run that counts. Raises Missing."""
        system = self._known.systems[unit.system]
        assert system.implementation is not None
        place = self._known.place(self._claim, of, unit)
        digest = self._known.digest(self._claim, of)
        found, reasons = [], []
        for run in self._runs:
            for row in run.rows:
                if not row.is_of(system.implementation, place, run.machine):
                    continue
                ran = run.implementations.get(row.implementation)
                if ran is None:
                    reasons.append(f"{run.name} does not say which version of {unit.system} ran")
                elif not _within(ran.version, system.version):
                    reasons.append(
                        f"{run.name} has {ran.runtime} {ran.version}; the claim is of"
                        f" {system.version}"
                    )
                elif run.written is not None and digest not in run.written:
                    reasons.append(f"{run.name} was measured before this predicate was written")
                elif row.network.get("kind") == "loopback":
                    reasons.append(f"{run.name} had a loopback device in place of a network")
                elif certified and not row.certified:
                    reasons.append(
                        f"{run.name}: {unit.system} is not certified in it: {row.why_not}"
                    )
                elif certified and len(row.invocations) != row.planned:
                    reasons.append(
                        f"{run.name} has {len(row.invocations)} of {row.planned} invocations of"
                        f" {unit.system}"
                    )
                else:
                    if run.written is None:
                        basis.note(f"whether it was written before {run.name} is not known")
                    for each in self._known.redefined:
                        if each.benchmark == place.benchmark and run.began_before(each.since):
                            basis.note(f"{run.name} is of an earlier {each.benchmark}: {each.says}")
                    found.append(_Seen(run, row, ran.build, f"{ran.runtime} {ran.version}"))
        if not found:
            missing = Missing(reasons[-1] if reasons else f"no run has {unit.system}: {place}")
            missing.nearly = bool(reasons)
            raise missing
        return found


def _within(version: str, bounds: str) -> bool:
    """True if a version lies within bounds. Only its first numbers count, and not a build's name or
    the like."""
    if not bounds:
        return True
    numbers = re.search(r"\d+(\.\d+)*", version)
    return numbers is not None and SpecifierSet(bounds).contains(Version(numbers[0]))
