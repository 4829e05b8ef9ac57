"""Builds that are timed in every session, so that sessions can be held against each other.

The state of the machine in one session affects the baseline as well, whose invocations are
interleaved with all others. A ratio to it remains (docs/history.md).
"""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from dramaturg import files
from dramaturg.results import ResultsError
from dramaturg.timing.planning.pairing import Side
from dramaturg.timing.planning.timing_plan import Plan, Unit

HEADER = "pinned"
"""The key of the header of the records that has them."""

_SIDES = TypeAdapter(list[Side])


def read(header: dict[str, Any], file: Path) -> list[Side]:
    """The baselines that a header tells of. Raises ResultsError."""
    try:
        return _SIDES.validate_python(header.get(HEADER, []))
    except ValidationError as error:
        said = files.brief(error)
        raise ResultsError(f"{file}:1: its baselines cannot be read: {said}") from None


def plain(label: str) -> str:
    """The name without what tells one build of it from another: ``erlang@v1+sharing`` is
    ``erlang+sharing``."""
    return re.sub(r"[@#][^+]*", "", label)


def held_against(label: str, sides: Sequence[Side]) -> Side | None:
    """The baseline that is the measure of this one: its own name's if there is one, else the
    first. None for what is pinned itself."""
    if any(side.label == label for side in sides):
        return None
    own = [side for side in sides if plain(side.label) == plain(label)]
    return next(iter([*own, *sides]), None)


def beside(made: Plan, labels: Sequence[str]) -> Plan:
    """The plan with these builds in it, wherever one of them is the measure of another build."""
    sides = [Side(label=label, word=label, build="") for label in labels]
    units: list[Unit] = list(made.units)
    there = {unit.what for unit in units}
    for unit in made.units:
        side = held_against(unit.implementation, sides)
        if side is None:
            continue
        own = unit.model_copy(update={"implementation": side.label})
        if own.what not in there:
            there.add(own.what)
            units.append(own)
    return made.model_copy(update={"units": units})
