"""Every mutant is caught, as expected; no equivalent is refused.

The case on record as the first that catches a mutant is performed before all others, and mostly
alone. ``dramaturg mutants`` performs them in their order, so it would say if another came first.
"""

import ast
import re
from pathlib import Path

import pytest

from dramaturg import paths
from dramaturg.cases.cases import load_all
from dramaturg.conformance.certification import certify
from dramaturg.implementation.manifest import FILE_NAME, find, load
from dramaturg.mutation import kills
from dramaturg.mutation.reference_mutants import (
    EQUIVALENT_FOLDERS,
    FOLDER,
    FOLDERS,
    TIMED,
    Accepted,
    Caught,
    Equivalent,
    Item,
    Mutant,
    Verdict,
    designation,
    everybody,
    expected,
    judge,
    perform,
    put_to,
    variants,
)
from dramaturg.mutation.traceability import wrong_harnesses
from dramaturg.outcomes import Outcome
from dramaturg.plan.case_plan import make

MUTANTS, EQUIVALENTS = everybody()
KILLS = kills.written()
EVERYBODY = MUTANTS + EQUIVALENTS


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
def test_a_folder_is_complete(folder: Path) -> None:
    """As many functions as names, and every one of them says what it is."""
    assert sorted(entries(folder)) == sorted(changes(folder))
    assert [name for name, said in changes(folder).items() if not said] == []


@pytest.mark.parametrize("folder", [*FOLDERS, *EQUIVALENT_FOLDERS])
def test_a_manifest_names_a_variant_for_each(folder: Path) -> None:
    """`dramaturg mutants` writes them, so that nobody is named there by hand."""
    manifest = (folder / FILE_NAME).read_text()
    here = [item for item in EVERYBODY if item[0] == folder]
    assert manifest == variants(manifest, here)
    assert entries(folder) == list(load(folder).manifest.variants)


def test_a_variant_that_is_not_named_any_more_goes(tmp_path: Path) -> None:
    manifest = (FOLDER / FILE_NAME).read_text()
    fewer = variants(manifest, [item for item in MUTANTS if item[0] == FOLDER][:1])
    (tmp_path / FILE_NAME).write_text(fewer)
    assert list(load(tmp_path).manifest.variants) == ["dropped_forward"]
    assert load(tmp_path).manifest.run == load(FOLDER).manifest.run


def test_there_are_many_and_nobody_twice() -> None:
    assert len(MUTANTS) >= 300
    assert len(EQUIVALENTS) >= 50
    assert len(set(names(EVERYBODY))) == len(EVERYBODY)


def test_the_page_on_belief_counts_everybody() -> None:
    page = (paths.ROOT / "docs" / "why-believe-a-verdict.md").read_text()
    assert f"{len(MUTANTS)} mutants" in page
    assert f"{len(EQUIVALENTS)} equivalents" in page
    assert f"{len(wrong_harnesses())} wrong harnesses" in page


def test_everybody_names_requirements_that_exist() -> None:
    text = "".join(file.read_text() for file in paths.SPEC.glob("*.md"))
    defined = set(re.findall(r"^\| ([A-Z]+-\d+) \|", text, re.MULTILINE))
    for _, member in EVERYBODY:
        named = member.breaks if isinstance(member, Mutant) else member.allowed
        assert set(named) <= defined, member.name


@pytest.mark.parametrize("items", [MUTANTS, EQUIVALENTS], ids=["mutants", "equivalents"])
def test_somebody_is_put_to_every_benchmark_and_every_drive(items: list[Item]) -> None:
    cases = [case for case in load_all() if case.nodes == 1]
    known = {case.benchmark for case in cases} | {case.name for case in cases}
    named = {word for _, member in items for word in member.cases}
    assert named <= known
    chosen = [case for case in cases if named & {case.name, case.benchmark}]
    assert {case.benchmark for case in chosen} == {case.benchmark for case in cases}
    assert {case.drive for case in chosen} == {case.drive for case in cases}


def test_only_who_is_caught_timed_says_how_it_is_timed() -> None:
    for _, member in MUTANTS:
        assert isinstance(member, Mutant)
        assert bool(member.bench) == (member.level == TIMED), member.name


# These keep what an earlier case left, so their cases stay in their order.
CARRIED_OVER = {"turns_of_the_last_world", "watches_of_the_first_world"}


@pytest.mark.sampled(8)
@pytest.mark.parametrize(("folder", "member"), MUTANTS, ids=names(MUTANTS))
def test_a_wrong_implementation_is_caught(
    folder: Path, member: Mutant, tmp_path: Path, no_process_left: None
) -> None:
    first = "" if member.name in CARRIED_OVER else KILLS[member.name].by
    caught = judge(folder, member, tmp_path, before=first)
    assert isinstance(caught, Caught)
    assert caught.killed
    assert caught.departs == ""
    assert caught.verdict.command


@pytest.mark.sampled(8)
@pytest.mark.parametrize(("folder", "member"), EQUIVALENTS, ids=names(EQUIVALENTS))
def test_an_equivalent_is_not_refused(
    folder: Path, member: Equivalent, tmp_path: Path, no_process_left: None
) -> None:
    assert judge(folder, member, tmp_path).departs == ""


def test_whoever_is_right_survives_and_is_named() -> None:
    """The check itself can fail: a program that is not wrong departs from what is expected."""
    right = Mutant(
        name="nobody", cases=["pingpong"], level=1, outcome=Outcome.FAIL, says="", breaks=["ACT-1"]
    )
    unharmed = Caught(right, Verdict(None, Outcome.PASS, "", "", "", 1.0))
    assert not unharmed.killed
    assert unharmed.departs == "pass: it passed"
    late = Caught(right, Verdict(3, Outcome.FAIL, "case", "words", "", 1.0))
    assert late.departs == "fail at level 3, expected fail at level 1: words"


def test_whoever_is_wrong_is_no_equivalent(tmp_path: Path) -> None:
    """The other check can fail as well, and what was merely not run is not accepted."""
    wrong = Equivalent(name="signed_lcg", cases=["lcg-vectors"], allowed=["LCG-1"])
    refused = judge(FOLDER, wrong, tmp_path)
    assert isinstance(refused, Accepted)
    assert "value 1 is 11282, expected 54254" in refused.departs
    nowhere = wrong.model_copy(update={"cases": ["no-such-case"]})
    assert "no-such-case: there is no such case" in judge(FOLDER, nowhere, tmp_path).departs


def test_only_who_names_a_large_case_is_put_to_it() -> None:
    reference = find("reference")
    everything = Equivalent(name="x", cases=["pingpong"], allowed=["ACT-1"])
    named = everything.model_copy(update={"cases": ["pingpong-unwatched"]})
    assert not any(item.case.message.large for item in put_to(reference, everything))
    assert [item.case.name for item in put_to(reference, named)] == ["pingpong-unwatched"]


def test_two_at_a_time_each_get_their_verdict(tmp_path: Path) -> None:
    wanted = ("signed_lcg", "prints_garbage", "lcg_with_a_mask")
    chosen = [item for item in EVERYBODY if item[1].name in wanted]
    told: list[str] = []
    done = perform(chosen, tmp_path, jobs=2, watch=lambda judged: told.append(judged.member.name))
    assert [judged.departs for judged in done] == ["", "", ""]
    assert sorted(told) == sorted(wanted)


def test_a_mutant_is_not_certified(tmp_path: Path) -> None:
    """Mutants are judged by the code that certifies."""
    mutant = find(designation(FOLDER, expected()[0]))
    done = certify(make([mutant], [1]), tmp_path, pytest_arguments=["-x", "-k", "two-clients"])
    standing = next(iter(done.standings.values()))
    assert not standing.certified
    assert done.exit_code == Outcome.FAIL.exit_code
    assert expected()[0].says in standing.records[-1].message


def test_what_a_dying_implementation_said_last_is_in_the_verdict(tmp_path: Path) -> None:
    folder, member = next(item for item in MUTANTS if item[1].name == "dies_of_a_signal")
    verdict = judge(folder, member, tmp_path).verdict
    assert "about to crash" in verdict.explanation
    assert "\n" not in verdict.message
    log = tmp_path / "dies_of_a_signal" / "stderr" / "pipes+dies_of_a_signal.log"
    assert "about to crash" in log.read_text()
