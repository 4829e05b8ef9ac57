"""``certificate.json``: what was certified, of which builds, by which cases (LEVEL-15, LEVEL-20).

An in-toto Statement whose subjects are the builds; signed, it is the payload of a DSSE
envelope. ``certificate.schema.json`` beside this file is its JSON Schema, and a test
holds the two together. Whoever changes a field's meaning gives the predicate type a
new number.
"""

from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import Field, ValidationError, model_validator

from dramaturg import schema
from dramaturg.certificates import intoto
from dramaturg.certificates.envelope import CertificateError
from dramaturg.certificates.intoto import CERTIFICATE, Designation, Named, Part, Sha256
from dramaturg.outcomes import Outcome

SCHEMA_FILE = Path(__file__).with_name("certificate.schema.json")

CasePath = Annotated[str, Field(pattern=r"^\d-[a-z]+/[a-z]+/[a-zA-Z0-9._-]+$")]
"""Level, benchmark and name, as in ``1-serial/chatapp/cumulative``."""


class Harness(Part):
    """The harness that judged."""

    version: str | None
    revision: str | None
    """The revision of the sources that ran; None outside a repository."""
    modified: bool | None
    """True if they differed from that revision."""


class Cases(Part):
    """The cases on which it was judged."""

    digest: Sha256
    """Over the required cases with their golden traces."""
    each: dict[CasePath, Sha256]
    """The digest of each case, with its golden trace, by path."""
    recommended: list[CasePath] = []
    """Those of these cases that took no certificate away."""


class Manifest(Part):
    """``dramaturg.toml``, and what it comes to on the machine that judged."""

    digest: Sha256
    language: str
    control: str
    benchmarks: list[str]
    distributed: list[str]
    log_limit: bool = False
    """True if its actors wait while its log is full (CTRL-18): cases with a limit are for it."""
    remark: str = ""
    """A remark that a reader has to know, in its author's words."""
    build: list[list[str]]
    """Its commands."""
    build_environment: dict[str, str]
    """Variables that decide what is built, as they were set."""
    command: list[str]
    environment: dict[str, str]
    known_failures: dict[str, str]


class Repository(Part):
    """The place of the sources that were judged."""

    url: str
    """The address without credentials; empty if it was on the judging machine alone."""
    commit: str
    modified: bool
    """True if any file differed from what had been committed."""


class Runtime(Part):
    """The runtime, as the implementation described itself (LEVEL-1)."""

    name: str
    version: str
    schedulers: int
    details: dict[str, str]


class LevelClaim(Part):
    name: str
    outcome: Outcome
    cases: int
    reason: str
    """The reason why it was not run; empty if it was."""


class CaseClaim(Part):
    outcome: Literal["pass"]
    events: int
    """Trace events that were replayed or compared."""


class Claim(Part):
    """The claim about one implementation."""

    build: Sha256
    artefact: Sha256 | None = None
    """The digest of the artefact on the machine that judged, if one was built. Builds are seldom
    the same twice, so a different one elsewhere is no difference that counts."""
    manifest: Manifest
    repository: Repository | None = None
    """None outside of one. It is where to look, and no part of what is certified: that is the
    build."""
    toolchain: dict[str, str | None]
    """Versions that the manifest's probes found."""
    runtime: Runtime
    planned: list[int]
    """Levels."""
    levels: dict[int, LevelClaim]
    """All of the specification's, those that were not run too."""
    cases: dict[CasePath, CaseClaim] = Field(min_length=1)
    """The cases by their paths."""
    recommended: dict[CasePath, Outcome] = {}
    """Recommended cases that did not pass."""
    unsupported: dict[str, str]
    """Benchmarks of which nothing is said, and why."""
    undistributed: dict[str, str]
    """Benchmarks of which nothing is said over several nodes, and why."""
    several_cores: dict[str, str] = {}
    """Benchmarks of which nothing is said on one core, and why."""


class Predicate(Part):
    spec: str
    harness: Harness
    cases: Cases
    environment: dict[str, Any]
    implementations: dict[Designation, Claim] = Field(min_length=1)


class Statement(Named):
    """The whole: one subject for each build that was certified."""

    predicate_type: Literal["urn:dramaturg:certificate:v2"] = Field(
        alias="predicateType", default=CERTIFICATE
    )
    predicate: Predicate

    @model_validator(mode="after")
    def _is_of_the_same_builds(self) -> Self:
        self._hold_subjects_against_claims()
        return self

    def _hold_subjects_against_claims(self) -> None:
        named = {subject.name: subject.digest.sha256 for subject in self.subject}
        claimed = {name: claim.build for name, claim in self.predicate.implementations.items()}
        if named != claimed or len(named) != len(self.subject):
            raise ValueError("subject and predicate.implementations name different builds")


def parse(text: bytes, file: Path) -> Statement:
    """The certificate. Raises CertificateError that names the file and the field."""
    try:
        return Statement.model_validate(intoto.document(text, file, CERTIFICATE))
    except ValidationError as error:
        raise CertificateError(f"{file} is no certificate: {intoto.problems(error)}") from None


def schema_text() -> str:
    """The JSON Schema of a certificate, as the file beside this one holds it."""
    return schema.text(Statement)


if __name__ == "__main__":
    SCHEMA_FILE.write_text(schema_text(), encoding="utf-8")
