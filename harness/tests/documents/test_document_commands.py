"""Every command that a document shows is performed, or at least parsed by its program."""

import os
import shlex
import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path

import pytest
from documents_kit import (
    PROGRAMS,
    Command,
    DocumentError,
    commands_in,
    everything,
    examples,
    normal,
)
from parsing_kit import Complaint, parse
from registry_kit import FILE, Entry, Registry, mention, named, registry, shown, to_perform

from dramaturg import paths
from dramaturg.cli.main import COMMANDS
from dramaturg.outcomes import Outcome

SHOWN, PERFORMED = shown(), to_perform()
PARSED = [key for key in SHOWN if key[0] in registry().only_parsed]
PATH = f"{paths.ROOT / '.venv' / 'bin'}:{os.environ['PATH']}"
SECONDS = 300
"""Maximum duration of a command with the small parameters of its entry, in seconds."""


def these(found: Iterable[tuple[str, Path]]) -> list[object]:
    return [pytest.param(*key, id=f"{key[0]}{named(key[1])}") for key in found]


def test_every_command_is_performed_or_parsed_and_those_that_are_gone_are_gone() -> None:
    known = {*registry().performed, *registry().only_parsed}
    lost = [places[0] for (text, _), places in SHOWN.items() if text not in known]
    assert lost == [], f"neither performed nor parsed: put it into {FILE.relative_to(paths.ROOT)}"
    assert known - {text for text, _ in SHOWN} == set(), "no document shows these any more"
    assert set(registry().performed) & set(registry().only_parsed) == set()


def test_what_is_only_parsed_says_why() -> None:
    assert [text for text, entry in registry().only_parsed.items() if not entry.because] == []


@pytest.mark.parametrize("text", sorted({text for text, _ in SHOWN}))
def test_what_stands_for_a_command_is_that_command(text: str) -> None:
    registry().meant(text)


def test_a_command_that_is_only_named_exists() -> None:
    names = [(command, mention(command.text)) for command in everything()]
    assert [str(command) for command, name in names if name and name not in COMMANDS] == []


@pytest.mark.parametrize("example", list(examples()), ids=str)
def test_the_examples_of_help_can_be_parsed(example: Command) -> None:
    parse(example.text.partition(" | ")[0].partition(" > ")[0], paths.ROOT, made=None)


@pytest.mark.parametrize(
    ("text", "folder"), these(key for key in SHOWN if key[0] in registry().only_parsed)
)
def test_a_command_that_takes_too_much_is_parsed(
    text: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    try:
        parse(registry().meant(text), folder, made=registry().only_parsed[text].made)
    except Complaint as error:
        pytest.fail(f"{SHOWN[text, folder][0]}: {error}")


@pytest.fixture(scope="session")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The results of a case that fails."""
    folder = tmp_path_factory.mktemp("recorded")
    mutant = "conformance/mutants+history_off_by_one"
    command = f"./dramaturg certify {mutant} --output {folder} -- -x -k late-joiner"
    assert perform(command, paths.ROOT).returncode == Outcome.FAIL.exit_code
    return folder


def perform(command: str, folder: Path) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        command, shell=True, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True,
        timeout=SECONDS, check=False, env=os.environ | {"COLUMNS": "200", "PATH": PATH},
    )  # fmt: skip


@pytest.mark.sampled(5)
@pytest.mark.parametrize(("command", "folder"), these(PERFORMED))
def test_a_command_is_performed(
    command: str, folder: Path, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    shown_at = PERFORMED[command, folder][0]
    entry = registry().entry(normal(shown_at.text))
    assert entry is not None
    if entry.needs and not (folder / entry.needs).exists():
        pytest.skip(f"not run: {entry.needs} was not built")
    program = shlex.split(command)[0]
    if program in PROGRAMS and "/" not in program and shutil.which(program, path=PATH) is None:
        pytest.skip(f"not run: {program} is missing")
    places = {"{tmp}": str(tmp_path)}
    if {"{recorded}", "{run}"} & {*command.split(), *entry.after.split()}:
        results: Path = request.getfixturevalue("recorded")
        [run] = (results / "traces").glob("*.run")
        places |= {"{recorded}": str(results), "{run}": str(run)}

    def filled(text: str) -> str:
        for place, value in places.items():
            text = text.replace(place, value)
        return text

    where = Path(filled(entry.where)) if entry.where else folder
    if entry.after:
        assert perform(filled(entry.after), where).returncode == 0
    done = perform(filled(command), where)
    if done.returncode == Outcome.TOOLCHAIN_MISSING.exit_code:
        pytest.skip(f"not run: {' '.join(done.stderr.split())[-200:]}")
    assert done.returncode == entry.exit, f"{shown_at}\n{done.stdout}{done.stderr}"


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("./dramaturg certify reference --lvl 0", "No such option"),
        ("./dramaturg certify reference --level 9", "Invalid value for '--level'"),
        ("./dramaturg certify cobol", "no implementation is called 'cobol'"),
        ("./dramaturg certify reference+fast", "has no variant 'fast'"),
        ("./dramaturg certify conformance/mutant+lost", "conformance/mutant"),
        ("./dramaturg certify reference -- -k no-such-case", "no case is left"),
        ("./dramaturg certify reference -- --no-such-option", "pytest"),
        ("./dramaturg certify reference --cases conformance/none.yaml", "does not exist"),
        ("./dramaturg certfy reference", "no command 'certfy'"),
        ("./dramaturg facts chatap --clients 1", "no command 'chatap'"),
        ("./dramaturg replay none.run", "none.run"),
        ("./dramaturg verify none.json", "none.json"),
        ("./dramaturg bench enormous", "enormous"),
        ("./dramaturg bench pingpong -i cobol", "cobol"),
        ("./dramaturg mutants no_such_mutant", "nobody is called no_such_mutant"),
        ("./dramaturg mutants --native cobol", "nobody is called cobol"),
        ("./dramaturg", "no command ''"),
        ("make tset", "tset"),
        ("make test lnt", "lnt"),
        ("./harness/scripts/lnt.sh", "no such file"),
        ("docker build --flie Containerfile .", "--file"),
        ("docker build --file Dockerfile .", "Dockerfile: there is no such file"),
        ("docker run --rm dramaturg certfy", "no command 'certfy'"),
        ("dance --now", "nothing here parses what dance takes"),
        ("./dramaturg certify 'reference", "No closing quotation"),
    ],
)
def test_a_wrong_command_is_refused(text: str, complaint: str) -> None:
    with pytest.raises(Complaint, match=complaint):
        parse(text, paths.ROOT)


@pytest.mark.parametrize(
    ("folder", "text", "complaint"),
    [
        ("erlang", "rebar3 complie", "complie"),
        ("elixir", "mix complie", "complie"),
        ("go", "go tset ./...", "tset"),
        ("go", "go test ./nowhere/...", "no Go files"),
        ("erlang", "rebar3 as lnt do xref", "profile 'lnt'"),
        ("akka", "mvn packge", "phase 'packge'"),
        ("akka", "mvn -B -Plnt test", "profile 'lnt'"),
        ("akka", "mvn --no-such-option test", "no-such-option"),
        ("caf", "cmake --preset realease", "realease"),
        ("caf", "cmake --preset release && cmake --build --preset debgu", "debgu"),
        ("pony", "make lnt", "lnt"),
    ],
)
def test_a_wrong_command_of_a_language_is_refused(folder: str, text: str, complaint: str) -> None:
    with pytest.raises(Complaint, match=complaint):
        parse(text, paths.IMPLEMENTATIONS / folder)


def page(folder: Path, text: str) -> Path:
    file = folder / "page.md"
    file.write_text(text, encoding="utf-8")
    return file


def test_commands_are_found_wherever_they_stand(tmp_path: Path) -> None:
    text = (
        "Type `make run` or\n`./dramaturg certify\nNAME`, not `make`.\n\n"
        "| a | b |\n|---|---|\n| c | `X=1 pytest -q` |\n\n"
        "- item\n\n  ```sh\n  # comment\n  one \\\n    two  # three\n  ```\n\n"
        "```console\n$ four\noutput\n$ five\n```\n\n```text\nsix\n```\n"
    )
    found = [
        (command.line, command.text) for command in commands_in(page(tmp_path, text), tmp_path)
    ]
    assert found == [
        (1, "make run"), (1, "./dramaturg certify NAME"), (7, "X=1 pytest -q"),
        (13, "one two  # three"), (18, "four"), (20, "five"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("```\nmake run\n```\n", "page.md:1: a block of kind ''"),
        ("A\n\n    make run\n", "page.md:3: a block that is indented"),
        ("```text\nmake run\n```\n", "page.md:2: 'make run' looks like a command"),
        ("```console\n$ make run\nmake run\n```\n", "page.md:3: 'make run' looks like a command"),
        ("```bahs\nmake run\n```\n", "page.md:1: a block of kind 'bahs'"),
    ],
)
def test_no_command_can_hide(text: str, complaint: str, tmp_path: Path) -> None:
    with pytest.raises(DocumentError, match=complaint):
        commands_in(page(tmp_path, text), tmp_path)


@pytest.mark.parametrize(
    ("instead", "lost"),
    [
        ("./dramaturg certify reference", "--level"),
        ("./dramaturg certify erlang --level 0", "reference"),
        ("./dramaturg certify reference 0 --level", "0"),
    ],
)
def test_another_command_does_not_stand_for_it(instead: str, lost: str) -> None:
    made = Registry(
        stand_for={"NAME": "reference"},
        performed={"./dramaturg certify NAME --level 0": Entry(instead=instead)},
        only_parsed={},
    )
    with pytest.raises(ValueError, match=f"has lost '{lost}'"):
        made.meant("./dramaturg certify NAME --level 0")
