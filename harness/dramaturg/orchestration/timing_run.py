"""``dramaturg bench`` once everything is decided: baselines are checked out and prepared, warm-ups
applied, a pilot is run if the plan needs one, then the job."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from dramaturg import results
from dramaturg.hosts.asked_hosts import Asked
from dramaturg.implementation.manifest import Implementation
from dramaturg.machine.usermode import Kernel
from dramaturg.orchestration import measured_warmups, pilot_plan, pinned_builds
from dramaturg.orchestration.execution import recorded
from dramaturg.orchestration.job import Job
from dramaturg.outcomes import Outcome
from dramaturg.report.summary import Summary
from dramaturg.terminal import show
from dramaturg.timing.planning import resume
from dramaturg.timing.planning.timing_plan import Plan
from dramaturg.timing.validity import timed_receipts


@dataclass(frozen=True, kw_only=True)
class TimingRun:
    """A plan with all that was decided about carrying it out. Nothing has been started yet."""

    plan: Plan
    """The plan, before warm-ups and pilot."""
    implementations: Mapping[str, Implementation]
    pins: Sequence[pinned_builds.Pin]
    resumed: Path | None
    """The folder of the run that this one goes on with."""
    output: Path | None
    """The folder for the results; None for a new one."""
    pilot: Path | None
    """Results by which the plan was made already."""
    share: float | None
    """The precision that a pilot plans for."""
    by_measured: bool
    """Whether warm-ups are as ``dramaturg warmup`` has measured them here."""
    uncertified: bool
    kernel: Kernel | None
    """The kernel inside which it runs; None for that of here."""
    hosts: Asked | None
    """The hosts of its nodes; None for this one."""
    as_json: bool

    def perform(self) -> tuple[Path, Summary, Outcome]:
        """Carry it out; returns the folder with the results, what they say, and the outcome."""
        self._foresee()
        target = self.resumed or self.output or results.new_folder()
        with pinned_builds.checked_out(self.pins) as there, results.claimed(target):
            implementations = {**self.implementations, **there}
            pinned_builds.prepare(there, target, self.uncertified, self.as_json)
            more = pinned_builds.header(self.pins, self.plan, implementations)
            # By now whoever had the folder may have gone on with it.
            before = resume.find(self.resumed) if self.resumed is not None else None
            plan = self._settled(implementations, target)
            job = Job(plan, implementations, target, before, self.uncertified, more)
            summary, outcome = recorded(job, self.as_json, kernel=self.kernel, hosts=self.hosts)
        return target, summary, outcome

    def _foresee(self) -> None:
        """Compute what receipts must say, before anything is started."""
        with show.progress(self.as_json) as bar:
            scenarios = list(dict.fromkeys(unit.scenario for unit in self.plan.units))
            for scenario in bar.track(scenarios, description="computing receipts"):
                timed_receipts.foresee(scenario)

    def _settled(self, implementations: Mapping[str, Implementation], target: Path) -> Plan:
        """The plan with measured warm-ups, and by a pilot, which is run first."""
        plan = self.plan
        if self.by_measured:
            plan = measured_warmups.applied(plan, implementations)
        if self.share and not self.pilot:
            pilot = target / pilot_plan.FOLDER
            with results.claimed(pilot):
                short = pilot_plan.short(plan)
                recorded(Job(short, implementations, pilot, None, self.uncertified), self.as_json)
            plan = pilot_plan.planned(plan, pilot, self.share)
        return plan
