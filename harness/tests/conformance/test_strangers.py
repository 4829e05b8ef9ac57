"""Strangers: a node with another secret, and connections to the ports of nodes (DIST-6)."""

import contextlib
import socket
import threading
from types import SimpleNamespace
from typing import Any

import pytest

from dramaturg.cases.cases import CaseError, load_file
from dramaturg.conformance import node_fates, strangers
from dramaturg.conformance.cluster import Cluster
from dramaturg.conformance.strangers import among_strangers
from dramaturg.conformance.world import Failed, NotExercised
from dramaturg.errors import CallFailed, Crashed, Late, Starved
from dramaturg.net import links
from dramaturg.v2 import case_pb2

STRANGE = case_pb2.Distributed(nodes=2, strange_node=1)

REFUSED = CallFailed("Prepare", "INTERNAL", "node 1 does not know the secret")


class Nodes:
    """Nodes of which one gets a stranger in their second world: the ends of Prepare and of Run in
    it, if they are no answers, and that of the first Prepare of all."""

    def __init__(
        self,
        prepare: Exception | None = None,
        run: Exception | None = None,
        first: Exception | None = None,
    ) -> None:
        self.ends, self.first, self.strange, self.spent = (prepare, run), first, False, False
        self.lead = SimpleNamespace(run=lambda timeout: self._end(1))

    def prepare(self, *_: Any, strange_node: int = 0) -> None:
        if self.first is not None:
            raise self.first
        self.strange = strange_node == 1
        self._end(0)

    def _end(self, call: int) -> None:
        if self.strange and (end := self.ends[call]) is not None:
            raise end

    def teardown(self, timeout: float) -> None:
        pass


def estrange(nodes: Nodes, new: Nodes | None = None) -> None:
    made: Any = new or Nodes()
    node_fates.estrange(nodes, STRANGE, 1.0, lambda: made)  # type: ignore[arg-type]
    assert nodes.spent


def test_a_node_with_another_secret_is_refused_by_prepare_or_upon_the_first_message() -> None:
    estrange(Nodes(prepare=REFUSED))
    estrange(Nodes(run=CallFailed("Run", "INTERNAL", "node 1 does not know the secret")))
    with pytest.raises(Failed, match=r"node 1 had another secret, and took part .* \(DIST-6\)"):
        estrange(Nodes())


@pytest.mark.parametrize("call", ["prepare", "run"])
def test_a_node_with_another_secret_is_not_waited_for(call: str) -> None:
    late: Any = {call: Late("no answer within 1 s")}
    with pytest.raises(Failed, match=r"is waited for: no answer .* \(DIST-6\)"):
        estrange(Nodes(**late))
    starved: Any = {call: Starved("no answer within 1 s")}
    with pytest.raises(Starved):
        estrange(Nodes(**starved))


def test_whoever_cannot_come_together_at_all_has_refused_no_stranger() -> None:
    unable = CallFailed("Prepare", "INTERNAL", "node 0 cannot listen")
    with pytest.raises(Failed, match=r"not for its secret: .* cannot listen \(DIST-6\)"):
        estrange(Nodes(prepare=unable), Nodes(first=unable))


class Listener:
    """A port at which somebody listens, and what came to it."""

    def __init__(self) -> None:
        self.listening = socket.create_server(("127.0.0.1", 0))
        self.listening.settimeout(5)
        self.place = self.listening.getsockname()
        self.heard: list[bytes] = []

    def accept(self, many: int, greeting: bytes = b"") -> None:
        made = [self.listening.accept()[0] for _ in range(many)]
        for each in made:
            each.sendall(greeting)
            each.settimeout(0.01)
            try:
                self.heard.append(each.recv(1024))
            except TimeoutError:
                self.heard.append(b"silent, and still there")
            each.close()


@pytest.fixture
def cluster(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Two nodes, on this machine itself."""
    monkeypatch.setattr(
        links,
        "connected",
        lambda pid, place, timeout: socket.create_connection(place, timeout),
    )
    hosts = [SimpleNamespace(prefix=("mnexec", "-a", str(pid))) for pid in (4, 5)]
    network = SimpleNamespace(hosts=hosts)
    return SimpleNamespace(
        network=network, sessions=[None, None], prepared=None, secret="5ec" + 29 * "e"
    )


def test_strangers_come_to_each_node_in_silence_and_with_noise(cluster: Any) -> None:
    with strangers.at_the_ports(cluster) as there:
        for node in (1, 0):
            listener = Listener()
            accepting = threading.Thread(target=listener.accept, args=(32,))
            accepting.start()
            cluster.prepared(node, listener.place)
            accepting.join()
            listener.listening.close()
            silent = [b"silent, and still there"] * 28
            assert listener.heard == [*silent, *[strangers.NOISE] * 4]
    assert there.reached == {0, 1}
    assert cluster.prepared is None
    assert all(each.fileno() == -1 for _, each in there._open)


def ends(error: Exception | None = None) -> Any:
    """A run that ends with an error, or in order."""

    def perform() -> None:
        if error is not None:
            raise error

    return perform


def test_a_run_that_strangers_stop_fails(cluster: Any) -> None:
    for error in (
        CallFailed("Prepare", "INTERNAL", "node 1 does not answer"),
        Late("no answer"),
        Crashed("no answer: killed by SIGSEGV"),
        Failed("an answer was lost"),
    ):
        with pytest.raises(Failed, match=r"answer.*, while strangers stayed connected \(DIST-6\)"):
            among_strangers(cluster, ends(error), ends())
    with pytest.raises(Starved):
        among_strangers(cluster, ends(Starved("no answer")), ends())


def test_no_stranger_is_blamed_for_what_goes_wrong_without_them_too(cluster: Any) -> None:
    failed = CallFailed("Run", "INTERNAL", "a message for nobody")
    for alone in (failed, Late("no answer"), Failed("a poke is missing"), Starved("no core")):
        with pytest.raises(type(alone)) as raised:
            among_strangers(cluster, ends(failed), ends(alone))
        assert "DIST-6" not in str(raised.value)
    with pytest.raises(Failed, match="DIST-6"):
        among_strangers(cluster, ends(failed), ends(NotExercised("nobody posted")))


@pytest.mark.parametrize(
    "spell",
    [str.encode, lambda secret: secret.upper().encode(), bytes.fromhex],
    ids=["digits", "capital digits", "bytes"],
)
def test_a_node_that_tells_strangers_the_secret_fails(cluster: Any, spell: Any) -> None:
    for greeting, told in ((b"hello " + spell(cluster.secret), True), (b"hello", False)):
        listener = Listener()

        def perform(listener: Listener = listener, greeting: bytes = greeting) -> None:
            accepting = threading.Thread(target=listener.accept, args=(32, greeting))
            accepting.start()
            cluster.prepared(1, listener.place)
            accepting.join()
            listener.listening.close()

        refused = pytest.raises(Failed, match=r"node 1 told a stranger the secret .*\(DIST-6\)")
        with refused if told else contextlib.nullcontext():
            among_strangers(cluster, perform, ends())


def test_the_secret_of_a_strange_node_differs_in_its_last_digit() -> None:
    told: list[str] = []

    def prepare(benchmark: Any, watches: Any, node: int, peers: Any, secret: str, _: Any) -> None:
        told.append(secret)

    nodes: Any = [SimpleNamespace(prepare=prepare)] * 3
    network: Any = SimpleNamespace(endpoints=lambda: [("10.0.0.1", 20_000)] * 3)
    cluster = Cluster(nodes, network)
    cluster.prepare(None, strange_node=1)  # type: ignore[arg-type]
    highest, strange, lead = told
    assert highest == lead == cluster.secret
    assert strange[:-1] == lead[:-1] and strange[-1] != lead[-1] and len(strange) == 32
    assert int(strange[-1], 16) in range(16)


def test_where_nobody_listens_strangers_show_nothing(cluster: Any) -> None:
    def perform(place: Any) -> Any:
        cluster.prepared(1, place)

    listener = Listener()
    among_strangers(cluster, lambda: perform(listener.place), ends())
    listener.listening.close()
    with pytest.raises(NotExercised, match="nobody listened"):
        among_strangers(cluster, lambda: perform(listener.place), ends())


@pytest.mark.parametrize(
    ("how", "complaint"),
    [
        ("lost_node: 1", "strangers is for a run that ends"),
        ("strange_node: 1", "strangers is for a run that ends"),
        ("cut: {one: 0, other: 1}", "strangers is for a whole network"),
        ("gap: {one: 0, other: 1, millis: 300}", "strangers is for a whole network"),
    ],
)
def test_strangers_come_to_no_other_case(tmp_path: Any, how: str, complaint: str) -> None:
    file = tmp_path / "case.yaml"
    file.write_text(
        "benchmark: big\ncases:\n  - {name: a, purpose: b, level: 4, distributed: {benchmark:"
        f" {{big: {{peers: 3, rounds: 1}}}}, nodes: 3, strangers: true, {how}}}}}\n"
    )
    with pytest.raises(CaseError, match=complaint):
        load_file(file)
