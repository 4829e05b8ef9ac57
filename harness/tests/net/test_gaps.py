"""A gap between two hosts: what is lost in it, what goes on beside it, and that it closes."""

import subprocess
import sys
from collections.abc import Sequence

import pytest

from dramaturg.machine import capabilities
from dramaturg.net import gaps, topology
from dramaturg.net.topology import Host
from dramaturg.net.unavailable import NetworkUnavailable

needs_mininet = pytest.mark.skipif(
    bool(capabilities.probe().why_no_mininet), reason="no emulated network here"
)


ASK = """
import contextlib, socket, sys
with socket.socket() as asked, contextlib.suppress(ConnectionRefusedError):
    asked.settimeout(2.5)
    asked.connect((sys.argv[1], 9))
"""


def reaches(one: Host, other: Host) -> bool:
    """True if the other host refuses a connection: TCP asks again after a second."""
    command = [*one.prefix, sys.executable, "-c", ASK, other.address]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


def neighbours(hosts: Sequence[Host]) -> list[str]:
    command = ["ip", "neigh", "show", "nud", "permanent"]
    return [
        subprocess.run([*host.prefix, *command], capture_output=True, text=True, check=True).stdout
        for host in hosts
    ]


@needs_mininet
def test_in_a_gap_two_hosts_lose_each_other_and_no_one_else() -> None:
    with topology.mininet(3) as network:
        one, other, third = network.hosts
        before = neighbours(network.hosts)
        with gaps.between(one, other, seconds=60):
            assert not reaches(one, other)
            assert not reaches(other, one)
            assert reaches(one, third) and reaches(third, other)
        assert reaches(one, other)
        assert neighbours(network.hosts) == before


@needs_mininet
def test_a_gap_closes_when_its_time_is_over_and_when_what_is_done_fails() -> None:
    with topology.mininet(2) as network:
        one, other = network.hosts
        before = neighbours(network.hosts)
        with gaps.between(one, other, seconds=0.05):
            assert reaches(one, other), "what is sent again comes behind it"
        with pytest.raises(ZeroDivisionError), gaps.between(one, other, seconds=60):
            _ = 1 / 0
        assert neighbours(network.hosts) == before


def test_hosts_without_a_link_of_their_own_have_no_gap() -> None:
    place = Host("h0", "127.0.0.1")
    with (
        pytest.raises(NetworkUnavailable, match="link of their own"),
        gaps.between(place, place, 1),
    ):
        pass
