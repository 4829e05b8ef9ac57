"""The drawings of a report as files of their own, to be shown where no page can be."""

import re
from collections.abc import Container
from itertools import chain, count
from typing import Any

from markupsafe import Markup, escape

from dramaturg.levels import LEVELS
from dramaturg.report import drawings, html
from dramaturg.report.summary import Summary
from dramaturg.visible import visible

LONGEST = 120
"""Characters of a file's name."""

_MARGIN, _ROW, _HEAD = 14.0, 26.0, 22.0
_COLUMNS = (0.0, 110.0, 215.0)
"""The places at which implementation, verdict and the first level begin."""
_LEVEL = 91.0

_TABLE = """
.verdicts text { font-size: 12.5px; fill: var(--ink); }
.verdicts text.head { fill: var(--soft); font-size: 11px; }
.verdicts text.good { fill: var(--good); } .verdicts text.bad { fill: var(--bad); }
.verdicts text.warn { fill: var(--warn); } .verdicts text.quiet { fill: var(--soft); }
.verdicts line { stroke: var(--rule); stroke-width: 1; }
svg { font-family: Charter, "Bitstream Charter", Cambria, Georgia, serif; }
.paper { fill: var(--paper); }
"""


def pictures(summary: Summary) -> dict[str, str]:
    """SVG files by name: the verdicts, the run times of each group, the messages that led to
    each failure."""
    drawn: list[tuple[str, Markup | None]] = []
    if any(each.levels for each in summary.implementations):
        drawn.append(("verdicts", _verdicts(summary)))
    for group in summary.groups:
        name = f"times {drawings.name_of(group)} {group.scale}"
        drawn.append((name, drawings.run_times(group)))
    drawn += (
        (f"curve {drawings.curve_name(curve)} {curve.scale}", drawings.curve(curve))
        for curve in summary.curves
    )
    drawn += (
        (f"latency {drawings.curve_name(curve)} {curve.scale}", drawings.latency(curve))
        for curve in summary.curves
    )
    for number, finding in enumerate(summary.findings, start=1):
        name = f"failure {finding.implementation} {finding.case}"
        drawn.append((name, drawings.messages(finding.divergence or {}, f"sequence-{number}")))
    found: dict[str, str] = {}
    for name, drawing in drawn:
        if drawing:
            found[_file(name, found)] = alone(drawing)
    return found


def _file(name: str, taken: Container[str]) -> str:
    """Return the name without anything that a file's name cannot have; numbered if another has it
    already."""
    stem = re.sub(r"[^\w.]+", "-", name)[:LONGEST]
    numbered = (f"{stem}-{number}.svg" for number in count(2))
    return next(file for file in chain((f"{stem}.svg",), numbered) if file not in taken)


def alone(drawing: Markup) -> str:
    """Return it with the style sheet of the page that it was taken out of, and on paper."""
    opening, rest = str(drawing).split(">", 1)
    box = re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', opening)
    assert box is not None
    width, height = (float(side) + 2 * _MARGIN for side in box.groups())
    inner = re.sub(r' (width|height|viewBox)="[^"]*"', "", opening)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{height:g}"'
        f' viewBox="{-_MARGIN:g} {-_MARGIN:g} {width:g} {height:g}">\n'
        f"<style>\n{html.style()}{_TABLE}</style>\n"
        f'<rect class="paper" x="{-_MARGIN:g}" y="{-_MARGIN:g}" width="100%" height="100%"/>\n'
        f"{inner.replace('<svg', '<g')}>{rest.rsplit('</svg>', 1)[0]}</g>\n</svg>\n"
    )


def _verdicts(summary: Summary) -> Markup:
    rows = [html.verdict_row(each) for each in summary.implementations]
    width = _COLUMNS[2] + _LEVEL * len(LEVELS)
    bottom = _HEAD + _ROW * len(rows)
    heads = ["implementation", "verdict", *(f"{number} {name}" for number, name in LEVELS.items())]
    parts = [_text("head", _place(at), 14, head) for at, head in enumerate(heads)]
    for number, row in enumerate(rows):
        y = _HEAD + _ROW * number
        parts.append(f'<line x1="0" y1="{y:g}" x2="{width:g}" y2="{y:g}"/>')
        parts += [
            _text(tone, _place(at), y + 17, said) for at, (tone, said) in enumerate(_said(row))
        ]
    told = "; ".join(", ".join(said for _, said in _said(row)) for row in rows)
    return Markup(
        f'<svg class="verdicts" viewBox="0 0 {width:g} {bottom:g}" role="img"'
        f' aria-label="{_shown(told)}">\n' + "\n".join(parts) + "\n</svg>"
    )


def _said(row: dict[str, Any]) -> list[tuple[str, str]]:
    """The class and the words of each cell."""
    verdict = "certified" if row["certified"] else "not certified"
    cells = [
        (cell["tone"], f"{cell['passed']}/{cell['total']}") if cell else ("quiet", "not run")
        for cell in row["cells"]
    ]
    return [("", row["name"]), (row["tone"], verdict), *cells]


def _place(column: int) -> float:
    return _COLUMNS[column] if column < 2 else _COLUMNS[2] + _LEVEL * (column - 2)


def _text(kind: str, x: float, y: float, text: str) -> str:
    return f'<text class="{kind}" x="{x:g}" y="{y:g}">{_shown(text)}</text>'


def _shown(text: str) -> Markup:
    return escape(visible(text))
