"""Hosts of a cluster as the network that nodes are on: the interface that Mininet's have, too."""

import contextlib
import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from pydantic import BaseModel, ConfigDict

from dramaturg.errors import HarnessFault
from dramaturg.hosts import link_probe, shaping
from dramaturg.hosts.interfaces import Interface
from dramaturg.hosts.remote_node import Peer
from dramaturg.net.link_counters import End, Wire
from dramaturg.net.links import LinkOff
from dramaturg.net.topology import Host, Link, Network
from dramaturg.net.unavailable import NetworkUnavailable

_LIMITED = 30.0
"""Seconds in which a host has limited its link."""


class HostOf(BaseModel):
    """A host of a run, as far as node 0's has to know it."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str
    address: str
    interface: str
    counted: bool
    """True if its counters say what crossed its interface."""
    shared: bool
    """True if control crosses that as well."""
    machine: str
    """The machine: two hosts that are one machine have the same."""
    cores: list[int] = []
    """That its nodes are parted among; empty where it has one node alone."""
    nodes: int = 1
    """How many it may have."""


@dataclass
class Spread:
    """Nodes over hosts: one on each, then a second on each that may have two, and so on."""

    hosts: Sequence[HostOf]
    own: Callable[[], dict[str, int]]
    """The counters of the first host, where this runs."""
    own_limit: Callable[[float | None], None]
    """Gives its link a bandwidth."""
    own_keeps: Callable[[], bool]
    """True if its link has that bandwidth still."""
    peers: Sequence[Peer]
    """The agents of the other hosts, in their order."""
    about: dict[str, Any] = field(default_factory=dict)
    _limited: set[int] = field(default_factory=set)
    """The hosts whose links were limited: each has to say that its own is so no more."""

    def host_of(self, node: int) -> int:
        return self._placed[node]

    @cached_property
    def _placed(self) -> list[int]:
        """The host of each node that there is place for."""
        most = max(each.nodes for each in self.hosts)
        return [
            host
            for place in range(most)
            for host, each in enumerate(self.hosts)
            if place < each.nodes
        ]

    def cores_of(self, node: int, nodes: int) -> list[int]:
        """Return the cores of a node that has some of its host's alone; none if it has the host."""
        host = self.host_of(node)
        beside = self._placed[:nodes].count(host)
        cores = self.hosts[host].cores
        if beside == 1 or not cores:
            return []
        each, place = len(cores) // beside, self._placed[:node].count(host)
        return cores[place * each : (place + 1) * each]

    @contextlib.contextmanager
    def network(self, nodes: int, link: Link) -> Iterator[Network]:
        """The network of so many nodes; their links have the bandwidth of ``link`` as long as it
        lasts. Raises NetworkUnavailable."""
        hosts = sorted({self.host_of(node) for node in range(nodes)})
        if link.bandwidth is None:
            for host in hosts:
                if host in self._limited:
                    self._limit(host, None)
            yield self._network(nodes, link)
            return
        self._limited.update(hosts)
        try:
            for host in hosts:
                self._limit(host, link.bandwidth)
            yield self._network(nodes, link)
        finally:
            for host in hosts:
                # If a host does not answer, the one that started its agent reports it.
                with contextlib.suppress(HarnessFault):
                    self._limit(host, None)

    def _limit(self, host: int, bandwidth: float | None) -> None:
        # Those of other hosts name theirs.
        which = "" if host else f"host {self.hosts[0].name}: "
        try:
            if host == 0:
                self.own_limit(bandwidth)
            else:
                self.peers[host - 1].one({"op": "limit", "bandwidth": bandwidth}, seconds=_LIMITED)
        except HarnessFault as error:
            raise NetworkUnavailable(f"{which}{error}") from None

    def unlimited(self, nodes: int) -> list[str]:
        """Return the hosts of so many nodes whose links have lost their bandwidth, or cannot say
        that they have it, by name."""
        hosts = sorted({self.host_of(node) for node in range(nodes)})
        return [self.hosts[host].name for host in hosts if not self._keeps(host)]

    def _keeps(self, host: int) -> bool:
        try:
            if host == 0:
                return self.own_keeps()
            return bool(self.peers[host - 1].one({"op": "limited"})["limited"])
        except HarnessFault:
            return False

    def _network(self, nodes: int, link: Link) -> Network:
        used = [self.hosts[self.host_of(node)] for node in range(nodes)]
        several = nodes > len(self.hosts)
        return Network(
            "hosts",
            tuple(Host(each.name, each.address) for each in used),
            link,
            itertools.count().__next__,
            qdiscs=(shaping.KIND,) if link.bandwidth is not None else (),
            about={**self.about, "hosts": [each.name for each in used]},
            others_speak=True,
            uncounted="nothing counts, between hosts of a cluster, what each sends each other one",
            _wire=(lambda: self._wire(nodes)) if not several and _counted(used) else None,
            _down=lambda: self._are_down(nodes),
            _places=lambda: [(each.address, self._port(n)) for n, each in enumerate(used)],
        )

    def _port(self, node: int) -> int:
        host = self.host_of(node)
        if host == 0:
            return link_probe.free_port(self.hosts[0].address)
        return int(self.peers[host - 1].one({"op": "port"})["port"])

    def _wire(self, nodes: int) -> Wire:
        """Raises LinkOff."""
        try:
            asked = [each.asked({"op": "counters"}) for each in self.peers[: nodes - 1]]
            said = [self.own(), *(each() for each in asked)]
        except (OSError, HarnessFault) as error:
            raise LinkOff(f"the counters of a host cannot be read: {error}") from None
        return tuple(
            _end(counted, shared=self.hosts[node].shared) for node, counted in enumerate(said)
        )

    def _are_down(self, nodes: int) -> list[int]:
        """Control may come by another way than messages."""
        first = self.hosts[0]
        found = [0] if Interface(first.interface, first.address).is_down else []
        for number, peer in enumerate(self.peers[: nodes - 1], start=1):
            # If a host does not answer, the one that started its agent reports it.
            with contextlib.suppress(HarnessFault):
                found += [number] if peer.one({"op": "down"})["down"] else []
        return [node for node in range(nodes) if self.host_of(node) in found]


def _counted(hosts: Sequence[HostOf]) -> bool:
    return all(each.counted for each in hosts)


def _end(said: dict[str, int], *, shared: bool) -> End:
    """Return the counters without control's messages, if it crosses the same interface: their
    length at least. The additions of ssh stay, so that no honest run has too little."""
    sent = said["control_sent"] if shared else 0
    received = said["control_received"] if shared else 0
    return End(
        said["sent_bytes"] - sent,
        said["sent_packets"],
        said["received_bytes"] - received,
        said["received_packets"],
        sent + received,
    )
