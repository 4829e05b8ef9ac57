"""Running implementations, one of each, started when first needed and again after a failure.

And one set of nodes: emulated networks are built one at a time, so the nodes of the
last implementation make room for those of the next.
"""

import contextlib
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from dramaturg import repeats
from dramaturg.conformance.cluster import Cluster
from dramaturg.control import starting
from dramaturg.control.session import Session
from dramaturg.errors import (
    ControlError,
    Crashed,
    Gone,
    HarnessFault,
    Late,
    Starved,
    Unstartable,
)
from dramaturg.implementation import build, toolchain
from dramaturg.implementation.build import Built
from dramaturg.implementation.manifest import Implementation
from dramaturg.net import topology
from dramaturg.net.topology import Link
from dramaturg.processes import interrupts

SPENT = (
    "the connected process has ended, or was left in the middle of a case; start it again, and"
    " choose this case with -k"
)
"""The reason why a case is not run."""

UNCONFINED = (
    "the connected process runs on the cores on which it was started, and this case is for"
    " fewer; certify it without --connect"
)
"""The reason why another is not."""


TRIES = 2
"""Starts that fail in the same way, one after the other, before it is not tried again: a process
may be killed once by chance, and a start may take as long as the manifest allows."""


def _some(many: int) -> Sequence[int]:
    """So many of the cores that this process may use itself, always the same ones."""
    return sorted(os.sched_getaffinity(0))[:many] if many else ()


class Pool:
    """Sessions by implementation. Close it to end them all. Sessions run what was ``built``, by the
    implementation's name; an implementation that is not in it runs as it is when it is started."""

    def __init__(
        self,
        stderr: Path | None = None,
        connected: Session | None = None,
        built: Mapping[str, Built] | None = None,
    ) -> None:
        self._stderr = stderr
        self._built = dict(built or {})
        self._judged = frozenset(self._built)
        self._connected = connected
        self._gone = ""
        self._sessions: dict[tuple[str, int], tuple[Session, contextlib.ExitStack]] = {}
        """By implementation, and by to how many cores they are confined."""
        self._equipped: set[str] = set()
        self._refused: dict[str, ControlError] = {}
        self._failed: dict[tuple[str, bool, bool], list[ControlError]] = {}
        """Starts that failed since one last did not: by implementation, and whether it was one of
        several nodes, or confined to some cores."""
        self._nodes: tuple[str, Cluster, contextlib.ExitStack] | None = None

    def twin(self, implementation: Implementation, stderr: Path) -> "Pool":
        """Another one, which knows what this one has found of this implementation's tools and
        build, so that neither is asked for again."""
        with contextlib.suppress(ControlError):
            self._require(implementation)
        other = Pool(stderr, built={name: self._built[name] for name in self._judged})
        other._equipped, other._refused = set(self._equipped), dict(self._refused)
        other._failed = {kept: list(errors) for kept, errors in self._failed.items()}
        return other

    def cluster(
        self,
        implementation: Implementation,
        nodes: int = 1,
        cores: int = 0,
        link: Link = topology.CLEAN,
    ) -> Cluster:
        """So many processes that are up, on emulated hosts if it is more than one, with such links
        between them, confined to so many cores if that is not 0. Raises as :meth:`get`, and
        NetworkUnavailable."""
        if nodes == 1:
            return Cluster([self.get(implementation, cores)])
        if self._connected is not None:
            raise HarnessFault("the harness is connected to one process; level 4 needs several")
        self._require(implementation)
        if self._nodes is not None:
            name, there, _ = self._nodes
            fits = there.network is not None and there.network.link == link
            if name == implementation.name and len(there.sessions) >= nodes and fits:
                return Cluster(there.sessions[:nodes], there.network)
            self._drop_nodes()
        kept = implementation.name, True, False
        with self._starting(kept), contextlib.ExitStack() as stack:
            network = stack.enter_context(topology.mininet(nodes, link))
            cluster = Cluster(
                [
                    stack.enter_context(
                        starting.start(
                            implementation,
                            prefix=host.prefix,
                            environment=implementation.manifest.run.node_environment,
                            stderr=self._log(f"{implementation.name}.{node}"),
                            built=self._built[implementation.name],
                        )
                    )
                    for node, host in enumerate(network.hosts)
                ],
                network,
            )
            self._nodes = implementation.name, cluster, stack.pop_all()
        return cluster

    def get(self, implementation: Implementation, cores: int = 0) -> Session:
        """A session that is up, of a process that is confined to so many cores if that is not 0.
        Raises ToolchainMissing, BuildFailed, Crashed or Late; the first two again at once whenever
        asked again, and Unstartable in place of the others where starts have failed before. Raises
        Gone if it was connected to, and is spent, or runs where it runs."""
        if self._connected is not None:
            if self._gone or cores:
                raise Gone(self._gone or UNCONFINED)
            return self._connected
        kept = implementation.name, cores
        if kept in self._sessions:
            return self._sessions[kept][0]
        self._require(implementation)
        stack = contextlib.ExitStack()
        log, built = self._log(implementation.name), self._built[implementation.name]
        with self._starting((implementation.name, False, bool(cores))):
            started = starting.start(implementation, stderr=log, cores=_some(cores), built=built)
            opened = stack.enter_context(started)
        self._sessions[kept] = opened, stack
        return opened

    def drop(self, implementation: Implementation) -> None:
        """End all there is of it: it is spent, or not to be trusted. A process that was connected
        to is not ours to end; it goes on if no world is left in it."""
        if self._connected is not None:
            if not self._connected.is_free:
                self._gone = SPENT
            return
        with interrupts.held():
            for kept in [kept for kept in self._sessions if kept[0] == implementation.name]:
                self._sessions.pop(kept)[1].close()
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

    @contextlib.contextmanager
    def _starting(self, kept: tuple[str, bool, bool]) -> Iterator[None]:
        """Around a start. Raises Unstartable instead of trying where it failed before in the same
        way, so often that the next case would only cost time."""
        failed = self._failed.setdefault(kept, [])
        if len(failed) >= TRIES:
            raise Unstartable(
                f"not tried again: it did not start twice in the same way ({failed[-1]})"
            )
        try:
            yield
        except (Crashed, Late) as error:
            if isinstance(error, Starved):
                raise  # By the machine, which may have more time later.
            if failed and repeats.alike(str(failed[-1])) != repeats.alike(str(error)):
                failed.clear()
            failed.append(error)
            raise
        failed.clear()

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
            if name not in self._judged:
                self._built[name] = build.built(implementation)
        except ControlError as error:
            self._refused[name] = error
            raise
