"""A node of another host is a session: its durations are its host's, and its threads its own."""

import time
from collections.abc import Iterator, Mapping
from time import monotonic_ns
from types import SimpleNamespace
from typing import Any, cast

import pytest

from dramaturg.control.session import Session
from dramaturg.control.transport import Lost, Overdue, Stamps
from dramaturg.errors import Crashed, HarnessFault
from dramaturg.hosts import talk
from dramaturg.hosts.real_network import HostOf, Spread
from dramaturg.hosts.remote_node import Peer, RemoteSession
from dramaturg.net.topology import Link, Network
from dramaturg.net.unavailable import NetworkUnavailable
from dramaturg.processes.cores import Cores
from dramaturg.timing.running import moments
from dramaturg.timing.validity.looks import Looker
from dramaturg.v2 import control_pb2

AWAY = 0.05
"""Seconds that a question is under way to this host, there and back."""


class Far:
    """Stands for the way to an agent, which answers as it is told to."""

    def __init__(self, answers: Mapping[str, Any]) -> None:
        self.answers = answers
        self.asked: list[Mapping[str, Any]] = []

    def ask(
        self, words: Mapping[str, Any], content: bytes = b"", seconds: float = 0
    ) -> Iterator[Any]:
        self.asked.append(words)
        time.sleep(AWAY)
        found = self.answers[str(words["op"])]
        if isinstance(found, Exception):
            raise found
        yield from found if isinstance(found, list) else [(found, b"")]

    def one(self, words: Mapping[str, Any], content: bytes = b"", seconds: float = 0) -> Any:
        return next(iter(self.ask(words, content, seconds)))[0]


def peer(answers: Mapping[str, Any], *, same_machine: bool = False, host: int = 1) -> Peer:
    far: Any = Far(answers)
    return Peer(far, host, f"h{host}", same_machine=same_machine)


def session(
    answers: Mapping[str, Any], *, same_machine: bool = False, node: int = 1, host: int = 1
) -> Session:
    manifest = SimpleNamespace(run=SimpleNamespace(call_timeout=5.0))
    implementation: Any = SimpleNamespace(name="x", manifest=manifest)
    by = peer(answers, same_machine=same_machine, host=host)
    return RemoteSession(implementation, by, node, "cgroup v2")


RECEIPT = control_pb2.TeardownResponse()
RECEIPT.receipt.done.benchmark = "pingpong"


def torn_down(nanos: int) -> list[Any]:
    return [({"more": True}, RECEIPT.SerializeToString()), ({"nanos": nanos}, b"")]


def test_a_call_has_taken_as_long_as_it_took_there() -> None:
    stamps = Stamps()
    before = monotonic_ns()
    request = control_pb2.TeardownRequest()
    wire = session({"call": torn_down(7)})._wire
    [answer] = wire.call("Teardown", request, 5.0, stamps)
    assert answer == RECEIPT
    assert stamps.nanos == 7
    assert before <= stamps.sent < monotonic_ns() - AWAY * 1e9 / 2


@pytest.mark.parametrize(
    ("kind", "raised"), [("Overdue", Overdue), ("Lost", Lost), ("Whatever", Lost)]
)
def test_what_was_raised_there_is_raised_here(kind: str, raised: type[Exception]) -> None:
    wire = session({"call": talk.Refused("so it was", kind)})._wire
    with pytest.raises(raised):
        list(wire.call("Describe", control_pb2.DescribeRequest(), 5.0, Stamps()))


def test_a_host_that_is_lost_is_named_by_the_call() -> None:
    found = session({"call": talk.Lost("it has ended"), "state": talk.Lost("it has ended")})
    with pytest.raises(Crashed, match="h1"):
        found.describe()


def test_an_end_that_is_none_is_the_error_that_it_was_there() -> None:
    found = session({"end_input": talk.Refused("x still runs (CTRL-11)", "Late")})
    with pytest.raises(Exception, match=r"still runs \(CTRL-11\) \(on host h1\)") as raised:
        found.end_input()
    assert type(raised.value).__name__ == "Late"


def moment_of(waits: list[list[int]], own: list[list[int]]) -> dict[str, Any]:
    """An agent's answer."""
    said = {"waits": waits, "own": own, "cpu": 9, "cores": [60, 70, 100]}
    return {"moment": said}


def test_threads_of_two_hosts_have_no_number_in_common() -> None:
    said = moment_of([[17, 5], [18, 6]], [[17, 4]])
    found = session(said).process
    assert found is not None
    moment = found.consumption.moment()
    assert moment.cpu == 9
    assert sorted(moment.waits.values()) == [4, 5, 6, 100]
    assert not {17, 18} & moment.waits.keys()


def test_what_was_taken_from_one_machine_is_counted_once() -> None:
    said = moment_of([[17, 5]], [])
    found = session(said, same_machine=True).process
    assert found is not None
    moment = found.consumption.moment()
    assert (list(moment.waits.values()), moment.cores) == ([5], ())


def test_the_cores_of_another_machine_are_told() -> None:
    process = session(moment_of([], [])).process
    assert process is not None
    assert process.consumption.moment().cores == (Cores(60, 70, 100),)


def test_waits_of_a_host_are_counted_once_for_all_of_its_nodes() -> None:
    said = moment_of([[17, 5]], [[0, 3], [17, 4]])
    together: dict[int, int] = {}
    for node in (1, 2):
        process = session(said, node=node).process
        assert process is not None
        together |= process.consumption.moment().waits
    assert sorted(together.values()) == [3, 4, 5, 5, 100]


def test_two_hosts_wait_each_for_itself() -> None:
    said = moment_of([], [[0, 3], [1, 4]])
    together: dict[int, int] = {}
    for host in (1, 2):
        process = session(said, node=host, host=host).process
        assert process is not None
        together |= process.consumption.moment().waits
    assert sorted(together.values()) == [3, 3, 4, 4, 100, 100]


@pytest.mark.parametrize("what", ["moment", "cpu"])
def test_all_hosts_are_asked_before_an_answer_is_waited_for(what: str) -> None:
    class Noted:
        def __init__(self, host: int) -> None:
            self.host = host

        def ask(self, words: Mapping[str, Any], *rest: Any) -> Iterator[Any]:
            noted.append(f"asks {self.host}")
            return self.answers()

        def answers(self) -> Iterator[Any]:
            noted.append(f"waits for {self.host}")
            yield {"waits": [], "own": [], "cpu": self.host, "cores": [None, None, 0]}, b""

    noted: list[str] = []
    nodes = [session({}, node=host, host=host) for host in (1, 2)]
    for host, node in enumerate(nodes, 1):
        far: Any = node.process
        far.consumption._peer._talk = Noted(host)
    if what == "moment":
        assert moments.look(nodes).cpu == 3
    else:
        assert Looker(nodes, [], 1.0)._spent() == 3
    assert noted == ["asks 1", "asks 2", "waits for 1", "waits for 2"]


def test_no_process_of_this_host_is_taken_for_one_of_another() -> None:
    answers = {"state": {"stopped": 4711, "status": None, "end": "is still running"}}
    found = session(answers).process
    assert found is not None
    assert found.pid < 0
    assert found.consumption.pids() == found.consumption.everybody() == set()
    assert found.halted() == 4711


def host(name: str, **more: Any) -> HostOf:
    rest = {"interface": "eth0", "counted": True, "shared": False, "machine": name} | more
    return HostOf(name=name, address="192.0.2.1", **rest)


COUNTED = {
    "sent_bytes": 1000, "sent_packets": 10, "received_bytes": 2000, "received_packets": 20,
    "control_sent": 300, "control_received": 400,
}  # fmt: skip


def spread(*hosts: HostOf) -> Spread:
    peers = [peer({"counters": COUNTED, "port": {"port": 4000}}) for _ in hosts[1:]]
    return Spread(hosts, lambda: COUNTED, lambda bandwidth: None, lambda: True, peers)


def unshaped(of: Spread, nodes: int) -> Network:
    with of.network(nodes, Link()) as network:
        return network


def test_what_is_control_s_is_no_message_where_both_cross_one_interface() -> None:
    network = unshaped(spread(host("a", shared=True), host("b")), 2)
    wire = network.wire()
    assert wire is not None
    assert [end.sent_bytes for end in wire] == [700, 1000]
    assert [end.received_bytes for end in wire] == [1600, 2000]
    assert [end.control_bytes for end in wire] == [700, 0]
    assert network.others_speak


def test_nothing_is_counted_where_counters_do_not_tell_nodes_apart() -> None:
    assert unshaped(spread(host("a", counted=False), host("b")), 2).wire() is None
    assert unshaped(spread(host("a", nodes=2), host("b", nodes=2)), 4).wire() is None


def test_counters_that_cannot_be_read_are_not_nothing() -> None:
    found = Spread(
        [host("a"), host("b")],
        lambda: COUNTED,
        lambda bandwidth: None,
        lambda: True,
        [peer({"counters": talk.Lost("gone")})],
    )
    with pytest.raises(HarnessFault, match=r"counters of a host.*h1"):
        unshaped(found, 2).wire()


def test_nodes_of_one_host_part_its_cores() -> None:
    found = spread(host("a", nodes=2, cores=[0, 1, 2, 3]), host("b", nodes=2, cores=[4, 5]))
    assert [found.cores_of(node, 2) for node in range(2)] == [[], []]
    assert [found.cores_of(node, 4) for node in range(4)] == [[0, 1], [4], [2, 3], [5]]
    said = unshaped(found, 4).describe()
    assert said["kind"] == "hosts"
    assert said["hosts"] == ["a", "b", "a", "b"]


def test_no_host_has_more_nodes_than_it_may_have() -> None:
    found = spread(host("a"), host("b", nodes=3, cores=[0, 1, 2]), host("c"))
    assert unshaped(found, 5).describe()["hosts"] == ["a", "b", "c", "b", "b"]
    assert [found.cores_of(node, 5) for node in range(5)] == [[], [0], [], [1], [2]]
    assert found.cores_of(1, 3) == []


class _Limited:
    """The agent of a host that notes how its link is limited."""

    def __init__(self, refused: str = "", stays: str = "") -> None:
        self.limits: list[float | None] = []
        self._refused, self._stays = refused, stays

    def take(self, bandwidth: float | None) -> None:
        if said := self._stays if bandwidth is None else self._refused:
            raise HarnessFault(said)
        self.limits.append(bandwidth)

    def one(self, words: Mapping[str, Any], seconds: float) -> dict[str, Any]:
        assert words["op"] == "limit"
        self.take(words["bandwidth"])
        return {}


def limited(*agents: _Limited) -> Spread:
    hosts = [host(f"h{number}") for number, _ in enumerate(agents)]
    return Spread(hosts, dict, agents[0].take, lambda: True, cast("Any", agents[1:]))


def test_the_links_of_all_hosts_with_nodes_are_limited_for_as_long_as_the_network_lasts() -> None:
    agents = _Limited(), _Limited(), _Limited()
    with limited(*agents).network(2, Link(bandwidth=20)) as network:
        assert [each.limits for each in agents] == [[20], [20], []]
        assert network.describe()["bandwidth"] == 20
        assert network.qdiscs == ("htb",)
    assert [each.limits for each in agents] == [[20, None], [20, None], []]


def test_a_host_that_cannot_limit_its_link_has_no_network_and_no_other_stays_limited() -> None:
    agents = _Limited(), _Limited("host h1: no tc")
    with (
        pytest.raises(NetworkUnavailable, match="host h1: no tc"),
        limited(*agents).network(2, Link(bandwidth=20)),
    ):
        pass
    assert agents[0].limits == [20, None]


def test_the_first_host_is_named_too_if_it_cannot_limit_its_link() -> None:
    with (
        pytest.raises(NetworkUnavailable, match=r"^host h0: no tc$"),
        limited(_Limited("no tc"), _Limited()).network(2, Link(bandwidth=20)),
    ):
        pass


def test_a_link_that_stays_limited_is_no_link_of_a_later_network_without_a_limit() -> None:
    agents = _Limited(), _Limited(stays="host h1: second stays limited")
    of = limited(*agents)
    with of.network(2, Link()):
        assert [each.limits for each in agents] == [[], []]
    with of.network(2, Link(bandwidth=20)):
        pass
    with pytest.raises(NetworkUnavailable, match="h1: second stays limited"), of.network(2, Link()):
        pass
    with of.network(1, Link()):
        pass


@pytest.mark.parametrize(
    "answer", [{"limited": {"limited": False}}, {"limited": talk.Lost("gone")}]
)
def test_a_host_that_cannot_say_that_its_link_is_limited_is_named(answer: dict[str, Any]) -> None:
    hosts = [host("a"), host("b")]
    for own, named in ((True, ["b"]), (False, ["a", "b"])):
        kept = {True: lambda: True, False: lambda: False}[own]
        found = Spread(hosts, dict, lambda bandwidth: None, kept, [peer(answer)])
        assert found.unlimited(2) == named
    kept_there = peer({"limited": {"limited": True}})
    found = Spread(hosts, dict, lambda bandwidth: None, lambda: True, [kept_there])
    assert found.unlimited(2) == []
