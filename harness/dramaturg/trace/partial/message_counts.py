"""The number of messages that an actor takes in a run, if that is a fact (spec/parts.md).

A slice says nothing of what comes before it and behind it. But the counts name every watched
actor with the number of all its messages, and of most actors that is known before.
"""

from collections.abc import Mapping
from typing import Any

from dramaturg.model import names
from dramaturg.model.workload import MODELS


def miscounted(parameters: Any, ended: bool, taken: Mapping[int, int]) -> str:
    """The actors whose count is not the number of messages that every run has for them; empty if
    there are none.

    ``parameters`` are the model's; ``ended`` says whether the run was torn down.
    """
    for actor, count in sorted(taken.items()):
        expected = of(parameters, ended, actor)
        if expected is not None and count != expected:
            return f"{names.spell(actor)} took {count} messages, expected {expected} (TRACE-13)"
    return ""


UNCOUNTED = "is watched and has no count (TRACE-17), as if it had never been made (IMPL-1)"
"""The fault of an actor that each run has: a program that plays several actors in one has no count
for it."""


def uncounted(born: set[int], counted: set[int]) -> str:
    """The actors that were made and are not counted, or are counted and were never made; empty if
    there are none."""
    for actor in sorted(born ^ counted):
        what = UNCOUNTED if actor in born else "has a count and was never made (TRACE-17)"
        return f"{names.spell(actor)} {what}"
    return ""


def of(p: Any, ended: bool, actor: int) -> int | None:
    """The number of messages that this actor takes in each run; None if that is no fact."""
    model = MODELS.get(type(p))
    count: int | None = model.taken(p, ended, actor) if model else None
    return count
