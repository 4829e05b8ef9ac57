"""Go on with a run that was interrupted: its plan, less the invocations that ended.

An invocation that was cut short is run again as a whole. Its measurements stay beside the results,
in the file that was interrupted.
"""

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from dramaturg import files, results
from dramaturg.implementation import build
from dramaturg.implementation.manifest import Implementation
from dramaturg.machine import environment, source
from dramaturg.machine.floors import Cost
from dramaturg.outcomes import Outcome
from dramaturg.processes import interrupts
from dramaturg.records import AuditRecord, IterationRecord, SampleRecord, UnitRecord
from dramaturg.results import ResultsError, Writer
from dramaturg.timing.planning.timing_plan import Plan


@dataclass(frozen=True)
class Interrupted:
    """The work that an interrupted run has left."""

    folder: Path
    plan: Plan
    header: dict[str, Any]
    done: list[UnitRecord]
    samples: list[SampleRecord]
    audits: list[AuditRecord]
    described: dict[str, Any]
    """The implementations' own descriptions, by name: not all of them are started again."""

    @property
    def places(self) -> dict[str, str]:
        """The folder of each implementation, by its name."""
        found = self.header.get("places")
        places = found.items() if isinstance(found, dict) else ()
        return {name: place for name, place in places if isinstance(place, str)}

    def copy_to(self, writer: Writer) -> None:
        """All that was complete, in its order: each unit follows its samples and audits."""
        own: dict[object, list[IterationRecord]] = {}
        for record in (*self.samples, *self.audits):
            own.setdefault(_invocation(record), []).append(record)
        for unit in self.done:
            for record in own.pop(_invocation(unit), []):
                writer.write(record)
            writer.write(unit)


def _invocation(of: IterationRecord | UnitRecord) -> object:
    return of.implementation, of.what, of.invocation


def header(
    plan: Plan, implementations: Mapping[str, Implementation], cost: Cost, uncertified: bool
) -> dict[str, Any]:
    """The header with which results begin: enough to know what is missing, and to go on."""
    return {
        "plan": plan.model_dump(mode="json"),
        "places": {name: each.designation for name, each in implementations.items()},
        "builds": {name: build.digest(each) for name, each in implementations.items()},
        "kernel": os.uname().release,
        "machine": environment.identity(),
        "harness": environment.harness(),
        "source": source.found(),
        "cost": cost.to_dict(),
        "uncertified": uncertified,
    }


def find(folder: Path) -> Interrupted:
    """The interrupted run in ``folder``. Raises ResultsError if there is none to go on with."""
    file = folder / results.TIMINGS
    recorded = results.read(file)
    if recorded.complete:
        raise ResultsError(f"{file}: this run is complete; there is nothing to resume")
    try:
        plan = Plan.model_validate(recorded.header["plan"])
    except (KeyError, ValidationError):
        raise ResultsError(f"{file}: its header has no plan that could be resumed") from None
    # A unit that was not run may have been certified, or come into reach, meanwhile.
    done = [unit for unit in recorded.units if unit.outcome is not Outcome.NOT_RUN]
    ended = {_invocation(unit) for unit in done}

    def has_ended(of: IterationRecord) -> bool:
        return _invocation(of) in ended

    samples, audits = filter(has_ended, recorded.samples), filter(has_ended, recorded.audits)
    described = _described(folder)
    return Interrupted(folder, plan, recorded.header, done, list(samples), list(audits), described)


def _described(folder: Path) -> dict[str, Any]:
    try:
        with files.come_upon(folder / results.ENVIRONMENT) as stream:
            captured = json.loads(stream.read())
        return dict(captured["implementations"])
    except (OSError, LookupError, TypeError, ValueError, RecursionError):
        return {}


def check(before: Interrupted, now: Mapping[str, Any]) -> None:
    """Refuse to mix what must not be compared: a plan has one kernel, one machine, one harness, and
    one build of each implementation. Raises ResultsError (MEAS-14)."""
    for what, verb in (("builds", "are"), ("kernel", "is"), ("machine", "is"), ("harness", "is")):
        then, here = before.header.get(what), now[what]
        if then != here:
            raise ResultsError(
                f"{before.folder} cannot be resumed, its {what} {verb} not"
                f" {'those' if verb == 'are' else 'that'} of now ({_difference(then, here)});"
                " go on where it was begun, or run the suite again from the start"
            )


def _difference(then: Any, here: Any) -> str:
    """Return the difference of the two, in words."""
    if not (isinstance(then, dict) and isinstance(here, dict)):
        return files.brief(f"then {then or 'not recorded'}, now {here}")
    names = [name for name in {**then, **here} if then.get(name) != here.get(name)]
    return files.brief(
        "; ".join(f"{name}: then {then.get(name)}, now {here.get(name)}" for name in names)
    )


def begin(folder: Path, header: Mapping[str, Any], before: Interrupted | None) -> Writer:
    """The records of a run, which begin with what is complete of the one ``before``.

    They get their name only when all of that is in them, and the file that they replace has it
    until then: whatever happens meanwhile, there is a run to resume, and the implementations'
    descriptions. Earlier files are set aside, and nothing is deleted.
    """
    written = (results.TIMINGS, results.ENVIRONMENT)
    if before is None:
        results.set_aside(folder, written, "earlier")
        return Writer(folder / results.TIMINGS, **header)
    begun = folder / f"{results.TIMINGS}.begun"
    begun.unlink(missing_ok=True)
    writer = Writer(begun, **header)
    try:
        before.copy_to(writer)
    except BaseException:
        begun.unlink()
        raise
    with interrupts.held():
        results.set_aside(folder, written, "interrupted", stays=True)
        writer.move(folder / results.TIMINGS)
    return writer
