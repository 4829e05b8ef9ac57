"""A digest covers all that decides what is built, and nothing of where it lies."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from dramaturg.errors import ManifestError
from dramaturg.implementation.build import digest
from dramaturg.implementation.manifest import Implementation, find, load

MANIFEST = """\
name = "sketch"
language = "none"
spec = "2"
control = "stdio"
benchmarks = ["pingpong"]
[build]
inputs = ["**/*"]
[run]
command = ["true"]
"""


def made(folder: Path) -> Path:
    (folder / "src").mkdir(parents=True)
    (folder / "dramaturg.toml").write_text(MANIFEST)
    (folder / "src" / "a").write_text("one")
    return folder


def of(folder: Path) -> str:
    return digest(load(folder))


def test_it_is_the_same_wherever_the_folder_lies(tmp_path: Path) -> None:
    here = made(tmp_path / "here")
    for place in ("deep/er/down", ".build/x", "__pycache__/y"):
        there = tmp_path / place
        shutil.copytree(here, there)
        assert of(there) == of(here), place


def _renames_into_the_next_name(folder: Path) -> None:
    """A concatenation without lengths would write both alike."""
    (folder / "src" / "a").unlink()
    (folder / "src" / "ao").write_text("ne")


def _makes_executable(folder: Path) -> None:
    (folder / "src" / "a").chmod(0o755)


def _moves(folder: Path) -> None:
    (folder / "src" / "a").rename(folder / "a")


def _puts_a_separator_into_a_name(folder: Path) -> None:
    (folder / "src" / "a").rename(folder / "src\na")


def _adds_an_empty_file(folder: Path) -> None:
    (folder / "src" / "b").touch()


@pytest.mark.parametrize(
    "change",
    [_renames_into_the_next_name, _makes_executable, _moves, _puts_a_separator_into_a_name,
     _adds_an_empty_file],
)  # fmt: skip
def test_every_change_of_what_is_built_changes_it(
    tmp_path: Path, change: Callable[[Path], None]
) -> None:
    folder = made(tmp_path / "x")
    before = of(folder)
    change(folder)
    assert of(folder) != before


def test_names_and_contents_cannot_be_exchanged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The old digest wrote variables as name=value, one after the other."""
    folder = made(tmp_path / "x")
    text = (folder / "dramaturg.toml").read_text()
    (folder / "dramaturg.toml").write_text(
        text.replace("[build]\n", '[build]\nenvironment = ["A", "AB", "B"]\n')
    )
    monkeypatch.setenv("A", "1B=2")
    one = of(folder)
    monkeypatch.setenv("A", "1")
    monkeypatch.setenv("B", "2")
    assert of(folder) != one


def test_who_else_may_read_a_file_is_no_part_of_it(tmp_path: Path) -> None:
    folder = made(tmp_path / "x")
    before = of(folder)
    (folder / "src" / "a").chmod(0o600)
    assert of(folder) == before


def test_a_link_within_the_folder_counts_as_what_it_leads_to(tmp_path: Path) -> None:
    folder = made(tmp_path / "x")
    (folder / "src" / "link").symlink_to("a")
    linked = of(folder)
    (folder / "src" / "a").write_text("two")
    assert of(folder) != linked


def _to_a_file_outside(folder: Path) -> None:
    outside = folder.parent / "outside"
    outside.write_text("may change")
    (folder / "src" / "link").symlink_to(outside)


def _to_a_folder_outside(folder: Path) -> None:
    outside = folder.parent / "outside"
    outside.mkdir()
    (outside / "library").write_text("may change")
    (folder / "src" / "link").symlink_to(outside)


def _to_nowhere(folder: Path) -> None:
    (folder / "src" / "link").symlink_to("gone")


def _to_itself(folder: Path) -> None:
    (folder / "src" / "link").symlink_to("link")


def _to_its_own_folder(folder: Path) -> None:
    (folder / "src" / "link").symlink_to(".")


def _of_another_kind(folder: Path) -> None:
    os.mkfifo(folder / "src" / "link")


@pytest.mark.parametrize(
    "make",
    [_to_a_file_outside, _to_a_folder_outside, _to_nowhere, _to_itself, _to_its_own_folder,
     _of_another_kind],
)  # fmt: skip
def test_what_no_digest_can_stand_for_is_refused_by_name(
    tmp_path: Path, make: Callable[[Path], None]
) -> None:
    folder = made(tmp_path / "x")
    make(folder)
    with pytest.raises(ManifestError, match=r"build\.inputs '\*\*/\*' matches src/link, "):
        of(folder)


def test_a_symlinked_implementation_is_refused_with_where_it_is(tmp_path: Path) -> None:
    folder = made(tmp_path / "x")
    link = tmp_path / "link"
    link.symlink_to(folder)
    with pytest.raises(ManifestError, match=f"{link} is a link; name what it leads to: {folder}"):
        load(link)
    (folder / "dramaturg.toml").rename(folder / "other.toml")
    (folder / "dramaturg.toml").symlink_to("other.toml")
    with pytest.raises(ManifestError, match="is a link"):
        load(folder)


def test_more_files_than_any_build_has_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from dramaturg.implementation import sources

    monkeypatch.setattr(sources, "MOST_INPUTS", 3)
    folder = made(tmp_path / "x")
    for number in range(4):
        (folder / f"{number}").touch()
    with pytest.raises(ManifestError, match="matches more than 3 files"):
        of(folder)


@pytest.mark.parametrize(
    "name",
    [
        "actr",
        "akka",
        "asyncio",
        "caf",
        "elixir",
        "erlang",
        "fsharp",
        "go",
        "nanomsg",
        "nng",
        "pekko",
        "pony",
        "protoactor",
        "ractor",
        "reference",
        "rust",
        "zeromq",
    ],
)
def test_ours_have_one(name: str) -> None:
    ours: Implementation = find(name)
    assert len(digest(ours)) == 64
