"""The conformance suite as pytest sees it; see ``plugin.py``."""

from typing import Any

from dramaturg.conformance.plugin import Item, Simulation, check


def test_case(item: Item, simulation: Simulation, record_property: Any) -> None:
    """One case on one implementation."""
    check(item, simulation, record_property)
