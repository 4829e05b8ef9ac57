"""Values in words for people: durations, counts, rates, settings."""

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeGuard

_SHOWN = 16
"""Items of a list in an actor's state that a page shows; friend lists run to thousands."""


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit of time and how many decimals to write, so that a column lines up."""

    name: str
    nanos: float
    decimals: int = 0

    def spell(self, nanos: float) -> str:
        """The number alone, thousands apart: ``1,234.50``."""
        return f"{nanos / self.nanos:,.{self.decimals}f}"


_UNITS = (Unit("s", 1e9), Unit("ms", 1e6), Unit("µs", 1e3), Unit("ns", 1.0))


def for_durations(nanos: Sequence[float]) -> Unit:
    """One unit for all of these: the largest that leaves the smallest of them at least 1,
    with decimals enough for four digits of it."""
    smallest = min((value for value in nanos if value > 0), default=1.0)
    unit = next((unit for unit in _UNITS if smallest >= unit.nanos), _UNITS[-1])
    whole = math.floor(math.log10(smallest / unit.nanos)) + 1
    return Unit(unit.name, unit.nanos, max(0, min(3, 4 - whole)) if unit.nanos > 1 else 0)


def duration(nanos: float) -> str:
    """One duration with its unit: ``12.34 ms``."""
    unit = for_durations([nanos])
    return f"{unit.spell(nanos)} {unit.name}"


LATEST = 253_402_300_799
"""The last second of the year 9999, after which a moment has no name."""


def is_moment(value: Any) -> TypeGuard[float]:
    """True if it is a time as records have it: seconds since 1970."""
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= LATEST


def moment(seconds: float) -> str:
    """``31 January 2024, 12:00 UTC``, wherever it is read: a report is the same everywhere."""
    return time.strftime("%-d %B %Y, %H:%M UTC", time.gmtime(seconds))


def significant(value: float, digits: int = 4) -> str:
    """Rounded to so many digits, thousands apart: ``1,235,000``."""
    if value == 0 or not math.isfinite(value):
        return f"{value:g}"
    decimals = digits - 1 - math.floor(math.log10(abs(value)))
    return f"{round(value, decimals):,.{max(0, decimals)}f}"


def count(number: int, noun: str) -> str:
    """``1 case``, ``2,000 cases``."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def memory(size: int) -> str:
    """Bytes in binary units: ``412 MiB``."""
    for name, factor in (("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)):
        if size >= factor:
            return f"{significant(size / factor, 3)} {name}"
    return f"{size} B"


def bytes_per_actor(of: float | None) -> str:
    """None where the peak of memory did not grow, or nobody looked at it."""
    return "not measured" if of is None else f"{of:,.0f}"


def spell(value: Any) -> str:
    """A recorded value in one line; long lists are cut and say so."""
    match value:
        case None:
            return "none"
        case bool():
            return "yes" if value else "no"
        case float():
            return f"{value:g}"
        case list() | tuple():
            items = [spell(item) for item in value[:_SHOWN]]
            if len(value) > _SHOWN:
                items.append(f"… {len(value) - _SHOWN:,} more")
            return f"[{', '.join(items)}]"
        case dict():
            return "{" + ", ".join(f"{key}: {spell(item)}" for key, item in value.items()) + "}"
        case _:
            return str(value)


def pairs(values: dict[str, Any]) -> str:
    """``nodes 2, delay 5``."""
    return ", ".join(f"{key} {spell(value)}" for key, value in values.items())


def network(values: dict[str, Any]) -> str:
    """``local``; ``mininet (nodes 2, delay 5)``."""
    kind = str(values.get("kind", "unknown network"))
    # Values that follow from the rest, or are said once of all, are in the records.
    unsaid = {"kind", "qdiscs", "direction", "offloads", *(("note",) if kind == "uml" else ())}
    rest = {key: v for key, v in values.items() if key not in unsaid and v is not None}
    return f"{kind} ({pairs(rest)})" if rest else kind


class Timed(Protocol):
    """The record whose figure it is."""

    @property
    def implementation(self) -> str: ...

    @property
    def certified(self) -> bool | None: ...


UNCERTIFIED = "uncertified"
"""The mark of a figure for which nothing shows that the work was done (LEVEL-24)."""


def mark(of: object) -> str:
    """Return the mark of its figures if they are not certified: the one that its record has for a
    certified build, or uncertified; empty if they are."""
    if getattr(of, "certified", None) is not False:
        return ""
    return str(getattr(of, "mark", "")) or UNCERTIFIED


def called(of: Timed) -> str:
    """Its name, marked if the figures of what it is the name of are not certified."""
    marked = mark(of)
    return f"{of.implementation} ({marked})" if marked else of.implementation


class Setting(Protocol):
    """The setting of something timed, whoever runs it."""

    scenario: str
    scale: str
    network: dict[str, Any]


def setting(of: Setting) -> str:
    """``mixed, small scale, local``, and what is varied in a sweep."""
    return ", ".join(part for part in (of.scenario, circumstances(of)) if part)


def circumstances(of: Setting) -> str:
    """``small scale, local``: the setting without the scenario's name."""
    parts = [f"{of.scale} scale" if of.scale else "", network(of.network)]
    cores: list[int] = getattr(of, "cores", [])
    parts += [f"on {count(len(cores), 'core')}"] if cores else []
    varied: dict[str, Any] = getattr(of, "varied", {})
    if varied:
        parts.append(pairs(varied))
    return ", ".join(part for part in parts if part)
