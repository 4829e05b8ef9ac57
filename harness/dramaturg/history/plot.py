"""A line as SVG: a dot for each session, a bar for each level, a mark for each change and cut.

As in :mod:`dramaturg.report.chart` the drawing holds geometry and class names only. Sessions stand
in a row, one step from the next, however far they are apart in time.
"""

import math
import time
from collections.abc import Sequence
from itertools import pairwise

from markupsafe import Markup

from dramaturg.history.document import (
    HistoryChange,
    HistoryCut,
    HistoryLine,
    HistoryPoint,
    HistoryStretch,
)
from dramaturg.report.chart import RINGS, Axis, axis_for, line, shown, text, tick

_WIDTH, _LEFT, _RIGHT, _TOP, _HEIGHT, _AXIS = 760.0, 52.0, 12.0, 24.0, 150.0, 40.0
_CUT = 1.0
"""Room for a cut, in steps."""
_LETTER = 6.2
"""About as wide as a letter of the drawing's words."""
_DAY = 74.0
"""About as wide as a date."""


def plot(of: HistoryLine, title: str) -> Markup:
    """The drawing of a line with points; ``title`` is for those who hear it."""
    up = axis_for([each for stretch in of.stretches for p in stretch.points for each in _values(p)])
    places = _places(of.stretches)
    bottom = _TOP + _HEIGHT
    parts = _grid(up)
    for stretch, across in zip(of.stretches, places, strict=True):
        parts += _levels(stretch, across, up) + _dots(stretch, across, up)
    marks = [
        (x, f"cut {number}", "cut", "; ".join(f"{c.what}: {c.before}, then {c.after}" for c in cut))
        for number, (x, cut) in enumerate(_between(of.stretches, places), start=1)
    ]
    marks += [
        ((across[change.at - 1] + across[change.at]) / 2, factor(change), change.said, told(change))
        for stretch, across in zip(of.stretches, places, strict=True)
        for change in stretch.changes
    ]
    parts += _marks(sorted(marks), bottom) + _dates(of.stretches, places, bottom)
    parts.append(text("axis", 0, 10, _up_label(up), "start"))
    if any(not point.certified for stretch in of.stretches for point in stretch.points):
        parts.append(text("note", _WIDTH - _RIGHT, bottom + 34, RINGS, "end"))
    return Markup(
        f'<svg class="plot line-over-time" viewBox="0 0 {_WIDTH:g} {bottom + _AXIS:g}" role="img"'
        f' aria-label="{shown(title)}">\n' + "\n".join(parts) + "\n</svg>"
    )


def factor(change: HistoryChange) -> str:
    """``×1.12``"""
    return f"×{change.ratio:.3g}"


def told(change: HistoryChange) -> str:
    """``slower ×1.121 (1.1 to 1.14), between 1a2b and 3c4d``"""
    return f"{change.said} {effect(change)}, between {change.before} and {change.after}"


def effect(change: HistoryChange) -> str:
    """Write the effect, with its interval if there is one."""
    if change.low is None or change.high is None:
        return f"×{change.ratio:.4g} (too few points for an interval)"
    return f"×{change.ratio:.4g} ({change.low:.4g} to {change.high:.4g})"


def day(seconds: float) -> str:
    """``2024-01-31``, in universal time: pages are the same wherever they are made."""
    return time.strftime("%Y-%m-%d", time.gmtime(seconds))


def _values(of: HistoryPoint) -> list[float]:
    return [each for each in (of.ratio, of.low, of.high) if each is not None]


def _up_label(up: Axis) -> str:
    return "times the baseline's" + (", logarithmic" if up.log else "")


def _places(stretches: Sequence[HistoryStretch]) -> list[list[float]]:
    """Return the place of each point, across."""
    steps, at = [], 0.0
    for stretch in stretches:
        steps.append([at + number for number in range(len(stretch.points))])
        at += len(stretch.points) + _CUT
    last = max(steps[-1][-1], 1.0)
    inner = _WIDTH - _LEFT - _RIGHT - 24
    return [[_LEFT + 12 + inner * step / last for step in each] for each in steps]


def _between(
    stretches: Sequence[HistoryStretch], places: Sequence[Sequence[float]]
) -> list[tuple[float, list[HistoryCut]]]:
    middles = [(one[-1] + other[0]) / 2 for one, other in pairwise(places)]
    return list(zip(middles, [each.cuts for each in stretches[1:]], strict=True))


def _height(up: Axis, value: float) -> float:
    start, end, at = up.low, up.high, value
    if up.log:
        start, end, at = math.log10(start), math.log10(end), math.log10(at)
    return _TOP + _HEIGHT * (1 - (at - start) / (end - start))


def _grid(up: Axis) -> list[str]:
    parts = []
    for at in up.ticks:
        y = _height(up, at)
        parts.append(line("grid", _LEFT, y, _WIDTH - _RIGHT, y))
        parts.append(text("tick", _LEFT - 6, y + 4, tick(at, up), "end"))
    bottom = _TOP + _HEIGHT
    if up.low <= 1 <= up.high:
        parts.append(line("even", _LEFT, _height(up, 1), _WIDTH - _RIGHT, _height(up, 1)))
    return [*parts, line("frame", _LEFT, bottom, _WIDTH - _RIGHT, bottom)]


def _levels(stretch: HistoryStretch, across: Sequence[float], up: Axis) -> list[str]:
    """A bar at the middle of the points between two changes."""
    ends = [0, *(change.at for change in stretch.changes), len(stretch.points)]
    parts = []
    for start, end in pairwise(ends):
        ratios = sorted(point.ratio for point in stretch.points[start:end])
        middle = math.sqrt(ratios[(len(ratios) - 1) // 2] * ratios[len(ratios) // 2])
        y = _height(up, middle)
        parts.append(line("level", across[start] - 5, y, across[end - 1] + 5, y))
    return parts


def _dots(stretch: HistoryStretch, across: Sequence[float], up: Axis) -> list[str]:
    parts = []
    for point, x in zip(stretch.points, across, strict=True):
        kind = "point" if point.certified else "point hollow"
        parts.append(f'<g class="{kind}">')
        if point.low is not None and point.high is not None:
            parts.append(line("whisker", x, _height(up, point.low), x, _height(up, point.high)))
        y = _height(up, point.ratio)
        parts.append(
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.8"><title>{shown(_said(point))}</title>'
            "</circle></g>"
        )
    return parts


def _said(point: HistoryPoint) -> str:
    interval = f" ({point.low:.4g} to {point.high:.4g})" if point.low and point.high else ""
    return (
        f"{day(point.started)}, {point.of.revision}: ×{point.ratio:.4g}{interval},"
        f" {point.pairs} pairs, {point.session}"
    )


def _marks(marks: Sequence[tuple[float, str, str, str]], bottom: float) -> list[str]:
    """Upright lines, with a word above each that has room for one."""
    parts, last = [], -math.inf
    for x, word, kind, title in marks:
        parts.append(f'<g class="mark {kind}"><title>{shown(title)}</title>')
        parts.append(line("upright", x, _TOP - 6, x, bottom))
        half = _LETTER * len(word) / 2
        if x - half > last:
            parts.append(text("word", x, _TOP - 9, word, "middle"))
            last = x + half
        parts.append("</g>")
    return parts


def _dates(
    stretches: Sequence[HistoryStretch], places: Sequence[Sequence[float]], bottom: float
) -> list[str]:
    """The day of each stretch's first point, and of the last of all, where there is room."""
    wanted = [(xs[0], each.points[0]) for each, xs in zip(stretches, places, strict=True)]
    end = (places[-1][-1], stretches[-1].points[-1])
    parts, last = [], -math.inf
    for x, point in [*wanted, end]:
        left = min(max(x - _DAY / 2, 0), _WIDTH - _DAY)
        fits_before_end = point is end[1] or left + _DAY < _WIDTH - _DAY
        if left > last and fits_before_end:
            parts.append(text("tick", left, bottom + 17, day(point.started), "start"))
            last = left + _DAY
    return parts
