"""A certificate's words on the repository of the sources (LEVEL-15)."""

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from dramaturg.implementation import repository
from dramaturg.implementation.manifest import load
from dramaturg.implementation.repository import Repository, public

MANIFEST = """\
name = "sketch"
language = "none"
spec = "2"
control = "stdio"
benchmarks = ["pingpong"]
[run]
command = ["true"]
"""


def git(folder: Path, *words: str) -> str:
    who = ["-c", "user.name=A", "-c", "user.email=a@example.org"]
    command = ["git", *who, "-C", str(folder), *words]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


@pytest.fixture(params=["sha1", "sha256"])
def folder(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    """Two folders deep in a repository."""
    made = tmp_path / "benchmarks" / "sketch"
    made.mkdir(parents=True)
    (made / "dramaturg.toml").write_text(MANIFEST)
    (made / "main.sh").write_text("true")
    (made / "main.sh").chmod(0o755)
    (made / "link").symlink_to("main.sh")
    git(tmp_path, "init", "--quiet", f"--object-format={request.param}")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "--quiet", "-m", "x")
    return made


def of(folder: Path) -> Repository:
    found = repository.of(load(folder))
    assert found is not None
    return found


def test_it_names_the_commit_and_the_address(folder: Path) -> None:
    git(folder, "remote", "add", "origin", "https://me:secret@example.org/them/it.git?token=x#y")
    head = git(folder, "rev-parse", "HEAD")
    assert of(folder) == Repository("https://example.org/them/it.git", head, modified=False)


def _edits(folder: Path) -> None:
    (folder / "main.sh").write_text("false")


def _edits_to_the_same_length_and_time(folder: Path) -> None:
    file = folder / "main.sh"
    before = file.stat()
    file.write_text("tr0e")
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))


def _adds(folder: Path) -> None:
    (folder / "new").touch()


def _adds_to_the_index(folder: Path) -> None:
    _adds(folder)
    git(folder, "add", ".")


def _removes(folder: Path) -> None:
    (folder / "main.sh").unlink()
    (folder / "link").unlink()


def _turns_a_link(folder: Path) -> None:
    (folder / "link").unlink()
    (folder / "link").symlink_to("dramaturg.toml")


def _makes_plain(folder: Path) -> None:
    (folder / "main.sh").chmod(0o644)


@pytest.mark.parametrize(
    "change",
    [_edits, _edits_to_the_same_length_and_time, _adds, _adds_to_the_index, _removes,
     _turns_a_link, _makes_plain],
)  # fmt: skip
def test_every_difference_from_the_commit_shows(
    folder: Path, change: Callable[[Path], None]
) -> None:
    change(folder)
    assert of(folder).modified


def test_what_was_made_and_what_lies_beside_is_no_difference(folder: Path) -> None:
    for made in ("results/1/conformance.jsonl", ".build/x", "../other/x"):
        (folder / made).parent.mkdir(parents=True)
        (folder / made).touch()
    assert not of(folder).modified


def test_a_filter_that_the_repository_names_is_not_run(folder: Path, tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    git(folder, "config", "filter.x.clean", f"touch {mark}; cat")
    git(folder, "config", "core.fsmonitor", f"touch {mark}")
    (folder / ".gitattributes").write_text("* filter=x\n")
    (folder / "main.sh").write_text("false")
    assert of(folder).modified
    assert not mark.exists()


def test_outside_of_a_repository_and_before_a_commit_there_is_none(tmp_path: Path) -> None:
    (tmp_path / "dramaturg.toml").write_text(MANIFEST)
    assert repository.of(load(tmp_path)) is None
    git(tmp_path, "init", "--quiet")
    assert repository.of(load(tmp_path)) is None


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("https://example.org/a/b", "https://example.org/a/b"),
        ("https://token@example.org:8443/a", "https://example.org:8443/a"),
        ("https://u:p%40q@example.org/a?k=v#f", "https://example.org/a"),
        ("https://u:p@q@example.org/a", "https://example.org/a"),
        ("ssh://git@example.org:22/a.git", "ssh://example.org:22/a.git"),
        ("git@example.org:a/b.git", "ssh://example.org/a/b.git"),
        ("git:secret@example.org:a/b.git", "ssh://example.org/a/b.git"),
        ("https://u:p@[::1]:80/a", "https://[::1]:80/a"),
        ("/home/me/it", ""),
        ("../it", ""),
        ("file:///home/me/it", ""),
        ("ext::sh -c touch% x", ""),
        ("https://", ""),
        ("https://example.org:port/a", ""),
        ("https://[::1/a", ""),
        ("", ""),
        ("https://example.org/" + "a" * 1000, "https://example.org/" + "a" * 280),
    ],
)
def test_an_address_is_shown_as_everybody_may_read_it(url: str, shown: str) -> None:
    assert public(url) == shown
