"""Nothing that is run can stop the harness for ever, whatever it does with what it has written."""

import os
import select
import signal
import subprocess
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from dramaturg import paths
from dramaturg.outcomes import Outcome
from dramaturg.processes import capped, watchdog
from dramaturg.processes.capped import Capped

PATIENCE = 30.0
"""Seconds for what takes milliseconds, and took for ever."""


def test_who_reads_back_what_it_has_written_holds_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Through ``/proc/self/fd/1``, between the moment at which something is there and the read."""
    there, stolen = select.select, []

    def steals(*ends: Any) -> Any:
        found = there(*ends)
        if not stolen:
            stolen.append(os.read(thief, 100))
        return found

    with Capped(tmp_path / "log") as said:
        thief = os.open(f"/proc/self/fd/{said.fileno()}", os.O_RDONLY | os.O_NONBLOCK)
        # The thread stands in select by now, or has not begun: either way the next one steals.
        os.write(said.fileno(), b"first\n")
        said.settle()
        monkeypatch.setattr(capped.select, "select", steals)
        os.write(said.fileno(), b"second\n")
        said.settle()
        os.write(said.fileno(), b"third\n")
        until = time.monotonic() + PATIENCE
        while not stolen and time.monotonic() < until:
            time.sleep(0.01)
        assert said._copying.acquire(timeout=5), "nobody holds it who waits for what was stolen"
        said._copying.release()
        asked = threading.Thread(target=said.settle, daemon=True)
        asked.start()
        asked.join(PATIENCE)
        assert not asked.is_alive()
        os.write(said.fileno(), b"last\n")
        said.settle()
        os.close(thief)
    assert stolen, "the attack was tried"
    assert (tmp_path / "log").read_bytes().endswith(b"last\n")


def test_a_lock_that_another_holds_is_waited_for_within_limits(tmp_path: Path) -> None:
    with Capped(tmp_path / "log") as said, said._copying:
        began = time.monotonic()
        asked = threading.Thread(target=said.settle, daemon=True)
        asked.start()
        asked.join(PATIENCE)
        assert not asked.is_alive() and time.monotonic() - began < PATIENCE


STUCK = """\
import os, sys, threading, time
from dramaturg.processes import watchdog
watchdog.OVERTIME, watchdog.TICK = {overtime}, 0.05
with watchdog.within({limit}, "thief: Run"):
    print("inside", flush=True)
    {what}
print("out")
"""


def started(what: str, limit: float = 0.2, overtime: float = 0.2) -> "subprocess.Popen[str]":
    program = STUCK.format(what=what, limit=limit, overtime=overtime)
    return subprocess.Popen(
        paths.python("-c", program), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def ended(process: "subprocess.Popen[str]") -> tuple[str, str]:
    """Return its output. It is not left running, whatever the watchdog does."""
    try:
        return process.communicate(timeout=PATIENCE)
    finally:
        process.kill()
        process.wait()


@pytest.mark.parametrize(
    "what", ["os.read(os.pipe()[0], 1)", "lock = threading.Lock(); lock.acquire(); lock.acquire()"]
)
def test_what_is_stuck_past_every_limit_ends_with_a_reason(what: str) -> None:
    process = started(what)
    out, said = ended(process)
    assert process.returncode == Outcome.HARNESS_FAULT.exit_code == watchdog._FAULT
    assert "harness fault: thief: Run (limit 0 s) is" in said
    assert out == "inside\n"


def test_what_ends_within_its_limit_is_left_alone() -> None:
    process = started("pass")
    assert ended(process) == ("inside\nout\n", "")
    assert process.returncode == 0


def test_a_harness_that_was_stopped_for_long_is_not_late_by_that() -> None:
    process = started("time.sleep(0.1)", limit=3.0, overtime=0.0)
    assert process.stdout is not None and process.stdout.readline() == "inside\n"
    process.send_signal(signal.SIGSTOP)
    time.sleep(4.0)
    process.send_signal(signal.SIGCONT)
    out, said = ended(process)
    assert (process.returncode, out, said) == (0, "out\n", "")
