"""Verify: hold a certificate against what is here, and run its cases again (LEVEL-17).

Three steps, each only if the one before leaves something to ask: the signature, what
the certificate names, what its cases do now. A certificate is data: it never says where
anything is, and what is run is only what the reader has named (LEVEL-27).
"""

import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from importlib import metadata
from pathlib import Path
from typing import Any

from dramaturg.certificates import certificate
from dramaturg.certificates.certificate import Describe
from dramaturg.certificates.envelope import CertificateError
from dramaturg.certificates.remembered_verifications import Again
from dramaturg.certificates.signed_file import Difference
from dramaturg.certificates.statement import Cases, Claim, Statement
from dramaturg.errors import ControlError
from dramaturg.implementation import build
from dramaturg.implementation.manifest import Implementation, everybody, find_all, load
from dramaturg.levels import REQUIRED, SPEC
from dramaturg.outcomes import INTERRUPTED, SIGNER_UNKNOWN, Outcome, worst
from dramaturg.plan import case_plan
from dramaturg.plan.case_plan import Plan
from dramaturg.records import CaseRecord
from dramaturg.standing import Certification

Perform = Callable[[Plan], Certification]
"""Performs what is planned."""

NOTHING = "nothing"

UNKNOWN = "holds, signer unknown"
"""The verdict of one that holds, and whose signature says nothing to this reader."""

_MOMENTARY = (
    "environment.captured",
    "environment.load",
    "environment.memory.available",
    "environment.cpu.frequency_mhz",
)
"""The fields that are never the same twice."""

_NO_LONGER_PASSES = (Outcome.FAIL, Outcome.CRASH, Outcome.TIMEOUT)


@dataclass
class Subject:
    """One certified implementation, and the result of running its cases again."""

    name: str
    outcome: Outcome = Outcome.NOT_RUN
    cases: int = 0
    passed: int = 0
    message: str = ""
    """The reason why it did not pass, if that is no difference."""


@dataclass
class Verification:
    """The result of a verification. Only a subject that was run again and found equal is
    *pass*."""

    file: Path
    signature: str = ""
    """The demand on its signature and the finding, in words."""
    signer: str = ""
    """The trusted signer; empty if no trusted key has signed it."""
    subjects: list[Subject] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)
    """Subjects of the certificate that were not asked for."""
    differences: list[Difference] = field(default_factory=list)
    notes: list[Difference] = field(default_factory=list)
    """Differences of the environment; they do not count."""
    errors: list[str] = field(default_factory=list)
    interrupted: bool = False

    @property
    def outcome(self) -> Outcome:
        outcomes = [subject.outcome for subject in self.subjects]
        outcomes += [Outcome.FAIL] if self.differences else []
        outcomes += [Outcome.HARNESS_FAULT] if self.errors else []
        return worst(outcomes)

    @property
    def exit_code(self) -> int:
        if self.interrupted:
            return INTERRUPTED
        return SIGNER_UNKNOWN if self._unknown else self.outcome.exit_code

    @property
    def verdict(self) -> str:
        """The outcome in words; one that holds without a trusted signature is no *pass*."""
        return UNKNOWN if self._unknown else str(self.outcome)

    @property
    def _unknown(self) -> bool:
        return self.outcome is Outcome.PASS and not self.signer

    def again(self) -> dict[str, Again]:
        """The facts to remember of it: the subjects that it says hold, or do not."""
        if self.interrupted or self.errors:
            return {}
        now, version = time.time(), metadata.version("dramaturg")
        return {
            each.name: Again(
                outcome=each.outcome,
                cases=each.cases,
                passed=each.passed,
                when=now,
                harness=version,
            )
            for each in self.subjects
            if each.outcome in (Outcome.PASS, Outcome.FAIL)
        }

    def to_dict(self) -> dict[str, Any]:
        return {
            "file": str(self.file),
            "signature": self.signature,
            "signer": self.signer,
            "subjects": [asdict(subject) for subject in self.subjects],
            "left_out": self.left_out,
            "differences": [asdict(difference) for difference in self.differences],
            "notes": [asdict(note) for note in self.notes],
            "errors": self.errors,
            "interrupted": self.interrupted,
            "outcome": self.verdict,
            "exit_code": self.exit_code,
        }


def chosen(
    claimed: Statement, names: Sequence[str], *, everything: bool = False
) -> dict[str, Implementation]:
    """The subjects to verify, and where each is here: those that ``names`` finds, or ``everything``
    that is here. Without either, none: a certificate is not what decides whose folder is read, or
    asked of git about.

    Raises CertificateError for a name that is no subject, and ManifestError for one that
    is not here.
    """
    subjects = [subject.name for subject in claimed.subject]
    found = {each.name: each for each in find_all(names)} if names else {}
    if everything:
        found = _here(subjects)
    strangers = sorted(found.keys() - set(subjects))
    if strangers:
        raise CertificateError(
            f"the certificate is not of {', '.join(strangers)}; its subjects: {', '.join(subjects)}"
        )
    return found


def _here(subjects: Iterable[str]) -> dict[str, Implementation]:
    found = {}
    for each in everybody():
        for subject in subjects:
            name, _, variant = subject.partition("+")
            if name == each.name:
                found[subject] = load(each.folder, variant or None)
    return found


def compare(
    made: Verification, claimed: Statement, implementations: Mapping[str, Implementation]
) -> None:
    """Enter all that can be compared without starting anything of an implementation's;
    :func:`repeat` does the rest."""
    theirs, here = claimed.predicate, certificate.circumstances()
    made.left_out = [each.name for each in claimed.subject if each.name not in implementations]
    made.differences += _differences("spec", theirs.spec, SPEC)
    made.differences += _of_cases(theirs.cases, here.cases)
    made.notes += _notes("recommended", sorted(theirs.cases.recommended), _optional(here.cases))
    made.notes += _notes("harness", theirs.harness.model_dump(), here.harness.model_dump())
    made.notes += _notes("environment", theirs.environment, here.environment)
    for name, implementation in implementations.items():
        claim = theirs.implementations[name]
        made.subjects.append(Subject(name, cases=len(claim.cases)))
        optional = _optional(theirs.cases, here.cases)
        made.differences += _of_build(name, claim, implementation, optional)
        made.notes += _of_repository(name, claim, implementation)


def compare_toolchains(
    made: Verification, claimed: Statement, implementations: Mapping[str, Implementation]
) -> None:
    """Enter which tools are of other versions. Starts what the manifests name as probes."""
    for name, implementation in implementations.items():
        claim = claimed.predicate.implementations[name]
        found = certificate.toolchain_of(implementation)
        made.notes += _notes(f"{name} toolchain", claim.toolchain, found)


def _optional(*judged_on: Cases) -> list[str]:
    """Cases that are required by none of these."""
    everything = {path for each in judged_on for path in each.each}
    required = {path for each in judged_on for path in each.each.keys() - set(each.recommended)}
    return sorted(everything - required)


def _of_cases(theirs: Cases, here: Cases) -> Iterator[Difference]:
    """The differences between cases. Recommended ones may come and go, and become required as they
    are."""
    optional = _optional(theirs, here)
    yield from _differences(
        "cases.each",
        {path: digest for path, digest in theirs.each.items() if path not in optional},
        {path: digest for path, digest in here.each.items() if path not in optional},
    )
    if theirs.recommended == here.recommended:
        yield from _differences("cases.digest", theirs.digest, here.digest)


def _of_repository(name: str, claim: Claim, implementation: Implementation) -> list[Difference]:
    """Another place of the same sources is no difference that counts."""
    try:
        found = certificate.repository_of(implementation)
    except ControlError:
        return []  # It is among the differences.
    theirs, ours = (each.model_dump() if each else {} for each in (claim.repository, found))
    return _notes(f"{name} repository", theirs, ours)


def _of_build(
    name: str, claim: Claim, implementation: Implementation, optional: Collection[str]
) -> Iterator[Difference]:
    try:
        digest = build.digest(implementation)
    except ControlError as error:
        digest = f"unknown ({error})"
    yield from _differences(f"{name} build", claim.build, digest)
    ours = certificate.manifest_of(implementation)
    yield from _differences(f"{name} manifest", claim.manifest.model_dump(), ours.model_dump())
    yield from _differences(
        f"{name} unsupported", claim.unsupported, certificate.unsupported_of(implementation)
    )
    yield from _differences(
        f"{name} undistributed", claim.undistributed, certificate.undistributed_of(implementation)
    )
    yield from _differences(
        f"{name} several_cores", claim.several_cores, case_plan.several_cores(implementation)
    )
    levels = certificate.levels_of(claim.cases, claim.planned)
    yield from _differences(
        f"{name} levels",
        {level: each.model_dump() for level, each in claim.levels.items()},
        {level: each.model_dump() for level, each in levels.items()},
    )
    absent = [level for level in REQUIRED if level not in claim.planned]
    if absent:
        yield Difference(
            f"{name} planned", _spell(claim.planned), f"{_spell(absent)} also required"
        )
    planned = {item.case.path for item in case_plan.make([implementation], claim.planned).items}
    for path in sorted((planned ^ claim.cases.keys()) - set(optional)):
        where = ("pass", "not in the plan") if path in claim.cases else (NOTHING, "in the plan")
        yield Difference(f"{name} {path}", *where)


def repeat(
    made: Verification,
    claimed: Statement,
    implementations: Mapping[str, Implementation],
    perform: Perform,
    describe: Describe,
) -> None:
    """Run the certificate's cases again, exactly those, and enter what came of them. Only for
    implementations in which :func:`compare` found no difference. Nothing here starts any:
    ``perform`` and ``describe`` do."""
    claims = {name: claimed.predicate.implementations[name] for name in implementations}
    levels = sorted({level for claim in claims.values() for level in claim.planned})
    everything = case_plan.make(implementations.values(), levels)
    here = {item.path for item in everything.items}
    # A case that is not here was recommended there, or it would be a difference.
    paths = {
        name: [path for path in claim.cases if f"{name}/{path}" in here]
        for name, claim in claims.items()
    }
    named = [f"{name}/{path}" for name in paths for path in paths[name]]
    done = perform(everything.only(named, "only the cases of another certificate"))
    made.errors, made.interrupted = done.errors, done.interrupted
    for subject in made.subjects:
        claim = claims[subject.name]
        made.differences += _judge(
            subject, paths[subject.name], done.standings[subject.name].records
        )
        if subject.outcome is Outcome.PASS:
            ours = build.artefact(implementations[subject.name]) or None
            made.notes += _notes(f"{subject.name} artefact", claim.artefact, ours)
            made.notes += _of_runtime(claim, implementations[subject.name], describe)


def _judge(
    subject: Subject, paths: Iterable[str], records: Collection[CaseRecord]
) -> Iterator[Difference]:
    """A case that no longer passes is a difference; one that could not be run is none, and
    no pass either."""
    by_path = {certificate.path_of(record): record for record in records}
    outcomes = []
    for path in paths:
        record = by_path.get(path)
        if record is not None and record.excused and record.outcome is Outcome.NOT_RUN:
            continue
        outcome = Outcome.NOT_RUN if record is None else record.outcome
        outcomes.append(Outcome.FAIL if outcome in _NO_LONGER_PASSES else outcome)
        said = record.message if record is not None else ""
        if outcome in _NO_LONGER_PASSES:
            yield Difference(f"{subject.name} {path}", "pass", f"{outcome}: {said}")
        elif outcome is not Outcome.PASS and not subject.message:
            subject.message = said
    subject.outcome, subject.passed = worst(outcomes), outcomes.count(Outcome.PASS)


def _of_runtime(
    claim: Claim, implementation: Implementation, describe: Describe
) -> list[Difference]:
    theirs = claim.runtime.model_dump()
    try:
        ours = certificate.runtime_of(describe(implementation)).model_dump()
    except ControlError as error:
        return [Difference(f"{implementation.name} runtime", _spell(theirs), str(error))]
    return _notes(f"{implementation.name} runtime", theirs, ours)


def _notes(what: str, theirs: Any, ours: Any) -> list[Difference]:
    return [
        difference
        for difference in _differences(what, theirs, ours)
        if not difference.what.startswith(_MOMENTARY)
    ]


def _differences(what: str, theirs: Any, ours: Any) -> Iterator[Difference]:
    """Yield the differences of two documents, each by its path; lists are compared as a whole."""
    if isinstance(theirs, dict) and isinstance(ours, dict):
        for key in sorted(theirs.keys() | ours.keys(), key=str):
            mine, yours = ours.get(key, NOTHING), theirs.get(key, NOTHING)
            yield from _differences(f"{what}.{key}", yours, mine)
    elif theirs != ours:
        yield Difference(what, _spell(theirs), _spell(ours))


def _spell(value: Any) -> str:
    if isinstance(value, (list, tuple)) and all(isinstance(item, str | int) for item in value):
        return ", ".join(map(str, value)) or NOTHING
    return str(value)
