"""The conformance suite as pytest sees it; see ``plugin.py``."""

from typing import Any

from dramaturg.conformance.plugin import Item, Stage, check


def test_case(item: Item, stage: Stage, record_property: Any) -> None:
    """One case on one implementation."""
    check(item, stage, record_property)
