"""Every MUST has a check, and somebody who was caught breaking it."""

import pytest

from dramaturg import paths, requirements
from dramaturg.mutation import requirements_file, traceability
from dramaturg.mutation.requirements_file import Trace

WRITTEN = requirements_file.written()
NOTHING_TO_REVIEW = "is for review, and yet lacks nothing"
KILLED = "mutant that was killed by what names it"
COLLECTED = traceability.collect(WRITTEN)


@pytest.mark.parametrize("name", traceability.musts())
def test_a_must_has_a_case_and_a_mutant_or_says_who_has_to_look(name: str) -> None:
    assert COLLECTED[name].gaps == ""


def test_the_file_and_the_page_are_current() -> None:
    """`dramaturg requirements` makes them so."""
    assert requirements_file.FILE.read_text() == traceability.text(COLLECTED)
    assert traceability.PAGE.read_text() == traceability.page(COLLECTED)


def test_few_requirements_are_left_to_review() -> None:
    reviewed = [name for name, trace in COLLECTED.items() if trace.review]
    assert len(reviewed) <= 3, "every further one is a hole in the suite"


@pytest.mark.parametrize(
    ("trace", "gaps"),
    [
        (Trace(), f"has no case and no {KILLED}"),
        (Trace(cases=["1-serial/chatapp/x"]), f"has no {KILLED}"),
        (Trace(cases=["1-serial/chatapp/x"], elsewhere=["y"]), f"has no {KILLED}"),
        (Trace(tests=["trace/test_replay.py"]), f"has no {KILLED}"),
        (Trace(mutants={"y": "x"}), "has no case"),
        (Trace(review="look"), ""),
        (Trace(cases=["x"], review="look"), ""),
        (Trace(cases=["x"], mutants={"y": "x"}), ""),
        (
            Trace(cases=["x"], mutants={"y": "x"}, review="look"),
            "is for review, and yet lacks nothing",
        ),
    ],
)
def test_a_gap_is_named(trace: Trace, gaps: str) -> None:
    assert trace.gaps == gaps


def test_what_is_only_recommended_needs_no_check() -> None:
    assert "IMPL-10" in requirements.load()
    assert "IMPL-10" not in traceability.musts()


def test_wrong_harnesses_break_what_exists_and_are_caught_by_tests_that_exist() -> None:
    known = set(requirements.load())
    for wrong in traceability.wrong_harnesses():
        assert set(wrong.breaks) <= known, wrong.name
        file, _, test = wrong.tests.partition("::")
        text = (paths.ROOT / "harness" / "tests" / file).read_text()
        assert not test or f"def {test}(" in text, wrong.name
