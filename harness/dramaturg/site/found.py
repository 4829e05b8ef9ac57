"""What was handed over: certificates, results, and what could not be read."""

from dataclasses import dataclass, field
from pathlib import Path

from dramaturg.certificates.statement import Claim, Statement
from dramaturg.certificates.verified import Again
from dramaturg.report import units
from dramaturg.report.summary import Summary

HERE = ""
"""The origin of what the user's own command line named."""


@dataclass(frozen=True, slots=True)
class Source:
    """A file or folder to read, and what to call it."""

    place: Path
    name: str
    """As it was typed, or stands in the list. It is shown."""
    origin: str = HERE
    """Whose word it is: what the command line names is the user's; each entry of a list is its
    own."""


@dataclass(frozen=True, slots=True)
class Unread:
    """What could not be read, and why: in the user's list, or typed by them."""

    name: str
    why: str


@dataclass(frozen=True, slots=True)
class Certificate:
    """A certificate as it was handed over."""

    name: str
    """Where it was found."""
    origin: str
    content: bytes
    """Of its file, in its envelope if it has one."""
    digest: str
    """SHA-256 of its statement, signed or not."""
    statement: Statement
    signer: str
    """Who has signed it, of those whom the reader trusts; empty if none of them."""
    signature: str
    """What is known of the signature, in words."""
    again: dict[str, Again]
    """By subject, what came of running its cases again on this machine."""

    @property
    def when(self) -> float | None:
        """Seconds since 1970, as it says itself."""
        said = self.statement.predicate.environment.get("captured")
        return float(said) if units.is_moment(said) else None


@dataclass(frozen=True, slots=True)
class Run:
    """A results folder, read."""

    name: str
    """Where it was found."""
    origin: str
    digest: str
    """SHA-256 of its records."""
    summary: Summary
    page: str
    """Its report, as HTML."""


@dataclass(slots=True)
class Found:
    """All of it."""

    certificates: list[Certificate] = field(default_factory=list)
    runs: list[Run] = field(default_factory=list)
    unread: list[Unread] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Entry:
    """One subject of a certificate."""

    name: str
    certificate: Certificate
    claim: Claim

    @property
    def again(self) -> Again | None:
        return self.certificate.again.get(self.name)
