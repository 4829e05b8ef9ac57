"""The work that ``dramaturg bench`` carries out once everything is decided: here, or inside
another kernel.

Nothing of it is decided anew inside: the same plan, the same implementations, the same folder.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict

from dramaturg.conformance.certification import is_certified
from dramaturg.implementation.manifest import Implementation
from dramaturg.machine import environment, floors, source
from dramaturg.machine.floors import Cost
from dramaturg.orchestration import pinned_builds
from dramaturg.outcomes import Outcome
from dramaturg.records import UnitRecord
from dramaturg.timing.planning import resume
from dramaturg.timing.planning.timing_plan import Plan, Unit
from dramaturg.timing.running.observer import Observer
from dramaturg.timing.running.runner import IsWanted, Runner
from dramaturg.timing.validity import timed_receipts
from dramaturg.v2 import control_pb2


@dataclass(frozen=True)
class Job:
    """A plan, and what it takes to carry it out."""

    made: Plan
    implementations: Mapping[str, Implementation]
    folder: Path
    before: resume.Interrupted | None = None
    """The run that this one goes on with."""
    uncertified: bool = False
    header: Mapping[str, Any] = field(default_factory=dict)
    """More of what the records begin with."""
    cost: Cost = field(default_factory=floors.calibrate)
    """Inside it is that of outside: the processor is the same, and no kernel makes it faster."""
    is_wanted: IsWanted = lambda unit, number: True

    def perform(self, observer: Callable[[Mapping[str, Any]], Observer]) -> Outcome:
        """Run the plan; records go to the folder. ``observer`` is made when they have begun, of
        what implementations said of themselves before."""
        header = resume.header(self.made, self.implementations, self.cost, self.uncertified)
        header |= self.header
        if self.before is not None:
            resume.check(self.before, header)
            # Sources written since are younger than the earlier measurements.
            header["source"] = self.before.header.get("source")
        with resume.begin(self.folder, header, self.before) as writer:
            runner = Runner(
                self.made,
                self.implementations,
                writer,
                self.folder,
                is_certified=is_certified,
                cost=self.cost,
                uncertified=self.uncertified,
                observer=observer(self.before.described if self.before else {}),
                is_wanted=self.is_wanted,
            )
            return runner.run(self.before.done if self.before else ())


class Sent(BaseModel):
    """A job, as it is sent to where only the files are the same."""

    model_config = ConfigDict(extra="forbid")

    made: Plan
    places: dict[str, str]
    folder: Path
    resumed: bool
    uncertified: bool
    header: dict[str, Any]
    cost: Cost
    watched: bool
    """True if somebody looks at how far it is."""

    @classmethod
    def of(cls, job: Job, watched: bool) -> "Sent":
        """Everything but ``is_wanted``, which no command needs that sends one."""
        return cls(
            made=job.made,
            places={name: each.designation for name, each in job.implementations.items()},
            folder=job.folder.resolve(),
            resumed=job.before is not None,
            uncertified=job.uncertified,
            header=dict(job.header),
            cost=job.cost,
            watched=watched,
        )

    def job(self) -> Job:
        """Raises ManifestError and ResultsError, if the files are not those of then."""
        for scenario in dict.fromkeys(unit.scenario for unit in self.made.units):
            timed_receipts.foresee(scenario)
        return Job(
            self.made,
            pinned_builds.found(self.made, [], self.places),
            self.folder,
            resume.find(self.folder) if self.resumed else None,
            self.uncertified,
            self.header,
            replace(self.cost, cores=len(environment.pinned_to() or (0,))),
        )


class Keeper(Observer):
    """Keeps what implementations say of themselves, beside what the machine is."""

    def __init__(self, folder: Path, described: Mapping[str, Any]) -> None:
        self._folder = folder
        self._said: set[tuple[str, str]] = set()
        self._environment = environment.capture() | {"source": source.found()}
        self._environment["implementations"] = dict(described)
        environment.write(folder, self._environment)

    def is_news(self, record: UnitRecord) -> bool:
        """True if there is something to say of it. A missing certificate is reported once, not for
        every benchmark."""
        said = record.implementation, record.message
        if (record.outcome is Outcome.PASS and not record.message) or said in self._said:
            return False
        self._said.add(said)
        return True

    def described(
        self,
        name: str,
        implementation: Implementation,
        build: str,
        answer: control_pb2.DescribeResponse,
    ) -> None:
        self._environment["implementations"][name] = _said(implementation, build, answer)
        environment.write(self._folder, self._environment)


def in_words(unit: Unit, iteration: int, done: int, total: int) -> str:
    """Return the progress of an invocation."""
    share = f", {done / total:.0%}" if total else ""
    return f"{unit}, iteration {iteration + 1}/{unit.iterations}{share}"


def _said(
    implementation: Implementation, build: str, answer: control_pb2.DescribeResponse
) -> dict[str, Any]:
    """The implementation's own description at run time, and how it was started."""
    manifest, settings = implementation.manifest, implementation.settings
    return {
        "build": build,
        "language": manifest.language,
        "runtime": answer.runtime,
        "runtime_version": answer.runtime_version,
        "schedulers": answer.schedulers,
        "details": dict(answer.details),
        "command": list(manifest.run.command) + settings.arguments,
        "environment": manifest.run.environment | settings.environment,
    }
