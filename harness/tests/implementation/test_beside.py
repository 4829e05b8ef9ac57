"""One program on two runtimes: files of a folder beside an implementation's own are sources of
its build, too (``build.beside``)."""

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from dramaturg.errors import ManifestError
from dramaturg.implementation import repository, sources
from dramaturg.implementation.build import digest
from dramaturg.implementation.manifest import Implementation, load
from dramaturg.mutation import patches

MANIFEST = """\
name = "second"
language = "none"
spec = "2"
control = "stdio"
benchmarks = ["pingpong"]
[build]
commands = [["sh", "-c", "mkdir -p $BUILD && cp ../first/src/words $BUILD"]]
inputs = ["own"]
[build.beside]
first = ["src/**/*"]
[run]
command = ["true"]
"""


@pytest.fixture
def second(tmp_path: Path) -> Path:
    """It has what ``first`` has, and a file of its own."""
    (tmp_path / "first" / "src").mkdir(parents=True)
    (tmp_path / "first" / "src" / "words").write_text("one\ntwo\n")
    (tmp_path / "first" / "other").write_text("nobody else's")
    folder = tmp_path / "second"
    folder.mkdir()
    (folder / "dramaturg.toml").write_text(MANIFEST)
    (folder / "own").write_text("mine")
    return folder


def _changes(words: Path) -> None:
    words.write_text("one\nTWO\n")


def _makes_executable(words: Path) -> None:
    words.chmod(0o755)


def _renames(words: Path) -> None:
    words.rename(words.parent / "letters")


def _adds(words: Path) -> None:
    (words.parent / "more").touch()


@pytest.mark.parametrize("change", [_changes, _makes_executable, _renames, _adds])
def test_every_change_of_what_lies_beside_changes_the_digest(
    second: Path, change: Callable[[Path], None]
) -> None:
    before = digest(load(second))
    change(second.parent / "first" / "src" / "words")
    assert digest(load(second)) != before


def test_only_what_the_patterns_match_counts_and_never_what_was_made(second: Path) -> None:
    assert sorted(sources.inputs(load(second))) == ["../first/src/words", "dramaturg.toml", "own"]
    before = digest(load(second))
    (second.parent / "first" / "other").write_text("changed")
    (second.parent / "first" / "src" / ".build").mkdir()
    (second.parent / "first" / "src" / ".build" / "made").touch()
    assert digest(load(second)) == before


def test_the_digest_is_the_same_wherever_both_lie(second: Path, tmp_path: Path) -> None:
    there = tmp_path / "deep" / "er"
    for name in ("first", "second"):
        shutil.copytree(tmp_path / name, there / name)
    assert digest(load(there / "second")) == digest(load(second))


def _is_gone(first: Path) -> None:
    shutil.rmtree(first)


def _is_a_link(first: Path) -> None:
    first.rename(first.parent / "elsewhere")
    first.symlink_to("elsewhere")


def _is_empty(first: Path) -> None:
    (first / "src" / "words").unlink()


def _leads_away(first: Path) -> None:
    (first / "src" / "away").symlink_to("/etc/hostname")


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (_is_gone, "names 'first', and .*/first is no folder: both have to lie in one"),
        (_is_a_link, "names 'first', and .*/first is no folder: both have to lie in one"),
        (_is_empty, r"first 'src/\*\*/\*' matches no file of .*/first"),
        (_leads_away, r"first 'src/\*\*/\*' matches src/away, a link that leads to /etc/hostname"),
    ],
)
def test_what_no_digest_can_stand_for_is_refused_in_the_manifest_that_names_it(
    second: Path, make: Callable[[Path], None], said: str
) -> None:
    make(second.parent / "first")
    with pytest.raises(ManifestError, match=f"second/dramaturg.toml: build.beside.?{said}"):
        digest(load(second))


@pytest.mark.parametrize("name", ['".."', '"../first"', '"a/b"', '""'])
def test_only_a_folder_beside_it_can_be_named(second: Path, name: str) -> None:
    text = MANIFEST.replace("\nfirst = ", f"\n{name} = ")
    (second / "dramaturg.toml").write_text(text)
    with pytest.raises(ManifestError, match=r"build\.beside"):
        load(second)


def test_a_pattern_that_leads_out_of_the_other_folder_is_refused(second: Path) -> None:
    (second / "dramaturg.toml").write_text(MANIFEST.replace("src/**/*", "../x"))
    with pytest.raises(ManifestError, match=r"build\.beside\.first\.0: leads out of the folder"):
        load(second)


def committed(folder: Path) -> Implementation:
    who = ["-c", "user.name=A", "-c", "user.email=a@example.org"]
    for words in (["init", "--quiet"], ["add", "."], ["commit", "--quiet", "-m", "x"]):
        command = ["git", *who, "-C", str(folder.parent), *words]
        subprocess.run(command, check=True, capture_output=True)
    return load(folder)


def test_a_certificate_says_whether_what_lies_beside_was_committed(second: Path) -> None:
    implementation = committed(second)
    found = repository.of(implementation)
    assert found is not None
    assert not found.modified
    (second.parent / "first" / "other").write_text("of no build")
    found = repository.of(implementation)
    assert found is not None
    assert not found.modified
    (second.parent / "first" / "src" / "words").write_text("three\n")
    found = repository.of(implementation)
    assert found is not None
    assert found.modified


def test_a_patch_is_of_both_folders_and_reaches_neither(
    second: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    patch = tmp_path / "shouts.patch"
    patch.write_text(
        "Shouts.\n\n--- a/first/src/words\n+++ b/first/src/words\n"
        "@@ -1,2 +1,2 @@\n one\n-two\n+TWO\n"
    )
    patches.check(second, patch)
    with patches.built(second, None, patch) as built:
        assert (built.folder / ".build" / "words").read_text() == "one\nTWO\n"
    with patches.built(second, None, None) as plain:
        assert (plain.folder / ".build" / "words").read_text() == "one\ntwo\n"
    assert (second.parent / "first" / "src" / "words").read_text() == "one\ntwo\n"
