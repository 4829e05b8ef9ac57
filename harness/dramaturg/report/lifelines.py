"""Message sequences as SVG: a line down for each actor, an arrow across for each message.

As in chart.py, the drawing holds geometry and class names only; colours come from the
page's style sheet. Its description also tells what happens, for those who hear it.
"""

from collections.abc import Iterable
from itertools import pairwise

from markupsafe import Markup, escape

from dramaturg.trace.explanation.message_sequence import Cut, Sequence, Status, Step, lanes
from dramaturg.visible import visible

_WIDTH = 900.0
"""The width for which the page has room: fewer actors are spread over it, more make it wider."""

_NAME, _LETTER = 7.0, 6.4
"""Widths of a letter of an actor's name and of a message, at the sizes of the style sheet."""

_HEAD, _ROW, _FOOT = 30.0, 34.0, 14.0
_NARROWEST, _WIDEST = 92.0, 190.0
_POINT = 7.0

_WORDS = {
    Status.TAKEN: "",
    Status.PENDING: "not taken so far",
    Status.LOST: "lost",
    Status.EXPECTED: "expected",
    Status.ACTUAL: "taken",
}
"""Said beside the message, so that nothing is told by its colour alone."""


def sequence_diagram(sequence: Sequence, title: str, identifier: str) -> Markup:
    """The drawing. ``identifier`` must be this drawing's alone in its page."""
    columns, width = _columns(lanes(sequence))
    bottom = _HEAD + _ROW * len(sequence) + _FOOT
    parts = [_actor(name, x, bottom) for name, x in columns.items()]
    for number, entry in enumerate(sequence, start=1):
        y = _HEAD + _ROW * number
        if isinstance(entry, Cut):
            parts.append(
                _text("cut", min(columns.values()) + 10, y - 8, f"\u22ee {entry.more} more")
            )
        else:
            parts += _step(entry, columns, y, width)
    return Markup(
        f'<svg class="sequence" width="{width:g}" height="{bottom:g}"'
        f' viewBox="0 0 {width:g} {bottom:g}" role="img"'
        f' aria-labelledby="{identifier}-title {identifier}-desc">\n'
        f'<title id="{identifier}-title">{_shown(title)}</title>\n'
        f'<desc id="{identifier}-desc">{_shown("; ".join(_told(sequence)))}</desc>\n'
        + "\n".join(parts)
        + "\n</svg>"
    )


def _told(sequence: Sequence) -> Iterable[str]:
    for entry in sequence:
        if isinstance(entry, Cut):
            yield f"{entry.more} more"
        else:
            word = f" ({_WORDS[entry.status]})" if _WORDS[entry.status] else ""
            yield f"{entry.source} to {entry.target}: {entry.message}{word}"


def _columns(actors: list[str]) -> tuple[dict[str, float], float]:
    """Return the place of each lifeline, and the width of all."""
    halves = [len(actor) * _NAME / 2 + 6 for actor in actors]
    gaps = [max(_NARROWEST, left + right + 8) for left, right in pairwise(halves)]
    needed = halves[0] + sum(gaps) + halves[-1]
    more = max(0.0, _WIDTH - needed) / max(1, len(gaps))
    places = [halves[0]]
    for gap in gaps:
        places.append(places[-1] + max(gap, min(gap + more, _WIDEST)))
    return dict(zip(actors, places, strict=True)), max(places[-1] + halves[-1], _WIDTH)


def _actor(name: str, x: float, bottom: float) -> str:
    half = len(name) * _NAME / 2 + 5
    box = f'x="{x - half:.1f}" y="1" width="{2 * half:.1f}" height="21" rx="2"'
    return (
        f'<line class="life" x1="{x:.1f}" y1="{_HEAD - 8:g}" x2="{x:.1f}" y2="{bottom:g}"/>\n'
        f'<rect class="actor" {box}/>\n' + _text("name", x, 16, name, "middle")
    )


def _step(step: Step, columns: dict[str, float], y: float, width: float) -> list[str]:
    start, end = columns[step.source], columns[step.target]
    status = str(step.status)
    return [
        f'<g class="message {status}">',
        *(_to_itself(start, y) if start == end else _arrow(start, end, y, step.status)),
        _label(step, start, end, y, width),
        "</g>",
    ]


def _arrow(start: float, end: float, y: float, status: Status) -> list[str]:
    towards = 1 if end > start else -1
    if status is Status.LOST:
        x, arm = end - towards * 12, 5
        cross = (
            f'<path class="cross" d="M{x - arm:.1f} {y - arm:.1f}l{2 * arm} {2 * arm}'
            f'M{x - arm:.1f} {y + arm:.1f}l{2 * arm} {-2 * arm}"/>'
        )
        return [_line(start, x - towards * arm, y), cross]
    base = end - towards * _POINT
    head = f"{end:.1f},{y:.1f} {base:.1f},{y - 4:.1f} {base:.1f},{y + 4:.1f}"
    return [_line(start, base, y), f'<polygon points="{head}"/>']


def _to_itself(x: float, y: float) -> list[str]:
    """Round and back: what an actor has its timer send it."""
    head = f"{x:.1f},{y:.1f} {x + _POINT:.1f},{y - 4:.1f} {x + _POINT:.1f},{y + 4:.1f}"
    loop = f'<path class="shaft" d="M{x:.1f} {y - 12:.1f}h22v12h{-22 + _POINT:g}"/>'
    return [loop, f'<polygon points="{head}"/>']


def _label(step: Step, start: float, end: float, y: float, width: float) -> str:
    """Above the arrow's middle, moved in where it would leave the drawing; cut if it is wider
    than that, and then told in full on hovering."""
    word = _WORDS[step.status]
    room = int(width / _LETTER) - len(word) - 3
    shown = step.message if len(step.message) <= room else step.message[: room - 1] + "\u2026"
    half = (len(shown) + (len(word) + 2 if word else 0)) * _LETTER / 2
    middle = (start + end) / 2 if start != end else start + 28 + half
    x = min(max(middle, half + 2), width - half - 2)
    told = f"<title>{_shown(step.message)}</title>" if shown != step.message else ""
    tag = f'<tspan class="word" dx="6">{word}</tspan>' if word else ""
    return (
        f'<text class="text" x="{x:.1f}" y="{y - 7:.1f}" text-anchor="middle">'
        f"{told}{_shown(shown)}{tag}</text>"
    )


def _line(start: float, end: float, y: float) -> str:
    return f'<line class="shaft" x1="{start:.1f}" y1="{y:.1f}" x2="{end:.1f}" y2="{y:.1f}"/>'


def _text(kind: str, x: float, y: float, text: str, anchor: str = "start") -> str:
    return (
        f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{_shown(text)}</text>'
    )


def _shown(text: str) -> Markup:
    return escape(visible(text))
