"""Compiling the model: ``python -m dramaturg.compiled.machine_code``, which `make setup` does.

Says in one line what it did, or why it did nothing. Never fails: the model runs uncompiled as well.
"""

import contextlib
import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from dramaturg.compiled import loading, translation

LONGEST = 600
"""Seconds of compiling, on a machine that is very busy."""

_MYPY = """[mypy]
strict = true
warn_return_any = false
warn_unused_ignores = false
disallow_untyped_calls = false
follow_imports = skip
ignore_missing_imports = true
"""

_SETUP = """from mypyc.build import mypycify
from setuptools import setup

setup(
    name={name!r},
    packages=[{name!r}],
    ext_modules=mypycify(
        ["--config-file", "mypy.ini", *{files!r}], group_name={name!r}, debug_level="0"
    ),
)
"""


class NotCompiled(Exception):
    """The reason why nothing was compiled, in a line."""


def build() -> str:
    """Compile, unless it is; returns the name of the package. Raises NotCompiled."""
    name, folder = loading.name(), loading.folder()
    if loading.package():
        return name
    for needed in ("mypyc", "setuptools", "librt"):
        if importlib.util.find_spec(needed) is None:
            raise NotCompiled(f"{needed} is not installed")
    if not any(map(shutil.which, (os.environ.get("CC", "cc"), "gcc", "clang"))):
        raise NotCompiled("there is no C compiler")
    if not os.access(folder, os.W_OK):
        raise NotCompiled(f"{folder} cannot be written")
    with tempfile.TemporaryDirectory(prefix="dramaturg-compiled-") as scratch:
        made = _compiled(Path(scratch), name)
        _install(made, name, folder)
    return name


def _compiled(root: Path, name: str) -> Path:
    """The folder in which the package lies, and what its modules have in common."""
    files = translation.package(name)
    (root / name).mkdir()
    for file, text in files.items():
        (root / name / file).write_text(text, encoding="utf-8")
    (root / "mypy.ini").write_text(_MYPY)
    modules = [f"{name}/{file}" for file in files if file != "__init__.py"]
    (root / "setup.py").write_text(_SETUP.format(name=name, files=modules))
    # -P: the folder itself is no place to import from.
    command = [sys.executable, "-P", "setup.py", "-q", "build_ext", "--build-lib", "made"]
    try:
        done = subprocess.run(
            command, cwd=root, capture_output=True, text=True, timeout=LONGEST, check=False
        )
    except subprocess.TimeoutExpired:
        raise NotCompiled(f"it took longer than {LONGEST} s") from None
    if done.returncode:
        lines = (done.stdout + done.stderr).strip().splitlines()
        wrong = [line for line in lines if "error" in line] or lines[-1:]
        raise NotCompiled(f"mypyc failed: {wrong[0][:300] if wrong else done.returncode}")
    (root / "made" / name / "__init__.py").touch()
    return root / "made"


def _install(made: Path, name: str, folder: Path) -> None:
    """Whoever looks meanwhile finds all of it or nothing: the package comes last, by its name."""
    for old in [*folder.glob(loading.PREFIX + "*")]:
        if not old.name.startswith(name):
            with contextlib.suppress(OSError):
                shutil.rmtree(old) if old.is_dir() else old.unlink()
    for common in made.glob("*.so"):
        shutil.copy2(common, folder / f".{common.name}")
        (folder / f".{common.name}").replace(folder / common.name)
    aside = folder / f".{name}.{os.getpid()}"
    shutil.copytree(made / name, aside)
    try:
        aside.rename(folder / name)
    except OSError:
        shutil.rmtree(aside)  # Somebody else was faster.


def main() -> None:
    try:
        build()
    except (NotCompiled, OSError, subprocess.SubprocessError) as reason:
        print(f"setup: the model runs uncompiled: {reason}", file=sys.stderr)


if __name__ == "__main__":
    main()
