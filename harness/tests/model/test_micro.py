"""The micro-benchmarks' models: every schedule ends, costs its budget and is replayed."""

import random

import pytest
from micro_kit import WORLDS, claimed, counts, performed, worlds

from dramaturg.model import broker, mergesort, names, placement
from dramaturg.model.facts import ImpossibleConfiguration
from dramaturg.model.fold import checksum
from dramaturg.model.simulation import Channel, InOrder, Simulation
from dramaturg.model.workload import MICRO, MicroWorkload
from dramaturg.trace.replay.token_game import replay
from dramaturg.v2 import trace_pb2 as kind

FAREWELLS = {
    "web": kind.MESSAGE_KIND_DISPATCHER_DISCONNECT,
    "broker": kind.MESSAGE_KIND_EMPLOYER_DISCONNECT,
    "openweb": kind.MESSAGE_KIND_SOURCE_DISCONNECT,
}


@worlds
def test_every_schedule_costs_the_budget_and_leaves_nobody(
    name: str, values: dict[str, int]
) -> None:
    for seed in (None, *range(30)):
        workload, simulation = performed(name, values, seed, salt=seed or 0)
        assert simulation.alive() == set()
        # Control's own messages are not in the budget.
        events = sum(map(len, simulation.logs.values())) - len(workload.script)
        receipt = claimed(name, simulation)
        assert workload.micro.messages(workload.parameters, counts(receipt)) == events


@worlds
def test_every_schedule_replays_and_one_event_less_does_not(
    name: str, values: dict[str, int]
) -> None:
    for seed in range(20):
        workload, simulation = performed(name, values, seed, salt=seed)
        assert replay(workload, simulation.logs).conforms
        chosen = random.Random(seed)
        actor = chosen.choice(sorted(simulation.logs))
        log = simulation.logs[actor]
        at = chosen.randrange(len(log))
        shorter = simulation.logs | {actor: log[:at] + log[at + 1 :]}
        assert not replay(workload, shorter).conforms


@worlds
def test_a_run_with_another_salt_is_another_run(name: str, values: dict[str, int]) -> None:
    workload, _ = performed(name, values, None, salt=5)
    _, simulation = performed(name, values, None, salt=6)
    assert not replay(workload, simulation.logs).conforms


@worlds
def test_only_servers_and_broker_wait_for_control_to_let_everybody_go(
    name: str, values: dict[str, int]
) -> None:
    workload, simulation = performed(name, values, 3)
    assert [line[0] for line in workload.script[1:]] == (
        [FAREWELLS[name]] if name in FAREWELLS else []
    )
    assert sum(k == kind.MESSAGE_KIND_CONTROL_DONE for k, _ in simulation.control) == 1
    undisturbed = MicroWorkload(MICRO[name], workload.parameters).run()
    assert bool(Simulation(undisturbed).perform().alive()) == (name in FAREWELLS)


@worlds
def test_control_hears_of_each_window_and_then_of_the_end(
    name: str, values: dict[str, int]
) -> None:
    workload, simulation = performed(name, values, 4)
    windows = values.get("windows", 0)
    heard = [number for number, _ in simulation.control]
    expected = [kind.MESSAGE_KIND_CONTROL_WINDOW] * windows + [kind.MESSAGE_KIND_CONTROL_DONE]
    assert heard == expected
    assert workload.reports(workload.script[0]) == len(heard)


def test_web_stops_its_workers_in_the_order_of_their_queue() -> None:
    """One browser: worker 0 answers the first and the fourth request, and is idle last."""
    stopped = []

    class Watching(InOrder):
        def sent(self, channel: Channel) -> None:
            super().sent(channel)
            if names.class_of(channel[1]) == names.WORKER:
                stopped.append(names.index_of(channel[1]))

    web = MICRO["web"]
    parameters = web.parameters(browsers=1, workers=3, requests=4, fib_n=1)
    workload = MicroWorkload(web, parameters).run().disconnect()
    assert Simulation(workload, Watching()).perform().alive() == set()
    assert stopped == [0, 1, 2, 0, 1, 2, 0]


def test_a_broker_that_has_nothing_left_holds_requests_and_counts_their_results() -> None:
    _, simulation = performed("broker", {"employees": 3, "tasks": 4, "size": 4}, None)
    router = simulation.logs[names.name(names.ROUTER)]
    dismissed = [args for _, (k, args) in router if k == kind.MESSAGE_KIND_ROUTER_DISMISS]
    assert dismissed == [(0,), (1,), (2,)]
    employer = [k for _, (k, _) in simulation.logs[names.name(names.EMPLOYER)]]
    assert employer[-1] == kind.MESSAGE_KIND_EMPLOYER_DISCONNECT
    assert employer.count(kind.MESSAGE_KIND_EMPLOYER_REQUEST) == 4 + 3


def test_a_peer_answers_a_ping_that_comes_before_its_go() -> None:
    """An answer needs the asker's value and the answerer's index, and no salt (BIG-2)."""
    early = 0
    for seed in range(40):
        workload, simulation = performed("big", {"peers": 3, "rounds": 1}, seed, salt=11)
        firsts = [
            log[0][1][0] for a, log in simulation.logs.items() if names.class_of(a) == names.PEER
        ]
        early += firsts.count(kind.MESSAGE_KIND_PEER_PING)
        assert replay(workload, simulation.logs).conforms
    assert early


@pytest.mark.parametrize("name", [each for each in placement.MOST if each in MICRO])
def test_no_node_is_empty(name: str) -> None:
    values = next(values for other, values in WORLDS if other == name)
    micro = MICRO[name]
    parameters = micro.parameters(**values)
    for nodes in range(2, placement.most(name, parameters) + 1):
        initial = micro.model.initial(parameters)
        assert {placement.node_of(actor.name, nodes, parameters) for actor in initial} == set(
            range(nodes)
        )


@pytest.mark.parametrize(
    ("name", "values", "wrong"),
    [
        ("pingpong", {"rounds": 0}, "rounds is 0"),
        ("pingpong", {"rounds": 1, "windows": 1, "window": 1}, "rounds is 1"),
        ("big", {"peers": 2, "rounds": 0, "windows": 1}, "window is 0"),
        ("bang", {"senders": 1, "messages": 1, "window": 1}, "window is 1"),
        ("broker", {"employees": 129, "tasks": 1, "size": 4}, r"employees is 129.*1\.\.128"),
        ("sleepers", {"sleepers": 1, "naps": 1, "delay": 60001}, r"delay is 60001.*0\.\.60000"),
    ],
)
def test_parameters_out_of_their_range_are_refused_by_name(
    name: str, values: dict[str, int], wrong: str
) -> None:
    micro = MICRO[name]
    with pytest.raises(ImpossibleConfiguration, match=wrong):
        micro.check(micro.parameters(**values))


@pytest.mark.parametrize("size", [0, 1, 2, 255, 256, 257, 1000])
@pytest.mark.parametrize("number", [0, 1, 255, 256, 70_001])
def test_what_an_employee_finds_is_the_checksum_of_every_byte(number: int, size: int) -> None:
    """The model makes and reads many payloads at once; BROKER-3 one after the other."""
    salt = 0xFEDCBA98
    read = checksum(0, list(broker.payload(salt, number, size)))
    assert broker.checksum_of(salt, number, size) == read


@pytest.mark.parametrize("tasks", [1, 2, broker.MANY, broker.MANY + 1])
def test_the_sum_of_results_is_that_of_each(tasks: int) -> None:
    salt, size = 0xFEDCBA98, 4
    results = (broker.result_of(broker.checksum_of(salt, n, size), n) for n in range(tasks))
    assert broker.sum_of_results(salt, tasks, size) == sum(results) % 2**32


def test_no_list_and_no_payload_is_that_of_another_salt() -> None:
    """Neither what they hold nor in which order: sorting or reading before is of no use."""
    lists = [mergesort.numbers(500, 42, salt) for salt in range(5)]
    orders = [sorted(range(500), key=numbers.__getitem__) for numbers in lists]
    payloads = [broker.payload(salt, number, 64) for salt in range(5) for number in range(300)]
    for found in (map(tuple, orders), map(sorted, lists), payloads):
        assert len({tuple(each) for each in found}) in (5, 1500)
