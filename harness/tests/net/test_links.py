"""Links are held against what was asked for, before and after."""

import contextlib
import json
import os
import re
import socket
from collections.abc import Iterator
from fractions import Fraction
from math import comb

import pytest

from dramaturg.machine import capabilities
from dramaturg.net import leftovers, links, topology
from dramaturg.net.links import Expected, LinkOff, Lost
from dramaturg.net.topology import Link

WHY_NOT = capabilities.probe().why_no_mininet
needs_mininet = pytest.mark.skipif(bool(WHY_NOT), reason=f"no emulated network: {WHY_NOT}")


@pytest.mark.parametrize(
    ("asked", "measured"), [(0.5, 0.01), (0.5, 1.0), (5, 5.5), (100, 105), (100, 95)]
)
def test_a_delay_within_what_is_allowed_passes(asked: float, measured: float) -> None:
    links.check_delays(asked, [asked, measured])


@pytest.mark.parametrize(
    ("asked", "measured"), [(0.5, 1.01), (5, 5.51), (5, 4.49), (100, 105.1), (100, 94.9), (16, 0)]
)
def test_a_delay_that_is_off_names_host_asked_and_measured(asked: float, measured: float) -> None:
    with pytest.raises(LinkOff) as said:
        links.check_delays(asked, [asked, measured])
    assert f"delay {asked:g} ms was asked for, one way" in str(said.value)
    assert f"{measured:.2f} ms from h1" in str(said.value)
    assert "h0" not in str(said.value)


def test_a_queue_holds_rate_times_delay_in_the_smallest_packets() -> None:
    assert links.queue_limit(100, 0) == links.BASE_QUEUE
    for rate, delay in ((1000, 32), (10, 2000), (0.5, 100)):
        bits_on_the_way = rate * 1e6 * delay / 1e3
        assert links.queue_limit(rate, delay) * links.SMALLEST_FRAME * 8 >= bits_on_the_way
    near, _ = topology._as_mininet_takes(Link(delay=32))
    assert near["max_queue_size"] == links.queue_limit(topology.MAX_BANDWIDTH, 32)


def _exactly(packets: int, percent: int, low: int, high: int) -> Fraction:
    p = Fraction(percent, 100)
    return sum(
        (comb(packets, k) * p**k * (1 - p) ** (packets - k) for k in range(low, high + 1)),
        Fraction(0),
    )


@pytest.mark.parametrize(("packets", "percent"), [(40, 10), (200, 1), (300, 2), (300, 50)])
@pytest.mark.parametrize("among", [1, 30])
def test_a_right_loss_is_refused_as_seldom_as_is_said(
    packets: int, percent: int, among: int
) -> None:
    due = links.expected(percent, packets, among)
    refused = 1 - _exactly(packets, percent, due.low, due.high)
    assert refused <= Fraction(1, 100 * among) * Fraction(101, 100)
    # And no wider than it must be: each tail has its half.
    half = Fraction(1, 200 * among)
    assert due.low == 0 or _exactly(packets, percent, 0, due.low) >= half
    assert _exactly(packets, percent, due.high, packets) >= half
    assert due.confidence == pytest.approx(1 - 0.01 / among)


def test_without_loss_nothing_may_be_lost() -> None:
    due = links.expected(0, 10_000)
    links.check_lost(0, Lost(10_000, 0), due)
    with pytest.raises(LinkOff, match="a queue was too short"):
        links.check_lost(0, Lost(10_000, 1), due)


@pytest.mark.parametrize("lost", [0, 150, 251, 10_000])
def test_a_loss_that_is_off_names_asked_and_measured(lost: int) -> None:
    due = links.expected(2, 10_000)
    assert 160 < due.low < 200 < due.high < 240
    with pytest.raises(LinkOff, match=rf"loss 2 % was asked for.* of 10,000 packets {lost:,} were"):
        links.check_lost(2, Lost(10_000, lost), due)


def _said(**changed: object) -> str:
    netem = {"kind": "netem", "packets": 90, "drops": 7, "qlen": 3} | changed
    return json.dumps([{"kind": "noqueue", "packets": 5}, netem])


def test_what_tc_counts_in_each_host_is_added_up() -> None:
    assert links.counted([_said(), _said(packets=0, drops=1, qlen=0)]) == Lost(101, 8)


@pytest.mark.parametrize(
    "wrong",
    ["", "[", "{}", "[3]", "null", "[]", _said(drops=-1), _said(qlen="3"), _said(packets=None),
     _said(packets=True), json.dumps([{"kind": "netem"}])],
)  # fmt: skip
def test_counts_that_cannot_be_read_are_no_loss_of_nothing(wrong: str) -> None:
    with pytest.raises(LinkOff, match=r"cannot read what tc says|no netem"):
        links.counted([wrong])


def test_links_that_lose_get_packets_enough_to_be_seen_at_one_percent(
    pair: list[socket.socket],
) -> None:
    """A run of few packets may lose none by chance; with these, none is no chance any more."""
    links.sound(pair, packets=20)
    for each in pair:
        each.settimeout(1)
        assert [each.recv(64) for _ in range(10)] == [bytes(8)] * 10
        each.setblocking(False)
        with pytest.raises(BlockingIOError):
            each.recv(64)
    assert links.expected(1, links.SOUNDED, among=100).low > 0


@pytest.fixture
def pair() -> Iterator[list[socket.socket]]:
    with contextlib.ExitStack() as stack:
        yield [stack.enter_context(links._bound("127.0.0.1")) for _ in range(2)]


def test_the_fastest_packet_counts(pair: list[socket.socket]) -> None:
    ways = links.one_way(pair)
    assert all(0 < way.fastest <= way.median < 250 for way in ways)


def test_what_is_too_slow_is_given_all_tries_and_no_more(
    pair: list[socket.socket], monkeypatch: pytest.MonkeyPatch
) -> None:
    tried = []
    whole = links.time.perf_counter_ns
    monkeypatch.setattr(links.time, "perf_counter_ns", lambda: tried.append(1) or whole())
    links.one_way(pair, 0, [0.0, 1e9])
    assert len(tried) == 2 * (links.TRIES + links.ENOUGH)


def test_a_link_over_which_nothing_arrives_has_no_delay(
    pair: list[socket.socket], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(links, "SLACK", 0.001)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as mute:
        mute.bind(("127.0.0.1", 0))
        mute.connect(pair[0].getsockname())  # It takes from that one alone.
        with pytest.raises(LinkOff, match=r"^0 of [0-9]+ packets from h0 to the next host arrived"):
            links.one_way([pair[1], mute])


@needs_mininet
def test_packets_are_measured_in_the_hosts_themselves() -> None:
    with topology.mininet(3) as network:
        pids = [int(host.prefix[-1]) for host in network.hosts]
        places = [(pid, host.address) for pid, host in zip(pids, network.hosts, strict=True)]
        with contextlib.ExitStack() as stack:
            sockets = [stack.enter_context(each) for each in links.opened(places)]
            assert [each.getsockname()[0] for each in sockets] == [at for _, at in places]
            assert len(links.one_way(sockets)) == 3
        assert network.describe()["offloads"] == "off"
        for host in network.hosts:
            (said,) = links.asked_of([host.prefix], ("ethtool", "-k", _interface(host.name)))
            found = re.findall(r"^(?:tcp-seg|generic-seg|generic-rec).*: (\w+)", said, re.M)
            assert found == ["off"] * 3


@needs_mininet
def test_a_host_that_is_cut_off_is_named_with_whom_it_cannot_reach() -> None:
    with topology.mininet(3) as network:
        places = [(int(host.prefix[-1]), host.address) for host in network.hosts]
        assert links.unreached(places, 5) == {}
        down = ("ip", "link", "set", _interface("h1"), "down")
        links.asked_of([network.hosts[1].prefix], down)
        found = links.unreached(places, 0.5)
        assert set(found) == {0, 1, 2}
        assert found[0] == ("10.0.0.2", "no answer in 0.5 s")
        assert found[1] == ("10.0.0.1", "Network is unreachable")


def _interface(host: str) -> str:
    return f"{leftovers.prefix(os.getpid())}{host}-eth0"


def test_a_host_that_has_ended_cannot_be_entered() -> None:
    with pytest.raises(OSError, match="No such file"):
        links.opened([(2**22 + 1, "127.0.0.1")])


def test_expected_says_its_confidence() -> None:
    assert links.expected(5, 0) == Expected(0, 0, links.CONFIDENCE)
