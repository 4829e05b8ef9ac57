"""A review from a stranger: it says what it says, beside a verdict that it cannot touch."""

import json
import os
import re
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
    review_of,
    signed,
    trusting,
    written,
)
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from test_hostile_text import ACTS, HOSTILE

from dramaturg.certificates import checklist, envelope, intoto, review, verification
from dramaturg.orchestration import building
from dramaturg.outcomes import Outcome
from dramaturg.processes import supervised
from dramaturg.report.report_files import HTML, JUNIT, SUMMARY
from dramaturg.results import CONFORMANCE, CaseRecord, Writer

TOMORROW, YESTERDAY = date.today() + timedelta(1), date.today() - timedelta(1)
ADA, BOB, EVE = (Ed25519PrivateKey.generate() for _ in range(3))

ASKED = len(checklist.load().questions)
LAST = list(checklist.load().questions)[-1]


@pytest.fixture
def prey(tmp_path: Path) -> Prey:
    return Prey(tmp_path / "prey")


@pytest.fixture
def certificate(tmp_path: Path, prey: Prey, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The certificate of ``prey``, signed by Ada; its cases pass, whoever runs them."""
    made = document(monkeypatch, prey.implementation)
    monkeypatch.setattr(verification, "repeat", _passing)
    monkeypatch.setattr(building, "build_all", lambda implementations, as_json: None)
    return signed(tmp_path / "certificate.json", made, ADA)


def _passing(made: verification.Verification, *rest: object) -> None:
    for subject in made.subjects:
        subject.outcome, subject.passed = Outcome.PASS, subject.cases


@pytest.fixture
def keys(tmp_path: Path) -> Path:
    valid = f"expires = {TOMORROW}"
    return trusting(tmp_path, ("ada", ADA, valid), ("bob", BOB, valid))


Verify = Callable[..., dict[str, Any]]


@pytest.fixture
def verify(certificate: Path, prey: Prey, keys: Path, tmp_path: Path) -> Verify:
    """The one review of a verification in which everything else holds."""

    def verified(file: Path, *words: object) -> dict[str, Any]:
        trusted = [] if "--key" in words else ["--trusted", keys]
        result = dramaturg("verify", certificate, "-i", prey.folder, "--json", "--review", file,
                           "--output", tmp_path / "out", *trusted, *words)  # fmt: skip
        assert result.exit_code == 0, result.output
        said = json.loads(result.stdout)
        assert (said["outcome"], said["signer"]) == ("pass", "ada")
        [shown] = said["reviews"]
        found: dict[str, Any] = shown
        return found

    return verified


# --- beside the verdict, and never part of it ---


@pytest.mark.parametrize("answer", ["yes", "no", "not looked at"])
def test_no_answer_changes_a_verdict(
    verify: Verify, prey: Prey, tmp_path: Path, answer: str
) -> None:
    made = review_of(prey.implementation)
    for entry in made["predicate"]["answers"].values():
        entry["answer"] = answer
    shown = verify(signed(tmp_path / "review.json", made, BOB))
    assert shown["counts"][answer] == shown["asked"] == ASKED
    assert shown["answered"] == (0 if answer == "not looked at" else ASKED)
    assert len(shown["doubts"]) == (0 if answer == "yes" else ASKED)


def test_a_review_makes_nothing_pass(certificate: Path, prey: Prey, tmp_path: Path) -> None:
    file = signed(tmp_path / "review.json", review_of(prey.implementation), BOB)
    result = dramaturg("verify", certificate, "--review", file)
    assert result.exit_code == Outcome.NOT_RUN.exit_code
    assert f"{ASKED} of {ASKED} questions answered" in result.output
    (prey.folder / "main.sh").write_text(f"touch {prey.folder}/ran # and more\n")
    result = dramaturg("verify", certificate, "-i", prey.folder, "--review", file)
    assert result.exit_code == Outcome.FAIL.exit_code


@pytest.mark.parametrize(
    ("key", "entry", "signer", "says"),
    [
        (None, f"expires = {TOMORROW}", "", "none"),
        (EVE, f"expires = {TOMORROW}", "", "not checked (claims to be by key"),
        (BOB, f"expires = {TOMORROW}", "bob", "right, by bob"),
        (BOB, f"expires = {YESTERDAY}", "", f"that key expired on {YESTERDAY}"),
        (BOB, f"expires = {TOMORROW}\nreplaced_by = 'ada'", "", "that key was replaced by ada"),
    ],
    ids=["unsigned", "by a stranger", "trusted", "expired", "replaced"],
)
def test_whose_word_it_is_only_the_reader_says(
    verify: Verify, prey: Prey, tmp_path: Path,
    key: Ed25519PrivateKey | None, entry: str, signer: str, says: str,
) -> None:  # fmt: skip
    made = review_of(prey.implementation, reviewer="bob")
    file = tmp_path / "review.json"
    file = written(file, made) if key is None else signed(file, made, key)
    trusting(tmp_path, ("ada", ADA, f"expires = {TOMORROW}"), ("bob", BOB, entry))
    shown = verify(file)
    assert (shown["signer"], shown["reviewer"]) == (signer, "bob")
    assert says in shown["signature"]
    assert (shown["not_counted"], shown["answered"]) == ("", ASKED)


def test_the_one_key_that_counts_counts_for_reviews_too(
    certificate: Path, prey: Prey, tmp_path: Path
) -> None:
    trusting(tmp_path, ("ada", ADA, f"expires = {TOMORROW}"))
    for key, says in [(ADA, "signed by the key that was given"), (BOB, "signer unknown")]:
        file = signed(tmp_path / "review.json", review_of(prey.implementation), key)
        result = dramaturg("verify", certificate, "--key", tmp_path / "ada.pem", "--review", file)
        assert says in result.output


# --- named, and not counted ---


def not_counted(shown: dict[str, Any]) -> str:
    assert (shown["counts"], shown["doubts"]) == ({}, [])
    said: str = shown["not_counted"]
    return said


def test_a_review_of_another_build_is_named_and_not_counted(verify: Verify, tmp_path: Path) -> None:
    other = Prey(tmp_path / "other" / "prey")
    (other.folder / "main.sh").write_text("touch ran # reviewed\n")
    file = signed(tmp_path / "review.json", review_of(other.implementation), BOB)
    shown = verify(file)
    assert not_counted(shown).startswith(f"it is of another build, {shown['build'][:12]}; here is")
    assert (shown["implementation"], shown["reviewer"], shown["signer"]) == ("prey", "Bob", "bob")


def test_a_review_of_another_implementation_is_named_and_not_counted(
    verify: Verify, tmp_path: Path, prey: Prey
) -> None:
    made = review_of(prey.implementation)
    made["subject"][0]["name"] = "erlang"
    shown = verify(signed(tmp_path / "review.json", made, BOB))
    assert not_counted(shown) == "nothing is said here of erlang"


Tamper = Callable[[dict[str, Any]], None]


def _is_of_the_next_version(made: dict[str, Any]) -> None:
    made["predicate"]["checklist"]["version"] += 1


def _is_of_other_questions(made: dict[str, Any]) -> None:
    made["predicate"]["checklist"]["digest"] = "0" * 64


@pytest.mark.parametrize("tamper", [_is_of_the_next_version, _is_of_other_questions])
def test_answers_to_another_checklist_are_not_counted(
    verify: Verify, prey: Prey, tmp_path: Path, tamper: Tamper
) -> None:
    made = review_of(prey.implementation)
    tamper(made)
    assert "of the checklist; here is version" in not_counted(
        verify(signed(tmp_path / "review.json", made, BOB))
    )


def _asks_something_else(made: dict[str, Any]) -> None:
    made["predicate"]["answers"][LAST]["question"] = "Is the sky blue?"


def _leaves_the_last_one_out(made: dict[str, Any]) -> None:
    del made["predicate"]["answers"][LAST]


def _answers_what_nobody_asked(made: dict[str, Any]) -> None:
    made["predicate"]["answers"]["REVIEW-999"] = made["predicate"]["answers"][LAST]


@pytest.mark.parametrize(
    "tamper", [_asks_something_else, _leaves_the_last_one_out, _answers_what_nobody_asked]
)
def test_questions_of_ones_own_are_not_counted(
    verify: Verify, prey: Prey, tmp_path: Path, tamper: Tamper
) -> None:
    made = review_of(prey.implementation)
    tamper(made)
    said = not_counted(verify(signed(tmp_path / "review.json", made, BOB)))
    assert said == "its questions are not those of the checklist that it names"


def test_nothing_of_a_forged_review_is_shown(verify: Verify, prey: Prey, tmp_path: Path) -> None:
    made = review_of(prey.implementation, reviewer="Bob himself")
    claimed = envelope.key_id(BOB.public_key())
    shown = verify(signed(tmp_path / "review.json", made, EVE, keyid=claimed))
    assert "claims to be by bob" in not_counted(shown)
    assert (shown["reviewer"], shown["signer"]) == ("", "")


def test_nothing_stands_beside_a_forged_certificate(
    certificate: Path, prey: Prey, keys: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sealed = json.loads(certificate.read_text())
    other = signed(tmp_path / "other.json", json.loads(envelope._decoded(sealed["payload"])), EVE)
    sealed["signatures"][0]["sig"] = json.loads(other.read_text())["signatures"][0]["sig"]
    certificate.write_text(json.dumps(sealed))
    file = signed(tmp_path / "review.json", review_of(prey.implementation), BOB)
    result = dramaturg("verify", certificate, "--trusted", keys, "--review", file, "--json")
    assert result.exit_code == Outcome.FAIL.exit_code
    [shown] = json.loads(result.stdout)["reviews"]
    assert not_counted(shown) == "the certificate's signature is wrong"


# --- no review at all ---


def test_a_review_is_no_certificate_and_a_certificate_no_review(
    certificate: Path, prey: Prey, tmp_path: Path
) -> None:
    file = signed(tmp_path / "review.json", review_of(prey.implementation), ADA)
    said = error_of("verify", file, "-i", prey.folder)
    assert "review.json is a review and no certificate" in said
    said = error_of("verify", certificate, "-i", prey.folder, "--review", certificate)
    assert "certificate.json is a certificate and no review" in said
    assert prey.traces == set()


def test_a_certificate_under_the_type_of_a_review_is_none(
    monkeypatch: pytest.MonkeyPatch, certificate: Path, prey: Prey, tmp_path: Path
) -> None:
    monkeypatch.undo()
    made = document(monkeypatch, prey.implementation) | {"predicateType": intoto.REVIEW}
    file = signed(tmp_path / "review.json", made, BOB)
    assert "is no review: predicate.reviewer" in error_of("verify", certificate, "--review", file)
    made = review_of(prey.implementation) | {"predicateType": intoto.CERTIFICATE}
    file = signed(tmp_path / "certificate.json", made, ADA)
    assert "is no certificate: predicate.spec" in error_of("verify", file)


def _has_two_subjects(made: dict[str, Any]) -> None:
    made["subject"] += [{"name": "erlang", "digest": {"sha256": "0" * 64}}]


def _has_its_subject_twice(made: dict[str, Any]) -> None:
    made["subject"] *= 2


def _has_no_subject(made: dict[str, Any]) -> None:
    made["subject"] = []


def _names_a_path(made: dict[str, Any]) -> None:
    made["subject"][0]["name"] = "../prey"


def _is_of_version_2(made: dict[str, Any]) -> None:
    made["predicateType"] = "urn:dramaturg:review:v2"


def _has_a_list_for_a_type(made: dict[str, Any]) -> None:
    made["predicateType"] = [intoto.REVIEW]


def _says_perhaps(made: dict[str, Any]) -> None:
    made["predicate"]["answers"][LAST]["answer"] = "perhaps"


def _is_by_nobody(made: dict[str, Any]) -> None:
    made["predicate"]["reviewer"] = " "


def _has_a_name_without_end(made: dict[str, Any]) -> None:
    made["predicate"]["reviewer"] = "x" * 100_000


@pytest.mark.parametrize(
    ("tamper", "says"),
    [
        (_has_two_subjects, "it names 2 builds; a review is of one"),
        (_has_its_subject_twice, "it names 2 builds; a review is of one"),
        (_has_no_subject, "subject: "),
        (_names_a_path, "subject.0.name: "),
        (_is_of_version_2, "unknown predicateType urn:dramaturg:review:v2"),
        (_has_a_list_for_a_type, "unknown predicateType"),
        (_says_perhaps, f"predicate.answers.{LAST}.answer: "),
        (_is_by_nobody, "predicate.reviewer: "),
        (_has_a_name_without_end, "predicate.reviewer: "),
    ],
)
def test_what_is_no_review_of_ours_is_one_error_and_nothing_runs(
    certificate: Path, prey: Prey, tmp_path: Path, tamper: Tamper, says: str
) -> None:
    made = review_of(prey.implementation)
    tamper(made)
    file = signed(tmp_path / "review.json", made, BOB)
    said = error_of("verify", certificate, "-i", prey.folder, "--review", file)
    assert "review.json" in said
    assert says in said
    assert "\n" not in said
    assert len(said) < 1000
    assert prey.traces == set()


def test_fields_that_a_reader_does_not_know_are_ignored(
    verify: Verify, prey: Prey, tmp_path: Path
) -> None:
    made = review_of(prey.implementation)
    plain = review.parse(json.dumps(made).encode(), tmp_path)
    predicate = made["predicate"]
    for part in (made, made["subject"][0], made["subject"][0]["digest"], predicate,
                 predicate["checklist"], *predicate["answers"].values()):  # fmt: skip
        part["from-the-future"] = {"not_counted": "", "signer": "ada"}
    assert review.parse(json.dumps(made).encode(), tmp_path) == plain
    assert verify(signed(tmp_path / "review.json", made, BOB))["answered"] == ASKED


def test_a_review_of_100_megabytes_is_not_read_to_its_end(
    certificate: Path, tmp_path: Path
) -> None:
    file = tmp_path / "review.json"
    with file.open("wb") as stream:
        stream.write(b'{"payload": "')
        stream.truncate(100_000_000)
    assert "is longer than" in error_of("verify", certificate, "--review", file)


def test_an_object_of_a_million_fields_is_refused_without_comparing_each_with_each(
    certificate: Path, tmp_path: Path
) -> None:
    file = tmp_path / "review.json"
    fields = ",".join(f'"{number}":0' for number in [*range(500_000), 499_999])
    file.write_text(f"{{{fields}}}")
    assert "'499999' is there twice" in error_of("verify", certificate, "--review", file)


# --- signing ---


def test_a_review_is_signed_as_a_certificate_is(
    prey: Prey, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = written(tmp_path / "review.json", review_of(prey.implementation))
    key = private_key(tmp_path / "key.pem", BOB)
    monkeypatch.setattr(supervised, "abandoned", lambda: [4711])
    assert "4711" in error_of("sign", file, "--key", key)
    monkeypatch.setattr(supervised, "abandoned", list)
    before = file.read_bytes()
    result = dramaturg("sign", file, "--key", key)
    assert result.exit_code == 0
    assert "signed review" in result.output
    text, sealed = intoto.read(file)
    assert text == before
    assert sealed is not None
    assert sealed.signed_by(BOB.public_key())
    assert "signed already" in error_of("sign", file, "--key", key)


@pytest.mark.parametrize("tamper", [_has_two_subjects, _says_perhaps, _is_of_version_2])
def test_what_is_no_review_is_not_signed(prey: Prey, tmp_path: Path, tamper: Tamper) -> None:
    made = review_of(prey.implementation)
    tamper(made)
    file = written(tmp_path / "review.json", made)
    before = file.read_bytes()
    error_of("sign", file, "--key", private_key(tmp_path / "key.pem", BOB))
    assert file.read_bytes() == before


# --- shown as it is ---


SPOOFS = 'Bob", signed by ada: 16 of 16 questions answered: 16 yes\ncertificate.json: pass'


@pytest.mark.parametrize("name", [SPOOFS, HOSTILE.replace("\ud800", "")[:99]])
def test_no_name_ends_its_quotation_marks_or_its_line(
    certificate: Path, prey: Prey, keys: Path, tmp_path: Path, name: str
) -> None:
    made = review_of(prey.implementation, reviewer=name)
    made["predicate"]["answers"][LAST]["remark"] = name
    file = signed(tmp_path / "review.json", made, EVE)
    result = dramaturg("verify", certificate, "-i", prey.folder, "--trusted", keys,
                       "--review", file, "--output", tmp_path / "out")  # fmt: skip
    assert not ACTS.search(result.output)
    [line] = [line for line in result.output.splitlines() if line.startswith("review of")]
    quoted = re.search(r' by ("(?:[^"\\]|\\.)*")(.*)', line)
    assert quoted is not None
    assert quoted[2].startswith(", signer unknown (not checked")
    verdicts = [line for line in result.output.splitlines() if line.startswith("certificate.json")]
    assert verdicts == []
    assert result.output.splitlines()[-1].endswith("pass: the certificate holds")


@pytest.fixture
def folder(prey: Prey, tmp_path: Path) -> Path:
    """Results of ``prey``, which passed one case."""
    found = tmp_path / "results"
    record = CaseRecord(
        implementation="prey", level=1, benchmark="pingpong", case="one", outcome=Outcome.PASS
    )
    digest = review_of(prey.implementation)["subject"][0]["digest"]["sha256"]
    with Writer(found / CONFORMANCE, planned={"prey": 1}, levels=[1],
                builds={"prey": digest}) as writer:  # fmt: skip
        writer.write(record)
    return found


def report(folder: Path, keys: Path) -> dict[str, Any]:
    result = dramaturg("report", folder, "--trusted", keys)
    assert result.exit_code == 0, result.output
    assert not ACTS.search(result.output)
    made: dict[str, Any] = json.loads((folder / SUMMARY).read_text())
    return made


def test_a_report_shows_reviews_and_its_verdict_stays_the_same(
    folder: Path, prey: Prey, keys: Path
) -> None:
    before = report(folder, keys)
    junit = (folder / JUNIT).read_bytes()
    signed(folder / "review-bob.json", review_of(prey.implementation), BOB)
    after = report(folder, keys)
    [shown] = after.pop("reviews")
    assert (before.pop("reviews"), after) == ([], before)
    assert (shown["signer"], shown["counts"]["no"]) == ("bob", 1)
    assert (folder / JUNIT).read_bytes() == junit
    page = (folder / HTML).read_text()
    assert "main.sh: it fetches what it runs" in page
    assert "A review is no verdict" in page


def test_markup_in_a_reviewers_name_has_no_effect_on_a_page(
    folder: Path, prey: Prey, keys: Path
) -> None:
    made = review_of(prey.implementation, reviewer='<img src=x onerror="alert(1)">{{ 7 * 7 }}')
    made["predicate"]["answers"][LAST]["remark"] = f"</dd><script>alert(1)</script>{HOSTILE[:-40]}"
    signed(folder / "review.json", made, EVE)
    report(folder, keys)
    page = (folder / HTML).read_text()
    assert "&lt;img src=x onerror=" in page
    assert "{{ 7 * 7 }}" in page
    assert "<script" not in page
    assert "<img" not in page
    assert not ACTS.search(page)


def test_what_cannot_be_read_is_listed_and_is_no_reason_to_show_nothing(
    folder: Path, prey: Prey, keys: Path
) -> None:
    (folder / "review-1.json").write_text("{")
    with (folder / "review-2.json").open("wb") as stream:
        stream.truncate(100_000_000)
    os.mkfifo(folder / "review-3.json")
    (folder / "review-4.json").symlink_to("nowhere")
    signed(folder / "review-5.json", review_of(prey.implementation), BOB)
    other = review_of(prey.implementation)
    other["subject"][0]["digest"]["sha256"] = "0" * 64
    signed(folder / "review-6.json", other, BOB)
    shown = {each["file"]: each for each in report(folder, keys)["reviews"]}
    assert "cut short" in shown["review-1.json"]["not_counted"]
    assert "is longer than" in shown["review-2.json"]["not_counted"]
    assert shown.keys() & {"review-3.json", "review-4.json"} == set()
    assert shown["review-5.json"]["not_counted"] == ""
    assert "another build, 000000000000" in shown["review-6.json"]["not_counted"]


def test_of_a_folder_full_of_reviews_some_are_shown_and_the_rest_is_counted(
    folder: Path, prey: Prey, keys: Path
) -> None:
    text = json.dumps(review_of(prey.implementation))
    for number in range(60):
        (folder / f"review-{number}.json").write_text(text)
    made = report(folder, keys)
    assert len(made["reviews"]) == 50
    assert "10 more files called review*.json were not read." in made["warnings"]
