"""Whatever happens to an implementation at whatever step: one case ends, with the right
outcome and a message that names the step, and the next one runs as if nothing had been."""

import os
import signal
from pathlib import Path

import psutil
import pytest
from fire_kit import faulty, perform_twice
from waiting import wait_until

from dramaturg.control import starting
from dramaturg.errors import Late
from dramaturg.outcomes import Outcome
from dramaturg.v2 import control_pb2

STEPS = {
    "start": "pingpong-one-round",
    "describe": "pingpong-one-round",
    "prepare": "pingpong-one-round",
    "act": "two-clients-one-directory",
    "turn": "turns",
    "run": "pingpong-one-round",
    "trace": "pingpong-one-round",
    "teardown": "two-clients-one-directory",
}
"""A case that gets as far as each step but the last."""

SAYS = {
    ("grpc", "killed"): "was killed by SIGKILL",
    ("grpc", "exits"): "exited with status 0",
    ("grpc", "cut"): "the connection is lost; the process is still running",
    ("stdio", "killed"): "its standard output ended; it was killed by SIGKILL",
    ("stdio", "exits"): "its standard output ended; it exited with status 0",
    ("stdio", "cut"): "its standard output ended; it is still running",
}


pytestmark = pytest.mark.usefixtures("impatient")


@pytest.mark.parametrize("fault", ["killed", "stopped", "exits", "cut"])
@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("control", ["grpc", "stdio"])
def test_a_fault_at_any_step_costs_one_case(
    control: str, step: str, fault: str, tmp_path: Path, temporary: Path, no_process_left: None
) -> None:
    implementation = faulty(tmp_path / "faulty", control, step, fault)
    first, second = perform_twice(implementation, STEPS[step], tmp_path)
    # Before there is a socket there is nothing to cut: it simply never serves one.
    if fault == "stopped" or (control, step, fault) == ("grpc", "start", "cut"):
        assert first.outcome is Outcome.TIMEOUT, first.message
        assert "not answered within" in first.message or "not serve its socket" in first.message
    else:
        assert first.outcome is Outcome.CRASH, first.message
        assert SAYS[control, fault] in first.message
    if step != "start":
        assert f"{step.capitalize()}" in first.message
    assert second.outcome is Outcome.PASS, second.message
    assert list(temporary.iterdir()) == []


def test_what_closes_its_input_is_found_out_at_a_later_call(
    tmp_path: Path, temporary: Path, no_process_left: None
) -> None:
    implementation = faulty(tmp_path / "faulty", "stdio", "prepare", "deaf")
    first, second = perform_twice(implementation, "pingpong-one-round", tmp_path)
    assert first.outcome is Outcome.CRASH
    assert "its standard input is closed; it is still running" in first.message
    assert second.outcome is Outcome.PASS, second.message


def test_what_dies_within_a_line_is_quoted(tmp_path: Path, no_process_left: None) -> None:
    implementation = faulty(tmp_path / "faulty", "stdio", "run", "half")
    first, second = perform_twice(implementation, "pingpong-one-round", tmp_path)
    assert first.outcome is Outcome.CRASH
    assert """ended within a line: '{"id": 1, "rep'""" in first.message
    assert second.outcome is Outcome.PASS, second.message


ENDS = {
    "waits": (Outcome.TIMEOUT, "still runs 2 s after the end of its standard input (CTRL-11)"),
    "stays": (Outcome.TIMEOUT, "still runs 2 s after the end of its standard input (CTRL-11)"),
    "stopped": (Outcome.TIMEOUT, "still runs 2 s after the end of its standard input (CTRL-11)"),
    "cut": (Outcome.TIMEOUT, "still runs 2 s after the end of its standard input (CTRL-11)"),
    "fails": (Outcome.CRASH, "exited with status 3 at the end of its standard input, not with 0"),
    "killed": (Outcome.CRASH, "was killed by SIGKILL at the end of its standard input, not with"),
}


@pytest.mark.parametrize("fault", ENDS)
@pytest.mark.parametrize("case", ["ends-with-its-input", "ends-with-its-input-while-running"])
@pytest.mark.parametrize("control", ["grpc", "stdio"])
def test_whoever_does_not_end_with_its_input_as_it_must_is_named_and_ended(
    control: str, case: str, fault: str, tmp_path: Path, temporary: Path, no_process_left: None
) -> None:
    implementation = faulty(tmp_path / "faulty", control, "end", fault)
    first, second = perform_twice(implementation, case, tmp_path)
    outcome, says = ENDS[fault]
    assert (first.outcome, second.outcome) == (outcome, Outcome.PASS), first.message
    assert says in first.message
    assert list(temporary.iterdir()) == []


def test_what_runs_when_the_input_ends_is_over_at_once(tmp_path: Path) -> None:
    """Four thousand million rounds of it."""
    implementation = faulty(tmp_path / "faulty", "stdio", "none", "waits")
    first, _ = perform_twice(implementation, "ends-with-its-input-while-running", tmp_path)
    assert first.outcome is Outcome.PASS, first.message


def test_a_daemon_that_keeps_the_pipe_open_is_ended(tmp_path: Path, temporary: Path) -> None:
    """It has left its parent, its group and its session, and nobody else could be waiting."""
    implementation = faulty(tmp_path / "faulty", "stdio", "prepare", "daemon")
    first, second = perform_twice(implementation, "pingpong-one-round", tmp_path)
    assert (first.outcome, second.outcome) == (Outcome.PASS, Outcome.PASS)
    daemon = int((tmp_path / "faulty" / "mark").read_text())
    assert wait_until(lambda: not psutil.pid_exists(daemon), 30)


def test_a_request_that_fills_the_pipe_of_who_is_stopped_is_late(
    tmp_path: Path, temporary: Path, no_process_left: None
) -> None:
    implementation = faulty(tmp_path / "faulty", "stdio", "none", "waits")
    long = control_pb2.Probe(lcg=control_pb2.Probe.Lcg(seed=1, moduli=[65535] * 50_000))
    with starting.start(implementation) as started:
        assert started.process is not None
        os.kill(started.process.pid, signal.SIGSTOP)
        with pytest.raises(Late, match="not answered within"):
            started.describe([long])
    assert list(temporary.iterdir()) == []
