"""All ratios in one picture: a dot for each turn, the interval, and what was claimed.

One logarithmic axis, so that twice and half as fast are as far from equal.
"""

from collections.abc import Sequence

from markupsafe import Markup, escape

from dramaturg.claims.claim_verdicts import Figure, Judged, Judgement
from dramaturg.claims.reproduction_page import claimed, pictured, short
from dramaturg.report import html
from dramaturg.report.chart import Axis
from dramaturg.visible import visible

_WIDTH, _LABELS, _RIGHT, _ROW, _TOP, _FOOT, _MARGIN = 760.0, 300.0, 4.0, 34.0, 8.0, 40.0, 14.0
_BAND = 14.0
_MARKS = [mark * 10.0**power for power in range(-3, 5) for mark in (1, 2, 5)]

_STYLE = """
svg { font-family: Charter, "Bitstream Charter", Cambria, Georgia, serif; }
.paper { fill: var(--paper); }
.claimed { fill: var(--span); fill-opacity: .45; }
.equal { stroke: var(--ink); stroke-width: 1; stroke-dasharray: 2 3; }
"""


def drawing(judgement: Judgement) -> str:
    """The picture as a file of its own; empty if there is nothing to draw."""
    rows = pictured(judgement)
    if not rows:
        return ""
    axis = _axis([figure for _, figure in rows])
    bottom = _TOP + _ROW * len(rows)
    parts = []
    for number, (_, figure) in enumerate(rows):
        parts.append(_claimed(figure, axis, _TOP + _ROW * number))
    for tick in axis.ticks:
        x = _place(axis, tick)
        parts.append(_line("equal" if tick == 1 else "grid", x, _TOP, x, bottom))
        parts.append(_text("tick", x, bottom + 15, short(tick), "middle"))
    for number, (judged, figure) in enumerate(rows):
        parts += _row(judged, figure, axis, _TOP + _ROW * (number + 0.5))
    middle = (_LABELS + _WIDTH - _RIGHT) / 2
    parts.append(
        _text("axis", middle, bottom + 34, "times as fast, logarithmic; shaded: claimed", "middle")
    )
    width, height = _WIDTH + 2 * _MARGIN, bottom + _FOOT + 2 * _MARGIN
    told = "; ".join(f"{judged.id} {figure.label} {short(figure.value)}" for judged, figure in rows)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{height:g}"'
        f' viewBox="{-_MARGIN:g} {-_MARGIN:g} {width:g} {height:g}" role="img"'
        f' aria-label="{_shown(told)}">\n<style>\n{html.style()}{_STYLE}</style>\n'
        f'<rect class="paper" x="{-_MARGIN:g}" y="{-_MARGIN:g}" width="100%" height="100%"/>\n'
        '<g class="plot">\n' + "\n".join(filter(None, parts)) + "\n</g>\n</svg>\n"
    )


def _axis(figures: Sequence[Figure]) -> Axis:
    """Return an axis that 1 and all figures fit on, and every bound that is near them."""
    values = [1.0]
    for figure in figures:
        ends = (figure.low, figure.high, figure.value, *figure.each)
        values += [value for value in ends if value is not None and 1e-3 < value < 1e4]
    low, high = min(values) / 1.15, max(values) * 1.15
    return Axis(low, high, True, [mark for mark in _MARKS if low <= mark <= high])


def _place(axis: Axis, value: float) -> float:
    """Within the picture, whatever lies outside of the axis."""
    held = min(max(value, axis.low), axis.high)
    share = (axis.place(held) - axis.place(axis.low)) / (
        axis.place(axis.high) - axis.place(axis.low)
    )
    return _LABELS + share * (_WIDTH - _LABELS - _RIGHT)


def _claimed(figure: Figure, axis: Axis, top: float) -> str:
    start = _place(axis, axis.low if figure.above is None else figure.above)
    end = _place(axis, axis.high if figure.below is None else figure.below)
    return (
        f'<rect class="claimed" x="{start:.1f}" y="{top + 2:.1f}"'
        f' width="{max(end - start, 0.5):.1f}" height="{_ROW - 4:g}">'
        f"<title>claimed: {_shown(claimed(figure))}</title></rect>"
    )


def _row(judged: Judged, figure: Figure, axis: Axis, y: float) -> list[str]:
    parts = [
        _text("label", 0, y - 2, f"{judged.id}  {judged.verdict}", "start"),
        _text("tick", 0, y + 11, figure.label, "start"),
    ]
    below = y + _BAND / 2 + 2
    if figure.low is not None and figure.high is not None:
        start, end = _place(axis, figure.low), _place(axis, figure.high)
        parts.append(
            f'<rect class="interval" x="{start:.1f}" y="{below - 1.25:.1f}"'
            f' width="{max(end - start, 0.5):.1f}" height="2.5"/>'
        )
    for number, value in enumerate(figure.each):
        offset = ((number + 0.5) / len(figure.each) - 0.5) * _BAND
        parts.append(f'<circle cx="{_place(axis, value):.1f}" cy="{y - 4 + offset:.1f}" r="2.2"/>')
    x = _place(axis, figure.value)
    parts.append(_line("median", x, below - 5, x, below + 5))
    return parts


def _line(kind: str, x1: float, y1: float, x2: float, y2: float) -> str:
    return f'<line class="{kind}" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>'


def _text(kind: str, x: float, y: float, text: str, anchor: str) -> str:
    return (
        f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{_shown(text)}</text>'
    )


def _shown(text: str) -> Markup:
    return escape(visible(text))
