"""A machine that is too busy makes answers late, and nobody is blamed for it (LEVEL-35)."""

from pathlib import Path

import pytest
from control_kit import CHATAPP, Answering, serving

from dramaturg.conformance.result import outcome_of
from dramaturg.errors import Late, Starved
from dramaturg.mutation import reference_mutants
from dramaturg.outcomes import Outcome
from dramaturg.processes import starvation
from dramaturg.processes.starvation import Wanted


@pytest.fixture
def busy(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine on which the harness had no core."""
    monkeypatch.setattr(starvation.Own, "wanted", lambda self: Wanted(60.0, 0.6, 58.0))


def test_an_answer_that_is_late_on_a_busy_machine_is_not_judged(busy: None) -> None:
    answering = Answering()
    answering.hangs = "Run"
    with serving(answering) as session:
        session.prepare(CHATAPP)
        with pytest.raises(
            Starved,
            match=r"made-up: Run was not answered within 0\.2 s; the machine is too busy to tell:"
            r" the harness had a core for 0\.6 s",
        ) as caught:
            session.run(timeout=0.2)
    assert outcome_of(caught.value) is Outcome.NOT_RUN


def test_an_answer_that_is_late_otherwise_is_a_timeout() -> None:
    """Two seconds: of a fifth of one, the tests beside it may leave it nothing."""
    answering = Answering()
    answering.hangs = "Run"
    with serving(answering) as session:
        session.prepare(CHATAPP)
        with pytest.raises(Late) as caught:
            session.run(timeout=2)
    assert not isinstance(caught.value, Starved)
    assert outcome_of(caught.value) is Outcome.TIMEOUT


def test_the_trace_of_who_is_starved_is_not_asked_what_is_missing(
    busy: None, tmp_path: Path, no_process_left: None
) -> None:
    """A message that is only not yet there would be taken for lost."""
    member = next(m for _, m in reference_mutants.everybody()[0] if m.name == "dropped_forward")
    member = member.model_copy(update={"cases": ["two-clients-one-directory", "search-acts"]})
    caught = reference_mutants.judge(reference_mutants.FOLDER, member, tmp_path)
    assert isinstance(caught, reference_mutants.Caught)
    assert caught.verdict.outcome is Outcome.NOT_RUN
    assert "the machine is too busy to tell" in caught.verdict.message
