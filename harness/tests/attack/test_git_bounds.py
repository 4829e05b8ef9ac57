"""Memory, output and files of git have bounds, however little a stranger's repository looks
like."""

import contextlib
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from attack_kit import Prey

from dramaturg.errors import HarnessFault, ManifestError
from dramaturg.implementation import build, repository, revision, sources
from dramaturg.implementation.manifest import load
from dramaturg.processes import committed, git

MIB = 1024 * 1024


def run(folder: Path, *words: str, given: bytes = b"") -> str:
    """As its author does."""
    who = ["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
    done = subprocess.run(
        ["git", *who, "-C", str(folder), *words], input=given, capture_output=True, check=True
    )
    return done.stdout.decode().strip()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    made = Prey(tmp_path / "prey").folder
    manifest = made / "dramaturg.toml"
    manifest.write_text(manifest.read_text().replace('inputs = ["main.sh"]\n', ""))
    run(made, "init", "--quiet")
    run(made, "add", "--all")
    run(made, "commit", "--quiet", "-m", "x")
    return made


@contextlib.contextmanager
def a_link_without_an_end(place: Path) -> Iterator[None]:
    place.parent.mkdir(exist_ok=True)
    place.symlink_to("/dev/zero")
    yield
    place.unlink()


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("commondir", ["rev-parse", "HEAD"]),
        ("info/attributes", ["check-attr", "filter", "main.sh"]),
        ("objects/info/alternates", ["cat-file", "-t", "HEAD"]),
        ("refs/heads/x", ["rev-parse", "--symbolic", "--branches"]),
    ],
)
def test_a_file_of_gits_own_without_an_end_does_not_fill_memory(
    name: str, words: list[str], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(git, "MOST_MEMORY", 16 * MIB)
    assert git.ask(folder, *words), "else it would not be asked"
    with (
        a_link_without_an_end(folder / ".git" / name),
        pytest.raises(ManifestError, match="takes more than 16 MiB of memory there"),
    ):
        git.ask(folder, *words)


def _of_itself_many_times(folder: Path, deep: int, wide: int = 10) -> str:
    """A commit of few objects and of ``wide`` to the power of ``deep`` files."""
    kind, name = "100644 blob", run(folder, "hash-object", "-w", "--stdin", given=b"x")
    for _ in range(deep):
        listed = "".join(f"{kind} {name}\t{number}\n" for number in range(wide))
        kind, name = "040000 tree", run(folder, "mktree", given=listed.encode())
    toml = run(folder, "rev-parse", "HEAD:dramaturg.toml")
    listed = f"{kind} {name}\tmany\n100644 blob {toml}\tdramaturg.toml\n"
    tree = run(folder, "mktree", given=listed.encode())
    return run(folder, "commit-tree", "-m", "x", tree)


def test_a_commit_of_more_files_than_any_disk_has_is_not_listed(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bomb = _of_itself_many_times(folder, 10)
    monkeypatch.setattr(git, "MOST_SAID", MIB)
    with (
        pytest.raises(ManifestError, match="git ls-tree comes to more than 1 MiB there"),
        revision.checked_out(revision.named(f"{folder}@{bomb}")),
    ):
        pass
    run(folder, "update-ref", "--no-deref", "HEAD", bomb)
    with pytest.raises(ManifestError, match="git ls-tree comes to more than 1 MiB there"):
        repository.of(load(folder))
    assert not list((folder / ".git").glob("worktrees/*"))


def test_a_commit_that_is_larger_than_the_disk_is_not_checked_out(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with revision.checked_out(revision.named(f"{folder}@HEAD")) as there:
        assert (there.folder / "main.sh").exists()
    monkeypatch.setattr(revision, "LEFT", 2**60)
    with (
        pytest.raises(ManifestError, match=r"prey@HEAD: its commit comes to .* set TMPDIR"),
        revision.checked_out(revision.named(f"{folder}@HEAD")),
    ):
        pass


def test_committed_files_that_are_mostly_holes_are_not_all_compared(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = repository.of(load(folder))
    assert here is not None and not here.modified
    monkeypatch.setattr(committed, "MOST_BYTES", 10)
    with pytest.raises(ManifestError, match="the files there that are committed come to more"):
        repository.of(load(folder))


def test_a_large_file_is_named_as_git_names_it(folder: Path) -> None:
    (folder / "large").write_bytes(bytes(range(256)) * 10_000)
    run(folder, "add", "large")
    run(folder, "commit", "--quiet", "-m", "x")
    assert committed.uncommitted(folder, ["large", "main.sh"]) == []


def test_sources_and_what_is_built_have_a_size_that_can_be_copied(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Holes make a file of any length, in an archive of a line."""
    monkeypatch.setattr(sources, "MOST_BYTES", 4 * MIB)
    monkeypatch.setattr("dramaturg.implementation.outputs.MOST_BYTES", 4 * MIB)
    (folder / ".build").mkdir()
    (folder / ".build" / "made").touch()
    assert build.artefact(load(folder))
    os.truncate(folder / ".build" / "made", 5 * MIB)
    with pytest.raises(ManifestError, match=r"what its build made comes to 5 MiB, more than 4"):
        build.artefact(load(folder))
    (folder / "hole").touch()
    os.truncate(folder / "hole", 5 * MIB)
    with pytest.raises(ManifestError, match=r"its sources come to 5 MiB, more than 4"):
        build.digest(load(folder))


def test_a_home_that_is_no_whole_path_is_not_looked_for_in_the_strangers_folder(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Git reads its user's configuration there, and trusts it: which files count, say."""
    monkeypatch.chdir(folder)
    hidden = folder.parent / "hidden"
    hidden.write_text("new.sh\n")
    (folder / "new.sh").touch()
    for place in (".gitconfig", ".config/git/config", "git/config"):
        (folder / place).parent.mkdir(parents=True, exist_ok=True)
        (folder / place).write_text(f"[core]\n\texcludesFile = {hidden}\n")
    for variable in ("HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(variable, ".")
        environment = {"PATH": os.environ["PATH"], variable: "."}
        command = ["git", "ls-files", "--others", "--exclude-standard", "new.sh"]
        plain = subprocess.run(command, env=environment, capture_output=True, check=True)
        assert plain.stdout == b"", "what is tried here works"
        assert "new.sh" in sources.inputs(load(folder))


def test_a_users_log_of_what_git_does_is_no_part_of_an_answer(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It may be longer than an answer may be."""
    home = folder.parent / "home"
    home.mkdir()
    log = folder.parent / "log"
    log.touch()
    os.truncate(log, 2 * git.MOST_SAID)
    (home / ".gitconfig").write_text(f"[trace2]\n\tnormalTarget = {log}\n")
    monkeypatch.setenv("HOME", str(home))
    assert git.ask(folder, "rev-parse", "HEAD")
    assert log.stat().st_size == 2 * git.MOST_SAID


def test_a_folder_whose_name_is_no_text_has_revisions(folder: Path) -> None:
    odd = Path(os.fsdecode(bytes(folder.parent) + b"/w\xf6rk"))
    folder.rename(odd)
    with revision.checked_out(revision.named(f"{odd}@HEAD")) as there:
        assert (there.folder / "main.sh").exists()


def test_git_has_the_bounds_that_the_page_names() -> None:
    assert (git.MOST_MEMORY, git.MOST_SAID) == (1024 * MIB, 64 * MIB)
    assert (sources.MOST_BYTES, committed.MOST_BYTES) == (4096 * MIB, 4096 * MIB)


def test_where_no_file_can_be_kept_in_memory_git_is_asked_all_the_same(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: object) -> None:
        raise PermissionError(1, "not here")

    before = git.ask(folder, "rev-parse", "HEAD")
    monkeypatch.setattr(os, "memfd_create", refused)
    assert git.ask(folder, "rev-parse", "HEAD") == before
    monkeypatch.setattr(git.tempfile, "TemporaryFile", refused)
    with pytest.raises(HarnessFault, match="there is no place for what git says"):
        git.ask(folder, "rev-parse", "HEAD")
