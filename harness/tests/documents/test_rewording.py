"""The guard of a rewording: what it counts, and that nothing slips through it."""

import runpy
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from dramaturg import paths

FILE = paths.ROOT / "harness" / "scripts" / "rewording.py"
GUARD: dict[str, Any] = runpy.run_path(str(FILE))

BEFORE = "| CHAT-1 | A client MUST send `stop(0, value)` twice within 25 ms, as CHAT-2 says. |"

CHANGES = {
    "MUST NOT": BEFORE.replace("MUST", "MUST NOT"),
    "SHOULD": BEFORE.replace("MUST", "SHOULD"),
    "no MUST": BEFORE.replace("MUST send", "sends"),
    "a code span": BEFORE.replace("`stop(0, value)`", "`stop(1, value)`"),
    "no code span": BEFORE.replace("`stop(0, value)`", "a stop"),
    "a number": BEFORE.replace("25", "20"),
    "a number's point": BEFORE.replace("25", "2.5"),
    "a word for a number": BEFORE.replace("twice", "again"),
    "an identifier": BEFORE.replace("CHAT-2", "CHAT-3"),
    "no identifier": BEFORE.replace(", as CHAT-2 says", ""),
    "one more": BEFORE.replace("ms", "ms, and MUST end"),
}

PROTO = """// A process MUST answer within 25 ms (CTRL-9), by `Answer`.
message Answer {
  string text = 1 [(range) = "0..//80"];  // At most 8 lines.
}
"""


def tree(folder: Path, row: str, readme: str = "# A page\n") -> Path:
    (folder / "spec").mkdir(parents=True)
    (folder / "spec" / "chapter.md").write_text(f"# Chapter\n\n| id | |\n|---|---|\n{row}\n")
    (folder / "README.md").write_text(readme)
    return folder


def compared(folder: Path, row: str, readme: str = "# A page\n") -> list[Any]:
    before = GUARD["places"](tree(folder / "before", BEFORE))
    after = GUARD["places"](tree(folder / "after", row, readme))
    found: list[Any] = GUARD["differences"](before, after)
    return found


def test_other_words_that_say_the_same_are_no_difference(tmp_path: Path) -> None:
    row = "| CHAT-1 | Within 25 ms (CHAT-2) clients MUST have sent `stop(0, value)` twice. |"
    assert compared(tmp_path, row) == []


@pytest.mark.parametrize("name", CHANGES)
def test_what_changes_a_requirement_is_found(name: str, tmp_path: Path) -> None:
    (found,) = compared(tmp_path, CHANGES[name])
    assert found.where == "CHAT-1"


def test_what_moves_from_one_requirement_to_another_is_found_in_both(tmp_path: Path) -> None:
    two = f"{BEFORE}\n| CHAT-3 | It MAY wait. |"
    moved = two.replace(" 25 ms", " time").replace("wait", "wait for 25 ms")
    before = GUARD["places"](tree(tmp_path / "before", two))
    after = GUARD["places"](tree(tmp_path / "after", moved))
    assert {each.where for each in GUARD["differences"](before, after)} == {"CHAT-1", "CHAT-3"}


def test_a_page_without_requirements_is_compared_as_a_whole(tmp_path: Path) -> None:
    (found,) = compared(tmp_path, BEFORE, "# A page\n\nIt takes 7 s: [why](docs/why.md).\n")
    assert (found.where, found.gained) == ("README.md", {"number 7": 1, "link docs/why.md": 1})


def protocols(folder: Path, after: str) -> list[Any]:
    """The differences between two trees of which only a proto file differs."""
    for name, text in (("before", PROTO), ("after", after)):
        (tree(folder / name, BEFORE) / "proto").mkdir()
        (folder / name / "proto" / "answer.proto").write_text(text)
    trees = (GUARD["places"](folder / name) for name in ("before", "after"))
    found: list[Any] = GUARD["differences"](*trees)
    return found


@pytest.mark.parametrize(
    ("was", "now", "lost"),
    [
        ("MUST", "can", "MUST"),
        ("25", "20", "number 25"),
        ("`Answer`", "an answer", "code `Answer`"),
        (" (CTRL-9)", "", "identifier CTRL-9"),
        ("8 lines", "many lines", "number 8"),
    ],
)
def test_comments_of_a_proto_file_are_compared(
    was: str, now: str, lost: str, tmp_path: Path
) -> None:
    (found,) = protocols(tmp_path, PROTO.replace(was, now))
    assert (found.where, found.lost[lost]) == ("proto/answer.proto", 1)


@pytest.mark.parametrize(("was", "now"), [("text = 1", "text = 2"), ("0..//80", "1..//70")])
def test_the_code_of_a_proto_file_is_not_its_words(was: str, now: str, tmp_path: Path) -> None:
    assert protocols(tmp_path, PROTO.replace(was, now)) == []


def test_the_comments_of_the_protocol_are_among_what_is_compared() -> None:
    files = {str(each.relative_to(paths.ROOT)) for each in paths.ROOT.glob("proto/**/*.proto")}
    assert files
    assert files <= GUARD["places"](paths.ROOT).keys()
    assert "proto" in GUARD["PAGES"], "git packs what stands there"


def test_a_requirement_that_is_gone_or_new_is_found(tmp_path: Path) -> None:
    found = compared(tmp_path, BEFORE.replace("CHAT-1", "CHAT-9"))
    assert {each.where for each in found} == {"CHAT-1", "CHAT-9"}
    assert [each.lost.get("itself") for each in found] == [1, None]


def test_an_exception_explains_its_own_difference_and_no_other(tmp_path: Path) -> None:
    (found,) = compared(tmp_path, CHANGES["a number"])
    meant = GUARD["Meant"](
        base="0123abcd",
        where="CHAT-1",
        lost={"number 25": 1},
        gained={"number 20": 1},
        why="a formula",
    )
    assert GUARD["unexplained"]([found], [meant]) == []
    other = meant.model_copy(update={"gained": {"number 21": 1}})
    assert GUARD["unexplained"]([found], [other]) == [found]


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["no-such-revision"], "no-such-revision"),
        (["HEAD", "--exceptions", "{}"], "has no reason"),
    ],
)
def test_bad_input_is_one_line(words: list[str], complaint: str, tmp_path: Path) -> None:
    file = tmp_path / "meant.yaml"
    file.write_text("- {base: 0123abcd, where: CHAT-1, why: ' '}\n")
    command = [sys.executable, str(FILE), *(word.format(file) for word in words)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=paths.ROOT)
    assert (done.returncode, done.stdout) == (2, "")
    assert complaint in done.stderr


def committed(folder: Path) -> str:
    """A repository with all pages, and its commit."""
    tree(folder, BEFORE)
    for name in GUARD["PAGES"]:
        page = folder / name if name.endswith(".md") else folder / name / "page.md"
        page.parent.mkdir(exist_ok=True)
        page.write_text("# A page\n")
    git = ["git", "-C", str(folder), "-c", "user.name=A", "-c", "user.email=a@example.org"]
    for words in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "A chapter"]):
        subprocess.run([*git, *words], check=True)
    found = subprocess.run([*git, "rev-parse", "HEAD"], check=True, capture_output=True, text=True)
    return found.stdout.strip()


@pytest.mark.parametrize(("own", "code"), [(True, 0), (False, 1)])
def test_an_exception_explains_nothing_beside_another_base(
    own: bool,
    code: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    folder = tmp_path / "repository"
    commit = committed(folder)
    chapter = folder / "spec" / "chapter.md"
    chapter.write_text(chapter.read_text().replace("25", "20"))
    base = commit[:8] if own else "0123abcd"
    file = tmp_path / "meant.yaml"
    change = "lost: {number 25: 1}, gained: {number 20: 1}"
    file.write_text(f"- {{base: '{base}', where: CHAT-1, {change}, why: x}}\n")
    monkeypatch.setattr(paths, "ROOT", folder)
    monkeypatch.setattr(sys, "argv", ["rewording.py", "HEAD", "--exceptions", str(file)])
    assert GUARD["main"]() == code
    assert ("UNEXPLAINED" in capsys.readouterr().out) == (not own)


def test_an_exception_without_a_base_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "meant.yaml"
    file.write_text("- {where: CHAT-1, why: x}\n")
    with pytest.raises(ValueError, match=r"base\n.*required"):
        GUARD["exceptions"](file)


def test_exceptions_that_are_kept_have_reasons() -> None:
    GUARD["exceptions"](GUARD["EXCEPTIONS"])
