"""Every mutant is caught, as its cast says, at the lowest level; no equivalent is refused."""

import ast
import re
from pathlib import Path

import pytest

from dramaturg import paths
from dramaturg.conformance.cases import load_all
from dramaturg.conformance.certification import certify
from dramaturg.conformance.mutants import (
    EQUIVALENT_FOLDERS,
    FOLDER,
    FOLDERS,
    TIMED,
    Accepted,
    Caught,
    Equivalent,
    Item,
    Member,
    Verdict,
    cast,
    designation,
    equivalents,
    judge,
    perform,
)
from dramaturg.conformance.traceability import harness_cast
from dramaturg.control.manifest import find, load
from dramaturg.outcomes import Outcome

CAST: list[Item] = [(folder, member) for folder in FOLDERS for member in cast(folder)]
EQUIVALENTS: list[Item] = [
    (folder, member) for folder in EQUIVALENT_FOLDERS for member in equivalents(folder)
]
EVERYBODY = CAST + EQUIVALENTS


def names(items: list[Item]) -> list[str]:
    return [member.name for _, member in items]


def entries(folder: Path) -> list[str]:
    return [member.name for directory, member in EVERYBODY if directory == folder]


def changes(folder: Path) -> dict[str, str]:
    """The functions of a folder that change something, with what their docstrings say."""
    found = {}
    for file in folder.glob("*.py"):
        if file.stem in ("changes", "over_pipes", "serve"):
            continue
        for node in ast.parse(file.read_text()).body:
            if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
                found[node.name] = ast.get_docstring(node) or ""
    found.pop("main", None)
    return found


@pytest.mark.parametrize("folder", [*FOLDERS, *EQUIVALENT_FOLDERS])
def test_a_cast_is_complete(folder: Path) -> None:
    """As many functions, members and variants, and every one of them says what it is."""
    assert entries(folder) == list(load(folder).manifest.variants)
    assert sorted(entries(folder)) == sorted(changes(folder))
    assert [name for name, said in changes(folder).items() if not said] == []


def test_the_cast_is_large_and_nobody_in_it_twice() -> None:
    assert len(CAST) >= 200
    assert len(EQUIVALENTS) >= 40
    assert len(set(names(EVERYBODY))) == len(EVERYBODY)


def test_the_page_on_belief_counts_everybody() -> None:
    page = (paths.ROOT / "docs" / "why-believe-a-verdict.md").read_text()
    assert f"the negative cast: {len(CAST)} of them" in page
    assert f"{len(EQUIVALENTS)} equivalents" in page
    assert f"{len(harness_cast())} wrong harnesses" in page


def test_everybody_names_requirements_that_exist() -> None:
    text = "".join(file.read_text() for file in paths.SPEC.glob("*.md"))
    defined = set(re.findall(r"^\| ([A-Z]+-\d+) \|", text, re.MULTILINE))
    for _, member in EVERYBODY:
        named = member.breaks if isinstance(member, Member) else member.allowed
        assert set(named) <= defined, member.name


@pytest.mark.parametrize("everybody", [CAST, EQUIVALENTS], ids=["mutants", "equivalents"])
def test_every_benchmark_and_every_drive_is_played(everybody: list[Item]) -> None:
    cases = [case for case in load_all() if case.nodes == 1]
    known = {case.benchmark for case in cases} | {case.name for case in cases}
    workloads = {word for _, member in everybody for word in member.workloads}
    assert workloads <= known
    played = [case for case in cases if workloads & {case.name, case.benchmark}]
    assert {case.benchmark for case in played} == {case.benchmark for case in cases}
    assert {case.drive for case in played} == {case.drive for case in cases}


def test_only_who_is_caught_timed_says_how_it_is_timed() -> None:
    for _, member in CAST:
        assert isinstance(member, Member)
        assert bool(member.bench) == (member.level == TIMED), member.name


@pytest.mark.parametrize(("folder", "member"), CAST, ids=names(CAST))
def test_a_wrong_implementation_is_caught(
    folder: Path, member: Member, tmp_path: Path, no_process_left: None
) -> None:
    caught = judge(folder, member, tmp_path)
    assert isinstance(caught, Caught)
    assert caught.killed
    assert caught.departs == ""
    assert caught.verdict.command


@pytest.mark.parametrize(("folder", "member"), EQUIVALENTS, ids=names(EQUIVALENTS))
def test_an_equivalent_is_not_refused(
    folder: Path, member: Equivalent, tmp_path: Path, no_process_left: None
) -> None:
    assert judge(folder, member, tmp_path).departs == ""


def test_whoever_is_right_survives_and_is_named() -> None:
    """The check itself can fail: a member that is not wrong departs from the cast."""
    right = Member(
        name="nobody", workloads=["pingpong"], level=1, outcome=Outcome.FAIL, says="", breaks=["ACT-1"]
    )
    unharmed = Caught(right, Verdict(None, Outcome.PASS, "", "", "", 1.0))
    assert not unharmed.killed
    assert unharmed.departs == "pass: it passed"
    late = Caught(right, Verdict(3, Outcome.FAIL, "case", "words", "", 1.0))
    assert late.departs == "fail at level 3, expected fail at level 1: words"


def test_whoever_is_wrong_is_no_equivalent(tmp_path: Path) -> None:
    """The other check can fail as well, and what was merely not run is not accepted."""
    wrong = Equivalent(name="signed_lcg", workloads=["lcg-vectors"], allowed=["LCG-1"])
    refused = judge(FOLDER, wrong, tmp_path)
    assert isinstance(refused, Accepted)
    assert "value 1 is 11282, expected 54254" in refused.departs
    nowhere = wrong.model_copy(update={"workloads": ["no-such-case"]})
    assert "no-such-case: there is no such case" in judge(FOLDER, nowhere, tmp_path).departs


def test_two_at_a_time_each_get_their_verdict(tmp_path: Path) -> None:
    wanted = ("signed_lcg", "prints_garbage", "lcg_with_a_mask")
    chosen = [item for item in EVERYBODY if item[1].name in wanted]
    told: list[str] = []
    done = perform(chosen, tmp_path, jobs=2, watch=lambda judged: told.append(judged.member.name))
    assert [judged.departs for judged in done] == ["", "", ""]
    assert sorted(told) == sorted(wanted)


def test_a_mutant_is_not_certified(tmp_path: Path) -> None:
    """What judges the cast is what certifies."""
    mutant = find(designation(FOLDER, cast()[0]))
    done = certify([mutant], [1], tmp_path, pytest_arguments=["-x", "-k", "two-clients"])
    standing = next(iter(done.standings.values()))
    assert not standing.certified
    assert done.exit_code == Outcome.FAIL.exit_code
    assert cast()[0].says in standing.records[-1].message


def test_what_a_dying_implementation_said_last_is_in_the_verdict(tmp_path: Path) -> None:
    folder, member = next(item for item in CAST if item[1].name == "dies_of_a_signal")
    assert "about to crash" in judge(folder, member, tmp_path).verdict.message
    log = tmp_path / "dies_of_a_signal" / "stderr" / "pipes+dies_of_a_signal.log"
    assert "about to crash" in log.read_text()
