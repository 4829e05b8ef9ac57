"""One installed wheel for all tests of the package."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from installed import Installed, install


@pytest.fixture(scope="session")
def installed() -> Iterator[Installed]:
    """Away from this repository, and from pytest's folders, which are the user's alone."""
    with tempfile.TemporaryDirectory(prefix="dramaturg-installed-") as folder:
        Path(folder).chmod(0o755)
        yield install(Path(folder))


@pytest.fixture
def elsewhere() -> Iterator[Path]:
    """An empty folder that every user may write to."""
    with tempfile.TemporaryDirectory(prefix="dramaturg-elsewhere-") as folder:
        Path(folder).chmod(0o777)
        yield Path(folder)
