"""The files of a build: the same ones wherever they lie, never build outputs (LEVEL-33)."""

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import click
import pytest

from dramaturg import paths
from dramaturg.errors import ManifestError
from dramaturg.implementation import sources
from dramaturg.implementation.build import digest
from dramaturg.implementation.manifest import load
from dramaturg.implementation.sources import Origin
from dramaturg.orchestration import building

MANIFEST = """\
name = "sketch"
language = "none"
spec = "2"
control = "stdio"
benchmarks = ["pingpong"]
[run]
command = ["true"]
"""


def git(folder: Path, *words: str) -> None:
    who = ["-c", "user.name=A", "-c", "user.email=a@example.org"]
    subprocess.run(["git", *who, "-C", str(folder), *words], check=True, capture_output=True)


def written(folder: Path) -> Path:
    (folder / "src").mkdir(parents=True)
    (folder / "dramaturg.toml").write_text(MANIFEST)
    (folder / "src" / "a").write_text("one")
    (folder / ".gitignore").write_text("*.o\n")
    return folder


def committed(folder: Path) -> None:
    git(folder, "init", "--quiet")
    git(folder, "add", ".")
    git(folder, "commit", "--quiet", "-m", "x")


@pytest.fixture
def tracked(tmp_path: Path) -> Path:
    """An implementation in a repository of its own."""
    folder = written(tmp_path / "tracked")
    committed(folder)
    return folder


def names(folder: Path) -> set[str]:
    return set(sources.inputs(load(folder)))


def test_the_same_sources_have_one_digest_in_three_places(tracked: Path, tmp_path: Path) -> None:
    """In a repository of their own, deep in somebody else's, and in none."""
    deep = tmp_path / "theirs" / "benchmarks" / "sketch"
    plain = tmp_path / "plain"
    for place in (deep, plain):
        shutil.copytree(tracked, place, ignore=shutil.ignore_patterns(".git"))
    committed(tmp_path / "theirs")
    places = [load(folder) for folder in (tracked, deep, plain)]
    assert [sources.origin(each) for each in places] == [Origin.GIT, Origin.GIT, Origin.FOLDER]
    assert len({digest(each) for each in places}) == 1
    (deep / "src" / "a").write_text("two")
    assert digest(load(deep)) != digest(load(tracked))


def _results(folder: Path) -> None:
    (folder / "results" / "1").mkdir(parents=True)
    (folder / "results" / "1" / "conformance.jsonl").write_text("{}")


def _built(folder: Path) -> None:
    (folder / ".build").mkdir()
    (folder / ".build" / "a.out").write_text("x")


def _hidden(folder: Path) -> None:
    (folder / ".cache").mkdir()
    (folder / ".cache" / "x").write_text("x")
    (folder / "src" / ".a.swp").write_text("x")


def _compiled(folder: Path) -> None:
    (folder / "src" / "__pycache__").mkdir()
    (folder / "src" / "__pycache__" / "a.pyc").write_text("x")


MADE = [_results, _built, _hidden, _compiled]


@pytest.mark.parametrize("make", MADE)
@pytest.mark.parametrize("repository", [True, False])
def test_what_was_made_never_counts(
    tracked: Path, make: Callable[[Path], None], repository: bool
) -> None:
    if not repository:
        shutil.rmtree(tracked / ".git")
    before = digest(load(tracked))
    make(tracked)
    assert digest(load(tracked)) == before
    if repository:
        git(tracked, "add", "--force", ".")
        assert digest(load(tracked)) == before


@pytest.mark.parametrize("make", [_results, _built, _compiled])
def test_nor_does_it_where_a_pattern_matches_it(
    tracked: Path, make: Callable[[Path], None]
) -> None:
    manifest = tracked / "dramaturg.toml"
    manifest.write_text(MANIFEST + '[build]\ninputs = ["**/*"]\n')
    before = digest(load(tracked))
    make(tracked)
    assert digest(load(tracked)) == before


def test_what_is_new_counts_before_it_is_added_and_what_is_ignored_does_not(tracked: Path) -> None:
    before = digest(load(tracked))
    (tracked / "src" / "a.o").write_text("made")
    assert digest(load(tracked)) == before
    (tracked / "src" / "b").write_text("new")
    changed = digest(load(tracked))
    assert changed != before
    git(tracked, "add", ".")
    assert digest(load(tracked)) == changed


def test_what_was_removed_counts_no_more_before_that_is_committed(tracked: Path) -> None:
    (tracked / "src" / "b").write_text("")
    git(tracked, "add", ".")
    (tracked / "src" / "b").unlink()
    assert names(tracked) == {"dramaturg.toml", "src/a"}


def test_a_folder_that_a_repository_ignores_is_taken_as_it_is(tmp_path: Path) -> None:
    """Such as a home folder whose repository keeps a few files of it."""
    (tmp_path / ".gitignore").write_text("*\n")
    committed_but = tmp_path / "sketch"
    written(committed_but)
    git(tmp_path, "init", "--quiet")
    assert sources.origin(load(committed_but)) is Origin.FOLDER
    assert names(committed_but) == {"dramaturg.toml", "src/a"}


def test_where_there_is_no_git_the_folder_says_it(
    tracked: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = digest(load(tracked))
    monkeypatch.setenv("PATH", "/nowhere")
    assert sources.origin(load(tracked)) is Origin.FOLDER
    assert digest(load(tracked)) == before


def test_inside_a_hook_git_means_this_repository_all_the_same(
    tracked: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = written(tmp_path / "other")
    (other / "src" / "b").write_text("")
    committed(other)
    monkeypatch.setenv("GIT_DIR", str(other / ".git"))
    monkeypatch.setenv("GIT_INDEX_FILE", str(other / ".git" / "index"))
    assert names(tracked) == {"dramaturg.toml", "src/a"}


@pytest.mark.parametrize("setting", ["core.fsmonitor", "core.hooksPath", "core.sshCommand"])
def test_a_repositorys_own_settings_start_nothing(
    tracked: Path, tmp_path: Path, setting: str
) -> None:
    mark = tmp_path / "mark"
    program = tmp_path / "program"
    program.write_text(f"#!/bin/sh\ntouch {mark}\n")
    program.chmod(0o755)
    git(tracked, "config", setting, str(program))
    digest(load(tracked))
    assert not mark.exists()


def test_a_repository_within_is_refused_since_git_tracks_no_file_of_it(tracked: Path) -> None:
    committed(written(tracked / "library"))
    for add in (False, True):
        if add:
            git(tracked, "add", "library")
        with pytest.raises(ManifestError, match="library is a repository within this one"):
            digest(load(tracked))


def test_a_link_out_of_the_folder_is_refused(tracked: Path, tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (tracked / "src" / "link").symlink_to(tmp_path / "outside")
    for _ in range(2):
        with pytest.raises(ManifestError, match="matches src/link, a link that leads to"):
            digest(load(tracked))
        shutil.rmtree(tracked / ".git", ignore_errors=True)


@pytest.mark.parametrize("pattern", ["../x", "src/../../x", "a/../b", ".."])
@pytest.mark.parametrize("key", ["inputs", "outputs"])
def test_a_pattern_that_leads_out_is_refused_in_one_line(
    tracked: Path, pattern: str, key: str
) -> None:
    (tracked / "dramaturg.toml").write_text(MANIFEST + f'[build]\n{key} = ["{pattern}"]\n')
    with pytest.raises(ManifestError, match=rf"build\.{key}\.0: leads out of the folder by '\.\.'"):
        load(tracked)


def test_no_manifest_of_ours_leads_out_of_its_folder() -> None:
    for folder in (paths.IMPLEMENTATIONS, paths.CONFORMANCE / "mutants"):
        for manifest in folder.rglob("dramaturg.toml"):
            assert "../" not in manifest.read_text(), manifest


@pytest.mark.parametrize(
    ("place", "counts"),
    [("out", True), ("src/out", True), ("results/1", False), (".out", False), ("out.o", False),
     ("../out", False)],
)  # fmt: skip
def test_results_among_the_sources_would_count(tracked: Path, place: str, counts: bool) -> None:
    assert sources.would_count(load(tracked), tracked / place) is counts
    if counts:
        with pytest.raises(click.UsageError, match="lies among the sources of sketch"):
            building.refuse_among_sources(tracked / place, [load(tracked)])
        manifest = tracked / "dramaturg.toml"
        manifest.write_text(MANIFEST + '[build]\ninputs = ["src/a"]\n')
        assert not sources.would_count(load(tracked), tracked / place)


def test_a_package_counts_by_its_sources_wherever_it_lies(
    tracked: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    manifest = tracked / "dramaturg.toml"
    manifest.write_text(MANIFEST + '[build]\npackages = ["dramaturg.model"]\n')
    before = digest(load(tracked))
    root = tmp_path / "site-packages"
    original = paths.ROOT / "harness" / "dramaturg" / "model"
    shutil.copytree(original, root / "dramaturg" / "model")
    monkeypatch.setattr(paths, "PACKAGES", (root,))
    assert digest(load(tracked)) == before
    (root / "dramaturg" / "model" / "lcg.py").write_text("")
    assert digest(load(tracked)) != before


def test_a_package_that_is_not_here_is_named(tracked: Path) -> None:
    manifest = tracked / "dramaturg.toml"
    manifest.write_text(MANIFEST + '[build]\npackages = ["numpy"]\n')
    with pytest.raises(ManifestError, match=r"build\.packages names 'numpy', which this harness"):
        digest(load(tracked))


def test_a_name_that_is_no_text_counts(tracked: Path) -> None:
    shutil.rmtree(tracked / ".git")
    before = digest(load(tracked))
    Path(os.fsdecode(os.fsencode(tracked / "src") + b"/\xff")).touch()
    by_folder = digest(load(tracked))
    assert by_folder != before
    committed(tracked)
    assert digest(load(tracked)) == by_folder
