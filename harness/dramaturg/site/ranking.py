"""Times side by side, only where they may be compared, and ranks that noise cannot make.

One table is of one benchmark, scenario, scale, parameters, network and cores (MEAS-14), of one
machine with one kernel, and of one harness. A machine has no name that could be trusted: it is
told by what it says of itself, and only within what one source handed over.
"""

import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from dramaturg.report import formatting, machine, shared_ranks
from dramaturg.report.summary import State, TimedImplementation, TimingGroup
from dramaturg.site.league import Implementation, League
from dramaturg.site.supplied_data import HERE, Run


@dataclass(frozen=True, slots=True)
class Row:
    """One implementation's time in a table."""

    timed: TimedImplementation
    run: Run
    implementation: Implementation | None
    """None if its build is not certified by what was handed over with it."""
    doubts: list[str]
    """The reasons why it is not ranked; empty if it is."""
    first: int = 0
    """The best place that it may have; 0 if it is not ranked."""
    last: int = 0
    """The worst place that it may have: entries with overlapping intervals share a rank."""

    @property
    def place(self) -> str:
        """``1``; ``2–4`` where noise does not tell; empty if it is not ranked."""
        return shared_ranks.spelt(self.first, self.last)


@dataclass(frozen=True, slots=True)
class Table:
    """The times that may stand side by side."""

    group: TimingGroup
    """Its name and setting; its rows are not those of ``rows``."""
    circumstances: dict[str, str]
    """Machine, kernel, harness and source, in words."""
    ranked: list[Row]
    """The fastest first."""
    others: list[Row]
    """The rows that are not ranked, each with its reasons."""
    apart: list[str] = field(default_factory=list)
    """The differences from other tables of the same."""

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


def circumstances(run: Run) -> dict[str, str]:
    """The circumstances of one run: where it ran and by which harness, in words. Empty where that
    was not recorded."""
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
    counted = [(row, shared_ranks.bounds(row.timed.compared)) for row in rows if not row.doubts]
    ranked_at = (
        shared_ranks.ranks([bounds for _, bounds in counted])
        if len(counted) > 1
        else [(0, 0)] * len(counted)
    )
    ranked = [
        Row(row.timed, row.run, row.implementation, [], *place)
        for (row, _), place in zip(counted, ranked_at, strict=True)
    ]
    ranked.sort(key=lambda row: (row.first, _value(row), row.timed.implementation))
    return Table(group, _told(run), ranked, others)


def _told(run: Run) -> dict[str, str]:
    told = circumstances(run) or {"machine": "not recorded"}
    return told | {"source": run.origin if run.origin != HERE else "named on the command line"}


def _set_apart(table: Table, everything: Sequence[Table]) -> Table:
    """Return the table with the reasons why others of the same name are not in it."""

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
    return float(said) if formatting.is_moment(said) else 0.0


def _row(timed: TimedImplementation, run: Run, league: League) -> Row:
    whose = league.certified_build(timed.implementation, timed.build, run.origin)
    return Row(timed, run, whose, list(_doubts(timed, run, whose)))


def _doubts(timed: TimedImplementation, run: Run, whose: Implementation | None) -> Iterator[str]:
    if whose is None:
        yield "no certificate of this build was handed over with it"
    if run.summary.timings.state is not State.COMPLETE:
        yield "its run was interrupted"
    yield from shared_ranks.doubts(timed)


def _value(row: Row) -> float:
    return row.timed.compared.value if row.timed.compared else 0.0
