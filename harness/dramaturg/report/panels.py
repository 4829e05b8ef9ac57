"""Panels as SVG: one dot for each invocation, and below it what went on beside it.

All panels of a drawing share their axis, invocations in the order in which they ran. So what
disturbed an invocation stands below its time. As in :mod:`dramaturg.report.chart` the drawing holds
geometry and class names only; colours are those of :mod:`dramaturg.report.curve_plot`.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from dramaturg.report.chart import RINGS, Axis, axis_for, line, shown, text, tick
from dramaturg.report.curve_plot import class_of

_WIDTH, _LEFT, _RIGHT = 760.0, 76.0, 8.0
_LEGEND, _HEAD, _GAP, _AXIS = 20.0, 20.0, 12.0, 40.0
_LETTER = 6.6
"""The width of a letter of the legend, about."""

_NUMBERS = 24
"""Invocations that are numbered below, at most about."""


@dataclass(frozen=True, slots=True)
class Mark:
    """One invocation in one panel: its figure, with the ends of its whisker if it has one."""

    at: int
    value: float
    low: float | None = None
    high: float | None = None
    title: str = ""


@dataclass(frozen=True, slots=True)
class Series:
    """One implementation in one panel."""

    label: str
    colour: int
    marks: Sequence[Mark]
    hollow: bool = False
    """Drawn as rings: not certified."""


@dataclass(frozen=True, slots=True)
class Panel:
    """A panel that is drawn over the invocations."""

    label: str
    series: Sequence[Series]
    height: float = 64.0
    from_zero: bool = True
    """True if its axis begins at 0."""


def panel_plot(panels: Sequence[Panel], title: str) -> Markup:
    """The drawing; ``title`` is for those who hear it. All panels have the same series."""
    series = panels[0].series
    invocations = sorted({mark.at for of in series for mark in of.marks})
    legend, top = _legend(series)
    parts = [*legend]
    for panel in panels:
        parts += _panel(panel, top + _HEAD, invocations)
        top += _HEAD + panel.height + _GAP
    parts += _numbers(invocations, top - _GAP)
    middle = (_LEFT + _WIDTH - _RIGHT) / 2
    parts.append(text("axis", middle, top + 20, "invocation, in the order of the run", "middle"))
    if any(of.hollow for of in series):
        parts.append(text("note", _WIDTH, top + 20, RINGS, "end"))
    return Markup(
        f'<svg class="plot curve panels" viewBox="0 0 {_WIDTH:g} {top + _AXIS - _GAP:g}" role="img"'
        f' aria-label="{shown(title)}">\n' + "\n".join(parts) + "\n</svg>"
    )


def _legend(series: Sequence[Series]) -> tuple[list[str], float]:
    """Names with their colours, in as many lines as they take; and where these end."""
    parts, x, y = [], 0.0, 12.0
    for of in series:
        wide = 22 + _LETTER * len(of.label)
        if x and x + wide > _WIDTH:
            x, y = 0.0, y + _LEGEND
        parts.append(
            f'<g {_attributes(of)}><circle cx="{x + 5:.1f}" cy="{y - 4:.1f}" r="3.5"/>'
            f"{text('name', x + 13, y, of.label, 'start')}</g>"
        )
        x += wide + 10
    return parts, y + 8


def _panel(panel: Panel, top: float, invocations: Sequence[int]) -> list[str]:
    up = axis_for([*_values(panel.series), *([0.0] if panel.from_zero else [])])
    bottom = top + panel.height
    said = panel.label + (", logarithmic" if up.log else "")
    parts = [text("axis", 0, top - 7, said, "start")]
    every = max(1, math.ceil(len(up.ticks) * 18 / panel.height))
    for at in up.ticks[::every]:
        y = _height(up, at, top, panel.height)
        parts.append(line("grid", _LEFT, y, _WIDTH - _RIGHT, y))
        parts.append(text("tick", _LEFT - 6, y + 4, tick(at, up), "end"))
    parts.append(line("frame", _LEFT, bottom, _WIDTH - _RIGHT, bottom))
    for number, of in enumerate(panel.series):
        beside = _beside(number, len(panel.series), len(invocations))
        parts.append(f"<g {_attributes(of)}>")
        for mark in of.marks:
            x = _place(mark.at, invocations) + beside
            if mark.low is not None and mark.high is not None:
                low, high = (_height(up, at, top, panel.height) for at in (mark.low, mark.high))
                parts.append(line("whisker", x, low, x, high))
            y = _height(up, mark.value, top, panel.height)
            title = f"<title>{shown(mark.title)}</title>" if mark.title else ""
            parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.8">{title}</circle>')
        parts.append("</g>")
    return parts


def _attributes(of: Series) -> str:
    return f'class="{class_of(of.colour, hollow=of.hollow)}" data-of="{shown(of.label)}"'


def _values(series: Iterable[Series]) -> list[float]:
    return [
        value
        for of in series
        for mark in of.marks
        for value in (mark.value, mark.low, mark.high)
        if value is not None
    ]


def _step(invocations: int) -> float:
    return (_WIDTH - _RIGHT - _LEFT) / max(1, invocations)


def _place(invocation: int, invocations: Sequence[int]) -> float:
    return _LEFT + _step(len(invocations)) * (invocations.index(invocation) + 0.5)


def _beside(number: int, series: int, invocations: int) -> float:
    """Return the distance at which a series stands beside the middle, so that none lies on
    another."""
    apart = min(9.0, 0.7 * _step(invocations) / series)
    return (number - (series - 1) / 2) * apart


def _height(up: Axis, value: float, top: float, height: float) -> float:
    return top + height * (1 - up.share(value))


def _numbers(invocations: Sequence[int], bottom: float) -> list[str]:
    every = math.ceil(len(invocations) / _NUMBERS) or 1
    return [
        text("tick", _place(at, invocations), bottom + 15, str(at), "middle")
        for at in invocations[::every]
    ]
