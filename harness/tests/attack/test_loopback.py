"""Nodes on loopback: nobody who is not one of them reaches them."""

import socket
import subprocess
import sys
from collections.abc import Iterator

import pytest

from dramaturg.net import topology
from dramaturg.net.unavailable import NetworkUnavailable

LISTEN = """
import socket, sys
listener = socket.create_server(("0.0.0.0", int(sys.argv[1])))
print("listening", flush=True)
while True: listener.accept()[0].close()
"""
CONNECT = "import socket, sys; socket.create_connection(('127.0.0.1', int(sys.argv[1])), 5)"


@pytest.fixture
def network() -> Iterator[topology.Network]:
    try:
        with topology.loopback(2) as made:
            yield made
    except NetworkUnavailable as error:
        pytest.skip(f"not run: {error}")


def test_a_stranger_does_not_get_in_and_a_node_does(network: topology.Network) -> None:
    (_, port), _ = network.endpoints()
    one, other = network.hosts
    command = [*one.prefix, sys.executable, "-S", "-c", LISTEN, str(port)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as listener:
        try:
            assert listener.stdout is not None
            assert listener.stdout.readline() == b"listening\n"
            command = [*other.prefix, sys.executable, "-S", "-c", CONNECT, str(port)]
            assert subprocess.run(command, check=False).returncode == 0
            with pytest.raises(ConnectionRefusedError):
                socket.create_connection(("127.0.0.1", port), 5)
        finally:
            listener.kill()


def test_where_there_can_be_no_namespace_nothing_is_run(monkeypatch: pytest.MonkeyPatch) -> None:
    from dramaturg.net import private

    monkeypatch.setattr(private, "_HOLD", "echo no; exit 1")
    with (
        pytest.raises(NetworkUnavailable, match="need a network namespace of their own"),
        topology.loopback(2),
    ):
        pass
