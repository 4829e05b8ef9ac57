"""A message sequence as text: a line down for each actor, an arrow across for each message.

If the actors do not fit beside each other, it is a numbered list.
"""

from itertools import pairwise

from dramaturg.trace.explanation.message_sequence import Cut, Sequence, Status, Step, lanes

WIDTH = 100
"""Columns at most: what terminals have, and what a page of documentation shows."""

_INDENT, _GAP, _WIDEST = 4, 9, 24
"""Columns before the first actor; least and most between two lifelines."""

_TAGS = {
    Status.TAKEN: "",
    Status.PENDING: "  (not taken so far)",
    Status.LOST: "  ✗ lost",
    Status.EXPECTED: "  (expected)",
    Status.ACTUAL: "  ✗ taken",
}

_SHAFTS = {
    Status.TAKEN: "──",
    Status.PENDING: "┄┄",
    Status.LOST: "─ ",
    Status.EXPECTED: "┄┄",
    Status.ACTUAL: "━━",
}

_HEADS = {
    Status.TAKEN: ("▶", "◀"),
    Status.PENDING: ("▷", "◁"),
    Status.LOST: ("✗", "✗"),
    Status.EXPECTED: ("▷", "◁"),
    Status.ACTUAL: ("▶", "◀"),
}
"""Arrowheads to the right, and to the left."""


def diagram(sequence: Sequence, width: int = WIDTH) -> list[str]:
    """The sequence as lines of at most ``width`` columns."""
    actors = lanes(sequence)
    places = _places(actors, width)
    if places is None:
        return _list(sequence, width)
    columns = dict(zip(actors, places, strict=True))
    lines = [_heads(columns)]
    for entry in sequence:
        if isinstance(entry, Cut):
            lines.append(_write(_lifelines(columns), places[0] + 2, f"⋮ {entry.more} more"))
        else:
            lines += _step(entry, columns, width)
    return [line.rstrip() for line in lines]


def _places(actors: list[str], width: int) -> list[int] | None:
    """The column of each lifeline; None if there is not enough room."""
    if not actors:
        return []
    gaps = [max(_GAP, (len(left) + len(right)) // 2 + 2) for left, right in pairwise(actors)]
    first, beyond = _INDENT + len(actors[0]) // 2, len(actors[-1]) - len(actors[-1]) // 2
    spare = width - first - beyond - sum(gaps)
    if spare < 0:
        return None
    more = spare // len(gaps) if gaps else 0
    places = [first]
    for gap in gaps:
        places.append(places[-1] + max(gap, min(gap + more, _WIDEST)))
    return places


def _heads(columns: dict[str, int]) -> str:
    line = ""
    for name, column in columns.items():
        line = _write(line, column - len(name) // 2, name)
    return line


def _lifelines(columns: dict[str, int]) -> str:
    line = ""
    for column in columns.values():
        line = _write(line, column, "│")
    return line


def _step(step: Step, columns: dict[str, int], width: int) -> list[str]:
    label = _label(step, width - _INDENT)
    start, end = columns[step.source], columns[step.target]
    low, high = min(start, end), max(start, end)
    line = _write(_lifelines(columns), *_arrow(start, end, step.status))
    if len(label) + 6 <= high - low and step.status is not Status.LOST:
        return [_write(line, (low + high - len(label)) // 2, f" {label} ")]
    if start == end:
        high += 1
    if high + 2 + len(label) <= width:
        return [_write(line, high + 2, label)]
    if _INDENT + len(label) + 2 <= low:
        return [_write(line, low - 1 - len(label), label)]
    above = min(low + 2, width - len(label)) - 1
    return [_write(_lifelines(columns), above, f" {label}"), line]


def _label(step: Step, room: int) -> str:
    """The message and what became of it; of a message that is too long, its beginning."""
    tag = _TAGS[step.status]
    cut = room - len(tag)
    return (step.message if len(step.message) <= cut else step.message[: cut - 3] + "...") + tag


def _arrow(start: int, end: int, status: Status) -> tuple[int, str]:
    """Return the start of the arrow, and its text, both ends included."""
    if start == end:
        return start, "├" + ("✗" if status is Status.LOST else "⟲")
    shaft = (_SHAFTS[status] * abs(end - start))[: abs(end - start) - 2]
    right, left = _HEADS[status]
    return (start, f"├{shaft}{right}│") if start < end else (end, f"│{left}{shaft[::-1]}┤")


def _write(line: str, column: int, text: str) -> str:
    line = line.ljust(column)
    return line[:column] + text + line[column + len(text) :]


def _list(sequence: Sequence, width: int) -> list[str]:
    lines, number = [], 0
    steps = [entry for entry in sequence if isinstance(entry, Step)]
    sources = max(len(step.source) for step in steps)
    targets = max(len(step.target) for step in steps)
    for entry in sequence:
        if isinstance(entry, Cut):
            lines.append(f"{'':{_INDENT}}  ⋮ {entry.more} more")
            number += entry.more
            continue
        number += 1
        line = f"{'':{_INDENT}}{number:>3}  {entry.source:>{sources}} -> {entry.target:{targets}}  "
        lines.append(line + _label(entry, width - len(line)))
    return lines
