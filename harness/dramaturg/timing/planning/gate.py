"""Decides which part of a comparison is run at all, and which part of an interrupted one still
counts."""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from dramaturg import results
from dramaturg.records import IterationRecord, UnitRecord
from dramaturg.timing.planning import pairing
from dramaturg.timing.planning.pairing import Comparison, Row
from dramaturg.timing.planning.resume import Interrupted
from dramaturg.timing.planning.timing_plan import Unit


class Gate:
    """The invocations that are worth running: fresh pairs only of rows that the first ones flag,
    and nothing of a row that one of the two lacks (``lacking``: the units that cannot be run)."""

    def __init__(self, file: Path, asked: Comparison, lacking: Iterable[Unit]) -> None:
        self._file, self._asked = file, asked
        self._lacking = list(lacking)
        self._flagged: list[Row] | None = None

    def __call__(self, unit: Unit, number: int) -> bool:
        row = _row(unit)
        if any(_row(other) == row for other in self._lacking):
            return unit in self._lacking
        if number < self._asked.pairs or number >= self._asked.invocations:
            return True
        if self._flagged is None:
            # When the first fresh pair is due, the first ones of all rows are there.
            self._flagged = pairing.flagged(results.read(self._file), self._asked)
        return row in self._flagged


def whole(before: Interrupted, asked: Comparison) -> Interrupted:
    """The work that an interrupted comparison has left, without halves of pairs: a half that is
    run today and one that was run yesterday are no pair."""
    halves: set[tuple[str, str, int | None]] = set()
    for row in pairing.rows(before.header):
        own = [
            {record.invocation: record for record in before.done if row.speaks(label)(record)}
            for label in asked.labels
        ]
        for one, other in (own, own[::-1]):
            for number, record in one.items():
                if number is not None and number < asked.invocations and number not in other:
                    halves.add((record.implementation, record.what, number))

    def stays(record: UnitRecord | IterationRecord) -> bool:
        return (record.implementation, record.what, record.invocation) not in halves

    return replace(
        before,
        done=list(filter(stays, before.done)),
        samples=list(filter(stays, before.samples)),
        audits=list(filter(stays, before.audits)),
    )


def _row(unit: Unit) -> Row:
    return Row.model_validate(unit.model_dump(mode="json"))
