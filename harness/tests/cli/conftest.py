"""The common beginning of tests of several commands."""

from collections.abc import Callable
from pathlib import Path

import pytest
from revisions_kit import made


@pytest.fixture
def repository(copy_reference: Callable[[Path], Path], tmp_path: Path) -> Path:
    """A repository with the reference in it, and two commits of it; returns its folder."""
    return made(copy_reference, tmp_path / "repository")
