"""The two drawings of the first page: a turn of ChatApp, and how a verdict comes about.

Writes both into docs/pictures, or compares them with ``--check``.
"""

import argparse
import sys
from pathlib import Path

from markupsafe import Markup, escape

from dramaturg import paths
from dramaturg.report.lifelines import sequence_diagram
from dramaturg.report.pictures import alone
from dramaturg.trace.explanation.message_sequence import Status, Step

FOLDER = paths.ROOT / "docs" / "pictures"

TURN = (
    ("poker/0", "directory/0", "poke(turn, salt)"),
    ("directory/0", "client/0", "act(turn, ...)"),
    ("directory/0", "client/1", "act(turn, ...)"),
    ("client/0", "chat/0.0", "post(turn, payload)"),
    ("client/1", "accumulator/0", "stop(0, fib)"),
    ("chat/0.0", "accumulator/0", "bump(0, 2, digests)"),
    ("chat/0.0", "client/0", "forward(turn, 1, payload)"),
    ("chat/0.0", "client/1", "forward(turn, 1, payload)"),
    ("client/0", "accumulator/0", "stop(1, digest)"),
    ("client/1", "accumulator/0", "stop(1, digest)"),
    ("accumulator/0", "poker/0", "confirm(turn, ...)"),
)
"""One client posts into a chat of two, and the other computes: CHAT-13, 23, 24, 33, 37."""

BOXES = {
    "case": (0, 0, "a case", "parameters, acts, search"),
    "model": (0, 1, "the model", "what each actor must do"),
    "implementation": (1, 0, "your implementation", "its own process and build"),
    "replay": (1, 1, "replay", "each log through its actor's model"),
    "logs": (2, 0, "receive logs", "what each actor took, in order"),
    "verdict": (2, 1, "verdict", "pass, or the message that departs"),
}
"""Column, row, what it is, and a word on it."""

ARROWS = (
    ("case", "implementation", "Prepare, Run"),
    ("implementation", "logs", "Trace, receipt"),
    ("logs", "replay", ""),
    ("model", "replay", ""),
    ("replay", "verdict", ""),
)

_WIDTH, _HEIGHT, _GAP, _RISE = 236.0, 56.0, 96.0, 44.0

_STYLE = (
    "<style>.flow rect { fill: var(--faint); stroke: var(--rule); }"
    " .flow text { fill: var(--ink); font-size: 13.5px; }"
    " .flow text.soft { fill: var(--soft); font-size: 11.5px; }"
    " .flow path { stroke: var(--ink); stroke-width: 1.1; fill: none; }"
    " .flow polygon { fill: var(--ink); }</style>"
)


def turn() -> str:
    steps = [Step(source, target, message, Status.TAKEN) for source, target, message in TURN]
    return alone(sequence_diagram(list(steps), "A turn of ChatApp", "turn"))


def verdict() -> str:
    width, height = 3 * _WIDTH + 2 * _GAP, 2 * _HEIGHT + _RISE
    parts = [_box(name) for name in BOXES] + [_arrow(*each) for each in ARROWS]
    told = "; ".join(f"{source} to {target} {word}".strip() for source, target, word in ARROWS)
    return alone(
        Markup(
            f'<svg class="flow" viewBox="0 0 {width:g} {height:g}" role="img"'
            f' aria-label="{escape(told)}">\n{_STYLE}\n' + "\n".join(parts) + "\n</svg>"
        )
    )


def _corner(name: str) -> tuple[float, float]:
    column, row = BOXES[name][:2]
    return column * (_WIDTH + _GAP), row * (_HEIGHT + _RISE)


def _box(name: str) -> str:
    (x, y), (*_, head, word) = _corner(name), BOXES[name]
    middle = x + _WIDTH / 2
    return (
        f'<rect x="{x:g}" y="{y:g}" width="{_WIDTH:g}" height="{_HEIGHT:g}" rx="3"/>\n'
        f'<text x="{middle:g}" y="{y + 24:g}" text-anchor="middle">{escape(head)}</text>\n'
        f'<text class="soft" x="{middle:g}" y="{y + 42:g}" text-anchor="middle">'
        f"{escape(word)}</text>"
    )


def _arrow(source: str, target: str, word: str) -> str:
    """From side to side within a row, else from below the one to above the other."""
    (from_x, from_y), (to_x, to_y) = _corner(source), _corner(target)
    if from_y == to_y:
        x, end, y = from_x + _WIDTH, to_x, from_y + _HEIGHT / 2
        path = f"M{x:g} {y:g}H{end - 7:g}"
        head = f"{end:g},{y:g} {end - 7:g},{y - 4:g} {end - 7:g},{y + 4:g}"
        label = f'<text class="soft" x="{(x + end) / 2:g}" y="{y - 7:g}" text-anchor="middle">'
        return f'<path d="{path}"/><polygon points="{head}"/>{label}{escape(word)}</text>'
    x, end, y = from_x + _WIDTH / 2, to_x + _WIDTH / 2, from_y + _HEIGHT
    path = f"M{x:g} {y:g}V{y + _RISE / 2:g}H{end:g}V{to_y - 7:g}"
    head = f"{end:g},{to_y:g} {end - 4:g},{to_y - 7:g} {end + 4:g},{to_y - 7:g}"
    return f'<path d="{path}"/><polygon points="{head}"/>'


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="Write nothing.")
    arguments = parser.parse_args()
    drawn = {"chatapp-turn.svg": turn(), "verdict-flow.svg": verdict()}
    stale = [name for name, text in drawn.items() if _text(FOLDER / name) != text]
    if arguments.check and stale:
        names = ", ".join(stale)
        print(f"{names} out of date: run: .venv/bin/python harness/scripts/first_page_pictures.py")
        return 1
    for name in stale:
        (FOLDER / name).write_text(drawn[name], encoding="utf-8")
    return 0


def _text(file: Path) -> str:
    return file.read_text(encoding="utf-8") if file.exists() else ""


if __name__ == "__main__":
    sys.exit(main())
