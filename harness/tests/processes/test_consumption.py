"""CPU time and memory of a process with all its descendants, however they are counted."""

import os
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from dramaturg.processes import consumption
from dramaturg.processes.consumption import Used
from dramaturg.processes.supervised import Supervised

WORK = "import time\nend = time.process_time() + 0.15\nwhile time.process_time() < end: pass\n"
SAID = "print('done', flush=True)\nimport sys; sys.stdin.read()\n"

HELD = 64 << 20


@pytest.fixture(params=["cgroup v2", "/proc"])
def source(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Each way of counting, where this machine has it."""
    if request.param == "/proc":
        monkeypatch.setattr(consumption, "_available", lambda: (None, "a test"))
    elif consumption.why_no_cgroup():
        pytest.skip(consumption.why_no_cgroup())
    yield request.param


def used(script: str, folder: Path) -> Used:
    """Return the consumption when the script had said that it is done."""
    process = Supervised.start([sys.executable, "-c", script], cwd=folder, environment=os.environ)
    with process:
        assert process.popen.stdout is not None
        assert process.popen.stdout.readline() == b"done\n"
        return process.consumption.look()


def test_work_of_the_process_itself_is_counted(source: str, tmp_path: Path) -> None:
    assert used(WORK + SAID, tmp_path).cpu_seconds >= 0.15 - consumption.LATE


def test_work_of_a_child_that_has_ended_is_counted(source: str, tmp_path: Path) -> None:
    script = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {WORK!r}])\n{SAID}"
    now = used(script, tmp_path)
    assert now.cpu_seconds >= 0.15 - now.late


def test_work_of_a_daemon_is_counted(source: str, tmp_path: Path) -> None:
    daemon = f"import os\nif os.fork(): os._exit(0)\nos.setsid()\n{WORK}{SAID}"
    script = (
        "import subprocess, sys, time\n"
        f"subprocess.run([sys.executable, '-c', {daemon!r}])\ntime.sleep(60)\n"
    )
    now = used(script, tmp_path)
    assert now.cpu_seconds >= 0.15 - now.late


def test_threads_are_counted_also_those_of_children(source: str, tmp_path: Path) -> None:
    threads = (
        "import threading, time\n"
        "for _ in range(20): threading.Thread(target=time.sleep, args=(60,), daemon=True).start()\n"
    )
    script = (
        "import subprocess, sys\n"
        f"child = [sys.executable, '-c', {threads + SAID!r}]\n"
        "made = subprocess.Popen(child, stdin=subprocess.PIPE, stdout=subprocess.PIPE)\n"
        f"made.stdout.readline()\n{threads}{SAID}"
    )
    assert used(script, tmp_path).threads == 42


def test_memory_is_counted_while_it_is_held(source: str, tmp_path: Path) -> None:
    holding = used(f"kept = bytearray({HELD})\n{SAID}", tmp_path)
    assert holding.held_memory > HELD
    let_go = used(f"kept = bytearray({HELD})\ndel kept\n{SAID}", tmp_path)
    assert let_go.held_memory < HELD < let_go.peak_memory


def test_who_has_gone_holds_nothing(source: str, tmp_path: Path) -> None:
    process = Supervised.start(["true"], cwd=tmp_path, environment=os.environ)
    with process:
        process.wait(30)
        assert process.consumption.look().held_memory == 0


def test_the_source_is_named_with_the_reason_for_it(source: str, tmp_path: Path) -> None:
    process = Supervised.start(["true"], cwd=tmp_path, environment=os.environ)
    with process:
        expected = "/proc, of live processes (a test)" if source == "/proc" else source
        assert process.consumption.source == expected


def test_no_cgroup_is_left_behind(source: str, tmp_path: Path) -> None:
    process = Supervised.start(["sleep", "60"], cwd=tmp_path, environment=os.environ)
    with process:
        made = process.consumption._cgroup
        assert (made is None) == (source == "/proc")
    assert made is None or not made.exists()


@pytest.mark.parametrize(
    ("mounts", "membership", "why"),
    [
        ("proc /proc proc rw 0 0\n", "0::/\n", "no cgroup v2 is mounted"),
        ("cgroup2 /c cgroup2 rw 0 0\n", "1:cpu:/\n", "no cgroup v2"),
        ("cgroup2 /c cgroup2 rw 0 0\n", "1:cpu:/x\n0::/y\n", "/c/y"),
    ],
)
def test_why_there_is_no_cgroup_is_told(
    mounts: str, membership: str, why: str, tmp_path: Path
) -> None:
    (tmp_path / "mounts").write_text(mounts)
    (tmp_path / "cgroup").write_text(membership)
    found, said = consumption._own(tmp_path / "mounts", tmp_path / "cgroup")
    assert str(found or said) == why


def test_a_cgroup_that_cannot_be_made_is_a_reason(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(consumption, "_own", lambda: (tmp_path / "absent", ""))
    consumption._available.cache_clear()
    try:
        assert "no cgroup can be made in" in consumption.why_no_cgroup()
    finally:
        consumption._available.cache_clear()


def test_what_a_killed_harness_left_is_removed(tmp_path: Path) -> None:
    of_nobody, mine = tmp_path / "dramaturg-999999999-0", tmp_path / f"dramaturg-{os.getpid()}-0"
    for folder in (of_nobody, mine):
        folder.mkdir()
    consumption._sweep(tmp_path)
    assert (of_nobody.exists(), mine.exists()) == (False, True)


def test_a_look_costs_little(source: str, tmp_path: Path) -> None:
    """It is taken twice in each iteration, between its calls."""
    process = Supervised.start(["sleep", "60"], cwd=tmp_path, environment=os.environ)
    with process:
        begun = time.process_time()
        for _ in range(10):
            process.consumption.look()
        assert time.process_time() - begun < 1.0


def test_a_thread_knows_how_long_it_has_waited_itself() -> None:
    own = threading.get_native_id()
    before = consumption.waits_of(os.getpid())[own]
    found = consumption.own_wait()
    assert before <= found <= consumption.waits_of(os.getpid())[own]
    assert consumption.waits_of(os.getpid())[own] > 0
