"""Asking git about a stranger's folder starts nothing that the folder names."""

import contextlib
import os
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from attack_kit import Prey, document, dramaturg, written

from dramaturg.errors import HarnessFault, ManifestError
from dramaturg.implementation import build, repository, revision, sources
from dramaturg.implementation.manifest import Implementation, load
from dramaturg.machine import source
from dramaturg.mutation import patches
from dramaturg.processes import committed, git


class Trap:
    """A committed implementation, and a program whose start is seen."""

    def __init__(self, parent: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("HOME", str(parent / "home"))
        self.mark = parent / "ran"
        self.program = parent / "program"
        self.program.write_text(f"#!/bin/sh\ntouch {self.mark}\n")
        self.program.chmod(0o755)
        self.prey = Prey(parent / "work" / "prey")
        manifest = self.folder / "dramaturg.toml"
        manifest.write_text(manifest.read_text().replace('inputs = ["main.sh"]\n', ""))
        self.git("init", "--quiet")
        self.commit()

    @property
    def folder(self) -> Path:
        return self.prey.folder

    def git(self, *words: str, folder: Path | None = None) -> str:
        """As anybody calls it, without any care."""
        who = ["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
        done = subprocess.run(
            ["git", *who, "-C", str(folder or self.folder), *words],
            env=os.environ | {"GIT_TERMINAL_PROMPT": "0"},
            capture_output=True, text=True, timeout=30, check=False,
        )  # fmt: skip
        return done.stdout.strip()

    def commit(self) -> None:
        self.git("add", "--all")
        self.git("commit", "--quiet", "-m", "x")

    def is_sprung_by(self, *words: str, folder: Path | None = None) -> None:
        """The attack works on who takes no care."""
        self.git(*words, folder=folder)
        assert self.mark.exists(), words
        self.mark.unlink()

    def look(self) -> None:
        """All that the harness asks of git about a folder."""
        questions: list[Callable[[Implementation], object]] = [
            build.digest, repository.of, sources.origin, sources.inputs,
            lambda each: sources.would_count(each, each.folder / "x"),
        ]  # fmt: skip
        for what in questions:
            with contextlib.suppress(ManifestError):
                what(load(self.folder))
        for word in ("HEAD", "HEAD~1", "main"):
            try:
                named = revision.named(f"{self.folder}@{word}")
                with revision.checked_out(named):
                    pass
            except ManifestError:
                continue


@pytest.fixture
def trap(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Trap:
    return Trap(tmp_path, monkeypatch)


def _a_partial_clone(trap: Trap, **remote: str) -> None:
    """The tree of its commit is elsewhere."""
    tree = trap.git("rev-parse", "HEAD^{tree}")
    (trap.folder / ".git" / "objects" / tree[:2] / tree[2:]).unlink()
    settings = {
        "core.repositoryformatversion": "1",
        "extensions.partialClone": "origin",
        "remote.origin.url": "ssh://nobody@localhost/x",
        "remote.origin.promisor": "true",
        "remote.origin.partialclonefilter": "blob:none",
    }
    for name, value in (settings | {k.replace("_", "."): v for k, v in remote.items()}).items():
        trap.git("config", name, value)


def _by_ssh(trap: Trap) -> None:
    _a_partial_clone(trap, core_sshCommand=str(trap.program))


def _by_an_external_protocol(trap: Trap) -> None:
    url = f"ext::{trap.program}"
    _a_partial_clone(trap, remote_origin_url=url, protocol_ext_allow="always")


def _by_a_path(trap: Trap) -> None:
    _a_partial_clone(
        trap, remote_origin_url=str(trap.folder), remote_origin_uploadpack=str(trap.program)
    )


def _by_a_proxy(trap: Trap) -> None:
    _a_partial_clone(trap, remote_origin_url="git://localhost/x", core_gitProxy=str(trap.program))


@pytest.mark.parametrize("way", [_by_ssh, _by_an_external_protocol, _by_a_path, _by_a_proxy])
def test_what_is_missing_is_not_fetched(trap: Trap, way: Callable[[Trap], None]) -> None:
    way(trap)
    trap.is_sprung_by("ls-tree", "HEAD")
    trap.look()
    assert not trap.mark.exists()


def test_verify_with_nothing_named_starts_nothing_through_git(
    trap: Trap, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    certificate = written(tmp_path / "c.json", document(monkeypatch, trap.prey.implementation))
    _by_ssh(trap)
    trap.is_sprung_by("ls-tree", "HEAD")
    monkeypatch.chdir(trap.folder.parent)
    for more in ([], ["--no-run"], ["-i", str(trap.folder), "--no-run"]):
        dramaturg("verify", certificate, *more)
        assert not trap.mark.exists()
    assert trap.prey.traces == set()


def _watched(folder: Path, trap: Trap) -> None:
    (folder / "config").write_text(
        "[core]\n\trepositoryformatversion = 0\n\tbare = false\n"
        f"\tworktree = {trap.folder}\n\tfsmonitor = {trap.program}\n"
    )


def test_a_repository_that_is_embedded_in_the_folder_is_not_asked(trap: Trap) -> None:
    """It comes along with a plain clone: HEAD, objects, refs and config are files like others."""
    for name in ("HEAD", "objects", "refs", "index"):
        place = trap.folder / ".git" / name
        copy = shutil.copytree if place.is_dir() else shutil.copy
        copy(place, trap.folder / name)
    _watched(trap.folder, trap)
    shutil.rmtree(trap.folder / ".git")
    trap.is_sprung_by("ls-files", "--others")
    trap.look()
    assert not trap.mark.exists()
    with pytest.raises(ManifestError, match="looks like a repository"):
        build.digest(load(trap.folder))


def test_neither_hooks_nor_a_monitor_of_the_repository_are_started(trap: Trap) -> None:
    hooks = trap.folder / ".git" / "hooks"
    hooks.mkdir(exist_ok=True)
    for name in ("post-checkout", "post-index-change", "reference-transaction", "pre-auto-gc"):
        shutil.copy(trap.program, hooks / name)
    trap.git("config", "core.fsmonitor", str(trap.program))
    trap.is_sprung_by("status")
    trap.is_sprung_by("checkout", "--detach")
    trap.look()
    assert not trap.mark.exists()


@pytest.mark.parametrize("kind", ["smudge", "process"])
def test_a_revision_that_needs_a_filter_is_refused_by_name(trap: Trap, kind: str) -> None:
    (trap.folder / ".gitattributes").write_text("*.bin filter=lfs -text\n")
    (trap.folder / "big.bin").write_text("version https://git-lfs.github.com/spec/v1\n")
    trap.commit()
    (trap.folder / ".gitattributes").unlink()
    (trap.folder / "big.bin").unlink()
    trap.commit()
    trap.git("config", f"filter.lfs.{kind}", str(trap.program))
    trap.is_sprung_by("worktree", "add", str(trap.folder.parent / "plainly"), "HEAD~1")
    with (
        pytest.raises(ManifestError, match=r"prey@HEAD~1: big\.bin is kept through a filter"),
        revision.checked_out(revision.named(f"{trap.folder}@HEAD~1")),
    ):
        pass
    assert not trap.mark.exists()
    with revision.checked_out(revision.named(f"{trap.folder}@HEAD")) as here:
        assert (here.folder / "main.sh").read_text().startswith("touch ")
        assert build.digest(here) == build.digest(load(trap.folder))


def test_attributes_of_the_repository_itself_name_filters_as_well(trap: Trap) -> None:
    info = trap.folder / ".git" / "info"
    info.mkdir(exist_ok=True)
    (info / "attributes").write_text("main.sh filter=mine\n")
    trap.git("config", "filter.mine.smudge", str(trap.program))
    trap.is_sprung_by("worktree", "add", str(trap.folder.parent / "plainly"), "HEAD")
    with (
        pytest.raises(ManifestError, match=r"main\.sh is kept through a filter"),
        revision.checked_out(revision.named(f"{trap.folder}@HEAD")),
    ):
        pass
    assert not trap.mark.exists()


@pytest.mark.parametrize("kind", ["smudge", "process"])
def test_a_filter_has_no_program_whatever_names_it(
    kind: str, trap: Trap, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As where attributes come from what they were not looked for in (attr.tree, of git 2.43)."""
    info = trap.folder / ".git" / "info"
    info.mkdir(exist_ok=True)
    (info / "attributes").write_text("main.sh filter=a.b\n*.toml filter=a=b\n")
    for name in ("a.b", "a=b"):
        trap.git("config", f"filter.{name}.{kind}", str(trap.program))
        trap.git("config", f"filter.{name}.required", "true")
    trap.is_sprung_by("worktree", "add", str(trap.folder.parent / "plainly"), "HEAD")
    monkeypatch.setattr(revision, "_refuse_filters", lambda *_: None)
    with revision.checked_out(revision.named(f"{trap.folder}@HEAD")) as here:
        assert (here.folder / "main.sh").read_bytes() == (trap.folder / "main.sh").read_bytes()
    assert not trap.mark.exists()


def test_what_is_uncommitted_is_found_without_a_filter_or_a_submodules_word(trap: Trap) -> None:
    (trap.folder / ".gitattributes").write_text("* filter=mine\n")
    trap.commit()
    trap.git("config", "filter.mine.clean", str(trap.program))
    os.utime(trap.folder / "main.sh", (1, 1))
    trap.is_sprung_by("status")
    os.utime(trap.folder / "main.sh", (2, 2))
    assert committed.uncommitted(trap.folder, ["main.sh", "new"]) == []
    (trap.folder / "main.sh").write_text("touch run\n")
    (trap.folder / "new").touch()
    assert committed.uncommitted(trap.folder, ["main.sh", "new"]) == ["main.sh", "new"]
    assert not trap.mark.exists()


def test_what_of_the_harness_is_committed_is_found_without_a_filter(
    trap: Trap, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A checkout of ours has strangers' implementations in it, and is some one's configuration."""
    (trap.folder / ".gitattributes").write_text("* filter=mine\n")
    trap.commit()
    head = trap.git("rev-parse", "HEAD")
    trap.git("config", "filter.mine.clean", str(trap.program))
    os.utime(trap.folder / "main.sh", (1, 1))
    trap.is_sprung_by("status")
    os.utime(trap.folder / "main.sh", (2, 2))
    monkeypatch.setattr("dramaturg.paths.ROOT", trap.folder)
    monkeypatch.setattr("dramaturg.paths.IN_CLONE", True)
    assert source.found() == {"revision": head, "dirty": False}
    (trap.folder / "new").touch()
    assert source.found() == {"revision": head, "dirty": True}
    (trap.folder / "new").unlink()
    (trap.folder / "main.sh").write_text("touch run\n")
    assert source.found() == {"revision": head, "dirty": True}
    assert not trap.mark.exists()


def test_a_patch_is_applied_without_a_filter(trap: Trap) -> None:
    file = trap.folder.parent / "a.patch"
    line = (trap.folder / "main.sh").read_text()
    file.write_text(f"--- a/main.sh\n+++ b/main.sh\n@@ -1 +1 @@\n-{line}+touch run\n")
    (trap.folder / ".gitattributes").write_text("* filter=mine\n")
    trap.commit()
    trap.git("config", "filter.mine.clean", str(trap.program))
    trap.is_sprung_by("apply", "--check", str(file))
    patches.check(trap.folder, file)
    assert not trap.mark.exists()


def test_a_revision_in_another_folders_work_tree_is_refused_in_a_line(trap: Trap) -> None:
    trap.git("config", "core.worktree", str(trap.folder.parents[1] / "home"))
    (trap.folder.parents[1] / "home").mkdir(exist_ok=True)
    with (
        pytest.raises(ManifestError, match="its repository is of another folder"),
        revision.checked_out(revision.named(f"{trap.folder}@HEAD")),
    ):
        pass


def test_what_git_says_begins_with_no_advice_on_what_we_have_set(trap: Trap) -> None:
    said = git.problem(trap.folder, "worktree", "add", "/dev/null/x", "HEAD", timeout=git.TIMEOUT)
    assert said is not None and "hint" not in said


def test_git_is_started_in_one_place() -> None:
    """The list of permitted questions and actions is there."""
    package = Path(source.__file__).parents[1]
    starts = {
        str(file.relative_to(package))
        for file in package.rglob("*.py")
        if re.search(r"""["']git["'],\s*(?!["']--version)["'-]""", file.read_text())
    }
    assert starts == {"processes/git.py"}
    # The wheel's build asks the clone, by the same questions.
    assert "git" not in re.findall(
        r"""["'](\w+)["']""", (package.parent / "hatch_build.py").read_text()
    )


def test_a_commit_is_not_what_another_was_put_in_place_of(trap: Trap) -> None:
    (trap.folder / "main.sh").write_text("touch other\n")
    head = trap.git("rev-parse", "HEAD")
    trap.commit()
    trap.git("replace", head, "HEAD")
    trap.git("checkout", "--quiet", "--detach", head)
    assert "other" in trap.git("show", f"{head}:main.sh"), "git itself takes the other"
    (trap.folder / "main.sh").write_text("touch other\n")
    found = repository.of(load(trap.folder))
    assert found is not None and found.modified


def test_a_question_that_is_not_listed_is_not_asked(tmp_path: Path) -> None:
    for words in (["status"], ["diff"], ["log"], ["show", "HEAD:x"], ["fetch"], ["-c", "a=b"]):
        with pytest.raises(HarnessFault):
            git.ask(tmp_path, *words)
        with pytest.raises(HarnessFault):
            git.problem(tmp_path, *words, timeout=1)
