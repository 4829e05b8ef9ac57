"""Calls and their answers (spec/control.md)."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from threading import Event, Thread

import pytest
from port_kit import Process

from asyncio_actors.benchmarks.fanout import Runner
from asyncio_actors.benchmarks.fold import fold
from asyncio_actors.control.port import Answers

FANOUT = {"runners": 3, "tasks": 4, "window": 2}
WEB = {"browsers": 2, "workers": 3, "requests": 1, "fib_n": 3}


@pytest.fixture
def process() -> Iterator[Process]:
    process = Process()
    yield process
    process.end()


def test_a_world_is_run_and_torn_down(process: Process) -> None:
    assert "reply" in process.prepare("fanout", FANOUT)[0]
    assert process.call("run", salt=42) == [{"end": True}]
    *_, counts, footer, end = process.call("trace")
    receipt = process.receipt()
    completed, total = receipt["done"]["arguments"]
    assert completed == 12
    assert (
        total
        == sum(fold(fold(fold(42, runner), task), task) for runner in range(3) for task in range(4))
        % 2**32
    )
    assert (receipt["alive"], sum(counts["item"]["counts"]["taken"])) == (0, 25)
    assert (footer["item"]["footer"]["events"], end) == (25, {"end": True})


def test_a_second_world_knows_nothing_of_the_first(process: Process) -> None:
    receipts = []
    for _ in range(2):
        process.prepare("fanout", FANOUT)
        process.call("run", salt=7)
        receipts.append(process.receipt()["done"])
    assert receipts[0] == receipts[1]


def test_fields_that_nobody_knows_are_ignored(process: Process) -> None:
    assert "reply" in process.prepare("fanout", {**FANOUT, "colour": 3})[0]


def test_who_waits_for_teardown_is_told_to_end_there(process: Process) -> None:
    process.prepare("web", WEB)
    process.call("run", salt=0)
    assert process.receipt()["alive"] == 0


def test_an_actor_that_fails_is_named(process: Process, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Runner, "send", None)
    process.prepare("fanout", FANOUT)
    (answer,) = process.call("run", salt=0)
    assert answer["error"].startswith("runner/0 failed: TypeError: ")


def test_an_actor_that_fails_at_its_birth_is_named(
    process: Process, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Runner, "__init__", None)
    (answer,) = process.prepare("fanout", FANOUT)
    assert answer["error"].startswith("runner/0 failed: TypeError: ")


def test_an_actor_that_does_not_end_is_alive(
    process: Process, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Runner, "end", lambda self: None)
    process.prepare("fanout", FANOUT)
    process.call("run", salt=0)
    assert process.receipt()["alive"] == 3


def test_the_trace_is_answered_while_an_actor_computes(process: Process) -> None:
    """The event loop is busy with one message for longer than the test takes."""
    process.prepare("web", {**WEB, "fib_n": 32})
    run = process.begin("run", salt=0)
    while True:
        answers = process.call_now("trace")
        kinds = [
            kind
            for each in answers
            for kind in each.get("item", {}).get("batch", {}).get("kind", [])
        ]
        if kinds:
            break
    assert answers[-1] == {"end": True}
    assert process.answers(run) == []


def test_no_line_waits_until_a_trace_is_read(
    process: Process, monkeypatch: pytest.MonkeyPatch
) -> None:
    process.prepare("fanout", FANOUT)
    process.call("run", salt=0)
    monkeypatch.setattr(Answers, "write", lambda *_, **answer: Event().wait())
    asking = Thread(target=process.begin, args=("trace",), daemon=True)
    asking.start()
    asking.join(10)
    assert not asking.is_alive()


@pytest.mark.parametrize("run", [False, True])
def test_the_process_ends_with_its_input_whatever_is_under_way(run: bool) -> None:
    request = '{"id":1,"call":"prepare","request":{"benchmark":{"web":' + (
        '{"browsers":1,"workers":1,"requests":1,"fib_n":47}},"watches":[],"node":0,"peers":[],'
        '"secret":""}}\n{"id":2,"call":"run","request":{"salt":0}}\n'
    )
    ended = subprocess.run(
        [sys.executable, "-m", "asyncio_actors"],
        input=request.encode() if run else b"",
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[1] / "src")},
        timeout=30,
        check=False,
    )
    assert ended.returncode == 0
