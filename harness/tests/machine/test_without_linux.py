"""A system that has nothing of what Linux alone has: levels 0 to 3 work there, and what is not
known is said, with the reason. Tried by taking it away."""

import os
import shutil
import sys
import time
from pathlib import Path

import psutil
import pytest

from dramaturg.conformance.certification import certify
from dramaturg.implementation.build import build
from dramaturg.implementation.manifest import find
from dramaturg.machine import environment, floors
from dramaturg.plan.case_plan import make
from dramaturg.processes import consumption, supervised
from dramaturg.processes.supervised import Supervised


@pytest.fixture(autouse=True)
def elsewhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Neither /proc nor cgroups, neither affinity nor setpriv nor unshare."""
    which = shutil.which

    def found(name: str, *rest: object, **more: object) -> str | None:
        gone = ("setpriv", "unshare", "ip", "tc", "apt-get", "systemd-detect-virt")
        return None if name in gone else which(name, *rest, **more)

    monkeypatch.setattr(consumption, "PROC", tmp_path / "no-proc")
    monkeypatch.setattr(environment, "_PROC", tmp_path / "no-proc")
    monkeypatch.setattr(consumption, "_available", lambda: (None, "this is no Linux"))
    monkeypatch.delattr(os, "sched_getaffinity")
    monkeypatch.setattr(shutil, "which", found)


@pytest.mark.parametrize("name", ["asyncio", "reference"])
def test_levels_0_to_3_need_nothing_of_it(name: str, tmp_path: Path) -> None:
    implementation = find(name)
    build(implementation)
    wanted = [
        item.path
        for item in make([implementation], [0, 1, 2, 3]).items
        if item.case.benchmark in ("control", "pingpong") and not item.case.message.large
    ]
    # In this process: others have not lost what Linux has.
    plan = make([implementation], [0, 1, 2, 3]).only(wanted)
    done = certify(plan, tmp_path, pytest_arguments=["-n", "0"])
    standing = done.standings[name]
    assert {record.level for record in standing.records} == {0, 1, 2, 3}
    assert [record for record in standing.records if record.outcome != "pass"] == []
    assert done.errors == []


def test_what_is_not_known_is_said_with_the_reason() -> None:
    captured = environment.capture()
    assert captured["cpu"]["pinned_to"] is None
    assert [said.partition(": ")[2] for said in captured["unknown"]] == [
        "this system does not say", "there is no /proc here", "setpriv is not here"
    ]  # fmt: skip


def test_the_floors_are_measured_all_the_same() -> None:
    cost = floors.calibrate()
    assert cost.cores == os.cpu_count()


def test_consumption_is_what_psutil_says(tmp_path: Path) -> None:
    script = "print(1, flush=True)\nx = 0\nwhile True: x += 1"
    command = [sys.executable, "-c", script]
    with Supervised.start(command, cwd=tmp_path, environment=os.environ) as process:
        assert process.popen.stdout is not None
        process.popen.stdout.readline()
        deadline = time.monotonic() + 30
        while not process.consumption.look().cpu_seconds and time.monotonic() < deadline:
            time.sleep(0.02)
        used = process.consumption.look()
        assert used.cpu_seconds > 0
        assert used.held_memory > 0
        assert process.consumption.source == "psutil, of live processes (this is no Linux)"
        pid = process.pid
        assert process.consumption.pids() == {pid}
    assert not psutil.pid_exists(pid)


def test_who_leaves_its_group_is_found_by_its_environment(tmp_path: Path) -> None:
    mark = tmp_path / "pid"
    daemon = f"import os, time; open({str(mark)!r}, 'w').write(str(os.getpid())); time.sleep(60)"
    script = (
        "import subprocess, sys, time\n"
        f"subprocess.Popen([sys.executable, '-c', {daemon!r}], start_new_session=True)\n"
        "time.sleep(60)"
    )
    command = [sys.executable, "-c", script]
    with Supervised.start(command, cwd=tmp_path, environment=os.environ):
        deadline = time.monotonic() + 30
        while not (mark.exists() and mark.read_text()) and time.monotonic() < deadline:
            time.sleep(0.02)
        pid = int(mark.read_text())
        assert psutil.pid_exists(pid)
    deadline = time.monotonic() + supervised.GRACE
    while psutil.pid_exists(pid) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not psutil.pid_exists(pid) or psutil.Process(pid).status() == psutil.STATUS_ZOMBIE
