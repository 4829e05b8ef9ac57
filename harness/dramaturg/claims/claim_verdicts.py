"""Verdicts on all claims, from all recorded runs: what the page and ``--json`` show."""

import hashlib
import math
from collections.abc import Sequence
from itertools import count
from pathlib import Path
from string import ascii_lowercase
from typing import Any

from pydantic import BaseModel, ConfigDict

from dramaturg.claims import catalogue, decide
from dramaturg.claims.catalogue import Catalogue, Claim, Needs
from dramaturg.claims.decide import Atom, Decision, Question, Verdict
from dramaturg.claims.evidence import Basis, Evidence, Missing
from dramaturg.claims.runs import Machine, Run


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Figure(_Part):
    """One measured quantity, and where it has to lie. None stands for *no bound*."""

    label: str
    value: float
    low: float | None
    high: float | None
    """Its interval, at the level of the verdict; None: so wide that it has no end."""
    above: float | None
    below: float | None
    unit: str
    """``times`` as fast, ``ms``; empty of a slope and a share."""
    rounds: int
    each: list[float]
    """The figure of each round."""


class Judged(_Part):
    """One predicate, or one explanation."""

    id: str
    says: str
    verdict: Verdict
    reason: str = ""
    figures: list[Figure] = []
    level: float | None = None
    enough: int | None = None
    """The number of rounds that would decide an undecided claim, by rule of thumb."""
    versions: dict[str, str] = {}
    runs: list[str] = []
    notes: list[str] = []
    digest: str


class ClaimVerdict(_Part):
    """One claim. *Confirmed* if all of its predicates are, *refuted* if one is."""

    id: str
    study: str
    figure: str
    says: str
    verdict: Verdict
    reason: str = ""
    predicates: list[Judged] = []
    explanations: list[Judged] = []

    @property
    def confirmed(self) -> int:
        return sum(each.verdict is Verdict.CONFIRMED for each in self.predicates)


class Judgement(_Part):
    """Everything that a page says."""

    claims_digest: str
    """SHA-256 of claims.yaml."""
    level: float
    decided_together: int
    """Predicates and explanations with figures: those that share the level."""
    machines: list[Machine]
    """The machines, in the order in which they were first measured on. No verdict rests on two of
    them."""
    harness: str | None
    runs: list[dict[str, Any]]
    claims: list[ClaimVerdict]


def judge(known: Catalogue, runs: Sequence[Run], claims_digest: str = "") -> Judgement:
    """A verdict on every claim. ``runs`` are of one version of the harness, the first measured
    first, by ``runs.together``."""
    drafts = {name: _drafts(known, name, claim, runs) for name, claim in known.claims.items()}
    asked = [draft for each in drafts.values() for draft in each if draft.question]
    questions = [draft.question for draft in asked if draft.question]
    for draft, decision in zip(asked, decide.decide(questions, known.level), strict=True):
        draft.decide(decision)
    return Judgement(
        claims_digest=claims_digest,
        level=known.level,
        decided_together=len(asked),
        machines=list(dict.fromkeys(run.machine for run in runs)),
        harness=runs[0].harness if runs else None,
        runs=[run.model_dump(mode="json", exclude={"rows", "written"}) for run in runs],
        claims=[_claim(name, claim, drafts[name]) for name, claim in known.claims.items()],
    )


def digest_of(file: Path) -> str:
    """The digest of a file of claims, as verdicts name it."""
    return hashlib.sha256(file.read_bytes()).hexdigest()


class _Draft:
    """A predicate on its way to a verdict."""

    def __init__(self, judged: Judged, *, explains: bool) -> None:
        self.judged = judged
        self.explains = explains
        self.question: Question | None = None

    def decide(self, decision: Decision) -> None:
        assert self.question is not None
        self.judged.verdict, self.judged.level = decision.verdict, decision.level
        self.judged.figures = [_figure(atom, decision.level) for atom in _told(self.question)]
        if decision.verdict is Verdict.NOT_DECIDED:
            open_ = [atom for atom in self.question.atoms if not _is_clear(atom, decision.level)]
            self.judged.enough = max((atom.enough(decision.level) for atom in open_), default=None)
            self.judged.reason = _how_many(self.judged.enough, self.question)


def _drafts(known: Catalogue, name: str, claim: Claim, runs: Sequence[Run]) -> list[_Draft]:
    found = []
    said = [(each, False) for each in claim.predicates]
    said += [(each, True) for each in claim.explained_by]
    letters = (f"{name}{letter}" for letter in ascii_lowercase)
    numbers = count(1)
    for predicate, explains in said:
        judged = Judged(
            id=f"{name} cause {next(numbers)}" if explains else next(letters),
            says=predicate.says,
            verdict=Verdict.NOT_MEASURED,
            digest=known.digest(claim, predicate),
        )
        draft = _Draft(judged, explains=explains)
        found.append(draft)
        needs = [predicate.needs] if explains else [claim.needs, predicate.needs]
        netem = any(need.netem for need in needs)
        # Inside User-Mode Linux is one slow CPU: what needs no netem is not decided there.
        meant = [run for run in runs if netem or not run.machine.emulated]
        able = [run for run in meant if not _lacks(needs, run.machine)]
        lacks = _refused(known, predicate)
        if meant and not able:
            lacks = lacks or _lacks(needs, meant[-1].machine)
        if lacks:
            judged.verdict, judged.reason = Verdict.NOT_HERE, lacks
            continue
        try:
            draft.question, basis = Evidence(known, claim, able).question(predicate)
        except Missing as missing:
            judged.reason = str(missing)
            if netem and able and not any(run.machine.netem for run in able):
                judged.verdict = Verdict.NOT_HERE
                judged.reason = (
                    f"delay and loss need netem, which kernel {able[-1].machine.kernel} lacks;"
                    " `--kernel uml` has it"
                )
            continue
        if any(run.machine.emulated for run in basis.runs.values()):
            basis.note("inside User-Mode Linux")
        _say(judged, basis)
    return found


def _say(judged: Judged, basis: Basis) -> None:
    judged.versions = dict(sorted(basis.versions.items()))
    judged.runs = sorted(run.name for run in basis.runs.values())
    judged.notes = basis.notes


def _refused(known: Catalogue, predicate: Any) -> str:
    """Return the reason why no run of one of its systems counts; empty if runs of all do."""
    of = [known.systems[unit.system] for unit in catalogue.spoken_of(predicate)]
    return next((system.refused for system in of if system.refused), "")


def _lacks(needs: Sequence[Needs], here: Machine) -> str:
    """The needs that this machine does not meet; empty if it meets all."""
    machine = next((need.machine for need in needs if need.machine), "")
    if machine and machine.lower() not in here.processor.lower():
        return f"its figure is of {machine}, and here is {here.processor}"
    cores = max(need.cores for need in needs)
    return f"needs {cores} cores, and here are {here.cores}" if cores > here.cores else ""


def _claim(name: str, claim: Claim, drafts: Sequence[_Draft]) -> ClaimVerdict:
    predicates = [draft.judged for draft in drafts if not draft.explains]
    verdict = Verdict.NO_CLAIM
    if predicates:
        verdict = together([each.verdict for each in predicates])
    deciding = next((each for each in predicates if each.verdict is verdict), None)
    return ClaimVerdict(
        id=name,
        study=claim.study,
        figure=claim.figure,
        says=claim.says,
        verdict=verdict,
        reason=claim.no_claim or (deciding.reason if deciding else ""),
        predicates=predicates,
        explanations=[draft.judged for draft in drafts if draft.explains],
    )


def together(verdicts: Sequence[Verdict]) -> Verdict:
    """Confirmed if all are, refuted if one is; else what keeps it open."""
    for verdict in (
        Verdict.REFUTED,
        Verdict.NOT_DECIDED,
        Verdict.NOT_MEASURED,
        Verdict.NOT_HERE,
    ):
        if verdict in verdicts:
            return verdict
    return Verdict.CONFIRMED


def _told(question: Question) -> list[Atom]:
    """The atoms that are worth showing: of several alternatives those of the likeliest."""
    return list(min(question.alternatives, key=lambda all_of: max(a.confirms for a in all_of)))


def _is_clear(atom: Atom, level: float) -> bool:
    return min(atom.confirms, atom.refutes) <= level


def _figure(atom: Atom, level: float) -> Figure:
    low, high = atom.interval(level)

    def shown(value: float) -> float | None:
        if math.isinf(value):
            return None
        return _rounded(math.exp(value) if atom.unit else value)

    return Figure(
        label=atom.label,
        value=shown(atom.value) or 0.0,
        low=shown(low),
        high=shown(high),
        above=shown(atom.low),
        below=shown(atom.high),
        unit=atom.unit,
        rounds=atom.rounds,
        each=[shown(figure) or 0.0 for figure in atom.figures],
    )


def _rounded(value: float) -> float:
    """Round to five digits: no machine's last bit changes a page."""
    return float(f"{value:.5g}")


def _how_many(enough: int | None, question: Question) -> str:
    now = max(atom.rounds for atom in question.atoms)
    if enough is None:
        return f"its interval is on both sides of a bound after {now} invocations"
    if enough >= decide.MANY:
        return f"it is so close to a bound that {decide.MANY} invocations would not decide"
    return (
        f"its interval is on both sides of a bound; about {enough} invocations would decide,"
        f" {now} there were"
    )
