"""Cautions that are no fault, and one that is a fault of an invocation as a whole."""

from collections.abc import Callable
from typing import Any

import pytest
from timing_kit import Run

from dramaturg.outcomes import Outcome
from dramaturg.timing.planning.scenarios import Scenario
from dramaturg.timing.validity import audit_contrast
from dramaturg.timing.validity.plausibility import THIS_RUN, WorkCheck

StartFake = Callable[..., Any]


def test_work_that_could_not_be_judged_is_said(
    run: Run, start_fake: StartFake, small_chat: Scenario
) -> None:
    outcome, recorded = run(small_chat, start_fake(small_chat))
    assert outcome is Outcome.PASS
    judged = "not judged: its processes are not the harness's to look at"
    floor = "not run: no program of ours in a language of this toolchain"
    assert {sample.ledger.work_judged for sample in recorded.samples if sample.ledger} == {judged}
    assert recorded.units[0].doubts == [
        f"computing {judged} (MEAS-45)", f"the floor of its language: {floor} (MEAS-42)",
    ]  # fmt: skip


def test_invalid_iterations_whose_work_was_judged_leave_no_doubt_of_it(
    run: Run, start_fake: StartFake, small_chat: Scenario, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(check: WorkCheck, *words: Any, **more: Any) -> list[str]:
        check.judged = THIS_RUN
        return ["something else is wrong"]

    monkeypatch.setattr(WorkCheck, "problems", refused)
    outcome, recorded = run(small_chat, start_fake(small_chat))
    assert outcome is Outcome.FAIL
    assert not any("MEAS-45" in doubt for doubt in recorded.units[0].doubts)


def test_where_nothing_is_computed_nothing_is_said(
    run: Run, start_fake: StartFake, pingpong: Scenario
) -> None:
    _, recorded = run(pingpong, start_fake(pingpong))
    assert recorded.units[0].doubts == []
    assert recorded.units[0].margins == {"MEAS-33": 0.0}


def test_other_numbers_of_messages_than_audited_make_the_invocation_fail(
    run: Run, start_fake: StartFake, pingpong: Scenario, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(audit_contrast, "OTHER", 0.5)
    outcome, recorded = run(pingpong, start_fake(pingpong))
    assert outcome is Outcome.FAIL
    assert "the messages of those that were audited" in recorded.units[0].message
    assert recorded.units[0].certified is False


def test_a_run_that_is_shorter_than_its_probes_is_marked(
    run: Run, start_fake: StartFake, small_chat: Scenario, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(WorkCheck, "doubts", lambda self: ["0.62 of the time (MEAS-28)"])
    outcome, recorded = run(small_chat, start_fake(small_chat))
    assert outcome is Outcome.PASS
    assert "0.62 of the time (MEAS-28)" in recorded.units[0].doubts
