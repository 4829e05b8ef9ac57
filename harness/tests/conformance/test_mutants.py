"""Every member of the negative cast is caught: with the right outcome, at the lowest level."""

from pathlib import Path

import pytest

from dramaturg import paths
from dramaturg.conformance.certification import Certification, certify
from dramaturg.control.manifest import find, load
from dramaturg.outcomes import Outcome
from dramaturg.results import CaseRecord

MUTANTS = paths.CONFORMANCE / "mutants"

EXPECTED = {
    # name: (level, outcome, words that its verdict contains)
    "dropped_forward": (1, Outcome.FAIL, "never received forward(turn=8"),
    "duplicated_stop": (1, Outcome.FAIL, "stop(level=1"),
    "history_off_by_one": (1, Outcome.FAIL, "expected forward(turn=4, level=2, payload=2)"),
    "removes_on_left": (3, Outcome.FAIL, "answered INTERNAL: chat/"),
    "early_confirm": (1, Outcome.FAIL, "actors are alive"),
    "signed_lcg": (0, Outcome.FAIL, "value 1 is 11282, expected 54254"),
    "choice_before_index": (1, Outcome.FAIL, "expected"),
    "leaked_chat": (1, Outcome.FAIL, "actors are alive"),
    "failing_actor": (0, Outcome.FAIL, "out of coffee"),
    "lying_receipt": (1, Outcome.FAIL, "deliveries is 1, expected 0"),
    "withheld_trace": (1, Outcome.FAIL, "without gaps"),
    "trace_without_footer": (1, Outcome.FAIL, "has no footer"),
    "oversized_batch": (1, Outcome.CRASH, "4194304 bytes"),
    "invented_kind": (1, Outcome.FAIL, "kind 95, which is no message"),
    "exits_in_an_act": (1, Outcome.CRASH, "exited with status 3"),
    "hangs_in_set_up": (0, Outcome.TIMEOUT, "was not answered within"),
    "never_serves": (0, Outcome.TIMEOUT, "does not serve its socket"),
    "works_only_untraced": (1, Outcome.FAIL, "never received settled()"),
}

PIPES = {
    "prints_garbage": (Outcome.CRASH, "DEBUG: prepare called"),
    "prints_a_list": (Outcome.CRASH, "must be a JSON object"),
    "answers_twice_too_high": (Outcome.CRASH, "a request that was not made"),
    "answers_with_unknown_field": (Outcome.CRASH, "setup_nano"),
    "answers_with_wrong_type": (Outcome.CRASH, "soon"),
    "answers_half_a_line": (Outcome.CRASH, "ended within a line"),
    "answers_a_huge_line": (Outcome.CRASH, "a line over 16777216 bytes"),
    "answers_no_object_as_error": (Outcome.CRASH, "an error must be an object"),
    "answers_unknown_code": (Outcome.CRASH, "TEAPOT"),
    "closes_its_output": (Outcome.CRASH, "standard output ended; it is still running"),
    "exits_silently": (Outcome.CRASH, "exited with status 0"),
    "dies_of_a_signal": (Outcome.CRASH, "killed by SIGSEGV"),
    "never_answers": (Outcome.TIMEOUT, "was not answered within"),
}


def stop_at_first(designation: str, folder: Path) -> tuple[Certification, CaseRecord]:
    # All of them are wrong in ChatApp or at the control port; the other benchmarks take time.
    arguments = ["-x", "-k", "chatapp or control"]
    done = certify([find(designation)], [0, 1, 3], folder, pytest_arguments=arguments)
    standing = next(iter(done.standings.values()))
    wrong = [record for record in standing.records if record.outcome is not Outcome.PASS]
    assert len(wrong) == 1, done.errors
    return done, wrong[0]


def test_the_cast_is_complete() -> None:
    assert set(load(MUTANTS).manifest.variants) == set(EXPECTED)
    assert set(load(MUTANTS / "pipes").manifest.variants) == set(PIPES)


@pytest.mark.parametrize("name", EXPECTED)
def test_a_wrong_implementation_is_caught(name: str, tmp_path: Path, no_process_left: None) -> None:
    level, outcome, words = EXPECTED[name]
    done, record = stop_at_first(f"{MUTANTS}+{name}", tmp_path)
    assert (record.level, record.outcome) == (level, outcome), record.message
    assert words in record.message
    assert record.command
    assert not any(standing.certified for standing in done.standings.values())
    assert done.exit_code == outcome.exit_code


@pytest.mark.parametrize("name", PIPES)
def test_a_broken_pipe_protocol_is_a_crash_that_quotes_the_line(
    name: str, tmp_path: Path, no_process_left: None
) -> None:
    outcome, words = PIPES[name]
    done, record = stop_at_first(f"{MUTANTS / 'pipes'}+{name}", tmp_path)
    assert (record.level, record.outcome) == (0, outcome), record.message
    assert words in record.message
    assert done.exit_code == outcome.exit_code


def test_what_a_dying_implementation_said_last_is_in_the_verdict(tmp_path: Path) -> None:
    _, record = stop_at_first(f"{MUTANTS / 'pipes'}+dies_of_a_signal", tmp_path)
    assert "about to crash" in record.message
    assert "about to crash" in (tmp_path / "stderr" / "pipes+dies_of_a_signal.log").read_text()
