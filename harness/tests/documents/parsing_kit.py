"""Parses commands by the real command line of their program, without performing them.

Each parser raises Complaint if the program would not take these words: an option that it does
not have, a name of an implementation, case or suite that is nobody's, a file or a target that
is not there.
"""

import argparse
import re
import shutil
import subprocess
import tomllib
from collections.abc import Callable, Collection, Sequence
from fnmatch import fnmatchcase
from importlib import metadata
from itertools import takewhile
from pathlib import Path
from typing import Any, NoReturn

import click
import pytest
from documents_kit import DocumentError, words_of

from dramaturg import paths
from dramaturg.cli import bench, mutants
from dramaturg.cli import certify as certify_module
from dramaturg.cli.main import cli
from dramaturg.conformance.certification import selected
from dramaturg.errors import ManifestError
from dramaturg.implementation.manifest import Implementation, everybody, find
from dramaturg.levels import REQUIRED
from dramaturg.mutation.native_mutants import everybody as native_members
from dramaturg.orchestration import pilot_plan, requested_suites
from dramaturg.plan.case_plan import make
from dramaturg.terminal import native_verdicts
from dramaturg.timing.planning import timing_plan
from dramaturg.timing.planning.suites import SuiteError


class Complaint(ValueError):
    """The program's complaint about these words."""


Parser = Callable[[Sequence[str], Path], None]


def parse(text: str, folder: Path, made: Collection[str] | None = ()) -> None:
    """Raises Complaint. Files that are named must be there, but for those that their reader
    has made, which are all of them if ``made`` is None."""
    try:
        words = words_of(text)
    except DocumentError as error:
        raise Complaint(str(error)) from None
    while words and re.fullmatch(r"[A-Z_]+=\S*", words[0]):
        words = words[1:]
    if not words:
        raise Complaint(f"{text!r} names no program")
    program = words[0]
    if program in ("./dramaturg", "dramaturg"):
        _dramaturg(words[1:], made)
    elif program in PARSERS:
        PARSERS[program](words[1:], folder)
    elif "/" in program:
        _is_there(program, folder)
        if words[1:]:
            raise Complaint(f"nothing here parses the arguments of {program}")
    else:
        raise Complaint(f"nothing here parses what {program} takes")


def _is_there(name: str, folder: Path) -> None:
    if not (folder / name).exists():
        raise Complaint(f"{name}: there is no such file in {folder}")


def _dramaturg(words: Sequence[str], made: Collection[str] | None) -> None:
    command: click.Command = cli
    context: click.Context | None = None
    rest = list(words)
    try:
        while isinstance(command, click.Group) and not (rest and rest[0].startswith("-")):
            context = click.Context(command, parent=context, info_name=command.name)
            name = rest.pop(0) if rest else ""
            found = command.get_command(context, name)
            if found is None:
                raise Complaint(f"dramaturg has no command {name!r}")
            command = found
        parsed = command.make_context(command.name, rest, parent=context)
        look = ARGUMENTS.get(command.name or "")
        if look is not None:
            look(parsed.params)
        if made is not None:
            _files(parsed.params, made)
    except click.exceptions.Exit:
        return
    except (click.ClickException, ManifestError, SuiteError) as error:
        said = error.format_message() if isinstance(error, click.ClickException) else str(error)
        raise Complaint(said) from None


def _files(parameters: dict[str, Any], made: Collection[str]) -> None:
    """Check the files that a command reads; its outputs need not be there."""
    for name in ("file", "key_file", "trusted_file", "folder", "case_file"):
        value = parameters.get(name)
        if isinstance(value, Path) and str(value) not in made and not value.exists():
            raise Complaint(f"{value}: there is no such file")


def _certify(parameters: dict[str, Any]) -> None:
    names, rest = certify_module._split(parameters["implementations"])
    chosen = [find(name) for name in names]
    if rest:
        _selects(chosen, parameters["levels"], rest)


def _selects(chosen: list[Implementation], levels: Sequence[str], rest: list[str]) -> None:
    """Check that pytest takes these words, and some case is left."""
    planned = make(chosen, map(int, levels) if levels else REQUIRED)
    try:
        left = selected(planned, rest).items
    except ValueError as error:
        raise Complaint(f"pytest says: {error}") from None
    if not left:
        raise Complaint(f"{' '.join(rest)}: no case is left")


def _bench(parameters: dict[str, Any]) -> None:
    others = ("what", "names", "uncertified", "order_seed", "output", "folder", "as_json")
    others += ("only", "precision", "pilot", "dry_run", "pinned", "kernel_asked", "hosts_asked")
    given = {
        name: value
        for name, value in parameters.items()
        if name not in others and value is not None and value != ()
    }
    suites = requested_suites.chosen(parameters["what"] or (bench.DEFAULT_SUITE,), given)
    names = [find(name).name for name in parameters["names"]] or [each.name for each in everybody()]
    # One suite of claims says in its name that it is for another machine than a reader's.
    cores = range(128 if "claims/suites/many-cores.yaml" in parameters["what"] else 2)
    timing_plan.only(timing_plan.make(suites, names, seed=1, cores=cores), parameters["only"])
    for word in parameters["pinned"]:
        find(word.partition("@")[0])
    pilot_plan.asked(*(parameters[name] for name in ("precision", "pilot")), given, False)


def _compare(parameters: dict[str, Any]) -> None:
    """A reader has the history that a command needs: revisions are not looked up."""
    # The words that the shell takes away are still there.
    words = list(takewhile(lambda word: word != ">>", parameters["words"]))
    for side in words[:2]:
        if not side.startswith("results/"):
            find(side.partition("@")[0])
    if words[2:]:
        requested_suites.chosen(words[2:], {})


def _mutants(parameters: dict[str, Any]) -> None:
    if parameters["in_languages"]:
        native_verdicts.chosen(native_members(), parameters["names"], parameters["which"])
    else:
        mutants._chosen(parameters["names"], parameters["which"])


def _named(parameters: dict[str, Any]) -> None:
    for name in parameters.get("names") or parameters.get("implementations") or ():
        find(name)


ARGUMENTS: dict[str, Callable[[dict[str, Any]], None]] = {
    "bench": _bench,
    "certify": _certify,
    "compare": _compare,
    "doctor": _named,
    "mutants": _mutants,
    "verify": _named,
}
"""The checks of arguments that only the command itself can judge."""


def _said(command: Sequence[str], folder: Path) -> str:
    """Return the output of a program, for pytest's skip if it is missing. Raises Complaint if it
    refuses."""
    if shutil.which(command[0]) is None:
        pytest.skip(f"not run: {command[0]} is missing")
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    said = done.stdout + done.stderr
    if done.returncode != 0:
        raise Complaint(f"{' '.join(command)}: {' '.join(said.split())[-300:]}")
    return said


def _make(words: Sequence[str], folder: Path) -> None:
    _said(["make", "--dry-run", "--no-print-directory", *words], folder)


def _maven(words: Sequence[str], folder: Path) -> None:
    """Options by Maven itself; profiles and goals by the project's file and Maven's phases."""
    options = [word for word in words if word.startswith("-")]
    _said(["mvn", *options, "--version"], folder)
    project = (folder / "pom.xml").read_text(encoding="utf-8")
    for word in words:
        if word.startswith("-P") and f"<id>{word[2:]}</id>" not in project:
            raise Complaint(f"pom.xml has no profile {word[2:]!r}")
        plugin, colon, _ = word.partition(":")
        if colon and f"<artifactId>{plugin}-maven-plugin</artifactId>" not in project:
            raise Complaint(f"pom.xml has no plugin {plugin!r}")
        if not colon and not word.startswith("-") and word not in PHASES:
            raise Complaint(f"Maven has no phase {word!r}")


PHASES = ("validate", "compile", "process-classes", "test-compile", "process-test-classes", "test",
          "package", "verify", "install")  # fmt: skip


def _rebar(words: Sequence[str], folder: Path) -> None:
    rest = [word.rstrip(",") for word in words]
    if rest[:1] == ["as"]:
        settings = (folder / "rebar.config").read_text(encoding="utf-8")
        if not re.search(rf"\{{{re.escape(rest[1])}\s*,\s*\[", settings):
            raise Complaint(f"rebar.config has no profile {rest[1]!r}")
        rest = rest[2:]
    for task in rest[1:] if rest[:1] == ["do"] else rest[:1]:
        if "Unknown task" in (said := _said(["rebar3", "help", task], folder)):
            raise Complaint(said.strip())


def _mix(words: Sequence[str], folder: Path) -> None:
    _said(["mix", "help", *words[:1]], folder)


def _cmake(words: Sequence[str], folder: Path) -> None:
    if "&&" in words:
        place = list(words).index("&&")
        _cmake(words[:place], folder)
        return parse(" ".join(words[place + 1 :]), folder)
    build = ["--build"] if words[:1] == ["--build"] else []
    match words[len(build) :]:
        case ["--preset", preset]:
            if f'"{preset}"' not in _said(["cmake", *build, "--list-presets"], folder):
                raise Complaint(f"CMakePresets.json has no preset {preset!r}")
        case other:
            raise Complaint(f"nothing here parses cmake {' '.join(other)}")
    return None


def _pip(words: Sequence[str], folder: Path) -> None:
    """Only what `make wheel` makes is installed by a document, and what an extra of it needs."""
    manifest = tomllib.loads((paths.ROOT / "harness" / "pyproject.toml").read_text())
    extras = manifest["project"]["optional-dependencies"]
    if list(words) in [["install", f"dramaturg[{extra}]"] for extra in extras]:
        return
    made = f"dist/dramaturg-{metadata.version('dramaturg')}-py3-none-any.whl"
    if len(words) != 2 or words[0] != "install" or not fnmatchcase(made, words[1]):
        raise Complaint(f"pip {' '.join(words)}: nothing makes that; `make wheel` makes {made}")


class _Words(argparse.ArgumentParser):
    """Complains, where argparse would end the program."""

    def error(self, message: str) -> NoReturn:
        raise Complaint(f"{self.prog}: {message}")


def _docker(words: Sequence[str], folder: Path) -> None:
    """Check the few options that documents show; our parser takes the words for a container of
    ours."""
    parser = _Words(prog="docker", allow_abbrev=False)
    command = parser.add_subparsers(required=True, dest="command")
    build = command.add_parser("build", allow_abbrev=False)
    build.add_argument("--file", required=True)
    build.add_argument("--tag", choices=["dramaturg"])
    build.add_argument("context")
    run = command.add_parser("run", allow_abbrev=False)
    run.add_argument("--rm", action="store_true")
    run.add_argument("--privileged", action="store_true")
    run.add_argument("--user", type=int)
    run.add_argument("--volume")
    run.add_argument("image", choices=["dramaturg"])
    run.add_argument("words", nargs=argparse.REMAINDER)
    said = parser.parse_args(words)
    if said.command == "build":
        _is_there(said.file, folder)
        _is_there(said.context, folder)
    else:
        _dramaturg([word for word in said.words if word != "."], made=None)


def _go(words: Sequence[str], folder: Path) -> None:
    """The command by go itself, and whether there are packages of these patterns."""
    _said(["go", "help", *words[:1]], folder)
    for pattern in words[1:]:
        if not list(folder.glob(f"{pattern.removesuffix('...')}**/*.go")):
            raise Complaint(f"{pattern}: there are no Go files")


PARSERS: dict[str, Parser] = {
    "docker": _docker,
    "go": _go,
    "make": _make,
    "mvn": _maven,
    "mix": _mix,
    "rebar3": _rebar,
    "cmake": _cmake,
    "pip": _pip,
}
