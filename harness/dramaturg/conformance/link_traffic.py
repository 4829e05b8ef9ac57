"""The traffic of the links, against what it must have been (spec/measurements.md, MEAS-52 to
MEAS-61).

The process that answers for an actor shows where the actor lives, but an answer can be fetched from
another node. The counters of the links alone show that its messages went over the network.
"""

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from dramaturg.conformance.cluster import Cluster
from dramaturg.model import crossings, receipt_names
from dramaturg.model.distribution import Least
from dramaturg.net import link_counters, pair_counters
from dramaturg.net.link_counters import Wire
from dramaturg.net.pair_counters import Way, Ways
from dramaturg.v2 import benchmarks_pb2

HEADERS = 66
"""Bytes of each packet that are none of a message, where the kernel counts no pairs and so no
payload: Ethernet, IPv4, and TCP with its time stamps. A node that only acknowledges sends many
packets, and nothing in them; one that speaks by datagrams gets less credit than it has earned."""

QUIET = 8_192
"""Bytes for each node that may cross the network between the end of Run and that of the first
Trace: acknowledgements, and what a runtime says of its own."""

OBITUARY = 128
"""Bytes with which a node may tell another one that an actor of its own has ended, with their part
of the packets' headers: CAF takes 116. Those of a whole run may be under way when it ends."""

HEARTBEATS = 1_024
"""Bytes a second from each node to each other one that go on while all is quiet."""


@dataclass(frozen=True, slots=True)
class Crossed:
    """The traffic that crossed each link in an iteration."""

    run: Wire
    """Traffic from before Run was sent to its end."""
    rest: Wire
    """Traffic from then to the end of the first Trace."""
    seconds: float
    """Seconds that this lasted."""
    others_speak: bool = False
    """True if traffic of no node crosses the links as well, so that they are never at rest."""
    ways: Ways | None = None
    """Traffic from each node to each other one in the run; None if nothing counts it."""
    uncounted: str = ""
    """The reason why nothing does."""

    @property
    def sent(self) -> list[Way]:
        """The traffic that each node has sent in the run: to all others together, or else by its
        link, with a payload that is estimated (MEAS-52)."""
        if self.ways is not None:
            return [sum(row, Way()) for row in self.ways]
        return [_estimated(end.sent_bytes, end.sent_packets) for end in self.run]

    @property
    def received(self) -> list[Way]:
        """The traffic that each node has received in the run, in the same way."""
        if self.ways is not None:
            return [sum(column, Way()) for column in zip(*self.ways, strict=True)]
        return [_estimated(end.received_bytes, end.received_packets) for end in self.run]


@dataclass(slots=True)
class Held:
    """The result of comparing the traffic with what must have crossed."""

    problems: list[str] = field(default_factory=list)
    run: float = 0.0
    """Bytes that had to cross at least, of those that did, where it is most: above 1 is too
    little. That each turn has a packet is no estimate, and has no margin."""
    rest: float = 0.0
    """The traffic that crossed at rest, as a share of what may."""


def held(
    benchmark: str,
    parameters: Any,
    counts: Mapping[str, int],
    crossed: Crossed,
) -> Held:
    """Hold what crossed against what must have in such a run, by what its receipt ``counts``."""
    found = Held()
    nodes = len(crossed.run)
    for due in crossings.least(benchmark, parameters, nodes, counts):
        for where, seen, rule in _seen(due, crossed):
            found.run = max(found.run, due.bytes / max(1, seen.payload))
            if (seen.payload < due.bytes or seen.packets < due.turns) and not found.problems:
                found.problems.append(
                    f"{where} {seen.payload} bytes in {seen.packets} packets, without their headers"
                    f", while it ran, expected at least"
                    f" {due.bytes} bytes in {due.turns}: {due.messages} messages {_way(due)}."
                    " They did not cross the network: an actor that sent or took them does not live"
                    " on the node that logs it, or nodes speak to each other past it"
                    f" ({rule}, DIST-1)"
                )
    if crossed.others_speak:
        return found
    ended = crossings.ended(benchmark, parameters, nodes)
    spoken = sum(
        max(0, end.sent_bytes - OBITUARY * gone * (nodes - 1))
        for end, gone in zip(crossed.rest, ended, strict=True)
    )
    most = QUIET * nodes + round(HEARTBEATS * nodes * (nodes - 1) * crossed.seconds)
    found.rest = spoken / most
    if spoken > most:
        found.problems.append(
            f"{spoken} bytes crossed between the end of Run and that of Trace, beside those that"
            f" may say who has ended, expected at most {most}, while all is quiet: a node logs for"
            " another one (MEAS-53, DIST-1)"
        )
    return found


def _seen(due: Least, crossed: Crossed) -> Iterator[tuple[str, Way, str]]:
    """Yield each place that shows it, with its traffic and the rule: what a node sent and received,
    and then an ordered pair, if those are counted."""
    if due.sender is not None:
        yield f"node {due.sender} sent", crossed.sent[due.sender], "MEAS-52"
    if due.receiver is not None:
        yield f"node {due.receiver} received", crossed.received[due.receiver], "MEAS-52"
    if due.sender is not None and due.receiver is not None and crossed.ways is not None:
        way = crossed.ways[due.sender][due.receiver]
        yield f"node {due.sender} sent node {due.receiver}", way, "MEAS-61"
    if due.sender is None and due.receiver is None:
        yield "all nodes together sent", sum(crossed.sent, Way()), "MEAS-52"


def _estimated(many: int, packets: int) -> Way:
    """Traffic of a link, whose counters say nothing of headers."""
    return Way(many, packets, max(0, many - HEADERS * packets))


def _way(due: Least) -> str:
    if due.sender is None and due.receiver is None:
        return "go from one node to another"
    sender = "other nodes" if due.sender is None else f"node {due.sender}"
    receiver = "other nodes" if due.receiver is None else f"node {due.receiver}"
    return f"go from {sender} to {receiver}"


@dataclass(slots=True)
class Wires:
    """The looks at the counters of one iteration, in their order."""

    cluster: Cluster
    taken: list[tuple[Wire, float, Ways | None]] = field(default_factory=list)

    def look(self) -> None:
        """Before Run, at its end, and at that of the first Trace."""
        wire = self.cluster.wire()
        if wire is not None:
            self.taken.append((wire, time.monotonic(), self.cluster.ways()))

    @property
    def crossed(self) -> Crossed | None:
        """None where nothing is counted, or where not all three were taken."""
        if len(self.taken) != 3:
            return None
        (before, _, ways), (done, then, ways_done), (rest, now, _) = self.taken
        network = self.cluster.network
        return Crossed(
            link_counters.since(done, before),
            link_counters.since(rest, done),
            now - then,
            network is not None and network.others_speak,
            pair_counters.since(ways_done, ways) if ways_done and ways else None,
            self.cluster.uncounted,
        )


def counts_of(receipt: benchmarks_pb2.Receipt) -> dict[str, int]:
    """Return the counts of a receipt, by the names of its benchmark."""
    told = receipt_names.counts_of(receipt)
    return {name: value for name, value in told.items() if isinstance(value, int)}
