"""Latencies and lateness of openweb, bounded by looks in the midst of a run (MEAS-51).

The time at which a request is due is known before the run. A request that had no answer when a look
was asked for has waited since then; one that had its answer when the look was answered has waited
no longer. Both are by the harness's clock, and a histogram in a receipt must have room for them.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from dramaturg.model import names, openweb
from dramaturg.model.buckets import least_of
from dramaturg.timing.planning.scenarios import Scenario
from dramaturg.timing.validity.bound_findings import Shown
from dramaturg.timing.validity.ledger import GRAIN, SLEW
from dramaturg.trace.events import AnyLogs
from dramaturg.trace.watches import Watched, Watches
from dramaturg.v2 import benchmarks_pb2
from dramaturg.v2 import trace_pb2 as kind

_SOURCE = names.name(names.SOURCE)

NEVER = 1 << 63
"""Nanoseconds above which no time is."""


@dataclass(frozen=True, slots=True)
class At:
    """A look, in nanoseconds since `Run` was sent, and how many messages each actor had taken: no
    fewer when it was asked for, and no more when it was answered."""

    asked: int
    answered: int
    taken: Mapping[int, int]


@dataclass(slots=True)
class Bounds:
    """The nanoseconds between which one time of each request is, as far as looks tell."""

    least: dict[int, int] = field(default_factory=dict)
    most: dict[int, int] = field(default_factory=dict)

    def between(self, request: int, least: int, most: int) -> None:
        self.least[request] = max(self.least.get(request, 0), least)
        self.most[request] = min(self.most.get(request, NEVER), most)


def bounds(
    scenario: Scenario, seen: Sequence[At], beside: int, watches: Watches, logs: AnyLogs
) -> tuple[Bounds, Bounds]:
    """Return the bounds of latency and of lateness, of the requests of which the source's log
    tells. ``beside`` is the nanoseconds that may lie between `Run` sent and the start of the run,
    and between taking a message and reading the clock."""
    latency, lateness = Bounds(), Bounds()
    of: dict[int, Bounds] = {
        kind.MESSAGE_KIND_SOURCE_ANSWER: latency,
        kind.MESSAGE_KIND_SOURCE_ARRIVE: lateness,
    }
    due = openweb.arrivals_of(scenario.micro)
    for place, number, request in _places(watches, logs):
        if number not in of or request >= len(due):
            continue
        for look in seen:
            if place < look.taken.get(_SOURCE, 0):
                most = look.answered + _slewed(look.answered) + beside - due[request]
                of[number].between(request, 0, most)
            else:
                least = look.asked - _slewed(look.asked) - beside - due[request]
                of[number].between(request, least, NEVER)
    return latency, lateness


def hold(
    scenario: Scenario,
    seen: Sequence[At],
    beside: int,
    watches: Watches,
    logs: AnyLogs,
    receipt: benchmarks_pb2.Receipt,
    found: Shown,
) -> None:
    """Hold the receipt's histograms, and the arrivals in the log, against the looks."""
    _early(scenario, seen, watches, logs, found)
    latency, lateness = bounds(scenario, seen, beside, watches, logs)
    said = receipt.done
    _fits("latency", "answered", said.latency, latency, found)
    _fits("lateness", "sent", said.lateness, lateness, found)
    for look in seen:
        waited = _waiting(scenario, look, beside)
        _fits("latency", "answered", said.latency, Bounds(dict(enumerate(waited))), found)


def _waiting(scenario: Scenario, look: At, beside: int) -> list[int]:
    """Return the least times for which some had waited at a look, whoever they were, by the
    source's count alone: no more than half of its messages were answers."""
    if _SOURCE not in look.taken:
        return []
    now = look.asked - _slewed(look.asked) - beside
    due = openweb.arrivals_of(scenario.micro)
    there = bisect_right(due, now)
    answered = max(0, look.taken[_SOURCE] - 1) // 2
    return [now - each for each in due[min(answered, there) : there]]


def _early(
    scenario: Scenario, seen: Sequence[At], watches: Watches, logs: AnyLogs, found: Shown
) -> None:
    due = openweb.arrivals_of(scenario.micro)
    for place, number, request in _places(watches, logs):
        if number != kind.MESSAGE_KIND_SOURCE_ARRIVE or request >= len(due):
            continue
        for look in seen:
            if place < look.taken.get(_SOURCE, 0):
                text = (
                    f"source/0 had taken arrive({request}) when {look.answered} ns of the run had"
                    f" passed, by a look in its midst; it is due after {due[request]} ns (OPEN-2)"
                )
                lack = due[request] - look.answered
                found.exact("look-arrivals", lack, _slewed(look.answered) + GRAIN, text)


def _fits(what: str, done: str, counts: Sequence[int], by: Bounds, found: Shown) -> None:
    """Check that a histogram has as many long times, and as many short ones, as there must be."""
    if not sum(counts):
        return
    longest = sorted((least for least in by.least.values() if least > 0), reverse=True)
    for place, (least, bucket) in enumerate(
        zip(longest, _descending(counts), strict=False), start=1
    ):
        most = least_of(bucket + 1)
        text = (
            f"{place} requests were not {done} when {least / 1e6:.3f} ms and more had passed since"
            f" they were due, by looks at the run; {what} counts fewer above {most / 1e6:.3f} ms"
            " (MEAS-51)"
        )
        found.exact(f"look-{what}", least - most, GRAIN, text)
    shortest = sorted(most for most in by.most.values() if most < NEVER)
    for place, (most, bucket) in enumerate(
        zip(shortest, _ascending(counts), strict=False), start=1
    ):
        text = (
            f"{place} requests were {done} before {most / 1e6:.3f} ms had passed since they were"
            f" due, by looks at the run; {what} counts fewer below {least_of(bucket) / 1e6:.3f} ms"
            " (MEAS-51)"
        )
        found.exact(f"look-{what}", least_of(bucket) - most, GRAIN, text)


def _ascending(counts: Sequence[int]) -> Iterator[int]:
    """The bucket of each time that is counted, the shortest first."""
    return _each(enumerate(counts))


def _descending(counts: Sequence[int]) -> Iterator[int]:
    return _each((place, counts[place]) for place in range(len(counts) - 1, -1, -1))


def _each(places: Iterable[tuple[int, int]]) -> Iterator[int]:
    return (place for place, count in places for _ in range(count))


def _places(watches: Watches, logs: AnyLogs) -> Iterator[tuple[int, int, int]]:
    """The number, among all that the source took, the kind and the request of what is logged."""
    wanted = Watched(watches).slice_of(_SOURCE)
    begin = wanted.begin if wanted else 0
    for place, (_, (number, args)) in enumerate(logs.get(_SOURCE, ()), begin):
        yield place, number, args[0] if args else 0


def _slewed(nanos: int) -> int:
    return int(nanos * SLEW)
