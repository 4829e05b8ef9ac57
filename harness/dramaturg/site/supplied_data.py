"""The supplied data: certificates, results, and files that could not be read."""

import hashlib
from dataclasses import dataclass, field
from pathlib import Path

from dramaturg.certificates.remembered_verifications import Again
from dramaturg.certificates.statement import Claim, Statement
from dramaturg.report import formatting
from dramaturg.report.summary import Summary

HERE = ""
"""The origin of what the user's own command line named."""


def address_of(*what: str) -> str:
    """The name of a page, by what it is of: 128 bits, since a stranger chooses what it is made of
    and can try as often as they like."""
    return hashlib.sha256("\0".join(what).encode(errors="surrogatepass")).hexdigest()[:32]


@dataclass(frozen=True, slots=True)
class Source:
    """A file or folder to read, and what to call it."""

    place: Path
    name: str
    """As it was typed, or stands in the list. It is shown."""
    origin: str = HERE
    """The source that supplied it: the command line's folders are the user's; each entry of a list
    is its own."""
    as_it_came: bool = False
    """True if ``place`` is a file as it was handed over: a certificate, or an archive."""


@dataclass(frozen=True, slots=True)
class Unread:
    """A file that could not be read, and why: in the user's list, or typed by them."""

    name: str
    why: str


@dataclass(frozen=True, slots=True)
class Certificate:
    """A certificate as it was handed over."""

    name: str
    """The place where it was found."""
    origin: str
    content: bytes
    """The content of its file, in its envelope if it has one. A signed one has only the signatures
    of trusted keys."""
    digest: str
    """SHA-256 of its statement, signed or not."""
    statement: Statement
    signer: str
    """The trusted signer; empty if no trusted key has signed it."""
    signature: str
    """The state of the signature, in words."""
    again: dict[str, Again]
    """The result of running its cases again on this machine, by subject."""

    @property
    def address(self) -> str:
        """The address of its pages: it depends on its content and on its source, and on nothing
        else."""
        return address_of(self.digest, self.signer, HERE if self.signer else self.origin)

    @property
    def when(self) -> float | None:
        """Seconds since 1970, as it says itself."""
        said = self.statement.predicate.environment.get("captured")
        return float(said) if formatting.is_moment(said) else None


@dataclass(frozen=True, slots=True)
class Run:
    """A results folder, read."""

    name: str
    """The place where it was found."""
    origin: str
    digest: str
    """SHA-256 of all that was read of it."""
    summary: Summary
    page: str
    """Its report, as HTML."""

    @property
    def address(self) -> str:
        """The address of its page: it depends on its content and on its source."""
        return address_of(self.digest, self.origin)


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
