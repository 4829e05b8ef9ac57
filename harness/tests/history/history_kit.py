"""Sessions as nobody ran them: a baseline, and one whose time is a multiple of it."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from compared_kit import ENVIRONMENT, invoked
from report_records import write_samples

from dramaturg import results
from dramaturg.history import document, lines, points
from dramaturg.history.document import History, HistoryLine

PINNED, OURS = "erlang@v1", "erlang"
DAY = 86_400
FIRST = 1_700_000_000
PIN = {
    "label": PINNED, "word": PINNED, "build": f"{PINNED}-build", "commit": "a" * 40,
    "revision": "v1",
}  # fmt: skip
MACHINE = {"cpu": "Test CPU", "cores": 2, "pinned_to": [0, 1], "id": "one"}
HARNESS = {"version": "0.1.0", "digest": "e" * 64}


def commit(day: int) -> str:
    """The commit of a day."""
    return f"{day:012x}{'0' * 28}"


def session(
    folder: Path,
    ratio: float,
    day: int,
    *,
    names: tuple[str, str] = (PINNED, OURS),
    many: int = 5,
    spread: float = 0.004,
    complete: bool = True,
    environment: dict[str, Any] | None = None,
    build: str | None = None,
    records: Sequence[Any] = (),
    **header: Any,
) -> Path:
    """One day's results: so many pairs, whose ratios lie evenly about ``ratio``."""
    folder.mkdir(parents=True)
    made: list[Any] = [*records]
    for number in range(many):
        own = ratio * (1 + spread * (number - (many - 1) / 2))
        base = 1e8 * (1 + day / 50 + number / 100)
        made += invoked(names[0], number, base, build=f"{names[0]}-build")
        made += invoked(names[1], number, base * own, build=build or f"{names[1]}-{day}")
    said = {
        "started": FIRST + day * DAY,
        "pinned": [PIN],
        "machine": MACHINE,
        "harness": HARNESS,
        "commits": {OURS: {"commit": commit(day), "modified": False}},
    } | header
    write_samples(folder, *made, complete=complete, **said)
    (folder / results.ENVIRONMENT).write_text(json.dumps(ENVIRONMENT | (environment or {})))
    return folder


def sessions(root: Path, ratios: Sequence[float], start: int = 0, **values: Any) -> Path:
    """A folder of them, a day from each to the next."""
    for day, ratio in enumerate(ratios, start=start):
        session(root / f"day-{day:03}", ratio, day, **values)
    return root


def history(*words: Path, against: Sequence[str] = ()) -> History:
    """As the command makes it."""
    return document.made([points.opened(each, against) for each in lines.folders(words)])


def only(of: History) -> HistoryLine:
    """The line, of which there is one."""
    (line,) = of.lines
    return line
