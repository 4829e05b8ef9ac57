"""Hosts on one Linux bridge, each in a network namespace of its own, or none of that. Hosts
that are machines of their own are the same to whoever uses them (hosts/real_network.py).

The control plane does not cross the emulated network: Unix domain sockets are
found through the file system, which network namespaces share.

The whole of it may also run inside User-Mode Linux (guest.py), whose kernel has netem and htb:
then the network says so.
"""

import contextlib
import errno
import itertools
import os
import re
import threading
import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from dramaturg.machine import capabilities, usermode
from dramaturg.net import leftovers, link_counters, links, pair_counters, private
from dramaturg.net.unavailable import NetworkUnavailable
from dramaturg.processes import interrupts

FIRST_PORT = 20_000
"""Inside a host all ports are free; this one is below the range of outgoing connections."""

REACH_TIMEOUT = 20.0
"""Seconds until a host must have reached its peers: dozens of retransmissions on a lossy link."""

MAX_BANDWIDTH = 1000
"""Mbit/s: Mininet's TCIntf ignores what is above it, so it is refused here."""

MAX_DELAY = 2_000
"""Milliseconds, one way: there and back are two, and a host must reach its peers in time."""

ONE_WAY = "one way, host to host"
"""The meaning of delay and loss: the qdisc of the sender has them, and no other on the way."""

MAX_HOSTS = 99
"""More would make names of interfaces longer than Linux allows."""


class ShapingUnavailable(NetworkUnavailable):
    """A link cannot be given the bandwidth, delay or loss that was asked for."""


@dataclass(frozen=True, slots=True)
class Link:
    """The link between two hosts, in both directions alike.

    ``bandwidth`` in Mbit/s, of each host's link to the switch, either way. ``delay`` in
    milliseconds and ``loss`` in percent are one way, host to host: a delay of 5 ms makes a round
    trip of 10 ms. A delay or loss of 0 has the same qdiscs as any other one; None has none.
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
        """True if netem is asked for, even to delay and lose nothing."""
        return self.delay is not None or self.loss is not None

    def asked(self) -> dict[str, float]:
        """The properties that are changed, by name."""
        return {name: value for name, value in asdict(self).items() if value is not None}

    def require(self) -> None:
        """Raises ShapingUnavailable if this kernel cannot do it."""
        able = capabilities.probe()
        if self.bandwidth and not able.has("htb"):
            raise ShapingUnavailable(f"bandwidth {self.bandwidth:g}: {able['htb'].explanation}")
        if self.delayed and not able.has("netem"):
            asked = ", ".join(f"{name} {value:g}" for name, value in self.asked().items())
            raise ShapingUnavailable(
                f"link with {asked}: {able['netem'].explanation}; {elsewhere()}"
            )


CLEAN = Link()
"""Nothing is asked of it: as fast as the machine can."""


def elsewhere() -> str:
    """Say where to find what this kernel, or this user, lacks."""
    kernel, why_not = usermode.find()
    if kernel is not None:
        return "`bench` and `certify` run it inside User-Mode Linux with `--kernel uml`"
    return f"User-Mode Linux has it, but: {why_not}"


@dataclass(frozen=True, slots=True)
class Host:
    """A place for one node. ``prefix`` goes before its command line."""

    name: str
    address: str
    prefix: tuple[str, ...] = ()


@dataclass(frozen=True)
class Network:
    """Hosts that reach each other."""

    kind: Literal["mininet", "uml", "loopback", "hosts"]
    """Mininet on this machine's own kernel, or inside User-Mode Linux; hosts of a cluster."""
    hosts: tuple[Host, ...]
    link: Link
    _port: Callable[[], int]
    note: str = ""
    """The reason why it is not what one would expect, for whoever reads the result."""
    qdiscs: tuple[str, ...] = ()
    """Kinds of queueing disciplines that some end of a link was seen to have."""
    measured: dict[str, list[float]] = field(default_factory=dict)
    """The delay of each host's link, measured before anything else, in milliseconds, one way:
    ``zero_ms`` without delay, ``delay_ms``, the fastest packet's time beyond that, and
    ``median_ms``, which half of them do not exceed."""
    _counters: Callable[[], links.Lost] | None = None
    uncounted: str = ""
    """The reason why nothing counts what goes from one host to another; empty if something does."""
    _wire: Callable[[], link_counters.Wire] | None = None
    _ways: Callable[[], pair_counters.Ways] | None = None
    _ends: tuple[str, ...] = ()
    """The switch's end of each host's link."""
    about: Mapping[str, Any] = field(default_factory=dict)
    """Further facts of it for results."""
    others_speak: bool = False
    """True if traffic of no node crosses its links as well: control, or other programs."""
    _down: Callable[[], list[int]] | None = None
    _places: Callable[[], list[tuple[str, int]]] | None = None

    def down(self) -> list[int]:
        """The hosts whose links carry nothing, by their numbers."""
        if self._down is not None:
            return self._down()
        return [number for number, end in enumerate(self._ends) if link_counters.is_down(end)]

    def lost(self) -> links.Lost | None:
        """Return what all links have lost so far; None if nothing counts it. Raises LinkOff."""
        return None if self._counters is None else self._counters()

    def wire(self) -> link_counters.Wire | None:
        """Return what has crossed each host's link so far; None if there are no links. Raises
        LinkOff."""
        return None if self._wire is None else self._wire()

    def ways(self) -> pair_counters.Ways | None:
        """Return what has gone from each host to each other one so far; None if nothing counts
        it."""
        return None if self._ways is None else self._ways()

    def endpoints(self) -> list[tuple[str, int]]:
        """An address and a port for each host; ports that no earlier call has given out, or at
        which nobody listens."""
        if self._places is not None:
            return self._places()
        return [(host.address, self._port()) for host in self.hosts]

    def describe(self) -> dict[str, Any]:
        """As results keep it."""
        text: dict[str, Any] = {"kind": self.kind, "nodes": len(self.hosts)} | self.link.asked()
        text |= {"direction": ONE_WAY} if self.link.delayed else {}
        text |= {"qdiscs": list(self.qdiscs)} if self.qdiscs else {}
        text |= {"offloads": "off"} if self.kind in ("mininet", "uml") else {}
        text |= self.about
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
def mininet(n: int, link: Link = CLEAN) -> Iterator[Network]:
    """``n`` Mininet hosts on one ``LinuxBridge``, each behind a ``TCLink``, without offloads: a
    packet is what the wire would have, and what a qdisc counts.

    Leaving it, in whatever way, takes everything away again. Raises
    NetworkUnavailable or ShapingUnavailable before anything is built if it is known
    that it cannot be, ``links.LinkOff`` where its links are measured to be others than were
    asked for, and RuntimeError for a second network in the same process: two emulations would
    measure each other.
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
        with contextlib.ExitStack() as stack:
            yield _build(n, link, built, stack)
    finally:
        with interrupts.held():
            _take_down(built)
            _one_at_a_time.release()


def _build(n: int, link: Link, built: list[Any], stack: contextlib.ExitStack) -> Network:
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
        near, far = _as_mininet_takes(link)
        net.addLink(host, switch, params1=near, params2=far)
    net.start()
    hosts = tuple(
        Host(f"h{number}", host.IP(), ("mnexec", "-a", str(host.pid)))
        for number, host in enumerate(net.hosts)
    )
    _switch_offloads_off(net)
    qdiscs = _check_shaping(net, link)
    _check_reach(net)
    prefixes = [host.prefix for host in hosts]
    ends = tuple(each.intf2.name for each in net.links)
    counters = link_counters.Counters(ends)
    stack.callback(counters.close)
    pairs, uncounted = _pair_counters(net, ends, stack)
    return Network(
        "uml" if usermode.inside() else "mininet",
        hosts,
        link,
        itertools.count(FIRST_PORT).__next__,
        note=usermode.DECIDES if usermode.inside() else "",
        qdiscs=tuple(sorted(qdiscs)),
        measured=_measured(net, link) if link.delayed and n > 1 else {},
        _counters=(
            (lambda: links.counted(links.asked_of(prefixes, ("tc", "-s", "-j", "qdisc", "show"))))
            if link.delayed
            else None
        ),
        uncounted=uncounted,
        _wire=counters.look,
        _ways=pairs.look if pairs else None,
        _ends=ends,
    )


def _pair_counters(
    net: Any, ends: tuple[str, ...], stack: contextlib.ExitStack
) -> tuple[pair_counters.PairCounters | None, str]:
    """Return the counters of pairs, if the kernel takes them, or the reason why not."""
    hardware = [each.intf1.MAC() for each in net.links]
    try:
        pairs = pair_counters.PairCounters(ends, hardware)
    except pair_counters.PairsUncounted as why:
        return None, str(why)
    stack.callback(pairs.close)
    return pairs, ""


def _as_mininet_takes(link: Link) -> tuple[dict[str, Any], dict[str, Any]]:
    """For a host's end, and for the switch's. Netem is at the host's alone, so that delay and
    loss are one way, from host to host; at first without delay, which comes with ``_delayed``.

    Mininet takes a delay or loss of 0 for none, and leaves netem out; a delay in words it takes
    as it is.
    """
    near = {
        "bw": link.bandwidth,
        "delay": "0ms" if link.delayed else None,
        "loss": link.loss or None,
        "max_queue_size": _queue(link) if link.delayed else None,
    }
    return near, {"bw": link.bandwidth}


def _queue(link: Link) -> int:
    return links.queue_limit(link.bandwidth or MAX_BANDWIDTH, link.delay or 0)


def _switch_offloads_off(net: Any) -> None:
    """On every end. Raises NetworkUnavailable: packets of 64 KB would be counted as one."""
    for end in _ends(net):
        said = end.cmd(f"ethtool -K {end.name} tso off gso off gro off && echo done")
        if said.split()[-1:] != ["done"]:
            raise NetworkUnavailable(f"{end.name}: offloads stay on ({' '.join(said.split())})")


def _check_shaping(net: Any, link: Link) -> set[str]:
    """The kinds of qdiscs that there are. Mininet goes on when ``tc`` fails; a result must not
    claim a link that is not there."""
    found: set[str] = set()
    hosts = {f"{host.name}-eth0" for host in net.hosts}
    for end in _ends(net):
        wanted = {"htb"} if link.bandwidth is not None else set()
        wanted |= {"netem"} if link.delayed and end.name in hosts else set()
        active = set(re.findall(r"^qdisc (\S+)", end.cmd(f"tc qdisc show dev {end.name}"), re.M))
        missing = wanted - active
        if missing:
            raise ShapingUnavailable(
                f"{end.name}: {', '.join(sorted(missing))} was not accepted by the kernel"
            )
        found |= active
    return found


def _ends(net: Any) -> list[Any]:
    return [end for each in net.links for end in (each.intf1, each.intf2)]


def _measured(net: Any, link: Link) -> dict[str, list[float]]:
    """Each host's link without delay, and then what it takes beyond that. Links that lose packets
    get some to lose. Raises LinkOff."""
    with contextlib.ExitStack() as stack:
        sockets = links.opened(_places(net))
        for each in sockets:
            stack.enter_context(each)
        zero = [way.fastest for way in links.one_way(sockets)]
        found = {"zero_ms": _rounded(zero)}
        if link.delay:
            for host in net.hosts:
                _delayed(host, link)
            most = [each + link.delay + links.allowed(link.delay) for each in zero]
            ways = links.one_way(sockets, link.delay, most)
            found["delay_ms"] = _rounded([way.fastest - zero[n] for n, way in enumerate(ways)])
            found["median_ms"] = _rounded([way.median - zero[n] for n, way in enumerate(ways)])
            links.check_delays(link.delay, found["delay_ms"])
        if link.loss:
            links.sound(sockets)
    return found


def _rounded(figures: list[float]) -> list[float]:
    return [round(figure, 3) for figure in figures]


def _delayed(host: Any, link: Link) -> None:
    """Give a host's netem its delay. Raises ShapingUnavailable."""
    end = f"{host.name}-eth0"
    parent = "parent 5:1" if link.bandwidth is not None else "root"
    loss = f" loss {link.loss:.5f}" if link.loss else ""
    asked = f"netem delay {link.delay}ms{loss} limit {_queue(link)}"
    said = host.cmd(f"tc qdisc change dev {end} {parent} handle 10: {asked} && echo done")
    if said.split()[-1:] != ["done"]:
        raise ShapingUnavailable(f"{end}: {asked} was not accepted ({' '.join(said.split())})")


def _check_reach(net: Any) -> None:
    """A refused connection has been there and back. Firewalls on bridges are silent."""
    for number, (address, why) in links.unreached(_places(net), REACH_TIMEOUT).items():
        raise NetworkUnavailable(
            f"h{number} cannot reach {address} over the bridge ({why}); if"
            " `sysctl net.bridge.bridge-nf-call-iptables` is 1, the firewall drops it"
        )


def _places(net: Any) -> list[tuple[int, str]]:
    """A process and the address of each host."""
    return [(host.pid, host.IP()) for host in net.hosts]


def _take_down(built: list[Any]) -> None:
    """Take it down by name, not by ``net.stop()``, which trips over a network that is half built,
    and which takes away the interfaces by which stray processes in a host are recognised."""
    still_there = leftovers.clean(of=os.getpid())
    for net in built:
        for node in (*net.hosts, *net.switches):
            with contextlib.suppress(OSError, ValueError):
                node.terminate()
    if still_there:
        left = ", ".join(str(leftover) for leftover in still_there)
        raise OSError(errno.EBUSY, f"could not be taken away: {left}")
