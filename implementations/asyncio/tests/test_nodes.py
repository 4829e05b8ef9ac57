"""Several nodes: messages between them, strangers, nodes that are lost (spec/distributed.md)."""

import asyncio
import contextlib
import hmac
import socket
from collections.abc import Iterator
from typing import Any

import pytest
from port_kit import Process

from asyncio_actors.benchmarks import table
from asyncio_actors.benchmarks.names import name
from asyncio_actors.benchmarks.payload import sum_of_results
from asyncio_actors.benchmarks.pingpong import Pong
from asyncio_actors.nodes import connections, frames, secret
from asyncio_actors.nodes.placement import home
from asyncio_actors.nodes.secret import CHALLENGE, CODE, Handshake, Stranger

SECRET = "0123456789abcdef"
PINGPONG = {"rounds": 100, "windows": 0, "window": 0, "shift": 0}
BIG = {"peers": 7, "rounds": 3, "windows": 0, "window": 0}
ENDLESS = {"rounds": 0, "windows": 2, "window": 60000, "shift": 0}


def free_ports(count: int) -> list[dict[str, Any]]:
    """Peers on loopback, at ports that nobody uses."""
    held = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    peers = [{"host": "127.0.0.1", "port": each.getsockname()[1]} for each in held]
    for each in held:
        each.close()
    return peers


class Cluster:
    """Several nodes in this process."""

    def __init__(self, nodes: int) -> None:
        self.peers = free_ports(nodes)
        self.nodes = [Process() for _ in range(nodes)]

    def prepare(self, benchmark: str, parameters: dict[str, Any], stranger: int = 0) -> Any:
        """Prepare the highest node first; return node 0's answer."""
        for node in reversed(range(len(self.nodes))):
            known = "another" if stranger and node == stranger else SECRET
            (answer,) = self.nodes[node].prepare(benchmark, parameters, node, self.peers, known)
        return answer

    def end(self) -> None:
        for node in self.nodes:
            node.end()


@pytest.fixture
def two() -> Iterator[Cluster]:
    cluster = Cluster(2)
    yield cluster
    cluster.end()


@pytest.fixture
def three() -> Iterator[Cluster]:
    cluster = Cluster(3)
    yield cluster
    cluster.end()


def test_a_run_over_two_nodes_twice(two: Cluster) -> None:
    for _ in range(2):
        assert "reply" in two.prepare("pingpong", PINGPONG)
        assert two.nodes[0].call("run", salt=1) == [{"end": True}]
        first, second = (node.receipt() for node in two.nodes)
        assert (first["done"]["arguments"][0], first["alive"]) == (100, 0)
        assert sorted(second) == ["alive", "teardown_nanos"]
        assert second["alive"] == 0


def test_a_mesh_over_three_nodes(three: Cluster) -> None:
    assert "reply" in three.prepare("big", BIG)
    assert three.nodes[0].call("run", salt=1) == [{"end": True}]
    counts = [node.call("trace")[-2]["item"]["footer"]["watched"] for node in three.nodes]
    assert counts == [1 + 3, 2, 2]
    assert [node.receipt()["alive"] for node in three.nodes] == [0, 0, 0]


def test_a_node_with_another_secret_is_refused_and_named(two: Cluster) -> None:
    answer = two.prepare("pingpong", PINGPONG, stranger=1)
    assert answer["error"].startswith("node 1 (127.0.0.1:")
    assert "secret" in answer["error"]


def test_a_node_that_does_not_listen_is_named(two: Cluster) -> None:
    (answer,) = two.nodes[0].prepare("pingpong", PINGPONG, 0, two.peers, SECRET)
    assert answer["error"].startswith("node 1 (127.0.0.1:")


def test_a_port_that_is_taken_is_named(two: Cluster) -> None:
    host, port = two.peers[1]["host"], two.peers[1]["port"]
    with socket.create_server((host, port)):
        (answer,) = two.nodes[1].prepare("pingpong", PINGPONG, 1, two.peers, SECRET)
    assert f"node 1 ({host}:{port}) cannot listen" in answer["error"]


def test_a_lost_node_ends_the_run_and_is_named(two: Cluster) -> None:
    two.prepare("pingpong", ENDLESS)
    run = two.nodes[0].begin("run", salt=1)
    two.nodes[1].disappear()
    two.nodes[0].rest()
    (answer,) = two.nodes[0].answers(run)
    assert answer["error"].startswith("node 1 (127.0.0.1:")
    assert "lost" in answer["error"]


def test_an_actor_that_fails_on_another_node_is_named_by_node_0(
    two: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Pong, "send", None)
    two.prepare("pingpong", PINGPONG)
    (answer,) = two.nodes[0].call("run", salt=1)
    assert answer["error"].startswith("pong/0 failed: TypeError: ")


# --- Strangers.


def attack(peer: dict[str, Any], *said: bytes) -> bytes:
    """Connect, say this, and read until the other end closes the connection."""
    with socket.create_connection((peer["host"], peer["port"]), timeout=10) as connection:
        heard = b""
        # The other end may have closed it before all of this was said, or heard.
        with contextlib.suppress(OSError):
            for each in said:
                connection.sendall(each)
            connection.shutdown(socket.SHUT_WR)
        with contextlib.suppress(ConnectionError):
            while data := connection.recv(4096):
                heard += data
        return heard


PING = frames.message(table.PONG_PING, name(table.PONG), name(table.PING), (0, 0))


@pytest.mark.parametrize(
    "said",
    [
        b"",
        PING,
        b"\x00\x00" + bytes(CHALLENGE + CODE) + PING,
        b"\xff\xff" + bytes(CHALLENGE) + hmac.digest(b"", b"", "sha256") + PING,
        b"GET / HTTP/1.1\r\n\r\n" * 5000,
    ],
    ids=["nothing", "a message", "no code", "another code", "much"],
)
def test_a_stranger_hears_a_challenge_and_reaches_nobody(two: Cluster, said: bytes) -> None:
    two.nodes[1].prepare("pingpong", PINGPONG, 1, two.peers, SECRET)
    heard = attack(two.peers[1], said)
    assert len(heard) in (0, CHALLENGE)
    assert two.nodes[1].call("trace")[0]["item"]["counts"]["taken"] == [0]
    assert "reply" in two.nodes[0].prepare("pingpong", PINGPONG, 0, two.peers, SECRET)[0]
    assert two.nodes[0].call("run", salt=1) == [{"end": True}]


def test_what_was_heard_once_opens_nothing_later(two: Cluster) -> None:
    """Somebody repeats, word for word, what a node has said when it connected."""
    two.nodes[1].prepare("pingpong", PINGPONG, 1, two.peers, SECRET)
    code = Handshake(0, SECRET)

    async def overhear() -> bytes:
        reader = asyncio.StreamReader()
        reader.feed_data(bytes(CHALLENGE))
        reader.feed_eof()
        said: list[bytes] = []

        class Writer:
            def write(self, data: bytes) -> None:
                said.append(data)

        with pytest.raises(Stranger):
            await code.connected(1, reader, Writer())  # type: ignore[arg-type]
        return said[0]

    heard = attack(two.peers[1], asyncio.run(overhear()) + PING)
    assert len(heard) in (0, CHALLENGE)
    assert two.nodes[1].call("trace")[0]["item"]["counts"]["taken"] == [0]


def test_who_listens_in_the_place_of_a_node_has_to_know_the_secret(two: Cluster) -> None:
    """It gets a code for a challenge of its own choice, and nothing else; sent back, that code
    is none of a listener."""
    heard: list[bytes] = []
    over = asyncio.Event()

    async def pretend(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(bytes(CHALLENGE))
        said = await reader.readexactly(2 + CHALLENGE + CODE)
        writer.write(said[-CODE:])
        heard.append(await reader.read())
        writer.close()
        over.set()

    async def listen() -> Any:
        peer = two.peers[1]
        async with await asyncio.start_server(pretend, peer["host"], peer["port"]):
            answers = await asyncio.to_thread(
                two.nodes[0].prepare, "pingpong", PINGPONG, 0, two.peers, SECRET
            )
            await asyncio.wait_for(over.wait(), 10)
            return answers

    (answer,) = asyncio.run(listen())
    assert "does not know the secret" in answer["error"]
    assert heard == [b""]


def test_who_says_nothing_is_not_waited_for_forever(
    two: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "PATIENCE", 0.1)
    two.nodes[1].prepare("pingpong", PINGPONG, 1, two.peers, SECRET)
    peer = two.peers[1]
    with socket.create_connection((peer["host"], peer["port"]), timeout=10) as connection:
        heard = b""
        while data := connection.recv(4096):
            heard += data
    assert len(heard) == CHALLENGE


def test_no_more_strangers_are_heard_than_may_be(
    two: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "UNKNOWN", 1)
    two.nodes[1].prepare("pingpong", PINGPONG, 1, two.peers, SECRET)
    address = two.peers[1]["host"], two.peers[1]["port"]
    with socket.create_connection(address, timeout=10) as first:
        assert len(first.recv(CHALLENGE)) == CHALLENGE
        with socket.create_connection(address, timeout=10) as second:
            assert second.recv(CHALLENGE) == b""


def test_a_node_that_too_many_strangers_keep_out_is_not_told_of_another_secret(
    two: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "UNKNOWN", 1)
    two.nodes[1].prepare("pingpong", PINGPONG, 1, two.peers, SECRET)
    address = two.peers[1]["host"], two.peers[1]["port"]
    with socket.create_connection(address, timeout=10) as stranger:
        assert len(stranger.recv(CHALLENGE)) == CHALLENGE
        (answer,) = two.nodes[0].prepare("pingpong", PINGPONG, 0, two.peers, SECRET)
    assert "too many connections" in answer["error"]


def test_a_code_is_of_one_place_only() -> None:
    """It depends on the role, both nodes, both challenges and the secret."""
    said = Handshake(0, SECRET)
    codes = {
        said._code(role, said._said(one, other, bytes(32), challenge))
        for role in (b"connector", b"listener")
        for one, other in ((0, 1), (1, 0), (0, 2))
        for challenge in (bytes(32), bytes(31) + b"\x01")
    }
    assert len(codes) == 12
    place = said._said(0, 1, bytes(32), bytes(32))
    assert Handshake(0, "another")._code(b"listener", place) not in codes
    assert len(next(iter(codes))) == secret.CODE


@pytest.mark.parametrize(
    ("actor", "nodes", "node"),
    [
        (name(table.PING), 2, 0),
        (name(table.PONG), 2, 1),
        (name(table.COORDINATOR), 3, 0),
        (name(table.PEER, 7), 3, 1),
        (name(table.RECEIVER), 4, 0),
        (name(table.SENDER, 3), 4, 1),
        (name(table.SENDER, 5), 4, 3),
        (name(table.WORKER, 9), 4, 0),
        (name(table.BROWSER, 0), 2, 1),
        (name(table.BROWSER, 8), 4, 3),
    ],
)
def test_everybody_lives_where_the_specification_says(actor: int, nodes: int, node: int) -> None:
    assert home(actor, nodes) == node


# --- ChatApp and broker.

CHATAPP = {
    "clients": 13, "directories": 4, "turns": 6, "compute": 10, "post": 50, "leave": 10,
    "invite": 30, "befriend": 50, "selection": 1, "fib_n": 3, "history": True, "seed": 42,
}  # fmt: skip


@pytest.mark.parametrize(
    ("actor", "node"),
    [
        (name(table.POKER), 0),
        (name(table.ACCUMULATOR, 5), 0),
        (name(table.DIRECTORY, 4), 1),
        (name(table.CLIENT, 3), 0),
        (name(table.CLIENT, 4), 1),
        (name(table.CLIENT, 12), 0),
        (name(table.CHAT, 11, 9), 2),
        (name(table.EMPLOYEE, 3), 2),
        (name(table.ROUTER), 0),
    ],
)
def test_friends_live_on_different_nodes(actor: int, node: int) -> None:
    assert home(actor, 3, directories=4) == node


def test_chatapp_over_three_nodes(three: Cluster) -> None:
    assert "reply" in three.prepare("chatapp", CHATAPP)
    assert three.nodes[0].call("run", salt=2**32 - 1)[-1:] == [{"end": True}]
    counts = [node.call("trace")[-2]["item"]["footer"]["watched"] for node in three.nodes]
    receipts = [node.receipt() for node in three.nodes]
    said = receipts[0]["chatapp"]
    assert [receipt["alive"] for receipt in receipts] == [0, 0, 0]
    assert said["confirms"] == 6
    assert said["announced"] == said["consumed"] > 0
    # Poker and accumulators; then directories 0 to 3, all clients, and a chat for each invite.
    assert sum(counts) == 1 + 6 + 4 + 13 + said["invites"]


def test_an_actor_that_is_born_on_the_wrong_node_ends_the_run(three: Cluster) -> None:
    assert "reply" in three.prepare("chatapp", CHATAPP)
    lead, other = (three.nodes[node]._port._world for node in (0, 1))
    assert lead._nodes is not None and other._nodes is not None
    birth = frames.message(frames.BIRTH, name(table.CLIENT, 12), name(table.DIRECTORY, 1), (7,))
    three.nodes[1]._loop.call_soon_threadsafe(other._nodes._links[0].write, birth)
    answer = three.nodes[0].call("run", salt=1)[-1]
    assert "the birth of client/12, who is not born here" in answer.get("error", "")


def test_what_node_0_sends_to_nobody_ends_the_run_too(two: Cluster) -> None:
    assert "reply" in two.prepare("broker", {"employees": 1, "tasks": 10**6, "size": 4})
    lead = two.nodes[0]._port._world
    assert lead._nodes is not None
    stray = frames.message(table.EMPLOYEE_GO, name(table.EMPLOYEE, 7), name(table.EMPLOYER), ())
    two.nodes[0]._loop.call_soon_threadsafe(lead._nodes._links[1].write, stray)
    answer = two.nodes[0].call("run", salt=1)[-1]
    assert "a message for employee/7, which does not live here" in answer.get("error", "")
    assert "(seen by node 1)" in answer["error"]


@pytest.mark.parametrize("size", [4, 65_535, 65_537, 300_000])
def test_a_payload_crosses_whole(two: Cluster, size: int) -> None:
    assert "reply" in two.prepare("broker", {"employees": 2, "tasks": 3, "size": size})
    assert two.nodes[0].call("run", salt=9) == [{"end": True}]
    assert two.nodes[0].receipt()["done"]["arguments"][-1] == sum_of_results(9, 3, size)
    assert two.nodes[1].receipt()["alive"] == 0
