"""The cost of a call of Fibonacci's function in a language, by a program of the harness's own.

An implementation's probe is computed by the function that is in question. So the same text is
compiled here, by the toolchain that the manifest names and in the environment of its builds, and
measured on this machine (spec/measurements.md, MEAS-42).
"""

import contextlib
import hashlib
import json
import shutil
import subprocess
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from dramaturg import paths
from dramaturg.machine import environment
from dramaturg.machine.call_floor import Floor
from dramaturg.processes import interrupts
from dramaturg.processes.supervised import Supervised

_SOURCES = Path(__file__).with_name("floor")

BUILD_TIME, RUN_TIME = 180, 60
"""Seconds: Go compiles its standard library the first time; a program measures for two seconds."""

LOOKS = 3
"""Processes of which the fastest counts: how code and stack lie in memory differs between them."""


@dataclass(frozen=True, slots=True)
class _Recipe:
    """The commands that build and run a program of ours, in a folder that it is copied into."""

    language: str
    source: str
    """A file, or a folder, of ``floor``."""
    build: tuple[str, ...]
    run: tuple[str, ...]


_C = ("-O2", "-o", "floor", "floor.cpp")

_RECIPES = {
    # On the JVM and on BEAM it is the runtime that compiles: Scala and Elixir are theirs.
    "erl": _Recipe(
        "Erlang", "floor.erl", ("erlc", "floor.erl"),
        ("erl", "-noshell", "-pa", ".", "-s", "floor", "main"),
    ),
    "javac": _Recipe(
        "Java", "Floor.java", ("javac", "Floor.java"),
        ("java", "-XX:-UsePerfData", "-cp", ".", "Floor"),
    ),
    "go": _Recipe("Go", "floor.go", ("go", "build", "-o", "floor", "floor.go"), ("./floor",)),
    "rustc": _Recipe(
        "Rust", "floor.rs",
        ("rustc", "-C", "opt-level=3", "-C", "codegen-units=1", "-o", "floor", "floor.rs"),
        ("./floor",),
    ),
    "ponyc": _Recipe("Pony", "pony", ("ponyc", "--bin-name=floor", "."), ("./floor",)),
    "python3": _Recipe("Python", "floor.py", (), ("python3", "-S", "floor.py")),
    "c++": _Recipe("C++", "floor.cpp", ("c++", *_C), ("./floor",)),
    "cc": _Recipe("C", "floor.cpp", ("c++", *_C), ("./floor",)),
}  # fmt: skip
"""Recipes by the program that a manifest asks for the version of its compiler or its runtime. The
first that a manifest has and that is here counts: so compilers stand before programs that serve
many languages."""

_OF_THE_ENVIRONMENT = {"c++": "CXX", "cc": "CXX"}
"""Variables that name another compiler."""


def language_of(programs: Iterable[str]) -> str | None:
    """The key of the language in which an implementation is written whose toolchain is asked for
    by these programs; None where there is no program of ours."""
    known = [Path(program).name for program in programs]
    return next((key for key in _RECIPES if key in known), None)


def floor(
    key: str | None, variables: Mapping[str, str], versions: Sequence[str], *, again: bool = False
) -> Floor:
    """The floor of a language that :func:`language_of` has found, in the environment of builds.
    It is measured once for a machine, these versions, and what decides what is built, and then
    remembered; ``again``: measured once more, and the least of both is remembered. Never raises
    for what a toolchain does: it is *not run* then."""
    if key is None:
        return Floor(None, "not run: no program of ours in a language of this toolchain")
    recipe = _recipe(key, variables)
    if absent := [each[0] for each in (recipe.build, recipe.run) if each and _absent(each[0])]:
        return Floor(None, f"not run: {absent[0]} is not here")
    remembered = _place(recipe, variables, versions)
    before = _remembered(remembered)
    if before is not None and not again:
        return Floor(before, _words(recipe, before))
    try:
        nanos = _measured(recipe, variables)
    except (OSError, ValueError, subprocess.SubprocessError) as error:
        return Floor(before, _words(recipe, before) if before else f"not run: {_brief(error)}")
    nanos = min(nanos, before or nanos)
    try:
        remembered.parent.mkdir(parents=True, exist_ok=True)
        remembered.write_text(json.dumps({"nanos": nanos}))
    except OSError:
        pass  # It is measured again next time.
    return Floor(nanos, _words(recipe, nanos))


def _recipe(key: str, variables: Mapping[str, str]) -> _Recipe:
    recipe = _RECIPES[key]
    named = variables.get(_OF_THE_ENVIRONMENT.get(key, ""), "")
    if not named:
        return recipe
    return _Recipe(recipe.language, recipe.source, (named, *recipe.build[1:]), recipe.run)


def _absent(program: str) -> bool:
    return not program.startswith("./") and shutil.which(program) is None


def _place(recipe: _Recipe, variables: Mapping[str, str], versions: Sequence[str]) -> Path:
    """Return the file that remembers the figure of this program, built like this and on this
    machine."""
    # Their other entries, such as the build's folder, decide nothing here.
    deciding = sorted(item for item in variables.items() if item[0] not in _PLACES)
    what = repr((recipe, _text(recipe), deciding, list(versions), environment.cpu_model()))
    key = hashlib.sha256(f"{what}{environment.pinned_to()}".encode()).hexdigest()
    return paths.cache() / f"floor-{recipe.language.lower()}-{key[:16]}.json"


_MOST_SAID = 64 * 1024
"""Bytes: what a compiler says, or a figure."""

_PLACES = ("BUILD", "DRAMATURG_PROTO", "TMPDIR", "PYTHONPATH")


def _text(recipe: _Recipe) -> str:
    source = _SOURCES / recipe.source
    return (source / "main.pony" if source.is_dir() else source).read_text()


def _remembered(file: Path) -> float | None:
    try:
        return _checked(json.loads(file.read_text())["nanos"])
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _measured(recipe: _Recipe, variables: Mapping[str, str]) -> float:
    """Nanoseconds. Raises OSError, ValueError and SubprocessError."""
    with tempfile.TemporaryDirectory(prefix="dramaturg-") as folder:
        source = _SOURCES / recipe.source
        if source.is_dir():
            shutil.copytree(source, folder, dirs_exist_ok=True)
        else:
            shutil.copy(source, folder)
        surroundings = {**variables, "TMPDIR": folder, "BUILD": folder}
        surroundings.pop("PYTHONPATH", None)  # Packages there would be part of the program.
        if recipe.build:
            _said(recipe.build, folder, surroundings, BUILD_TIME)
        return min(
            _checked(_said(recipe.run, folder, surroundings, RUN_TIME)) for _ in range(LOOKS)
        )


def _said(command: Sequence[str], folder: str, variables: Mapping[str, str], seconds: int) -> str:
    # Files in the folder of this process have no say in how its program is built. The
    # implementation's PATH may choose that program: a program that writes to a pipe could empty it.
    # So it and what it leaves behind are ended, as all that is the implementation's.
    with tempfile.TemporaryFile() as said, contextlib.ExitStack() as stack:
        with interrupts.held():
            process = stack.enter_context(
                Supervised.start(
                    command, cwd=Path(folder), environment=variables, stdout=said,
                    stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL,
                )
            )  # fmt: skip
        status = process.wait(seconds)
        stack.close()
        if status is None:
            raise subprocess.TimeoutExpired(command, seconds)
        if status != 0:
            raise subprocess.CalledProcessError(status, command)
        said.seek(0)
        return said.read(_MOST_SAID).decode("utf-8", "replace").strip()


def _checked(said: object) -> float:
    nanos = float(str(said))
    if not 0 < nanos < 1e6:
        raise ValueError(f"it says {str(said)[:100]} ns, expected a positive figure")
    return nanos


def _words(recipe: _Recipe, nanos: float) -> str:
    how = " ".join(recipe.build or recipe.run)
    return f"{nanos:.3f} ns, of the harness's own program in {recipe.language} by `{how}`"


def _brief(error: Exception) -> str:
    said = getattr(error, "stderr", "") or str(error)
    lines = str(said).strip().splitlines() or [type(error).__name__]
    return f"the program of ours cannot be built or run here: {lines[-1][:200]}"
