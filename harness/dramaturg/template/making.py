"""Makes a repository from a template: files in memory, the same ones for the same name, wherever
it runs."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from dramaturg import paths
from dramaturg.implementation.manifest import NAME
from dramaturg.table.source_files import source as generated
from dramaturg.template import description
from dramaturg.template.description import Description

_LONGEST = 60
"""Characters of a name: it becomes folders, packages and rows of tables."""

_TAKEN = ("results",)
"""Folders in which verdicts are written, beside or below that of an implementation."""


REPOSITORY = "dramaturg/dramaturg"
"""The repository of the action and the specification, on GitHub."""

_YOURS = ("dramaturg.toml", "README.md", ".gitignore", ".gitattributes")
"""The files that belong to the author in every language."""


class TemplateError(Exception):
    """A name that no repository can be made by, or a record that no template fits. Says what
    is wrong, and what is taken instead."""


@dataclass(frozen=True, slots=True)
class Made:
    """One file."""

    content: bytes
    yours: bool
    """True if it belongs to the author from then on."""

    @property
    def executable(self) -> bool:
        """Scripts are what begins as one."""
        return self.content.startswith(b"#!")


def templates() -> dict[str, Description]:
    """All there are, by the names that ``--language`` takes."""
    return description.read_all(paths.TEMPLATES)


def check(name: str, template: Description) -> None:
    """Raises TemplateError if this language, or the folder, cannot be called so."""
    if not re.fullmatch(NAME, name):
        raise TemplateError(
            f"{name!r} is no name for an implementation: lower-case letters, digits, '-' and '_',"
            " a letter first; its folder is made where you stand"
        )
    if len(name) > _LONGEST:
        raise TemplateError(f"{name!r} is longer than {_LONGEST} characters")
    if name in _TAKEN:
        raise TemplateError(f"{name!r} is where verdicts are written; choose another name")
    if name in template.reserved:
        raise TemplateError(f"{name!r} means something else in {template.language}; choose another")


def make(name: str, template: Description) -> dict[str, Made]:
    """Every file by its path in the repository. Raises TemplateError, see :func:`check`."""
    check(name, template)
    said = {
        "name": name,
        "package": name.replace("-", "_"),
        "language": template.language,
        "template": template.name,
        "repository": REPOSITORY,
    }

    def spelt(text: str) -> str:
        return _fill(_exchange(text, template.words), said)

    said |= {word: spelt(meaning) for word, meaning in template.guide.items()}
    sources = (
        description.common(paths.TEMPLATES),
        template.borrowed(paths.PLUMBING),
        template.own(),
    )
    files = {
        spelt(path): spelt(file.read_text(encoding="utf-8"))
        for source in sources
        for path, file in source.items()
    }
    files |= {spelt(path): generated(form) for path, form in template.tables.items()}
    yours = (*_YOURS, *map(spelt, template.yours))
    return {
        path: Made(text.encode(), description.matches(path, yours))
        for path, text in sorted(files.items())
    }


def _exchange(text: str, words: Mapping[str, str]) -> str:
    """Each word by what it means here, the longest first, and none twice."""
    if not words:
        return text
    longest = sorted(map(re.escape, words), key=len, reverse=True)
    return re.sub("|".join(longest), lambda found: words[found[0]], text)


def _fill(text: str, said: Mapping[str, str]) -> str:
    """Each ``@word@`` by what is said. One that has a line to itself gives all its lines the
    indentation of that line, and takes the line with it if there is nothing to say."""

    def lines(found: re.Match[str]) -> str:
        meant = said[found[2]].strip("\n")
        return "".join(f"{found[1]}{line}".rstrip() + "\n" for line in meant.splitlines())

    known = "|".join(map(re.escape, said))
    text = re.sub(rf"(?m)^([ \t]*)@({known})@\n", lines, text)
    return re.sub(f"@({known})@", lambda found: said[found[1]], text)
