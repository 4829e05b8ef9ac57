"""The conformance suite as pytest sees it; see ``plugin.py``."""

from typing import Any

from dramaturg.performance.performer import Performer
from dramaturg.performance.plugin import check
from dramaturg.plan.plan import Item


def test_case(item: Item, performer: Performer, record_property: Any) -> None:
    """One case on one implementation."""
    check(item, performer, record_property)
