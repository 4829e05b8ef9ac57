"""Folders that `dramaturg new` makes, and those that it refuses."""

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from dramaturg import paths
from dramaturg.implementation.manifest import load
from dramaturg.template import making, writing
from dramaturg.template.making import TemplateError

GENERIC = ("--generic",)
CALLS = ("describe", "prepare", "run", "trace", "teardown", "act", "turn")
WORDS = ("new", "mine", "--language", "python")


def run(cwd: Path, *words: str, **environment: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [str(paths.ROOT / "dramaturg"), *words],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        cwd=cwd,
        env=os.environ | environment,
    )


def entries(folder: Path) -> list[str]:
    return sorted(entry.name for entry in folder.iterdir())


def test_it_makes_a_repository_and_says_how_to_go_on(tmp_path: Path) -> None:
    done = run(tmp_path, *WORDS)
    assert (done.returncode, done.stderr) == (0, "")
    assert "Go on with mine/README.md" in done.stdout
    assert entries(tmp_path) == ["mine"]
    assert {".git", ".dramaturg", ".github", "dramaturg.toml", "run"} <= {
        *entries(tmp_path / "mine")
    }


def test_within_a_repository_it_makes_no_other(tmp_path: Path) -> None:
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    assert run(tmp_path, *WORDS).returncode == 0
    assert ".git" not in entries(tmp_path / "mine")


def test_a_repository_that_was_just_cloned_is_filled(tmp_path: Path) -> None:
    subprocess.run(["git", "init", "-q", str(tmp_path / "mine")], check=True)
    config = (tmp_path / "mine" / ".git" / "config").read_text()
    assert run(tmp_path, *WORDS).returncode == 0
    assert (tmp_path / "mine" / ".git" / "config").read_text() == config
    assert (tmp_path / "mine" / "dramaturg.toml").exists()


def test_a_toolchain_that_is_missing_is_named_and_the_repository_made(tmp_path: Path) -> None:
    tools = tmp_path / "tools"
    tools.mkdir()
    for tool in ("git", "sh", "dirname", "readlink", "env", "uname"):
        found = Path("/usr/bin") / tool
        if found.exists():
            (tools / tool).symlink_to(found)
    words = [sys.executable, "-m", "dramaturg.cli.main", "new", "mine", "--language", "erlang"]
    done = subprocess.run(
        words, capture_output=True, text=True, check=False, cwd=tmp_path, timeout=60,
        env={"PATH": str(tools), "HOME": str(tmp_path)},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "missing: " in done.stdout
    assert "doctor mine" in done.stdout
    assert (tmp_path / "mine" / "dramaturg.toml").exists()


def test_it_prints_one_json_document(tmp_path: Path) -> None:
    document = json.loads(run(tmp_path, *WORDS, "--json").stdout)
    assert document["folder"] == str(tmp_path / "mine")
    assert "README.md" in document["files"]
    assert document["missing"] == []


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (
            ["new", "mine", "--language", "pyton"],
            "'pyton' has no template of its own; did you mean 'python'? There are: cpp",
        ),
        (["new", "mine", "--language", "a\nb"], "is no name of a language"),
        (["new", "mine", "--language", "x" * 41], "is no name of a language"),
        (["new", "mine", "--language", '"'], "is no name of a language"),
        (["new", "mine"], "Missing option '--language'"),
        (["new", "Mine", "--language", "python"], "'Mine' is no name for an implementation"),
        (["new", "../mine", "--language", "python"], "its folder is made where you stand"),
        (["new", "results", "--language", "python"], "is where verdicts are written"),
        (["update", "nowhere"], "nowhere/dramaturg.toml: no such file"),
    ],
)
def test_bad_input_gets_one_clear_error_and_makes_nothing(
    tmp_path: Path, words: list[str], complaint: str
) -> None:
    done = run(tmp_path, *words)
    assert done.returncode == 2
    said = " ".join(done.stderr.split())
    assert complaint in said
    assert "Traceback" not in said
    assert entries(tmp_path) == []


def test_a_folder_that_is_not_empty_stays_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / ".hidden").write_text("precious")
    done = run(tmp_path, *WORDS)
    assert done.returncode == 2
    assert "mine is not empty (.hidden is in it)" in done.stderr
    assert entries(tmp_path / "mine") == [".hidden"]
    assert entries(tmp_path) == ["mine"]


@pytest.mark.parametrize("what", ["file", "link", "dangling"])
def test_what_is_no_folder_is_refused(tmp_path: Path, what: str) -> None:
    place = tmp_path / "mine"
    if what == "file":
        place.write_text("precious")
    else:
        place.symlink_to(tmp_path if what == "link" else tmp_path / "nowhere")
    done = run(tmp_path, *WORDS)
    assert done.returncode == 2
    assert f"mine is a {'file' if what == 'file' else 'link'}" in done.stderr
    assert entries(tmp_path) == ["mine"]


def test_where_nobody_may_write_the_folder_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By an error of the system's: root may write everywhere."""
    monkeypatch.chdir(tmp_path)

    def refused(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "mkdir", refused)
    files = making.make("mine", making.templates()["python"])
    with pytest.raises(PermissionError) as caught:
        writing.create(Path("mine"), files)
    assert caught.value.filename == "mine"


def test_what_cannot_be_finished_leaves_nothing_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written: list[Path] = []
    original = Path.chmod

    def fail_at_the_tenth(file: Path, mode: int) -> None:
        written.append(file)
        if len(written) == 10:
            raise OSError(28, "No space left on device")
        original(file, mode)

    monkeypatch.setattr(Path, "chmod", fail_at_the_tenth)
    files = making.make("mine", making.templates()["python"])
    with pytest.raises(OSError, match="No space left"):
        writing.create(tmp_path / "mine", files)
    assert entries(tmp_path) == []


@pytest.mark.parametrize("cloned", [False, True])
def test_who_comes_in_between_is_not_written_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cloned: bool
) -> None:
    """Somebody fills the folder after it was looked at."""
    monkeypatch.setattr(writing, "refuse_taken", lambda folder: None)
    (tmp_path / "mine" / (".git" if cloned else "")).mkdir(parents=True)
    (tmp_path / "mine" / "run").write_text("precious")
    files = making.make("mine", making.templates()["python"])
    with pytest.raises((OSError, TemplateError)):
        writing.create(tmp_path / "mine", files)
    assert (tmp_path / "mine" / "run").read_text() == "precious"


@pytest.mark.parametrize(
    ("language", "more"), [("haskell", ()), ("Standard ML", ()), ("F#", ()), ("pyton", GENERIC)]
)
def test_a_language_without_a_template_gets_all_but_the_code(
    tmp_path: Path, language: str, more: tuple[str, ...]
) -> None:
    done = run(tmp_path, "new", "mine", "--language", language, *more)
    assert (done.returncode, done.stderr) == (0, "")
    assert "mine/README.md says what to write first" in done.stdout
    folder = tmp_path / "mine"
    there = {str(file.relative_to(folder)) for file in folder.rglob("*") if file.is_file()}
    assert {each for each in there if not each.startswith(".git/")} == {
        ".dramaturg/template.json", ".gitattributes", ".github/workflows/certify.yml", ".gitignore",
        "README.md", "dramaturg.toml", "table.json", "vectors.json",
    }  # fmt: skip
    manifest = load(folder).manifest
    assert (manifest.language, manifest.benchmarks) == (language, ["pingpong"])
    assert json.loads((folder / "table.json").read_text())["kinds"]
    guide = (folder / "README.md").read_text()
    for word in CALLS:
        assert f"`{word}`" in guide, word
    for command in ("dramaturg spec", "dramaturg proto", "dramaturg certify . --level 0"):
        assert command in guide
    updated = run(tmp_path, "update", "mine")
    assert (updated.returncode, "changed" in updated.stdout) == (0, False), updated.stdout
    said = run(tmp_path, "certify", "mine", "--level", "0")
    assert said.returncode == 3
    assert "mine cannot be started: ./run is not in" in " ".join(said.stderr.split())


def test_a_language_is_known_as_people_call_it(tmp_path: Path) -> None:
    assert "files, C++" in run(tmp_path, "new", "mine", "--language", "C++").stdout
    assert (tmp_path / "mine" / "src").is_dir()
    assert "files, Python" in run(tmp_path, "new", "other", "--language", "PYTHON").stdout
    assert run(tmp_path, "new", "third", "--language", "python", *GENERIC).returncode == 0
    assert not (tmp_path / "third" / "src").exists()


def test_an_implementation_begun_without_a_template_is_certified(tmp_path: Path) -> None:
    """All that is written is the code."""
    assert run(tmp_path, "new", "mine", "--language", "other").returncode == 0
    code = making.make("code", making.templates()["python"])
    for path, file in code.items():
        if path.startswith(("run", "build", "src/")):
            (tmp_path / "mine" / path).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / "mine" / path).write_bytes(file.content)
            (tmp_path / "mine" / path).chmod(0o755)
    manifest = tmp_path / "mine" / "dramaturg.toml"
    written = manifest.read_text().replace("commands = []", 'commands = [["./build"]]')
    manifest.write_text(written.replace("start_timeout = 5", "start_timeout = 30"))
    done = run(tmp_path, "certify", "mine", "--level", "0")
    assert done.returncode == 0, done.stdout + done.stderr


def test_what_update_compares_does_not_name_the_language() -> None:
    """It is known to no update."""
    template = making.templates()["generic"]
    plainly = making.make("mine", template)
    named = making.make("mine", replace(template, language="haskell"))
    assert {path for path in plainly if plainly[path] != named[path]} <= {
        "README.md", "dramaturg.toml"
    }  # fmt: skip
