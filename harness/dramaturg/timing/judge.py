"""From what an invocation did to samples and the record of its unit."""

import math
import os
from dataclasses import replace
from typing import Any

from dramaturg.control import marks
from dramaturg.machine.floors import Cost
from dramaturg.net.topology import Network
from dramaturg.outcomes import Outcome, worst
from dramaturg.records import (
    AuditRecord,
    Depth,
    LedgerRecord,
    LinksRecord,
    SampleRecord,
    UnitRecord,
)
from dramaturg.results import Writer
from dramaturg.timing import audit, receipts, spending, statistics
from dramaturg.timing.invocation import Measured
from dramaturg.timing.ledger import Ledger
from dramaturg.timing.observer import Observer
from dramaturg.timing.plan import Unit
from dramaturg.timing.plausibility import WorkCheck
from dramaturg.timing.suites import NetworkRequest
from dramaturg.v2 import control_pb2


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
        heap: int = 0,
    ) -> None:
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
        confined = replace(cost, cores=len(unit.cores)) if unit.cores else cost
        self._work = WorkCheck(unit.scenario, confined)
        self._probe_problem = ""
        self._cores, self._heap = len(unit.cores) or os.cpu_count() or 1, heap
        sharing = math.ceil(unit.network.nodes / self._cores)
        self._ledger = Ledger(local=unit.network.local, sharing=sharing)
        self._cpu_seconds = 0.0
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
        if nanos:
            self._probe_problem = self._work.probed(nanos)

    def measured(self, measured: Measured) -> None:
        unit, receipt, prepared = self._unit, measured.receipts[0], measured.prepared
        problems = receipts.problems(unit.scenario, measured.salt, measured.receipts)
        problems += self._ledger.problems(
            prepared, measured.receipts, measured.elapsed, measured.tolerance
        )
        problems += marks.problems(unit.scenario.message(), measured.ran)
        problems += marks.untimely(receipt, measured.ran.marks)
        problems += marks.slow(receipt, measured.ran.marks, measured.tolerance.single / 1e9)
        problems += self._work.problems(receipt, measured.cpu_seconds)
        problems += [self._probe_problem] if self._probe_problem else []
        problems += self._spending(measured)
        consumed, self._cpu_seconds = self._cpu_seconds, measured.cpu_seconds
        self._waiting.append((measured, problems))
        if self._is_timed(measured):
            self._sample(measured, problems, measured.cpu_seconds - consumed)

    def _spending(self, measured: Measured) -> list[str]:
        late = sum(used.late for used in measured.used)
        cpu_seconds = measured.cpu_seconds - self._cpu_seconds
        spent = spending.Spent(measured.seconds, cpu_seconds, late)
        # What is watched as a whole has logs to hold.
        if measured.logs.depth is Depth.CROSSING:
            self._held.append(measured.held_memory)
            self._threads.append(measured.threads)
        return (
            spending.too_busy(spent, self._cores)
            + spending.leak(self._held, self._heap)
            + spending.crowd(self._threads)
        )

    def audit(self) -> None:
        """Hold the logs of all iterations against the model, now that nothing is timed."""
        for measured, problems in self._waiting:
            kept, scenario = measured.logs, self._unit.scenario
            # What is wrong with a receipt by itself is said once.
            receipts_of = [] if problems else measured.receipts
            found = audit.judged(kept, scenario, self._unit.implementation, receipts_of)
            said = [found.message] if found.message else []
            outcome = found.outcome
            if problems and not self._is_timed(measured):
                outcome, said = worst([outcome, Outcome.FAIL]), [*said, *problems]
            self._audited(
                iteration=kept.iteration,
                depth=kept.depth,
                salt=kept.salt,
                watches=[_row(watch) for watch in kept.sent],
                outcome=outcome,
                message="; ".join(said),
                messages=scenario.messages(measured.receipts[0]),
                run_nanos=measured.receipts[0].run_nanos,
                events=found.events,
                decided=found.decided,
                bounded=found.bounded,
                pairs=found.pairs,
                open=found.open,
                divergence=found.divergence,
                command=f"dramaturg replay {found.run}" if found.run else "",
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
        """Whether something of an audited iteration was decided, and nothing was wrong."""
        decided = sum(each.decided for each in self._audits if each.depth == Depth.PARTS)
        return decided > 0 and all(each.outcome is Outcome.PASS for each in self._audits)

    def _sample(self, measured: Measured, problems: list[str], cpu_seconds: float) -> None:
        unit, receipt, prepared = self._unit, measured.receipts[0], measured.prepared
        kept = receipts.to_dict(receipt)
        if len(measured.receipts) > 1:
            kept["peers"] = [receipts.to_dict(other) for other in measured.receipts[1:]]
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
            ledger=_seen(measured, self._work, self._ledger.forgiven),
        )
        self._samples.append(sample)
        self._writer.write(sample)

    def record(self, outcome: Outcome, message: str, seconds: float) -> UnitRecord:
        """How the invocation ended, with what only its end shows."""
        wrong = [sample for sample in self._samples if not sample.valid]
        unsound = [each for each in self._audits if each.outcome is Outcome.FAIL]
        problems = [f"iteration {s.iteration}: {'; '.join(s.problems)}" for s in wrong]
        problems += [f"audit of iteration {each.iteration}: {each.message}" for each in unsound]
        times = [sample.compared_nanos for sample in self._samples]
        found = statistics.warmup(times, self._unit.warmup)
        outcome = worst([outcome, Outcome.FAIL]) if wrong or unsound else outcome
        if outcome is Outcome.PASS and not self._is_audited:
            problems.append(_UNAUDITED)
        return unit_record(
            self._unit,
            self._number,
            outcome,
            "; ".join([*problems, *([message] if message else [])]),
            network=self.network,
            certified=self._certified and self._is_audited and outcome is Outcome.PASS,
            samples=len(self._samples),
            audits=len(self._audits),
            warmup=found.iterations,
            warmup_rule="; ".join(filter(None, (found.rule, self._unit.warmup_note))),
            links=self.links,
            seconds=seconds,
            **self.told,
        )


_UNAUDITED = "nothing of what was audited was decided, so its figures are not certified (MEAS-27)"


def _seen(measured: Measured, work: WorkCheck, forgiven: int) -> LedgerRecord:
    elapsed, tolerance = measured.elapsed, measured.tolerance
    vouched = tolerance.vouches_for(measured.receipts[0].run_nanos, elapsed.run)
    return LedgerRecord(
        prepare_nanos=elapsed.prepare,
        run_nanos=elapsed.run,
        teardown_nanos=list(elapsed.teardown),
        round_trip_nanos=tolerance.mean,
        tolerance_nanos=tolerance.single,
        waited_nanos=list(elapsed.waited),
        forgiven_nanos=forgiven,
        too_short=forgiven > 0 or not vouched,
        cpu_seconds=[used.cpu_seconds for used in measured.used],
        peak_memory=[used.peak_memory for used in measured.used],
        held_memory=[used.held_memory for used in measured.used],
        source=measured.source,
        probe_nanos=work.probe or None,
        probe_share=work.share,
        run_cpu_nanos=measured.run_cpu,
        harness_nanos=measured.own_cpu,
        machine_cores=os.cpu_count(),
        steal_nanos=measured.interference.steal,
        pressure_nanos=measured.interference.pressure,
    )


def describe(request: NetworkRequest, network: Network | None = None) -> dict[str, Any]:
    """A network as results keep it: what was built, or else what was asked for."""
    if request.local:
        return {"kind": "local"}
    if network is not None:
        return network.describe() | {"kernel": os.uname().release}
    return {"kind": "mininet"} | request.asked()


def unit_record(
    unit: Unit, number: int | None, outcome: Outcome, message: str, **rest: Any
) -> UnitRecord:
    """A record of this unit. Without ``number`` it was not invoked."""
    return UnitRecord(
        implementation=unit.implementation,
        **unit.called(),
        network=rest.pop("network", None) or describe(unit.network),
        invocation=number,
        outcome=outcome,
        message=message,
        **rest,
    )


def speaks_of(record: UnitRecord, unit: Unit) -> bool:
    """Whether a record is of this unit. Networks are compared as they were asked for: what
    was built may be the loopback."""
    asked = unit.network.asked()
    built = {
        key: record.network[key] for key in NetworkRequest.model_fields if key in record.network
    }
    called = unit.scenario.called()
    return (
        unit.implementation == record.implementation
        and called == {key: getattr(record, key) for key in called}
        and built == asked
        and tuple(record.cores) == unit.cores
    )


def _row(watch: control_pb2.Watch) -> dict[str, int]:
    return {each.name: getattr(watch, each.name) for each in watch.DESCRIPTOR.fields}
