"""A folder in which mutmut mutates one file of the harness, and what came of it.

mutmut puts all mutants of a function beside it and switches between them, so the package has to
lie where it may be rewritten, with what the tests read around it: ``src/dramaturg`` is the
original, ``mutants/`` a project in small, which tests take for the whole one.
"""

import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from pathlib import Path

from survivors_targets import NEEDS_MORE, Target

ROOT = Path(__file__).resolve().parents[3]
SCRATCH = ROOT / ".survivors"
HERE = Path(__file__).parent
LOCK = HERE / "mutmut.lock"

COPIED = (
    "conformance", "docs/why-believe-a-verdict.md", "dramaturg", "harness/dramaturg",
    "harness/tests/conftest.py", "harness/tests/waiting.py", "implementations", "proto", "spec",
)  # fmt: skip
"""Files that tests read, beside the package and the folders that they are in."""
NEVER = shutil.ignore_patterns(
    ".build", ".venv", "__pycache__", "_build", "target", "*.egg-info", "*.pyc"
)

SETTINGS = """\
[mutmut]
source_paths=src
only_mutate=src/dramaturg/{file}
process_isolation=forkserver
debug=true
track_dependencies=false
on_dependency_change=ignore
use_git_change_detection=false
timeout_constant=10
timeout_multiplier=2
pytest_add_cli_args_test_selection=
{tests}
pytest_add_cli_args=
    -p
    no:cacheprovider
    -p
    fastest_first
    --hypothesis-profile=survivors
{deselected}
"""
"""A mutant has ten seconds and twice what all tests take that reach it. Each is forked from a
process that has only collected tests: caches of others are not there."""


class Fate(StrEnum):
    """The fate of a mutant."""

    KILLED = "killed"
    TIMEOUT = "killed by the limit of time"
    SURVIVED = "survives"
    UNTRIED = "not tried yet"
    UNCLEAR = "neither killed nor alive"
    """Whatever tried it ended otherwise than tests do."""


_FATES: dict[int | None, Fate] = {
    None: Fate.UNTRIED,
    0: Fate.SURVIVED,
    1: Fate.KILLED,
    33: Fate.SURVIVED,  # no test reaches it
    -24: Fate.TIMEOUT,  # SIGXCPU
}


class Failed(Exception):
    """mutmut, or what it needs, could not be run: says why."""


@dataclass(frozen=True)
class Mutant:
    name: str
    """As mutmut calls it; changes with the function that it is in."""
    fate: Fate
    code: int | None
    """The exit code of its tests."""


class Scratch:
    """The folder of one target. Its content is kept, so that a run can be interrupted; findings
    with other files are thrown away, unless they are asked for."""

    def __init__(self, target: Target) -> None:
        self.target = target
        self.folder = SCRATCH / target.slug
        self._mutants = self.folder / "mutants"
        self._meta = self._mutants / f"src/dramaturg/{target.file}.meta"
        self._stamp = self.folder / "inputs.sha256"

    def lay_out(self, keep: bool) -> None:
        """Copy what has changed. Without ``keep``, only what was found out with these very
        files stays."""
        if self.is_current:
            return
        if not keep:
            shutil.rmtree(self.folder, ignore_errors=True)
        self._stamp.unlink(missing_ok=True)
        (self._mutants / "mutmut-stats.json").unlink(missing_ok=True)
        for source, place in self._inputs:
            _copy(source, self.folder / place)
        self.folder.joinpath("setup.cfg").write_text(self._settings, encoding="utf-8")
        if not keep or not self._meta.exists():
            self._stamp.write_text(self._digest, encoding="utf-8")

    @property
    def is_current(self) -> bool:
        """True if its findings are of the files that are here now."""
        return self._stamp.exists() and self._stamp.read_text(encoding="utf-8") == self._digest

    def run(self, names: list[str], jobs: int) -> None:
        """Have mutmut try these mutants; without names, all that were not tried. Raises
        Failed."""
        command = [
            "setpriv", "--pdeathsig", "TERM",
            sys.executable, "-c", "from mutmut.__main__ import cli; cli()",
            "run", "--max-children", str(jobs), *names,
        ]  # fmt: skip
        added = {"PYTHONPATH": f"{tools()}:{HERE}"}
        log = self.folder / "mutmut.log"
        with log.open("w", encoding="utf-8") as stream:
            child = subprocess.Popen(
                command, cwd=self.folder, env=_environment() | added, stdout=stream, stderr=stream
            )
            try:
                code = child.wait()
            except KeyboardInterrupt:
                _interrupt(child)
                raise
        if code:
            raise Failed(f"mutmut ended with {code}; see {log}")

    def mutants(self) -> list[Mutant]:
        """All of the file, in mutmut's order; none before it has run."""
        if not self._meta.exists():
            return []
        codes = json.loads(self._meta.read_text(encoding="utf-8"))["exit_code_by_key"]
        return [Mutant(name, _FATES.get(code, Fate.UNCLEAR), code) for name, code in codes.items()]

    def functions(self, mutant: Mutant) -> tuple[list[str], list[str]]:
        """The lines of its function before and after."""
        from mutmut.mutation import diff_apply

        module = self._mutated
        before = diff_apply.read_original_function(module, mutant.name)
        after = diff_apply.read_mutant_function(module, mutant.name)
        return _lines(before), _lines(after)

    @cached_property
    def _mutated(self):  # type: ignore[no-untyped-def]
        import libcst

        file = self._mutants / "src/dramaturg" / self.target.file
        return libcst.parse_module(file.read_text(encoding="utf-8"))

    @property
    def _settings(self) -> str:
        tests = (f"    harness/tests/{each}" for each in self.target.tests)
        deselected = (f"    --deselect=harness/tests/{each}" for each in NEEDS_MORE)
        return SETTINGS.format(
            file=self.target.file, tests="\n".join(tests), deselected="\n".join(deselected)
        )

    @cached_property
    def _inputs(self) -> list[tuple[Path, Path]]:
        """Files, each with its place in the folder."""
        found = [
            (file, Path("src/dramaturg") / file.relative_to(ROOT / "harness/dramaturg"))
            for file in _files(ROOT / "harness/dramaturg")
        ]
        rooms = {f"harness/tests/{test.partition('/')[0]}" for test in self.target.tests}
        for name in (*COPIED, *sorted(rooms)):
            found += [
                (file, Path("mutants") / file.relative_to(ROOT)) for file in _files(ROOT / name)
            ]
        return found

    @cached_property
    def _digest(self) -> str:
        known = hashlib.sha256(self._settings.encode() + LOCK.read_bytes())
        for source, place in self._inputs:
            known.update(f"{place}\0{hashlib.sha256(source.read_bytes()).hexdigest()}\n".encode())
        return known.hexdigest()


def _interrupt(child: "subprocess.Popen[bytes]") -> None:
    """Ctrl-C has reached mutmut as well, unless somebody meant us alone."""
    try:
        child.wait(timeout=5)
    except subprocess.TimeoutExpired:
        child.send_signal(signal.SIGINT)
        child.wait()


def tools() -> Path:
    """mutmut and what only it needs, in versions that are written down, beside the project's
    own environment: whoever sets up the project needs none of it. Raises Failed."""
    folder = SCRATCH / "tools"
    stamp = folder / ".installed"
    if not stamp.exists() or stamp.read_bytes() != LOCK.read_bytes():
        shutil.rmtree(folder, ignore_errors=True)
        pip = [sys.executable, "-m", "pip", "-q", "--disable-pip-version-check", "install"]
        done = subprocess.run(
            [*pip, "--no-deps", "--target", folder, "-r", LOCK],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        if done.returncode:
            raise Failed(f"could not install mutmut: {done.stderr.strip()}")
        shutil.copy(LOCK, stamp)
    return folder


def _files(path: Path) -> Iterator[Path]:
    if path.is_file():
        yield path
        return
    names = sorted(each.name for each in path.iterdir())
    for name in sorted(set(names) - NEVER(str(path), names)):
        yield from _files(path / name)


def _copy(source: Path, place: Path) -> None:
    """Unless it is there: mutmut goes by the times of files."""
    if not place.exists() or place.read_bytes() != source.read_bytes():
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, place)
        shutil.copymode(source, place)


def _environment() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}


def _lines(function: "object") -> list[str]:
    import libcst

    return libcst.Module([function]).code.strip().splitlines()  # type: ignore[list-item]
