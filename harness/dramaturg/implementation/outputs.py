"""The outputs of a build that are run: files, folders that are empty, and links that lead to them
(spec/implementers.md).

A link leads to what is run as well, to a folder of the implementation, or to a tool that the
manifest names. The digest covers the target of each link, so that nothing else can take its place.
"""

import os
import shutil
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from dramaturg.errors import ManifestError
from dramaturg.implementation import variables
from dramaturg.implementation.manifest import BUILD, FILE_NAME, Implementation
from dramaturg.implementation.sources import MOST_BYTES, MOST_INPUTS, inputs, size_of

LOG = "build.log"
"""The output of its commands, in the build's folder. No part of what they made."""


_SHIMS, _VERSIONS = "shims", ("versions", "installs")
"""Folders of a manager of versions: its programs, which start those of the version that is chosen,
and where these are."""


@dataclass(frozen=True, slots=True)
class Link:
    """A link to ``target``, a path from the link's own folder, or that of a tool."""

    target: str
    tool: tuple[Path, ...] = ()
    """The files of the tool that it leads to. They stay where they are, and are in the digest."""


Made = dict[str, Path | Link]
"""Outputs by path from the build's folder. A path is that of a file, or of a folder with nothing in
it."""


def all_of(implementation: Implementation, folder: Path) -> Made | None:
    """The files that all patterns match, and those to which they lead, of the implementation in
    ``folder``. None without patterns. Raises ManifestError."""
    matches = by_pattern(implementation, folder)
    return {name: made for found in matches.values() for name, made in found.items()} or (
        {} if matches else None
    )


def by_pattern(implementation: Implementation, folder: Path) -> dict[str, Made]:
    """As :func:`all_of`, for each pattern of ``build.outputs``."""
    manifest = implementation.manifest
    patterns = manifest.build.outputs
    if patterns is None:
        patterns = ["**/*"] if manifest.build.commands else []
    found = {pattern: _Search(implementation, folder, pattern).found() for pattern in patterns}
    _hold_to_size(implementation, found.values())
    return found


def _hold_to_size(implementation: Implementation, found: Iterable[Made]) -> None:
    files: set[Path] = set()
    for each in (made for matches in found for made in matches.values()):
        files.update(each.tool if isinstance(each, Link) else (each,))
    if (size := size_of(files)) > MOST_BYTES:
        raise ManifestError(
            f"{implementation.folder / FILE_NAME}: what its build made comes to {size >> 20:,} MiB,"
            f" more than {MOST_BYTES >> 20:,}; name in build.outputs what is run"
        )


class _Search:
    """A search for the matches of one pattern."""

    def __init__(self, implementation: Implementation, folder: Path, pattern: str) -> None:
        self._implementation = implementation
        self._own = folder
        self._folder = folder / implementation.build
        self._pattern = pattern
        self._found: Made = {}
        self._seen: set[str] = set()

    def found(self) -> Made:
        """Raises ManifestError."""
        manifest = self._implementation.manifest
        built = {name for name, variant in manifest.variants.items() if variant.build_environment}
        # Variants are built beside each other below .build, and never below one another.
        others = built if self._implementation.build == BUILD else set()
        if self._folder.is_symlink():
            raise self._wrong(f"{self._implementation.build} is a link, and what is built is below")
        for match in self._folder.glob(self._pattern):
            name = os.path.relpath(os.path.normpath(match), self._folder)
            if name.startswith(".."):
                raise self._wrong(f"leads out of the build's folder {self._folder}")
            if Path(name).parts[0] not in {LOG, *others}:
                self._enter(name)
        return self._found

    def _enter(self, name: str) -> None:
        """Enters the file there, and the target of any link on the way there."""
        if name in self._seen:
            return
        self._seen.add(name)
        if len(self._found) > MOST_INPUTS:
            raise self._wrong(f"matches more than {MOST_INPUTS} files")
        for part in [*reversed(Path(name).parents[:-1]), Path(name)]:
            if (self._folder / part).is_symlink():
                rest = Path(name).relative_to(part)
                real = self._link(str(part))
                if real is not None and (real / rest).is_relative_to(self._folder):
                    self._follow(os.path.relpath(real / rest, self._folder))
                return
        place = self._folder / name
        if place.is_file() or (place.is_dir() and not any(place.iterdir())):
            self._found[name] = place

    def _follow(self, name: str) -> None:
        """Enters the target of a link, since it is run too: all files of a folder."""
        place = self._folder / name
        if place.is_dir() and not place.is_symlink() and any(place.iterdir()):
            for match in place.glob("**/*"):
                self._enter(os.path.relpath(match, self._folder))
        else:
            self._enter(name)

    def _link(self, name: str) -> Path | None:
        """Note the link, and say where it leads. None for a tool."""
        link = self._folder / name
        real = Path(os.path.realpath(link))
        root = self._own.parent
        below = Path(os.path.relpath(real, root))
        if real.is_relative_to(self._own) or set(below.parts[:1]) & self._beside:
            self._check(name, real)
            self._found[name] = Link(os.path.relpath(real, link.parent))
            return real
        if not any(real.is_relative_to(tool) for tool in self._tools):
            raise self._wrong(
                f"matches {name}, a link that leads to {real}: neither to what is built or named in"
                " build.inputs nor to a tool that toolchain.needs or build.environment names; let"
                " the build copy it, or name there a variable that says where that tool is"
            )
        self._found[name] = Link(str(real), self._files(real))
        return None

    def _files(self, tool: Path) -> tuple[Path, ...]:
        if tool.is_file():
            return (tool,)
        found: list[Path] = []
        for place, _, names in os.walk(tool):
            found += [Path(place, name) for name in names]
            if len(found) > MOST_INPUTS:
                raise self._wrong(f"leads to {tool}, which has more than {MOST_INPUTS} files")
        return tuple(sorted(file for file in found if file.is_file()))

    def _check(self, name: str, real: Path) -> None:
        """Raises ManifestError for a file that would not be where it is run. A folder may be there
        in part."""
        if not real.is_file() or real.is_relative_to(self._folder):
            return
        if os.path.relpath(real, self._own) not in self._inputs:
            raise self._wrong(
                f"matches {name}, a link that leads to {real}, which neither build.inputs nor"
                " build.outputs has; name it there, or let the build copy it"
            )

    @cached_property
    def _beside(self) -> set[str]:
        return set(self._implementation.manifest.build.beside)

    @cached_property
    def _inputs(self) -> set[str]:
        return set(inputs(self._implementation))

    @cached_property
    def _tools(self) -> list[Path]:
        """Programs whose versions are recorded, and places whose names are in the digest."""
        environment = variables.for_build(self._implementation)
        asked = [tool.probe[0] for tool in self._implementation.manifest.toolchain.needs]
        programs = (shutil.which(each, path=environment.get("PATH")) for each in asked)
        named = variables.named(self._implementation).values()
        return [
            *self._programs(each for each in programs if each and each not in asked),
            *(Path(os.path.realpath(each)) for each in named if Path(each).is_absolute()),
        ]

    def _programs(self, found: Iterable[str]) -> Iterator[Path]:
        """Each, and where the versions are of one that is a manager's word for them (pyenv, asdf):
        the digest covers the target of a link there, as any tool."""
        for each in found:
            program = Path(os.path.realpath(each))
            yield program
            if program.parent.name == _SHIMS:
                yield from (program.parents[1] / kept for kept in _VERSIONS)

    def _wrong(self, what: str) -> ManifestError:
        file = self._implementation.folder / FILE_NAME
        return ManifestError(f"{file}: build.outputs {self._pattern!r} {what}")
