"""Hosts on one Linux bridge, each in a network namespace of its own, or none of that.

The control plane does not cross the emulated network: Unix domain sockets are
found through the file system, which network namespaces share.

The whole of an emulated network may also run inside User-Mode Linux, whose kernel
has every shaper; that will be a third way to get a :class:`Network`.
"""

import contextlib
import errno
import itertools
import os
import re
import subprocess
import sys
import threading
import warnings
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from typing import Any, Literal

from dramaturg.machine import capabilities
from dramaturg.net import leftovers, private
from dramaturg.net.unavailable import NetworkUnavailable
from dramaturg.processes import interrupts

FIRST_PORT = 20_000
"""Inside a host all ports are free; this one is below the range of outgoing connections."""

REACH_TIMEOUT = 20.0
"""Seconds until a host must have reached its peers: dozens of retransmissions on a lossy link."""

MAX_BANDWIDTH = 1000
"""Mbit/s: Mininet's TCIntf ignores what is above it, so it is refused here."""

MAX_DELAY = 2_000
"""Milliseconds: there and back are four links, and a host must reach its peers in time."""

MAX_HOSTS = 99
"""More would make names of interfaces longer than Linux allows."""


class ShapingUnavailable(NetworkUnavailable):
    """A link cannot be given the bandwidth, delay or loss that was asked for."""


@dataclass(frozen=True, slots=True)
class Link:
    """The link between each host and the switch, in both directions alike.

    ``bandwidth`` in Mbit/s, ``delay`` in milliseconds, ``loss`` in percent. A message
    crosses two links, an answer two more: a delay of 5 ms makes a round trip of 20 ms.
    A delay or loss of 0 has the same qdiscs as any other one; None has none.
    """

    bandwidth: float | None = None
    delay: float | None = None
    loss: float | None = None

    def __post_init__(self) -> None:
        if self.bandwidth is not None and not 0 < self.bandwidth <= MAX_BANDWIDTH:
            raise ValueError(f"bandwidth is {self.bandwidth}, must be in 0..{MAX_BANDWIDTH} Mbit/s")
        if self.delay is not None and not 0 <= self.delay <= MAX_DELAY:
            raise ValueError(f"delay is {self.delay}, must be in 0..{MAX_DELAY} ms")
        if self.loss is not None and not 0 <= self.loss < 100:
            raise ValueError(f"loss is {self.loss}, must be in 0..100 %, and less than all")

    @property
    def shaped(self) -> bool:
        return bool(self.asked())

    @property
    def delayed(self) -> bool:
        """Whether netem is asked for, were it to delay and to lose nothing."""
        return self.delay is not None or self.loss is not None

    def asked(self) -> dict[str, float]:
        """What is not left as it is, by name."""
        return {name: value for name, value in asdict(self).items() if value is not None}

    def require(self) -> None:
        """Raises ShapingUnavailable if this kernel cannot do it."""
        able = capabilities.probe()
        if self.bandwidth and not able.has("htb"):
            raise ShapingUnavailable(f"bandwidth {self.bandwidth:g}: {able['htb'].explanation}")
        if self.delayed and not able.has("netem"):
            asked = ", ".join(f"{name} {value:g}" for name, value in self.asked().items())
            raise ShapingUnavailable(f"link with {asked}: {able['netem'].explanation}")


@dataclass(frozen=True, slots=True)
class Host:
    """A place for one node. ``prefix`` goes before its command line."""

    name: str
    address: str
    prefix: tuple[str, ...] = ()


@dataclass(frozen=True)
class Network:
    """Hosts that reach each other."""

    kind: Literal["mininet", "loopback"]
    hosts: tuple[Host, ...]
    link: Link
    _port: Callable[[], int]
    note: str = ""
    """Why it is not what one would expect, for whoever reads the result."""
    qdiscs: tuple[str, ...] = ()
    """Kinds of queueing disciplines that every end of a link was seen to have."""

    def endpoints(self) -> list[tuple[str, int]]:
        """An address and a port for each host; ports that no earlier call has given out."""
        return [(host.address, self._port()) for host in self.hosts]

    def describe(self) -> dict[str, Any]:
        """As results keep it."""
        text: dict[str, Any] = {"kind": self.kind, "nodes": len(self.hosts)} | self.link.asked()
        text |= {"qdiscs": list(self.qdiscs)} if self.qdiscs else {}
        return text | ({"note": self.note} if self.note else {})


@contextlib.contextmanager
def loopback(n: int, note: str = "") -> Iterator[Network]:
    """``n`` places on one 127.0.0.1 that nobody else reaches: no network is measured.

    The machine's own is every user's. So the places share a network namespace that they have
    to themselves. Raises NetworkUnavailable where there can be none.
    """
    with private.namespace() as prefix:
        hosts = tuple(Host(f"h{number}", "127.0.0.1", prefix) for number in range(n))
        yield Network("loopback", hosts, Link(), itertools.count(FIRST_PORT).__next__, note)


_one_at_a_time = threading.Lock()


@contextlib.contextmanager
def mininet(n: int, link: Link = Link()) -> Iterator[Network]:
    """``n`` Mininet hosts on one ``LinuxBridge``, each behind a ``TCLink``.

    Leaving it, in whatever way, takes everything away again. Raises
    NetworkUnavailable or ShapingUnavailable before anything is built if it is known
    that it cannot be, and RuntimeError for a second network in the same process:
    two emulations would measure each other.
    """
    if not 1 <= n <= MAX_HOSTS:
        raise NetworkUnavailable(f"{n} hosts; there can be 1 to {MAX_HOSTS}")
    why_not = capabilities.probe().why_no_mininet
    if why_not:
        raise NetworkUnavailable(f"no emulated network: {why_not}")
    link.require()
    if not _one_at_a_time.acquire(blocking=False):
        raise RuntimeError("this process has an emulated network already")
    built: list[Any] = []
    try:
        yield _build(n, link, built)
    finally:
        with interrupts.held():
            _take_down(built)
            _one_at_a_time.release()


def _build(n: int, link: Link, built: list[Any]) -> Network:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from mininet.link import TCLink
        from mininet.log import lg
        from mininet.net import Mininet
        from mininet.nodelib import LinuxBridge
    # Its errors are checked for below; what else it says, it says on the user's terminal.
    lg.setLogLevel("critical")
    leftovers.clean()
    names = leftovers.prefix(os.getpid())
    net = Mininet(
        topo=None,
        build=False,
        controller=None,
        switch=LinuxBridge,
        link=TCLink,
        autoStaticArp=True,
    )
    built.append(net)
    switch = net.addSwitch(f"{names}s", dpid="1")
    for number in range(n):
        host = net.addHost(f"{names}h{number}")
        net.addLink(host, switch, **_as_mininet_takes(link))
    net.start()
    hosts = tuple(
        Host(f"h{number}", host.IP(), ("mnexec", "-a", str(host.pid)))
        for number, host in enumerate(net.hosts)
    )
    qdiscs = _check_shaping(net, link)
    for host in hosts:
        _check_reach(host, [other.address for other in hosts if other is not host])
    return Network(
        "mininet", hosts, link, itertools.count(FIRST_PORT).__next__, qdiscs=tuple(sorted(qdiscs))
    )


def _as_mininet_takes(link: Link) -> dict[str, Any]:
    """Mininet takes a delay or loss of 0 for none, and leaves netem out; a delay in words it
    takes as it is."""
    return {
        "bw": link.bandwidth,
        "delay": f"{abs(link.delay or 0):g}ms" if link.delayed else None,
        "loss": link.loss or None,
    }


def _check_shaping(net: Any, link: Link) -> set[str]:
    """The kinds of qdiscs that all ends have. Mininet goes on when ``tc`` fails; a result must
    not claim a link that is not there."""
    wanted = {"htb"} if link.bandwidth is not None else set()
    wanted |= {"netem"} if link.delayed else set()
    found: set[str] = set()
    for end in (end for each in net.links for end in (each.intf1, each.intf2)):
        active = set(re.findall(r"^qdisc (\S+)", end.cmd(f"tc qdisc show dev {end.name}"), re.M))
        missing = wanted - active
        if missing:
            raise ShapingUnavailable(
                f"{end.name}: {', '.join(sorted(missing))} was not accepted by the kernel"
            )
        found |= active
    return found


_REACH = """
import socket, sys
for address in sys.argv[2:]:
    try:
        socket.create_connection((address, 1), float(sys.argv[1])).close()
    except ConnectionRefusedError:
        pass
"""


def _check_reach(host: Host, others: list[str]) -> None:
    """A refused connection has been there and back. Firewalls on bridges are silent."""
    command = [*host.prefix, sys.executable, "-S", "-c", _REACH, str(REACH_TIMEOUT), *others]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        said = (done.stderr.strip().splitlines() or [""])[-1]
        raise NetworkUnavailable(
            f"{host.name} cannot reach its peers over the bridge ({said}); if"
            " `sysctl net.bridge.bridge-nf-call-iptables` is 1, the firewall drops it"
        )


def _take_down(built: list[Any]) -> None:
    """By name, not by ``net.stop()``, which trips over a network that is half built, and
    which takes away the interfaces by which stray processes in a host are recognised."""
    still_there = leftovers.clean(of=os.getpid())
    for net in built:
        for node in (*net.hosts, *net.switches):
            with contextlib.suppress(OSError, ValueError):
                node.terminate()
    if still_there:
        left = ", ".join(str(leftover) for leftover in still_there)
        raise OSError(errno.EBUSY, f"could not be taken away: {left}")
