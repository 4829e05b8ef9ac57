"""The overview: benchmarks by implementations, each held against the fastest."""

from dataclasses import dataclass

from dramaturg.outcomes import Outcome
from dramaturg.report import cautions, drawings, formatting, shared_ranks
from dramaturg.report.summary import Audit, Summary, TimedImplementation, TimingGroup

EXPLAINED = (
    "Each figure says how many times as long as the fastest certified one it took, by medians of"
    " run times; in windowed forms, where that is given, of the run time for each message. Entries"
    " with overlapping intervals share a rank: the difference is noise. Entries that are"
    " uncertified, or not precise enough, have no rank."
)


@dataclass(frozen=True, slots=True)
class Cell:
    """One implementation on one benchmark."""

    timed: TimedImplementation
    ratio: float | None
    """The ratio of its median to that of the fastest certified one; None without either."""
    place: str
    """``1``, ``2–3``; empty where noise or a doubt leaves none."""
    time: str
    """Its median with its unit."""
    audited: str
    """The share of the messages of its audited parts that are decided."""
    cautions: list[str]
    """All that the report says of it, without its name."""

    @property
    def said(self) -> str:
        """The ratio as a page has it."""
        return "–" if self.ratio is None else f"{self.ratio:.2f}"


@dataclass(frozen=True, slots=True)
class Row:
    """One benchmark, in one setting."""

    name: str
    setting: str
    anchor: str
    """The place on the page that says more."""
    cells: list[Cell]

    def of(self, implementation: str) -> list[Cell]:
        """One for each of its builds; none where it was not timed."""
        return [cell for cell in self.cells if cell.timed.implementation == implementation]


@dataclass(frozen=True, slots=True)
class Overview:
    """All that was timed."""

    implementations: list[str]
    rows: list[Row]
    explained: str = EXPLAINED


def overview(summary: Summary) -> Overview:
    """A row for each group, a column for each implementation."""
    names = {row.implementation for group in summary.groups for row in group.implementations}
    rows = [_row(group, number) for number, group in enumerate(summary.groups, start=1)]
    return Overview(sorted(names), rows)


def anchor(number: int) -> str:
    """The anchor of a group by its number, from 1."""
    return f"group-{number}"


def _row(group: TimingGroup, number: int) -> Row:
    sound = [row.compared.value for row in group.implementations if row.certified and row.compared]
    fastest = min(sound, default=0.0)
    placed = _places(group)
    cells = [
        Cell(
            timed=row,
            ratio=row.compared.value / fastest if row.compared and fastest else None,
            place=shared_ranks.spelt(*placed.get(at, (0, 0))),
            time=_time(row),
            audited=_audited(row.audit),
            cautions=[f"{said} ({more})" if more else said for said, more in cautions.of_row(row)],
        )
        for at, row in enumerate(group.implementations)
    ]
    return Row(drawings.name_of(group), formatting.circumstances(group), anchor(number), cells)


def _time(row: TimedImplementation) -> str:
    if row.compared is None or row.run is None:
        return "no valid sample"
    each = " a message" if row.compared.value != row.run.value else ""
    return formatting.duration(row.compared.value) + each


def _audited(audit: Audit | None) -> str:
    if audit is None or audit.share is None:
        return "no audit"
    wrong = audit.outcomes.get(Outcome.FAIL, 0)
    return f"{formatting.count(wrong, 'audit')} FAILED" if wrong else f"audited {audit.share:.0%}"


def _places(group: TimingGroup) -> dict[int, tuple[int, int]]:
    """Return the places by the row's number; a place is one among several."""
    sound = [
        at for at, row in enumerate(group.implementations) if not any(shared_ranks.doubts(row))
    ]
    if len(sound) < 2:
        return {}
    intervals = [shared_ranks.bounds(group.implementations[at].compared) for at in sound]
    return dict(zip(sound, shared_ranks.ranks(intervals), strict=True))
