"""Strangers who connect to the ports of nodes while these come together and run (DIST-6).

A node listens before all others are there, so anybody can be first. Some strangers say nothing and
stay. Others say what nobody expects. All of them read what they are told.
"""

import contextlib
import random
import socket
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from dramaturg.conformance.cluster import Cluster
from dramaturg.conformance.world import Failed, NotExercised
from dramaturg.errors import CallFailed, Crashed, Late, Starved
from dramaturg.net import links

PATIENCE = 5.0
"""Seconds within which a connection to a port stands, if somebody listens there."""

SILENT, NOISY = 28, 4
"""The number of strangers at each node that say nothing, and that say NOISE: together as many as an
implementation has to bear (DIST-6)."""

NOISE = random.Random(6).randbytes(256)
"""The words of the others: more than a handshake has, and the same in every run."""

BLAMED = (CallFailed, Crashed, Failed, Late)
"""Errors of a run for which strangers may be to blame."""

MOST_READ = 1 << 20
"""Bytes that are read of what one stranger was told."""


@dataclass
class Strangers:
    """The connections of strangers to the nodes of a cluster."""

    cluster: Cluster
    reached: set[int] = field(default_factory=set)
    """The nodes that somebody could connect to, right after they were prepared."""
    _open: list[tuple[int, socket.socket]] = field(default_factory=list)
    """Connections that are held, each with the number of its node."""

    def knock(self, node: int, place: tuple[str, int]) -> None:
        """Connect to a node from the host of another one: in silence, and with noise."""
        elsewhere = (node + 1) % len(self.cluster.sessions)
        for words in [b""] * SILENT + [NOISE] * NOISY:
            if self.say(node, place, elsewhere, words) is None:
                return

    def say(
        self, node: int, place: tuple[str, int], host: int, words: bytes
    ) -> socket.socket | None:
        """Connect to a node from the host with a number, say these words and stay. Return the
        connection; None if nobody listens."""
        assert self.cluster.network is not None
        pid = int(self.cluster.network.hosts[host].prefix[-1])
        try:
            made = links.connected(pid, place, PATIENCE)
        except OSError:
            return None
        self.reached.add(node)
        self._open.append((node, made))
        with contextlib.suppress(OSError):
            made.sendall(words)
        return made

    def told(self) -> str:
        """Return how a stranger was told the secret of the world, read from what has come by now;
        empty if none was."""
        spelled = self.cluster.secret.encode()
        for node, made in self._open:
            heard = _heard(made)
            if spelled in heard.lower() or bytes.fromhex(self.cluster.secret) in heard:
                return f"node {node} told a stranger the secret of its world (DIST-6)"
        return ""

    def leave(self) -> None:
        """Close all connections."""
        for _, made in self._open:
            made.close()


def _heard(made: socket.socket) -> bytes:
    """All that came over a connection, without waiting for more."""
    heard = b""
    made.setblocking(False)
    with contextlib.suppress(OSError):
        while len(heard) < MOST_READ and (piece := made.recv(65_536)):
            heard += piece
    return heard


Approach = Callable[[Strangers, int, tuple[str, int]], None]
"""The way in which strangers come to a node, by its number and where it listens."""


@contextlib.contextmanager
def at_the_ports(cluster: Cluster, approach: Approach = Strangers.knock) -> Iterator[Strangers]:
    """Have strangers connect to each node of the cluster as soon as it is prepared, and stay."""
    there, before = Strangers(cluster), cluster.prepared
    cluster.prepared = partial(approach, there)
    try:
        yield there
    finally:
        cluster.prepared = before
        there.leave()


def among_strangers(cluster: Cluster, perform: Callable[[], Any], alone: Callable[[], Any]) -> None:
    """Have a run performed and judged while strangers stay at the ports of its nodes (DIST-6). If
    it is not right, it is performed ``alone`` by new nodes: a fault that shows there as well is no
    stranger's, and is raised as it is. Raises Failed also if a stranger was told the secret, and
    NotExercised if nobody listened."""
    with at_the_ports(cluster) as there:
        try:
            perform()
        except Starved:
            raise
        except BLAMED as error:
            failed = error
        else:
            if told := there.told():
                raise Failed(told)
            if not there.reached:
                raise NotExercised("nobody listened at the port of a node when it was prepared")
            return
    with contextlib.suppress(NotExercised):
        alone()
    raise Failed(
        f"{failed}, while strangers stayed connected (DIST-6); without them it was right",
        failed.divergence if isinstance(failed, Failed) else None,
    )
