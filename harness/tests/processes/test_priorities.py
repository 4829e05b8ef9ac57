"""Whoever goes ahead of the harness itself is named (MEAS-63)."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from dramaturg.processes import consumption, priorities
from dramaturg.processes.priorities import _Priority
from dramaturg.processes.supervised import Supervised

OTHER, FIFO, BATCH, IDLE, DEADLINE = 0, 1, 3, 5, 6
ORDINARY = _Priority(OTHER, 0, 0)


def held(
    monkeypatch: pytest.MonkeyPatch, theirs: list[_Priority], own: _Priority = ORDINARY
) -> list[str]:
    """What is found of a process with such threads."""

    def threads(pid: int) -> Iterator[tuple[int, _Priority]]:
        yield from enumerate([own] if pid == os.getpid() else theirs, start=100)

    monkeypatch.setattr(priorities, "_threads", threads)
    return priorities.ahead([1])


@pytest.mark.parametrize(
    ("own", "theirs"),
    [
        (ORDINARY, _Priority(OTHER, -1, 0)),
        (ORDINARY, _Priority(BATCH, -20, 0)),
        (ORDINARY, _Priority(FIFO, 0, 1)),
        (ORDINARY, _Priority(DEADLINE, 0, 0)),
        (_Priority(OTHER, 10, 0), ORDINARY),
        (_Priority(IDLE, -20, 0), _Priority(OTHER, 19, 0)),
        (_Priority(FIFO, 0, 1), _Priority(FIFO, 0, 2)),
    ],
)
def test_who_goes_first_is_named(
    monkeypatch: pytest.MonkeyPatch, own: _Priority, theirs: _Priority
) -> None:
    (said,) = held(monkeypatch, [own, theirs], own)
    assert said.startswith("thread 101 of process 1 (")
    assert f"has the priority {theirs}, expected none above the harness's own, {own}" in said
    assert said.endswith("(MEAS-63)")
    # And nobody the other way round.
    assert held(monkeypatch, [own, theirs], theirs) == []


def test_who_stands_back_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    behind = [ORDINARY, _Priority(OTHER, 5, 0), _Priority(BATCH, 0, 0), _Priority(IDLE, -20, 0)]
    assert held(monkeypatch, behind) == []


SCRIPT = """
import os, subprocess, sys
from dramaturg.processes import priorities
os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))
child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
print(len(priorities.ahead([child.pid])))
{change}
print(*priorities.ahead([child.pid]))
child.communicate(b"\\n")
"""


@pytest.mark.parametrize(
    ("change", "own"),
    [
        ("os.nice(1)", "SCHED_OTHER, nice"),
        ("os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))", "SCHED_IDLE"),
    ],
)
def test_the_kernel_says_so(change: str, own: str) -> None:
    """Without rights nobody rises, so the harness's own priority sinks."""
    script = SCRIPT.format(change=change)
    ran = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False
    )
    if "PermissionError" in ran.stderr:
        pytest.skip("these tests run at a priority that may not be left")
    assert ran.returncode == 0, ran.stderr
    before, after = ran.stdout.splitlines()
    assert before == "0"
    assert "has the priority SCHED_OTHER" in after
    assert f"the harness's own, {own}" in after


@pytest.mark.parametrize("cgroup", [True, False])
def test_it_is_found_with_those_who_leave(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cgroup: bool
) -> None:
    if not cgroup:
        monkeypatch.setattr(consumption, "_available", lambda: (None, "a test"))
    asked: list[set[int]] = []

    def ahead(pids: set[int]) -> list[str]:
        asked.append(pids)
        return ["thread 1 goes ahead (MEAS-63)"]

    monkeypatch.setattr(priorities, "ahead", ahead)
    command = [sys.executable, "-c", "print(flush=True); input()"]
    with Supervised.start(command, cwd=tmp_path, environment=os.environ) as process:
        assert process.popen.stdout is not None
        process.popen.stdout.readline()
        assert process.consumption.strays() == ["thread 1 goes ahead (MEAS-63)"]
        assert process.pid in asked[0]


def test_each_names_what_it_breaks() -> None:
    assert consumption.broken("thread 1 goes ahead (MEAS-63)") == "MEAS-63"
    assert consumption.broken("process 7 is elsewhere (MEAS-40)") == "MEAS-40"
