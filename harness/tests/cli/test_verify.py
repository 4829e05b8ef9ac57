"""``dramaturg verify``: what holds, what does not, and what is never taken for a pass."""

import base64
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
)

from dramaturg import results
from dramaturg.certificates import intoto, remembered_verifications
from dramaturg.conformance.certification import is_certified
from dramaturg.implementation.manifest import load
from dramaturg.outcomes import Outcome

CASE = "1-serial/pingpong/pingpong-one-round"


def dramaturg(*words: object) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "dramaturg.cli.main", *map(str, words)]
    wide = os.environ | {"COLUMNS": "400"}
    return subprocess.run(command, capture_output=True, text=True, check=False, env=wide)


@dataclass
class Certified:
    """An implementation of ping-pong alone, certified and signed; its methods do harm to it."""

    folder: Path
    certificate: Path
    public: Path

    def break_it(self) -> None:
        """From here on it crashes at the start, and is the same build as before."""
        (self.folder / "broken").touch()

    def lose_its_toolchain(self) -> None:
        (self.folder / "absent").touch()

    def verify(self, *words: object, output: Path, file: Path | None = None) -> tuple[int, Any]:
        said = dramaturg("verify", file or self.certificate, "-i", self.folder, "--json",
                         "--output", output, *words)  # fmt: skip
        assert said.stdout, said.stderr
        return said.returncode, json.loads(said.stdout)


def _of_pingpong_alone(folder: Path) -> None:
    manifest = folder / "dramaturg.toml"
    text = manifest.read_text()
    start, end = text.index("benchmarks = ["), text.index("]") + 1
    text = text[:start] + 'benchmarks = ["pingpong"]' + text[end:]
    lines = [
        'probe = ["sh", "-c", "test ! -e absent && echo 3.11"]' if "probe" in line else line
        for line in text.splitlines()
    ]
    manifest.write_text("\n".join(lines) + "\n")
    main = folder / "src" / "reference" / "__main__.py"
    # By where it lies: in the copy that is run there is nothing but what is declared.
    broken = f"import os\nif os.path.exists({str(folder / 'broken')!r}):\n    raise SystemExit(3)\n"
    main.write_text(broken + main.read_text())


@pytest.fixture(scope="module")
def made(
    copy_reference: Callable[[Path], Path], tmp_path_factory: pytest.TempPathFactory
) -> Certified:
    """The one that is certified, once for all tests of this file."""
    parent = tmp_path_factory.mktemp("certified")
    folder, private, public = copy_reference(parent), parent / "key.pem", parent / "public.pem"
    _of_pingpong_alone(folder)
    key = Ed25519PrivateKey.generate()
    private.write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    public.write_bytes(_public(key))
    said = dramaturg("certify", folder, "--output", parent / "results")
    assert said.returncode == 0, said.stdout + said.stderr
    certificate = parent / "results" / results.CERTIFICATE
    said = dramaturg("sign", certificate, "--key", private)
    assert "signed certificate" in said.stdout, said.stdout + said.stderr
    return Certified(folder, certificate, public)


def _public(key: Ed25519PrivateKey) -> bytes:
    return key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)


@pytest.fixture
def certified(made: Certified) -> Any:
    """As it was certified, whatever a test did to it."""
    yield made
    for name in ("broken", "absent"):
        (made.folder / name).unlink(missing_ok=True)


def test_a_certificate_holds_where_other_hosts_perform_its_cases(
    certified: Certified, tmp_path: Path
) -> None:
    status, document = certified.verify(
        "--key", certified.public, "--cluster", "local:1", output=tmp_path / "results"
    )
    assert (status, document["outcome"]) == (0, "pass"), document
    assert document["differences"] == []
    [subject] = document["subjects"]
    assert subject["passed"] == subject["cases"] > 10
    recorded = results.read(tmp_path / "results" / results.CONFORMANCE)
    assert {each.host for each in recorded.cases} == {"local/0"}


def test_a_certificate_holds_where_it_was_made(certified: Certified, tmp_path: Path) -> None:
    status, document = certified.verify("--key", certified.public, output=tmp_path)
    assert (status, document["outcome"]) == (0, "pass")
    assert document["differences"] == []
    assert document["signature"].startswith("right, by key ")
    assert document["signer"].startswith("key ")
    (subject,) = document["subjects"]
    assert subject["passed"] == subject["cases"] > 10
    recorded = results.read(tmp_path / results.CONFORMANCE)
    assert len(recorded.cases) == subject["cases"]
    assert not (tmp_path / results.CERTIFICATE).exists()


def test_what_was_run_again_is_remembered_by_this_machine_and_by_no_folder(
    certified: Certified, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    text, name = intoto.read(certified.certificate)[0], "reference"
    certified.verify("--no-run", output=tmp_path / "none")
    assert remembered_verifications.known(text) == {}, "what was only compared is no verification"

    certified.verify(output=tmp_path / "first")
    again = remembered_verifications.known(text)[name]
    assert again.outcome is Outcome.PASS
    assert again.passed == again.cases > 10

    certified.break_it()
    certified.verify(output=tmp_path / "second")
    assert remembered_verifications.known(text)[name].outcome is Outcome.FAIL

    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "elsewhere"))
    assert remembered_verifications.known(text) == {}


def test_without_a_key_a_signature_is_not_checked_and_says_so(
    certified: Certified, tmp_path: Path
) -> None:
    _, document = certified.verify("--no-run", output=tmp_path)
    assert document["signature"].startswith("not checked")
    assert document["signer"] == ""


def test_what_holds_by_an_unknown_signer_has_a_code_of_its_own(
    certified: Certified, tmp_path: Path
) -> None:
    status, document = certified.verify(output=tmp_path)
    assert (status, document["outcome"]) == (9, "holds, signer unknown")
    assert document["differences"] == []


def test_comparing_alone_is_not_run(certified: Certified, tmp_path: Path) -> None:
    status, document = certified.verify("--no-run", output=tmp_path)
    assert (status, document["outcome"]) == (7, "not run")
    assert document["differences"] == []
    assert not {note["what"] for note in document["notes"]} & {"environment.captured"}
    assert not (tmp_path / results.CONFORMANCE).exists()


def test_a_case_that_fails_now_is_a_fail_on_the_same_build(
    certified: Certified, tmp_path: Path
) -> None:
    certified.break_it()
    status, document = certified.verify(output=tmp_path)
    assert status == 1
    # Whatever does not start is not tried again for each case.
    differences = document["differences"]
    assert 0 < len(differences) < document["subjects"][0]["cases"]
    assert not any("build" in each["what"] for each in differences)
    assert {each["certificate"] for each in differences} == {"pass"}
    assert all(each["here"].startswith("crash: ") for each in differences)
    assert not is_certified(load(certified.folder))


def test_a_missing_toolchain_is_neither_pass_nor_fail(certified: Certified, tmp_path: Path) -> None:
    certified.lose_its_toolchain()
    status, document = certified.verify(output=tmp_path)
    assert (status, document["outcome"]) == (6, "toolchain missing")
    (subject,) = document["subjects"]
    assert subject["passed"] == 0
    assert "Install: " in subject["message"]


def test_another_build_is_listed_with_both_digests(certified: Certified, tmp_path: Path) -> None:
    other = tmp_path / "other" / "reference"
    shutil.copytree(certified.folder, other)
    with (other / "src" / "reference" / "actors.py").open("a") as source:
        source.write("# changed\n")
    said = dramaturg("verify", certified.certificate, "-i", other, "--no-run", "--json")
    (difference,) = json.loads(said.stdout)["differences"]
    assert said.returncode == 1
    assert difference["what"] == "reference build"
    assert len(difference["certificate"]) == len(difference["here"]) == 64


def test_another_manifest_is_listed_with_what_it_says(certified: Certified, tmp_path: Path) -> None:
    other = tmp_path / "other" / "reference"
    shutil.copytree(certified.folder, other)
    manifest = other / "dramaturg.toml"
    manifest.write_text(manifest.read_text().replace("Python asyncio", "Python trio"))
    said = dramaturg("verify", certified.certificate, "-i", other, "--no-run")
    assert said.returncode == 1
    assert "manifest.language: certificate Python asyncio; here Python trio" in said.stdout
    assert "reference manifest.digest: " in said.stdout


Tamper = Callable[[dict[str, Any]], None]


def _rewritten(certified: Certified, file: Path, tamper: Tamper) -> Path:
    """The certificate with its statement changed, in the envelope and under the signature that
    it had."""
    sealed = json.loads(certified.certificate.read_text())
    document = json.loads(base64.b64decode(sealed["payload"]))
    tamper(document)
    sealed["payload"] = base64.b64encode(json.dumps(document).encode()).decode()
    file.write_text(json.dumps(sealed))
    return file


def _claim(document: dict[str, Any]) -> Any:
    return document["predicate"]["implementations"]["reference"]


def _is_of_another_specification(document: dict[str, Any]) -> None:
    document["predicate"]["spec"] = "0"


def _is_on_other_cases(document: dict[str, Any]) -> None:
    document["predicate"]["cases"]["digest"] = "0" * 64


def _is_on_another_case(document: dict[str, Any]) -> None:
    document["predicate"]["cases"]["each"][CASE] = "0" * 64


def _leaves_a_case_out(document: dict[str, Any]) -> None:
    del _claim(document)["cases"][CASE]


def _has_a_case_that_is_not_here(document: dict[str, Any]) -> None:
    _claim(document)["cases"]["1-serial/pingpong/gone"] = {"outcome": "pass", "events": 1}


def _leaves_a_level_out(document: dict[str, Any]) -> None:
    _claim(document)["planned"] = [0, 1]


def _claims_a_level_that_was_not_run(document: dict[str, Any]) -> None:
    _claim(document)["levels"]["4"]["outcome"] = "pass"


def _claims_another_benchmark(document: dict[str, Any]) -> None:
    del _claim(document)["unsupported"]["chatapp"]


@pytest.mark.parametrize(
    ("tamper", "what"),
    [
        (_is_of_another_specification, "spec"),
        (_is_on_other_cases, "cases.digest"),
        (_is_on_another_case, f"cases.each.{CASE}"),
        (_leaves_a_case_out, f"reference {CASE}"),
        (_has_a_case_that_is_not_here, "reference 1-serial/pingpong/gone"),
        (_leaves_a_level_out, "reference planned"),
        (_claims_a_level_that_was_not_run, "reference levels.4.outcome"),
        (_claims_another_benchmark, "reference unsupported.chatapp"),
    ],
)
def test_what_is_otherwise_here_is_listed_and_fails(
    certified: Certified, tmp_path: Path, tamper: Tamper, what: str
) -> None:
    file = _rewritten(certified, tmp_path / "certificate.json", tamper)
    status, document = certified.verify("--no-run", output=tmp_path, file=file)
    assert (status, document["outcome"]) == (1, "fail")
    assert what in [difference["what"] for difference in document["differences"]]


def _is_from_another_machine(document: dict[str, Any]) -> None:
    document["predicate"]["environment"]["cpu"]["cores"] = 4096


def test_another_environment_is_noted_and_does_not_fail(
    certified: Certified, tmp_path: Path
) -> None:
    file = _rewritten(certified, tmp_path / "certificate.json", _is_from_another_machine)
    status, document = certified.verify("--no-run", output=tmp_path, file=file)
    assert (status, document["differences"]) == (7, [])
    assert "environment.cpu.cores" in [note["what"] for note in document["notes"]]


def test_a_tampered_payload_fails_with_the_key_and_nothing_is_run(
    certified: Certified, tmp_path: Path
) -> None:
    file = _rewritten(certified, tmp_path / "certificate.json", _is_from_another_machine)
    status, document = certified.verify("--key", certified.public, output=tmp_path, file=file)
    assert (status, document["signature"]) == (1, "wrong")
    assert [difference["what"] for difference in document["differences"]] == ["signature"]
    assert not (tmp_path / results.CONFORMANCE).exists()


def test_another_key_is_a_fail(certified: Certified, tmp_path: Path) -> None:
    other = tmp_path / "other.pem"
    other.write_bytes(_public(Ed25519PrivateKey.generate()))
    status, document = certified.verify("--key", other, output=tmp_path)
    assert (status, document["signature"]) == (1, "wrong")


def test_a_stripped_signature_is_a_fail_if_a_key_was_given(
    certified: Certified, tmp_path: Path
) -> None:
    sealed = json.loads(certified.certificate.read_text())
    file = tmp_path / "certificate.json"
    file.write_bytes(base64.b64decode(sealed["payload"]))
    status, document = certified.verify("--key", certified.public, output=tmp_path, file=file)
    assert (status, document["signature"]) == (1, "none")
    status, document = certified.verify("--no-run", output=tmp_path, file=file)
    assert (status, document["signature"]) == (7, "none")


def test_bad_input_is_one_line_and_exit_code_2(certified: Certified, tmp_path: Path) -> None:
    torn = tmp_path / "torn.json"
    torn.write_text(certified.certificate.read_text()[:-40])
    for words, says in [
        ([torn], f"{torn} is no JSON, or is cut short"),
        ([tmp_path / "absent.json"], "absent.json: No such file"),
        ([certified.certificate, "--key", torn], "holds no public key in PEM"),
        ([certified.certificate, "-i", "erlang"], "its subjects: reference"),
        ([certified.certificate, "-i", "cobol"], "no implementation is called 'cobol'"),
    ]:
        said = dramaturg("verify", *words)
        assert said.returncode == 2, said.stdout
        assert says in said.stderr
        assert len(said.stderr.strip().splitlines()) == 1


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--", "--connect=127.0.0.1:1"], "options of certify go before the --"),
    ],
)
def test_a_certificate_that_cannot_be_made_is_said_before_anything_runs(
    tmp_path: Path, words: list[str], says: str
) -> None:
    said = dramaturg("certify", "reference", "--output", tmp_path / "out", *words)
    assert said.returncode == 2
    assert says in said.stderr
    assert not (tmp_path / "out").exists()


def test_a_certificate_of_an_earlier_run_does_not_outlive_it(tmp_path: Path) -> None:
    stale = tmp_path / results.CERTIFICATE
    stale.write_text("{}")
    said = dramaturg("certify", "reference", "--output", tmp_path, "--", "-k", "introduces")
    assert not stale.exists()
    assert "no certificate for reference: " in said.stdout
