"""``dramaturg review``: from the questions to a statement over one build (LEVEL-30, LEVEL-31)."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from dramaturg.certificates import checklist, intoto, review
from dramaturg.cli.main import cli
from dramaturg.control import starting
from dramaturg.implementation import build
from dramaturg.implementation.manifest import load


def dramaturg(*words: object) -> Result:
    return CliRunner().invoke(cli, ["review", *map(str, words)])


def error_of(*words: object) -> str:
    result = dramaturg(*words)
    assert result.exception is not None, result.output
    return result.output if isinstance(result.exception, SystemExit) else str(result.exception)


@pytest.fixture
def answered(implementation_folder: Path, tmp_path: Path) -> Path:
    """A checklist of ``sketch``, all answered: the first no, the second not looked at."""
    text = dramaturg(implementation_folder, "--checklist").stdout
    said = ['"no"', '"not looked at"', *['"yes"'] * 100]
    for answer in said:
        text = text.replace('answer = ""', f"answer = {answer}", 1)
    text = text.replace('reviewer = ""', 'reviewer = "Ada Lovelace"')
    text = text.replace('remark = ""', 'remark = "main.py: one loop"', 1)
    file = tmp_path / "answers.toml"
    file.write_text(text)
    return file


def certificate(file: Path, name: str, digest: str) -> Path:
    """As little of a certificate as names a build."""
    claim = {
        "build": digest, "toolchain": {}, "planned": [], "levels": {}, "unsupported": {},
        "undistributed": {}, "cases": {"1-serial/x/y": {"outcome": "pass", "events": 1}},
        "runtime": {"name": "", "version": "", "schedulers": 1, "details": {}},
        "manifest": {
            "digest": digest, "language": "", "control": "", "benchmarks": [], "distributed": [],
            "build": [], "build_environment": {}, "command": [], "environment": {},
            "known_failures": {},
        },
    }  # fmt: skip
    document = {
        "_type": intoto.STATEMENT,
        "predicateType": intoto.CERTIFICATE,
        "subject": [{"name": name, "digest": {"sha256": digest}}],
        "predicate": {
            "spec": "2", "environment": {}, "implementations": {name: claim},
            "harness": {"version": None, "revision": None, "modified": None},
            "cases": {"digest": digest, "each": {}},
        },
    }  # fmt: skip
    file.write_text(json.dumps(document))
    return file


def test_a_review_says_what_was_answered_of_that_build(
    implementation_folder: Path, answered: Path, tmp_path: Path
) -> None:
    file, digest = tmp_path / "review.json", build.digest(load(implementation_folder))
    of = certificate(tmp_path / "certificate.json", "sketch", digest)
    said = dramaturg(implementation_folder, "--answers", answered, "--output", file,
                     "--certificate", of)  # fmt: skip
    assert said.exit_code == 0, said.output
    assert "14 yes, 1 no, 1 not looked at" in said.output
    made = review.parse(file.read_bytes(), file)
    assert [(each.name, each.digest.sha256) for each in made.subject] == [("sketch", digest)]
    assert made.predicate.reviewer == "Ada Lovelace"
    entries = made.predicate.answers
    assert {name: each.question for name, each in entries.items()} == {
        name: each.text for name, each in checklist.load().questions.items()
    }
    assert [entries["REVIEW-1"].answer, entries["REVIEW-1"].remark] == ["no", "main.py: one loop"]
    assert entries["REVIEW-2"].answer == "not looked at"


def test_nothing_of_the_implementation_is_started(
    implementation_folder: Path, answered: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def started(*rest: object, **more: object) -> None:
        raise AssertionError("was started")

    monkeypatch.setattr(starting, "start", started)
    monkeypatch.setattr("subprocess.Popen", started)
    assert dramaturg(implementation_folder, "--checklist").exit_code == 0
    file = tmp_path / "review.json"
    said = dramaturg(implementation_folder, "--answers", answered, "--output", file)
    assert said.exit_code == 0, said.output


def test_the_questions_as_json_name_every_file_of_the_build(implementation_folder: Path) -> None:
    document = json.loads(dramaturg(implementation_folder, "--checklist", "--json").stdout)
    assert document["files"] == {"dramaturg.toml": "elsewhere", "main.py": "elsewhere"}
    assert [each["id"] for each in document["questions"]] == list(checklist.load().questions)
    assert document["build"] == build.digest(load(implementation_folder))


def test_a_build_that_has_changed_since_is_refused_and_its_digest_named(
    implementation_folder: Path, answered: Path, tmp_path: Path
) -> None:
    (implementation_folder / "main.py").write_text("pass\n")
    file = tmp_path / "review.json"
    said = error_of(implementation_folder, "--answers", answered, "--output", file)
    assert build.digest(load(implementation_folder)) in said
    assert not file.exists()


def test_bad_input_is_one_error(
    implementation_folder: Path, answered: Path, tmp_path: Path
) -> None:
    digest = build.digest(load(implementation_folder))
    other = certificate(tmp_path / "other.json", "sketch", "0" * 64)
    stranger = certificate(tmp_path / "stranger.json", "erlang", digest)
    there = tmp_path / "there.json"
    there.write_text("{}")
    short = tmp_path / "short.toml"
    short.write_text(answered.read_text().replace('"not looked at"', '""'))
    of = [implementation_folder, "--answers", answered]
    for words, says in [
        (["cobol", "--checklist"], "no implementation is called 'cobol'"),
        ([implementation_folder], "give --checklist to get the questions, or --answers"),
        ([*of, "--checklist"], "give --checklist to get the questions, or --answers"),
        ([implementation_folder, "--checklist", "--output", there], "belong to --answers"),
        (["reference", "--answers", answered], "is of sketch, not of reference"),
        ([implementation_folder, "--answers", short], "REVIEW-2: not answered"),
        ([implementation_folder, "--answers", tmp_path / "absent"], "No such file"),
        ([*of, "--certificate", other], "other.json: certifies build 000000000000 of sketch"),
        ([*of, "--certificate", stranger], "is not of sketch; its subjects: erlang"),
        ([*of, "--certificate", there], "no in-toto Statement"),
        ([*of, "--output", there], "is there already"),
        ([*of, "--output", tmp_path / "no" / "review.json"], "No such file"),
    ]:
        assert says in " ".join(error_of(*words).split()), words
    assert there.read_text() == "{}"
