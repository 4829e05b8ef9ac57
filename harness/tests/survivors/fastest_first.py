"""A pytest plugin for mutmut's runs: tests in the order of how long they took, since the first
that fails is enough."""

import json
from pathlib import Path

import pytest

STATISTICS = Path("mutmut-stats.json")
"""mutmut's own, in the folder in which it runs the tests."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if STATISTICS.exists():
        durations = json.loads(STATISTICS.read_text(encoding="utf-8"))["duration_by_test"]
        items.sort(key=lambda item: durations.get(item.nodeid, 0))
