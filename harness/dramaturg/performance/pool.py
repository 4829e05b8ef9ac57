"""Running implementations, one of each, started when first needed and again after a failure.

And one set of nodes: emulated networks are built one at a time, so the nodes of the
last implementation make room for those of the next.
"""

import contextlib
from pathlib import Path

from dramaturg.control import session
from dramaturg.control.session import Session
from dramaturg.errors import ControlError, Gone, HarnessFault
from dramaturg.implementation import build, toolchain
from dramaturg.implementation.manifest import Implementation
from dramaturg.net import topology
from dramaturg.performance.cluster import Cluster
from dramaturg.processes import interrupts

SPENT = (
    "what was connected to has ended, or was left in the middle of a case; start it again, and"
    " choose this case with -k"
)
"""Why a case is not run."""


class Pool:
    """Sessions by implementation. Close it to end them all."""

    def __init__(self, stderr: Path | None = None, connected: Session | None = None) -> None:
        self._stderr = stderr
        self._connected = connected
        self._gone = ""
        self._sessions: dict[str, tuple[Session, contextlib.ExitStack]] = {}
        self._equipped: set[str] = set()
        self._refused: dict[str, ControlError] = {}
        self._nodes: tuple[str, Cluster, contextlib.ExitStack] | None = None

    def cluster(self, implementation: Implementation, nodes: int = 1) -> Cluster:
        """So many processes that are up, on emulated hosts if it is more than one. Raises as
        :meth:`get`, and NetworkUnavailable."""
        if nodes == 1:
            return Cluster([self.get(implementation)])
        if self._connected is not None:
            raise HarnessFault("what was connected to is one process; it cannot be distributed")
        self._require(implementation)
        if self._nodes is not None:
            name, there, _ = self._nodes
            if name == implementation.name and len(there.sessions) >= nodes:
                return Cluster(there.sessions[:nodes], there.network)
            self._drop_nodes()
        with contextlib.ExitStack() as stack:
            network = stack.enter_context(topology.mininet(nodes))
            cluster = Cluster(
                [
                    stack.enter_context(
                        session.start(
                            implementation,
                            prefix=host.prefix,
                            environment=implementation.manifest.run.node_environment,
                            stderr=self._log(f"{implementation.name}.{node}"),
                        )
                    )
                    for node, host in enumerate(network.hosts)
                ],
                network,
            )
            self._nodes = implementation.name, cluster, stack.pop_all()
        return cluster

    def get(self, implementation: Implementation) -> Session:
        """A session that is up. Raises ToolchainMissing, BuildFailed, Crashed or Late;
        the first two again at once whenever asked again. Raises Gone if it was connected to, and
        is spent."""
        if self._connected is not None:
            if self._gone:
                raise Gone(self._gone)
            return self._connected
        name = implementation.name
        if name in self._sessions:
            return self._sessions[name][0]
        self._require(implementation)
        stack = contextlib.ExitStack()
        opened = stack.enter_context(session.start(implementation, stderr=self._log(name)))
        self._sessions[name] = opened, stack
        return opened

    def drop(self, implementation: Implementation) -> None:
        """End all there is of it: it is spent, or not to be trusted. What was connected to is not
        ours to end; it goes on if no world is left in it."""
        if self._connected is not None:
            if not self._connected.is_free:
                self._gone = SPENT
            return
        with interrupts.held():
            if implementation.name in self._sessions:
                self._sessions.pop(implementation.name)[1].close()
            if self._nodes is not None and self._nodes[0] == implementation.name:
                self._drop_nodes()

    def close(self) -> None:
        """End all sessions."""
        with interrupts.held():
            while self._sessions:
                self._sessions.popitem()[1][1].close()
            self._drop_nodes()

    def _drop_nodes(self) -> None:
        if self._nodes is not None:
            (_, _, stack), self._nodes = self._nodes, None
            stack.close()

    def _log(self, name: str) -> Path | None:
        if self._stderr is None:
            return None
        self._stderr.mkdir(parents=True, exist_ok=True)
        return self._stderr / f"{name}.log"

    def _require(self, implementation: Implementation) -> None:
        name = implementation.name
        if name in self._refused:
            raise self._refused[name]
        try:
            if name not in self._equipped:
                toolchain.require(implementation)
                self._equipped.add(name)
            build.build(implementation)
        except ControlError as error:
            self._refused[name] = error
            raise
