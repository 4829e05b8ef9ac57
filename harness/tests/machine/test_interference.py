"""The part of the machine that others take, as the kernel tells it."""

import os
import time
from pathlib import Path

import pytest

from dramaturg.machine import interference
from dramaturg.machine.interference import Interference, look
from dramaturg.processes.cores import Cores

TICK = 1_000_000_000 // os.sysconf("SC_CLK_TCK")

PSI = "some avg10=1.00 avg60=0.50 avg300=0.10 total={some}\nfull avg10=0.00 total={full}\n"


def proc(folder: Path, steal: str = "7", **pressure: str) -> Path:
    """A /proc of these."""
    (folder / "stat").write_text(f"cpu  1 2 3 4 5 6 7 {steal} 0 0\ncpu0 9 9 9 9 9 9 9 9 9 9\n")
    (folder / "pressure").mkdir(exist_ok=True)
    for name, text in pressure.items():
        (folder / "pressure" / name).write_text(text)
    return folder


def test_steal_is_of_all_cores_and_pressure_is_of_some_task(tmp_path: Path) -> None:
    seen = look(proc(tmp_path, cpu=PSI.format(some=120, full=3), io=PSI.format(some=5, full=5)))
    assert seen == Interference(7 * TICK, {"cpu": 120_000, "io": 5_000})


def test_only_what_came_between_counts(tmp_path: Path) -> None:
    before = look(proc(tmp_path, steal="7", cpu=PSI.format(some=120, full=0)))
    after = look(proc(tmp_path, steal="10", cpu=PSI.format(some=150, full=0)))
    assert after.since(before) == Interference(3 * TICK, {"cpu": 30_000})


@pytest.mark.parametrize(
    "said", ["", "cpu", "cpu 1 2", "intr 1 2 3 4 5 6 7 8 9", "cpu a b c d e f g h"]
)
def test_what_a_system_does_not_say_is_not_known_and_never_zero(tmp_path: Path, said: str) -> None:
    (tmp_path / "stat").write_text(said)
    seen = look(tmp_path)
    assert seen == Interference(None, {})
    assert look(tmp_path).since(seen).steal is None


@pytest.mark.parametrize("said", ["", "some\n", "some total\n", "some total=x\n", "full total=3\n"])
def test_pressure_that_cannot_be_read_is_left_out(tmp_path: Path, said: str) -> None:
    assert look(proc(tmp_path, cpu=said)).pressure == {}


def test_cores_that_are_not_idle_and_wait_for_no_disk_are_busy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In programs, the kernel and interrupts, or taken by a host or a quota."""
    monkeypatch.setattr(interference.quota, "throttled", lambda: 7)
    (tmp_path / "stat").write_text("cpu  1 2 4 1000 2000 8 16 32 4000 8000\ncpu0 1 1 1 1\n")
    assert interference.busy(tmp_path) == 63 * TICK + 7


def test_cores_are_busy_from_the_first_reading_to_the_last() -> None:
    assert Cores(90, 100, 0).since(Cores(10, 30, 0)) == 90
    assert Cores(90, None, 0).since(Cores(10, 30, 0)) is None
    assert Cores(90, 100, 0).since(Cores(None, 30, 0)) is None


def test_nothing_is_known_of_the_cores_where_what_is_said_is_another_s(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A guest that is charged for its host's work, and a container with a file of its own."""
    assert interference.busy() is not None
    with monkeypatch.context() as patched:
        patched.setattr(interference.usermode, "inside", lambda: True)
        assert interference.busy() is None
    (tmp_path / "stat").symlink_to("/proc/stat")
    assert interference.busy(tmp_path) is None


@pytest.mark.parametrize("said", ["", "cpu 1 2 3 4", "intr 1 2 3 4 5 6 7 8 9"])
def test_for_how_long_cores_were_busy_is_not_known_where_it_is_not_said(
    tmp_path: Path, said: str
) -> None:
    assert interference.busy(tmp_path) is None
    (tmp_path / "stat").write_text(said)
    assert interference.busy(tmp_path) is None


def test_a_busy_core_of_this_machine_is_seen() -> None:
    before, begun = interference.busy(), time.process_time_ns()
    while time.process_time_ns() - begun < 50 * TICK:
        pass
    after = interference.busy()
    assert before is not None
    assert after is not None
    assert after - before > 40 * TICK


@pytest.mark.skipif(not Path("/proc/pressure/cpu").exists(), reason="this kernel tells no pressure")
def test_this_kernel_is_read() -> None:
    seen = interference.look()
    assert set(seen.pressure) <= set(interference.RESOURCES)
    assert all(stalled >= 0 for stalled in interference.look().since(seen).pressure.values())
