"""The upgrade script's treatment of readings that are not in its table."""

import os
import subprocess
from pathlib import Path

import pytest

from dramaturg import paths

SCRIPT = paths.ROOT / "harness" / "scripts" / "upgrade.sh"
REHEARSAL = paths.ROOT / "harness" / "scripts" / "rehearse.sh"
PAGE = paths.ROOT / "docs" / "releasing.md"

OLD = """#!/bin/sh
[ "$1" != new ] || { mkdir "$2" && echo x >"$2/file"; }
"""


def program(file: Path, text: str) -> Path:
    file.write_text(text)
    file.chmod(0o755)
    return file


def upgrade(folder: Path, new: str, old: str = OLD) -> "subprocess.CompletedProcess[str]":
    command = [
        SCRIPT,
        program(folder / "old", old),
        program(folder / "new", f"#!/bin/sh\n{new}\n"),
        folder / "work",
    ]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_what_is_read_is_said_with_its_code(tmp_path: Path) -> None:
    done = upgrade(tmp_path, "echo read $1")
    assert done.returncode == 0, done.stdout
    lines = done.stdout.splitlines()
    assert lines[0] == "upgrade: repository: exit code 0: read update"
    assert [line.split(": ")[1] for line in lines] == [
        "repository",
        "build",
        "results",
        "certificate",
        "certificate-again",
        "history",
    ]


@pytest.mark.parametrize(
    ("new", "says"),
    [
        ("echo no; exit 70", "exit code 70: UNEXPECTED: no"),
        ("exit 0", "UNEXPECTED: it did not say"),
        ("echo Traceback; exit 0", "UNEXPECTED: a traceback"),
    ],
)
def test_what_is_not_in_the_table_fails(tmp_path: Path, new: str, says: str) -> None:
    done = upgrade(tmp_path, new)
    assert (done.returncode, says in done.stdout) == (1, True), done.stdout


def test_an_old_package_that_makes_nothing_is_named(tmp_path: Path) -> None:
    done = upgrade(tmp_path, "echo read", old="#!/bin/sh\necho broken; exit 1\n")
    assert done.returncode == 1
    assert done.stdout == "upgrade: the old package made no repository:\nbroken\n"


def test_every_reading_stands_in_the_table_of_the_page() -> None:
    page = PAGE.read_text(encoding="utf-8")
    for line in SCRIPT.read_text(encoding="utf-8").splitlines():
        if line.startswith("reads "):
            what, codes = line.split(" ", 1)[1].split('"')[0], line
            name = what.split()[0]
            assert f"| {name} |" in page, codes


@pytest.mark.parametrize("words", [(), ("no-such-revision",)])
def test_a_rehearsal_without_a_revision_begins_nothing(
    tmp_path: Path, words: tuple[str, ...]
) -> None:
    done = subprocess.run(
        [REHEARSAL, *words],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"WORK": str(tmp_path)},
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("rehearse: ")
    assert list(tmp_path.iterdir()) == []
