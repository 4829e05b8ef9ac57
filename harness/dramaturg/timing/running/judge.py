"""Makes samples, and the record of its unit, of an invocation."""

import math
import os
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from dramaturg import repeats
from dramaturg.control import marks
from dramaturg.machine.call_floor import Floor
from dramaturg.machine.floors import Cost
from dramaturg.outcomes import Outcome, worst
from dramaturg.records import (
    AuditRecord,
    Depth,
    LedgerRecord,
    LinksRecord,
    LookRecord,
    SampleRecord,
    UnitRecord,
    WireRecord,
)
from dramaturg.results import Writer
from dramaturg.timing.planning import population
from dramaturg.timing.planning.timing_plan import Unit
from dramaturg.timing.planning.unit_records import describe, unit_record
from dramaturg.timing.running.observer import Observer
from dramaturg.timing.statistics import estimates
from dramaturg.timing.validity import (
    actor_memory,
    audit,
    cpu_outside_runs,
    look_contrast,
    network_counts,
    resources,
    timed_receipts,
)
from dramaturg.timing.validity.audit_contrast import Contrast, Ran
from dramaturg.timing.validity.iteration import Measured
from dramaturg.timing.validity.last_window import Rests
from dramaturg.timing.validity.ledger import Ledger
from dramaturg.timing.validity.look_bounds_work import Computing
from dramaturg.timing.validity.looks import Looks
from dramaturg.timing.validity.network_counts import OnWire
from dramaturg.timing.validity.plausibility import (
    ALL_RUNS,
    DOUBTED,
    NO_FLOOR,
    THIS_RUN,
    WorkCheck,
    computes,
)
from dramaturg.timing.validity.queueing import LatencyCheck
from dramaturg.timing.validity.setup_costs import Beforehand
from dramaturg.v2 import control_pb2
from dramaturg.visible import typed


class Judge:
    """Listens to one invocation: every iteration becomes a sample, valid or not."""

    def __init__(
        self,
        unit: Unit,
        number: int,
        writer: Writer,
        observer: Observer,
        *,
        build: str,
        certified: bool,
        cost: Cost,
        floor: Floor = NO_FLOOR,
        again: Callable[[], Floor] | None = None,
        heap: int = 0,
        cores: int = 0,
    ) -> None:
        """``floor`` is the cost of computing in its language; ``again`` measures that once more.
        ``cores``: of all hosts together, where they are not this machine's."""
        self.network: dict[str, Any] = describe(unit.network)
        self.told: dict[str, Any] = {}
        """What records say of its cores, where it is confined to some."""
        self.links: LinksRecord | None = None
        """What was measured of the links, if any are shaped."""
        self._unit = unit
        self._number = number
        self._writer = writer
        self._observer = observer
        self._build = build
        self._certified = certified
        cores = cores or len(unit.cores)
        confined = replace(cost, cores=cores) if cores else cost
        self._cost = confined
        self._work = WorkCheck(unit.scenario, confined, floor)
        self._latencies = LatencyCheck(unit.scenario, self._work)
        self._late = marks.Late()
        self._measure_again = again
        self._contrast = Contrast(windowed=bool(unit.scenario.parameters.get("windows")))
        self._beforehand = Beforehand(unit.scenario.benchmark)
        self._probe_problem = ""
        self._of_actors: list[str] = []
        """Cautions about bytes per actor."""
        self._cores, self._heap = cores or os.cpu_count() or 1, heap
        sharing = math.ceil(unit.network.nodes / self._cores)
        self._ledger = Ledger(local=unit.network.local, sharing=sharing)
        self._rests = Rests(unit.scenario, lossy=bool(unit.network.loss), sharing=sharing)
        self._wire = OnWire(unit.scenario)
        self._margins: dict[str, float] = {}
        """For each bound on the last iteration, the share that it used."""
        self._cpu_seconds = 0.0
        self._looked: list[Looks] = []
        """At what is watched as timed iterations are."""
        self._held: list[int] = []
        self._threads: list[int] = []
        self._samples: list[SampleRecord] = []
        self._audits: list[AuditRecord] = []
        self._waiting: list[tuple[Measured, list[str]]] = []
        """Iterations whose logs wait, with what else is wrong with them."""

    def progress(self, iteration: int, done: int, total: int) -> None:
        self._observer.progress(self._unit, iteration, done, total)

    def probed(self, nanos: float) -> None:
        """A call of the Fibonacci function takes so many CPU nanoseconds as a probe; 0: unknown."""
        if nanos and self._measure_again and self._work.is_low(nanos):
            self._work.floor = self._measure_again()
        if nanos:
            self._probe_problem = self._work.probed(nanos)

    def measured(self, measured: Measured) -> None:
        unit, receipt, prepared = self._unit, measured.receipts[0], measured.prepared
        problems = timed_receipts.problems(unit.scenario, measured.salt, measured.receipts)
        problems += self._ledger.problems(
            prepared, measured.receipts, measured.elapsed, measured.tolerance
        )
        timed = measured.logs.depth is Depth.CROSSING
        problems += self._ledger.closing(
            measured.closing, measured.tolerance, receipt.run_nanos, timed=timed
        )
        problems += self._between(measured) if timed else []
        problems += marks.problems(unit.scenario.message(), measured.ran)
        problems += marks.untimely(receipt, measured.ran.marks)
        if not measured.logs.looks.crowd:
            problems += self._late.problems(
                receipt, measured.ran.marks, measured.tolerance.single / 1e9
            )
        problems += self._left(measured)
        crossed = self._wire.held(measured)
        self._note("network, in Run", crossed.run if crossed else None)
        self._note("network, at rest", crossed.rest if crossed else None)
        problems += crossed.problems if crossed else []
        problems += self._work.problems(
            receipt,
            None if measured.run_cpu is None else measured.run_cpu / 1e9,
            timed=self._is_timed(measured) and measured.iteration >= unit.warmup,
        )
        problems += [self._probe_problem] if self._probe_problem else []
        problems += self._latencies.problems(receipt)
        problems += self._beforehand.problems(measured.spent)
        self._weighed(measured)
        problems += self._spending(measured)
        problems += measured.strays
        problems += self._consumed(measured)
        ran = Ran(unit.scenario.messages(receipt), receipt.run_nanos, measured.run_cpu)
        if not timed:
            self._contrast.audited.append(ran)
        elif measured.iteration >= unit.warmup:
            self._contrast.timed.append(ran)
        consumed, self._cpu_seconds = self._cpu_seconds, measured.cpu_seconds
        self._waiting.append((measured, problems))
        if self._is_timed(measured):
            local = unit.network.local
            wire = None if local else network_counts.record(measured, crossed)
            self._sample(measured, problems, measured.cpu_seconds - consumed, wire)

    def _weighed(self, measured: Measured) -> None:
        """Says how far bytes per actor can be believed, where its first iteration is to tell."""
        if self._unit.scenario.benchmark == "chain" and measured.grown_memory is not None:
            self._of_actors = actor_memory.doubts(
                measured.grown_memory,
                measured.hidden_memory,
                self._unit.scenario.parameters["length"],
            )

    def _left(self, measured: Measured) -> list[str]:
        """Compares the time after the last window with the work that was left."""
        in_run = measured.elapsed.waited[1]
        problems = self._rests.problems(
            measured.receipts[0], measured.tolerance, in_run, measured.elapsed.run
        )
        self._note("windows, what is left", self._rests.share)
        return problems

    def _note(self, bound: str, share: float | None) -> None:
        if share is None:
            self._margins.pop(bound, None)
        else:
            self._margins[bound] = share

    def _spending(self, measured: Measured) -> list[str]:
        late = sum(used.late for used in measured.used)
        cpu_seconds = measured.cpu_seconds - self._cpu_seconds
        spent = resources.Spent(measured.seconds, cpu_seconds, late)
        # A run that is watched as a whole has logs to hold.
        if measured.logs.depth is Depth.CROSSING:
            self._held.append(measured.held_memory)
            self._threads.append(measured.threads)
        return (
            resources.too_busy(spent, self._cores)
            + resources.leak(self._held, self._heap)
            + resources.crowd(self._threads)
        )

    def _consumed(self, measured: Measured) -> list[str]:
        """Checks the consumption: a program that takes messages consumes at least what handing
        them over costs."""
        messages = self._unit.scenario.messages(measured.receipts[0])
        if measured.run_cpu is None or not messages:
            return []
        late = sum(used.late for used in measured.used)
        return resources.nothing(
            measured.run_cpu / 1e9,
            measured.cpu_seconds - self._cpu_seconds,
            messages * self._cost.handover / 1e9 - late,
            messages,
        )

    def _between(self, measured: Measured) -> list[str]:
        """Checks for computing outside of runs, in an iteration whose rows are few."""
        if measured.run_cpu is None:
            return []
        consumed = cpu_outside_runs.Consumed(
            run=measured.run_cpu / 1e9,
            outside=(measured.outside_cpu or 0) / 1e9,
            teardown=(measured.teardown_cpu or 0) / 1e9,
            wall=measured.run_wall / 1e9,
            late=sum(used.late for used in measured.used),
        )
        actors = sum(crowd.many for crowd in population.of(self._unit.scenario))
        found, used = cpu_outside_runs.problems(
            consumed,
            measured.closing.rows,
            actors,
            self._cores,
            nodes=len(measured.receipts),
            warmup=measured.iteration < self._unit.warmup,
        )
        self._ledger.margins.update(used)
        return found

    def audit(self) -> None:
        """Hold the logs of all iterations against the model, now that nothing is timed."""
        for measured, problems in self._waiting:
            kept, scenario = measured.logs, self._unit.scenario
            # An error of a receipt by itself is reported once.
            receipts_of = [] if problems else measured.receipts
            alive = sum(receipt.alive for receipt in measured.receipts)
            found = audit.judged(
                kept,
                scenario,
                self._unit.implementation,
                receipts_of,
                alive=alive,
                computing=Computing(self._work.compute, self._work.at_once),
            )
            said = [found.message] if found.message else []
            outcome = found.outcome
            wrong = [] if self._is_timed(measured) else list(problems)
            wrong += self._wire.problems() if measured is self._waiting[-1][0] else []
            if wrong:
                outcome, said = worst([outcome, Outcome.FAIL]), [*said, *wrong]
            looks = [
                LookRecord(asked_nanos=e.asked, answered_nanos=e.answered) for e in kept.looks.all
            ]
            if kept.depth is Depth.CROSSING:
                self._looked.append(kept.looks)
            self._audited(
                iteration=kept.iteration,
                depth=kept.depth,
                salt=kept.salt,
                watches=[_row(watch) for watch in kept.sent],
                outcome=outcome,
                message="; ".join(said),
                messages=scenario.messages(measured.receipts[0]),
                run_nanos=measured.receipts[0].run_nanos,
                run_cpu_nanos=measured.run_cpu,
                events=found.events,
                decided=found.decided,
                bounded=found.bounded,
                pairs=found.pairs,
                open=found.open,
                between_nodes=found.between_nodes,
                within_nodes=found.within_nodes,
                looks=looks,
                margins=found.margins,
                divergence=found.divergence,
                command=f"dramaturg replay {typed(found.run)}" if found.run else "",
                seconds=found.seconds,
            )
        self._waiting.clear()

    def _is_timed(self, measured: Measured) -> bool:
        return self._number < self._unit.invocations and measured.logs.depth is Depth.CROSSING

    def _audited(self, **found: Any) -> None:
        record = AuditRecord(
            implementation=self._unit.implementation,
            build=self._build,
            **self._unit.called(),
            network=self.network,
            invocation=self._number,
            **found,
        )
        self._audits.append(record)
        self._writer.write(record)

    @property
    def _is_audited(self) -> bool:
        """True if something of an audited iteration was decided, and nothing was wrong."""
        decided = sum(each.decided for each in self._audits if each.depth == Depth.PARTS)
        return decided > 0 and all(each.outcome is Outcome.PASS for each in self._audits)

    def _sample(
        self,
        measured: Measured,
        problems: list[str],
        cpu_seconds: float,
        wire: WireRecord | None,
    ) -> None:
        unit, receipt, prepared = self._unit, measured.receipts[0], measured.prepared
        kept = timed_receipts.to_dict(receipt)
        if len(measured.receipts) > 1:
            kept["peers"] = [timed_receipts.to_dict(other) for other in measured.receipts[1:]]
        sample = SampleRecord(
            implementation=unit.implementation,
            build=self._build,
            certified=self._certified,
            **unit.called(),
            network=self.network,
            invocation=self._number,
            iteration=measured.iteration,
            warmup=measured.iteration < unit.warmup,
            valid=not problems,
            problems=problems,
            salt=measured.salt,
            receipt=kept,
            setup_nanos=prepared.setup_nanos,
            runtime_nanos=prepared.runtime_nanos,
            run_nanos=receipt.run_nanos,
            teardown_nanos=receipt.teardown_nanos,
            turn_nanos=list(receipt.chatapp.turn_nanos),
            messages=unit.scenario.messages(receipt),
            cpu_seconds=cpu_seconds,
            peak_memory=measured.peak_memory,
            grown_memory=measured.grown_memory,
            ledger=_seen(
                measured,
                self._work,
                max(self._ledger.forgiven, self._rests.forgiven),
                self._ledger.behind,
                self._margins
                | self._ledger.margins
                | self._work.margins
                | self._beforehand.margins
                | self._latencies.margins,
            ),
            wire=wire,
            looks=len(measured.logs.looks.all),
        )
        self._samples.append(sample)
        self._writer.write(sample)

    def _mark(self, outcome: Outcome) -> str:
        """Return the reason why the figures of a certified build are not certified."""
        if any(each.outcome is Outcome.FAIL for each in self._audits):
            return AUDIT_FAILED
        return NOT_AUDITED if outcome is Outcome.PASS else NOT_PASSED

    def record(self, outcome: Outcome, message: str, seconds: float) -> UnitRecord:
        """Return the record of the invocation, with the findings that only its end shows."""
        wrong = [sample for sample in self._samples if not sample.valid]
        unsound = [each for each in self._audits if each.outcome is Outcome.FAIL]
        said = [(f"iteration {sample.iteration}", sample.problems) for sample in wrong]
        said += [(f"audit of iteration {each.iteration}", [each.message]) for each in unsound]
        together = [
            *look_contrast.dearer(self._samples).problems,
            look_contrast.ignored(self._looked),
        ]
        together += [] if wrong or unsound else self._contrast.problems()
        together = list(filter(None, together))
        problems = repeats.once(said) + together
        times = [sample.compared_nanos for sample in self._samples]
        found = estimates.warmup(times, self._unit.warmup)
        outcome = worst([outcome, Outcome.FAIL]) if wrong or unsound or together else outcome
        if outcome is Outcome.PASS and not self._is_audited:
            problems.append(_UNAUDITED)
        certified = self._certified and self._is_audited and outcome is Outcome.PASS
        return unit_record(
            self._unit,
            self._number,
            outcome,
            "; ".join([*problems, *([message] if message else [])]),
            network=self.network,
            certified=certified,
            mark=self._mark(outcome) if self._certified and not certified else "",
            samples=len(self._samples),
            audits=len(self._audits),
            warmup=found.iterations,
            warmup_rule="; ".join(filter(None, (found.rule, self._unit.warmup_note))),
            links=self.links,
            doubts=self._doubts(),
            margins=self._contrast.margins(),
            seconds=seconds,
            **self.told,
        )

    def _doubts(self) -> list[str]:
        """Cautions that are no fault, and are shown wherever its figures are."""
        found = self._contrast.doubts() + self._work.doubts() + self._latencies.doubts()
        found += self._of_actors
        shares = [s.ledger.probe_share for s in self._samples if s.ledger and s.valid]
        told = [share for share in shares if share is not None]
        if told and min(told) < DOUBTED:
            found.append(
                f"{min(told):.2f} of the CPU time that its computes take as a probe (MEAS-28)"
            )
        judged = [s.ledger.work_judged for s in self._samples if s.ledger]
        if judged and not told and judged[-1] not in ("", THIS_RUN, ALL_RUNS):
            found.append(f"computing {judged[-1]} (MEAS-45)")
        if computes(self._unit.scenario) and self._work.floor.nanos is None:
            found.append(f"the floor of its language: {self._work.floor.source} (MEAS-42)")
        return found


AUDIT_FAILED, NOT_AUDITED, NOT_PASSED = "audit failed", "not audited", "did not pass"
"""The marks for figures of a certified build that are not certified: it was not timed in spite of
LEVEL-16, so it is not *uncertified* (LEVEL-24)."""

_UNAUDITED = "nothing of what was audited was decided, so its figures are not certified (MEAS-27)"


def _seen(
    measured: Measured,
    work: WorkCheck,
    forgiven: int,
    went_on: int,
    margins: dict[str, float],
) -> LedgerRecord:
    elapsed, tolerance = measured.elapsed, measured.tolerance
    vouched = tolerance.vouches_for(measured.receipts[0].run_nanos, elapsed.run, went_on)
    return LedgerRecord(
        prepare_nanos=elapsed.prepare,
        run_nanos=elapsed.run,
        teardown_nanos=list(elapsed.teardown),
        round_trip_nanos=tolerance.mean,
        tolerance_nanos=tolerance.single,
        waited_nanos=list(elapsed.waited),
        forgiven_nanos=forgiven,
        too_short=forgiven > 0 or not vouched or measured.logs.looks.unanswered,
        cpu_seconds=[used.cpu_seconds for used in measured.used],
        peak_memory=[used.peak_memory for used in measured.used],
        held_memory=[used.held_memory for used in measured.used],
        source=measured.source,
        probe_nanos=work.probe or None,
        probe_share=work.share,
        run_cpu_nanos=measured.run_cpu,
        floor_nanos=work.floor.nanos,
        floor_source=work.floor.source,
        work_judged=work.judged,
        prepare_cpu_nanos=measured.spent.cpu[0] if measured.spent else None,
        teardown_cpu_nanos=measured.teardown_cpu,
        outside_cpu_nanos=measured.outside_cpu,
        call_memory=list(measured.spent.held) if measured.spent else [],
        closing_nanos=measured.closing.seen,
        closing_waited_nanos=measured.closing.waited,
        closing_rows=measured.closing.rows,
        harness_nanos=measured.own_cpu,
        machine_cores=os.cpu_count(),
        steal_nanos=measured.interference.steal,
        others_nanos=list(elapsed.others),
        pressure_nanos=measured.interference.pressure,
        margins=margins,
    )


def _row(watch: control_pb2.Watch) -> dict[str, int]:
    return {each.name: getattr(watch, each.name) for each in watch.DESCRIPTOR.fields}
