"""Level 4: whose logs come from which node, and what a distributed case may ask for."""

from types import SimpleNamespace
from typing import Any

import pytest

from dramaturg.conformance import plugin
from dramaturg.conformance.cases import CaseError, load_all, load_file
from dramaturg.conformance.cluster import Cluster
from dramaturg.conformance.perform import perform
from dramaturg.control.errors import CallFailed, Late
from dramaturg.control.manifest import find
from dramaturg.model import names, places
from dramaturg.model.workload import MICRO, MicroWorkload
from dramaturg.model.simulation import Simulation
from dramaturg.net.topology import Link, Network
from dramaturg.outcomes import Outcome
from dramaturg.trace.codec import LogBuilder


def company_of(
    benchmark: str, nodes: int, moved: int | None = None, to: int = 0, **values: int
) -> Cluster:
    """Nodes that hold the logs of a run, each those of its own actors; ``moved`` is an actor
    whose log is found on node ``to``."""
    micro = MICRO[benchmark]
    logs = Simulation(MicroWorkload(micro, micro.parameters(**values)).run()).perform().logs
    sessions: list[Any] = []
    for node in range(nodes):
        log = LogBuilder()
        for actor in logs:
            home = to if actor == moved else places.node_of(actor, nodes)
            if home == node:
                log.logs[actor] = logs[actor]
        sessions.append(SimpleNamespace(log=log))
    return Cluster(sessions)


def network_of(hosts: int) -> Network:
    """One that nothing was built for."""
    return Network(
        "loopback",
        tuple(SimpleNamespace(address="127.0.0.1") for _ in range(hosts)),  # type: ignore[misc]
        Link(),
        iter(range(20_000, 30_000)).__next__,
    )


def test_the_logs_of_all_nodes_are_one_run() -> None:
    cluster = company_of("big", nodes=3, peers=5, rounds=1)
    assert cluster.misplaced() == ""
    assert len(cluster.logs) == 6


@pytest.mark.parametrize("node", [0, 2])
def test_an_actor_on_the_wrong_node_is_named(node: int) -> None:
    peer = names.name(names.PEER, 4)
    said = company_of("big", nodes=3, moved=peer, to=node, peers=5, rounds=1).misplaced()
    assert said == f"peer/4 was logged on node {node} of 3; it lives on node 1 (DIST-1)"


def test_who_does_not_distribute_has_no_case_of_many_nodes() -> None:
    assert plugin.plan([find("reference")], [4]) == []
    assert plugin.undistributed(find("reference"))
    assert {item.case.benchmark for item in plugin.plan([find("erlang")], [4])} == set(
        find("erlang").manifest.distributed
    )


def test_the_highest_node_is_prepared_first_and_all_hear_of_all() -> None:
    heard: list[tuple[int, int]] = []

    class Node:
        def prepare(
            self, benchmark: Any, trace: bool, node: int, peers: list[Any], timeout: float
        ) -> None:
            heard.append((node, len(peers)))

    Cluster([Node(), Node(), Node()], network_of(5)).prepare(None, True, 1.0)  # type: ignore
    assert heard == [(2, 3), (1, 3), (0, 3)]


@pytest.mark.parametrize(
    ("benchmark", "nodes", "lost", "complaint"),
    [
        ("big: {peers: 2, rounds: 1}", 3, 0, "nodes is 3; it must be in 2..2"),
        ("pingpong: {rounds: 1}", 1, 0, "nodes is 1"),
        ("chain: {length: 3}", 2, 0, "chain cannot be distributed"),
        ("big: {peers: 3, rounds: 1}", 2, 2, "lost_node is 2; there are 2 nodes"),
    ],
)
def test_a_case_that_no_network_can_hold_is_refused(
    tmp_path: Any, benchmark: str, nodes: int, lost: int, complaint: str
) -> None:
    name = benchmark.split(":", maxsplit=1)[0]
    file = tmp_path / "case.yaml"
    file.write_text(
        f"benchmark: {name}\ncases:\n  - {{name: a, purpose: b, level: 4, distributed:"
        f" {{benchmark: {{{benchmark}}}, nodes: {nodes}, lost_node: {lost}}}}}\n"
    )
    with pytest.raises(CaseError, match=complaint):
        load_file(file)


def test_a_distributed_case_is_of_level_4_and_no_other_is(tmp_path: Any) -> None:
    file = tmp_path / "case.yaml"
    file.write_text(
        "benchmark: pingpong\ncases:\n  - {name: a, purpose: b, level: 3, distributed:"
        " {benchmark: {pingpong: {rounds: 1}}, nodes: 2}}\n"
    )
    with pytest.raises(CaseError, match="level 4"):
        load_file(file)


def test_cases_of_many_nodes_come_before_those_of_few() -> None:
    nodes = [case.nodes for case in load_all() if case.level == 4]
    assert nodes == sorted(nodes, reverse=True) and set(nodes) == {2, 3, 8}


class Fated:
    """Node 0, and what becomes of its run when another is killed."""

    def __init__(self, fate: Exception | None) -> None:
        self.fate = fate
        self.process = SimpleNamespace(kill=lambda: None)
        self.log = LogBuilder()

    def prepare(self, *given: Any) -> None:
        pass

    def run(self, iterations: int, timeout: float) -> None:
        if self.fate is not None:
            raise self.fate


@pytest.mark.parametrize(
    ("fate", "says"),
    [
        (None, "as if nothing had happened"),
        (Late("no answer"), "the run hangs"),
        (CallFailed("Run", "INTERNAL", "somebody is gone"), "expected INTERNAL and its name"),
        (CallFailed("Run", "UNAVAILABLE", "node 2"), "expected INTERNAL and its name"),
        (CallFailed("Run", "INTERNAL", "node 2 is gone"), ""),
    ],
)
def test_a_node_that_is_lost_must_be_named(fate: Exception | None, says: str) -> None:
    case = next(case for case in load_all() if case.message.distributed.lost_node)
    assert case.message.distributed.lost_node == 2
    others = [Fated(None) for _ in range(case.nodes - 1)]
    cluster = Cluster([Fated(fate), *others], network_of(case.nodes))  # type: ignore[list-item]
    result = perform(case, find("reference"), cluster)
    assert result.outcome is (Outcome.FAIL if says else Outcome.PASS)
    assert says in result.message
    assert cluster.spent
