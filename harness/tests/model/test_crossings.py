"""The traffic that must cross a network, held against the messages of the model's actors."""

from collections import Counter
from typing import Any

import pytest

from dramaturg.model import chatapp, crossings, facts, names, placement
from dramaturg.model.chatapp import Selection
from dramaturg.model.distribution import BYTE, Least
from dramaturg.model.simulation import Simulation
from dramaturg.model.workload import MICRO, ChatAppWorkload, MicroWorkload
from dramaturg.v2 import trace_pb2 as kind

SALTED = {
    kind.MESSAGE_KIND_PONG_PING, kind.MESSAGE_KIND_PING_PONG,
    kind.MESSAGE_KIND_PEER_PING, kind.MESSAGE_KIND_PEER_PONG,
    kind.MESSAGE_KIND_RECEIVER_BANG, kind.MESSAGE_KIND_SENDER_ANSWER,
    kind.MESSAGE_KIND_DISPATCHER_REQUEST, kind.MESSAGE_KIND_BROWSER_ANSWER,
    kind.MESSAGE_KIND_EMPLOYEE_TASK, kind.MESSAGE_KIND_ROUTER_REQUEST,
}  # fmt: skip
"""Messages with a digest between actors that may live on different nodes."""

COUNTED: list[tuple[str, int, dict[str, int]]] = [
    ("pingpong", 2, {"rounds": 7}),
    ("big", 2, {"peers": 5, "rounds": 3}),
    ("big", 3, {"peers": 7, "rounds": 2}),
    ("big", 4, {"peers": 4, "rounds": 2}),
    ("bang", 2, {"senders": 3, "messages": 4}),
    ("bang", 4, {"senders": 5, "messages": 2}),
    ("web", 2, {"browsers": 3, "workers": 2, "requests": 4, "fib_n": 3}),
    ("web", 3, {"browsers": 5, "workers": 2, "requests": 2, "fib_n": 3}),
    ("broker", 2, {"employees": 3, "tasks": 7, "size": 9}),
    ("broker", 4, {"employees": 5, "tasks": 11, "size": 9}),
]
WINDOWED: list[tuple[str, int, dict[str, int]]] = [
    ("pingpong", 2, {"rounds": 0, "windows": 2, "window": 1}),
    ("big", 3, {"peers": 5, "rounds": 0, "windows": 2, "window": 1}),
    ("bang", 3, {"senders": 5, "messages": 2, "windows": 2, "window": 1}),
]


def sent(benchmark: str, nodes: int, values: dict[str, int]) -> tuple[Any, Counter[Any], Any]:
    """Messages with a digest between nodes, and what the lead counted."""
    micro = MICRO[benchmark]
    parameters = micro.parameters(**values)
    done = Simulation(MicroWorkload(micro, parameters).run(salt=42)).perform()
    crossed: Counter[Any] = Counter()
    for receiver, log in done.logs.items():
        there = placement.node_of(receiver, nodes, parameters)
        for sender, (number, args) in log:
            if number == kind.MESSAGE_KIND_ROUTER_REQUEST and not args[0]:
                continue  # The first one has no result.
            if number in SALTED and names.class_of(sender) != names.CONTROL:
                here = placement.node_of(sender, nodes, parameters)
                # A worker answers for the dispatcher's node, on which it lives.
                if here != there:
                    crossed[here, there] += 1
    reported = next(
        args for number, args in done.control if number == kind.MESSAGE_KIND_CONTROL_DONE
    )
    return parameters, crossed, reported


def count(of: Counter[Any], due: Least) -> int:
    """Messages that are of this way."""
    return sum(
        many
        for (here, there), many in of.items()
        if due.sender in (None, here) and due.receiver in (None, there)
    )


@pytest.mark.parametrize(("benchmark", "nodes", "values"), COUNTED)
def test_what_must_cross_is_what_the_actors_send(
    benchmark: str, nodes: int, values: dict[str, int]
) -> None:
    parameters, crossed, _ = sent(benchmark, nodes, values)
    due = crossings.least(benchmark, parameters, nodes, {})
    for each in due:
        assert each.messages == count(crossed, each)
        assert 0 < each.turns <= each.messages
    ways = {(each.sender, each.receiver) for each in due}
    for here, there in crossed:
        assert ways & {(here, there), (here, None), (None, there)}, "each way is held"


@pytest.mark.parametrize(("benchmark", "nodes", "values"), WINDOWED)
def test_of_windows_no_more_must_cross_than_was_sent(
    benchmark: str, nodes: int, values: dict[str, int]
) -> None:
    parameters, crossed, reported = sent(benchmark, nodes, values)
    fields = {"pingpong": ["pongs"], "big": ["pings", "pongs"], "bang": ["bangs", "answers"]}
    counts = dict(zip(fields[benchmark], reported, strict=False))
    for each in crossings.least(benchmark, parameters, nodes, counts):
        assert 0 <= each.turns <= each.messages <= count(crossed, each)


def test_of_big_windows_nearly_all_is_held_where_there_are_many() -> None:
    parameters = MICRO["big"].parameters(peers=8, rounds=0, windows=1, window=1)
    (due,) = crossings.least("big", parameters, 2, {"pongs": 8 * 7 * 1000})
    assert due.messages == pytest.approx(2 * 8 * 4 * 1000, rel=0.01)
    assert due.turns == pytest.approx(due.messages / 8, rel=0.01)


def test_one_node_has_nothing_to_cross_nor_has_who_cannot_be_distributed() -> None:
    assert crossings.least("pingpong", MICRO["pingpong"].parameters(rounds=3), 1, {}) == ()
    assert crossings.least("chain", MICRO["chain"].parameters(length=3), 2, {}) == ()


@pytest.mark.parametrize("nodes", [2, 3])
def test_of_chatapp_no_more_must_cross_than_any_schedule_sends(nodes: int) -> None:
    p = chatapp.Parameters(13, 4, 40, 10, 50, 10, 30, 50, Selection.CUMULATIVE, 3)
    done = Simulation(ChatAppWorkload(p).prepare().run(salt=42)).perform()
    due = crossings.least("chatapp", p, nodes, {})
    sent: Counter[Any] = Counter()
    for actor, log in done.logs.items():
        for sender, (number, args) in log:
            stop = number == kind.MESSAGE_KIND_ACCUMULATOR_STOP and args[0] > 0
            if stop or number == kind.MESSAGE_KIND_CLIENT_ACT:
                way = placement.node_of(sender, nodes, p), placement.node_of(actor, nodes, p)
                sent[way] += way[0] != way[1]
    assert {(n, 0) for n in range(1, nodes)} <= {(each.sender, each.receiver) for each in due}
    assert len(due) == len({(each.sender, each.receiver) for each in due})
    for each in due:
        assert 0 < each.messages <= count(sent, each)
        assert each.receiver == 0 or each.messages == count(sent, each), "acts are all held"
    assert facts.least_heard(p).sum() == facts.facts(p).least_deliveries


@pytest.mark.parametrize(("benchmark", "nodes", "values"), [*COUNTED, *WINDOWED])
def test_of_everybody_who_has_ended_the_node_is_known(
    benchmark: str, nodes: int, values: dict[str, int]
) -> None:
    """Where actors wait for control some may have ended, and none is counted."""
    parameters = MICRO[benchmark].parameters(**values)
    done = Simulation(MicroWorkload(MICRO[benchmark], parameters).run()).perform()
    there = Counter(placement.node_of(actor, nodes, parameters) for actor in done.ended)
    counted = crossings.ended(benchmark, parameters, nodes)
    assert counted in ((0,) * nodes, tuple(there[node] for node in range(nodes)))
    assert (sum(counted) > 0) == (not done.alive())


def test_of_chatapp_the_accumulators_have_ended_when_run_does() -> None:
    p = chatapp.Parameters(13, 4, 40, 10, 50, 10, 30, 50, Selection.CUMULATIVE, 3)
    done = Simulation(ChatAppWorkload(p).prepare().run(salt=42)).perform()
    ended = [actor for actor in done.ended if names.class_of(actor) != names.CHAT]
    assert {names.class_of(actor) for actor in ended} == {names.ACCUMULATOR}
    assert {placement.node_of(actor, 3, p) for actor in ended} == {0}
    assert crossings.ended("chatapp", p, 3) == (len(ended), 0, 0)


def test_a_payload_has_half_of_its_bytes() -> None:
    task, result = crossings.least(
        "broker", MICRO["broker"].parameters(employees=3, tasks=10, size=1000), 2, {}
    )
    assert (task.bytes, result.bytes) == (10 + 5000, 10)
    assert task.turns == 4


def test_a_message_has_a_byte() -> None:
    assert Least(0, 1, messages=100, turns=10).bytes == 100 * BYTE


def test_messages_that_are_alike_take_a_quarter_of_that() -> None:
    """LZMA makes 0.63 bytes of an act, where a run has nothing else: that passes."""
    assert Least(0, 1, messages=1100, turns=10, alike=1000).bytes == 100 + 250
    p = chatapp.Parameters(13, 4, 40, 100, 0, 0, 0, 50, Selection.CUMULATIVE, 3)
    acts = [each for each in crossings.least("chatapp", p, 2, {}) if each.receiver]
    assert acts and all(each.bytes < 0.5 * each.messages for each in acts)
