"""The micro-benchmarks' models: every schedule ends, costs its budget and is replayed."""

import random
from typing import Any

import pytest

from dramaturg.model import accounts, places
from dramaturg.model.facts import ImpossibleConfiguration
from dramaturg.model.workload import MICRO, MicroWorkload
from dramaturg.model.simulation import AtRandom, InOrder, Simulation
from dramaturg.trace.replay import replay
from dramaturg.v2 import benchmarks_pb2
from dramaturg.v2 import trace_pb2 as kind

WORLDS: list[tuple[str, dict[str, int]]] = [
    ("pingpong", {"rounds": 7}),
    ("pingpong", {"rounds": 0, "windows": 3, "window": 1}),
    ("big", {"peers": 4, "rounds": 2}),
    ("big", {"peers": 4, "rounds": 0, "windows": 3, "window": 1}),
    ("bang", {"senders": 3, "messages": 5}),
    ("bang", {"senders": 3, "messages": 2, "windows": 3, "window": 1}),
    ("web", {"browsers": 3, "workers": 2, "requests": 4, "fib_n": 5}),
    ("count", {"adders": 3, "adds": 5}),
    ("chain", {"length": 9}),
    ("fanout", {"runners": 3, "tasks": 5, "window": 2}),
    ("sleepers", {"sleepers": 3, "naps": 2, "delay": 1}),
    ("mergesort", {"length": 21, "leaf": 2, "seed": 42}),
    ("broker", {"employees": 3, "tasks": 10, "size": 8}),
]
FIELDS = {
    "pingpong": ("pings", "pongs"), "big": ("pings", "pongs"), "bang": ("bangs", "answers"),
    "web": ("answers", "value_sum", "workers_used"), "count": ("adds", "sum"),
    "chain": ("length",), "fanout": ("attempted", "completed"), "sleepers": ("naps",),
    "mergesort": ("", "checksum", "sorters"), "broker": ("results", "checksum_sum"),
}  # fmt: skip
worlds = pytest.mark.parametrize(
    ("name", "values"),
    WORLDS,
    ids=[f"{name}-{'-'.join(map(str, v.values()))}" for name, v in WORLDS],
)


def performed(name: str, values: dict[str, int], seed: int | None) -> tuple[MicroWorkload, Simulation]:
    micro = MICRO[name]
    workload = MicroWorkload(micro, micro.parameters(**values)).run()
    scheduler = InOrder() if seed is None else AtRandom(random.Random(seed).randrange)
    return workload, Simulation(workload, scheduler).perform()


def claimed(name: str, simulation: Simulation) -> Any:
    """The receipt that an honest implementation makes of what control heard."""
    made = getattr(benchmarks_pb2.Receipt(), name)
    done = simulation.control[-1][1]
    for field, value in zip(FIELDS[name], done if len(done) > 1 else done * 2, strict=False):
        if field:
            setattr(made, field, value)
    for number, args in simulation.control:
        if number == kind.MESSAGE_KIND_CONTROL_WINDOW:
            made.windows.append(args[1])
            made.window_nanos.append(1_000_000)
    return made


@worlds
def test_every_schedule_costs_the_budget_and_earns_the_receipt(
    name: str, values: dict[str, int]
) -> None:
    for seed in (None, *range(50)):
        workload, simulation = performed(name, values, seed)
        assert simulation.alive() == set()
        receipt = claimed(name, simulation)
        counts = {field: getattr(receipt, field) for field in FIELDS[name] if field}
        # The first message is control's and not in the budget.
        events = sum(map(len, simulation.logs.values())) - 1
        assert workload.micro.messages(workload.parameters, counts) == events
        assert accounts.problems(name, workload.parameters, [receipt]) == []


@worlds
def test_every_schedule_replays_and_one_event_less_does_not(
    name: str, values: dict[str, int]
) -> None:
    for seed in range(20):
        workload, simulation = performed(name, values, seed)
        assert replay(workload, simulation.logs).conforms
        chosen = random.Random(seed)
        actor = chosen.choice(sorted(simulation.logs))
        log = simulation.logs[actor]
        shorter = simulation.logs | {actor: log[: (at := chosen.randrange(len(log)))] + log[at + 1 :]}
        assert not replay(workload, shorter).conforms


@worlds
def test_a_receipt_that_is_off_by_one_is_refused(name: str, values: dict[str, int]) -> None:
    workload, simulation = performed(name, values, 1)
    for field in filter(None, FIELDS[name]):
        receipt = claimed(name, simulation)
        setattr(receipt, field, getattr(receipt, field) + 1)
        assert accounts.problems(name, workload.parameters, [receipt])


@pytest.mark.parametrize(("name", "values"), [w for w in WORLDS if "windows" in w[1]])
def test_windows_must_add_up_and_last_as_long_as_asked(name: str, values: dict[str, int]) -> None:
    workload, simulation = performed(name, values, 1)
    for spoil in (
        lambda r: r.windows.__setitem__(0, r.windows[0] + 1),
        lambda r: r.windows.pop(),
        lambda r: r.window_nanos.pop(),
        lambda r: r.window_nanos.__setitem__(1, 999_999),
    ):
        receipt = claimed(name, simulation)
        spoil(receipt)
        assert accounts.problems(name, workload.parameters, [receipt])


@pytest.mark.parametrize("name", places.MOST)
def test_the_shares_of_all_nodes_add_up_to_the_receipt_of_one(name: str) -> None:
    values = next(values for other, values in WORLDS if other == name)
    parameters = MICRO[name].parameters(**values)
    for nodes in range(2, places.MOST[name](parameters) + 1):
        shares = places.shares(name, parameters, nodes)
        whole = MICRO[name].model.receipt(parameters)
        assert {key: sum(share[key] for share in shares) for key in whole} == whole


@pytest.mark.parametrize("name", places.MOST)
@pytest.mark.parametrize("by", [1, -1])
def test_a_node_whose_share_is_off_by_one_is_refused(name: str, by: int) -> None:
    """Whether it claims what it did not do, or lost a message (DIST-3, DIST-4)."""
    values = next(values for other, values in WORLDS if other == name)
    parameters = MICRO[name].parameters(**values)
    shares = places.shares(name, parameters, 2)

    def claimed(wrong: tuple[int, str] | None = None) -> list[Any]:
        made = [getattr(benchmarks_pb2.Receipt(), name) for _ in shares]
        for node, share in enumerate(shares):
            for field, value in share.items():
                setattr(made[node], field, value + (by if wrong == (node, field) else 0))
        return made

    assert accounts.problems(name, parameters, claimed()) == []
    for node, share in enumerate(shares):
        for field in (field for field, value in share.items() if value):
            problems = accounts.problems(name, parameters, claimed((node, field)))
            assert any(problem.startswith(f"node {node}: {field} is") for problem in problems)


@pytest.mark.parametrize("name", places.MOST)
def test_no_node_is_empty(name: str) -> None:
    values = next(values for other, values in WORLDS if other == name)
    micro = MICRO[name]
    parameters = micro.parameters(**values)
    for nodes in range(2, places.MOST[name](parameters) + 1):
        cast = micro.cast(parameters)
        assert {places.node_of(actor.name, nodes) for actor in cast} == set(range(nodes))


@pytest.mark.parametrize(
    ("name", "values", "wrong"),
    [
        ("pingpong", {"rounds": 0}, "rounds"),
        ("pingpong", {"rounds": 1, "windows": 1, "window": 1}, "rounds"),
        ("big", {"peers": 2, "rounds": 0, "windows": 1}, "window "),
        ("bang", {"senders": 1, "messages": 1, "window": 1}, "window "),
    ],
)
def test_rounds_and_windows_exclude_each_other(
    name: str, values: dict[str, int], wrong: str
) -> None:
    micro = MICRO[name]
    with pytest.raises(ImpossibleConfiguration, match=wrong):
        micro.check(micro.parameters(**values))
