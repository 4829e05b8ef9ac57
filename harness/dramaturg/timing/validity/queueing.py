"""Latencies of openweb against the work that is in them (spec/openweb.md, OPEN-10, OPEN-11).

Each latency contains one Fibonacci number. While servers compute, whoever else has come waits. So
a queue that is as fast as any can be, with the arrivals of the run, bounds what a histogram says.
That needs no log, and no clock but the one that is in question.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dramaturg.model import combs, openweb
from dramaturg.model.buckets import least_of
from dramaturg.model.fibonacci import calls
from dramaturg.timing.planning.scenarios import Scenario
from dramaturg.timing.validity.bound_findings import Shown
from dramaturg.timing.validity.plausibility import NATIVE, REFUSED, WorkCheck
from dramaturg.v2 import benchmarks_pb2

Times = NDArray[np.float64]
"""Nanoseconds, the shortest first."""


@dataclass(frozen=True, slots=True)
class Queue:
    """The least times of requests that come when they are due, if each takes as long as all others
    and nothing else takes any time."""

    in_turn: Times
    """The times if each server does one request after the other, however many cores there are: no
    request takes less than the one in its place here."""
    shared: Times | None
    """If there are fewer cores than servers: the times of one server that is as fast as all
    together. The longest, of any number, are together no shorter than as many here: a request that
    is served out of turn lets another one wait."""


def queue(due: Sequence[int], service: float, servers: int, cores: int) -> Queue:
    """The queue of requests that are due at these nanoseconds."""
    arrivals = np.array(due, np.float64)
    shared = None
    if cores < servers:
        shared = np.sort(np.maximum(_sojourns(arrivals, service / cores, 1), service))
    return Queue(np.sort(_sojourns(arrivals, service, servers)), shared)


def _sojourns(due: Times, service: float, servers: int) -> Times:
    """All take the same time, so they end in the order in which they begin: a request waits for
    the one that is as many places before it as there are servers."""
    ends = np.empty_like(due)
    for first in range(min(servers, len(due))):
        of_one = due[first::servers]
        before = np.arange(len(of_one)) * service
        ends[first::servers] = np.maximum.accumulate(of_one - before) + before + service
    return ends - due


def longest_of(counts: Sequence[int]) -> Times:
    """Above which no time that a histogram counts is, for each of them, the shortest first."""
    used = [bucket for bucket, count in enumerate(counts) if count]
    ends = np.array([least_of(bucket + 1) for bucket in used], np.float64)
    return np.repeat(ends, [counts[bucket] for bucket in used])


class LatencyCheck:
    """Histograms of one invocation against what its work takes on this machine."""

    def __init__(self, scenario: Scenario, work: WorkCheck) -> None:
        """``work`` knows what a call takes, as soon as that was measured."""
        self._is_ours = scenario.benchmark == "openweb"
        self._scenario, self._work = scenario, work
        self._queues: dict[float, Queue] = {}
        self._combs = combs.Comb("latency"), combs.Comb("lateness")
        self._doubt = (1.0, "")
        self.margins: dict[str, float] = {}
        """For each bound on the last iteration, the share of it that was used."""

    def problems(self, receipt: benchmarks_pb2.Receipt) -> list[str]:
        """Return what is wrong with the histograms of a receipt, if it is one of openweb whose
        counts are as many as its requests."""
        self.margins = {}
        said, v = receipt.done, self._scenario.parameters
        if not self._is_ours or not (
            sum(said.latency) == sum(said.lateness) == v["requests"]
            and len(said.latency) < combs.MOST > len(said.lateness)
        ):
            return []
        found = Shown()
        claimed = longest_of(said.latency)
        least, why = self._least()
        self._contains(claimed, least, why, found)
        if not found.problems:
            self._queued(claimed, least, why, found)
        for comb, counts in zip(self._combs, (said.latency, said.lateness), strict=True):
            found.hold(f"{comb.name}, buckets", *comb.add(counts))
        found.hold("lateness, in one bucket", *combs.alike(said.lateness))
        self.margins = found.margins
        return found.problems

    def doubts(self) -> list[str]:
        """The cautions by the whole probe about all iterations so far: no fault, but shown."""
        return [self._doubt[1]] if self._doubt[1] else []

    def _least(self) -> tuple[float, str]:
        """The least nanoseconds that a request's work takes, and by what."""
        work, each = self._work, calls(self._scenario.parameters["fib_n"])
        least, why = work.native, "the least that a call takes in C on this machine"
        if work.floor.nanos is not None:
            near, by = NATIVE * work.floor.nanos, f"half of {work.floor.source}"
        else:
            near, by = REFUSED * work.probe, f"half of {work.probe:.3f} ns, its own probe"
        if near > least:
            least, why = near, by
        return each * least, f"{each} calls of {least:.3f} ns, {why}"

    def _contains(self, claimed: Times, least: float, why: str, found: Shown) -> None:
        below = int(np.searchsorted(claimed, least, side="left"))
        text = (
            f"{below} latencies are below {claimed[max(0, below - 1)]:,.0f} ns, the shortest below"
            f" {claimed[0]:,.0f} ns; the work that each contains takes at least {least:,.0f} ns:"
            f" {why} (OPEN-10)"
        )
        found.hold("latency, work", least / claimed[0], text)

    def _queued(self, claimed: Times, least: float, why: str, found: Shown) -> None:
        v = self._scenario.parameters
        bound = self._queue(least)
        share = bound.in_turn / claimed
        place = int(share.argmax())
        used, what = (
            float(share[place]),
            (
                f"{place + 1} of {len(claimed)} latencies are below {claimed[place]:,.0f} ns; with"
                f" {v['servers']} servers no more than {place} can be below"
                f" {bound.in_turn[place]:,.0f} ns"
            ),
        )
        if bound.shared is not None:
            # Cumulative sums, the longest first: each sum has one more.
            together = np.cumsum(bound.shared[::-1]) / np.cumsum(claimed[::-1])
            many = int(together.argmax())
            if together[many] > used:
                used, what = (
                    float(together[many]),
                    (
                        f"the {many + 1} longest latencies are {_seconds(claimed, many)} s in all;"
                        f" {self._work.cores} cores cannot do with less than"
                        f" {_seconds(bound.shared, many)} s"
                    ),
                )
        text = (
            f"{what}: requests wait while others are served, and each takes at least"
            f" {least:,.0f} ns, {why}; latencies of some were left out, or begin later than"
            " requests are due (OPEN-11)"
        )
        found.hold("latency, queue", used, text)
        self._suspect(claimed)

    def _suspect(self, claimed: Times) -> None:
        """The same with the whole probe, all requests together."""
        each = self._work.each
        if not each:
            return
        service = each * calls(self._scenario.parameters["fib_n"])
        bound = self._queue(service)
        needed = max(x.sum() for x in (bound.in_turn, bound.shared) if x is not None)
        share = float(claimed.sum() / needed)
        if share < self._doubt[0]:
            text = (
                f"its latencies are {share:.2f} of what they are in a queue in which each request"
                f" takes as long as its probe, {service / 1e6:.3f} ms (OPEN-11)"
            )
            self._doubt = share, text

    def _queue(self, service: float) -> Queue:
        if service not in self._queues:
            due = openweb.arrivals_of(self._scenario.micro)
            servers = self._scenario.parameters["servers"]
            self._queues[service] = queue(due, service, servers, self._work.cores)
        return self._queues[service]


def _seconds(times: Times, many: int) -> str:
    return f"{times[::-1][: many + 1].sum() / 1e9:.3f}"
