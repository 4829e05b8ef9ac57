"""The common parts of the tests."""

import shutil
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest
from hypothesis import settings
from sampling import leave_out

from dramaturg import paths
from dramaturg.model.chatapp import Parameters, Selection

# A shell that starts the tests in the background lets SIGINT be ignored, by them and by all
# they start; a handler of our own is reset to the default in what we start.
signal.signal(signal.SIGINT, signal.default_int_handler)

# The machine and its other work decide how long an example takes.
settings.register_profile("dramaturg", deadline=None)
# Mutation testing asks again and again: it must find the same, and write nothing.
settings.register_profile("survivors", deadline=None, derandomize=True, database=None)
settings.load_profile("dramaturg")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "sampled(share): `make test` performs one in so many")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    leave_out(items)


@pytest.fixture
def small() -> Parameters:
    """A ChatApp in which everything happens, in a second's fraction."""
    return Parameters(
        clients=24, directories=3, turns=6, compute=10, post=45, leave=20, invite=20,
        befriend=25, selection=Selection.CUMULATIVE, fib_n=7, history=True, seed=42,
    )  # fmt: skip


WARDENS = 15.0
"""Seconds in which the warden of a command that was started here has cleared what was left, and
ended: an orphan that is ours, since whoever performs cases adopts them."""


@pytest.fixture
def no_process_left() -> Iterator[None]:
    """Fails the test if it leaves a child process behind."""
    before = {child.pid for child in psutil.Process().children(recursive=True)}
    yield
    new = [c for c in psutil.Process().children(recursive=True) if c.pid not in before]
    _, left = psutil.wait_procs(new, timeout=WARDENS)
    assert [child for child in left if child.status() != psutil.STATUS_ZOMBIE] == []


@pytest.fixture
def implementation_folder(tmp_path: Path) -> Path:
    """A folder with a manifest that can be changed at will."""
    folder = tmp_path / "sketch"
    folder.mkdir()
    (folder / "main.py").write_text("")
    (folder / "dramaturg.toml").write_text(
        'name = "sketch"\nlanguage = "Python"\nspec = "2"\ncontrol = "stdio"\n'
        'benchmarks = ["chatapp"]\n[build]\ninputs = ["*.py"]\n[run]\ncommand = ["true"]\n'
    )
    return folder


@pytest.fixture(scope="session")
def copy_reference() -> Callable[[Path], Path]:
    """Copies the reference into a folder below the one given, where it can be changed; the
    copy's build is of its Python files alone."""

    def copy(parent: Path) -> Path:
        folder = parent / "reference"
        original = paths.IMPLEMENTATIONS / "reference"
        shutil.copytree(original, folder, ignore=shutil.ignore_patterns(".build"))
        manifest = folder / "dramaturg.toml"
        text = manifest.read_text().replace("../../", f"{paths.ROOT}/")
        lines = [line for line in text.splitlines() if not line.startswith("inputs")]
        at = lines.index("[build]") + 1
        manifest.write_text("\n".join([*lines[:at], 'inputs = ["**/*.py"]', *lines[at:]]) + "\n")
        return folder

    return copy


@pytest.fixture
def reference_copy(copy_reference: Callable[[Path], Path], tmp_path: Path) -> Path:
    """The reference, in a folder in which its manifest can be changed."""
    return copy_reference(tmp_path / "implementations")
