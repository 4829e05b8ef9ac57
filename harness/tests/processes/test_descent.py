"""Whoever descends from what was started is known, counted and ended (MEAS-40, MEAS-41)."""

import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from waiting import wait_until

from dramaturg.processes import consumption, descent
from dramaturg.processes.supervised import Supervised

SAID = "print('done', flush=True)\nimport sys; sys.stdin.read()\n"
BUSY = "import time\nend = time.process_time() + 0.5\nwhile time.process_time() < end: pass\n"


@pytest.fixture
def root() -> Iterator[str]:
    """A cgroup outside of all that are made for processes."""
    parent = consumption.parent_cgroup()
    if parent is None:
        pytest.skip(consumption.why_no_cgroup())
    made = parent / f"elsewhere-{os.getpid()}"
    made.mkdir()
    yield str(made)
    consumption._removed(made)


def leaving(cgroup: str) -> str:
    return f"open({cgroup + '/cgroup.procs'!r}, 'w').write('0')\n"


def daemon(then: str) -> str:
    """It forks twice, in a session of its own and without an environment."""
    inner = (
        "import os, sys\nif os.fork(): os._exit(0)\nos.setsid()\nif os.fork(): os._exit(0)\n"
        f"{then}\nprint(os.getpid(), flush=True)\nos.close(1)\nimport time\ntime.sleep(600)\n"
    )
    return (
        "import subprocess, sys\n"
        f"made = subprocess.Popen([sys.executable, '-c', {inner!r}], env={{}},"
        " stdout=subprocess.PIPE)\n"
        "pid = int(made.stdout.readline()); made.wait()\nprint(pid, flush=True)\n"
    )


def started(script: str, folder: Path) -> Supervised:
    return Supervised.start([sys.executable, "-c", script], cwd=folder, environment=os.environ)


def line(process: Supervised) -> str:
    assert process.popen.stdout is not None
    return str(process.popen.stdout.readline(), "ascii").strip()


def test_who_stays_is_no_stray(tmp_path: Path) -> None:
    with started(BUSY + SAID, tmp_path) as process:
        assert line(process) == "done"
        assert process.consumption.strays() == []


def test_who_leaves_its_cgroup_is_named(root: str, tmp_path: Path) -> None:
    with started(leaving(root) + SAID, tmp_path) as process:
        assert line(process) == "done"
        (said,) = process.consumption.strays()
        assert said.startswith(f"process {process.pid} ({sys.executable}")
        assert f"is in the control group /{Path(root).name}" in said.replace("//", "/")
        assert said.endswith("(MEAS-40)")


def test_a_daemon_that_hides_and_leaves_is_named_and_ended(root: str, tmp_path: Path) -> None:
    with started(daemon(leaving(root)) + SAID, tmp_path) as process:
        pid = int(line(process))
        assert line(process) == "done"
        (said,) = process.consumption.strays()
        assert said.startswith(f"process {pid} ")
    assert not Path(f"/proc/{pid}").exists()


def test_a_daemon_that_hides_and_stays_is_counted_and_ended(tmp_path: Path) -> None:
    with started(daemon("") + SAID, tmp_path) as process:
        pid = int(line(process))
        assert process.consumption.strays() == []
        assert pid in process.consumption.pids()
    assert not Path(f"/proc/{pid}").exists()


def test_a_daemon_that_hides_is_found_without_a_cgroup(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(consumption, "_available", lambda: (None, "a test"))
    with started(daemon("") + SAID, tmp_path) as process:
        pid = int(line(process))
        assert pid in process.consumption.pids()
        assert process.consumption.strays() == []
    assert not Path(f"/proc/{pid}").exists()


def test_a_cgroup_below_is_its_own(tmp_path: Path) -> None:
    if consumption.why_no_cgroup():
        pytest.skip(consumption.why_no_cgroup())
    script = (
        "import os\nhere = [l[3:] for l in open('/proc/self/cgroup').read().split('\\n')"
        " if l.startswith('0::')][0]\n"
        f"below = {str(consumption.parent_cgroup())!r} + '/' + here.split('/')[-1] + '/below'\n"
        "os.mkdir(below)\nopen(below + '/cgroup.procs', 'w').write('0')\n"
    )
    with started(script + BUSY + SAID, tmp_path) as process:
        assert line(process) == "done"
        assert process.consumption.strays() == []
        assert process.consumption.pids() == {process.pid}
        assert process.consumption.look().cpu_seconds >= 0.5
        made = process.consumption._cgroup
    assert made is not None
    assert not made.exists()


def test_who_computed_outside_and_came_back_is_found_by_the_kernel_s_account(
    root: str, tmp_path: Path
) -> None:
    script = (
        "home = [l[3:] for l in open('/proc/self/cgroup').read().split('\\n')"
        " if l.startswith('0::')][0].split('/')[-1]\n"
        + leaving(root)
        + BUSY
        + f"open({str(consumption.parent_cgroup())!r} + '/' + home + '/cgroup.procs', 'w')"
        ".write('0')\n"
    )
    with started(script + SAID, tmp_path) as process:
        assert line(process) == "done"
        (said,) = process.consumption.strays()
        assert "it computes outside of it (MEAS-41)" in said


def test_what_a_child_consumed_outside_is_found_when_it_has_ended(
    root: str, tmp_path: Path
) -> None:
    child = leaving(root) + BUSY
    script = f"import subprocess, sys\nsubprocess.run([sys.executable, '-c', {child!r}])\n"
    with started(script + SAID, tmp_path) as process:
        assert line(process) == "done"
        (said,) = process.consumption.strays()
        assert "(MEAS-41)" in said


def test_own_children_of_the_harness_are_left_alone(tmp_path: Path) -> None:
    own = [
        subprocess.Popen(["sleep", "600"], start_new_session=new, stdin=subprocess.DEVNULL)
        for new in (False, True)
    ]
    try:
        with started(SAID, tmp_path) as process:
            line(process)
            assert not {each.pid for each in own} & process.consumption.everybody()
        assert [each.poll() for each in own] == [None, None]
    finally:
        for each in own:
            each.kill()
            each.wait()


def test_of_two_each_has_its_own(tmp_path: Path) -> None:
    with started(daemon("") + SAID, tmp_path) as one, started(SAID, tmp_path) as other:
        pid = int(line(one))
        line(other)
        assert pid in one.consumption.everybody()
        assert other.consumption.everybody() == {other.pid}


def test_one_that_is_just_being_started_is_of_no_other_family(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    start, seen = subprocess.Popen, list[set[int]]()
    with started(SAID, tmp_path) as first:
        assert line(first) == "done"
        look = threading.Thread(target=lambda: seen.append(first.consumption.everybody()))

        def slowly(*args: Any, **rest: Any) -> Any:
            made = start(*args, **rest)
            assert wait_until(lambda: descent._is_bound(made.pid), 30, 0.01)
            look.start()
            look.join(1)
            return made

        monkeypatch.setattr(subprocess, "Popen", slowly)
        with started(SAID, tmp_path) as second:
            look.join()
            assert seen == [{first.pid}]
            assert second.pid not in first.consumption.everybody()


@pytest.mark.parametrize("signal", [0, 9], ids=["lives", "has ended"])
def test_what_others_have_left_is_not_counted_as_another_s(tmp_path: Path, signal: int) -> None:
    with started(daemon(BUSY) + SAID, tmp_path) as one:
        pid = int(line(one))
        family = descent._families.pop(one.pid)
        try:
            os.kill(pid, signal)
            time.sleep(0.02)
            with started(SAID, tmp_path) as other:
                line(other)
                assert other.consumption.strays() == []
                assert other.consumption.everybody() == {other.pid}
        finally:
            descent._families[one.pid] = family


def test_no_zombie_is_left_of_a_daemon(tmp_path: Path) -> None:
    with started(daemon("") + SAID, tmp_path) as process:
        pid = int(line(process))
        os.kill(pid, 9)
        deadline = time.monotonic() + 10
        while Path(f"/proc/{pid}").exists() and time.monotonic() < deadline:
            process.consumption.pids() if process.consumption._cgroup is None else (
                process.consumption.strays()
            )
            time.sleep(0.01)
        assert not Path(f"/proc/{pid}").exists()


def test_of_nobody_there_is_nothing(tmp_path: Path) -> None:
    assert descent.children(2**22) == []
    assert descent.command(2**22) == "gone"
