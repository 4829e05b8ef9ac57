"""Every requirement has one identifier, and every reference to one leads somewhere."""

import re
from pathlib import Path

import pytest

from dramaturg import paths, requirements
from dramaturg.cases.cases import load_all
from dramaturg.model import names
from dramaturg.model.messages import KINDS, Kind
from dramaturg.requirements import IDENTIFIER, Requirement, RequirementsError, load

VERSIONS = paths.SPEC / "versions.md"
"""Names what went: the one place where an identifier leads nowhere."""


def test_every_identifier_is_defined_once() -> None:
    assert len(load()) > 100


def test_every_requirement_that_looks_like_one_is_read() -> None:
    known = set(load())
    for file in paths.SPEC.glob("*.md"):
        opening = re.compile(rf"^\W*({IDENTIFIER})\b(?= *\||\*\*)", re.MULTILINE)
        assert set(opening.findall(file.read_text())) <= known, file.name


def test_every_reference_leads_to_a_requirement() -> None:
    known = set(load())
    places = [file for file in paths.SPEC.glob("*.md") if file != VERSIONS]
    places += [*(paths.ROOT / "proto").rglob("*.proto")]
    places += [*(paths.ROOT / "harness" / "dramaturg").rglob("*.py")]
    places += [*paths.IMPLEMENTATIONS.rglob("*.py"), *paths.CASES.glob("*.yaml")]
    places += [*(paths.ROOT / "docs").glob("*.md")]
    lost = {
        (file.name, name)
        for file in places
        for name in re.findall(rf"\b{IDENTIFIER}\b", file.read_text())
        if name not in known
    }
    assert lost == set()


def test_an_identifier_that_went_is_not_used_again() -> None:
    went = set(re.findall(rf"^\| `({IDENTIFIER})` \|", VERSIONS.read_text(), re.MULTILINE))
    assert went
    assert not went & set(load())


def test_cases_name_requirements_that_exist() -> None:
    for case in load_all():
        assert set(case.message.requirements) <= set(load()), case.name


@pytest.mark.parametrize("kind", KINDS.values(), ids=lambda kind: f"{kind.number}-{kind.label}")
def test_each_kind_of_message_says_what_its_receiver_has_to_do(kind: Kind) -> None:
    assert kind.requirements
    asked = [*kind.requirements, *kind.windowed]
    assert set(asked) <= set(load())
    assert len(set(asked)) == len(asked)


@pytest.mark.parametrize(
    "kind",
    [kind for kind in KINDS.values() if kind.receiver_class != names.CONTROL],
    ids=lambda kind: f"{kind.number}-{kind.label}",
)
def test_what_a_kind_refers_to_speaks_of_it(kind: Kind) -> None:
    texts = " ".join(load()[name].text for name in kind.requirements)
    assert re.search(rf"\b{kind.label}s?\b", texts), "none of its requirements names the message"


def chapter(folder: Path, text: str) -> Path:
    (folder / "chapter.md").write_text(text, encoding="utf-8")
    return folder


def test_rows_and_paragraphs_are_read_with_where_they_stand(tmp_path: Path) -> None:
    text = (
        "# T\n\n| id | |\n|---|---|\n| ACT-1 | An *actor*. |\n\n**ACT-2** Two\nlines.\n\nNo more.\n"
    )
    assert list(load(chapter(tmp_path, text)).values()) == [
        Requirement("ACT-1", "An *actor*.", f"{tmp_path.name}/chapter.md", 5),
        Requirement("ACT-2", "Two lines.", f"{tmp_path.name}/chapter.md", 7),
    ]


def test_what_a_row_is_about_comes_before_its_text(tmp_path: Path) -> None:
    text = "| id | action | |\n|---|---|---|\n| CHAT-24 | post | It MUST post. |\n"
    assert load(chapter(tmp_path, text))["CHAT-24"].text == "post: It MUST post."


def test_an_identifier_defined_twice_is_refused_with_both_places(tmp_path: Path) -> None:
    text = "| ACT-1 | One. |\n| ACT-1 | Two. |\n"
    with pytest.raises(RequirementsError, match=r"chapter.md:2: ACT-1 .*chapter.md:1"):
        load(chapter(tmp_path, text))


def test_a_folder_without_requirements_is_no_specification(tmp_path: Path) -> None:
    with pytest.raises(RequirementsError, match="is it the specification"):
        load(tmp_path)


def test_identifiers_are_found_in_a_message_and_what_only_looks_like_one_is_not() -> None:
    said = "deliveries is 1, expected 0 (CHAT-54); CHAT-5400, XACT-1, alive (CHAT-57; CHAT-54)"
    assert requirements.named_in(said) == ["CHAT-54", "CHAT-57"]
