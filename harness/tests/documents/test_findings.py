"""The findings' own programs, and their output. The tests assert that a race ran, not how often it
shows."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from dramaturg import paths

FOLDER = paths.ROOT / "docs" / "findings"
PAGE = paths.ROOT / "docs" / "findings.md"

BY_CHANCE = {"fork-join-twice", "akka-timer-early"}
"""Shown by chance: such a run may end with *not shown*."""

SMALL = {
    "akka-one-thread": ("2",),
    "akka-timer-early": ("20000",),
    "caf-one-worker": ("2",),
    "chatapp-completion": ("2",),
    "fork-join-twice": ("2",),
    "start-behind-a-mailbox": ("30000", "50"),
}
"""Arguments with which a program ends soon."""

NAMES = sorted(run.parent.name for run in FOLDER.glob("*/run"))

MISSING = 3
"""The exit code where a toolchain or a checkout is missing."""


def run(name: str, *arguments: str, **environment: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [FOLDER / name / "run", *arguments],
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
        env=os.environ | environment,
    )


@pytest.mark.parametrize("name", NAMES)
def test_a_program_shows_what_its_page_says(name: str, tmp_path: Path) -> None:
    done = run(name, *SMALL.get(name, ()), TMPDIR=str(tmp_path))
    if done.returncode == MISSING:
        pytest.skip(done.stderr.strip())
    assert done.returncode == 0, done.stderr
    last = done.stdout.splitlines()[-1]
    words = ("shown: ", "not shown: ") if name in BY_CHANCE else ("shown: ",)
    assert last.startswith(words), done.stdout
    assert list(tmp_path.glob("tmp.*")) == [], "the folder that it built in is left"


def test_every_program_is_on_the_page_and_every_finding_has_one() -> None:
    folders = {each.name for each in FOLDER.iterdir() if each.is_dir()}
    named = set(re.findall(r"\]\(findings/([^/)]+)/", PAGE.read_text()))
    assert folders == named == set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_a_machine_without_toolchains_is_told_what_is_missing(name: str, tmp_path: Path) -> None:
    tools = tmp_path / "bin"
    tools.mkdir()
    for tool in ("sh", "dirname", "mktemp", "rm"):
        found = shutil.which(tool)
        assert found
        (tools / tool).symlink_to(found)
    done = run(name, PATH=str(tools), TMPDIR=str(tmp_path))
    assert (done.returncode, done.stdout) == (MISSING, "")
    assert re.fullmatch(r"toolchain missing: \S+ is not here\n", done.stderr)


@pytest.mark.parametrize("variable", ["ACTR_ROOT", "CHAT_APP_ROOT"])
def test_a_checkout_is_looked_for_where_its_variable_says(variable: str, tmp_path: Path) -> None:
    name = "actr-order" if variable == "ACTR_ROOT" else "chatapp-statistics"
    done = run(name, **{variable: str(tmp_path)})
    if "is not here" in done.stderr:
        pytest.skip(done.stderr.strip())
    assert done.returncode == MISSING
    assert f"{variable} names {tmp_path}, which has no " in done.stderr
