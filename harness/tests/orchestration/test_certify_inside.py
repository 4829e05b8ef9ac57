"""``dramaturg certify --kernel uml``: the same cases, under a kernel that has delay and loss."""

import contextlib
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from dramaturg import results
from dramaturg.cli.certify import _Words
from dramaturg.cli.main import cli
from dramaturg.implementation import certification_cache, manifest
from dramaturg.machine import usermode
from dramaturg.machine.usermode import Kernel
from dramaturg.net.guest import MARK, UP, GuestFailed
from dramaturg.orchestration import certified_in_guest, guest_kernel, inside_certification
from dramaturg.outcomes import Outcome
from dramaturg.records import CaseRecord

KERNEL, WHY_NOT = usermode.find()
needs_kernel = pytest.mark.skipif(KERNEL is None, reason=WHY_NOT)

COMMAND = [sys.executable, "-m", "dramaturg.cli.main", "certify"]

LONG = 900
"""Seconds; half a minute is usual, and others may have the machine."""


def _certify(folder: Path, *lines: str, names: Sequence[str] = ("reference",)) -> int:
    """With a kernel that prints these lines."""
    program = folder / "linux"
    said = "\n".join(f"echo '{line}'" for line in (UP, *lines))
    program.write_text(f"#!/bin/sh\n{said}\n")
    program.chmod(0o755)
    chosen = [manifest.find(name) for name in names]
    kernel = Kernel(str(program), "6.1.0", folder)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(guest_kernel, "build_outside", lambda implementations, as_json: None)
        return certified_in_guest.certify(chosen, [*names], folder, kernel, as_json=True)


def test_lines_from_inside_are_printed_here_each_on_its_own_output(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    lines = ({"out": "a table"}, {"error": "a notice"}, {"status": 1})
    assert _certify(tmp_path, *(MARK + json.dumps(line) for line in lines)) == 1
    assert capfd.readouterr() == ("a table\n", "a notice\n")


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        ([], "ended before certify did"),
        ([f'{MARK}{{"out": "a table"}}'], "ended before certify did"),
        ([f"{MARK}what"], "says 'what'"),
        ([f'{MARK}{{"status": "well"}}'], "no line of certify"),
    ],
)
def test_no_end_but_an_exit_code_is_one(tmp_path: Path, lines: list[str], says: str) -> None:
    with pytest.raises(GuestFailed, match=says):
        _certify(tmp_path, *lines)


def test_inside_every_line_and_the_exit_code_are_told() -> None:
    done = subprocess.run(
        [sys.executable, "-m", inside_certification.__name__],
        input=json.dumps(["reference", "--level", "0", "--dry-run"]) + "\n",
        capture_output=True, text=True, check=False, timeout=LONG,
    )  # fmt: skip
    told = [json.loads(line.removeprefix(MARK)) for line in done.stdout.splitlines()]
    assert "handshake" in told[0]["out"]
    assert told[-1] == {"status": 0}


def test_a_child_that_was_killed_inside_has_no_exit_code(tmp_path: Path) -> None:
    with pytest.raises(GuestFailed, match="ended by signal 9"):
        _certify(tmp_path, f'{MARK}{{"status": -9}}')


@pytest.mark.parametrize("reported", [True, False])
def test_what_was_written_to_memory_inside_is_made_up_for_outside(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, reported: bool
) -> None:
    """A build that failed a required case inside is certified no more, and ``latest`` is this run.
    If it was cut off inside, there is a report of what it had performed."""
    monkeypatch.chdir(tmp_path)
    forgotten: list[str] = []
    monkeypatch.setattr(
        certification_cache, "forget", lambda each, entry: forgotten.append(each.name)
    )
    folder = results.new_folder()
    with results.Writer(folder / results.CONFORMANCE) as writer:
        writer.write(_record("reference", Outcome.FAIL))
        writer.write(_record("asyncio", Outcome.FAIL, recommended=True))
        writer.write(_record("erlang", Outcome.CRASH, known="a known failure"))
    (folder.parent / "latest").unlink()
    said = [f'{MARK}{{"status": 1}}'] if reported else []
    with pytest.raises(GuestFailed) if not reported else contextlib.nullcontext():
        _certify(folder, *said, names=("reference", "asyncio", "erlang"))
    assert forgotten == ["reference"]
    assert (folder.parent / "latest").resolve() == folder
    assert (folder / "report.html").exists() != reported


def _record(implementation: str, outcome: Outcome, **more: Any) -> CaseRecord:
    return CaseRecord(
        implementation=implementation, level=4, benchmark="big", case="big-two-nodes",
        outcome=outcome, **more,
    )  # fmt: skip


def test_inside_the_same_is_asked_for() -> None:
    words = _Words(["erlang", "."], [0, 4], Path("a b.yaml"), True, True, ["-k", "a or b"])
    assert words.with_results_in(Path("there")) == [
        "--level", "0", "--level", "4", "--cases", "a b.yaml", "--last-failed",
        "--output", "there", "--json", "erlang", ".", "--", "-k", "a or b",
    ]  # fmt: skip
    words = _Words(["erlang"], [4], None, False, False, [])
    assert words.with_results_in(Path("x")) == ["--level", "4", "--output", "x", "erlang"]


def test_git_inside_is_told_who_had_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Inside everything is done by root, whom git refuses another user's clone."""
    monkeypatch.setenv("SUDO_UID", "1000")
    assert guest_kernel.environment_of([])["SUDO_UID"] == "1000"
    monkeypatch.delenv("SUDO_UID")
    assert guest_kernel.environment_of([])["SUDO_UID"] == str(os.getuid())


def test_files_that_pytest_would_write_to_memory_are_refused() -> None:
    words = ["certify", "reference", "--kernel", "uml", "--", "--junitxml", "a.xml"]
    with pytest.raises(Exception, match="--kernel takes -k, -x, -v and -n"):
        cli.main(words, standalone_mode=False)


@pytest.mark.parametrize("other", ["--watch", "--connect=unix:x", "--cluster=local:2"])
def test_what_does_not_go_with_it_is_refused(other: str, capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(Exception, match="--kernel goes without"):
        cli.main(["certify", "reference", "--kernel", "uml", other], standalone_mode=False)


def test_without_the_kernel_one_line_says_what_installs_it(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    get = "linux.uml is not here (`dramaturg doctor --install --kernel uml`)"
    monkeypatch.setattr(usermode, "find", lambda: (None, get))
    words = ["certify", "reference", "--kernel", "uml", "--output", str(tmp_path)]
    with pytest.raises(SystemExit) as ended:
        cli.main(words, standalone_mode=False)
    assert ended.value.code == Outcome.NOT_RUN.exit_code
    assert get in "".join(capfd.readouterr())


@needs_kernel
def test_a_case_with_delay_and_loss_passes_inside(tmp_path: Path) -> None:
    words = ["asyncio", "--level", "4", "--kernel", "uml", "--output", str(tmp_path), "--json"]
    only = ["--", "-k", "broker-three-nodes-with-delay-and-loss"]
    done = subprocess.run(
        [*COMMAND, *words, *only], capture_output=True, text=True, check=False, timeout=LONG
    )
    said = json.loads(done.stdout)
    # All other cases that were planned have no record.
    not_run = Outcome.NOT_RUN.exit_code
    assert (said["results"], done.returncode) == (str(tmp_path), not_run), done.stderr
    (record,) = results.read(tmp_path / results.CONFORMANCE).cases
    assert (record.outcome, record.message) == (Outcome.PASS, "")
