"""``dramaturg certify --kernel uml``: the same cases, under a kernel that has delay and loss."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from dramaturg import results
from dramaturg.cli.main import cli
from dramaturg.implementation import manifest
from dramaturg.machine import usermode
from dramaturg.machine.usermode import Kernel
from dramaturg.net.guest import MARK, UP, GuestFailed
from dramaturg.orchestration import certified_in_guest, inside_certification
from dramaturg.outcomes import Outcome

KERNEL, WHY_NOT = usermode.find()
needs_kernel = pytest.mark.skipif(KERNEL is None, reason=WHY_NOT)

COMMAND = [sys.executable, "-m", "dramaturg.cli.main", "certify"]

LONG = 900
"""Seconds; half a minute is usual, and others may have the machine."""


def _certify(folder: Path, *lines: str) -> int:
    """With a kernel that prints these lines."""
    program = folder / "linux"
    said = "\n".join(f"echo '{line}'" for line in (UP, *lines))
    program.write_text(f"#!/bin/sh\n{said}\n")
    program.chmod(0o755)
    chosen = [manifest.find("reference")]
    kernel = Kernel(str(program), "6.1.0", folder)
    return certified_in_guest.certify(chosen, ["reference"], folder, kernel, as_json=True)


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
    assert json.loads(done.stdout)["results"] == str(tmp_path), done.stderr
    (record,) = results.read(tmp_path / results.CONFORMANCE).cases
    assert (record.outcome, record.message) == (Outcome.PASS, "")
