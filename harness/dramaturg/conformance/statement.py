"""``certificate.json``: what was certified, of which builds, by which cases (LEVEL-15, LEVEL-20).

An in-toto Statement whose subjects are the builds; signed, it is the payload of a DSSE
envelope. ``certificate.schema.json`` beside this file is its JSON Schema, and a test
holds the two together. Whoever changes a field's meaning gives ``PREDICATE`` a new number.
https://github.com/in-toto/attestation/blob/main/spec/v1/statement.md
"""

import json
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from dramaturg import files, schema
from dramaturg.conformance import envelope
from dramaturg.conformance.envelope import CertificateError, Envelope
from dramaturg.outcomes import Outcome

STATEMENT: Literal["https://in-toto.io/Statement/v1"] = "https://in-toto.io/Statement/v1"
PREDICATE: Literal["urn:dramaturg:certificate:v2"] = "urn:dramaturg:certificate:v2"
SCHEMA_FILE = Path(__file__).with_name("certificate.schema.json")

MAX_BYTES = 8 * 1024 * 1024
"""Of a certificate's file. One of five implementations has a twentieth of it."""

Sha256 = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


CasePath = Annotated[str, Field(pattern=r"^\d-[a-z]+/[a-z]+/[a-zA-Z0-9._-]+$")]
"""Level, benchmark and name, as in ``1-serial/chatapp/cumulative``."""

Designation = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_-]*(\+[a-z][a-z0-9_-]*)?$")]
"""Of an implementation, perhaps with a variant: a name, and never a path."""


class _Part(BaseModel):
    # in-toto: fields that a reader does not know are ignored.
    model_config = ConfigDict(extra="ignore", populate_by_name=True)


class Digest(_Part):
    sha256: Sha256


class Subject(_Part):
    """A build that was certified."""

    name: Designation
    digest: Digest


class Harness(_Part):
    """Who judged."""

    version: str | None
    revision: str | None
    """Of the sources that ran; None outside a repository."""
    modified: bool | None
    """Whether they differed from that revision."""


class Cases(_Part):
    """What it was judged on."""

    digest: Sha256
    """Over all case files and golden traces, byte for byte."""
    each: dict[CasePath, Sha256]
    """By path, each case with its golden trace."""


class Manifest(_Part):
    """``dramaturg.toml``, and what it comes to on the machine that judged."""

    digest: Sha256
    language: str
    control: str
    benchmarks: list[str]
    distributed: list[str]
    build: list[list[str]]
    """Its commands."""
    build_environment: dict[str, str]
    """Variables that decide what is built, as they were set."""
    command: list[str]
    environment: dict[str, str]
    known_failures: dict[str, str]


class Runtime(_Part):
    """What the implementation said of itself (LEVEL-1)."""

    name: str
    version: str
    schedulers: int
    details: dict[str, str]


class LevelClaim(_Part):
    name: str
    outcome: Outcome
    cases: int
    reason: str
    """Why it was not run; empty if it was."""


class CaseClaim(_Part):
    outcome: Literal["pass"]
    events: int
    """Trace events that were replayed or compared."""


class Claim(_Part):
    """What is certified of one implementation."""

    build: Sha256
    artefact: Sha256 | None = None
    """Of what was built of it on the machine that judged, if anything was: builds are seldom
    the same twice, so another one elsewhere is no difference that counts."""
    manifest: Manifest
    toolchain: dict[str, str | None]
    """Versions that the manifest's probes found."""
    runtime: Runtime
    planned: list[int]
    """Levels."""
    levels: dict[int, LevelClaim]
    """All of the specification's, those that were not run too."""
    cases: dict[CasePath, CaseClaim] = Field(min_length=1)
    """By path."""
    unsupported: dict[str, str]
    """Benchmarks of which nothing is said, and why."""
    undistributed: dict[str, str]
    """Benchmarks of which nothing is said over several nodes, and why."""


class Predicate(_Part):
    spec: str
    harness: Harness
    cases: Cases
    environment: dict[str, Any]
    implementations: dict[Designation, Claim] = Field(min_length=1)


class Statement(_Part):
    """An in-toto Statement, version 1."""

    type_: Literal["https://in-toto.io/Statement/v1"] = Field(alias="_type", default=STATEMENT)
    subject: list[Subject] = Field(min_length=1)
    predicate_type: Literal["urn:dramaturg:certificate:v2"] = Field(
        alias="predicateType", default=PREDICATE
    )
    predicate: Predicate

    @model_validator(mode="after")
    def _subjects_are_those_of_the_predicate(self) -> Self:
        named = {subject.name: subject.digest.sha256 for subject in self.subject}
        claimed = {name: claim.build for name, claim in self.predicate.implementations.items()}
        if named != claimed or len(named) != len(self.subject):
            raise ValueError("subject and predicate.implementations name different builds")
        return self

    def to_json(self, indent: int | None = None) -> str:
        return self.model_dump_json(by_alias=True, indent=indent)


def read(file: Path) -> tuple[bytes, Envelope | None]:
    """The statement's text, and the envelope that it was in, if it was in one.

    Raises CertificateError for what is neither.
    """
    try:
        with file.open("rb") as stream:
            text = stream.read(MAX_BYTES + 1)
    except OSError as error:
        raise CertificateError(f"{file}: {error.strerror}") from None
    if len(text) > MAX_BYTES:
        raise CertificateError(f"{file}: is longer than {MAX_BYTES} bytes, so it is no certificate")
    document = _object(text, file)
    if "payload" not in document:
        return text, None
    try:
        opened = Envelope.model_validate(document)
        if opened.payload_type != envelope.PAYLOAD_TYPE:
            raise CertificateError(
                f"{file}: the envelope holds {files.brief(repr(opened.payload_type))},"
                f" not {envelope.PAYLOAD_TYPE}"
            )
        return opened.content, opened
    except ValidationError as error:
        raise CertificateError(f"{file}: is no DSSE envelope: {_problems(error)}") from None
    except ValueError as error:
        raise CertificateError(f"{file}: payload: {error}") from None


def parse(text: bytes, file: Path) -> Statement:
    """The statement. Raises CertificateError that names the file and the field."""
    document = _object(text, file)
    if document.get("_type") != STATEMENT:
        said = files.brief(document.get("_type", "nothing"))
        raise CertificateError(f"{file}: no in-toto Statement: _type is {said}, not {STATEMENT}")
    if document.get("predicateType") != PREDICATE:
        said = files.brief(document.get("predicateType", "nothing"))
        raise CertificateError(
            f"{file}: unknown predicateType {said}; this harness reads {PREDICATE}"
        )
    try:
        return Statement.model_validate(document)
    except ValidationError as error:
        raise CertificateError(f"{file}: is no certificate: {_problems(error)}") from None


def _object(text: bytes, file: Path) -> dict[str, Any]:
    try:
        document = json.loads(text, object_pairs_hook=_each_once, parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        said = files.brief(error)
        raise CertificateError(f"{file}: is no JSON, or is cut short: {said}") from None
    if not isinstance(document, dict):
        raise CertificateError(f"{file}: holds no JSON object")
    return document


def _each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Two readers could take different ones of two fields of one name."""
    members = dict(pairs)
    if len(members) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"{twice!r} is there twice in one object")
    return members


def _no_number(text: str) -> None:
    raise ValueError(f"{text} is no JSON")


def _problems(error: ValidationError) -> str:
    problems = [
        f"{'.'.join(str(part) for part in problem['loc']) or 'as a whole'}: {problem['msg']}"
        for problem in error.errors()
    ]
    rest = f"; and {len(problems) - 3} more" if len(problems) > 3 else ""
    return files.brief("; ".join(problems[:3])) + rest


def schema_text() -> str:
    """The JSON Schema of a certificate, as the file beside this one holds it."""
    return schema.text(Statement)


if __name__ == "__main__":
    SCHEMA_FILE.write_text(schema_text(), encoding="utf-8")
