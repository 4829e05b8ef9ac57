"""Strangers who repeat what nodes of another world had said (DIST-6)."""

import contextlib
import socket
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from dramaturg.cases.cases import CaseError, load_file
from dramaturg.conformance import case_run, playback
from dramaturg.conformance.playback import played_back
from dramaturg.conformance.world import Failed, NotExercised
from dramaturg.errors import CallFailed, Crashed, Late, Starved
from dramaturg.net import links, overheard
from dramaturg.net.overheard import Said

SECRET = "5ec" + 29 * "e"

HEARD = {1: [Said("10.0.0.1", b"I am node 0"), Said("10.0.0.1", b"take this")]}


@pytest.fixture
def cluster(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Two nodes, on this machine itself."""
    monkeypatch.setattr(
        links, "connected", lambda pid, place, timeout: socket.create_connection(place, timeout)
    )
    monkeypatch.setattr(playback, "HEARD", 0)
    hosts = [
        SimpleNamespace(prefix=("mnexec", "-a", str(number)), address=f"10.0.0.{number}")
        for number in (1, 2)
    ]
    network = SimpleNamespace(hosts=hosts)
    return SimpleNamespace(network=network, sessions=[None] * 2, prepared=print, secret=SECRET)


class Node:
    """A node that is prepared, with a port at which it listens."""

    def __init__(self, cluster: Any, greeting: bytes = b"") -> None:
        self.cluster, self.greeting = cluster, greeting
        self.heard: list[bytes] = []

    def perform(self) -> None:
        with socket.create_server(("127.0.0.1", 0)) as listening:
            self.cluster.prepared(1, listening.getsockname())
            for _ in HEARD[1]:
                made, _from = listening.accept()
                self.heard.append(made.recv(1024))
                made.sendall(self.greeting)


def test_each_connection_is_repeated_to_the_node_that_it_was_made_to(cluster: Any) -> None:
    node = Node(cluster)
    played_back(cluster, HEARD, node.perform)
    assert node.heard == [said.words for said in HEARD[1]]


def test_strangers_come_from_the_host_that_had_said_it(
    cluster: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    came: list[int] = []

    def connected(pid: int, place: Any, timeout: float) -> socket.socket:
        came.append(pid)
        return socket.create_connection(place, timeout)

    monkeypatch.setattr(links, "connected", connected)
    played_back(cluster, HEARD, Node(cluster).perform)
    assert came == [1, 1]


def test_words_from_no_host_of_the_network_are_left_out(cluster: Any) -> None:
    """A node that asks itself by the loopback device, say."""
    node = Node(cluster)
    played_back(cluster, {1: [Said("127.0.0.1", b"it is I"), *HEARD[1]]}, node.perform)
    assert node.heard == [said.words for said in HEARD[1]]


def ended(error: Exception) -> Any:
    def perform() -> None:
        raise error

    return perform


@pytest.mark.parametrize(
    "error",
    [
        CallFailed("Prepare", "INTERNAL", "node 0 is here already"),
        Late("no answer"),
        Crashed("killed by SIGSEGV"),
        Failed("a ping came twice"),
    ],
)
def test_a_run_that_a_repetition_changes_fails(cluster: Any, error: Exception) -> None:
    with pytest.raises(Failed, match=r"while a stranger repeated what .* had said \(DIST-6\)"):
        played_back(cluster, HEARD, ended(error))


def test_nobody_is_blamed_for_the_want_of_a_core(cluster: Any) -> None:
    with pytest.raises(Starved):
        played_back(cluster, HEARD, ended(Starved("no answer")))


def test_who_repeats_is_not_told_the_secret_either(cluster: Any) -> None:
    with pytest.raises(Failed, match=r"node 1 told a stranger the secret .*\(DIST-6\)"):
        played_back(cluster, HEARD, Node(cluster, SECRET.encode()).perform)


def test_where_nothing_was_said_or_nobody_listens_nothing_is_shown(cluster: Any) -> None:
    with pytest.raises(NotExercised, match="no node had said anything"):
        played_back(cluster, {0: [], 1: []}, Node(cluster).perform)
    with pytest.raises(NotExercised, match="nobody listened"):
        played_back(cluster, HEARD, lambda: None)


def test_what_is_said_to_the_port_of_each_node_is_kept(
    cluster: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    @contextlib.contextmanager
    def at_host(pid: int) -> Iterator[Any]:
        yield SimpleNamespace(said_to=lambda port: [Said(f"host {pid}", str(port).encode())])

    monkeypatch.setattr(overheard, "at_host", at_host)
    with playback.listening(cluster) as heard:
        cluster.prepared(1, ("10.0.0.2", 20_001))
        cluster.prepared(0, ("10.0.0.1", 20_000))
    assert heard == {1: [Said("host 2", b"20001")], 0: [Said("host 1", b"20000")]}
    assert cluster.prepared is print


def test_where_packets_cannot_be_had_the_case_is_not_run(
    cluster: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(pid: int) -> socket.socket:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(links, "hearing", refused)
    with (
        pytest.raises(NotExercised, match=r"cannot hear .* not permitted"),
        playback.listening(cluster),
    ):
        pass


def test_each_world_has_nodes_of_its_own(cluster: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """New nodes have the same places, and nothing that they remember."""
    worlds = iter(["first", "second"])
    used: list[tuple[str, Any]] = []

    @contextlib.contextmanager
    def listening(cluster: Any) -> Iterator[Any]:
        used.append(("listening", cluster))
        yield HEARD

    monkeypatch.setattr(playback, "listening", listening)
    monkeypatch.setattr(
        playback, "played_back", lambda cluster, heard, perform: used.append(("repeated", cluster))
    )
    setting: Any = SimpleNamespace(cluster="before", renew=lambda: next(worlds))
    case_run._played_back(setting, lambda: used.append(("performed", setting.cluster)))  # type: ignore[arg-type, return-value]
    assert used == [("listening", "first"), ("performed", "first"), ("repeated", "second")]


@pytest.mark.parametrize(
    ("how", "complaint"),
    [
        ("lost_node: 1", "playback is for a run that ends"),
        ("strange_node: 1", "playback is for a run that ends"),
        ("cut: {one: 0, other: 1}", "playback is for a whole network"),
        ("gap: {one: 0, other: 1, millis: 300}", "playback is for a whole network"),
        ("strangers: true", "strangers and playback are in one case"),
        ("link: {delay: 2}", "link is for a run that ends"),
    ],
)
def test_nothing_is_repeated_in_another_case(tmp_path: Any, how: str, complaint: str) -> None:
    file = tmp_path / "case.yaml"
    file.write_text(
        "benchmark: big\ncases:\n  - {name: a, purpose: b, level: 4, distributed: {benchmark:"
        f" {{big: {{peers: 3, rounds: 1}}}}, nodes: 3, playback: true, {how}}}}}\n"
    )
    with pytest.raises(CaseError, match=complaint):
        load_file(file)
