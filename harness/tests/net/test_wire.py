"""The counters of links are read at the switch's ends, and each direction is told apart."""

from pathlib import Path

import pytest

from dramaturg.machine import capabilities
from dramaturg.net import links, topology
from dramaturg.net.link_counters import Counters, End, since
from dramaturg.net.links import LinkOff

WHY_NOT = capabilities.probe().why_no_mininet
needs_mininet = pytest.mark.skipif(bool(WHY_NOT), reason=f"no emulated network: {WHY_NOT}")


def counters(folder: Path, **figures: tuple[int, int, int, int]) -> Counters:
    """The counters of interfaces with these figures: bytes and packets received, bytes and packets
    sent."""
    for end, values in figures.items():
        there = folder / end / "statistics"
        there.mkdir(parents=True, exist_ok=True)
        for name, value in zip(
            ("rx_bytes", "rx_packets", "tx_bytes", "tx_packets"), values, strict=True
        ):
            (there / name).write_text(f"{value}\n")
    return Counters(list(figures), folder)


def test_what_the_switch_receives_a_host_has_sent(tmp_path: Path) -> None:
    of = counters(tmp_path, one=(100, 2, 30, 1), two=(7, 1, 8, 2))
    assert of.look() == (End(100, 2, 30, 1), End(7, 1, 8, 2))
    (tmp_path / "one" / "statistics" / "rx_bytes").write_text("1100\n")
    now = of.look()
    assert now[0].sent_bytes == 1100, "a look reads again what is open"
    assert since(now, (End(100, 2, 30, 1), End(7, 1, 8, 2))) == (End(1000, 0, 0, 0), End())
    of.close()
    of.close()


def test_a_counter_that_is_not_there_is_a_fault_and_not_nothing(tmp_path: Path) -> None:
    with pytest.raises(LinkOff, match="has no counters"):
        Counters(["nobody"], tmp_path)
    of = counters(tmp_path, one=(1, 1, 1, 1))
    (tmp_path / "one" / "statistics" / "tx_bytes").write_text("many\n")
    with pytest.raises(LinkOff, match="cannot be read"):
        of.look()


def test_the_loopback_device_counts_for_nobody() -> None:
    with topology.loopback(2) as network:
        assert network.wire() is None


@needs_mininet
def test_what_one_host_sends_to_another_is_counted_at_both() -> None:
    with topology.mininet(3) as network:
        pids = [int(host.prefix[-1]) for host in network.hosts]
        addresses = [host.address for host in network.hosts]
        sockets = links.opened(list(zip(pids, addresses, strict=True)))
        before = network.wire()
        assert before is not None
        for _ in range(20):
            sockets[1].sendto(bytes(1000), sockets[2].getsockname())
            sockets[2].recv(2000)
        now = network.wire()
        for each in sockets:
            each.close()
        assert now is not None
        first, second, third = since(now, before)
        size = 20 * (1000 + 14 + 20 + 8)
        assert size <= second.sent_bytes <= size + 2000 and second.sent_packets >= 20
        assert size <= third.received_bytes <= size + 2000 and third.received_packets >= 20
        assert max(first.sent_bytes, first.received_bytes, third.sent_bytes) < 2000
