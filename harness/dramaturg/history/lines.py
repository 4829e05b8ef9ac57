"""Makes lines of the points of many sessions: in order of time, and cut where they may not be
compared (MEAS-14)."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from dramaturg import meant, results
from dramaturg.history import points
from dramaturg.history.change_points import Change, changes, fewest
from dramaturg.history.points import Called, Gap, Point
from dramaturg.results import ResultsError

MOST_SESSIONS = 1_000
"""The most sessions of one history: one for each day of almost three years."""


@dataclass(frozen=True, slots=True)
class Cut:
    """The circumstance that differs from here on."""

    what: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Stretch:
    """Points that may be compared, one after the other."""

    points: Sequence[Point]
    cuts: Sequence[Cut]
    """The reasons why it does not go on from the stretch before; none of the first."""
    changes: Sequence[Change]
    why: str
    """The reason why no change was looked for; empty if that was done."""


@dataclass(frozen=True, slots=True)
class Line:
    """One benchmark at one setting, one implementation, one machine."""

    called: Called
    stretches: Sequence[Stretch]
    gaps: Sequence[Gap]
    """Sessions that were to have a point, in order of time."""

    @property
    def points(self) -> list[Point]:
        return [point for stretch in self.stretches for point in stretch.points]


def folders(words: Iterable[Path]) -> list[Path]:
    """The results folders that these words name: each is one, or has some in it. Each once,
    whatever leads to it. Raises ResultsError."""
    found: dict[Path, Path] = {}
    for word in words:
        for folder in _within(word):
            found.setdefault(folder.resolve(), folder)
    if len(found) > MOST_SESSIONS:
        raise ResultsError(
            f"{len(found)} results folders; a history has {MOST_SESSIONS} at most, so name fewer"
        )
    return list(found.values())


def lines(sessions: Iterable[points.Session]) -> list[Line]:
    """All lines of these sessions, by their names. Raises ResultsError for two sessions of one
    line that began at the same moment."""
    called: dict[str, Called] = {}
    found: dict[str, list[Point]] = defaultdict(list)
    gaps: dict[str, list[Gap]] = defaultdict(list)
    for session in sessions:
        for of, each in points.points(session):
            called.setdefault(of.key, of)
            if isinstance(each, Point):
                found[of.key].append(each)
            else:
                gaps[of.key].append(each)
    return [
        Line(
            called[key],
            list(_stretches(sorted(found[key], key=lambda point: point.started))),
            sorted(gaps[key], key=lambda gap: gap.started),
        )
        for key in sorted(called, key=lambda key: (_name(called[key]), key))
    ]


def _name(called: Called) -> tuple[str, ...]:
    fields = called.fields
    return (
        str(fields["benchmark"]), str(fields["scenario"]), str(fields["scale"]),
        called.implementation,
    )  # fmt: skip


def _within(word: Path) -> Iterator[Path]:
    if not word.is_dir():
        raise ResultsError(f"{word}: there is no such folder{meant.path_hint(word)}")
    if (word / results.TIMINGS).is_file():
        yield word
        return
    there = [file.parent for file in sorted(word.glob(f"*/{results.TIMINGS}")) if file.is_file()]
    if not there:
        raise ResultsError(
            f"{word} is no results folder, and has none in it ({results.TIMINGS}); name what"
            " `dramaturg bench --baseline` or `dramaturg compare` wrote"
        )
    yield from there


def _stretches(ordered: Sequence[Point]) -> Iterator[Stretch]:
    """Parted wherever circumstances are not those of the point before."""
    for one, other in pairwise(ordered):
        if one.started == other.started:
            raise ResultsError(
                f"{one.session} and {other.session} began at the same moment: one is a copy of the"
                " other, or a clock was set; name one of them"
            )
    parted: list[list[Point]] = []
    cuts: list[list[Cut]] = []
    for number, point in enumerate(ordered):
        found = _cuts(ordered[number - 1], point) if number else []
        if found or not number:
            parted.append([])
            cuts.append(found)
        parted[-1].append(point)
    for members, reasons in zip(parted, cuts, strict=True):
        few = len(members) < fewest()
        yield Stretch(
            points=members,
            cuts=reasons,
            changes=[] if few else changes([point.log for point in members]),
            why=f"too few points: {len(members)}; {fewest()} or more are needed" if few else "",
        )


def _cuts(before: Point, after: Point) -> list[Cut]:
    one, other = before.circumstances, after.circumstances
    return [Cut(what, one[what], other[what]) for what in one if one[what] != other[what]]
