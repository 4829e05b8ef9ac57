"""``dramaturg bench --kernel uml``: the same plan, under a kernel that has delay and loss."""

import contextlib
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from rich.progress import Progress
from waiting import wait_until

from dramaturg import results
from dramaturg.cli.main import cli
from dramaturg.implementation import manifest
from dramaturg.machine import usermode
from dramaturg.machine.floors import Cost
from dramaturg.machine.usermode import Kernel
from dramaturg.net.guest import MARK, UP, GuestFailed
from dramaturg.orchestration import guest_kernel
from dramaturg.orchestration.job import Job, Sent
from dramaturg.outcomes import Outcome
from dramaturg.results import RecordsLost, ResultsError
from dramaturg.timing.planning import suites, timing_plan
from dramaturg.timing.planning.suites import SuiteError

KERNEL, WHY_NOT = usermode.find()
needs_kernel = pytest.mark.skipif(KERNEL is None, reason=WHY_NOT)

TINY = ["bench", "pingpong", "--scale", "tiny", "--nodes", "2", "--delay", "2", "-i", "asyncio"]
TINY += ["--uncertified", "--kernel", "uml", "--iterations", "1", "--warmup", "0"]
COMMAND = [sys.executable, "-m", "dramaturg.cli.main"]

LONG = 900
"""Seconds; half a minute is usual, and others may have the machine."""


def _job(folder: Path) -> Job:
    suite = suites.checked(
        {"suite": "test", "benchmarks": [{"benchmark": "pingpong", "scale": "tiny"}]}
    )
    made = timing_plan.make([suite], ["reference"], seed=1)
    cost = Cost(nanos=1.0, source="test", cores=64)
    return Job(made, {"reference": manifest.find("reference")}, folder, cost=cost)


def _perform(folder: Path, *lines: str) -> Outcome:
    """With a kernel that prints these lines."""
    program = folder / "linux"
    said = "\n".join(f"echo '{line}'" for line in (UP, *lines))
    program.write_text(f"#!/bin/sh\n{said}\n")
    program.chmod(0o755)
    kernel = Kernel(str(program), "6.1.0", folder)
    with Progress(disable=True) as bar:
        return guest_kernel.perform(_job(folder), kernel, bar, as_json=True)


def test_a_job_arrives_as_it_was_sent(tmp_path: Path) -> None:
    job = _job(tmp_path)
    there = Sent.model_validate_json(Sent.of(job, watched=False).model_dump_json()).job()
    assert (there.made, there.folder, there.before) == (job.made, job.folder, None)
    assert there.implementations.keys() == {"reference"}
    assert there.cost.nanos == job.cost.nanos
    # A floor is divided by the cores that there are, not by those of outside.
    assert there.cost.cores == len(os.sched_getaffinity(0))


def test_what_the_guest_ends_with_is_the_outcome(tmp_path: Path) -> None:
    assert _perform(tmp_path, f'{MARK}{{"ended": "fail"}}') is Outcome.FAIL


@pytest.mark.parametrize(
    ("lines", "error", "says"),
    [
        ([], GuestFailed, "ended, and the harness inside it had not"),
        ([f'{MARK}{{"said": "x"}}'], GuestFailed, "ended, and the harness inside it had not"),
        ([f'{MARK}{{"failed": "no room", "as": "records lost"}}'], RecordsLost, "^no room"),
        ([f'{MARK}{{"failed": "other kernel", "as": "bad input"}}'], ResultsError, "^other kernel"),
        ([f'{MARK}{{"failed": "a bug", "as": "fault"}}'], GuestFailed, "inside .*: a bug"),
        ([f"{MARK}what"], GuestFailed, "says 'what'"),
        ([f'{MARK}{{"ended": "well"}}'], GuestFailed, "well"),
    ],
)
def test_no_end_but_an_outcome_is_one(
    tmp_path: Path, lines: list[str], error: type[Exception], says: str
) -> None:
    with pytest.raises(error, match=says):
        _perform(tmp_path, *lines)


def test_a_run_is_gone_on_with_where_it_was_begun() -> None:
    assert guest_kernel.asked(None, {usermode.HEADER: "uml"})
    assert not guest_kernel.asked(None, {})
    assert guest_kernel.asked("uml")


def test_a_pilot_of_this_kernel_plans_nothing_for_another() -> None:
    with pytest.raises(SuiteError, match="--kernel uml does not go with --precision"):
        guest_kernel.asked("uml", refused={"--precision": "2%"})


def test_two_cores_can_be_planned_for_a_kernel_that_has_one() -> None:
    """A kernel itself reports what it lacks for a unit: the other units are run."""
    assert guest_kernel.cores()[0] == 0


@pytest.mark.parametrize(("command", "status"), [("bench tiny", 7), ("doctor reference --json", 6)])
def test_without_the_kernel_one_line_says_what_installs_it(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], command: str, status: int
) -> None:
    from dramaturg.machine import capabilities

    get = "linux.uml is not here (`dramaturg doctor --install --kernel uml`)"
    monkeypatch.setattr(usermode, "find", lambda: (None, get))
    capabilities.probe.cache_clear()
    with pytest.raises(SystemExit) as ended:
        cli.main([*command.split(), "--kernel", "uml"], standalone_mode=False)
    capabilities.probe.cache_clear()
    assert ended.value.code == status
    said = capfd.readouterr()
    assert get in said.out + said.err


@needs_kernel
def test_a_delay_is_run_inside_and_measured_there(tmp_path: Path) -> None:
    done = _dramaturg(*TINY, "--invocations", "1", "--output", str(tmp_path), "--json")
    assert done.returncode == 0, done.stderr
    recorded = results.read(tmp_path / results.TIMINGS)
    assert recorded.complete
    assert KERNEL is not None
    assert recorded.header["kernel"] == KERNEL.release
    assert recorded.header[usermode.HEADER] == "uml"
    assert recorded.header["machine"]["cores"] == 1
    (sample,) = recorded.samples
    assert sample.valid
    assert sample.network["kind"] == "uml"
    links = recorded.units[0].links
    assert links is not None
    assert all(abs(delay - 2) <= 0.5 for delay in links.delay_ms)
    said = json.loads((tmp_path / results.ENVIRONMENT).read_text())
    assert said["virtualised"] == usermode.DECIDES


@needs_kernel
def test_a_kill_in_the_middle_loses_nothing_that_was_measured(tmp_path: Path) -> None:
    words = [*COMMAND, *TINY, "--invocations", "2", "--output", str(tmp_path)]
    file = tmp_path / results.TIMINGS
    with subprocess.Popen(words, stderr=subprocess.PIPE) as process:
        begun = wait_until(
            lambda: (
                process.poll() is not None
                or (file.exists() and '"record":"unit"' in file.read_text())
            ),
            timeout=LONG,
            interval=0.1,
        )
        assert begun
        init = _init_of(tmp_path)
        process.send_signal(signal.SIGKILL)
    assert process.returncode == -signal.SIGKILL
    ended = wait_until(
        lambda: not any(init in words for words in _command_lines()), timeout=60, interval=0.1
    )
    assert ended
    place = Path(init[5:]).parent
    assert wait_until(lambda: not place.exists(), timeout=60, interval=0.1)
    before = results.read(file)
    assert not before.complete
    assert before.units
    done = _dramaturg("bench", "--resume", str(tmp_path), "--json")
    assert done.returncode == 0, done.stderr
    after = results.read(file)
    assert after.complete
    assert after.units[: len(before.units)] == before.units
    # Both, and the audit.
    assert len(after.units) == 3


def _dramaturg(*arguments: str, **options: Any) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [*COMMAND, *arguments], capture_output=True, text=True, check=False, timeout=LONG, **options
    )


def _init_of(folder: Path) -> str:
    """The first process of the guest that has this folder."""
    inits = {word for words in _command_lines() for word in words if word.startswith("init=")}
    return next(word for word in inits if str(folder) in Path(word[5:]).read_text())


def _command_lines() -> list[list[str]]:
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            found.append(os.fsdecode((process / "cmdline").read_bytes()).split("\0"))
    return found
