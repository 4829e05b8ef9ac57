"""Ctrl-C at every stage: nothing is left running or lying about, and what was there is kept."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from fire_kit import Command, faulty
from waiting import wait_until

from dramaturg import paths, results
from dramaturg.implementation.manifest import find
from dramaturg.machine import capabilities
from dramaturg.net import leftovers
from dramaturg.plan.case_plan import make
from dramaturg.processes.interrupts import ONE_REQUEST

PATIENCE = 40.0
"""Seconds until a stage is reached, and until everything has ended: on a loaded machine."""

IGNORED = signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
HANG_UP = signal.SIGTERM if IGNORED else signal.SIGHUP
"""Below nohup, whoever is started ignores the one, and is to go on doing so."""

PAUSED = """
import sys, time
from importlib import import_module
from pathlib import Path
from dramaturg.cli.main import main

holder = import_module(sys.argv[1])
*path, name = sys.argv[2].split(".")
for part in path:
    holder = getattr(holder, part)
whole, mark, left = getattr(holder, name), Path(sys.argv[3]), int(sys.argv[4])

def paused(*arguments, **more):
    global left
    left -= 1
    if left == 0:
        mark.touch()
        time.sleep(3600)
    return whole(*arguments, **more)

setattr(holder, name, paused)
sys.argv[1:] = sys.argv[5:]
main()
"""
"""The command line, which stops when it calls a function of its own for the nth time."""

ALL = len(make([find("reference")], [0]).items)
"""Cases of level 0."""

PLAIN = ["-m", "dramaturg.cli.main"]


class Running:
    """A command under way, and all that descends from it."""

    def __init__(self, temporary: Path, words: list[object]) -> None:
        self._temporary = temporary
        self._environment = f"TMPDIR={temporary}".encode()
        self.process = subprocess.Popen(
            [sys.executable, *map(str, words)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=paths.ROOT,
            env=os.environ | {"TMPDIR": str(temporary)},
            start_new_session=True,
        )

    def reach(self, mark: Callable[[], bool]) -> None:
        reached = wait_until(lambda: mark() or self.process.poll() is not None, PATIENCE, 0.02)
        assert reached
        assert self.process.poll() is None, self.process.communicate()

    def end(self, *signals: signal.Signals, pause: float = 0.0) -> str:
        """Send these, and wait for the end; return its standard error."""
        for number in signals:
            self.process.send_signal(number)
            time.sleep(pause)
        _, said = self.process.communicate(timeout=PATIENCE)
        assert self.process.returncode == 130, said
        assert wait_until(lambda: not self.descendants(), 10), self.descendants()
        assert list(self._temporary.iterdir()) == []
        assert "Traceback" not in said
        return said

    def descendants(self) -> list[str]:
        """Return the processes that are still there and have inherited the variable."""
        left = []
        for folder in Path("/proc").iterdir():
            if folder.name.isdigit() and int(folder.name) != self.process.pid:
                try:
                    if self._environment in (folder / "environ").read_bytes().split(b"\0"):
                        left.append((folder / "cmdline").read_text().replace("\0", " "))
                except OSError:
                    continue
        return left


Start = Callable[..., Running]


@pytest.fixture
def start(temporary: Path) -> Start:
    return lambda *words: Running(temporary, list(words))


def is_interrupted(folder: Path) -> bool:
    summary = json.loads((folder / "summary.json").read_text())
    return bool(summary["state"] == "interrupted")


STEPS = {
    "start": "pingpong-one-round",
    "describe": "pingpong-one-round",
    "prepare": "pingpong-one-round",
    "act": "two-clients-one-directory",
    "run": "pingpong-one-round",
    "trace": "pingpong-one-round",
    "teardown": "two-clients-one-directory",
    "end": "ends-with-its-input",
}


@pytest.mark.parametrize(
    ("control", "step"),
    [*(("grpc", step) for step in STEPS), ("stdio", "start"), ("stdio", "act"), ("stdio", "trace")],
)
def test_a_certify_is_interrupted_in_any_call(
    control: str, step: str, tmp_path: Path, start: Start
) -> None:
    implementation = faulty(tmp_path / "faulty", control, step, "waits", limit=60)
    folder = tmp_path / "out"
    case = ["--", "-k", f"introduces or {STEPS[step]}"]
    running = start(*PLAIN, "certify", implementation.folder, "--output", folder, *case)
    running.reach((tmp_path / "faulty" / "mark").exists)
    number = signal.SIGINT if control == "grpc" else signal.SIGTERM
    running.end(number)
    recorded = results.read(folder / results.CONFORMANCE)
    assert not recorded.complete
    assert len(recorded.cases) == (0 if step in ("start", "describe") else 1)
    assert is_interrupted(folder)


def test_impatience_does_not_leave_anything(tmp_path: Path, start: Start) -> None:
    """Its end takes two seconds of asking politely, in which Ctrl-C comes again and again."""
    implementation = faulty(tmp_path / "faulty", "grpc", "run", "stays", limit=60)
    case = ["--", "-k", "pingpong-one-round"]
    words = ["certify", implementation.folder, "--output", tmp_path / "out", *case]
    running = start(*PLAIN, *words)
    running.reach((tmp_path / "faulty" / "mark").exists)
    running.end(signal.SIGINT, signal.SIGTERM, signal.SIGINT, pause=ONE_REQUEST * 0.6)
    # There may be no report, for which nobody had the time.
    assert not results.read(tmp_path / "out" / results.CONFORMANCE).complete


@pytest.mark.parametrize("command", ["certify", "bench"])
def test_a_build_is_interrupted_with_all_that_it_started(
    command: str, tmp_path: Path, start: Start
) -> None:
    mark = tmp_path / "faulty" / "building"
    script = f"sleep 3600 & touch {mark}; setsid sleep 3600"
    implementation = faulty(tmp_path / "faulty", "grpc", "none", "waits", build=script)
    words: list[object] = [command, implementation.folder, "--output", tmp_path / "out"]
    if command == "bench":
        words = [command, "pingpong", "--scale", "tiny", "-i", *words[1:]]
    running = start(*PLAIN, *words)
    running.reach(mark.exists)
    running.end(signal.SIGINT)
    assert not (tmp_path / "faulty" / ".build" / "built").exists()


@pytest.mark.parametrize(
    ("module", "function", "nth", "cases"),
    [
        ("dramaturg.results", "Writer.write", 3, 2),
        ("dramaturg.conformance.pool", "Pool.close", 1, ALL),
        ("dramaturg.report.html", "document", 1, ALL),
    ],
)
def test_a_certify_is_interrupted_between_and_after_its_cases(
    module: str, function: str, nth: int, cases: int, tmp_path: Path, start: Start
) -> None:
    folder, mark = tmp_path / "out", tmp_path / "mark"
    command = ["certify", "reference", "--level", "0", "--output", folder]
    running = start("-c", PAUSED, module, function, mark, nth, *command)
    running.reach(mark.exists)
    running.end(signal.SIGINT)
    recorded = results.read(folder / results.CONFORMANCE)
    assert len(recorded.cases) == cases
    assert recorded.complete == (module == "dramaturg.report.html")
    assert list(folder.glob(".*")) == []


def test_workers_of_pytest_end_as_well(tmp_path: Path, start: Start) -> None:
    implementation = faulty(tmp_path / "faulty", "grpc", "run", "waits", limit=60)
    words = ["certify", implementation.folder, "--output", tmp_path / "out"]
    running = start(*PLAIN, *words, "--", "-n", "2", "-k", "pingpong-one-round or introduces")
    running.reach((tmp_path / "faulty" / "mark").exists)
    running.end(signal.SIGINT)
    assert is_interrupted(tmp_path / "out")


@pytest.mark.parametrize(
    ("step", "samples"),
    [
        ("prepare", 0),
        ("run", 0),
        ("run:2", 2),
        ("trace", 0),
        ("teardown", 0),
        ("trace-after-run:1", 1),
        ("end", 3),
    ],
)
def test_an_interrupted_bench_is_resumed(
    step: str, samples: int, tmp_path: Path, start: Start, dramaturg: Command
) -> None:
    implementation = faulty(tmp_path / "faulty", "grpc", step, "waits", limit=60)
    folder = tmp_path / "out"
    repeats = ["--warmup", 1, "--iterations", 3, "--invocations", 2, "--uncertified"]
    words = ["bench", "pingpong", "--scale", "tiny", "-i", implementation.folder, *repeats]
    running = start(*PLAIN, *words, "--output", folder)
    running.reach((tmp_path / "faulty" / "mark").exists)
    said = running.end(HANG_UP if step == "run:2" else signal.SIGINT)
    assert f"bench --resume {folder}" in said.replace("\n", "")
    recorded = results.read(folder / results.TIMINGS)
    assert not recorded.complete
    assert len(recorded.samples) == samples
    assert is_interrupted(folder)
    done = dramaturg("bench", "--resume", folder)
    assert done.returncode == 0, done.stderr
    recorded = results.read(folder / results.TIMINGS)
    assert recorded.complete
    # Two that are timed, and one that is audited.
    assert (len(recorded.units), len(recorded.samples)) == (3, 6)
    assert not is_interrupted(folder)


@pytest.mark.skipif(
    bool(capabilities.probe().why_no_mininet), reason=capabilities.probe().why_no_mininet
)
@pytest.mark.parametrize("step", ["start", "prepare"])
def test_an_interrupted_bench_takes_its_network_away(
    step: str, tmp_path: Path, start: Start
) -> None:
    implementation = faulty(tmp_path / "faulty", "stdio", step, "stays", limit=60)
    nodes = ["--nodes", 2, "--uncertified", "--output", tmp_path / "out"]
    words = ["bench", "pingpong", "--scale", "tiny", "-i", implementation.folder, *nodes]
    running = start(*PLAIN, *words)
    running.reach((tmp_path / "faulty" / "mark").exists)
    assert leftovers.leftovers(of=running.process.pid)
    running.end(signal.SIGINT, signal.SIGTERM, signal.SIGINT, pause=ONE_REQUEST * 0.6)
    assert leftovers.leftovers(of=running.process.pid) == []
