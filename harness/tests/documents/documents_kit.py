"""The project's documents, and the commands that they show.

A fenced block says what it is: in `sh` every line is a command, in `console` the lines after
`$ `, and what is between them is output. The other kinds have none. In running text a command
is a piece of code that begins with a program's name and goes on.
"""

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import click
from markdown_it import MarkdownIt
from markdown_it.token import Token

from dramaturg import paths
from dramaturg.cli.main import cli

COMMANDS = ("sh", "console")
PLAIN = ("text", "toml", "json", "yaml", "python")

PROGRAMS = {
    "./dramaturg", "dramaturg", "apt-get", "cargo", "cloc", "cmake", "ctest", "curl", "docker",
    "erl", "escript", "gcc", "git", "go", "java", "jq", "make", "mix", "mvn", "mypy", "npm",
    "openssl", "pip", "ponyc", "pytest", "python", "python3", "rebar3", "ruff", "sbt", "sudo",
    "systemd-run",
}  # fmt: skip
"""Words that begin a command, beside the files of the project that can be executed."""

SHELL = {"cd", "export", "echo", "printf", "sleep", "for", "while", "if", "rm", "mkdir", "cp"}
"""Words that begin a command in a block, where words of prose are not to be expected."""


class DocumentError(ValueError):
    """A document in which commands cannot be told from what is none; says where."""


@dataclass(frozen=True, order=True)
class Command:
    """A command as a document shows it."""

    document: str
    """Its path from the project's root, or ``dramaturg ... --help``."""
    line: int
    text: str

    @property
    def folder(self) -> Path:
        """The reader's folder: that of an implementation for its README, else the root, where
        dramaturg is as well."""
        home = (paths.ROOT / self.document).parent
        inside = home.parent == paths.IMPLEMENTATIONS and not normal(self.text).startswith("./dram")
        return home if inside else paths.ROOT

    def __str__(self) -> str:
        return f"{self.document}:{self.line}: {self.text}"


def documents() -> list[Path]:
    """All Markdown files of the project."""
    found = list(paths.ROOT.glob("*.md"))
    for name in ("docs", "spec", "proto", "conformance", "implementations", "harness"):
        found += (paths.ROOT / name).rglob("*.md")
    # These are parts of templates; tests/template looks at the templates' results.
    found = [file for file in found if paths.TEMPLATES not in file.parents[1:]]
    inside = (file.relative_to(paths.ROOT) for file in found)
    return [paths.ROOT / file for file in sorted(inside) if not _hidden(file)]


def _hidden(file: Path) -> bool:
    return any(part.startswith(".") or part == "node_modules" for part in file.parts)


def commands_in(file: Path, root: Path = paths.ROOT) -> list[Command]:
    """All commands of a document. Raises DocumentError."""
    name = str(file.relative_to(root))
    tokens = MarkdownIt("commonmark").enable("table").parse(file.read_text(encoding="utf-8"))
    found: list[Command] = []
    line = 0
    for token in tokens:
        line = token.map[0] + 1 if token.map else line
        if token.type == "code_block":
            raise DocumentError(f"{name}:{line}: a block that is indented; fence it")
        if token.type == "fence":
            found += (Command(name, line + at, text) for at, text in _of_block(token, name, line))
        elif token.type == "inline":
            pieces = (
                piece.content for piece in token.children or () if piece.type == "code_inline"
            )
            found += (Command(name, line, text) for text in pieces if _is_command(text, file))
    return found


def _of_block(token: Token, name: str, line: int) -> Iterator[tuple[int, str]]:
    kind = token.info.strip()
    lines = list(_joined(token.content.splitlines()))
    if kind == "sh":
        yield from ((at, text) for at, text in lines if text and not text.startswith("#"))
    elif kind == "console":
        yield from ((at, text[2:]) for at, text in lines if text.startswith("$ "))
    elif kind not in PLAIN:
        wanted = ", ".join((*COMMANDS, *PLAIN))
        raise DocumentError(f"{name}:{line}: a block of kind {kind!r}; there are {wanted}")
    for at, text in lines:
        if kind != "sh" and re.split(r"\s", text, maxsplit=1)[0] in PROGRAMS:
            raise DocumentError(
                f"{name}:{line + at}: {text!r} looks like a command; put it into a block of kind"
                " sh, or behind `$ ` into one of kind console"
            )


def _joined(lines: list[str]) -> Iterator[tuple[int, str]]:
    """Lines with their continuations, each with its place in the block, from 1."""
    waiting, since = "", 0
    for at, line in enumerate(lines, 1):
        since = since or at
        if line.endswith("\\"):
            waiting += line[:-1].rstrip() + " "
            continue
        yield since, (waiting + line.strip() if waiting else line)
        waiting, since = "", 0


def _is_command(text: str, file: Path) -> bool:
    words = text.split()
    while words and re.fullmatch(r"[A-Z_]+=\S*", words[0]):
        words = words[1:]
    if len(words) < 2:
        return False
    if words[0] in PROGRAMS:
        return True
    places = (folder / words[0] for folder in (file.parent, paths.ROOT))
    return "/" in words[0] and any(_can_be_executed(place) for place in places)


def _can_be_executed(file: Path) -> bool:
    return file.is_file() and bool(file.stat().st_mode & 0o100)


def normal(text: str) -> str:
    """A command in the one form in which it is listed: without comment, at the root."""
    words = re.sub(r"(^|\s)#.*", "", text).split()
    if words and words[0] == "dramaturg":
        words[0] = "./dramaturg"
    return " ".join(words)


@cache
def everything() -> tuple[Command, ...]:
    """The commands of all documents."""
    return tuple(command for file in documents() for command in commands_in(file))


def examples() -> Iterator[Command]:
    """The commands that ``--help`` shows."""
    yield from _examples(cli, "dramaturg")


def _examples(command: click.Command, name: str) -> Iterator[Command]:
    _, _, shown = (command.help or "").partition("Example")
    for at, line in _joined(shown.splitlines()):
        if line.strip().startswith("dramaturg "):
            yield Command(f"{name} --help", at, line.strip())
    if isinstance(command, click.Group):
        context = click.Context(command)
        for each in command.list_commands(context):
            found = command.get_command(context, each)
            assert found is not None
            yield from _examples(found, f"{name} {each}")


def words_of(text: str) -> list[str]:
    """As a shell splits them, without comments. Raises DocumentError."""
    try:
        return shlex.split(text, comments=True)
    except ValueError as error:
        raise DocumentError(f"{text!r}: {error}") from None
