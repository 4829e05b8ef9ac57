"""The performers of a case: one process, or one for each node of an emulated network."""

import contextlib
import secrets
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from dramaturg.control.session import Session
from dramaturg.model import names, placement
from dramaturg.net.link_counters import Wire
from dramaturg.net.pair_counters import Ways
from dramaturg.net.topology import Network
from dramaturg.trace.codec import LogBuilder
from dramaturg.trace.columns.array_logs import ArrayLogs, JoinedLogs
from dramaturg.trace.events import AnyLogs, TraceError
from dramaturg.trace.watches import EVERYBODY, Watches
from dramaturg.v2 import benchmarks_pb2, control_pb2


@dataclass
class Cluster:
    """Sessions in the order of their nodes; the first has the lead actor."""

    sessions: Sequence[Session]
    network: Network | None = None
    spent: bool = False
    """True if nobody else can use it: a process of it was ended, or a run of it never ends."""
    prepared: Callable[[int, tuple[str, int]], None] = field(
        default=lambda node, place: None, repr=False
    )
    """Is told of each node that has been prepared, by its number and where it listens."""
    _joined: JoinedLogs = field(default_factory=JoinedLogs, init=False, repr=False)
    secret: str = field(default="", init=False, repr=False)
    """The secret of the world that was prepared last, in hexadecimal digits (DIST-6)."""

    @property
    def lead(self) -> Session:
        return self.sessions[0]

    def prepare(
        self,
        benchmark: benchmarks_pb2.Benchmark,
        watches: Watches = EVERYBODY,
        timeout: float | None = None,
        strange_node: int = 0,
    ) -> control_pb2.PrepareResponse:
        """Prepare a world, over all nodes if there are several: the highest first (DIST-2). Return
        the answer of the lead's node. ``strange_node``, if it is not 0, has a secret that differs
        in its last digit."""
        if self.network is None:
            return self.lead.prepare(benchmark, watches, timeout=timeout)
        endpoints = self.network.endpoints()[: len(self.sessions)]
        peers = [control_pb2.Peer(host=host, port=port) for host, port in endpoints]
        self.secret = secrets.token_hex(16)
        for node in reversed(range(len(self.sessions))):
            secret = almost(self.secret) if node and node == strange_node else self.secret
            answer = self.sessions[node].prepare(benchmark, watches, node, peers, secret, timeout)
            self.prepared(node, endpoints[node])
        return answer

    def wire(self) -> Wire | None:
        """Return what has crossed the links of its nodes so far; None if nothing counts it. Raises
        LinkOff."""
        crossed = self.network.wire() if self.network is not None else None
        return crossed and crossed[: len(self.sessions)]

    def ways(self) -> Ways | None:
        """Return what has gone from each node to each other one so far; None if nothing counts
        it."""
        counted = self.network.ways() if self.network is not None else None
        n = len(self.sessions)
        return counted and tuple(row[:n] for row in counted[:n])

    @property
    def uncounted(self) -> str:
        """The reason why nothing counts what goes from one node to another; empty if something
        does."""
        return self.network.uncounted if self.network is not None else ""

    def trace(self, timeout: float | None = None) -> None:
        """Fetch what every node has logged."""
        for session in self.sessions:
            session.trace(timeout)

    def teardown(self, timeout: float | None = None) -> list[benchmarks_pb2.Receipt]:
        """End the world on every node, the lead's first; return each node's answer."""
        return [session.teardown(timeout) for session in self.sessions]

    @property
    def events(self) -> int:
        return sum(session.log.events for session in self.sessions)

    @property
    def logs(self) -> AnyLogs:
        """The logs of all nodes, as one run."""
        if len(self.sessions) == 1:
            return self.lead.log.logs
        columns = [log for log in self._logs() if isinstance(log, ArrayLogs)]
        if len(columns) == len(self.sessions):
            return self._joined.of(columns)
        return {actor: log for logs in self._logs() for actor, log in logs.items()}

    def _logs(self) -> list[AnyLogs]:
        """Each node's."""
        return [session.log.logs for session in self.sessions]

    @property
    def taken(self) -> dict[int, int]:
        """Return the number of messages that each watched actor took, on all nodes."""
        if len(self.sessions) == 1:
            return self.lead.log.taken
        return {
            actor: taken for session in self.sessions for actor, taken in session.log.taken.items()
        }

    @contextlib.contextmanager
    def unchanged(self) -> Iterator[None]:
        """No node's log grows meanwhile."""
        with contextlib.ExitStack() as stack:
            for session in self.sessions:
                stack.enter_context(session.unchanged())
            yield

    def forget(self) -> None:
        """Let go of the logs: those that were laid down leave the disk."""
        self._joined = JoinedLogs()
        for session in self.sessions:
            session.log = LogBuilder()

    def complete(self) -> None:
        """Hold every node's logs against its counts, of a world at rest. Raises TraceError."""
        for node, session in enumerate(self.sessions):
            try:
                session.log.complete()
            except TraceError as error:
                if self.network is None:
                    raise
                raise TraceError(f"node {node}: {error}") from None

    def misplaced(self, parameters: Any) -> str:
        """An actor that was logged on another node than it lives on, by its benchmark's parameters
        (DIST-1)."""
        nodes = len(self.sessions)
        if nodes == 1:
            return ""
        for node, session in enumerate(self.sessions):
            for actor in session.log.taken.keys() | session.log.logs.keys():
                home = placement.node_of(actor, nodes, parameters)
                if home != node:
                    return (
                        f"{names.spell(actor)} was logged on node {node} of {nodes};"
                        f" it lives on node {home} (DIST-1)"
                    )
        return ""

    def strays(self) -> list[str]:
        """The descendants of the processes that are not counted, in words (MEAS-40)."""
        return [text for session in self.sessions for text in session.strays()]

    def cpu_seconds(self) -> float:
        """Consumed by all processes that are watched."""
        processes = [session.process for session in self.sessions if session.process]
        return sum(process.cpu_seconds() for process in processes)


def almost(secret: str) -> str:
    """Return another secret of as many digits, of which the last one differs: an implementation
    that compares the first ones alone takes it for the same."""
    return secret[:-1] + f"{int(secret[-1], 16) ^ 1:x}"
