"""A plan says what is to be done, and stays what it is wherever it is taken."""

import dataclasses
import pickle
from pathlib import Path

import pytest

from dramaturg.cases.cases import load_all
from dramaturg.implementation.manifest import find
from dramaturg.levels import OFFERED
from dramaturg.plan.case_plan import make


def test_a_plan_has_the_cases_of_its_levels_on_each_implementation_in_their_order() -> None:
    names = ["reference", "erlang"]
    made = make(map(find, names), (0, 1))
    expected = [case.path for case in load_all() if case.level in (0, 1)]
    assert [item.path for item in made.items] == [f"{n}/{path}" for n in names for path in expected]
    assert (made.levels, made.file, made.whole) == ((0, 1), None, True)


def test_a_part_of_a_plan_is_never_taken_for_the_whole() -> None:
    made = make([find("reference")], OFFERED)
    everything = [item.path for item in made.items]
    assert made.only(everything).items == made.items
    assert not made.only(everything).whole
    assert [item.path for item in made.only(everything[3:5]).items] == everything[3:5]
    assert made.only(["reference/0-handshake/control/no-such-case"]).items == ()


def test_nobody_changes_a_plan_that_was_made() -> None:
    made = make([find("reference")], (0,))
    with pytest.raises(dataclasses.FrozenInstanceError):
        made.items = ()  # type: ignore[misc]


def test_a_plan_is_the_same_one_in_another_process() -> None:
    made = make([find("reference")], OFFERED)
    there = pickle.loads(pickle.dumps(made))
    assert [item.case for item in there.items] == [item.case for item in made.items]
    assert [item.path for item in there.items] == [item.path for item in made.items]


def test_a_case_file_takes_the_place_of_the_specifications_cases(tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text(
        "benchmark: control\ncases:\n- {name: mine, level: 0, purpose: to try, introduction: {}}\n"
    )
    made = make([find("reference")], (0,), file)
    assert [item.path for item in made.items] == ["reference/0-handshake/control/mine"]
    assert made.file == file
