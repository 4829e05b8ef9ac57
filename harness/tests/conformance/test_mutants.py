"""Every member of the negative cast is caught: with the right outcome, at the lowest level."""

from pathlib import Path

import pytest

from dramaturg.conformance.certification import Certification, certify
from dramaturg.conformance.mutants import FOLDERS, Caught, Member, cast, designation, perform
from dramaturg.control.manifest import find, load
from dramaturg.outcomes import Outcome
from dramaturg.results import CaseRecord

MUTANTS, PIPES = FOLDERS
CAST = [(folder, member) for folder in FOLDERS for member in cast(folder)]


def stop_at_first(folder: Path, member: Member, output: Path) -> tuple[Certification, CaseRecord]:
    arguments = ["-x", "-k", member.plays]
    implementation = find(designation(folder, member))
    done = certify([implementation], [0, 1, 3], output, pytest_arguments=arguments)
    standing = next(iter(done.standings.values()))
    wrong = [record for record in standing.records if record.outcome is not Outcome.PASS]
    assert len(wrong) == 1, done.errors
    return done, wrong[0]


@pytest.mark.parametrize("folder", FOLDERS)
def test_the_cast_is_complete(folder: Path) -> None:
    assert [member.name for member in cast(folder)] == list(load(folder).manifest.variants)


@pytest.mark.parametrize(("folder", "member"), CAST, ids=[member.name for _, member in CAST])
def test_a_wrong_implementation_is_caught(
    folder: Path, member: Member, tmp_path: Path, no_process_left: None
) -> None:
    done, record = stop_at_first(folder, member, tmp_path)
    assert (record.level, record.outcome) == (member.level, member.outcome), record.message
    assert member.says in record.message
    assert record.command
    assert not any(standing.certified for standing in done.standings.values())
    assert done.exit_code == member.outcome.exit_code


def test_whoever_is_right_survives_and_is_named(tmp_path: Path) -> None:
    """The check itself can fail: a member that is not wrong departs from the cast."""
    right = Member(name="nobody", plays="pingpong", level=1, outcome=Outcome.FAIL, says="")
    unharmed = Caught(right, None, Outcome.PASS, "", "", 1.0)
    assert not unharmed.killed
    assert unharmed.departs == "pass: it passed"
    late = Caught(right, 3, Outcome.FAIL, "case", "words", 1.0)
    assert late.departs == "fail at level 3, expected fail at level 1: words"


def test_two_of_the_cast_at_a_time_each_get_their_verdict(tmp_path: Path) -> None:
    chosen = [item for item in CAST if item[1].name in ("signed_lcg", "prints_garbage")]
    done = perform(chosen, tmp_path, jobs=2)
    assert [(caught.killed, caught.departs) for caught in done] == [(True, ""), (True, "")]


def test_what_a_dying_implementation_said_last_is_in_the_verdict(tmp_path: Path) -> None:
    member = next(member for member in cast(PIPES) if member.name == "dies_of_a_signal")
    _, record = stop_at_first(PIPES, member, tmp_path)
    assert "about to crash" in record.message
    assert "about to crash" in (tmp_path / "stderr" / "pipes+dies_of_a_signal.log").read_text()
