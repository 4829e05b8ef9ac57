"""The times beside the claims of a row: the ledger, CPU time, the harness's own cost, steal and
pressure, over all its samples and for each invocation."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import partial
from statistics import median

from dramaturg.records import AuditRecord, LedgerRecord, SampleRecord
from dramaturg.report import formatting
from dramaturg.report.summary import Beside, InvocationFigures, LedgerFigures, WireFigures

DEAR = 0.01
"""Share of a run's time on all cores above which the harness's own CPU time is marked: differences
of a hundredth are what a comparison is asked for."""


def by_invocation(samples: Sequence[SampleRecord]) -> list[InvocationFigures]:
    """One for each process, by its number."""
    grouped: dict[int, list[SampleRecord]] = defaultdict(list)
    for sample in samples:
        grouped[sample.invocation].append(sample)
    return [
        InvocationFigures(
            invocation=invocation,
            samples=len(members),
            run=median(sample.run_nanos for sample in members),
            compared=median(sample.compared_nanos for sample in members),
            fastest=min(sample.compared_nanos for sample in members),
            slowest=max(sample.compared_nanos for sample in members),
            beside=beside(members),
        )
        for invocation, members in sorted(grouped.items())
    ]


def beside(samples: Sequence[SampleRecord]) -> Beside:
    """The figures of all these samples together: sums over sums, so that a long run counts for
    more."""
    pressure = {}
    for name in sorted({name for _, of in _ledgers(samples) for name in of.pressure_nanos}):
        share = _share(samples, partial(_pressure, name))
        if share is not None:
            pressure[name] = share
    return Beside(
        busy=_share(samples, lambda of, cores: (of.run_cpu_nanos, 1)),
        outside=_share(samples, lambda of, cores: (_outside(of), 1)),
        harness=_share(samples, lambda of, cores: (of.harness_nanos, cores or of.machine_cores)),
        steal=_share(samples, lambda of, cores: (of.steal_nanos, of.machine_cores)),
        pressure=pressure,
    )


def _outside(of: LedgerRecord) -> int | None:
    if of.outside_cpu_nanos is None or of.teardown_cpu_nanos is None:
        return None
    return of.outside_cpu_nanos + of.teardown_cpu_nanos


def _pressure(name: str, of: LedgerRecord, cores: int) -> tuple[int | None, int]:
    return of.pressure_nanos.get(name), 1


def ledger(samples: Sequence[SampleRecord]) -> LedgerFigures | None:
    """The ledger of the samples of one row."""
    found = _ledgers(samples)
    if not found:
        return None
    own = [of.harness_nanos for _, of in found if of.harness_nanos is not None]
    return LedgerFigures(
        seen=median(of.run_nanos for _, of in found),
        left_over=max(of.run_nanos - sample.run_nanos for sample, of in found),
        tolerance=median(of.tolerance_nanos for _, of in found),
        round_trip=median(of.round_trip_nanos for _, of in found),
        waited=median(of.waited_nanos[1] if len(of.waited_nanos) > 1 else 0 for _, of in found),
        forgiven=sum(of.forgiven_nanos > 0 for _, of in found),
        harness_nanos=median(own) if own else None,
        sources=sorted({of.source for _, of in found}),
    )


def wire(
    samples: Sequence[SampleRecord], audited: Sequence[AuditRecord] = ()
) -> WireFigures | None:
    """The bytes and packets that crossed the network in them, and by their audits how many of the
    messages did; None for one node."""
    found = [sample.wire for sample in samples if sample.wire is not None]
    if not found:
        return None
    stays = _stays(audited)
    between = None
    if stays is not None:
        between = (1 - stays) * median(sample.messages for sample in samples)
    if missing := [each.not_run for each in found if each.not_run]:
        return WireFigures(
            sent_bytes=None,
            sent_packets=None,
            not_run=missing[0],
            stays=stays,
            between=between,
        )
    return WireFigures(
        sent_bytes=median(sum(each.sent_bytes) for each in found),
        sent_packets=median(sum(each.sent_packets) for each in found),
        stays=stays,
        between=between,
    )


def _stays(audited: Sequence[AuditRecord]) -> float | None:
    """The share of messages that stay on a node, by all that audits have logged."""
    within = sum(each.within_nodes or 0 for each in audited)
    whole = within + sum(each.between_nodes or 0 for each in audited)
    return within / whole if whole else None


def spell_wire(of: WireFigures | None) -> str:
    """Its cell in a table."""
    if of is None:
        return "-"
    stays = "" if of.stays is None else f", {of.stays:.0%} stay".replace("%", " %")
    if of.sent_bytes is None or of.sent_packets is None:
        return f"not run{stays}"
    crossed = f"{formatting.significant(of.sent_bytes)} B"
    return f"{crossed} in {formatting.significant(of.sent_packets)}{stays}"


def _ledgers(samples: Sequence[SampleRecord]) -> list[tuple[SampleRecord, LedgerRecord]]:
    return [(sample, sample.ledger) for sample in samples if sample.ledger is not None]


def _share(
    samples: Sequence[SampleRecord],
    part: Callable[[LedgerRecord, int], tuple[int | None, int | None]],
) -> float | None:
    """A part of Run's time on so many cores; None unless every sample says how much."""
    if not samples:
        return None
    taken = whole = 0
    for sample in samples:
        if sample.ledger is None:
            return None
        nanos, cores = part(sample.ledger, len(sample.cores))
        if nanos is None or not cores:
            return None
        taken += nanos
        whole += sample.ledger.run_nanos * cores
    return taken / whole if whole > 0 else None
