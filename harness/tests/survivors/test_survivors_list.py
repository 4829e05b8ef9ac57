"""The list of survivors: each entry is of a line that stands where it says, and has a reason."""

import ast
import textwrap
from pathlib import Path

import pytest
import survivors_list
from pydantic import ValidationError
from survivors_list import AT_MOST, Survivor, counted, key_of, listed
from survivors_targets import NEEDS_MORE, TARGETS

from dramaturg import paths

TESTS = paths.ROOT / "harness" / "tests"
PACKAGE = paths.ROOT / "harness" / "dramaturg"
ENTRIES = [(file, each) for file, found in listed().items() for each in found]


def source_of(file: str, function: str) -> list[str]:
    """The lines of a function, or of a method after its class and a dot, without indentation."""
    text = (PACKAGE / file).read_text(encoding="utf-8")
    room, _, name = function.rpartition(".")
    scope: ast.AST = ast.parse(text)
    if room:
        scope = next(n for n in scope.body if isinstance(n, ast.ClassDef) and n.name == room)  # type: ignore[attr-defined]
    node = next(n for n in scope.body if isinstance(n, ast.FunctionDef) and n.name == name)  # type: ignore[attr-defined]
    return [line.strip() for line in text.splitlines()[node.lineno - 1 : node.end_lineno]]


@pytest.mark.parametrize(
    ("file", "entry"), ENTRIES, ids=lambda each: getattr(each, "function", each)
)
def test_a_survivor_changes_lines_that_are_there(file: str, entry: Survivor) -> None:
    lines = entry.diff.splitlines()
    assert {line[:2] for line in lines} <= {"- ", "+ "}
    source = source_of(file, entry.function)
    before = [line[2:] for line in lines if line[0] == "-"]
    assert before
    assert all(source.count(line) >= entry.times for line in before), "the list is out of date"


def test_there_are_few_survivors_and_each_is_listed_once() -> None:
    total = 0
    for found in listed().values():
        assert len({each.key for each in found}) == len(found)
        total += counted(found).total()
    assert total <= AT_MOST
    assert listed().keys() <= TARGETS.keys()


def test_what_is_mutated_and_what_has_to_notice_exists() -> None:
    for target in TARGETS.values():
        assert (PACKAGE / target.file).is_file()
    for test in {*NEEDS_MORE, *(test for target in TARGETS.values() for test in target.tests)}:
        file, _, name = test.partition("::")
        assert (TESTS / file).exists(), test
        assert not name or f"def {name}(" in (TESTS / file).read_text(encoding="utf-8"), test


@pytest.mark.parametrize(
    "entry",
    [
        {"function": "f", "diff": "- a", "class": "harmless", "because": "so"},
        {"function": "f", "diff": "- a", "class": "speed", "because": ""},
        {"function": "f", "diff": "- a", "class": "speed"},
        {"function": "f", "diff": "- a", "class": "speed", "because": "so", "line": 7},
    ],
    ids=["another class", "an empty reason", "no reason", "something else"],
)
def test_an_entry_without_a_class_and_a_reason_is_refused(
    entry: dict[str, object],
) -> None:
    with pytest.raises(ValidationError):
        Survivor.model_validate(entry)


def test_a_mutant_is_known_by_its_lines_wherever_the_function_stands() -> None:
    before = textwrap.dedent("""\
        def f(self):
            if a:
                return b
            return c
    """).splitlines()
    after = [line.replace("return b", "return None") for line in before]
    key = key_of("Room.f", before, after)
    assert key == ("Room.f", ("- return b", "+ return None"))
    assert key == key_of(
        "Room.f", [f"    {line}" for line in before], [f"    {line}" for line in after]
    )
    moved = [before[0], "    d()", *before[1:]], [after[0], "    d()", *after[1:]]
    assert key == key_of("Room.f", *moved)


def test_what_is_printed_for_the_list_is_what_the_list_takes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = ("Room.f", ('- return f"{a}: b", [c]', "+ return None", "+ # d: e"))
    text = survivors_list.entry(key, 2).replace("class:", "class: words")
    file = tmp_path / "survivors.yaml"
    file.write_text("room/file.py:\n" + text.replace("because:", "because: nobody reads it") + "\n")
    monkeypatch.setattr(survivors_list, "FILE", file)
    (found,) = listed()["room/file.py"]
    assert counted([found]) == {key: 2}
