"""Curves as SVG: a line for each implementation, a band for its intervals.

As in :mod:`dramaturg.report.chart` the drawing holds geometry and class names only. Each line has
its name at its end, so that colour only repeats what the words say. A line is not drawn over a
value without a figure.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise

from markupsafe import Markup

from dramaturg.records import Value
from dramaturg.report.chart import RINGS, Axis, axis_for, line, shown, text, tick
from dramaturg.timing.planning import sweeps

COLOURS = 8
"""Lines that have one of their own; the next begin anew, and are dashed."""

_WIDTH, _LEFT, _RIGHT, _TOP, _HEIGHT, _AXIS = 760.0, 76.0, 150.0, 22.0, 280.0, 42.0
_APART = 14.0
"""Between two names."""
_DENSE = 40
"""Values beyond which dots are small: the line is what is seen."""

Place = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Mark:
    """One figure, with its interval if there is one, and what to say of it on hovering."""

    at: Value
    value: float
    low: float | None = None
    high: float | None = None
    title: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    """One implementation."""

    label: str
    marks: Sequence[Mark]
    hollow: bool = False
    """Drawn with rings: not certified."""
    colour: int | None = None
    """The colour; without one, its place among the lines."""


@dataclass(frozen=True, slots=True)
class Across:
    """A map from the values of an axis to places on the page."""

    places: dict[Value, float]
    log: bool
    words: bool
    """True if values have no distance from each other, so that no line joins them."""
    zero: bool
    """True if 0 stands beside a logarithmic axis."""


def curve_plot(
    lines: Sequence[Line], values: Sequence[Value], across_label: str, up_label: str, title: str
) -> Markup:
    """The drawing. ``values`` are all that were planned, in order; ``title`` is for those who
    hear it."""
    across = across_for(values)
    up = axis_for([each for of in lines for mark in of.marks for each in _values(mark)])
    bottom = _TOP + _HEIGHT
    said = ", logarithmic" + (" but for 0" if across.zero else "") if across.log else ""
    parts = [*_grid(across, up), *_frame(bottom)]
    for number, of in enumerate(lines):
        parts += _line(of, number, values, across, up)
    parts += _names(lines, across, up)
    middle = (_LEFT + _WIDTH - _RIGHT) / 2
    parts.append(text("axis", middle, bottom + 36, across_label + said, "middle"))
    parts.append(
        text("axis", 0, _TOP - 10, up_label + (", logarithmic" if up.log else ""), "start")
    )
    if any(of.hollow for of in lines):
        parts.append(text("note", _WIDTH, bottom + 36, RINGS, "end"))
    return Markup(
        f'<svg class="plot curve" viewBox="0 0 {_WIDTH:g} {bottom + _AXIS:g}" role="img"'
        f' aria-label="{shown(title)}">\n' + "\n".join(parts) + "\n</svg>"
    )


def across_for(values: Sequence[Value]) -> Across:
    """Logarithmic where the steps from value to value differ less so; words stand in a row."""
    numbers = [value for value in values if not isinstance(value, bool | str)]
    if len(numbers) < len(values) or len(numbers) < 2:
        in_a_row = {value: float(number) for number, value in enumerate(values)}
        return Across(_spread(in_a_row), False, True, False)
    above = [value for value in numbers if value > 0]
    steps = [math.log(high / low) for low, high in pairwise(above)]
    widths = [high - low for low, high in pairwise(above)]
    log = len(above) > 2 and numbers[0] >= 0 and _uneven(steps) < _uneven(widths)
    if not log:
        return Across(_spread({value: float(value) for value in numbers}), False, False, False)
    zero = above[0] / math.exp(sum(steps) / len(steps))
    return Across(
        _spread({value: math.log(value or zero) for value in numbers}), True, False, 0 in numbers
    )


def _uneven(steps: Sequence[float]) -> float:
    return max(steps) / min(steps)


def _spread(at: dict[Value, float]) -> dict[Value, float]:
    """Over the width of the drawing, in order."""
    low, high = min(at.values(), default=0.0), max(at.values(), default=1.0)
    span = high - low or 1.0
    inner = _WIDTH - _LEFT - _RIGHT - 40
    only = 0.5 if high == low else 0.0
    return {
        value: _LEFT + 20 + inner * (only or (place - low) / span) for value, place in at.items()
    }


def _height(up: Axis, value: float) -> float:
    return _TOP + _HEIGHT * (1 - up.share(value))


def _values(mark: Mark) -> Iterable[float]:
    return (each for each in (mark.value, mark.low, mark.high) if each is not None)


def _grid(across: Across, up: Axis) -> list[str]:
    parts = []
    for at in up.ticks:
        y = _height(up, at)
        parts.append(line("grid", _LEFT, y, _WIDTH - _RIGHT, y))
        parts.append(text("tick", _LEFT - 6, y + 4, tick(at, up), "end"))
    last, every = -math.inf, _every(across)
    for number, (value, x) in enumerate(across.places.items()):
        said = sweeps.shown(value)
        parts.append(line("grid", x, _TOP + _HEIGHT, x, _TOP + _HEIGHT + 4))
        # A label that would lie on its neighbour is not written; hovering tells every value.
        if number % every == 0 and x - 3.2 * len(said) > last:
            parts.append(text("tick", x, _TOP + _HEIGHT + 17, said, "middle"))
            last = x + 3.2 * len(said) + 4
    return parts


def _every(across: Across) -> int:
    """The step between written values: of values at equal distances, such as turns, the written
    ones are so as well."""
    gaps = [high - low for low, high in pairwise(across.places.values())]
    if len(gaps) < 2 or across.words or _uneven(gaps) > 1.01:
        return 1
    longest = max(len(sweeps.shown(value)) for value in across.places)
    least = math.ceil((6.4 * longest + 4) / gaps[0])
    return next(step for step in (1, 2, 5, 10, 20, 50, 100, least) if step >= least)


def _frame(bottom: float) -> list[str]:
    return [line("frame", _LEFT, bottom, _WIDTH - _RIGHT, bottom)]


def _line(of: Line, number: int, values: Sequence[Value], across: Across, up: Axis) -> list[str]:
    parts = [f"<g {_attributes(of, number)}>"]
    radius = 3.0 if len(values) <= _DENSE else 1.4
    for run in _runs(of, values, alone=across.words):
        low = [
            (across.places[mark.at], _height(up, mark.low)) for mark in run if mark.low is not None
        ]
        high = [
            (across.places[mark.at], _height(up, mark.high))
            for mark in run
            if mark.high is not None
        ]
        if len(low) == len(high) == 1:
            parts.append(line("whisker", *low[0], *high[0]))
        elif low:
            parts.append(f'<polygon points="{_spelt([*high, *reversed(low)])}"/>')
        places = [(across.places[mark.at], _height(up, mark.value)) for mark in run]
        if len(places) > 1:
            parts.append(f'<polyline points="{_spelt(places)}"/>')
        for mark, (x, y) in zip(run, places, strict=True):
            title = f"<title>{shown(mark.title)}</title>" if mark.title else ""
            parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:g}">{title}</circle>')
    parts.append("</g>")
    return parts


def class_of(colour: int, *, hollow: bool) -> str:
    """The style sheet's class for a line of this colour."""
    again = " again" if colour >= COLOURS else ""
    return f"line line-{colour % COLOURS}{again}{' hollow' if hollow else ''}"


def _attributes(of: Line, number: int) -> str:
    kind = class_of(number if of.colour is None else of.colour, hollow=of.hollow)
    return f'class="{kind}" data-of="{shown(of.label)}"'


def _runs(of: Line, values: Sequence[Value], *, alone: bool) -> list[list[Mark]]:
    """The marks that are joined: those of values that follow each other, all with an interval or
    all without one."""
    marks = {mark.at: mark for mark in of.marks}
    if alone:
        return [[marks[value]] for value in values if value in marks]
    found = []
    for there, run in groupby(values, key=marks.__contains__):
        if there:
            found.append([marks[value] for value in run])
    return found


def _names(lines: Sequence[Line], across: Across, up: Axis) -> list[str]:
    """Place the names at the height of each line's end, and apart from each other."""
    ends = [
        (_height(up, of.marks[-1].value), number, of) for number, of in enumerate(lines) if of.marks
    ]
    parts, last = [], -math.inf
    room = _TOP + _HEIGHT
    for left, (y, number, of) in zip(
        range(len(ends), 0, -1), sorted(ends, key=lambda end: end[:2]), strict=True
    ):
        at = max(min(y, room - _APART * (left - 1)), last + _APART)
        last = at
        x = max(across.places[of.marks[-1].at] + 10, _WIDTH - _RIGHT + 6)
        parts.append(
            f"<g {_attributes(of, number)}>"
            + line("lead", across.places[of.marks[-1].at] + 5, y, x - 3, at)
            + text("name", x, at + 4, of.label, "start")
            + "</g>"
        )
    return parts


def _spelt(places: Iterable[Place]) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
