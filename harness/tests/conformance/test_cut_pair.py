"""A pair of nodes is cut off in the midst of a run, and stops hearing of each other (DIST-9)."""

import contextlib
import random
import time
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from dramaturg.cases.cases import load_all
from dramaturg.conformance import case_run, cut_pair
from dramaturg.conformance.case_run import until_cut_off
from dramaturg.conformance.cluster import Cluster
from dramaturg.conformance.world import Failed, NotExercised
from dramaturg.errors import Late
from dramaturg.model import big, names, placement
from dramaturg.model.simulation import AtRandom, Channel, Simulation
from dramaturg.model.workload import MICRO, MicroWorkload
from dramaturg.net.pair_counters import Way
from dramaturg.trace.codec import LogBuilder, encode
from dramaturg.v2 import trace_pb2 as kind

PEERS, ROUNDS = 6, 1000
LEAST = 4
"""Traces of the two nodes before they are cut off and right behind it."""

MOST = 4
"""Peers on nodes 1 and 2."""


class Nodes:
    """Three nodes whose logs grow at each look, by as many messages of each pair as ``grows`` says
    for an open way and for a closed one."""

    def __init__(self, grows: Callable[[bool, int], int], crossed: int = 0) -> None:
        self.grows, self.crossed = grows, crossed
        self.closed: list[tuple[str, str]] = []
        self.most_closed = 0
        self.looks = 0
        self.logs = [LogBuilder(in_columns=True) for _ in range(3)]
        self.uncounted = ""
        self.hosts = [SimpleNamespace(address=f"10.0.0.{number}") for number in (1, 2, 3)]
        self.sessions: list[Any] = [
            SimpleNamespace(
                trace=lambda _, node=node: self._trace(node), unchanged=contextlib.nullcontext
            )
            for node in range(3)
        ]

    def _trace(self, node: int) -> Any:
        """Peer 1 or 2 has taken pings of the other one, and of peer 0, who goes on."""
        self.looks += 1
        one_pair = self.grows(bool(self.closed), self.looks)
        ping = (kind.MESSAGE_KIND_PEER_PING, (0, 0))
        events = [(names.name(names.PEER, 3 - node), ping)] * one_pair
        events += [(names.name(names.PEER, 0), ping)] * 50
        for batch in encode({names.name(names.PEER, node): events}):
            self.logs[node].add(batch)
        return self.logs[node]

    def ways(self) -> Any:
        passed = Way(60 * self.crossed * self.looks, self.crossed * self.looks)
        return ((Way(),) * 3, (Way(), Way(), passed), (Way(), passed, Way()))

    @contextlib.contextmanager
    def gap(self, one: Any, other: Any, seconds: float) -> Iterator[None]:
        way = (one.address, other.address)
        self.closed.append(way)
        self.most_closed = max(self.most_closed, len(self.closed))
        try:
            yield
        finally:
            self.closed.remove(way)


@pytest.fixture
def cut(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    monkeypatch.setattr(cut_pair, "STEP", 0.01)
    monkeypatch.setattr(cut_pair, "BEGUN", 2)

    def cut(nodes: Nodes, rounds: int = ROUNDS, error: Exception | None = None) -> None:
        monkeypatch.setattr(cut_pair.gaps, "between", nodes.gap)
        cluster = Cluster(nodes.sessions, nodes)  # type: ignore[arg-type]
        parameters = big.Parameters(peers=PEERS, rounds=rounds)
        with cut_pair.between(cluster, "big", parameters, 1, 2):
            # The run goes on until the way is open again, or nobody looks.
            deadline = time.monotonic() + 20
            while time.monotonic() < deadline and nodes.looks < LEAST:
                time.sleep(0.005)
            while time.monotonic() < deadline and nodes.closed:
                time.sleep(0.005)
            if error is not None:
                raise error

    return cut


def test_whoever_stops_behind_a_cut_passes_and_both_ways_are_opened(cut: Any) -> None:
    nodes = Nodes(lambda closed, _: 0 if closed else 10)
    cut(nodes)
    assert nodes.most_closed == 2, "both ways are closed"
    assert not nodes.closed


def test_what_was_under_way_may_come(cut: Any) -> None:
    late = iter([1] * MOST)
    cut(Nodes(lambda closed, _: next(late, 0) if closed else 10))


def test_whoever_goes_on_speaks_by_another_way_than_the_network(cut: Any) -> None:
    nodes = Nodes(lambda closed, _: 10)
    with pytest.raises(Failed, match=r"between node 1 and node 2 were taken .* \(DIST-9, DIST-3"):
        cut(nodes)
    assert not nodes.closed


def test_a_little_more_than_was_under_way_is_too_much(cut: Any) -> None:
    late = iter([0, 0, *[1] * (MOST + 1)])
    with pytest.raises(Failed, match=f"{MOST + 1} messages .* at most the {MOST} that"):
        cut(Nodes(lambda closed, _: next(late, 0) if closed else 10))


def test_where_packets_crossed_the_two_were_not_cut_off(cut: Any) -> None:
    with pytest.raises(NotExercised, match="they were not cut off"):
        cut(Nodes(lambda closed, _: 10, crossed=1))


def test_a_run_that_is_nearly_over_tells_nothing(cut: Any) -> None:
    with pytest.raises(NotExercised, match="over, or nearly"):
        cut(Nodes(lambda closed, _: 0 if closed else 10), rounds=2)


def test_two_that_do_not_speak_to_each_other_tell_nothing(cut: Any) -> None:
    nodes = Nodes(lambda closed, _: 0)
    with pytest.raises(NotExercised, match="none was cut off"):
        cut(nodes)
    assert not nodes.most_closed


def test_an_error_of_the_run_stays_what_it_is(cut: Any) -> None:
    nodes = Nodes(lambda closed, _: 10)
    with pytest.raises(Late, match="no answer"):
        cut(nodes, error=Late("no answer"))
    assert not nodes.closed


def test_a_cut_is_tried_until_there_was_something_to_cut_off() -> None:
    numbers: list[int] = []

    def perform(number: int) -> Any:
        numbers.append(number)
        if number < 2:
            raise NotExercised("the run was over")

    until_cut_off(perform)
    assert numbers == [0, 1, 2]


def test_runs_of_which_none_could_be_cut_off_are_not_run() -> None:
    numbers: list[int] = []

    def perform(number: int) -> Any:
        numbers.append(number)
        raise NotExercised(f"run {number} was over")

    with pytest.raises(NotExercised, match=r"^run 4 was over; .* each of 5 runs"):
        until_cut_off(perform)
    assert numbers == [0, 1, 2, 3, 4]


def test_a_run_that_could_not_be_cut_off_is_judged_and_has_a_salt_of_its_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    case = next(case for case in load_all() if case.message.distributed.HasField("cut"))
    done: list[str] = []
    over = iter([True, True, False])

    def follow(steps: Any) -> None:
        if next(over):
            raise NotExercised("the run was over")

    world: Any = SimpleNamespace(
        follow=follow, end=lambda: done.append("ended"), check_features=lambda: None
    )
    setting: Any = SimpleNamespace(
        cluster=None, judge=lambda _: done.append("judged"), begin=lambda *_: world
    )
    salts: list[int] = []
    monkeypatch.setattr(
        case_run, "_run", lambda case, number: salts.append(case_run.salt_of(case, number))
    )
    case_run._distributed(case, setting)
    assert done == ["ended", "judged"] * 3
    assert len(set(salts)) == 3


@pytest.mark.parametrize(
    ("benchmark", "parameters", "nodes", "pair"),
    [
        ("pingpong", {"rounds": 20}, 2, (0, 1)),
        ("big", {"peers": 5, "rounds": 3}, 3, (0, 2)),
        ("big", {"peers": 5, "rounds": 3}, 3, (1, 2)),
        ("web", {"browsers": 5, "workers": 2, "requests": 4, "fib_n": 1}, 3, (0, 1)),
        ("web", {"browsers": 5, "workers": 2, "requests": 4, "fib_n": 1}, 3, (2, 0)),
        ("web", {"browsers": 5, "workers": 2, "requests": 4, "fib_n": 1}, 3, (1, 2)),
        ("broker", {"employees": 3, "tasks": 12, "size": 4}, 2, (0, 1)),
        ("broker", {"employees": 5, "tasks": 20, "size": 4}, 3, (0, 1)),
    ],
)
def test_a_model_knows_how_many_messages_of_a_pair_are_under_way(
    benchmark: str, parameters: dict[str, int], nodes: int, pair: tuple[int, int]
) -> None:
    micro = MICRO[benchmark]
    p = micro.parameters(**parameters)
    said = placement.between(benchmark, p, nodes, *pair)
    most = 0
    for seed in range(40):
        counting = Counting(seed, lambda actor: placement.node_of(actor, nodes, p), pair)
        Simulation(MicroWorkload(micro, p).run(7), counting).perform()
        most = max(most, counting.most)
        # Beginnings and ends are messages as well; who has a task is chance.
        if (benchmark, nodes) != ("broker", 3):
            assert abs(counting.whole - said.whole) <= 2 * said.under_way
    assert most == said.under_way


class Counting(AtRandom):
    """A legal schedule that counts the messages between two nodes."""

    def __init__(self, seed: int, home: Callable[[int], int], pair: tuple[int, int]) -> None:
        super().__init__(random.Random(seed).randrange)
        self._home, self._pair = home, set(pair)
        self._under_way = self.most = self.whole = 0

    def _counts(self, channel: Channel) -> bool:
        return {self._home(actor) for actor in channel} == self._pair

    def sent(self, channel: Channel) -> None:
        super().sent(channel)
        self._under_way += self._counts(channel)
        self.most = max(self.most, self._under_way)

    def next(self) -> Channel | None:
        channel = super().next()
        if channel is not None and self._counts(channel):
            self._under_way -= 1
            self.whole += 1
        return channel


def test_a_cut_whose_thread_ends_by_a_fault_of_ours_is_no_pass(cut: Callable[..., None]) -> None:
    def fails(closed: bool, looks: int) -> int:
        if looks < LEAST:
            return 10
        raise RuntimeError("dictionary changed size during iteration")

    with pytest.raises(RuntimeError, match="changed size"):
        cut(Nodes(fails))
