"""docs/exit-codes.md says what the code does, and the chapter the same."""

import ast
import re
from pathlib import Path

import pytest

from dramaturg import paths
from dramaturg.outcomes import INTERRUPTED, SIGNER_UNKNOWN, SLOWER, USAGE_ERROR, Outcome

PAGE = paths.ROOT / "docs" / "exit-codes.md"
CHAPTER = paths.SPEC / "levels.md"
KNOWN = {outcome.exit_code: str(outcome) for outcome in Outcome} | {
    USAGE_ERROR: "usage error",
    SIGNER_UNKNOWN: "holds, signer unknown",
    SLOWER: "slower",
    INTERRUPTED: "interrupted",
}


def test_the_page_has_every_code_once_with_its_name() -> None:
    rows = re.findall(r"^\| (\d+) \| ([^|]+) \| ([^|]+) \|$", PAGE.read_text(), re.MULTILINE)
    assert [(int(code), name) for code, name, _ in rows] == sorted(KNOWN.items())
    assert all(what.strip() for _, _, what in rows)


def test_the_page_has_the_order_of_what_speaks_for_all() -> None:
    (listed,) = re.findall(r"present: ([\d, ]+) \(LEVEL-10\)", PAGE.read_text())
    assert [int(code) for code in listed.split(", ")] == [each.exit_code for each in Outcome]


def test_the_chapter_has_the_same_codes() -> None:
    text = CHAPTER.read_text()
    rows = re.findall(r"^\| ([a-z ]+) \| (\d+) \|", text, re.MULTILINE)
    assert {int(code): name for name, code in rows} == {
        code: name for code, name in KNOWN.items() if name in list(map(str, Outcome))
    }
    (others,) = re.findall(r"Four more codes belong to the command[^|]+", text)
    named = {int(number) for number in re.findall(r"\b(\d+)\b", re.sub(r"CHAT-\d+", "", others))}
    assert named == {USAGE_ERROR, SIGNER_UNKNOWN, SLOWER, INTERRUPTED}


@pytest.mark.parametrize(
    "file",
    sorted((paths.ROOT / "harness" / "dramaturg" / "cli").glob("*.py")),
    ids=lambda f: f.stem,
)
def test_no_command_ends_with_a_number_of_its_own(file: Path) -> None:
    ends = [
        node
        for node in ast.walk(ast.parse(file.read_text()))
        if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("exit")
    ]
    numbers = {
        each.value
        for end in ends
        for argument in end.args
        for each in ast.walk(argument)
        if isinstance(each, ast.Constant) and isinstance(each.value, int)
    }
    assert numbers <= {0, 1}
