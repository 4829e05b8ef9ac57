"""The conformance suite as pytest sees it; see ``plugin.py``."""

from typing import Any

from dramaturg.conformance.performer import Performer
from dramaturg.conformance.plugin import check
from dramaturg.conformance.resting_cases import Beside
from dramaturg.plan.case_plan import Item


def test_case(item: Item, performer: Performer, beside: Beside, record_property: Any) -> None:
    """One case on one implementation."""
    check(item, performer, beside, record_property)
