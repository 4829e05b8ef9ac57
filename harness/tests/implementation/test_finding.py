"""Places in which an implementation is looked for by name, and the difference of two."""

import shutil
from pathlib import Path

import pytest

from dramaturg import paths
from dramaturg.errors import ManifestError
from dramaturg.implementation.manifest import available, everybody, find, find_all


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder in which one stands."""
    folder = tmp_path / "here"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


def test_a_name_is_that_of_the_nearest_folder_with_a_manifest(
    here: Path, implementation_folder: Path
) -> None:
    own = paths.IMPLEMENTATIONS / "reference"
    assert find("reference").folder == own
    shutil.copytree(own, here / "implementations" / "reference")
    assert find("reference").folder == here / "implementations" / "reference"
    shutil.copytree(implementation_folder, here / "reference")
    assert find("reference").folder == here / "reference"
    assert find("reference").name == "sketch"


def test_everybody_is_who_is_here_and_whom_the_project_has(
    here: Path, implementation_folder: Path
) -> None:
    before = available()
    assert "reference" in before
    shutil.copytree(implementation_folder, here, dirs_exist_ok=True)
    shutil.copytree(implementation_folder, here / "implementations" / "sketch")
    shutil.copytree(implementation_folder, here / ".hidden")
    assert available() == [".", *sorted([*before, "sketch"])]
    assert {each.folder.resolve() for each in everybody()} >= {
        here, here / "implementations" / "sketch", paths.IMPLEMENTATIONS / "reference"
    }  # fmt: skip


def test_where_one_stands_inside_an_implementation_it_is_there_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(paths.IMPLEMENTATIONS / "reference")
    names = [each.name for each in everybody()]
    assert names.count("reference") == 1


@pytest.mark.parametrize("plus", ["c++", "c++/own", "a+b/own", "a+b"])
def test_a_plus_in_a_path_is_no_variant(here: Path, implementation_folder: Path, plus: str) -> None:
    shutil.copytree(implementation_folder, here / plus)
    assert find(f"./{plus}").folder == Path(plus)
    assert find(f"./{plus}").variant is None


def test_a_folder_without_a_manifest_says_that_it_has_none(here: Path) -> None:
    (here / "mine").mkdir()
    with pytest.raises(ManifestError, match=r"mine/dramaturg\.toml: no such file; see spec/impl"):
        find("mine")


def test_where_nobody_is_a_path_is_proposed(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paths, "IMPLEMENTATIONS", here / "none")
    with pytest.raises(ManifestError, match=r"none here; a path, such as \./mine"):
        find("mine")


def test_in_an_implementations_own_folder_its_variants_are_named_by_a_dot(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (here / "dramaturg.toml").touch()
    monkeypatch.setattr(paths, "IMPLEMENTATIONS", here / "none")
    with pytest.raises(ManifestError, match=r"there are: \. \(this folder; .* is \.\+NAME\)"):
        find("mine+single")


def test_two_of_one_name_are_not_judged_in_one_run(here: Path, implementation_folder: Path) -> None:
    for name in ("one", "two"):
        shutil.copytree(implementation_folder, here / name)
    assert [each.folder for each in find_all(["one", "./one", "one"])] == [here / "one"]
    with pytest.raises(ManifestError, match="both called 'sketch'"):
        find_all(["one", "two"])


def test_a_manifest_for_a_later_version_says_so(here: Path, implementation_folder: Path) -> None:
    file = implementation_folder / "dramaturg.toml"
    file.write_text(file.read_text().replace('spec = "2"', 'spec = "3"'))
    with pytest.raises(ManifestError, match="spec: it is '3', and this harness holds to version 2"):
        find(f"{implementation_folder}/")
