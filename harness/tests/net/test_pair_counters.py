"""Traffic from one host to another is counted apart from that to all others, with its payload."""

import functools
import socket
import struct
import threading
import time
from collections.abc import Iterator

import pytest

from dramaturg.machine import capabilities
from dramaturg.net import links, pair_counters, topology
from dramaturg.net.pair_counters import PairCounters, PairsUncounted, Way, Ways, since
from dramaturg.net.topology import Network

WHY_NOT = capabilities.probe().why_no_mininet
needs_mininet = pytest.mark.skipif(bool(WHY_NOT), reason=f"no emulated network: {WHY_NOT}")

FRAME = 1000 + 14 + 20 + 8
"""Bytes of a datagram of 1000, with its headers."""

PATIENCE = 10
"""Seconds in which a frame has reached the switch."""

UNACKED, BYTES_SENT = slice(24, 28), slice(200, 208)
"""Places in the kernel's tcp_info: segments that are not acknowledged, and bytes that were sent,
those that were sent again among them."""


@pytest.fixture(scope="module")
def network() -> Iterator[Network]:
    with topology.mininet(3) as opened:
        if opened.ways() is None:
            pytest.skip(opened.uncounted)
        yield opened


def look(network: Network) -> Ways:
    counted = network.ways()
    assert counted is not None
    return counted


def pid(network: Network, host: int) -> int:
    return int(network.hosts[host].prefix[-1])


@needs_mininet
def test_each_ordered_pair_of_hosts_has_a_count_of_its_own(network: Network) -> None:
    sockets = links.opened([(pid(network, n), network.hosts[n].address) for n in range(3)])
    before = look(network)
    for sender, receiver, many in ((1, 2, 20), (2, 1, 3), (0, 2, 7)):
        for _ in range(many):
            sockets[sender].sendto(bytes(1000), sockets[receiver].getsockname())
            sockets[receiver].recv(2000)
    now = look(network)
    for each in sockets:
        each.close()
    nothing = Way()
    assert since(now, before) == (
        (nothing, nothing, Way(7 * FRAME, 7, 7_000)),
        (nothing, nothing, Way(20 * FRAME, 20, 20_000)),
        (nothing, Way(3 * FRAME, 3, 3_000), nothing),
    )


@needs_mininet
def test_a_connection_has_what_was_written_and_acknowledgements_have_nothing(
    network: Network,
) -> None:
    written = 100_000
    listens = links._inside(
        pid(network, 0), functools.partial(socket.create_server, (network.hosts[0].address, 0))
    )
    before = look(network)
    out = links.connected(pid(network, 1), listens.getsockname(), PATIENCE)
    into, _ = listens.accept()
    reading = threading.Thread(target=_read, args=(into, written))
    reading.start()
    out.sendall(bytes(written))
    reading.join()
    until = time.monotonic() + PATIENCE
    while int.from_bytes((info := _info(out))[UNACKED], "little") and time.monotonic() < until:
        time.sleep(0.01)
    there, back = (since(look(network), before)[s][r] for s, r in ((1, 0), (0, 1)))
    for each in (out, into, listens):
        each.close()
    assert there.payload == int.from_bytes(info[BYTES_SENT], "little") >= written
    assert there.bytes == pytest.approx(written + 66 * there.packets, abs=100), "and the handshake"
    assert back.packets > 0 and back.payload == 0


def _read(into: socket.socket, many: int) -> None:
    while many > 0:
        many -= len(into.recv(65_536))


def _info(connection: socket.socket) -> bytes:
    return connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 256)


def ipv4(transport: int, rest: bytes, options: int = 0, place: int = 0, length: int = -1) -> bytes:
    """A packet to nobody, as it is behind Ethernet's header: with so many bytes of options, its
    flags and place as a fragment, and the length that it tells, if not its own."""
    whole = 20 + options + len(rest)
    head = struct.pack(
        ">BBHHHBBH4s4s",
        0x40 | (20 + options) // 4, 0, whole if length < 0 else length, 1, place, 64, transport, 0,
        bytes((192, 0, 2, 1)), bytes((192, 0, 2, 2)),
    )  # fmt: skip
    return head + bytes(options) + rest


def tcp(many: int, options: int = 0) -> bytes:
    return ipv4(6, tcp_header(options) + bytes(many))


def tcp_header(options: int = 0) -> bytes:
    return struct.pack(">HHIIBBHHH", 9, 9, 1, 1, (20 + options) // 4 << 4, 16, 99, 0, 0) + bytes(
        options
    )


def udp(many: int) -> bytes:
    return struct.pack(">HHHH", 9, 9, 8 + many, 0) + bytes(many)


IPV4, IPV6, ARP = 0x0800, 0x86DD, 0x0806

FRAMES = {
    "an acknowledgement": (IPV4, tcp(0), 0),
    "one with time stamps": (IPV4, tcp(0, options=12), 0),
    "a byte that wakes": (IPV4, tcp(1, options=12), 1),
    "a byte without time stamps": (IPV4, tcp(1), 1),
    "the longest headers": (IPV4, ipv4(6, tcp_header(40) + bytes(17), options=40), 17),
    "an acknowledgement in a datagram": (IPV4, ipv4(17, udp(5)), 5),
    "a datagram with options": (IPV4, ipv4(17, udp(100), options=8), 100),
    "an empty datagram": (IPV4, ipv4(17, udp(0)), 0),
    "the first fragment": (IPV4, ipv4(17, udp(992), place=0x2000), 992),
    "a later fragment": (IPV4, ipv4(17, bytes(1000), place=0x2000 | 125), 1000),
    "a later fragment of TCP's": (IPV4, ipv4(6, b"\xff" * 100, place=25), 100),
    "one that may not be cut": (IPV4, ipv4(17, udp(9), place=0x4000), 9),
    "one that is yet to be cut": (IPV4, ipv4(6, tcp_header(12) + bytes(1000), length=0), 1000),
    "an echo": (IPV4, ipv4(1, bytes(8 + 56)), 64),
    "half a header of IPv4": (IPV4, ipv4(6, b"")[:10], 0),
    "less of it": (IPV4, ipv4(6, b"")[:6], 0),
    "IPv4 that is shorter than it says": (IPV4, b"\x4f" + ipv4(17, b"")[1:], 0),
    "half a header of UDP": (IPV4, ipv4(17, bytes(4)), 0),
    "half a header of TCP": (IPV4, ipv4(6, tcp_header()[:12]), 0),
    "TCP that is shorter than it says": (IPV4, ipv4(6, tcp_header(40)[:20]), 0),
    "a question for an address": (ARP, bytes(28), 0),
    "another protocol": (IPV6, b"\x60" + bytes(39) + udp(100), 0),
}  # fmt: skip


@needs_mininet
def test_each_kind_of_frame_has_the_bytes_behind_its_headers(network: Network) -> None:
    sender, receiver = (links._inside(pid(network, n), _raw) for n in (0, 2))
    addresses = receiver.getsockname()[4] + sender.getsockname()[4]
    before, counted = look(network), {}
    for name, (protocol, rest, _) in FRAMES.items():
        frame = addresses + protocol.to_bytes(2, "big") + rest
        sender.send(frame)
        until = time.monotonic() + PATIENCE
        while look(network)[0][2].packets == before[0][2].packets and time.monotonic() < until:
            time.sleep(0.001)
        way = since(look(network), before)[0][2]
        before = look(network)
        assert (way.bytes, way.packets) == (len(frame), 1), f"{name} is counted as a frame"
        counted[name] = way.payload
    sender.close()
    receiver.close()
    assert counted == {name: payload for name, (_, _, payload) in FRAMES.items()}


def _raw() -> socket.socket:
    """A socket for frames, at the one link of the host that makes it; it hears of none."""
    made = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 0)
    (link,) = (name for _, name in socket.if_nameindex() if name != "lo")
    made.bind((link, 0))
    return made


def test_a_kernel_that_does_not_count_them_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pair_counters.platform, "machine", lambda: "pdp11")
    with pytest.raises(PairsUncounted, match="no number here for pdp11"):
        PairCounters(["lo"], ["02:00:00:00:00:01"])


def test_hosts_that_cannot_be_told_apart_are_not_counted() -> None:
    with pytest.raises(PairsUncounted, match="end alike"):
        PairCounters(["one", "two"], ["02:00:00:00:00:01", "04:00:00:00:00:01"])


def test_the_loopback_device_has_no_pairs() -> None:
    with topology.loopback(2) as network:
        assert network.ways() is None
