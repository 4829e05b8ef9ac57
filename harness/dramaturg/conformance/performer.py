"""Perform the items of a plan, one after the other, and record how each ended."""

from dataclasses import replace
from fnmatch import fnmatchcase
from pathlib import Path

from dramaturg import paths
from dramaturg.cases.reasons import reasons
from dramaturg.conformance.case_run import perform
from dramaturg.conformance.cluster import Cluster
from dramaturg.conformance.pool import Pool
from dramaturg.conformance.result import Result, result_of
from dramaturg.conformance.shorten import SHORTENING
from dramaturg.errors import ControlError
from dramaturg.implementation.manifest import Implementation
from dramaturg.net import links
from dramaturg.net.links import LinkOff
from dramaturg.net.topology import CLEAN, Link
from dramaturg.net.unavailable import NetworkUnavailable
from dramaturg.outcomes import Outcome
from dramaturg.plan.case_plan import Item
from dramaturg.processes.consumption import broken
from dramaturg.records import CaseRecord
from dramaturg.trace.explanation.render import last_words, render
from dramaturg.visible import typed

Performed = tuple[CaseRecord, str]
"""The record, and the explanation for people if it is no pass."""


LOSSY = 100
"""Cases over links that lose packets which, all together, are to be right with the confidence of
``links``: four by as many implementations as somebody may certify at once."""


class Performer:
    """Performs items on what its pool has running."""

    def __init__(self, pool: Pool, traces: Path, shortening: float = SHORTENING) -> None:
        self._pool = pool
        self._traces = traces
        self._shortening = shortening

    def perform(self, item: Item) -> Performed:
        """One item, from beginning to end."""
        implementation, case = item.implementation, item.case
        command = f"{paths.COMMAND} certify {typed(_short(implementation))} -- -k {case.name}"
        try:
            cluster = self._cluster(item)
        except (ControlError, OSError) as error:
            result = result_of(error)
            return _record(item, result, command), _told(result, command)
        clusters = [cluster]

        def renew() -> Cluster:
            clusters.append(self._renewed(item))
            return clusters[-1]

        result = perform(
            case,
            implementation,
            cluster,
            keep=self._traces,
            renew=renew,
            shortening=self._shortening,
        )
        cluster = clusters[-1]
        if result.outcome is Outcome.PASS and (strays := cluster.strays()):
            breaks = (broken(strays[0]),)
            result = replace(result, outcome=Outcome.FAIL, message=strays[0], breaks=breaks)
        if result.outcome is Outcome.PASS and (off := _off(cluster)):
            result = replace(result, outcome=Outcome.NOT_RUN, message=off)
        if result.outcome is not Outcome.PASS or any(each.spent for each in clusters):
            self._pool.drop(implementation)
        cluster.forget()
        result = _with_known_failures(item, result)
        if result.run is not None:
            command = f"{paths.COMMAND} replay {typed(_from_here(result.run))}"
        record = _record(item, result, command if result.outcome is not Outcome.PASS else "")
        return record, _told(result, command)

    def _renewed(self, item: Item) -> Cluster:
        self._pool.drop(item.implementation)
        return self._cluster(item)

    def _cluster(self, item: Item) -> Cluster:
        delay, loss = item.case.shape
        link = Link(delay=delay, loss=loss) if delay or loss else CLEAN
        try:
            return self._pool.cluster(item.implementation, item.case.nodes, item.case.cores, link)
        except LinkOff as error:
            # Measured before anything was performed over it: nothing is lost but this case.
            raise NetworkUnavailable(str(error)) from None


def _off(cluster: Cluster) -> str:
    """The reason why its links were not those of the case, by what they have lost; empty if they
    were (LEVEL-42)."""
    if cluster.network is None:
        return ""
    asked = cluster.network.link.loss or 0
    try:
        if (lost := cluster.network.lost()) is not None:
            links.check_lost(asked, lost, links.expected(asked, lost.packets, LOSSY))
    except LinkOff as error:
        return str(error)
    return ""


def _told(result: Result, command: str) -> str:
    """All that there is to say of it, the headline first."""
    if result.divergence is not None:
        return render(result.divergence, command)
    return "\n".join([result.message, *last_words(result.stderr)])


def _short(implementation: Implementation) -> str:
    folder, plus, variant = implementation.designation.partition("+")
    return _from_here(Path(folder)) + plus + variant if "/" in folder else folder + plus + variant


def _from_here(file: Path) -> str:
    return str(file.relative_to(Path.cwd())) if file.is_relative_to(Path.cwd()) else str(file)


def _with_known_failures(item: Item, result: Result) -> Result:
    """Mark a known failure, whose outcome stays (LEVEL-12); one that passes is stale: *fail*."""
    for pattern, reason in item.implementation.manifest.known_failures.items():
        if fnmatchcase(item.case.path, pattern):
            if result.outcome is Outcome.PASS:
                stale = f"known failure {pattern!r} passes now; remove it from the manifest"
                return replace(result, outcome=Outcome.FAIL, message=stale, stale=True)
            if result.outcome in (Outcome.FAIL, Outcome.CRASH, Outcome.TIMEOUT):
                result.known = reason
    return result


def _record(item: Item, result: Result, command: str = "") -> CaseRecord:
    """The line that goes into the results."""
    case = item.case
    why = reasons(case, result.outcome, result.breaks, result.divergence)
    return CaseRecord(
        implementation=item.implementation.name,
        level=case.level,
        benchmark=case.benchmark,
        case=case.name,
        outcome=result.outcome,
        message=result.message,
        divergence=result.divergence.to_dict() if result.divergence else None,
        why=[requirement.to_dict() for requirement in why],
        stderr=result.stderr,
        command=command,
        known=result.known,
        recommended=case.recommended and not result.stale,
        events=result.events,
        seconds=round(result.seconds, 3),
        requirements=list(case.message.requirements),
    )
