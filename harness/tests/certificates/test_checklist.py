"""The questions of a review are those of the chapter, and what is not answered is no answer."""

from collections.abc import Callable
from pathlib import Path

import pytest

from dramaturg import paths, requirements
from dramaturg.certificates import checklist, review, review_answers
from dramaturg.certificates.envelope import CertificateError
from dramaturg.certificates.review_answers import Answer
from dramaturg.mutation import requirements_file, traceability
from dramaturg.requirements import RequirementsError

CHECKLIST = checklist.load()
BUILD = "ab" * 32

DIGESTS = {
    1: "a6a02e8b805b95459d9c13f54e5f28f9c2ba22e0556acf543935e63aac5abc70",
    2: "5d8a3bd6fd647afe8664f8b43281264b91bab16d114c3aca6de430d163447994",
    3: "9d638cdc6c3f938b92ffdfffc6d444d1d0828c341d6f14e50179142163b05915",
    4: "84b6eb6d4a162bf759279f7fbf17c019e13e01a568d061868b9404eec4ef6c9d",
}
"""Over the questions of each version there ever was. Whoever changes a word of a question adds
a version; whoever reworded one in place would have old reviews answer what nobody asked."""


def test_a_version_has_the_same_questions_for_ever() -> None:
    assert DIGESTS[CHECKLIST.version] == CHECKLIST.digest
    assert max(DIGESTS) == CHECKLIST.version


def test_what_can_only_be_reviewed_is_asked_about() -> None:
    asked = {rule for question in CHECKLIST.questions.values() for rule in question.rules}
    written = requirements_file.written()
    assert {name for name, trace in written.items() if trace.review} <= asked
    rules = {name for name in traceability.musts() if name.startswith("IMPL-")}
    assert rules - asked == {"IMPL-9"}, "several worlds of one process are in every timed run"


def test_the_number_of_questions_that_is_told_is_theirs() -> None:
    told = (paths.ROOT / "docs" / "why-believe-a-verdict.md").read_text(encoding="utf-8")
    assert f"{len(CHECKLIST.questions)} questions to somebody" in told


def test_the_schema_file_is_that_of_the_model() -> None:
    assert review.SCHEMA_FILE.read_text(encoding="utf-8") == review.schema_text(), (
        "regenerate it: python -m dramaturg.certificates.review"
    )


QUESTION = """\
This is version **1** of the checklist.

### REVIEW-1. Title

> Is it so?

*Rules:* ACT-1. *Modules:* control.

*How to see it:* To look.
"""


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda text: "", "which version"),
        (lambda text: text.partition("###")[0], "no questions"),
        (lambda text: text.replace("> Is", "Is"), "REVIEW-1 needs one question"),
        (lambda text: text.replace("> Is", "> Was it?\n\n> Is"), "REVIEW-1 needs one question"),
        (lambda text: text.replace("ACT-1.", "ACT-999."), "REVIEW-1 names ACT-999"),
        (lambda text: text.replace("control.", "attic."), "REVIEW-1 names attic"),
        (lambda text: text.replace("*How to see it:*", "Look:"), "how to see it"),
        (lambda text: text + text[text.index("###") :], "REVIEW-1 is there twice"),
    ],
)
def test_a_chapter_that_cannot_be_read_says_where(
    tmp_path: Path, change: Callable[[str], str], says: str
) -> None:
    file = tmp_path / "review.md"
    file.write_text(QUESTION)
    assert checklist.load(file).questions["REVIEW-1"].text == "Is it so?"
    other = tmp_path / "other.md"
    other.write_text(change(QUESTION))
    with pytest.raises(RequirementsError, match=r"other\.md") as caught:
        checklist.load(other)
    assert says in str(caught.value)


def test_modules_are_known_by_the_names_of_folders() -> None:
    assert checklist.module_of("src/main/scala/dramaturg/control/Log.scala") == "control"
    assert checklist.module_of("dramaturg/micro/big.pony") == "benchmarks"
    assert checklist.module_of("src/nodes/node.cpp") == "nodes"
    assert checklist.module_of("control") == checklist.module_of("src/mycontrol/x") == "elsewhere"


# --- the file that is edited ---


def filled(answer: str = "yes", remark: str = "seen", reviewer: str = "Ada") -> str:
    text = review_answers.blank("erlang", BUILD, ["src/control/main.erl", "run"], CHECKLIST)
    text = text.replace('reviewer = ""', f'reviewer = "{reviewer}"')
    return text.replace('answer = ""', f'answer = "{answer}"').replace(
        'remark = ""', f'remark = "{remark}"'
    )


def read(folder: Path, text: str) -> review_answers.Answers:
    file = folder / "answers.toml"
    file.write_text(text, encoding="utf-8")
    return review_answers.read(file, CHECKLIST)


@pytest.mark.parametrize("answer", Answer)
def test_what_is_answered_is_read_as_it_is(tmp_path: Path, answer: Answer) -> None:
    found = read(tmp_path, filled(answer))
    assert (found.implementation, found.build, found.reviewer) == ("erlang", BUILD, "Ada")
    assert list(found.each) == list(CHECKLIST.questions)
    assert {(each.answer, each.remark) for each in found.each.values()} == {(answer, "seen")}


def test_the_checklist_says_what_to_look_at_and_where() -> None:
    text = review_answers.blank("erlang", BUILD, ["src/control/main.erl", "run"], CHECKLIST)
    assert "#   control      src/control/main.erl\n" in text
    assert "#   elsewhere    run\n" in text
    unwrapped = " ".join(text.replace("\n# ", " ").split())
    for question in CHECKLIST.questions.values():
        assert f"{question.text} Look at: " in unwrapped
        assert question.shown_by in unwrapped
        assert set(question.rules) <= set(requirements.load())


Change = Callable[[str], str]


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda text: text.replace('= "yes"', '= ""', 1), "REVIEW-1: not answered"),
        (lambda text: text[: text.index("[answers.REVIEW-2]")], "REVIEW-16: not answered"),
        (lambda text: text.replace("REVIEW-2]", "REVIEW-99]"), "REVIEW-99: no such question"),
        (lambda text: text.replace("REVIEW-2]", "REVIEW-99]"), "REVIEW-2: not answered"),
        (
            lambda text: text.replace('= "yes"', '= "maybe"', 1),
            'REVIEW-1: \'maybe\' is no answer; write "yes" or "no" or "not looked at"',
        ),
        (lambda text: text.replace('= "yes"', "= true", 1), "answers.REVIEW-1.answer"),
        (lambda text: filled("no", ""), "REVIEW-1: a no needs a remark"),
        (lambda text: text.replace('"Ada"', '" "'), "review.reviewer is empty"),
        (lambda text: text.replace('"Ada"', f'"{"A" * 101}"'), "reviewer: "),
        (lambda text: text.replace("checklist = 4", "checklist = 3"), "version 3 of the checklist"),
        (lambda text: text.replace(BUILD, "../x"), "review.build: "),
        (lambda text: text.replace('"erlang"', '"../erlang"'), "review.implementation: "),
        (lambda text: text.replace("[review]", "[review]\nsigned = true"), "review.signed: "),
        (lambda text: text.replace('"seen"', '"seen', 1), "line"),
        (lambda text: text.replace('"seen"', f'"{"x" * 4001}"', 1), "REVIEW-1.remark: "),
        (lambda text: text + "#" * 300_000, "is longer than"),
        (lambda text: "", "review: Field required"),
    ],
)
def test_what_is_not_answered_is_one_error_that_says_what_to_do(
    tmp_path: Path, change: Change, says: str
) -> None:
    with pytest.raises(CertificateError, match=r"answers\.toml: ") as caught:
        read(tmp_path, change(filled()))
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


def test_no_path_ends_the_comment_that_it_stands_in(tmp_path: Path) -> None:
    hostile = 'a\n[answers.REVIEW-1]\nanswer = "yes"\r\x85\u2028\x1b[2J\udcff'
    text = review_answers.blank("erlang", BUILD, [hostile, "b" * 9000], CHECKLIST)
    assert "\x1b" not in text
    assert max(map(len, text.splitlines())) < 300
    with pytest.raises(CertificateError, match="REVIEW-1, REVIEW-2"):
        read(tmp_path, text.replace('reviewer = ""', 'reviewer = "Ada"'))


def test_the_checklist_of_a_build_of_twenty_thousand_files_can_be_read_back(tmp_path: Path) -> None:
    long = "\u00e9" * 190
    paths = [f"src/{long}{number}" for number in range(20_000)]
    text = review_answers.blank("erlang", BUILD, paths, CHECKLIST)
    assert f"elsewhere    and {20_000 - review_answers.LISTED} more" in text
    read(tmp_path, text.replace('answer = ""', 'answer = "yes"').replace('er = ""', 'er = "Ada"'))
