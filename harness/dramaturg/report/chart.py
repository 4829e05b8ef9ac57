"""Interval plots as SVG: a row for each implementation, every sample a dot.

The drawing holds geometry and class names only; colours come from the page's style
sheet, so that one drawing serves light, dark and paper. Within a row the samples run
from top to bottom in the order they were taken: a drift shows as a slant.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from markupsafe import Markup, escape

from dramaturg.visible import visible

LOG_FROM = 20.0
"""The axis is logarithmic if the largest value is more than this many times the smallest:
beyond it a linear axis presses the fast rows against its start."""

_WIDTH, _LABELS, _RIGHT = 760.0, 140.0, 2.0
_ROW, _BAND, _BAR, _TOP, _AXIS = 45.0, 20.0, 2.5, 6.0, 40.0
_TICKS = 6

RINGS = "rings: uncertified"
"""The legend of a drawing that has any: it may be copied out of the page that explains it."""


@dataclass(frozen=True, slots=True)
class Dot:
    """One sample and what to say of it on hovering."""

    value: float
    title: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """One implementation: its samples in order, and their median with its interval."""

    label: str
    note: str = ""
    dots: list[Dot] = field(default_factory=list)
    median: float | None = None
    low: float | None = None
    high: float | None = None
    hollow: bool = False
    """Drawn as rings: not certified."""
    of: str = ""
    """The implementation that it is of; empty for what is of several."""


@dataclass(frozen=True, slots=True)
class Axis:
    """A map from values to places on the page. ``ticks`` are values."""

    low: float
    high: float
    log: bool
    ticks: list[float]

    def share(self, value: float) -> float:
        """Return the place of a value: 0 at the low end, 1 at the high one."""
        start, end, at = self.low, self.high, value
        if self.log:
            start, end, at = math.log10(start), math.log10(end), math.log10(at)
        return (at - start) / (end - start)

    def place(self, value: float) -> float:
        """The same in units of an interval plot."""
        return _LABELS + self.share(value) * (_WIDTH - _LABELS - _RIGHT)


def interval_plot(rows: Sequence[Row], axis_label: str, title: str) -> Markup:
    """The drawing. Values are in the axis label's unit; ``title`` is for those who hear it."""
    values = [value for row in rows for value in _values(row)]
    axis = axis_for(values)
    label = axis_label + (", logarithmic" if axis.log else "")
    bottom = _TOP + _ROW * len(rows)
    parts = [*_grid(axis, bottom)]
    for number, row in enumerate(rows):
        parts += _row(row, axis, _TOP + _ROW * (number + 0.5))
    middle = (_LABELS + _WIDTH - _RIGHT) / 2
    parts.append(text("axis", middle, bottom + 34, label, "middle"))
    if any(row.hollow for row in rows):
        parts.append(text("note", 0, bottom + 34, RINGS, "start"))
    return Markup(
        f'<svg class="plot" viewBox="0 0 {_WIDTH:g} {bottom + _AXIS:g}" role="img"'
        f' aria-label="{shown(title)}">\n' + "\n".join(parts) + "\n</svg>"
    )


def axis_for(values: Sequence[float]) -> Axis:
    """An axis that all values fit on. Linear ones need not start at zero: dots and intervals
    are read by place, not by length."""
    if not values:
        return Axis(0.0, 1.0, False, [])
    low, high = min(values), max(values)
    if low > 0 and high / low > LOG_FROM:
        return Axis(low / 1.15, high * 1.15, True, _decades(low / 1.15, high * 1.15))
    margin = (high - low or abs(high) or 1.0) * 0.06
    # Values are durations: nothing lies below zero, so the axis does not go there.
    start, end = max(0.0, low - margin) if low >= 0 else low - margin, high + margin
    return Axis(start, end, False, _steps(start, end))


def _steps(low: float, high: float) -> list[float]:
    raw = (high - low) / _TICKS
    power = 10.0 ** math.floor(math.log10(raw))
    step = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= raw * 0.999)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    # Rounded, so that 53 * 0.1 is 5.3: ticks are compared with the ends of the axis.
    return [float(f"{number * step:.12g}") for number in range(first, last + 1)]


def _decades(low: float, high: float) -> list[float]:
    span = math.log10(high / low)
    factors = (1, 2, 5) if span < 2.5 else (1,)
    exponents = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    every = max(1, math.ceil(span / 8))
    marks = [f * 10.0**exponent for exponent in exponents if exponent % every == 0 for f in factors]
    return [mark for mark in marks if low <= mark <= high]


def _values(row: Row) -> list[float]:
    bounds = [value for value in (row.median, row.low, row.high) if value is not None]
    return [dot.value for dot in row.dots] + bounds


def _grid(axis: Axis, bottom: float) -> list[str]:
    parts = []
    for at in axis.ticks:
        x = axis.place(at)
        parts.append(line("grid", x, _TOP, x, bottom))
        parts.append(text("tick", x, bottom + 15, tick(at, axis), "middle"))
    parts.append(line("frame", _LABELS, bottom, _WIDTH - _RIGHT, bottom))
    return parts


def tick(value: float, axis: Axis) -> str:
    """A value of the axis, as exactly as its ticks are apart."""
    if axis.log:
        return f"{value:,.0f}" if value >= 1 else f"{value:g}"
    step = axis.ticks[1] - axis.ticks[0] if len(axis.ticks) > 1 else value or 1.0
    return f"{value:,.{max(0, -math.floor(math.log10(abs(step)) + 1e-9))}f}"


def _row(row: Row, axis: Axis, y: float) -> list[str]:
    label_y = y - 2 if row.note else y + 4
    middle, below = y - 5, y + _BAND / 2 + 3
    parts = [f'<g data-of="{shown(row.of)}">' if row.of else "<g>"]
    parts.append(text("label", 0, label_y, row.label, "start"))
    if row.note:
        parts.append(text("note", 0, y + 11, row.note, "start"))
    if row.low is not None and row.high is not None:
        start, end = axis.place(row.low), axis.place(row.high)
        parts.append(
            f'<rect class="interval" x="{start:.1f}" y="{below - _BAR / 2:.1f}"'
            f' width="{max(end - start, 0.5):.1f}" height="{_BAR:g}"/>'
        )
    parts.append(f'<g class="{"dots hollow" if row.hollow else "dots"}">')
    radius = 2.6 if len(row.dots) <= 60 else 1.8
    for number, dot in enumerate(row.dots):
        offset = ((number + 0.5) / len(row.dots) - 0.5) * _BAND
        title = f"<title>{shown(dot.title)}</title>" if dot.title else ""
        parts.append(
            f'<circle cx="{axis.place(dot.value):.1f}" cy="{middle + offset:.1f}" r="{radius}">'
            f"{title}</circle>"
        )
    parts.append("</g>")
    if row.median is not None:
        x = axis.place(row.median)
        parts.append(line("median", x, below - 5, x, below + 5))
    parts.append("</g>")
    return parts


def line(kind: str, x1: float, y1: float, x2: float, y2: float) -> str:
    """A line of this class."""
    return f'<line class="{kind}" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>'


def text(kind: str, x: float, y: float, words: str, anchor: str) -> str:
    """Words of this class, escaped."""
    return (
        f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{shown(words)}</text>'
    )


def shown(words: str) -> Markup:
    """Escaped, and nothing in it unseen."""
    return escape(visible(words))
