"""The league: implementations with their certificates, and what is known of each."""

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from dramaturg.report.summary import ImplementationVerdict
from dramaturg.site import holds
from dramaturg.site.found import HERE, Certificate, Entry, Found, Run

_LONGEST = 60
"""Characters of a name in an address."""


class Standing(StrEnum):
    """How an implementation stands, by the newest of its certificates."""

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
    """What a results folder says of an implementation."""

    run: Run
    verdict: ImplementationVerdict


@dataclass(slots=True)
class Implementation:
    """What is one implementation to this site: of one name, in one repository, by the word of
    one signer, or else of whoever handed it over. So nobody enters the page of somebody else's."""

    name: str
    repository: str
    """As its certificates name it; empty if they name none."""
    signer: str
    """Who has signed them, of those whom the reader trusts; empty if none of them."""
    origin: str = HERE
    """Who handed them over, where nobody has signed."""
    certificates: list[Judged] = field(default_factory=list)
    """The newest first."""
    records: list[Recorded] = field(default_factory=list)

    @property
    def slug(self) -> str:
        """Its address. It depends on what makes it one implementation and on nothing else, so
        that nobody else's arrival changes it."""
        said = "\0".join((self.name, self.repository, self.signer, self.origin))
        key = hashlib.sha256(said.encode(errors="surrogatepass")).hexdigest()
        plain = "".join(c if c.isascii() and c.isalnum() else "-" for c in self.name.lower())
        return f"{plain[:_LONGEST]}-{key[:8]}"

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
        """Whose build this is, if it is certified by a certificate of the same origin: what
        one source says of times counts only beside what the same source has certified."""
        for each in self.implementations:
            for judged in each.certificates:
                entry = judged.entry
                if (
                    (entry.name, entry.claim.build) == (name, build)
                    and entry.certificate.origin == origin
                    and judged.standing is Standing.CERTIFIED
                ):
                    return each
        return None


def gather(found: Found) -> League:
    """From what was handed over to implementations, by name."""
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
        holds.problems(entry.claim, judged_on),
        holds.other_cases(entry.claim, judged_on),
        holds.benchmarks(entry.claim),
    )


def _each_once(found: Found) -> list[Entry]:
    """A statement that was handed over several times counts once, signed if it was so once."""
    best: dict[str, Certificate] = {}
    for each in found.certificates:
        earlier = best.get(each.digest)
        if earlier is None or (each.signer and not earlier.signer):
            best[each.digest] = each
    found.certificates[:] = best.values()
    return [
        Entry(name, certificate, claim)
        for certificate in best.values()
        for name, claim in certificate.statement.predicate.implementations.items()
    ]


def _runs_once(found: Found) -> list[Run]:
    best: dict[str, Run] = {}
    for run in found.runs:
        best.setdefault(run.digest, run)
    found.runs[:] = best.values()
    return found.runs


def _builds(run: Run, verdict: ImplementationVerdict) -> list[str]:
    """Of which builds of it the run speaks."""
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
