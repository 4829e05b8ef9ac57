"""Traffic from one host to another is counted apart from that to all others."""

import pytest

from dramaturg.machine import capabilities
from dramaturg.net import links, pair_counters, topology
from dramaturg.net.pair_counters import PairCounters, PairsUncounted, Way, since

WHY_NOT = capabilities.probe().why_no_mininet
needs_mininet = pytest.mark.skipif(bool(WHY_NOT), reason=f"no emulated network: {WHY_NOT}")

FRAME = 1000 + 14 + 20 + 8
"""Bytes of a datagram of 1000, with its headers."""


@needs_mininet
def test_each_ordered_pair_of_hosts_has_a_count_of_its_own() -> None:
    with topology.mininet(3) as network:
        before = network.ways()
        if before is None:
            pytest.skip(network.uncounted)
        pids = [int(host.prefix[-1]) for host in network.hosts]
        addresses = [host.address for host in network.hosts]
        sockets = links.opened(list(zip(pids, addresses, strict=True)))
        for sender, receiver, many in ((1, 2, 20), (2, 1, 3), (0, 2, 7)):
            for _ in range(many):
                sockets[sender].sendto(bytes(1000), sockets[receiver].getsockname())
                sockets[receiver].recv(2000)
        now = network.ways()
        for each in sockets:
            each.close()
        assert now is not None
        nothing = Way()
        assert since(now, before) == (
            (nothing, nothing, Way(7 * FRAME, 7)),
            (nothing, nothing, Way(20 * FRAME, 20)),
            (nothing, Way(3 * FRAME, 3), nothing),
        )


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
