"""Two nodes between which nothing passes for a while, and what they log of each other's messages
meanwhile (spec/distributed.md, DIST-9).

Counters show that bytes crossed, not that messages did. Behind a cut the messages of a pair stop,
whatever else goes on, unless they travel by another way than the network. It is tried where actors
wait for an answer before they send again: what can arrive after the cut is bounded by numbers.
"""

import contextlib
import threading
from collections.abc import Iterator
from typing import Any

from dramaturg.conformance.cluster import Cluster
from dramaturg.conformance.world import Failed, NotExercised
from dramaturg.control.session import ORDINARY_TIME
from dramaturg.model import placement
from dramaturg.net import gaps, pair_counters
from dramaturg.trace.events import AnyLogs, Arrived, InColumns

STEP = 0.25
"""Seconds between two looks."""

BEGUN = 40
"""Looks until messages of the pair must have been logged, so that there is something to cut."""

QUIET = 3
"""Looks in a row that find nothing new: then the pair has stopped."""

LOOKS = 40
"""Number of looks at a pair that is cut off, at most. An actor that takes few messages behind the
cut, again and again, has taken more than can have been under way by then, or may as well have them
so late."""

LONGER = 3600.0
"""Seconds that the gaps would last if nobody closed them."""


@contextlib.contextmanager
def between(cluster: Cluster, benchmark: str, p: Any, one: int, other: int) -> Iterator[None]:
    """While a run is under way, have nothing pass between two nodes until they stop hearing of each
    other. Raises Failed if they do not, NotExercised if the run was over before that could be
    seen, and what the network or a Trace failed with."""
    cut = _Cut(cluster, benchmark, p, one, other)
    cut.start()
    try:
        yield
    finally:
        cut.done()
    cut.judge()


class _Cut(threading.Thread):
    def __init__(self, cluster: Cluster, benchmark: str, p: Any, one: int, other: int) -> None:
        super().__init__(daemon=True)
        self._cluster, self._parameters, self._pair = cluster, p, (one, other)
        between = placement.between(benchmark, p, len(cluster.sessions), one, other)
        self._most, self._whole = between.under_way, between.whole
        self._over = threading.Event()
        self._read: dict[int, Arrived] = {}
        """How far the logs of each node were looked at, by its number."""
        self._taken = 0
        self._error: Exception | None = None
        self._outcome = "the two nodes were not cut off"
        """Why it tells nothing; empty if it does."""
        self._grown = 0
        """Messages of the pair that were logged behind the cut."""

    def done(self) -> None:
        """The run has ended: wait until the link is whole again."""
        self._over.set()
        self.join()

    def judge(self) -> None:
        """Raises Failed, NotExercised, or what came in between."""
        one, other = self._pair
        if self._grown > self._most:
            raise Failed(
                f"{self._grown} messages between node {one} and node {other} were taken while"
                f" nothing crossed between them, expected at most the {self._most} that can have"
                " been under way: they travel by another way than the network (DIST-9, DIST-3)"
            )
        if self._error is not None:
            raise self._error
        if self._outcome:
            raise NotExercised(self._outcome)

    def run(self) -> None:
        try:
            self._cut_once_it_has_begun()
        except Exception as error:
            # If the run fails as well, its own error is reported.
            self._error = error

    def _cut_once_it_has_begun(self) -> None:
        begun = False
        for _ in range(BEGUN):
            begun = self._look() > 2 * self._most
            if begun or self._over.wait(STEP / 5):
                break
        if not begun:
            self._outcome = "hardly a message between the two nodes was logged, so none was cut off"
            return
        assert self._cluster.network is not None
        one, other = (self._cluster.network.hosts[node] for node in self._pair)
        with gaps.between(one, other, LONGER), gaps.between(other, one, LONGER):
            self._watch()

    def _watch(self) -> None:
        before, ways = self._look(), self._cluster.ways()
        if self._over.is_set() or self._whole - before < 10 * self._most:
            self._outcome = "the run was over, or nearly, when the two nodes were cut off"
            return
        quiet = 0
        for _ in range(LOOKS):
            self._over.wait(STEP)
            grown = self._look() - before
            quiet = quiet + 1 if grown == self._grown else 0
            self._grown = grown
            if grown > self._most or quiet == QUIET:
                break
        self._outcome = ""
        if crossed := self._crossed(ways):
            self._grown = 0
            self._outcome = (
                f"{crossed} packets crossed between the two nodes: they were not cut off"
            )

    def _crossed(self, before: pair_counters.Ways | None) -> int:
        """Packets that went between them since then, as far as that is counted."""
        now, (one, other) = self._cluster.ways(), self._pair
        if now is None or before is None:
            return 0
        passed = pair_counters.since(now, before)
        return passed[one][other].packets + passed[other][one].packets

    def _look(self) -> int:
        """Messages that the two nodes have taken from each other so far."""
        nodes = len(self._cluster.sessions)
        for here, there in (self._pair, self._pair[::-1]):
            session = self._cluster.sessions[here]
            log = session.trace(ORDINARY_TIME)
            with session.unchanged():
                for sender in self._new(here, log.logs):
                    self._taken += placement.node_of(sender, nodes, self._parameters) == there
        return self._taken

    def _new(self, node: int, logs: AnyLogs) -> Iterator[int]:
        """The senders of what has come of a node's logs since it was asked for last."""
        assert isinstance(logs, InColumns)
        since, self._read[node] = self._read.get(node, (0, 0)), logs.arrived
        for _, (sender, _) in logs.of_kinds(logs.kinds(since), since):
            yield sender
