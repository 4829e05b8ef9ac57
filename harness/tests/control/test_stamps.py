"""The duration of a call is the time between its bytes, without the work on them."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from control_kit import PINGPONG, Answering, serving, speaking

from dramaturg.control import json_lines, rpc
from dramaturg.control.session import Session

LONG = 100_000_000
"""Nanoseconds that are spent on purpose."""

DONE = '{"id":ID,"reply":{"setup_nanos":1}}'


def slowly(work: Callable[..., Any]) -> Callable[..., Any]:
    """The same, with a rest before it."""

    def slow(*args: Any) -> Any:
        time.sleep(LONG / 1e9)
        return work(*args)

    return slow


def outside(session: Session) -> int:
    """Nanoseconds that a call of Prepare took and that are not in what it is said to have taken."""
    begun = time.monotonic_ns()
    session.prepare(PINGPONG)
    return time.monotonic_ns() - begun - session.passed["Prepare"]


def test_encoding_and_decoding_over_pipes_are_in_no_call(
    implementation_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with speaking(implementation_folder, prepare=[DONE]) as session:
        monkeypatch.setattr(json_lines, "request_line", slowly(json_lines.request_line))
        monkeypatch.setattr(json_lines, "parsed", slowly(json_lines.parsed))
        assert outside(session) >= 2 * LONG


def test_decoding_over_grpc_is_in_no_call(monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(Answering()) as session:
        monkeypatch.setattr(rpc, "_decoded", slowly(rpc._decoded))
        assert outside(session) >= LONG


def test_what_the_implementation_takes_is_in_its_call(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Answering, "Prepare", slowly(Answering.Prepare))
    with serving(Answering()) as session:
        session.prepare(PINGPONG)
    assert session.passed["Prepare"] >= LONG


def test_the_first_call_of_a_process_is_kept(implementation_folder: Path) -> None:
    with speaking(implementation_folder) as session:
        first = session.first
        assert first == session.passed["Describe"] > 0
        session.describe()
        assert session.first == first


def test_a_run_takes_as_long_as_its_call() -> None:
    with serving(Answering()) as session:
        session.prepare(PINGPONG)
        assert session.run().seconds == session.passed["Run"] / 1e9
