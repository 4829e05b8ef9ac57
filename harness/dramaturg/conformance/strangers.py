"""Strangers who connect to the ports of nodes while these come together and run (DIST-6).

A node listens before all others are there, so anybody can be first. Some strangers say nothing and
stay. Others say what nobody expects.
"""

import contextlib
import random
import socket
from collections.abc import Iterator
from dataclasses import dataclass, field

from dramaturg.conformance.cluster import Cluster
from dramaturg.net import links

PATIENCE = 5.0
"""Seconds within which a connection to a port stands, if somebody listens there."""

NOISE = random.Random(6).randbytes(256)
"""The words of the others: more than a handshake has, and the same in every run."""


@dataclass
class Strangers:
    """The connections of strangers to the nodes of a cluster."""

    cluster: Cluster
    reached: set[int] = field(default_factory=set)
    """The nodes that somebody could connect to, right after they were prepared."""
    _open: list[socket.socket] = field(default_factory=list)

    def knock(self, node: int, place: tuple[str, int]) -> None:
        """Connect to a node from the host of another one: in silence, and with noise."""
        assert self.cluster.network is not None
        hosts = self.cluster.network.hosts
        elsewhere = hosts[(node + 1) % len(self.cluster.sessions)]
        for words in (b"", NOISE):
            try:
                made = links.connected(int(elsewhere.prefix[-1]), place, PATIENCE)
            except OSError:
                return
            self.reached.add(node)
            self._open.append(made)
            with contextlib.suppress(OSError):
                made.sendall(words)

    def leave(self) -> None:
        """Close all connections."""
        for each in self._open:
            each.close()


@contextlib.contextmanager
def at_the_ports(cluster: Cluster) -> Iterator[Strangers]:
    """Have strangers connect to each node of the cluster as soon as it is prepared, and stay."""
    strangers, before = Strangers(cluster), cluster.prepared
    cluster.prepared = strangers.knock
    try:
        yield strangers
    finally:
        cluster.prepared = before
        strangers.leave()
