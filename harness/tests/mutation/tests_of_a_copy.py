"""Runs tests of a copy of the project. Imports nothing of the harness: it would be that of the
project, and not that of the copy."""

import os
import sys
from pathlib import Path

import pytest


class First:
    """Has one test performed before all others, if it is there."""

    def __init__(self, test: str) -> None:
        self._test = test

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items.sort(key=lambda item: item.nodeid.removeprefix("tests/") != self._test)


def run_pytest(root: Path, arguments: list[str], output: Path, first: str) -> None:
    """Run tests of the copy at ``root``, in a process of their own, and end as pytest ends."""
    with output.open("w") as stream:
        os.dup2(stream.fileno(), 1)
        os.dup2(stream.fileno(), 2)
    harness = str(root / "harness")
    os.environ["PYTHONPATH"] = harness
    # Options of the run outside, such as its folder, are not for this one.
    os.environ.pop("PYTEST_ADDOPTS", None)
    sys.path.insert(0, harness)
    os.chdir(root / "harness" / "tests")
    sys.exit(int(pytest.main(arguments, plugins=[First(first)])))
