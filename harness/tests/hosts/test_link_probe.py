"""A link is measured from one end; the other end only sends back."""

import socket

import pytest

from dramaturg.hosts import interfaces, link_probe
from dramaturg.hosts.interfaces import NoSuchAddress
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
