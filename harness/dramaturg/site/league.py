"""The league: implementations with their certificates, and what is known of each."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

from dramaturg.certificates.statement import Claim
from dramaturg.report.summary import ImplementationVerdict
from dramaturg.site import certificate_consistency
from dramaturg.site.supplied_data import HERE, Certificate, Entry, Found, Run, address_of

_LONGEST = 60
"""Characters of a name in an address."""


class Standing(StrEnum):
    """The standing of an implementation, by the newest of its certificates."""

    CERTIFIED = "certified"
    OTHER_CASES = "certified on other cases"
    """Its certificate adds up, and was made on other cases than those of this harness."""
    CONTRADICTED = "not certified"
    """Its certificate contradicts itself."""
    NONE = "no certificate"


@dataclass(frozen=True, slots=True)
class Judged:
    """One subject of one certificate, looked at."""

    entry: Entry
    problems: list[str]
    other_cases: list[str]
    benchmarks: dict[str, dict[int, int]]
    """Cases that passed, by benchmark and level."""

    @property
    def standing(self) -> Standing:
        if self.problems:
            return Standing.CONTRADICTED
        return Standing.OTHER_CASES if self.other_cases else Standing.CERTIFIED


@dataclass(frozen=True, slots=True)
class Recorded:
    """The records of an implementation in a results folder."""

    run: Run
    verdict: ImplementationVerdict


@dataclass(slots=True)
class Implementation:
    """One implementation, as this site identifies it: by one name, one repository, and one signer,
    or else by the source that supplied it. So nobody can put results on somebody else's page.

    A signature is of a certificate, and anybody can hand over a copy of that. So what else an entry
    of a list has in it, such as times, is on the page of who handed it over.
    """

    name: str
    repository: str
    """As its certificates name it; empty if they name none."""
    signer: str
    """The trusted signer; empty if no trusted key has signed them."""
    origin: str = HERE
    """The source that supplied them, where nobody has signed."""
    certificates: list[Judged] = field(default_factory=list)
    """The newest first."""
    records: list[Recorded] = field(default_factory=list)

    @property
    def slug(self) -> str:
        """Its address. It depends on what makes it one implementation and on nothing else, so
        that nobody else's arrival changes it."""
        key = address_of(self.name, self.repository, self.signer, self.origin)
        plain = "".join(c if c.isascii() and c.isalnum() else "-" for c in self.name.lower())
        return f"{plain[:_LONGEST]}-{key}"

    @property
    def newest(self) -> Judged | None:
        return self.certificates[0] if self.certificates else None

    @property
    def standing(self) -> Standing:
        return self.newest.standing if self.newest else Standing.NONE


@dataclass(frozen=True, slots=True)
class League:
    """All of it, as the pages show it."""

    implementations: list[Implementation]
    found: Found

    def of(self, standing: Standing) -> list[Implementation]:
        return [each for each in self.implementations if each.standing is standing]

    def certified_build(self, name: str, build: str, origin: str) -> Implementation | None:
        """The implementation of this build, if a certificate of the same origin certifies it:
        times from a source count only beside what the same source has certified."""
        for each in self.implementations:
            for judged in each.certificates:
                entry = judged.entry
                if (
                    (entry.name, entry.claim.build) == (name, build)
                    and entry.certificate.origin == origin
                    and (origin == HERE or not each.signer)
                    and judged.standing is Standing.CERTIFIED
                ):
                    return each
        return None


def gather(found: Found) -> League:
    """Sort everything that was handed over by implementation."""
    kept = _each_once(found)
    by_key: dict[tuple[str, str, str, str], Implementation] = {}

    def of(name: str, repository: str, signer: str, origin: str) -> Implementation:
        key = (name, repository, signer, HERE if signer else origin)
        return by_key.setdefault(key, Implementation(*key))

    owners: dict[tuple[str, str, str], list[Implementation]] = defaultdict(list)
    for entry in kept:
        repository = entry.claim.repository.url if entry.claim.repository else ""
        certificate = entry.certificate
        one = of(entry.name, repository, certificate.signer, certificate.origin)
        one.certificates.append(_judged(entry))
        if not certificate.signer or certificate.origin == HERE:
            owners[entry.name, entry.claim.build, certificate.origin].append(one)
    for run in _runs_once(found):
        for verdict in run.summary.implementations:
            builds = _builds(run, verdict)
            name = verdict.implementation
            whose = [one for build in builds for one in owners[name, build, run.origin]]
            for one in _each(whose) or [of(name, "", "", run.origin)]:
                one.records.append(Recorded(run, verdict))
    for one in by_key.values():
        one.certificates.sort(key=lambda judged: _age(judged.entry))
    ordered = sorted(by_key.values(), key=_place)
    return League(ordered, found)


def _judged(entry: Entry) -> Judged:
    judged_on = entry.certificate.statement.predicate.cases
    return Judged(
        entry,
        certificate_consistency.problems(entry.claim, judged_on),
        certificate_consistency.other_cases(entry.claim, judged_on),
        certificate_consistency.benchmarks(entry.claim),
    )


def _each_once(found: Found) -> list[Entry]:
    """A statement that one source hands over several times counts once, signed if it is so once.
    One that is signed counts once whoever hands it over, and as a word of theirs besides where
    they have records of its builds."""
    best: dict[tuple[str, str, str], Certificate] = {}
    spoken = {
        (run.origin, verdict.implementation, build)
        for run in found.runs
        for verdict in run.summary.implementations
        for build in _builds(run, verdict)
    }
    signed = {(each.digest, each.origin) for each in found.certificates if each.signer}
    for each in found.certificates:
        if not each.signer:
            if (each.digest, each.origin) not in signed:
                best.setdefault((each.digest, "", each.origin), each)
            continue
        best.setdefault((each.digest, each.signer, HERE), each)
        claims = each.statement.predicate.implementations.items()
        beside = any((each.origin, name, claim.build) in spoken for name, claim in claims)
        if each.origin != HERE and beside:
            said = f"by {each.signer}, of the certificate alone: the results beside it have none"
            copy = replace(each, signer="", signature=said)
            best.setdefault((each.digest, "", each.origin), copy)
    found.certificates[:] = best.values()
    return [
        Entry(name, certificate, claim)
        for certificate in best.values()
        for name, claim in certificate.statement.predicate.implementations.items()
        if _has_page(name, certificate, claim, signed, spoken)
    ]


def _has_page(
    name: str,
    certificate: Certificate,
    claim: Claim,
    signed: Collection[tuple[str, str]],
    spoken: Collection[tuple[str, str, str]],
) -> bool:
    """True if it has a page. A copy of a signed certificate has pages only for those of which its
    source has records."""
    is_copy = not certificate.signer and (certificate.digest, certificate.origin) in signed
    return not is_copy or (certificate.origin, name, claim.build) in spoken


def _runs_once(found: Found) -> list[Run]:
    """Return each run once, by source: a copy of another's run takes nothing from its author."""
    best: dict[tuple[str, str], Run] = {}
    for run in found.runs:
        best.setdefault((run.digest, run.origin), run)
    found.runs[:] = best.values()
    return found.runs


def _builds(run: Run, verdict: ImplementationVerdict) -> list[str]:
    """The builds of it in the run."""
    timed = [
        row.build
        for group in run.summary.groups
        for row in group.implementations
        if row.implementation == verdict.implementation
    ]
    return list(dict.fromkeys([*([verdict.build] if verdict.build else []), *timed]))


def _each(implementations: Iterable[Implementation]) -> Sequence[Implementation]:
    return list({id(one): one for one in implementations}.values())


def _place(one: Implementation) -> tuple[str, bool, str, str]:
    return one.name, not one.signer, one.repository, one.origin


def _age(entry: Entry) -> tuple[float, str]:
    """The newest first, and those without a time last."""
    when = entry.certificate.when
    return (-when if when is not None else 1.0, entry.certificate.digest)
