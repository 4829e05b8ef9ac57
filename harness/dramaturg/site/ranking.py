"""Times side by side, only where they may be compared, and ranks that noise cannot make.

One table is of one benchmark, scenario, scale, parameters, network and cores (MEAS-14), of one
machine with one kernel, and of one harness. A machine has no name that could be trusted: it is
told by what it says of itself, and only within what one source handed over.
"""

import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from dramaturg.report import audits, machine, units
from dramaturg.report.summary import Interval, State, TimedImplementation, TimingGroup
from dramaturg.site.found import HERE, Run
from dramaturg.site.league import Implementation, League
from dramaturg.timing.plausibility import DOUBTED


@dataclass(frozen=True, slots=True)
class Row:
    """One implementation's time in a table."""

    timed: TimedImplementation
    run: Run
    implementation: Implementation | None
    """None if its build is not certified by what was handed over with it."""
    doubts: list[str]
    """Why it is not ranked; empty if it is."""
    first: int = 0
    """The best place that it may have; 0 if it is not ranked."""
    last: int = 0
    """And the worst: whose intervals overlap, share their places."""

    @property
    def place(self) -> str:
        """``1``; ``2–4`` where noise does not tell; empty if it is not ranked."""
        if not self.first:
            return ""
        return str(self.first) if self.first == self.last else f"{self.first}–{self.last}"


@dataclass(frozen=True, slots=True)
class Table:
    """What may stand side by side."""

    group: TimingGroup
    """Its name and setting; its rows are not those of ``rows``."""
    circumstances: dict[str, str]
    """Machine, kernel, harness and source, in words."""
    ranked: list[Row]
    """The fastest first."""
    others: list[Row]
    """Those that are not ranked, each with its reasons."""
    apart: list[str] = field(default_factory=list)
    """Why other tables of the same are others."""

    @property
    def runs(self) -> list[Run]:
        rows = [*self.ranked, *self.others]
        return list({id(row.run): row.run for row in rows}.values())


def tables(league: League, benchmark: str) -> list[Table]:
    """All tables of a benchmark."""
    parted: dict[str, list[tuple[Run, TimingGroup]]] = defaultdict(list)
    for run in league.found.runs:
        for group in run.summary.groups:
            if group.benchmark == benchmark:
                parted[_key(run, group)].append((run, group))
    made = [_table(members, league) for _, members in sorted(parted.items())]
    return [_set_apart(table, made) for table in made]


def ranks(intervals: Sequence[tuple[float, float]]) -> list[tuple[int, int]]:
    """The best and the worst place of each: intervals that overlap share their places, and so
    does whatever overlaps with one of these. In the order in which they are given."""
    order = sorted(range(len(intervals)), key=lambda place: intervals[place])
    bunches: list[list[int]] = []
    reach = float("-inf")
    for place in order:
        low, high = intervals[place]
        if not bunches or low > reach:
            bunches.append([])
        bunches[-1].append(place)
        reach = max(reach, high)
    found = [(0, 0)] * len(intervals)
    before = 0
    for bunch in bunches:
        for place in bunch:
            found[place] = (before + 1, before + len(bunch))
        before += len(bunch)
    return found


def circumstances(run: Run) -> dict[str, str]:
    """Of one run: where it ran and by what, in words. Empty where that was not recorded."""
    return machine.circumstances(run.summary.environment or {})


def _key(run: Run, group: TimingGroup) -> str:
    called = group.benchmark, *_setting(group)
    known = machine.known_source(run.summary.environment or {})
    told = circumstances(run)
    # A harness that differed from its revision, or is unknown, is like none but itself.
    alone = run.digest if not told or not known else ""
    return json.dumps([*called, run.origin, told, alone], sort_keys=True)


def _setting(of: TimingGroup) -> tuple[object, ...]:
    return of.scenario, of.scale, of.parameters, of.network, of.cores


def _table(members: list[tuple[Run, TimingGroup]], league: League) -> Table:
    run, group = members[0]
    newest: dict[tuple[str, str], Row] = {}
    for run, of in sorted(members, key=lambda member: _began(member[0])):
        for timed in of.implementations:
            newest[timed.implementation, timed.build] = _row(timed, run, league)
    rows = list(newest.values())
    others = [row for row in rows if row.doubts]
    counted = [(row, _bounds(row.timed.run)) for row in rows if not row.doubts]
    places = (
        ranks([bounds for _, bounds in counted]) if len(counted) > 1 else [(0, 0)] * len(counted)
    )
    ranked = [
        Row(row.timed, row.run, row.implementation, [], *place)
        for (row, _), place in zip(counted, places, strict=True)
    ]
    ranked.sort(key=lambda row: (row.first, _value(row), row.timed.implementation))
    return Table(group, _told(run), ranked, others)


def _told(run: Run) -> dict[str, str]:
    told = circumstances(run) or {"machine": "not recorded"}
    return told | {
        "source": run.origin if run.origin != HERE else "what was named on the command line"
    }


def _set_apart(table: Table, everything: Sequence[Table]) -> Table:
    """With the reasons why others that are called the same are not in it."""

    reasons = []
    for other in everything:
        if other is table or _setting(other.group) != _setting(table.group):
            continue
        differ = [
            f"{name} {other.circumstances.get(name) or 'unknown'}"
            for name in ("source", "machine", "kernel", "harness")
            if other.circumstances.get(name) != table.circumstances.get(name)
        ]
        names = ", ".join(row.timed.implementation for row in [*other.ranked, *other.others])
        why = "; ".join(differ) or "its harness differed from its revision, or is not known"
        reasons.append(f"{names}: {why}")
    return Table(table.group, table.circumstances, table.ranked, table.others, reasons)


def _began(run: Run) -> float:
    said = run.summary.timings.header.get("started")
    return float(said) if units.is_moment(said) else 0.0


def _row(timed: TimedImplementation, run: Run, league: League) -> Row:
    whose = league.certified_build(timed.implementation, timed.build, run.origin)
    return Row(timed, run, whose, list(_doubts(timed, run, whose)))


def _doubts(timed: TimedImplementation, run: Run, whose: Implementation | None) -> Iterator[str]:
    least, most = audits.ALIKE
    if not timed.certified:
        yield units.UNCERTIFIED
    if whose is None:
        yield "no certificate of this build was handed over with it"
    if run.summary.timings.state is not State.COMPLETE:
        yield "its run was interrupted"
    if timed.run is None:
        yield "it has no valid sample"
    elif timed.run.low is None or timed.run.high is None:
        yield timed.run.note or "it has no interval"
    if timed.invalid:
        yield f"{units.count(len(timed.invalid), 'iteration')} not believed"
    if timed.too_short:
        yield f"{units.count(timed.too_short, 'iteration')} too short to vouch for (MEAS-23)"
    if timed.probe_share is not None and timed.probe_share < DOUBTED:
        yield "less CPU time than its computes take as a probe (MEAS-28)"
    if timed.audit and timed.audit.slowdown and timed.audit.slowdown > audits.SLOWEST:
        yield "many times as fast as the iterations that were audited (MEAS-25)"
    if timed.audit and timed.audit.volume and not least <= timed.audit.volume <= most:
        yield "other numbers of messages than in the iterations that were audited (MEAS-33)"


def _bounds(run: Interval | None) -> tuple[float, float]:
    assert run is not None
    assert run.low is not None
    assert run.high is not None
    return run.low, run.high


def _value(row: Row) -> float:
    return row.timed.run.value if row.timed.run else 0.0
