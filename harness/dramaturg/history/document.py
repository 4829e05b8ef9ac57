"""A history as data: what ``--json`` prints and the page shows.

``history.schema.json`` beside this file is its JSON Schema, and a test holds the two together.
Whoever changes a field's meaning raises ``VERSION``.
"""

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from dramaturg import schema
from dramaturg.history import change_points as search
from dramaturg.history import lines, points
from dramaturg.history.lines import Line
from dramaturg.report import formatting, sessions

VERSION: Literal[1] = 1

SCHEMA_FILE = Path(__file__).with_name("history.schema.json")

METHOD = (
    "A point is the ratio of an implementation's time to that of the baseline which ran"
    " interleaved with it: the estimate by signed ranks of the logarithms, over pairs of"
    f" invocations, with an interval of {points.LEVEL * 100:g} % where there are pairs enough."
    " Change points are found by their ranks (Kruskal and Wallis), at a penalty that"
    f" {search.LEVEL * 100:g} % of rows without a change reach. Effects have intervals of"
    f" {search.SURE * 100:g} % by rank sums; the place was chosen for its difference, so they are"
    " somewhat too narrow."
)


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Build(_Part):
    """A build, as the document shows it."""

    label: str
    build: str
    """The build's digest."""
    commit: str
    """Empty where its session does not say."""
    modified: bool
    """True if its sources differed from what was committed."""

    @property
    def revision(self) -> str:
        """``1a2b3c4d5e6f``; of what was not committed, the build's digest."""
        said = self.commit[:12] or f"build {self.build[:12]}"
        return f"{said} (modified)" if self.modified else said


class HistoryPoint(_Part):
    """One session's ratio."""

    started: float
    """Seconds since 1970."""
    session: str
    of: Build
    against: Build
    ratio: float
    """The time as a multiple of the baseline's."""
    low: float | None
    high: float | None
    pairs: int
    certified: bool


class HistoryChange(_Part):
    """A change point."""

    at: int
    """The index of the first of its stretch's points after it."""
    before: str
    """The revision of the last point before it."""
    after: str
    """The revision of the first point after it."""
    said: Literal["slower", "faster"]
    ratio: float
    """The times after it as a multiple of those before."""
    low: float | None
    high: float | None
    points_before: int
    """The number of points in the stretch without a change before it."""
    points_after: int


class HistoryCut(_Part):
    """Something that was another from here on, so that nothing is compared over it."""

    what: str
    before: str
    after: str


class HistoryStretch(_Part):
    """Points that may be compared."""

    circumstances: dict[str, str]
    """Baseline, machine, cores, kernel, harness and repetitions: the same of all."""
    cuts: list[HistoryCut]
    """The reasons why it does not go on from the stretch before."""
    points: list[HistoryPoint]
    changes: list[HistoryChange]
    why: str
    """The reason why no change was looked for; empty if that was done."""


class HistoryGap(_Part):
    """The reason why a session has no point."""

    started: float
    session: str
    why: str


class HistoryLine(_Part):
    """One benchmark at one setting, one implementation, one machine."""

    implementation: str
    benchmark: str
    scenario: str
    scale: str
    parameters: dict[str, Any]
    network: dict[str, Any]
    cores: list[int]
    machine: str
    """The machine: the same word means the same one."""
    stretches: list[HistoryStretch]
    gaps: list[HistoryGap]


class History(_Part):
    """All of it."""

    version: Literal[1] = VERSION
    method: str
    fewest: int
    """Points below which no change is looked for."""
    sessions: list[str]
    """Results folders that were read, in order of time."""
    without: list[str]
    """The sessions that have no baseline."""
    notes: list[str]
    lines: list[HistoryLine]


def made(sessions: Sequence[points.Session]) -> History:
    """The history of these sessions. Raises ResultsError."""
    ordered = sorted(sessions, key=lambda session: session.started)
    found = [_line(line) for line in lines.lines(ordered)]
    return History(
        method=METHOD,
        fewest=search.fewest(),
        sessions=[str(each.folder) for each in ordered],
        without=[str(each.folder) for each in ordered if not each.pinned],
        notes=list(_notes(found)),
        lines=found,
    )


def name(of: HistoryLine) -> str:
    """``chatapp mixed, small scale, local``"""
    return f"{of.benchmark} {formatting.setting(of)}"


def _notes(found: Sequence[HistoryLine]) -> Sequence[str]:
    machines = dict.fromkeys(line.machine for line in found)
    cut: dict[str, int] = {}
    for line in found:
        for stretch in line.stretches:
            for each in stretch.cuts:
                cut[each.what] = cut.get(each.what, 0) + 1
    said = []
    if len(machines) > 1:
        said.append(
            f"Results of {len(machines)} machines: each has lines of its own, and nothing is"
            f" compared between them ({sessions.RENAMED})."
        )
    said += [
        f"{formatting.count(times, 'cut')} where the {what} changed: nothing is compared over it."
        for what, times in cut.items()
    ]
    return said


def _line(of: Line) -> HistoryLine:
    return HistoryLine(
        implementation=of.called.implementation,
        **of.called.fields,
        network=dict(of.called.network),
        machine=of.called.machine,
        stretches=[_stretch(each) for each in of.stretches],
        gaps=[HistoryGap(started=g.started, session=g.session, why=g.why) for g in of.gaps],
    )


def _stretch(of: lines.Stretch) -> HistoryStretch:
    shown = [_point(each) for each in of.points]
    return HistoryStretch(
        circumstances=dict(of.points[0].circumstances),
        cuts=[HistoryCut(what=c.what, before=c.before, after=c.after) for c in of.cuts],
        points=shown,
        changes=[_change(each, shown) for each in of.changes],
        why=of.why,
    )


def _change(of: search.Change, shown: Sequence[HistoryPoint]) -> HistoryChange:
    return HistoryChange(
        at=of.at,
        before=shown[of.at - 1].of.revision,
        after=shown[of.at].of.revision,
        said="slower" if of.ratio > 1 else "faster",
        ratio=of.ratio,
        low=of.low,
        high=of.high,
        points_before=of.before,
        points_after=of.after,
    )


def _point(of: points.Point) -> HistoryPoint:
    return HistoryPoint(
        started=of.started,
        session=of.session,
        of=_build(of.origin),
        against=_build(of.against),
        ratio=math.exp(of.log),
        low=None if of.low is None else math.exp(of.low),
        high=None if of.high is None else math.exp(of.high),
        pairs=of.pairs,
        certified=of.certified,
    )


def _build(of: points.Origin) -> Build:
    return Build(label=of.label, build=of.build, commit=of.commit, modified=of.modified)


def schema_text() -> str:
    """The JSON Schema of what ``--json`` prints, as the file beside this one holds it."""
    return schema.text(History)


if __name__ == "__main__":
    SCHEMA_FILE.write_text(schema_text(), encoding="utf-8")
