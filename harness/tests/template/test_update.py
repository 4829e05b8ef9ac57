"""The words and actions of `dramaturg update`, file by file."""

import json
import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from dramaturg import paths
from dramaturg.cli.new import new
from dramaturg.cli.update import update
from dramaturg.template import record as records
from dramaturg.template.making import TemplateError

Update = Callable[..., tuple[int, dict[str, Any]]]

RUN, LOG = "run", "src/mine_actors/control/log.py"


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package's templates and plumbing that a test may change: a later version's."""
    root = tmp_path / "package"
    for name, there in (("TEMPLATES", paths.TEMPLATES), ("PLUMBING", paths.PLUMBING / "asyncio")):
        copy = root / (name.lower() if name == "TEMPLATES" else "plumbing/asyncio")
        shutil.copytree(there, copy, ignore=shutil.ignore_patterns(".build", "__pycache__"))
        monkeypatch.setattr(paths, name, copy if name == "TEMPLATES" else copy.parent)
    return root / "plumbing" / "asyncio"


@pytest.fixture
def mine(package: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository of the package as it is, with everything committed."""
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(new, ["mine", "--language", "python"])
    assert done.exit_code == 0, done.output
    commit(tmp_path / "mine")
    return tmp_path / "mine"


@pytest.fixture
def said(mine: Path) -> Update:
    """Ask for an update: exit code and document."""

    def ask(*words: str) -> tuple[int, dict[str, Any]]:
        done = CliRunner().invoke(update, [str(mine), "--json", *words])
        if done.exception and not isinstance(done.exception, SystemExit):
            raise done.exception
        return done.exit_code, json.loads(done.stdout)

    return ask


def commit(folder: Path) -> None:
    identity = ["-c", "user.name=x", "-c", "user.email=x@example.org"]
    for words in (["add", "-A"], [*identity, "commit", "-q", "-m", "as it is"]):
        subprocess.run(["git", "-C", str(folder), *words], check=True)


def append(file: Path, text: str) -> None:
    file.write_text(file.read_text() + text)


def others(files: dict[str, str]) -> dict[str, str]:
    return {path: state for path, state in files.items() if state != "same"}


def test_nothing_has_changed_at_first(said: Update) -> None:
    code, document = said()
    assert (code, others(document["files"])) == (0, {})
    assert len(document["files"]) > 20


def test_what_changed_in_the_package_only_is_replaced(
    package: Path, mine: Path, said: Update
) -> None:
    append(package / "run", "# newer\n")
    assert others(said()[1]["files"]) == {RUN: "changed in the package"}
    assert said()[0] == 1
    assert said("--apply")[0] == 0
    assert (mine / RUN).read_text().endswith("# newer\n")
    assert (mine / RUN).stat().st_mode & 0o100
    assert said()[0] == 0


def test_what_changed_here_only_is_left(mine: Path, said: Update) -> None:
    append(mine / RUN, "# mine\n")
    (mine / LOG).unlink()
    code, document = said("--apply")
    assert (code, others(document["files"])) == (0, {RUN: "changed here", LOG: "changed here"})
    assert (mine / RUN).read_text().endswith("# mine\n")
    assert not (mine / LOG).exists()


def test_what_changed_in_both_is_shown_and_never_written(
    package: Path, mine: Path, said: Update
) -> None:
    append(package / "run", "# newer\n")
    append(mine / RUN, "# mine\n")
    commit(mine)
    code, document = said("--apply")
    assert (code, others(document["files"])) == (1, {RUN: "changed in both"})
    assert "-# mine\n+# newer" in document["differences"][RUN]
    assert (mine / RUN).read_text().endswith("# mine\n")
    assert said()[0] == 1


def test_what_was_merged_is_the_author_s_from_then_on(
    package: Path, mine: Path, said: Update
) -> None:
    append(package / "run", "# newer\n")
    append(mine / RUN, "# mine\n")
    code, document = said("--merged", RUN)
    assert (code, others(document["files"])) == (0, {RUN: "changed here"})
    assert said()[0] == 0
    append(package / "run", "# newest\n")
    assert said()[0] == 1


def test_the_same_change_in_both_is_no_change(package: Path, mine: Path, said: Update) -> None:
    for file in (package / "run", mine / RUN):
        append(file, "# the same\n")
    assert others(said()[1]["files"]) == {}


def test_what_was_taken_away_here_and_changed_there_is_shown(
    package: Path, mine: Path, said: Update
) -> None:
    append(package / "run", "# newer\n")
    (mine / RUN).unlink()
    code, document = said("--apply")
    assert (code, document["files"][RUN]) == (1, "changed in both")
    assert document["differences"][RUN].startswith("--- /dev/null")
    assert not (mine / RUN).exists()


def test_what_is_new_is_added_and_what_is_gone_is_taken_away(
    package: Path, mine: Path, said: Update
) -> None:
    there = package / "src" / "asyncio_actors" / "control"
    (there / "log.py").rename(there / "logs.py")
    states = others(said()[1]["files"])
    logs = LOG.replace("log.py", "logs.py")
    assert states == {LOG: "gone from the package", logs: "new in the package"}
    assert said("--apply")[0] == 0
    assert (mine / logs).exists()
    assert not (mine / LOG).exists()
    assert others(said()[1]["files"]) == {}


def test_what_is_gone_and_was_changed_here_stays(package: Path, mine: Path, said: Update) -> None:
    append(mine / LOG, "# mine\n")
    (package / "src" / "asyncio_actors" / "control" / "log.py").unlink()
    code, document = said("--apply")
    assert (code, document["files"][LOG]) == (0, "changed here")
    assert (mine / LOG).exists()


def test_what_is_new_and_is_here_already_is_not_written_over(
    package: Path, mine: Path, said: Update
) -> None:
    (package / "src" / "asyncio_actors" / "control" / "fast.py").write_text('"""Theirs."""\n')
    file = mine / "src" / "mine_actors" / "control" / "fast.py"
    file.write_text('"""Mine."""\n')
    code, document = said("--apply")
    assert (code, list(others(document["files"]).values())) == (1, ["changed in both"])
    assert file.read_text() == '"""Mine."""\n'


def test_what_git_has_no_copy_of_is_not_replaced(package: Path, mine: Path, said: Update) -> None:
    append(package / "run", "# newer\n")
    subprocess.run(["git", "-C", str(mine), "rm", "-q", "--cached", RUN], check=True)
    with pytest.raises(TemplateError, match="nothing was applied: git has no copy of run"):
        said("--apply")
    assert not (mine / RUN).read_text().endswith("# newer\n")
    assert said()[0] == 1


def test_other_files_may_be_as_dirty_as_they_like(package: Path, mine: Path, said: Update) -> None:
    append(package / "run", "# newer\n")
    append(mine / "README.md", "not committed\n")
    append(mine / LOG, "# neither\n")
    assert said("--apply")[0] == 0
    assert (mine / RUN).read_text().endswith("# newer\n")


def test_outside_of_a_repository_what_is_as_it_was_made_is_replaced(
    package: Path, mine: Path, said: Update
) -> None:
    append(package / "run", "# newer\n")
    shutil.rmtree(mine / ".git")
    assert said("--apply")[0] == 0


def test_the_author_s_files_are_not_looked_at(package: Path, mine: Path, said: Update) -> None:
    append(mine / "dramaturg.toml", "# mine\n")
    (mine / "src" / "mine_actors" / "benchmarks" / "pingpong.py").unlink()
    assert others(said()[1]["files"]) == {}


@pytest.mark.parametrize("parent", [False, True])
def test_nothing_is_written_through_a_link(
    package: Path, mine: Path, said: Update, tmp_path: Path, parent: bool
) -> None:
    """A repository may be anybody's, and lead anywhere."""
    place = (mine / LOG).parent if parent else mine / RUN
    outside = tmp_path / "outside"
    place.rename(outside)
    place.symlink_to(outside)
    append(package / "run", "# newer\n")
    append(package / "src" / "asyncio_actors" / "control" / "log.py", "# newer\n")
    commit(mine)
    code, document = said("--apply")
    assert code == 1
    assert document["files"][LOG if parent else RUN] == "changed in both"
    written = outside / "log.py" if parent else outside
    assert "# newer" not in written.read_text()


@pytest.mark.parametrize("path", ["../precious", "/etc/passwd", ".git/config", "", "a/../../b"])
def test_a_record_names_files_of_its_own_repository_only(
    mine: Path, said: Update, path: str
) -> None:
    """A file that a record has and the package has not is taken away: that must not reach
    further."""
    precious = mine.parent / "precious"
    precious.write_text("precious")
    file = mine / records.PLACE
    document = json.loads(file.read_text())
    document["files"][path] = records.digest(b"precious", executable=False)
    file.write_text(json.dumps(document))
    with pytest.raises(TemplateError, match="is no file of this repository"):
        said("--apply")
    assert precious.exists()


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"format": 2}, "install that version, or a later one"),
        ({"package": "99.0.0"}, "was written by dramaturg 99.0.0"),
        ({"format": "1"}, "is no record of `dramaturg new`"),
        ({"template": "cobol"}, "no template is called 'cobol'; there are: "),
        ({"name": "../mine"}, "is no name for an implementation"),
        ({"files": []}, "files"),
        ({"colour": 3}, "colour"),
    ],
)
def test_a_record_of_another_version_or_of_nobody_is_refused(
    mine: Path, said: Update, change: dict[str, Any], complaint: str
) -> None:
    file = mine / records.PLACE
    file.write_text(json.dumps(json.loads(file.read_text()) | change))
    with pytest.raises(TemplateError) as caught:
        said()
    assert complaint in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("text", ["", "[]", "{", "null", "[" * 10_000, '{"format": true}'])
def test_a_record_that_is_none_is_refused_with_its_place(
    mine: Path, said: Update, text: str
) -> None:
    (mine / records.PLACE).write_text(text)
    with pytest.raises(TemplateError, match=r"mine/\.dramaturg/template\.json: "):
        said()


def test_a_file_that_is_no_plumbing_cannot_be_merged(mine: Path) -> None:
    done = CliRunner().invoke(update, [str(mine), "--merged", "README.md"])
    assert done.exit_code == 2
    assert "README.md is no file of the plumbing" in done.output


def test_what_is_new_is_not_written_behind_a_link_either(
    package: Path, mine: Path, said: Update, tmp_path: Path
) -> None:
    """There is no such file, and the folder for it is a link to anywhere."""
    place, outside = (mine / LOG).parent, tmp_path / "outside"
    place.rename(outside)
    place.symlink_to(outside)
    there = package / "src" / "asyncio_actors" / "control"
    (there / "log.py").rename(there / "logs.py")
    commit(mine)
    assert said("--apply")[0] == 1
    assert not (outside / "logs.py").exists()


def test_no_file_is_written_under_a_name_that_could_be_known_before(
    package: Path, mine: Path, said: Update, tmp_path: Path
) -> None:
    append(package / "run", "# newer\n")
    (tmp_path / "profile").write_text("mine\n")
    for name in (f".run-{os.getpid()}", ".run"):
        (mine / name).symlink_to(tmp_path / "profile")
    assert said("--apply")[0] == 0
    assert (tmp_path / "profile").read_text() == "mine\n"
