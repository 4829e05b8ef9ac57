"""A process without a core is not blamed for being late; one that hangs or loops is (LEVEL-35)."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from waiting import wait_until

from dramaturg.processes.starvation import Wanted
from dramaturg.processes.supervised import Supervised

STARVED = Wanted(life=60.0, ran=0.6, waited=58.0)

_LAST = 'echo 19 2>/dev/null >/proc/self/autogroup; exec chrt --idle 0 taskset --cpu-list "$@"'

IDLE = ["sh", "-c", _LAST, "idle"]
"""Gets a core that nobody else wants. If the kernel groups tasks by session, its own would have
half of it."""


@pytest.mark.parametrize(
    ("wanted", "starved"),
    [
        (STARVED, True),
        (Wanted(60.0, 0.0, 30.0), True),
        (Wanted(60.0, 0.3, 0.2), False),  # It hangs.
        (Wanted(60.0, 58.0, 1.0), False),  # It loops.
        (Wanted(60.0, 15.0, 45.0), False),  # It loops beside three others.
        (Wanted(60.0, 0.5, 29.0), False),  # It was starved for a while, and hangs.
        (Wanted(60.0, 30.0, 120.0), False),  # Many threads, which have their share.
        (Wanted(60.0, 29.0, 121.0), True),
    ],
)
def test_starved_is_who_was_ready_and_had_no_core(wanted: Wanted, starved: bool) -> None:
    assert bool(wanted.starved()) is starved


def test_the_figures_are_said() -> None:
    assert STARVED.starved() == (
        "had a core for 0.6 s, and was ready and waited for one for 58.0 s, in 60.0 s"
    )


@pytest.fixture
def taken_core() -> Iterator[str]:
    """The number of a core that somebody else never lets go of."""
    core = str(min(os.sched_getaffinity(0)))
    hog = ["taskset", "--cpu-list", core, sys.executable, "-c", "while True: pass"]
    with subprocess.Popen(hog) as taking:
        try:
            yield core
        finally:
            taking.kill()


def _started(command: list[str]) -> Supervised:
    return Supervised.start(command, cwd=Path("/"), environment={"PATH": os.environ["PATH"]})


def test_a_process_that_nobody_gives_a_core_is_starved(taken_core: str) -> None:
    with _started([*IDLE, taken_core, sys.executable, "-c", "while True: pass"]) as process:
        assert wait_until(lambda: process.wanted().life > 1 and process.wanted().starved(), 30)


def _starves(process: Supervised) -> bool:
    """True if the shell has become the program that nobody gives a core."""
    return not Path(f"/proc/{process.pid}/cmdline").read_bytes().startswith(b"sh\0")


def test_a_short_wait_after_a_long_life_is_judged_by_itself(taken_core: str) -> None:
    """It had a core once, and has none now."""
    script = (
        'timeout 0.5 "$1" -c "while True: pass";'
        " echo 19 2>/dev/null >/proc/self/autogroup;"
        ' exec chrt --idle 0 taskset --cpu-list "$2" "$1" -c "while True: pass"'
    )
    with _started(["sh", "-c", script, "sh", sys.executable, taken_core]) as process:
        assert wait_until(lambda: process.wanted().ran > 0.1, 30)
        assert wait_until(lambda: _starves(process), 30)
        since = process.moment()
        assert wait_until(lambda: process.wanted_since(since).life > 0.5, 30)
        assert wait_until(lambda: bool(process.wanted_since(since).starved()), 30)
        assert process.wanted_since(since).ran < process.wanted().ran - 0.1


def test_a_process_that_waits_for_nothing_but_time_is_not_starved() -> None:
    with _started(["sleep", "60"]) as process:
        assert wait_until(lambda: not process.wanted().starved(), 30)
        time.sleep(0.5)
        assert not process.wanted().starved()
