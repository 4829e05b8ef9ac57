"""The wheel, built from this clone and installed where nothing else of it is."""

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from dramaturg import paths

_PIP = ("-m", "pip", "--quiet", "--disable-pip-version-check")


@dataclass(frozen=True, slots=True)
class Installed:
    """An environment of its own with the wheel in it, and a home folder to go with it."""

    root: Path

    @property
    def wheel(self) -> Path:
        (wheel,) = (self.root / "dist").glob("*.whl")
        return wheel

    @property
    def package(self) -> Path:
        (package,) = (self.root / "venv" / "lib").glob("python3*/site-packages/dramaturg")
        return package

    def run(
        self, *words: str, cwd: Path, nobody: bool = False, home: Path | None = None
    ) -> "subprocess.CompletedProcess[str]":
        """``dramaturg`` with these words, typed in ``cwd``; as ``nobody`` by a user who may
        write nothing but that folder and the home. Without ``home`` that is an empty one."""
        home = home or self.root / "home"
        become = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--"]
        command = [str(self.root / "venv" / "bin" / "dramaturg"), *words]
        if nobody and os.geteuid() == 0:
            command = become + command
            for folder in (cwd, home):
                subprocess.run(["chown", "-R", "65534:65534", folder], check=True)
        kept = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
        return subprocess.run(
            command,
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
            cwd=cwd,
            env={**kept, "HOME": str(home)},
        )


def install(root: Path) -> Installed:
    """Build the wheel and install it below ``root``: 5 s, and 10 s from pip's cache."""
    (root / "home").mkdir()
    wheel = [*_PIP, "wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", str(root / "dist")]
    _run(sys.executable, *wheel, str(paths.ROOT / "harness"))
    _run(sys.executable, "-m", "venv", str(root / "venv"))
    python = str(root / "venv" / "bin" / "python")
    _run(python, *_PIP, "install", *map(str, (root / "dist").glob("*.whl")))
    return Installed(root)


def _run(*command: str) -> None:
    # Others may read what is installed, whatever the umask here.
    done = subprocess.run(command, capture_output=True, text=True, check=False, umask=0o022)
    assert done.returncode == 0, done.stderr


def stranger(folder: Path, name: str = "mine") -> Path:
    """An implementation in a repository of its own: ping-pong by asyncio, which shares nothing
    with the harness."""
    made = folder / name
    original = paths.IMPLEMENTATIONS / "asyncio"
    shutil.copytree(original, made, ignore=shutil.ignore_patterns(".build", "__pycache__", ".*"))
    manifest = made / "dramaturg.toml"
    text = manifest.read_text().replace('name = "asyncio"', f'name = "{name}"')
    start, end = text.index("benchmarks = ["), text.index("[[toolchain.needs]]")
    has = 'benchmarks = ["pingpong"]\ndistributed_reason = "it is asked for no nodes"\n\n'
    manifest.write_text(f"{text[:start]}{has}{text[end:]}")
    return made
