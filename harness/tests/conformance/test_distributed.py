"""Level 4: whose logs come from which node, and what a distributed case may ask for."""

import contextlib
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from dramaturg.cases.cases import CaseError, load_all, load_file
from dramaturg.conformance import case_run, node_fates
from dramaturg.conformance.case_run import perform, until_overtaken
from dramaturg.conformance.cluster import Cluster
from dramaturg.conformance.world import Failed, NotExercised, Performance
from dramaturg.errors import CallFailed, Late
from dramaturg.implementation.manifest import find
from dramaturg.model import names, placement
from dramaturg.model.simulation import Simulation
from dramaturg.model.workload import MICRO, MicroWorkload
from dramaturg.net.topology import Link, Network
from dramaturg.outcomes import Outcome
from dramaturg.plan import case_plan
from dramaturg.trace.codec import LogBuilder
from dramaturg.trace.events import TraceError
from dramaturg.trace.watches import EVERYBODY
from dramaturg.v2 import benchmarks_pb2, case_pb2


def cluster_of(
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
            home = to if actor == moved else placement.node_of(actor, nodes, None)
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


def case_of_big(folder: Path, nodes: int, how: str) -> Path:
    """A file with a case of big over so many nodes."""
    file = folder / "case.yaml"
    file.write_text(
        "benchmark: big\ncases:\n  - {name: a, purpose: b, level: 4, distributed:"
        f" {{benchmark: {{big: {{peers: 3, rounds: 1}}}}, nodes: {nodes}, {how}}}}}\n"
    )
    return file


def test_the_logs_of_all_nodes_are_one_run() -> None:
    cluster = cluster_of("big", nodes=3, peers=5, rounds=1)
    assert cluster.misplaced(None) == ""
    assert len(cluster.logs) == 6


@pytest.mark.parametrize("node", [0, 2])
def test_an_actor_on_the_wrong_node_is_named(node: int) -> None:
    peer = names.name(names.PEER, 4)
    said = cluster_of("big", nodes=3, moved=peer, to=node, peers=5, rounds=1).misplaced(None)
    assert said == f"peer/4 was logged on node {node} of 3; it lives on node 1 (DIST-1)"


def test_who_does_not_distribute_has_no_case_of_many_nodes() -> None:
    assert case_plan.make([find("reference")], [4]).items == ()
    assert case_plan.undistributed(find("reference"))
    assert {item.case.benchmark for item in case_plan.make([find("erlang")], [4]).items} == set(
        find("erlang").manifest.distributed
    )


def test_the_highest_node_is_prepared_first_and_all_hear_of_all() -> None:
    heard: list[tuple[int, int]] = []
    secrets: list[str] = []

    class Node:
        def prepare(
            self, benchmark: Any, watches: Any, node: int, peers: list[Any], secret: str, limit: Any
        ) -> str:
            heard.append((node, len(peers)))
            secrets.append(secret)
            return f"node {node}"

    nodes = Cluster([Node(), Node(), Node()], network_of(5))  # type: ignore[list-item]
    assert nodes.prepare(None, EVERYBODY, 1.0) == "node 0"  # type: ignore[arg-type, comparison-overlap]
    assert heard == [(2, 3), (1, 3), (0, 3)]
    nodes.prepare(None, EVERYBODY, 1.0)  # type: ignore[arg-type]
    assert len(set(secrets[:3])) == len(set(secrets[3:])) == 1, "all nodes of a world have one"
    assert secrets[0] != secrets[3], "and another world another"
    assert all(len(secret) >= 16 and secret.isalnum() for secret in secrets)


def counted(node: int, logs: dict[int, Any], taken: dict[int, int]) -> Any:
    """A session that has fetched this."""
    log = LogBuilder()
    log.logs, log.taken = logs, taken
    return SimpleNamespace(log=log, node=node)


def test_what_is_counted_on_the_wrong_node_is_misplaced_too() -> None:
    """An actor that took nothing has no log there, and was born there all the same."""
    peer = names.name(names.PEER, 1)
    sessions = [counted(0, {}, {peer: 0}), counted(1, {}, {})]
    assert Cluster(sessions).misplaced(None).startswith("peer/1 was logged on node 0 of 2")


def test_a_log_that_does_not_fit_its_count_is_said_with_its_node() -> None:
    peer = names.name(names.PEER, 1)
    sessions = [counted(0, {}, {}), counted(1, {}, {peer: 3})]
    with pytest.raises(TraceError, match=r"node 1: peer/1 took 3 messages"):
        Cluster(sessions, network_of(2)).complete()
    alone = Cluster([counted(0, {}, {peer: 3})])
    with pytest.raises(TraceError, match=r"^peer/1 took 3 messages"):
        alone.complete()


def test_the_counts_of_all_nodes_are_those_of_one_run() -> None:
    sessions = [counted(0, {}, {1: 2}), counted(1, {}, {3: 4})]
    assert Cluster(sessions).taken == {1: 2, 3: 4}


@pytest.mark.parametrize(
    ("benchmark", "nodes", "lost", "complaint"),
    [
        ("big: {peers: 2, rounds: 1}", 3, 0, "nodes is 3; it must be in 2..2"),
        ("pingpong: {rounds: 1}", 1, 0, "nodes is 1"),
        ("chain: {length: 3}", 2, 0, "chain cannot be distributed"),
        (
            "chatapp: {clients: 11, directories: 3, turns: 1, selection: SELECTION_CASCADE}",
            4,
            0,
            "nodes is 4; it must be in 2..3, as many as the smallest directory has clients",
        ),
        ("broker: {employees: 2, tasks: 1, size: 4}", 4, 0, "nodes is 4; it must be in 2..3"),
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


@pytest.mark.parametrize(
    ("nodes", "gap", "complaint"),
    [
        (2, "{one: 0, other: 1, millis: 300}", "gap needs 3 nodes"),
        (3, "{one: 1, other: 1, millis: 300}", "gap is between 1 and 1"),
        (3, "{one: 0, other: 3, millis: 300}", "gap is between 0 and 3"),
        (3, "{one: 0, other: 1}", r"gap\.millis is 0; it must be in 1\.\.10000"),
        (3, "{one: 0, other: 1, millis: 10001}", r"gap\.millis is 10001"),
    ],
)
def test_a_gap_that_shows_nothing_is_refused(
    tmp_path: Any, nodes: int, gap: str, complaint: str
) -> None:
    file = case_of_big(tmp_path, nodes, f"gap: {gap}")
    with pytest.raises(CaseError, match=complaint):
        load_file(file)


@pytest.mark.parametrize(
    ("how", "complaint"),
    [
        ("link: {}", "link has neither delay nor loss"),
        ("link: {delay: 2001}", r"link\.delay is 2001; it must be in 0\.\.2000 ms"),
        ("link: {loss: 21}", r"link\.loss is 21; it must be in 0\.\.20 %"),
        ("link: {delay: 2}, lost_node: 1", "link is for a run that ends"),
        ("link: {delay: 2}, strange_node: 1", "link is for a run that ends"),
        ("link: {delay: 2}, strangers: true", "link is for a run that ends"),
        ("link: {delay: 2}, cut: {one: 0, other: 1}", "that nothing else disturbs"),
        ("link: {delay: 2}, gap: {one: 0, other: 1, millis: 9}", "that nothing else disturbs"),
    ],
)
def test_a_link_that_shows_nothing_or_takes_minutes_is_refused(
    tmp_path: Any, how: str, complaint: str
) -> None:
    file = case_of_big(tmp_path, 3, how)
    with pytest.raises(CaseError, match=complaint):
        load_file(file)


def test_cases_of_one_kind_of_link_follow_on_each_other_over_the_most_nodes_first() -> None:
    """Nodes that are up serve a smaller case as well, as long as its links are theirs."""
    kinds = [(case.shape, -case.nodes) for case in load_all() if case.level == 4]
    assert kinds == sorted(kinds)
    assert kinds[0][0] == (0, 0) and len({shape for shape, _ in kinds}) > 1
    assert {-nodes for _, nodes in kinds} == {2, 3, 4, 8}


@pytest.mark.parametrize(
    ("benchmark", "how", "complaint"),
    [
        (
            "big: {peers: 3, windows: 1, window: 1}",
            "cut: {one: 0, other: 1}",
            "in big; it must be between",
        ),
        (
            "bang: {senders: 3, messages: 1}",
            "cut: {one: 0, other: 1}",
            "in bang; it must be between",
        ),
        (
            "web: {browsers: 3, workers: 1, requests: 1, fib_n: 1}",
            "cut: {one: 1, other: 2}",
            "cut is between 1 and 2 in web; it must be between nodes that send each other",
        ),
        ("big: {peers: 3, rounds: 1}", "cut: {one: 1, other: 1}", "cut is between 1 and 1"),
        ("big: {peers: 3, rounds: 1}", "cut: {one: 0, other: 3}", "cut is between 0 and 3"),
        (
            "big: {peers: 3, rounds: 1}",
            "cut: {one: 0, other: 1}, gap: {one: 0, other: 1, millis: 300}",
            "cut and gap are in one case",
        ),
    ],
)
def test_a_cut_that_shows_nothing_is_refused(
    tmp_path: Any, benchmark: str, how: str, complaint: str
) -> None:
    name = benchmark.split(":", maxsplit=1)[0]
    file = tmp_path / "case.yaml"
    file.write_text(
        f"benchmark: {name}\ncases:\n  - {{name: a, purpose: b, level: 4, distributed:"
        f" {{benchmark: {{{benchmark}}}, nodes: 3, {how}}}}}\n"
    )
    with pytest.raises(CaseError, match=complaint):
        load_file(file)


def test_a_gap_in_which_nobody_overtook_is_not_run() -> None:
    """Two peers on two nodes have no third way."""
    peers = benchmarks_pb2.BigParameters(peers=2, rounds=3)
    case = next(case for case in load_all() if case.message.distributed.HasField("gap"))
    world = Performance(
        case, cluster_of("big", 2, peers=2, rounds=3), benchmarks_pb2.Benchmark(big=peers), 1.0
    )
    world.workload.run(0)
    numbers = []

    def run(number: int) -> Performance:
        numbers.append(number)
        return world

    with pytest.raises(NotExercised, match="no message overtook a causally earlier one in 5 runs"):
        until_overtaken(run)
    assert numbers == [0, 1, 2, 3, 4]


def test_a_node_that_is_called_lost_behind_a_gap_is_only_late(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(case_run.gaps, "between", lambda *way: contextlib.nullcontext())
    cluster: Any = SimpleNamespace(network=SimpleNamespace(hosts=[None, None]))
    gap = case_pb2.Gap(one=1, other=0, millis=6000)
    with pytest.raises(CallFailed) as caught, case_run._gap(cluster, gap):
        raise CallFailed("Run", "INTERNAL", "node 1 is lost")
    assert "packets from node 1 to node 0 were held up for 6 s" in caught.value.__notes__


def test_a_gap_is_tried_until_somebody_overtook() -> None:
    numbers = []

    def run(number: int) -> Any:
        numbers.append(number)
        return SimpleNamespace(has_overtaking=number == 2)

    until_overtaken(run)
    assert numbers == [0, 1, 2]


def test_a_distributed_case_is_of_level_4_and_no_other_is(tmp_path: Any) -> None:
    file = tmp_path / "case.yaml"
    file.write_text(
        "benchmark: pingpong\ncases:\n  - {name: a, purpose: b, level: 3, distributed:"
        " {benchmark: {pingpong: {rounds: 1}}, nodes: 2}}\n"
    )
    with pytest.raises(CaseError, match="level 4"):
        load_file(file)


class Fated:
    """Node 0, and what becomes of its run when another is killed."""

    def __init__(self, fate: Exception | None) -> None:
        self.fate = fate
        self.process = SimpleNamespace(kill=lambda: None)
        self.log = LogBuilder()

    def prepare(self, *given: Any) -> None:
        pass

    def run(self, timeout: float) -> None:
        self.waited = timeout
        if self.fate is not None:
            raise self.fate


@pytest.mark.parametrize(
    ("fate", "says"),
    [
        (None, "as if nothing had happened"),
        (Late("no answer"), "the run hangs"),
        (CallFailed("Run", "INTERNAL", "somebody is gone"), "expected INTERNAL and its name"),
        (CallFailed("Run", "UNAVAILABLE", "node 2"), "expected INTERNAL and its name"),
        (CallFailed("Run", "INTERNAL", "node 20 is gone"), "before that of any other"),
        (CallFailed("Run", "INTERNAL", "node 1, node 2"), "before that of any other"),
        (CallFailed("Run", "INTERNAL", "node 2 is gone"), ""),
        (CallFailed("Run", "INTERNAL", "control: node 2 is gone (seen by node 1)"), ""),
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
    assert ("DIST-5" in result.message) == bool(says)
    assert cluster.spent


def test_a_node_that_is_lost_is_named_within_a_minute() -> None:
    """However patient a manifest is otherwise; and who says that its calls are answered sooner is
    not waited for any longer."""
    lost = case_pb2.Distributed(nodes=2, lost_node=1)
    for settle, waited in ((240.0, 61.0), (5.0, 5.0)):
        lead = Fated(CallFailed("Run", "INTERNAL", "node 1 is gone"))
        cluster = Cluster([lead, Fated(None)], network_of(2))  # type: ignore[list-item]
        node_fates.lose(cluster, lost, settle)
        assert lead.waited == waited


class Nodes:
    """The nodes of a world that a strange node is to be kept out of. ``keeps``: they go on with the
    secret of the first world that they were in."""

    def __init__(self, keeps: bool) -> None:
        self.keeps, self.worlds, self.spent = keeps, 0, False
        self.lead = SimpleNamespace(run=lambda timeout: None)

    def prepare(self, *_: Any, strange_node: int = 0) -> None:
        self.worlds += 1
        if strange_node and not (self.keeps and self.worlds > 1):
            raise CallFailed("Prepare", "INTERNAL", "node 1 does not know the secret")

    def teardown(self, timeout: float) -> None:
        pass


def test_a_secret_of_an_earlier_world_lets_nobody_in() -> None:
    distributed = case_pb2.Distributed(nodes=3, strange_node=1)
    for keeps in (False, True):
        nodes: Any = Nodes(keeps)
        taken = pytest.raises(Failed, match=r"took part in a run \(DIST-6\)")
        with taken if keeps else contextlib.nullcontext():
            node_fates.estrange(nodes, distributed, 1.0, lambda: Nodes(keeps=False))  # type: ignore[arg-type, return-value]


def test_no_two_runs_behind_gaps_have_one_salt(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not even if the first of two repeats had to be tried three times."""
    case = next(
        case
        for case in load_all()
        if case.message.distributed.HasField("gap") and case.message.distributed.repeats == 2
    )
    overtook = iter([False, False, True, True])
    world: Any = SimpleNamespace(follow=print, end=print, check_features=print)
    setting: Any = SimpleNamespace(cluster=None, judge=print)

    def begin(*given: Any) -> Any:
        world.has_overtaking = next(overtook)
        return world

    setting.begin = begin
    salts: list[int] = []
    monkeypatch.setattr(
        case_run, "_run", lambda case, number: salts.append(case_run.salt_of(case, number))
    )
    case_run._distributed(case, setting)
    assert len(set(salts)) == len(salts) == 4
