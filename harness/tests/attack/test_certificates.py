"""A certificate from a stranger: it is data, and nobody's word is taken."""

import json
from collections.abc import Callable
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
from attack_kit import (
    Prey,
    document,
    dramaturg,
    error_of,
    private_key,
    signed,
    trusting,
    written,
)
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from dramaturg.certificates import envelope, intoto, statement, verification
from dramaturg.implementation.manifest import find
from dramaturg.orchestration import building
from dramaturg.outcomes import Outcome
from dramaturg.processes import git, supervised

TOMORROW, YESTERDAY = date.today() + timedelta(1), date.today() - timedelta(1)


@pytest.fixture
def prey(tmp_path: Path) -> Prey:
    return Prey(tmp_path / "prey")


def test_a_path_in_a_certificate_leads_nowhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    evil = Prey(tmp_path / "evil", name="reference")
    made = document(monkeypatch, evil.implementation)
    path = str(evil.folder)
    made["subject"].append({**made["subject"][0], "name": path})
    claims = made["predicate"]["implementations"]
    claims[path] = claims["reference"]
    said = error_of("verify", written(tmp_path / "certificate.json", made))
    assert "certificate.json" in said
    assert evil.traces == set()


def test_without_a_name_nothing_is_built_or_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = document(monkeypatch, find("reference"))
    done: list[str] = []
    monkeypatch.setattr(verification, "repeat", lambda made, *rest: done.append("ran"))
    monkeypatch.setattr(building, "build_all", lambda *rest: done.append("built"))
    result = dramaturg("verify", written(tmp_path / "certificate.json", made))
    assert done == []
    assert result.exit_code == Outcome.NOT_RUN.exit_code
    assert "nothing was built or run: name what may be" in result.output


def test_without_a_name_no_folder_is_looked_at(
    tmp_path: Path, prey: Prey, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A certificate must not decide which of the folders here git is asked about, nor which
    stranger's manifest is read."""
    certificate = written(tmp_path / "c.json", document(monkeypatch, prey.implementation))
    (prey.folder / "main.sh").write_text(f"touch {prey.folder}/ran # and more\n")
    monkeypatch.chdir(prey.folder.parent)
    asked: list[Path] = []
    real = git.ask

    def ask(folder: Path, *words: str, given: bytes | None = None) -> bytes | None:
        asked.append(folder.resolve())
        return real(folder, *words, given=given)

    monkeypatch.setattr(git, "ask", ask)
    for more in ([], ["--no-run"]):
        said = dramaturg("verify", certificate, "--json", *more)
        told = json.loads(said.stdout)
        assert (told["outcome"], told["subjects"]) == ("not run", [])
        assert told["left_out"] == ["prey"]
    assert prey.folder.resolve() not in asked
    assert dramaturg("verify", certificate, "--all", "--no-run").exit_code == 1, "it is found"
    assert prey.traces == set()


def test_what_is_not_what_was_certified_is_neither_probed_nor_built_nor_run(
    tmp_path: Path, prey: Prey, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = document(monkeypatch, prey.implementation)
    (prey.folder / "main.sh").write_text(f"touch {prey.folder}/ran # and more\n")
    result = dramaturg("verify", written(tmp_path / "c.json", made), "-i", prey.folder)
    assert result.exit_code == Outcome.FAIL.exit_code
    assert "differs: prey build" in result.output
    assert prey.traces == set()


ADA, EVE = Ed25519PrivateKey.generate(), Ed25519PrivateKey.generate()


@pytest.mark.parametrize(
    ("key", "entry", "status", "says"),
    [
        (None, f"expires = {TOMORROW}", 9, "signature: none"),
        (EVE, f"expires = {TOMORROW}", 9, "not checked (claims to be by key"),
        (ADA, f"expires = {TOMORROW}", 0, "right, by ada"),
        (ADA, f"expires = {YESTERDAY}", 9, f"that key expired on {YESTERDAY}"),
        (ADA, f"expires = {date.today()}", 9, f"that key expired on {date.today()}"),
        (ADA, f"expires = {TOMORROW}\nreplaced_by = 'bob'", 9, "that key was replaced by bob"),
    ],
    ids=["unsigned", "by a stranger", "trusted", "expired", "expires today", "replaced"],
)
def test_who_has_signed_counts_only_if_the_reader_says_so(
    tmp_path: Path,
    prey: Prey,
    monkeypatch: pytest.MonkeyPatch,
    key: Ed25519PrivateKey | None,
    entry: str,
    status: int,
    says: str,
) -> None:
    made = document(monkeypatch, prey.implementation)
    monkeypatch.setattr(verification, "repeat", _passing)
    monkeypatch.setattr(building, "build_all", lambda implementations, as_json: None)
    file = tmp_path / "certificate.json"
    file = written(file, made) if key is None else signed(file, made, key)
    bob = Ed25519PrivateKey.generate()
    keys = trusting(tmp_path, ("ada", ADA, entry), ("bob", bob, f"expires = {TOMORROW}"))
    result = dramaturg("verify", file, "-i", prey.folder, "--trusted", keys)
    assert result.exit_code == status
    assert says in result.output
    assert ("holds, signer unknown" in result.output) == (status == 9)


def _passing(made: verification.Verification, *rest: object) -> None:
    for subject in made.subjects:
        subject.outcome, subject.passed = Outcome.PASS, subject.cases


def test_who_claims_to_be_trusted_and_is_not_fails_and_nothing_is_run(
    tmp_path: Path, prey: Prey, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = document(monkeypatch, prey.implementation)
    claimed = envelope.key_id(ADA.public_key())
    file = signed(tmp_path / "certificate.json", made, EVE, keyid=claimed)
    keys = trusting(tmp_path, ("ada", ADA, f"expires = {TOMORROW}"))
    result = dramaturg("verify", file, "-i", prey.folder, "--trusted", keys)
    assert result.exit_code == Outcome.FAIL.exit_code
    assert "claims to be by ada" in result.output
    assert prey.traces == set()


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[[keys]", "trusted.toml: "),
        ("[[keys]]\nname = 'ada'\n", "keys.0.key: Field required"),
        ("[[keys]]\nname = 'ada'\nkey = 'ada.pem'\n", "keys.0.expires: Field required"),
        ("[[keys]]\nname = 'ada'\nkey = 'ada.pem'\nexpires = 'never'\n", "keys.0.expires"),
        ("[[keys]]\nname = 'ada'\nkey = 'no.pem'\nexpires = 2099-01-01\n", "no.pem: No such file"),
        ("[[keys]]\nname = 'ada'\nkey = 'ada.pem'\nexpires = 2099-01-01\nreplaced_by = 'x'", "'x'"),
        ("[[keys]]\nname = 'ada'\nkey = 'ada.pem'\nexpires = 2099-01-01\n" * 2, "two keys called"),
        ("trust = 'all'", "trust: no such key; keys are: keys"),
    ],
)
def test_a_list_that_cannot_be_used_says_why(tmp_path: Path, text: str, says: str) -> None:
    file = trusting(tmp_path, ("ada", ADA, f"expires = {TOMORROW}"))
    file.write_text(text)
    (tmp_path / "certificate.json").write_text("{}")
    said = error_of("verify", tmp_path / "certificate.json", "--trusted", file)
    assert says in said
    assert "\n" not in said


def test_a_list_that_others_may_write_is_nobodys(tmp_path: Path) -> None:
    file = trusting(tmp_path, ("ada", ADA, f"expires = {TOMORROW}"))
    (tmp_path / "certificate.json").write_text("{}")
    file.chmod(0o666)
    said = error_of("verify", tmp_path / "certificate.json", "--trusted", file)
    assert "others may write to it" in said


def test_fields_that_a_reader_does_not_know_are_ignored(
    tmp_path: Path, prey: Prey, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = document(monkeypatch, prey.implementation)
    plain = statement.parse(json.dumps(made).encode(), tmp_path)
    claims = made["predicate"]["implementations"]["prey"]
    for part in (made, made["subject"][0], made["subject"][0]["digest"], made["predicate"],
                 made["predicate"]["harness"], made["predicate"]["cases"], claims,
                 claims["manifest"], claims["runtime"], *claims["levels"].values(),
                 *claims["cases"].values()):  # fmt: skip
        part["from-the-future"] = {"audits": []}
    assert statement.parse(json.dumps(made).encode(), tmp_path) == plain
    file = signed(tmp_path / "certificate.json", made, ADA)
    sealed = json.loads(file.read_text())
    sealed["extra"] = sealed["signatures"][0]["cert"] = 1
    file.write_text(json.dumps(sealed))
    assert intoto.read(file)[1] is not None


Tamper = Callable[[dict[str, Any]], None]


def _is_of_version_1(made: dict[str, Any]) -> None:
    made["predicateType"] = "urn:dramaturg:certificate:v1"


def _has_two_subjects_of_one_name(made: dict[str, Any]) -> None:
    made["subject"] *= 2


def _names_a_path(made: dict[str, Any]) -> None:
    made["subject"][0]["name"] = "../prey"
    claims = made["predicate"]["implementations"]
    claims["../prey"] = claims.pop("prey")


def _names_a_case_that_is_a_path(made: dict[str, Any]) -> None:
    claims = made["predicate"]["implementations"]["prey"]["cases"]
    claims["1-serial/pingpong/../../../x"] = next(iter(claims.values()))


@pytest.mark.parametrize(
    ("tamper", "says"),
    [
        (_is_of_version_1, "unknown predicateType urn:dramaturg:certificate:v1"),
        (_has_two_subjects_of_one_name, "name different builds"),
        (_names_a_path, "subject.0.name: "),
        (_names_a_case_that_is_a_path, "should match pattern"),
    ],
)
def test_what_is_no_certificate_of_ours_is_one_error(
    tmp_path: Path, prey: Prey, monkeypatch: pytest.MonkeyPatch, tamper: Tamper, says: str
) -> None:
    made = document(monkeypatch, prey.implementation)
    tamper(made)
    said = error_of("verify", written(tmp_path / "c.json", made), "-i", prey.folder)
    assert says in said
    assert "\n" not in said
    assert prey.traces == set()


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-1e999"])
def test_a_number_that_json_does_not_have_is_in_no_certificate(
    number: str, tmp_path: Path, prey: Prey, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It would stand in what `--json` prints, and in a site's."""
    made = document(monkeypatch, prey.implementation)
    made["predicate"]["environment"]["odd"] = "odd"
    file = tmp_path / "certificate.json"
    file.write_text(json.dumps(made).replace('"odd": "odd"', f'"odd": {number}'))
    assert f"{file} is no JSON" in error_of("verify", file, "--json")


def test_two_fields_of_one_name_could_be_read_in_two_ways(
    tmp_path: Path, prey: Prey, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = json.dumps(document(monkeypatch, prey.implementation))
    file = tmp_path / "certificate.json"
    file.write_text(text.replace('"spec": "2"', '"spec": "1", "spec": "2"', 1))
    assert "'spec' is there twice" in error_of("verify", file)


def test_a_file_of_100_megabytes_is_not_read_to_its_end(tmp_path: Path) -> None:
    file = tmp_path / "certificate.json"
    with file.open("wb") as stream:
        stream.write(b'{"payload": "')
        stream.truncate(100_000_000)
    assert "is longer than" in error_of("verify", file)


def test_a_key_file_without_end_is_not_read_to_its_end(tmp_path: Path) -> None:
    (tmp_path / "certificate.json").write_text("{}")
    said = error_of("verify", tmp_path / "certificate.json", "--key", "/dev/zero")
    assert "/dev/zero: it is a device" in said


def test_no_key_is_read_while_cases_run() -> None:
    said = error_of("certify", "reference", "--sign", "absent.pem")
    assert "absent.pem" not in said


def test_signing_comes_after_all_that_ran(
    tmp_path: Path, prey: Prey, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = written(tmp_path / "certificate.json", document(monkeypatch, prey.implementation))
    key = private_key(tmp_path / "key.pem", ADA)
    monkeypatch.setattr(supervised, "abandoned", lambda: [4711])
    said = error_of("sign", file, "--key", key)
    assert "4711" in said
    assert intoto.read(file)[1] is None
    monkeypatch.setattr(supervised, "abandoned", list)
    before = file.read_bytes()
    assert dramaturg("sign", file, "--key", key).exit_code == 0
    text, sealed = intoto.read(file)
    assert text == before
    assert sealed is not None
    assert sealed.signed_by(ADA.public_key())
    assert "signed already" in error_of("sign", file, "--key", key)


def test_what_is_no_certificate_is_not_signed(tmp_path: Path) -> None:
    file = tmp_path / "certificate.json"
    file.write_text('{"_type": "something else"}')
    said = error_of("sign", file, "--key", private_key(tmp_path / "key.pem", ADA))
    assert "no in-toto Statement" in said
