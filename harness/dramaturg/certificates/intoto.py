"""The parts that certificates and reviews share: in-toto Statements, as files (LEVEL-20,
LEVEL-30).

A statement may be the payload of a DSSE envelope. It comes from anywhere: its size is bounded,
no field is there twice, and fields that a reader does not know are ignored.
https://github.com/in-toto/attestation/blob/main/spec/v1/statement.md
"""

import json
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from dramaturg import files, meant
from dramaturg.certificates import envelope
from dramaturg.certificates.envelope import CertificateError, Envelope

STATEMENT: Literal["https://in-toto.io/Statement/v1"] = "https://in-toto.io/Statement/v1"
CERTIFICATE: Literal["urn:dramaturg:certificate:v2"] = "urn:dramaturg:certificate:v2"
REVIEW: Literal["urn:dramaturg:review:v1"] = "urn:dramaturg:review:v1"

CALLED = {CERTIFICATE: "certificate", REVIEW: "review"}
"""The name of each predicate type."""

MAX_BYTES = 8 * 1024 * 1024
"""The largest file of a statement. A certificate of one of five implementations has a twentieth of
it."""

Sha256 = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]

Designation = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_-]*(\+[a-z][a-z0-9_-]*)?$")]
"""The name of an implementation, perhaps with a variant, and never a path."""


class Part(BaseModel):
    """A part of a statement. By in-toto, fields that a reader does not know are ignored."""

    model_config = ConfigDict(extra="ignore", populate_by_name=True)


class Digest(Part):
    sha256: Sha256


class Subject(Part):
    """A build."""

    name: Designation
    digest: Digest


class Named(Part):
    """An in-toto Statement, version 1, without its predicate."""

    type_: Literal["https://in-toto.io/Statement/v1"] = Field(alias="_type", default=STATEMENT)
    subject: list[Subject] = Field(min_length=1)

    def to_json(self, indent: int | None = None) -> str:
        return self.model_dump_json(by_alias=True, indent=indent)


def read(file: Path) -> tuple[bytes, Envelope | None]:
    """The statement's text, and the envelope that it was in, if it was in one.

    Raises CertificateError for what is neither.
    """
    try:
        with files.opened(file) as stream:
            text = stream.read(MAX_BYTES + 1)
    except OSError as error:
        raise CertificateError(f"{file}: {error.strerror}{meant.path_hint(file)}") from None
    if len(text) > MAX_BYTES:
        raise CertificateError(
            f"{file} is longer than {MAX_BYTES} bytes, so it is no certificate and no review"
        )
    outermost = _object(text, file)
    if "payload" not in outermost:
        return text, None
    try:
        opened = Envelope.model_validate(outermost)
        if opened.payload_type != envelope.PAYLOAD_TYPE:
            raise CertificateError(
                f"{file}: the envelope holds {files.brief(repr(opened.payload_type))},"
                f" not {envelope.PAYLOAD_TYPE}"
            )
        return opened.content, opened
    except ValidationError as error:
        raise CertificateError(f"{file} is no DSSE envelope: {problems(error)}") from None
    except ValueError as error:
        raise CertificateError(f"{file}: payload: {error}") from None


def predicate_of(text: bytes, file: Path) -> str:
    """The statement's ``predicateType``. Raises CertificateError if it is no in-toto Statement."""
    return _checked(text, file)[0]


def document(text: bytes, file: Path, wanted: str) -> dict[str, Any]:
    """The statement, if its predicate is the one that is ``wanted``. Raises CertificateError."""
    predicate, found = _checked(text, file)
    if predicate == wanted:
        return found
    if predicate in CALLED:
        raise CertificateError(
            f"{file} is a {CALLED[predicate]} and no {CALLED[wanted]};"
            " `dramaturg verify CERTIFICATE --review REVIEW` shows both"
        )
    ours = isinstance(predicate, str) and predicate.startswith("urn:dramaturg:")
    advice = ": certify again with it, or take the harness that made this" if ours else ""
    raise CertificateError(
        f"{file}: unknown predicateType {predicate}; this harness reads {wanted}{advice}"
    )


def problems(error: ValidationError) -> str:
    """The errors of a model about a document that it refuses, on one line."""
    found = [
        f"{'.'.join(str(part) for part in problem['loc']) or 'as a whole'}: {problem['msg']}"
        for problem in error.errors()
    ]
    rest = f"; and {len(found) - 3} more" if len(found) > 3 else ""
    return files.brief("; ".join(found[:3])) + rest


def _checked(text: bytes, file: Path) -> tuple[str, dict[str, Any]]:
    found = _object(text, file)
    if found.get("_type") != STATEMENT:
        said = files.brief(found.get("_type", "nothing"))
        raise CertificateError(f"{file}: no in-toto Statement: _type is {said}, not {STATEMENT}")
    predicate = found.get("predicateType", "nothing")
    known = isinstance(predicate, str) and predicate in CALLED
    return predicate if known else files.brief(predicate), found


def _object(text: bytes, file: Path) -> dict[str, Any]:
    try:
        found = json.loads(
            text,
            object_pairs_hook=_each_once,
            parse_constant=_no_number,
            parse_float=files.finite,
        )
    except (ValueError, RecursionError) as error:
        said = files.brief(error)
        raise CertificateError(f"{file} is no JSON, or is cut short: {said}") from None
    if not isinstance(found, dict):
        raise CertificateError(f"{file} holds no JSON object")
    return found


def _each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Two readers could take different ones of two fields of one name."""
    members: dict[str, Any] = {}
    for name, value in pairs:
        if name in members:
            raise ValueError(f"{name!r} is there twice in one object")
        files.refuse_no_text(name)
        members[name] = value
    return members


def _no_number(text: str) -> None:
    raise ValueError(f"{text} is no JSON")
