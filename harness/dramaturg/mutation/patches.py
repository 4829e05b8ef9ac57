"""Implementations with one thing changed: a patch, applied to a copy and built there.

The copy is in the user's cache, one for each implementation, and is used again for the
next patch: only files whose content differs are written, so that a build finds nearly
everything as it left it. The repository is never written to.
"""

import contextlib
import hashlib
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from dramaturg import files, paths
from dramaturg.errors import BuildFailed, HarnessFault
from dramaturg.implementation import build, sources, toolchain
from dramaturg.implementation.manifest import Implementation, load
from dramaturg.processes import git

PATIENCE = 60.0
"""Seconds for one ``git apply``, which takes a few milliseconds."""

_MADE = (".build", "__pycache__")
"""Folders that are no part of an implementation."""


class DoesNotApply(HarnessFault):
    """A patch that does not fit the implementation as it is now."""


def home(folder: Path) -> Path:
    """Return the folder of the copy of this implementation, for this checkout of the repository:
    one of its own, with copies of those whose sources it has (``build.beside``)."""
    checkout = hashlib.sha256(str(paths.ROOT).encode()).hexdigest()[:12]
    return paths.cache() / "patched" / checkout / folder.name / "implementations" / folder.name


def docstring(patch: Path) -> str:
    """The text before the difference: it says what is changed, and in what world that would
    show."""
    head = []
    for line in files.read_text(patch).splitlines():
        if line.startswith(("diff ", "--- ")):
            break
        head.append(line)
    return "\n".join(head).strip()


def root(folder: Path) -> Path:
    """The folder in which paths of a patch begin: of an implementation with sources beside it one
    higher, as in ``akka/src/main``."""
    return folder.parent if _beside(folder) else folder


def check(folder: Path, patch: Path) -> None:
    """Check that it still applies, to the last context line. Raises DoesNotApply."""
    _apply(folder, patch, "--check")


def bring(folder: Path, patch: Path | None, place: Path) -> None:
    """Copies ``folder`` with this patch to ``place``, which does not exist yet, with the files
    that it takes from others beside it. Raises DoesNotApply."""
    shutil.copytree(folder, place, ignore=shutil.ignore_patterns(*_MADE))
    for name, other in _beside(folder).items():
        shutil.copytree(other, place.parent / name, ignore=shutil.ignore_patterns(*_MADE))
    if patch is not None:
        _apply(place, patch)


@contextlib.contextmanager
def built(
    folder: Path,
    variant: str | None,
    patch: Path | None,
    busy: Callable[[str], None] = lambda said: None,
) -> Iterator[Implementation]:
    """The implementation in ``folder`` with this patch, built, and nobody else's meanwhile.

    Raises DoesNotApply, ToolchainMissing, or HarnessFault for one that cannot be built: a patch
    that does not compile says nothing about the suite.
    """
    copy = home(folder)
    copy.mkdir(parents=True, exist_ok=True)
    with files.locked(copy, lambda: busy(f"waiting: another run has {copy}")):
        with _patched(folder, patch) as wanted:
            for each in (copy.name, *_beside(folder)):
                _bring(wanted.parent / each, copy.parent / each)
        implementation = load(copy, variant)
        toolchain.require(implementation)
        try:
            build.build(implementation)
        except BuildFailed as error:
            raise HarnessFault(f"{patch or folder}: {error}") from None
        yield implementation


@contextlib.contextmanager
def _patched(folder: Path, patch: Path | None) -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="dramaturg-") as temporary:
        tree = Path(temporary) / folder.name
        bring(folder, patch, tree)
        yield tree


def _beside(folder: Path) -> dict[str, Path]:
    return sources.folders_beside(load(folder))


def _apply(folder: Path, patch: Path, *options: str) -> None:
    """Apply it by git, which takes no fuzz."""
    words = ["apply", "--whitespace=nowarn", *options, str(patch.resolve())]
    problem = git.problem(root(folder), *words, timeout=PATIENCE)
    if problem is not None:
        raise DoesNotApply(
            f"{patch} does not apply to {folder.name} any more:"
            f" {files.brief(problem)}; make it anew from what the file says now"
        )


def _bring(wanted: Path, copy: Path) -> None:
    """Make ``copy`` what ``wanted`` is, but for what was built there, touching what differs."""
    there = _files(wanted)
    if stale := [file for file in there if not _same(wanted / file, copy / file)]:
        _await_next_second(copy)
    for file in stale:
        (copy / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(wanted / file, copy / file)
        shutil.copymode(wanted / file, copy / file)
    for file in _files(copy) - there:
        (copy / file).unlink()


def _files(folder: Path) -> set[Path]:
    return {
        file.relative_to(folder)
        for file in folder.rglob("*")
        if file.is_file() and not set(_MADE) & set(file.relative_to(folder).parts)
    }


def _same(one: Path, other: Path) -> bool:
    return (
        other.exists()
        and one.read_bytes() == other.read_bytes()
        and one.stat().st_mode == other.stat().st_mode
    )


def _await_next_second(copy: Path) -> None:
    """Some build tools (rebar3) compare times in whole seconds: a file that is changed in the
    second in which the last build ended would seem older than the build."""
    logs = list(copy.glob(".build/**/build.log")) + list(copy.glob(".build/**/built"))
    last = max((log.stat().st_mtime for log in logs), default=0.0)
    while int(last) == int(time.time()):
        time.sleep(0.05)
