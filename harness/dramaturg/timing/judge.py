"""From what an invocation did to samples and the record of its unit."""

import os
from typing import Any

from dramaturg.control import marks
from dramaturg.net.topology import Network
from dramaturg.outcomes import Outcome, worst
from dramaturg.results import SampleRecord, UnitRecord, Writer
from dramaturg.timing import receipts, statistics
from dramaturg.timing.invocation import Measured
from dramaturg.timing.observer import Observer
from dramaturg.timing.plan import Unit
from dramaturg.timing.plausibility import Cost, WorkCheck
from dramaturg.timing.suites import NetworkRequest


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
    ) -> None:
        self.network: dict[str, Any] = describe(unit.network)
        self._unit = unit
        self._number = number
        self._writer = writer
        self._observer = observer
        self._build = build
        self._certified = certified
        self._work = WorkCheck(unit.scenario, cost)
        self._cpu_seconds = 0.0
        self._samples: list[SampleRecord] = []

    def progress(self, iteration: int, done: int, total: int) -> None:
        self._observer.progress(self._unit, iteration, done, total)

    def measured(self, measured: Measured) -> None:
        unit, receipt, prepared = self._unit, measured.receipts[0], measured.prepared
        problems = receipts.problems(unit.scenario, measured.salt, measured.receipts)
        problems += receipts.ledger(prepared, measured.receipts, measured.elapsed)
        problems += marks.problems(unit.scenario.message(), measured.ran)
        problems += marks.untimely(receipt, measured.ran.marks)
        problems += [measured.log_problem] if measured.log_problem else []
        problems += self._work.problems(receipt, measured.cpu_seconds)
        kept = receipts.to_dict(receipt)
        if len(measured.receipts) > 1:
            kept["peers"] = [receipts.to_dict(other) for other in measured.receipts[1:]]
        sample = SampleRecord(
            implementation=unit.implementation,
            build=self._build,
            certified=self._certified,
            **unit.scenario.called(),
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
            cpu_seconds=max(0.0, measured.cpu_seconds - self._cpu_seconds),
            peak_memory=measured.peak_memory,
            grown_memory=measured.grown_memory,
        )
        self._cpu_seconds = measured.cpu_seconds
        self._samples.append(sample)
        self._writer.write(sample)

    def record(self, outcome: Outcome, message: str, seconds: float) -> UnitRecord:
        """How the invocation ended, with what only its end shows."""
        wrong = [sample for sample in self._samples if not sample.valid]
        problems = [f"iteration {s.iteration}: {'; '.join(s.problems)}" for s in wrong]
        times = [float(sample.run_nanos) for sample in self._samples]
        found = statistics.warmup(times, self._unit.warmup)
        return unit_record(
            self._unit,
            self._number,
            worst([outcome, Outcome.FAIL]) if wrong else outcome,
            "; ".join([*problems, *([message] if message else [])]),
            network=self.network,
            certified=self._certified,
            samples=len(self._samples),
            warmup=found.iterations,
            warmup_rule=found.rule,
            seconds=seconds,
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
        **unit.scenario.called(),
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
    )
