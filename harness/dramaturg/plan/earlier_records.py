"""The work that earlier records leave: the cases whose last record is no *pass*."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from dramaturg import results
from dramaturg.levels import LEVELS
from dramaturg.outcomes import Outcome
from dramaturg.plan.case_plan import Plan
from dramaturg.records import CaseRecord
from dramaturg.results import ResultsError
from dramaturg.standing import CONNECTED

MOST_FILES = 50
"""The number of record files, the latest, that are read: a case that was last run before them
counts as not run."""

PART = "only what had not passed before"

_RECORDS = "conformance*.jsonl"
"""The records, those of earlier runs in the same folder as well."""


@dataclass(frozen=True, slots=True)
class Earlier:
    """The state of a plan by earlier records."""

    plan: Plan
    """The work left: the cases that did not pass, or the whole plan."""
    said: str
    """The reason for that, in words."""


def unsettled(plan: Plan, folders: Iterable[Path]) -> Earlier:
    """The part of the plan that had not passed when it was last run, by the records in these
    folders. Nothing recorded, and nothing that failed, is the whole plan."""
    names = ", ".join(each.name for each in plan.implementations)
    last = _last(plan, folders)
    if not last:
        return Earlier(plan, f"nothing is recorded of {names}: all cases are run")
    paths = [item.path for item in plan.items]
    left = [path for path in paths if not passed(last.get(path))]
    if not left:
        return Earlier(plan, f"nothing of {names} failed or was not run: all cases are run")
    count = "1 case" if len(left) == 1 else f"{len(left)} cases"
    verb = "was" if len(left) == 1 else "were"
    return Earlier(plan.only(left, PART), f"{count} of {names} failed or {verb} not run")


def passed(record: CaseRecord | None) -> bool:
    """True if there is nothing to be mended: it passed, or is expected to fail, or is a recommended
    case that cannot be run here."""
    if record is None:
        return False
    cannot = record.excused and record.outcome is Outcome.NOT_RUN
    return record.outcome is Outcome.PASS or bool(record.known) or cannot


def path_of(record: CaseRecord) -> str:
    """The path of its item in a plan."""
    level = f"{record.level}-{LEVELS[record.level]}"
    return f"{record.implementation}/{level}/{record.benchmark}/{record.case}"


def _last(plan: Plan, folders: Iterable[Path]) -> dict[str, CaseRecord]:
    """The last record of each case of the plan. A record that cannot be read does not count, and
    neither does one of a process that somebody else had started."""
    wanted = {item.path for item in plan.items}
    found_there = (file for folder in folders for file in folder.glob(_RECORDS))
    files = {file.resolve() for file in found_there if file.is_file()}
    latest = sorted(files, key=lambda file: file.stat().st_mtime_ns, reverse=True)
    found: dict[str, CaseRecord] = {}
    for file in latest[:MOST_FILES]:
        try:
            recorded = results.read(file)
        except ResultsError:
            continue
        if recorded.header.get("void") == CONNECTED:
            continue
        for record in recorded.cases:
            if record.level in LEVELS and path_of(record) in wanted:
                found.setdefault(path_of(record), record)
        if len(found) == len(wanted):
            break
    return found
