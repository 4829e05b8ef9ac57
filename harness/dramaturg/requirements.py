"""The requirements of the specification, read off its chapters (spec/README.md, How to read).

A requirement is a row of a table whose first cell is an identifier, or a paragraph that
opens with one in bold. So a report quotes the words of the chapter.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from dramaturg import paths

IDENTIFIER = (
    r"(?:ACT|TRACE|LCG|CHAT|PING|BIG|BANG|WIN|DIST|WEB|COUNT|CHAIN|FANOUT|SLEEP|SORT|BROKER|OPEN"
    r"|CTRL|STDIO|IMPL|LEVEL|MEAS)-\d+"
)
"""The pattern of an identifier: the families of the chapters and a number."""

_ROW = re.compile(rf"\| (?:\*\*)?({IDENTIFIER})(?:\*\*)? \|(.*)\|$")
_PARAGRAPH = re.compile(rf"\*\*({IDENTIFIER})\*\*(.*)")
_NAMED = re.compile(rf"\b{IDENTIFIER}\b")


class RequirementsError(Exception):
    """A specification that cannot be quoted: names the file, the line and the identifier."""


@dataclass(frozen=True, slots=True)
class Requirement:
    """One requirement and where it stands."""

    id: str
    text: str
    """The chapter's text, in Markdown. If a row names its subject in a cell of its own, that comes
    first: ``post: If `index` is ...``."""
    file: str
    """The chapter, from the project's folder: ``spec/chatapp.md``."""
    line: int

    def to_dict(self) -> dict[str, str]:
        """For ``--json`` and the results."""
        return {"id": self.id, "text": self.text, "chapter": self.file}


@cache
def load(folder: Path = paths.SPEC) -> dict[str, Requirement]:
    """All requirements of the chapters in ``folder``, in the order in which they stand there.

    Raises RequirementsError for an identifier that is defined twice, and for a folder that
    holds none.
    """
    found: dict[str, Requirement] = {}
    for requirement in _all(folder):
        earlier = found.get(requirement.id)
        if earlier is not None:
            raise RequirementsError(
                f"{requirement.file}:{requirement.line}: {requirement.id} is defined already,"
                f" in {earlier.file}:{earlier.line}"
            )
        found[requirement.id] = requirement
    if not found:
        raise RequirementsError(f"{folder}: there are no requirements; is it the specification?")
    return found


def named_in(text: str) -> list[str]:
    """The identifiers of requirements in ``text``, in order, each once; a word that only looks like
    one is left out."""
    known = load()
    return [name for name in dict.fromkeys(_NAMED.findall(text)) if name in known]


def _all(folder: Path) -> Iterator[Requirement]:
    for file in sorted(folder.glob("*.md")):
        chapter = f"{folder.name}/{file.name}"
        lines = file.read_text(encoding="utf-8").splitlines()
        for number, line in enumerate(lines):
            if row := _ROW.match(line):
                cells = [cell.strip() for cell in row[2].split(" | ")]
                yield Requirement(row[1], ": ".join(cells), chapter, number + 1)
            elif opening := _PARAGRAPH.match(line):
                rest = [opening[2].strip(), *_until_blank(lines[number + 1 :])]
                yield Requirement(opening[1], " ".join(rest), chapter, number + 1)


def _until_blank(lines: list[str]) -> Iterator[str]:
    for line in lines:
        if not line.strip():
            return
        yield line.strip()
