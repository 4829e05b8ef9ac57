"""A repository that git refuses is an error in git's own words, and never another digest."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from dramaturg.errors import ManifestError
from dramaturg.implementation import build, repository, sources
from dramaturg.implementation.manifest import Implementation, load

SOMEBODY = 12_345

as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root may give files away")


def git(folder: Path, *words: str) -> None:
    name = ("-c", "user.name=n", "-c", "user.email=a@b")
    subprocess.run(["git", *name, *words], cwd=folder, check=True, capture_output=True)


@pytest.fixture
def committed(implementation_folder: Path, monkeypatch: pytest.MonkeyPatch) -> Implementation:
    monkeypatch.setenv("HOME", str(implementation_folder.parent))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    monkeypatch.delenv("SUDO_UID", raising=False)
    file = implementation_folder / "dramaturg.toml"
    file.write_text(file.read_text().replace('inputs = ["*.py"]', ""))
    (implementation_folder / ".gitignore").write_text("made.py\n")
    git(implementation_folder, "init", "-q")
    git(implementation_folder, "add", "-A")
    git(implementation_folder, "commit", "-qm", "one")
    (implementation_folder / "made.py").write_text("ignored")
    return load(implementation_folder)


def give_away(folder: Path) -> None:
    for place, _, names in os.walk(folder):
        for each in (Path(place), *(Path(place) / name for name in names)):
            os.lchown(each, SOMEBODY, SOMEBODY)


@as_root
def test_a_checkout_of_another_owner_is_refused_in_gits_words(committed: Implementation) -> None:
    before = build.digest(committed)
    give_away(committed.folder)
    for question in (build.digest, repository.of, sources.inputs):
        with pytest.raises(ManifestError, match=r"dubious ownership.*safe\.directory"):
            question(committed)  # type: ignore[operator]
    git(committed.folder.parent, "config", "--global", "safe.directory", str(committed.folder))
    assert build.digest(committed) == before


@as_root
def test_sudo_in_ones_own_checkout_is_what_it_was_without(
    committed: Implementation, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, kept = build.digest(committed), repository.of(committed)
    assert kept is not None
    give_away(committed.folder)
    monkeypatch.setenv("SUDO_UID", str(SOMEBODY))
    assert build.digest(committed) == before
    assert repository.of(committed) == kept
    monkeypatch.setenv("SUDO_UID", str(SOMEBODY + 1))
    with pytest.raises(ManifestError, match="dubious ownership"):
        build.digest(committed)


def test_a_repository_that_is_not_where_it_is_said_to_be_is_an_error(
    committed: Implementation,
) -> None:
    """As in a container that has a worktree mounted, and not the repository that it is of."""
    shutil.rmtree(committed.folder / ".git")
    (committed.folder / ".git").write_text("gitdir: /no/such/place\n")
    with pytest.raises(ManifestError, match="not a git repository: /no/such/place"):
        build.digest(committed)


def test_an_index_that_git_cannot_read_is_an_error(committed: Implementation) -> None:
    (committed.folder / ".git" / "index").write_bytes(b"DIRC broken")
    with pytest.raises(ManifestError, match="git refuses this repository"):
        build.digest(committed)


def test_a_git_that_takes_too_long_is_an_error(
    committed: Implementation, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "git").write_text("#!/bin/sh\nexec sleep 60\n")
    (tmp_path / "git").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    monkeypatch.setattr("dramaturg.processes.git.TIMEOUT", 0.2)
    with pytest.raises(ManifestError, match=r"git [-a-z]+ has not ended within"):
        build.digest(committed)


@pytest.mark.parametrize("name", ["core.excludesFile", "include.path"])
def test_a_configuration_that_names_a_pipe_is_an_error(
    committed: Implementation, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str
) -> None:
    os.mkfifo(tmp_path / "pipe")
    subprocess.run(
        ["git", "-C", str(committed.folder), "config", name, str(tmp_path / "pipe")], check=True
    )
    monkeypatch.setattr("dramaturg.processes.git.TIMEOUT", 0.5)
    with pytest.raises(ManifestError, match=r"git [-a-z]+ has not ended within"):
        build.digest(committed)


def test_outside_of_any_repository_every_file_counts(committed: Implementation) -> None:
    before = build.digest(committed)
    shutil.rmtree(committed.folder / ".git")
    assert sources.origin(committed) == sources.Origin.FOLDER
    assert build.digest(committed) != before


@pytest.mark.parametrize(
    "words",
    [
        ["certify", "FOLDER", "--level", "0"],
        ["bench", "chatapp", "--scale", "tiny", "-i", "FOLDER", "--uncertified"],
        ["compare", "FOLDER", "FOLDER", "chatapp", "--uncertified"],
        ["warmup", "chatapp", "-i", "FOLDER"],
    ],
    ids=lambda words: words[0],
)
def test_a_refusal_is_one_error_before_anything_is_built(
    committed: Implementation, tmp_path: Path, words: list[str]
) -> None:
    file = committed.folder / "dramaturg.toml"
    file.write_text(file.read_text().replace("[build]", '[build]\ncommands = [["touch", "built"]]'))
    (committed.folder / ".git" / "index").write_bytes(b"DIRC broken")
    words = [str(committed.folder) if word == "FOLDER" else word for word in words]
    done = subprocess.run(
        [sys.executable, "-m", "dramaturg.cli.main", *words],
        capture_output=True, text=True, timeout=120, check=False, cwd=tmp_path,
    )  # fmt: skip
    assert done.returncode == 2, done.stdout + done.stderr
    assert done.stderr.count("git refuses this repository, and says") == 1
    assert "harness fault" not in done.stdout + done.stderr
    assert not (committed.folder / "built").exists()
    assert not (tmp_path / "results").exists()


@as_root
def test_a_checkout_of_another_owner_is_one_error_also_where_the_manifest_lists_the_files(
    committed: Implementation, tmp_path: Path
) -> None:
    """Git is not asked for these, but the certificate says at which commit they are: that all cases
    have passed by then is no time to find out."""
    file = committed.folder / "dramaturg.toml"
    file.write_text(file.read_text().replace("[build]", '[build]\ninputs = ["*.py"]'))
    give_away(committed.folder)
    done = subprocess.run(
        [sys.executable, "-m", "dramaturg.cli.main", "certify", str(committed.folder)],
        capture_output=True, text=True, timeout=120, check=False, cwd=tmp_path,
    )  # fmt: skip
    assert done.returncode == 2, done.stdout + done.stderr
    assert "dubious ownership" in done.stderr
    assert "safe.directory" in done.stderr
    assert len(done.stderr.splitlines()) == 1
