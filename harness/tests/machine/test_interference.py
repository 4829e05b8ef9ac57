"""The part of the machine that others take, as the kernel tells it."""

import os
from pathlib import Path

import pytest

from dramaturg.machine import interference
from dramaturg.machine.interference import Interference, look

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


@pytest.mark.skipif(not Path("/proc/pressure/cpu").exists(), reason="this kernel tells no pressure")
def test_this_kernel_is_read() -> None:
    seen = interference.look()
    assert set(seen.pressure) <= set(interference.RESOURCES)
    assert all(stalled >= 0 for stalled in interference.look().since(seen).pressure.values())
