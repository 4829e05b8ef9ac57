"""The names in a certificate, its signature, and texts that are no certificate."""

import base64
import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
)

from dramaturg import paths, results
from dramaturg.cases import cases
from dramaturg.certificates import certificate, envelope, intoto, statement
from dramaturg.certificates.envelope import CertificateError
from dramaturg.certificates.statement import Statement
from dramaturg.errors import Crashed
from dramaturg.implementation.build import digest
from dramaturg.implementation.manifest import Implementation, find
from dramaturg.levels import LEVELS, REQUIRED
from dramaturg.outcomes import Outcome
from dramaturg.records import CaseRecord
from dramaturg.standing import Certification, Standing
from dramaturg.v2 import control_pb2

REFERENCE = find("reference")
PLANNED = list(REQUIRED)


def described(implementation: Implementation) -> control_pb2.DescribeResponse:
    """Return an implementation's description of itself, without starting it."""
    return control_pb2.DescribeResponse(runtime="CPython", runtime_version="3.11", schedulers=1)


def standing(**changes: Any) -> Standing:
    """The standing of the reference, with a pass at each level, unless told otherwise."""
    made = Standing("reference", digest(REFERENCE), planned=len(PLANNED), levels=PLANNED)
    made.records = [
        CaseRecord(
            implementation="reference", level=level, benchmark="pingpong", case=f"case-{level}",
            outcome=Outcome.PASS, events=7,
        )
        for level in PLANNED
    ]  # fmt: skip
    for name, value in changes.items():
        setattr(made, name, value)
    return made


def done(folder: Path, *standings: Standing) -> Certification:
    return Certification(folder, {each.implementation: each for each in standings}, [], False)


def issued(folder: Path, key: Ed25519PrivateKey | None = None) -> Path:
    assert certificate.issue(done(folder, standing()), [REFERENCE], described) == {}
    file = folder / results.CERTIFICATE
    if key is not None:
        file.write_text(envelope.sign(file.read_bytes(), key).to_json())
    return file


def parsed(file: Path) -> Statement:
    return statement.parse(intoto.read(file)[0], file)


def test_a_certificate_is_an_in_toto_statement_of_the_build(tmp_path: Path) -> None:
    document = json.loads(issued(tmp_path).read_text())
    assert document.keys() == {"_type", "subject", "predicateType", "predicate"}
    assert document["_type"] == "https://in-toto.io/Statement/v1"
    assert document["subject"] == [{"name": "reference", "digest": {"sha256": digest(REFERENCE)}}]


def test_a_certificate_fulfils_its_schema(tmp_path: Path) -> None:
    schema = json.loads(statement.SCHEMA_FILE.read_text(encoding="utf-8"))
    jsonschema.validate(json.loads(issued(tmp_path).read_text()), schema)


def test_the_schema_file_is_that_of_the_model() -> None:
    assert statement.SCHEMA_FILE.read_text(encoding="utf-8") == statement.schema_text(), (
        "regenerate it: python -m dramaturg.certificates.statement"
    )


def test_a_certificate_names_what_was_judged_on_what_and_where(tmp_path: Path) -> None:
    predicate = parsed(issued(tmp_path)).predicate
    assert predicate.spec == "2"
    assert predicate.cases.digest == cases.digest()
    assert predicate.cases.each.keys() == {case.path for case in cases.load_all()}
    assert predicate.environment["kernel"]["release"]
    assert predicate.harness.revision
    claim = predicate.implementations["reference"]
    assert claim.cases["1-serial/pingpong/case-1"].events == 7
    assert claim.toolchain["Python"]
    assert claim.manifest.command[-2:] == ["-m", "reference"]
    assert "compares the model with itself" in claim.manifest.remark
    assert "no remote actors" in claim.undistributed["pingpong"]


def test_levels_that_were_not_run_are_in_a_certificate_with_the_reason(tmp_path: Path) -> None:
    levels = parsed(issued(tmp_path)).predicate.implementations["reference"].levels
    assert levels.keys() == LEVELS.keys()
    assert (levels[4].outcome, levels[4].reason) == (Outcome.NOT_RUN, "not in the plan")
    assert (levels[5].outcome, levels[5].reason) == (Outcome.NOT_RUN, "it has no cases")
    assert (levels[1].outcome, levels[1].cases, levels[1].reason) == (Outcome.PASS, 1, "")


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"levels": PLANNED[:-1]}, f"level {PLANNED[-1]} not run"),
        ({"planned": len(PLANNED) + 1}, "1 planned case without a record"),
        ({"records": []}, "no case was recorded"),
        ({"manifest_problems": ["known failure 'x' matches no case"]}, "matches no case"),
        ({"void": "attached: which build ran is not known"}, "attached"),
    ],
)
def test_nobody_certified_leaves_no_file_and_says_why(
    tmp_path: Path, changes: dict[str, Any], why: str
) -> None:
    refused = certificate.issue(done(tmp_path, standing(**changes)), [REFERENCE], described)
    assert why in refused["reference"]
    assert not (tmp_path / results.CERTIFICATE).exists()


@pytest.mark.parametrize("outcome", [outcome for outcome in Outcome if outcome != Outcome.PASS])
def test_one_case_that_did_not_pass_is_enough_for_no_certificate(
    tmp_path: Path, outcome: Outcome
) -> None:
    judged = standing()
    judged.records[-1] = judged.records[-1].model_copy(update={"outcome": outcome})
    assert certificate.issue(done(tmp_path, judged), [REFERENCE], described) == {
        "reference": f"1 {outcome}"
    }
    assert not (tmp_path / results.CERTIFICATE).exists()


def test_only_those_that_were_certified_are_subjects(tmp_path: Path) -> None:
    variant = standing(implementation="erlang", levels=[0])
    made = done(tmp_path, standing(), variant)
    assert certificate.issue(made, [REFERENCE, find("erlang")], described).keys() == {"erlang"}
    assert [each.name for each in parsed(tmp_path / results.CERTIFICATE).subject] == ["reference"]


def test_what_cannot_say_what_it_is_gets_no_certificate(tmp_path: Path) -> None:
    def crash(implementation: Implementation) -> control_pb2.DescribeResponse:
        raise Crashed("it ended with 1")

    refused = certificate.issue(done(tmp_path, standing()), [REFERENCE], crash)
    assert "it ended with 1" in refused["reference"]


def test_a_cases_digest_is_of_its_message_and_of_its_golden_trace(tmp_path: Path) -> None:
    case = next(case for case in cases.load_all() if case.name == "pingpong-one-round")
    before = cases.digest_of(case)
    other = type(case)(
        case.benchmark, type(case.message).FromString(case.message.SerializeToString())
    )
    assert cases.digest_of(other) == before
    other.message.serial.benchmark.pingpong.rounds += 1
    assert cases.digest_of(other) != before
    golden = tmp_path / "golden"
    golden.mkdir()
    trace = paths.GOLDEN / "pingpong-one-round.trace"
    (golden / trace.name).write_text(trace.read_text())
    assert cases.digest_of(case, tmp_path) == before
    (golden / trace.name).write_text(trace.read_text() + "ping/1\n")
    assert cases.digest_of(case, tmp_path) != before


def test_what_is_signed_is_encoded_as_dsse_says() -> None:
    """The example of DSSE's own specification."""
    expected = b"DSSEv1 29 http://example.com/HelloWorld 11 hello world"
    assert envelope.encoding("http://example.com/HelloWorld", b"hello world") == expected


def test_a_signature_is_the_keys_and_of_this_content_alone(tmp_path: Path) -> None:
    key, other = Ed25519PrivateKey.generate(), Ed25519PrivateKey.generate()
    _, sealed = intoto.read(issued(tmp_path, key))
    assert sealed is not None
    assert sealed.signed_by(key.public_key())
    assert not sealed.signed_by(other.public_key())
    tampered = base64.b64encode(sealed.content.replace(b"reference", b"deference")).decode()
    assert not sealed.model_copy(update={"payload": tampered}).signed_by(key.public_key())
    retyped = sealed.model_copy(update={"payload_type": "text/plain"})
    assert not retyped.signed_by(key.public_key())


def test_signed_or_not_a_certificate_says_the_same(tmp_path: Path) -> None:
    signed, plain = tmp_path / "signed", tmp_path / "plain"
    signed.mkdir()
    plain.mkdir()
    one, other = parsed(issued(signed, Ed25519PrivateKey.generate())), parsed(issued(plain))
    assert one.predicate.implementations == other.predicate.implementations
    assert one.subject == other.subject


def test_a_signed_file_has_the_fields_that_dsse_names() -> None:
    """Our own reader takes others as well, by which ours would not be told apart."""
    text = envelope.sign(b"content", Ed25519PrivateKey.generate()).to_json()
    document = json.loads(text)
    assert document.keys() == {"payload", "payloadType", "signatures"}
    assert [each.keys() for each in document["signatures"]] == [{"keyid", "sig"}]
    assert text == json.dumps(document, indent=2) + "\n"


def test_base64_in_either_alphabet_is_read() -> None:
    key = Ed25519PrivateKey.generate()
    sealed = envelope.sign(b"\xfb\xff" * 9, key)
    safe = sealed.model_copy(
        update={
            "payload": sealed.payload.replace("+", "-").replace("/", "_"),
            "signatures": [
                each.model_copy(update={"sig": each.sig.replace("+", "-").replace("/", "_")})
                for each in sealed.signatures
            ],
        }
    )
    assert "-" in safe.payload
    assert safe.content == sealed.content
    assert safe.signed_by(key.public_key())


Tamper = Callable[[dict[str, Any]], None]


def _renames_the_subject(document: dict[str, Any]) -> None:
    document["subject"][0]["name"] = "akka"


def _swaps_the_digest(document: dict[str, Any]) -> None:
    document["subject"][0]["digest"]["sha256"] = "0" * 64


def _has_a_case_that_failed(document: dict[str, Any]) -> None:
    claim = document["predicate"]["implementations"]["reference"]
    next(iter(claim["cases"].values()))["outcome"] = "fail"


def _is_of_another_type(document: dict[str, Any]) -> None:
    document["_type"] = "https://in-toto.io/Statement/v0.1"


def _states_something_else(document: dict[str, Any]) -> None:
    document["predicateType"] = "https://slsa.dev/provenance/v1"


@pytest.mark.parametrize(
    ("tamper", "says"),
    [
        (_renames_the_subject, "name different builds"),
        (_swaps_the_digest, "name different builds"),
        (_has_a_case_that_failed, "outcome: Input should be 'pass'"),
        (_is_of_another_type, "_type is https://in-toto.io/Statement/v0.1"),
        (_states_something_else, "unknown predicateType https://slsa.dev/provenance/v1"),
    ],
)
def test_what_is_no_certificate_is_refused_by_name(
    tmp_path: Path, tamper: Tamper, says: str
) -> None:
    file = issued(tmp_path)
    document = json.loads(file.read_text())
    tamper(document)
    file.write_text(json.dumps(document))
    with pytest.raises(CertificateError, match=str(file)) as caught:
        parsed(file)
    assert says in str(caught.value)


SEALED = '{"payload": "%s", "payloadType": "%s", "signatures": [%s]}'
SIGNATURE = '{"keyid": "", "sig": ""}'


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "cut short"),
        ('{"_type": "https://in-toto', "cut short"),
        ("[]", "holds no JSON object"),
        ("{}", "no in-toto Statement: _type is nothing"),
        ("\xff", "no JSON"),
        (SEALED % ("e30=", "application/vnd.in-toto+json", ""), "signatures: List should have"),
        (SEALED % ("e30=", "text/plain", SIGNATURE), "the envelope holds 'text/plain'"),
        (SEALED % ("%", "application/vnd.in-toto+json", SIGNATURE), "payload: no base64"),
        (SEALED % ("e30=", "application/vnd.in-toto+json", SIGNATURE), "_type is nothing"),
    ],
)
def test_a_file_that_cannot_be_read_says_why(tmp_path: Path, text: str, says: str) -> None:
    file = tmp_path / "certificate.json"
    file.write_text(text, encoding="latin-1")
    with pytest.raises(CertificateError) as caught:
        parsed(file)
    assert str(file) in str(caught.value)
    assert says in str(caught.value)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(CertificateError, match="No such file"):
        intoto.read(tmp_path / "absent.json")


def openssl(*arguments: str) -> None:
    subprocess.run(["openssl", *arguments], check=True, capture_output=True)


@pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl is not here")
def test_keys_are_those_that_openssl_makes(tmp_path: Path) -> None:
    private, public = tmp_path / "key.pem", tmp_path / "public.pem"
    openssl(*envelope.NEW_KEY.replace("key.pem", str(private)).split()[1:])
    openssl("pkey", "-in", str(private), "-pubout", "-out", str(public))
    sealed = envelope.sign(b"content", envelope.private_key(private))
    assert sealed.signed_by(envelope.public_key(public))
    with pytest.raises(CertificateError, match="holds no private key"):
        envelope.private_key(public)
    with pytest.raises(CertificateError, match="holds no public key"):
        envelope.public_key(private)


def pem(key: Ed25519PrivateKey | X25519PrivateKey, passphrase: bytes = b"") -> bytes:
    protection = BestAvailableEncryption(passphrase) if passphrase else NoEncryption()
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, protection)


def test_a_key_behind_a_passphrase_is_read_with_it_and_with_no_other(tmp_path: Path) -> None:
    key, file = Ed25519PrivateKey.generate(), tmp_path / "key.pem"
    file.write_bytes(pem(key, b"open sesame"))
    opened = envelope.private_key(file, lambda: "open sesame")
    assert envelope.key_id(opened.public_key()) == envelope.key_id(key.public_key())
    with pytest.raises(CertificateError, match="another passphrase"):
        envelope.private_key(file, lambda: "open barley")


def test_a_public_key_that_cannot_check_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "public.pem"
    key = X25519PrivateKey.generate().public_key()
    file.write_bytes(key.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo))
    with pytest.raises(CertificateError, match=f"{file} is no Ed25519 key"):
        envelope.public_key(file)


def test_a_key_that_is_not_there_is_named(tmp_path: Path) -> None:
    file = tmp_path / "absent.pem"
    for read in (envelope.public_key, envelope.private_key):
        with pytest.raises(CertificateError, match=f"{file}: No such file"):
            read(file)


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (pem(X25519PrivateKey.generate()), "is no Ed25519 key"),
        (pem(Ed25519PrivateKey.generate(), b"x"), "passphrase"),
        (pem(Ed25519PrivateKey.generate())[:60], "openssl genpkey -algorithm ed25519"),
        (b"\xff\x00", "holds no private key"),
    ],
    ids=["of another kind", "locked", "cut short", "noise"],
)
def test_a_key_that_cannot_sign_is_refused(tmp_path: Path, content: bytes, says: str) -> None:
    file = tmp_path / "key"
    file.write_bytes(content)
    with pytest.raises(CertificateError, match=str(file)) as caught:
        envelope.private_key(file)
    assert says in str(caught.value)
