"""A link is measured from one end; the other end only sends back."""

import socket
import threading
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from dramaturg.hosts import interfaces, link_probe
from dramaturg.hosts.interfaces import Interface, NoSuchAddress
from dramaturg.hosts.link_probe import Echo, Unreached


def test_a_link_has_a_round_trip_and_a_bandwidth() -> None:
    echo = Echo("127.0.0.1")
    try:
        seen = link_probe.measure("127.0.0.1", "127.0.0.1", echo.udp, echo.tcp)
    finally:
        echo.close()
    assert 0 < seen.fastest_ms <= seen.median_ms
    assert seen.mbit > 0
    assert seen.packets >= seen.lost


def test_where_nothing_comes_back_both_ends_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(link_probe, "WITHIN", 0.001)
    monkeypatch.setattr(link_probe, "PINGS", 5)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as mute:
        mute.bind(("127.0.0.1", 0))
        echo = Echo("127.0.0.1")
        try:
            with pytest.raises(Unreached, match=r"from 127\.0\.0\.1 to 127\.0\.0\.1.*firewall"):
                link_probe.measure("127.0.0.1", "127.0.0.1", mute.getsockname()[1], echo.tcp)
        finally:
            echo.close()


def test_a_link_that_is_slow_is_measured_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(link_probe, "_CONNECTED", 0.5)
    echo = Echo("127.0.0.1")

    def slowly() -> None:
        one, _ = taken.accept()
        time.sleep(1.5)
        with one:
            many = 0
            while piece := one.recv(1 << 20):
                many += len(piece)
            one.sendall(b"%d" % many)

    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        threading.Thread(target=slowly, daemon=True).start()
        try:
            seen = link_probe.measure("127.0.0.1", "127.0.0.1", echo.udp, taken.getsockname()[1])
        finally:
            echo.close()
    assert seen.mbit > 0


def test_the_interface_of_an_address_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    found = interfaces.found(None, "127.0.0.1")
    assert not found.is_counted, "loopback does not tell who sent what"
    assert interfaces.found(found.name, None).name == found.name
    monkeypatch.setenv("SSH_CONNECTION", "192.0.2.1 5 127.0.0.1 22")
    assert interfaces.found(None, None) == found
    assert interfaces.carries_control(found)


@pytest.mark.parametrize(
    ("interface", "address", "said"),
    [
        ("no-such0", None, "no interface 'no-such0'"),
        (None, "192.0.2.77", r"no address 192\.0\.2\.77"),
        (None, None, "nobody said which address"),
    ],
)
def test_what_a_host_has_not_is_said_with_what_it_has(
    interface: str | None, address: str | None, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SSH_CONNECTION", raising=False)
    with pytest.raises(NoSuchAddress, match=said):
        interfaces.found(interface, address)


NODES = Interface("dtnodes", "192.0.2.1")


@pytest.fixture
def addresses(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Two interfaces have these, one of which carries a VLAN; each has one of its link alone."""

    def of(*each: str) -> list[SimpleNamespace]:
        families = {False: socket.AF_INET, True: socket.AF_INET6}
        return [SimpleNamespace(family=families[":" in one], address=one) for one in each]

    there = {
        "dtnodes": of("192.0.2.1", "fe80::1%dtnodes"),
        "dtnodes:1": of("192.0.2.2"),
        "dtnodes.10": of("198.51.100.1"),
        "dtother": of("203.0.113.1", "fe80::1%dtother"),
    }
    monkeypatch.setattr(interfaces.psutil, "net_if_addrs", lambda: there)
    monkeypatch.setattr(interfaces, "SYS", tmp_path)
    (tmp_path / "dtnodes.10" / "lower_dtnodes").mkdir(parents=True)


@pytest.mark.usefixtures("addresses")
@pytest.mark.parametrize(
    ("came_to", "carries"),
    [
        ("192.0.2.1", True),
        ("192.0.2.2", True),
        ("fe80::1%dtnodes", True),
        ("198.51.100.1", True),
        ("203.0.113.99", True),
        ("203.0.113.1", False),
        ("fe80::1%dtother", False),
    ],
)
def test_control_is_elsewhere_only_if_it_came_to_another_interface_of_this_host(
    came_to: str, carries: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSH_CONNECTION", f"192.0.2.9 5 {came_to} 22")
    assert interfaces.carries_control(NODES) is carries
    assert interfaces.carries_control(interfaces.found("dtnodes:1", None)) is carries


@pytest.mark.usefixtures("addresses")
def test_the_interface_of_an_address_with_a_label_is_the_one_that_has_counters() -> None:
    for named in (("dtnodes:1", None), (None, "192.0.2.2")):
        assert interfaces.found(*named) == Interface("dtnodes", "192.0.2.2")
