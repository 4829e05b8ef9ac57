"""Recorded results, held against each other: nothing is run, so no fresh pair can confirm anything.

``FOLDER`` or ``FOLDER:NAME`` is an implementation in a results folder. Two of one folder ran
interleaved, so that their invocations are pairs. Those of two folders are not: the state of the
machine in one session affected one of them only, and no test can tell that from a difference.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dramaturg import files, results
from dramaturg.records import SampleRecord, TimedRecord, UnitRecord
from dramaturg.report import comparison as shown
from dramaturg.report import machine
from dramaturg.report.summary import Compared, ComparedSide
from dramaturg.results import Recorded, ResultsError
from dramaturg.timing.planning import pairing
from dramaturg.timing.planning.pairing import Judged
from dramaturg.timing.statistics import difference

SEPARATOR = ":"

METHOD = (
    f"Recorded results: each row is tested once, at {difference.DECIDE * 100:g} %, by ranks. No"
    " fresh pairs could confirm anything, so the exit code says nothing of what differs."
)
_TWO_SESSIONS = (
    "Two sessions: other work of the machine in one of them met one side only. A difference may be"
    " the sessions', not the builds'; `dramaturg compare` of the two builds tells."
)


@dataclass(frozen=True, slots=True)
class Session:
    """An implementation in a results folder."""

    folder: Path
    name: str
    recorded: Recorded
    environment: dict[str, Any]

    @property
    def build(self) -> str:
        return next((r.build for r in self.recorded.samples if r.implementation == self.name), "")

    def speaks(self, one: TimedRecord) -> Callable[[TimedRecord], bool]:
        """True if a record is of this one, on the benchmark of ``one``."""
        return lambda record: record.implementation == self.name and record.is_of(one)


def holds(word: str) -> bool:
    """True if a word is of recorded results."""
    return any((folder / results.TIMINGS).is_file() for folder, _ in _readings(word))


def opened(word: str) -> Session:
    """Raises ResultsError."""
    folder, name = next(
        (folder, name) for folder, name in _readings(word) if (folder / results.TIMINGS).is_file()
    )
    recorded = results.read(folder / results.TIMINGS)
    names = sorted({record.implementation for record in recorded.units})
    if name and name not in names:
        raise ResultsError(f"{folder} holds nothing of {name!r}; it holds: {', '.join(names)}")
    if not name and len(names) != 1:
        if not names:
            raise ResultsError(f"{folder} holds no invocation that ended")
        raise ResultsError(
            f"{folder} holds {', '.join(names)}; name one of them, such as"
            f" {folder}{SEPARATOR}{names[0]}"
        )
    return Session(folder, name or names[0], recorded, environment(folder))


def compared(a: Session, b: Session, margin: float) -> Compared:
    """Raises ResultsError for what may not be compared (MEAS-14)."""
    together = a.folder.resolve() == b.folder.resolve()
    if together and a.name == b.name:
        raise ResultsError(f"{a.folder}: A and B are the same records; name two implementations")
    if not together:
        _check(a, b)
    paired = together and not list(a.folder.glob("timings.interrupted-*"))
    rows = [shown.row(_judged(a, b, one, margin, paired=paired), margin) for one in _timed(a, b)]
    notes = [] if paired else [_TWO_SESSIONS]
    notes += [shown.ALIKE] if a.build and a.build == b.build else []
    return Compared(
        a=_side(a), b=_side(b), paired=paired, method=METHOD, margin=margin, rows=rows,
        notes=[*notes, *shown.beyond_the_chapters(a.name, b.name)],
    )  # fmt: skip


def _timed(a: Session, b: Session) -> list[UnitRecord]:
    """A record of each thing that was timed. A unit that failed before its network was up failed on
    the network of the one that had it."""
    units = [
        record
        for session in (a, b)
        for record in session.recorded.units
        if record.implementation == session.name
    ]
    built = {record.what: record for record in reversed(units) if not record.unbuilt}
    found = {
        one.what: one
        for record in units
        for one in [next(filter(record.is_of, built.values()), record)]
    }
    return list(found.values())


def _judged(a: Session, b: Session, what: UnitRecord, margin: float, *, paired: bool) -> Judged:
    both = [[r for r in _counted(each) if each.speaks(what)(r)] for each in (a, b)]
    under, over = map(pairing.medians, both)
    common = sorted(under.keys() & over.keys())
    logs = [over[number] - under[number] for number in common]
    units = [r for each in (a, b) for r in each.recorded.units if each.speaks(what)(r)]
    said = [f"{each.name}: {text}" for each in (a, b) for text in _against(each, what)]
    said += _repeated_otherwise(a, b, what)
    if said:
        found = difference.none(pairing.brief(said))
    elif paired:
        found = difference.decided(logs, difference.DECIDE, margin)
    else:
        found = difference.unpaired(list(over.values()), list(under.values()), margin)
    return Judged(
        called=what.model_dump(include={"benchmark", "scenario", "scale", "parameters", "cores"}),
        found=found,
        first=[math.exp(log) for log in logs] if paired else [],
        fresh=[],
        in_turns=pairing.took_turns(units),
        network=what.network,
        certified=pairing.is_certified(units),
        too_short=sum(map(pairing.too_short, both)),
        doubts=pairing.doubts(units),
    )


def _counted(of: Session) -> list[SampleRecord]:
    """The samples that count. In a comparison only its first pairs do: fresh pairs exist only
    because of what these say."""
    asked = pairing.read(of.recorded.header, of.folder / results.TIMINGS)
    return [r for r in of.recorded.samples if asked is None or r.invocation < asked.pairs]


def _against(each: Session, what: UnitRecord) -> list[str]:
    speaks = each.speaks(what)
    if not any(speaks(record) for record in each.recorded.units):
        return ["not run"]
    cut = [] if each.recorded.complete else ["its run was interrupted"]
    return [*cut, *pairing.against(each.recorded, speaks)]


def _repeated_otherwise(a: Session, b: Session, what: UnitRecord) -> list[str]:
    """Two sessions may have had other iterations. In one session each has what warms it up."""
    if a.folder.resolve() == b.folder.resolve():
        return []
    had = [
        next((pairing.repetitions(each.recorded.header, r) for r in of if each.speaks(what)(r)), "")
        for each, of in ((a, a.recorded.units), (b, b.recorded.units))
    ]
    if not all(had) or had[0] == had[1]:
        return []
    return [f"A had {had[0]}, and B {had[1]}: a warmer process is another measure"]


RENAMED = (
    "if it was one, in containers that each have a new name: give it one that stays, by"
    " DRAMATURG_MACHINE=NAME in their environment"
)
"""The advice about a machine that is taken for several (``machine.environment``)."""


def _check(a: Session, b: Session) -> None:
    began = a.recorded.header.get("started")
    if began is not None and began == b.recorded.header.get("started"):
        raise ResultsError(
            f"{a.folder} and {b.folder} are copies of one session: name two implementations of one"
            " of them, or two sessions"
        )
    ids = _id(a), _id(b)
    if all(ids) and ids[0] != ids[1]:
        raise ResultsError(
            f"{a.folder} and {b.folder} may not be compared (MEAS-14): they were measured on two"
            f" machines, {ids[0]} and {ids[1]}; compare the two builds themselves, on one machine"
            f" ({RENAMED})"
        )
    one, other = machine.circumstances(a.environment), machine.circumstances(b.environment)
    for session, told in ((a, one), (b, other)):
        if not told:
            raise ResultsError(
                f"{session.folder} says nothing of its machine, so it compares with nothing"
            )
        if not machine.known_source(session.environment):
            raise ResultsError(
                f"{session.folder}: its harness differed from its revision, or is not known, so it"
                " compares with no other session; compare the two builds themselves"
            )
    for what, said in one.items():
        if said != other[what]:
            raise ResultsError(
                f"{a.folder} and {b.folder} may not be compared (MEAS-14): {what} {said}, and"
                f" {other[what]}; compare the two builds themselves, on one machine"
            )


def _id(of: Session) -> str:
    """Return the machine, as plans name it: two of one make have the same circumstances."""
    said = of.recorded.header.get("machine")
    return str(said.get("id") or "") if isinstance(said, dict) else ""


def environment(folder: Path) -> dict[str, Any]:
    """The captured environment; empty where it cannot be read."""
    try:
        with files.opened(folder / results.ENVIRONMENT) as stream:
            captured = files.json_value(stream.read().decode("utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        if isinstance(error, FileNotFoundError):
            return {}
        said = files.brief(error)
        raise ResultsError(f"{folder / results.ENVIRONMENT}: {said}") from None
    return captured if isinstance(captured, dict) else {}


def _readings(word: str) -> list[tuple[Path, str]]:
    """The readings of a word: a folder's name may have the sign in it."""
    folder, _, name = word.rpartition(SEPARATOR)
    return [(Path(word), ""), *([(Path(folder), name)] if folder and name else [])]


def _side(of: Session) -> ComparedSide:
    label = f"{of.folder.name}{SEPARATOR}{of.name}"
    return ComparedSide(label=label, build=of.build, revision="", modified=False)
