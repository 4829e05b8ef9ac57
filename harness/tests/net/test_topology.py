"""Emulated networks: they carry what they promise, and leave nothing behind."""

import os
import random
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

from dramaturg.machine import capabilities
from dramaturg.net import leftovers, topology
from dramaturg.net.topology import Link, ShapingUnavailable
from dramaturg.net.unavailable import NetworkUnavailable

WHY_NOT = capabilities.probe().why_no_mininet
needs_mininet = pytest.mark.skipif(bool(WHY_NOT), reason=f"no emulated network: {WHY_NOT}")
needs_netem = pytest.mark.skipif(
    bool(WHY_NOT) or not capabilities.probe().has("netem"),
    reason=capabilities.probe()["netem"].explanation,
)
lacks_netem = pytest.mark.skipif(
    bool(WHY_NOT) or capabilities.probe().has("netem"), reason=WHY_NOT or "this kernel has netem"
)

SERVE = """
import socket, time
listener = socket.create_server(("0.0.0.0", 7000))
print("ready", flush=True)
connection, _ = listener.accept()
total, start = 0, time.monotonic()
while data := connection.recv(65536):
    total += len(data)
print(total * 8 / (time.monotonic() - start) / 1e6)
"""
SEND = """
import socket, sys
with socket.create_connection((sys.argv[1], 7000), 10) as connection:
    connection.sendall(bytes(5_000_000))
"""


@pytest.mark.parametrize(
    "wrong", [{"bandwidth": 0}, {"bandwidth": 1001}, {"delay": -1}, {"loss": 100}, {"loss": -1}]
)
def test_a_link_that_cannot_be_is_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(ValueError, match=r"must be in|or more"):
        Link(**wrong)


def test_loopback_gives_each_node_a_port_of_its_own() -> None:
    with topology.loopback(3, note="not root") as network:
        ports = [port for _, port in network.endpoints()]
        assert len(set(ports)) == 3
        assert network.describe() == {"kind": "loopback", "nodes": 3, "note": "not root"}


def test_a_delay_or_loss_of_0_has_the_shaper_of_any_other() -> None:
    """So that the first step of a curve is not that of a qdisc."""
    interface = pytest.importorskip("mininet.link").TCIntf
    for zero in (Link(delay=0), Link(loss=0), Link(delay=-0.0), Link(delay=0, loss=0)):
        taken, far = topology._as_mininet_takes(zero)
        assert set(far.values()) == {None}
        (command,), _ = interface.delayCmds(" root ", taken["delay"], loss=taken["loss"])
        assert "netem delay 0ms" in command
        # Else Mininet's config returns before it gets so far.
        assert taken["delay"]
    assert topology._as_mininet_takes(Link())[0]["delay"] is None


@needs_mininet
def test_a_network_says_which_qdiscs_its_links_have() -> None:
    with topology.mininet(2, Link(bandwidth=100)) as network:
        assert network.describe()["qdiscs"] == ["htb"]
    with topology.mininet(2) as network:
        assert network.describe()["qdiscs"] == ["noqueue"]


@needs_netem
def test_the_points_of_an_axis_have_the_same_qdiscs() -> None:
    def qdiscs(link: Link) -> list[str]:
        with topology.mininet(2, link) as network:
            return network.describe()["qdiscs"]

    links = (Link(delay=0), Link(delay=5), Link(loss=0), Link(loss=5))
    assert {tuple(qdiscs(link)) for link in links} == {("netem", "noqueue")}


@lacks_netem
def test_a_delay_of_0_is_refused_where_there_is_no_netem() -> None:
    with pytest.raises(ShapingUnavailable, match="link with delay 0"):
        Link(delay=0).require()


def test_names_carry_the_process_that_made_them() -> None:
    for pid in (1, 15064, 4_194_304):
        assert leftovers.owner(f"{leftovers.prefix(pid)}h12-eth0") == pid
        assert len(f"{leftovers.prefix(pid)}h{topology.MAX_HOSTS}-eth0") <= 15
        assert len(f"{leftovers.prefix(pid)}s-eth{topology.MAX_HOSTS}") <= 15


@pytest.mark.parametrize("name", ["eth0", "docker0", "dragon", "s1-eth1", "dr0000as1"])
def test_what_others_made_is_never_taken_for_ours(name: str) -> None:
    assert leftovers.owner(name) is None


@needs_mininet
def test_hosts_reach_each_other_and_nothing_is_left() -> None:
    with topology.mininet(3) as network:
        assert [host.address for host in network.hosts] == ["10.0.0.1", "10.0.0.2", "10.0.0.3"]
        seen = {
            subprocess.run(
                [*host.prefix, "readlink", "/proc/self/ns/net"],
                capture_output=True,
                check=True,
            ).stdout
            for host in network.hosts
        }
        assert len(seen) == 3
        assert leftovers.leftovers(of=os.getpid())
    assert leftovers.leftovers(of=os.getpid()) == []


@needs_mininet
def test_a_link_is_as_slow_as_it_was_ordered() -> None:
    with topology.mininet(2, Link(bandwidth=20)) as network:
        receiver, sender = network.hosts
        with subprocess.Popen(
            [*receiver.prefix, sys.executable, "-c", SERVE], stdout=subprocess.PIPE, text=True
        ) as server:
            assert server.stdout is not None
            assert server.stdout.readline() == "ready\n"
            command = [*sender.prefix, sys.executable, "-c", SEND, receiver.address]
            subprocess.run(command, check=True)
            measured = float(server.stdout.readline())
    assert 10 < measured < 25


@lacks_netem
@pytest.mark.parametrize("link", [Link(delay=5), Link(loss=1)])
def test_a_kernel_without_netem_is_named_before_anything_is_built(link: Link) -> None:
    with (
        pytest.raises(ShapingUnavailable, match=rf"{os.uname().release} lacks sch_netem"),
        topology.mininet(2, link),
    ):
        pass
    assert leftovers.leftovers(of=os.getpid()) == []


@needs_mininet
def test_an_exception_inside_leaves_nothing() -> None:
    with pytest.raises(ZeroDivisionError), topology.mininet(2):
        _ = 1 / 0
    assert leftovers.leftovers(of=os.getpid()) == []


@needs_mininet
def test_a_process_left_in_a_host_is_found_and_ended() -> None:
    with topology.mininet(1) as network:
        process = subprocess.Popen([*network.hosts[0].prefix, "sleep", "600"])
        deadline = time.monotonic() + 5
        while process.pid not in {left.pid for left in leftovers.leftovers(of=os.getpid())}:
            assert time.monotonic() < deadline
    assert process.wait(30) is not None


@needs_mininet
def test_two_networks_in_one_process_are_refused() -> None:
    with topology.mininet(1), pytest.raises(RuntimeError, match="already"), topology.mininet(1):
        pass


@needs_mininet
def test_two_processes_have_their_networks_at_once(tmp_path: Path) -> None:
    with _elsewhere(tmp_path) as other, topology.mininet(2):
        (tmp_path / "go").touch()
        assert other.wait(60) == 0


def test_too_many_hosts_are_refused() -> None:
    with pytest.raises(NetworkUnavailable, match="1 to 99"), topology.mininet(100):
        pass


@needs_mininet
@pytest.mark.parametrize("seed", range(8))
def test_an_interrupt_at_any_moment_leaves_nothing(tmp_path: Path, seed: int) -> None:
    with _elsewhere(tmp_path) as other:
        time.sleep(random.Random(seed).random() * 0.3)
        other.send_signal(signal.SIGINT)
        other.send_signal(signal.SIGINT)
        try:
            other.wait(60)
        finally:
            other.kill()
    assert leftovers.leftovers(of=other.pid) == []


@needs_mininet
def test_what_a_killed_harness_left_is_cleaned_by_the_next(tmp_path: Path) -> None:
    with _elsewhere(tmp_path) as other:
        while not (tmp_path / "up").exists():
            time.sleep(0.01)
        other.kill()
    assert leftovers.leftovers(of=other.pid)
    with topology.mininet(1):
        pass
    assert leftovers.leftovers(of=other.pid) == []


def _elsewhere(folder: Path) -> "subprocess.Popen[bytes]":
    """A process that holds a network until ``folder/go`` exists; returns once it builds."""
    program = f"""
        import pathlib, time
        from dramaturg.net import topology
        folder = pathlib.Path({str(folder)!r})
        topology.capabilities.probe()
        (folder / "started").touch()
        with topology.mininet(2):
            (folder / "up").touch()
            while not (folder / "go").exists():
                time.sleep(0.01)
    """
    process = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(program)], stderr=subprocess.DEVNULL
    )
    while not (folder / "started").exists() and process.poll() is None:
        time.sleep(0.005)
    return process
