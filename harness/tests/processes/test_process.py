"""Nothing that was started is left running."""

import os
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest
from waiting import wait_until

from dramaturg.processes.supervised import Supervised


def run(script: str, tmp_path: Path) -> Supervised:
    return Supervised.start(
        [sys.executable, "-c", script], cwd=tmp_path, environment=os.environ, stderr=None
    )


def test_grandchildren_are_ended_too(tmp_path: Path) -> None:
    script = (
        "import subprocess, time; p = subprocess.Popen(['sleep', '60']);"
        " print(p.pid, flush=True); time.sleep(60)"
    )
    with run(script, tmp_path) as process:
        assert process.popen.stdout is not None
        grandchild = int(process.popen.stdout.readline())
        assert psutil.pid_exists(grandchild)
    assert wait_until(lambda: not _alive(grandchild), 30)
    assert process.status is not None


def test_a_process_that_ignores_polite_requests_is_ended(tmp_path: Path) -> None:
    script = (
        "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN);"
        " print('ready', flush=True); time.sleep(60)"
    )
    with run(script, tmp_path) as process:
        assert process.popen.stdout is not None
        process.popen.stdout.readline()
    assert process.describe_end() == "was killed by SIGKILL"


def test_who_is_stopped_gets_no_core_and_goes_on_behind_it(tmp_path: Path) -> None:
    script = (
        "import subprocess, sys; busy = [sys.executable, '-c', 'while True: pass'];"
        " print(subprocess.Popen(busy).pid, flush=True);"
        " print(subprocess.Popen(busy, start_new_session=True).pid, flush=True)\nwhile True: pass"
    )
    with run(script, tmp_path) as process:
        out = process.popen.stdout
        assert out is not None
        pids = process.pid, int(out.readline()), int(out.readline())
        with process.stopped():
            assert wait_until(lambda: all(_is_stopped(pid) for pid in pids), 30)
            spent = [sum(psutil.Process(pid).cpu_times()) for pid in pids]
            time.sleep(0.2)
            assert [sum(psutil.Process(pid).cpu_times()) for pid in pids] == spent
        assert wait_until(lambda: not any(_is_stopped(pid) for pid in pids), 30)


def test_to_stop_who_has_ended_is_no_error(tmp_path: Path) -> None:
    with run("pass", tmp_path) as process:
        process.popen.wait(30)
        with process.stopped():
            pass
    assert process.status == 0


def test_a_stopped_process_is_ended(tmp_path: Path) -> None:
    with run("import time; time.sleep(60)", tmp_path) as process:
        psutil.Process(process.pid).suspend()
    assert process.status is not None


@pytest.mark.parametrize(
    ("script", "end"),
    [
        ("raise SystemExit(3)", "exited with status 3"),
        ("import os; os.kill(os.getpid(), 11)", "was killed by SIGSEGV"),
        ("", "exited with status 0"),
    ],
)
def test_how_it_ended_is_told(script: str, end: str, tmp_path: Path) -> None:
    with run(script, tmp_path) as process:
        assert process.wait(30) is not None
        assert process.describe_end() == end


def test_a_killed_harness_leaves_nothing_behind(tmp_path: Path) -> None:
    script = f"""
import os, time
from pathlib import Path
from dramaturg.processes.supervised import Supervised
p = Supervised.start(["sleep", "60"], cwd=Path({str(tmp_path)!r}), environment=os.environ)
print(p.pid, flush=True)
time.sleep(60)
"""
    harness = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE)
    assert harness.stdout is not None
    child = int(harness.stdout.readline())
    # From here on the kernel watches; before, setpriv has not yet asked it to.
    assert wait_until(lambda: psutil.Process(child).name() == "sleep", 30)
    harness.kill()
    harness.wait()
    assert wait_until(lambda: not _alive(child), 30)


def _alive(pid: int) -> bool:
    try:
        return bool(psutil.Process(pid).status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False


def test_processor_time_of_the_group_is_counted(tmp_path: Path) -> None:
    with run("while True: pass", tmp_path) as process:
        time.sleep(0.5)
        assert process.cpu_seconds() > 0.05


def _is_stopped(pid: int) -> bool:
    return psutil.Process(pid).status() == psutil.STATUS_STOPPED
