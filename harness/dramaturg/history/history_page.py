"""A history as one HTML page, which needs no network."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from markupsafe import Markup

from dramaturg.history import document
from dramaturg.history.document import History, HistoryLine
from dramaturg.history.plot import day, effect, plot
from dramaturg.report import formatting, html

_TEMPLATES = Path(__file__).with_name("templates")


def text(of: History) -> str:
    """The page."""
    style = html.style() + (_TEMPLATES / "history.css").read_text(encoding="utf-8")
    return (
        html.pages(_TEMPLATES)
        .get_template("history.html.jinja")
        .render(
            history=of,
            style=Markup(style),
            lines=[_line(line, number) for number, line in enumerate(of.lines, start=1)],
        )
    )


def _line(of: HistoryLine, number: int) -> dict[str, Any]:
    points = [point for stretch in of.stretches for point in stretch.points]
    name = f"{document.name(of)}: {of.implementation}"
    return {
        "id": f"line-{number}",
        "name": document.name(of),
        "implementation": of.implementation,
        "machine": of.machine,
        "parameters": formatting.pairs(of.parameters),
        "points": len(points),
        "last": f"{points[-1].ratio:.3f}" if points else "",
        "stretches": of.stretches,
        "changes": list(_changes(of)),
        "cuts": list(_cuts(of)),
        "why": list(dict.fromkeys(stretch.why for stretch in of.stretches if stretch.why)),
        "gaps": [(day(gap.started), gap.session, gap.why) for gap in of.gaps],
        "plot": plot(of, name) if points else None,
    }


def _changes(of: HistoryLine) -> Iterator[dict[str, Any]]:
    for stretch in of.stretches:
        for change in stretch.changes:
            yield {
                "when": day(stretch.points[change.at].started),
                "said": change.said,
                "tone": "bad" if change.said == "slower" else "good",
                "effect": effect(change),
                "before": change.before,
                "after": change.after,
                "points": f"{change.points_before} and {change.points_after}",
            }


def _cuts(of: HistoryLine) -> Iterator[dict[str, Any]]:
    for number, stretch in enumerate(of.stretches[1:], start=1):
        when = day(stretch.points[0].started)
        for cut in stretch.cuts:
            yield {"number": number, "when": when, **cut.model_dump()}
