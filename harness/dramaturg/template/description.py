"""``template.toml``: what a template is made of (harness/templates/README.md).

Nothing is imported here but the standard library: the wheel's build reads templates as well,
to find which files of ``implementations/`` it takes along.
"""

import re
import tomllib
from dataclasses import dataclass, field
from pathlib import Path

FILE_NAME = "template.toml"

_MADE = {".build", "__pycache__", "node_modules", ".pytest_cache", ".mypy_cache", ".ruff_cache"}
"""Folders that builds and tools leave behind: never part of a template."""


@dataclass(frozen=True)
class Description:
    """A template; globs are relative to what is made of them."""

    folder: Path
    language: str
    """As people call it."""
    implementation: str = ""
    """The folder of ``implementations/`` that the plumbing is taken from; empty: none."""
    plumbing: tuple[str, ...] = ()
    """The files that it takes of that implementation."""
    without: tuple[str, ...] = ()
    """The ones of these files that it leaves out."""
    yours: tuple[str, ...] = ()
    """The files that belong to the author once they are made: an update leaves them alone."""
    reserved: tuple[str, ...] = ()
    """Names that this language's tools cannot take."""
    tables: dict[str, str] = field(default_factory=dict)
    """The generated tables: the form of ``dramaturg table``, by file."""
    words: dict[str, str] = field(default_factory=dict)
    """The words that are exchanged in names and contents of the implementation's files."""
    guide: dict[str, str] = field(default_factory=dict)
    """The texts of README and workflow about this language, by the word that stands for it."""

    @property
    def name(self) -> str:
        """As ``--language`` takes it."""
        return self.folder.name

    def borrowed(self, implementations: Path) -> dict[str, Path]:
        """The implementation's files that are taken, by their paths in it."""
        if not self.implementation:
            return {}
        root = implementations / self.implementation
        return {
            name: file
            for name, file in _files(root, self.plumbing).items()
            if not matches(name, self.without)
        }

    def own(self) -> dict[str, Path]:
        """The template's own files, by their paths in what is made."""
        root = self.folder / "files"
        return _files(root, ("**/*",))


def read(folder: Path) -> Description:
    """The template in ``folder``. Raises OSError, TOMLDecodeError and TypeError, for templates
    are the project's own, and a test reads each."""
    said = tomllib.loads((folder / FILE_NAME).read_text(encoding="utf-8"))
    lists = ("plumbing", "without", "yours", "reserved")
    return Description(folder, **said | {key: tuple(said.get(key, ())) for key in lists})


def read_all(templates: Path) -> dict[str, Description]:
    """All templates, by name."""
    found = (read(file.parent) for file in sorted(templates.glob(f"*/{FILE_NAME}")))
    return {each.name: each for each in found}


def common(templates: Path) -> dict[str, Path]:
    """The files that all templates have, by their paths in the made repository."""
    return _files(templates / "common", ("**/*",))


def matches(name: str, globs: tuple[str, ...]) -> bool:
    """True if a whole path fits one of these: ``*`` is within a folder, ``**`` any depth."""
    return any(re.fullmatch(_expression(glob), name) for glob in globs)


def _expression(glob: str) -> str:
    parts = re.split(r"(\*\*/|\*\*|\*)", glob)
    spelt = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*"}
    return "".join(spelt.get(part, re.escape(part)) for part in parts)


def _files(root: Path, globs: tuple[str, ...]) -> dict[str, Path]:
    found = {}
    for glob in globs:
        for file in root.glob(glob):
            name = file.relative_to(root)
            if file.is_file() and not _MADE & set(name.parts):
                found[name.as_posix()] = file
    return dict(sorted(found.items()))
