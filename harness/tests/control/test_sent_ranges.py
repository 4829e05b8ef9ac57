"""Nothing is sent out of its range (CTRL-3): a caller that would is told field, value and range."""

import re
from typing import Any

import pytest
from google.protobuf.message import Message

from dramaturg.control.lifecycle import Lifecycle
from dramaturg.errors import HarnessFault
from dramaturg.model import names, ranges
from dramaturg.trace.watches import ALL, EVERYBODY, watch
from dramaturg.v2 import benchmarks_pb2, control_pb2

RIGHT: dict[str, dict[str, int]] = {
    "chatapp": {"clients": 4, "directories": 2, "turns": 1, "befriend": 50, "selection": 1},
    "pingpong": {"rounds": 1},
    "big": {"peers": 2, "rounds": 1},
    "bang": {"senders": 1, "messages": 1},
    "web": {"browsers": 1, "workers": 1, "requests": 1},
    "count": {"adders": 1, "adds": 1},
    "chain": {"length": 1},
    "fanout": {"runners": 1, "tasks": 1},
    "sleepers": {"sleepers": 1, "naps": 1},
    "mergesort": {"length": 1, "leaf": 1},
    "broker": {"employees": 1, "tasks": 1, "size": 4},
    "openweb": {"servers": 1, "requests": 1, "gap": 1},
}


def benchmark(name: str, **changes: int) -> benchmarks_pb2.Benchmark:
    made = benchmarks_pb2.Benchmark()
    message = getattr(made, name)
    message.SetInParent()
    for field, value in (RIGHT[name] | changes).items():
        setattr(message, field, value)
    return made


def prepared(**fields: Any) -> Lifecycle:
    lifecycle = Lifecycle()
    request = {"benchmark": benchmark("chatapp"), "watches": EVERYBODY} | fields
    lifecycle.call("Prepare", control_pb2.PrepareRequest(**request))
    lifecycle.answered("Prepare")
    return lifecycle


def refused(said: str) -> Any:
    return pytest.raises(HarnessFault, match=f"with what may not be sent: {re.escape(said)}")


def beyond(message: Message) -> list[tuple[str, int, str]]:
    """Return for each field one value below and one above its range, as far as 32 bits have
    them."""
    found = []
    for field, text in ranges.of_fields(message).items():
        low, high = ranges.evaluate(text, message)
        for value in (low - 1, high + 1):
            if 0 <= value < 2**32:
                found.append((field, value, f"{field} is {value}; it must be in {low}..{high}"))
    return found


PARAMETERS = [
    (name, field, value, said)
    for name in RIGHT
    for field, value, said in beyond(getattr(benchmark(name), name))
]


@pytest.mark.parametrize("name", RIGHT)
def test_parameters_in_their_ranges_are_sent(name: str) -> None:
    prepared(benchmark=benchmark(name))


@pytest.mark.parametrize(
    ("name", "field", "value", "said"),
    PARAMETERS,
    ids=[f"{name}-{field}-{value}" for name, field, value, _ in PARAMETERS],
)
def test_a_parameter_out_of_range_is_named_with_its_value_and_range(
    name: str, field: str, value: int, said: str
) -> None:
    if field == "clients":
        said = "directories is 2; it must be in 1..0" if value == 0 else said
    with pytest.raises(HarnessFault, match=re.escape(said)):
        prepared(benchmark=benchmark(name, **{field: value}))


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"compute": 60, "post": 60}, "compute, post, leave and invite add up to 120"),
        ({"invite": 5, "befriend": 0}, "invite is 5 and befriend is 0"),
        ({"clients": 3}, "some of the 2 directories have a single client"),
    ],
)
def test_a_configuration_that_a_chapter_refuses_is_not_sent(
    changes: dict[str, int], said: str
) -> None:
    with pytest.raises(HarnessFault, match=said):
        prepared(benchmark=benchmark("chatapp", **changes))


def test_a_world_of_no_benchmark_is_not_prepared() -> None:
    with refused("no benchmark is set (spec/control.md, CTRL-3)"):
        prepared(benchmark=benchmarks_pb2.Benchmark())


WATCH = watch(names.CLIENT, modulus=2, first=3, last=8, begin=1, events=2)
ROWS = [
    *((field, value, f"watch 0: {said}") for field, value, said in beyond(WATCH)),
    ("first", 9, "watch 0: first is 9; it must be in 0..8"),
    ("remainder", 2, "watch 0: remainder is 2, modulus 2: nobody can fit it"),
]


@pytest.mark.parametrize(("field", "value", "said"), ROWS)
def test_a_watch_out_of_range_is_named_with_its_number(field: str, value: int, said: str) -> None:
    row = control_pb2.Watch()
    row.CopyFrom(WATCH)
    setattr(row, field, value)
    with pytest.raises(HarnessFault, match=re.escape(said)):
        prepared(watches=[row])


def test_of_several_watches_the_wrong_one_is_named() -> None:
    with refused("watch 1: events is 0; it must be in 1..4294967295"):
        prepared(watches=[watch(names.CLIENT), watch(names.CHAT, events=0)])


@pytest.mark.parametrize(
    ("watches", "said"),
    [
        ([watch(c) for c in range(1, 18)], "there are 17 watches; there may be 16"),
        ([watch(names.CHAT)] * 5, "there are 5 watches of class chat; there may be 4"),
        ([watch(), watch(names.CHAT)], "a watch of class 0 is everybody, and the only one"),
        ([watch(128)], "watch 0: class is 128; it must be in 0..127"),
    ],
)
def test_more_watches_than_there_may_be_are_not_sent(
    watches: list[control_pb2.Watch], said: str
) -> None:
    with refused(said):
        prepared(watches=watches)


def test_a_watch_that_fits_nobody_of_this_world_is_sent_all_the_same() -> None:
    prepared(watches=[watch(names.PEER, first=ALL), watch(127)])


PEERS = [control_pb2.Peer(host=f"10.0.0.{n}", port=7000) for n in (1, 2, 3)]


def test_a_distributed_world_has_peers_and_a_secret() -> None:
    prepared(benchmark=benchmark("big", peers=3), node=2, peers=PEERS, secret="a1")


@pytest.mark.parametrize(
    ("name", "fields", "said"),
    [
        ("big", {"node": 3, "peers": PEERS, "secret": "a"}, "node is 3; there are 3 peers"),
        ("big", {"node": 1}, "node is 1; there are 0 peers"),
        ("big", {"peers": PEERS}, "secret must be set where there are peers, and nowhere else"),
        ("big", {"secret": "a"}, "secret must be set where there are peers, and nowhere else"),
        ("chain", {"peers": PEERS, "secret": "a"}, "there are 3 peers, and chain cannot have"),
        ("big", {"peers": PEERS[:1], "secret": "a"}, "there are 1 peers, and big cannot have"),
        ("pingpong", {"peers": PEERS, "secret": "a"}, "there are 3 peers, and pingpong cannot"),
        ("big", {"peers": [*PEERS[:2], control_pb2.Peer(host="10.0.0.3")], "secret": "a"},
         "peer 2: port is 0; it must be in 1..65535"),
        ("big", {"peers": [control_pb2.Peer(port=65536), *PEERS[:2]], "secret": "a"},
         "peer 0: port is 65536; it must be in 1..65535"),
        ("big", {"peers": [PEERS[0], PEERS[1], PEERS[0]], "secret": "a"},
         "peers 0 and 2 have one address, 10.0.0.1:7000"),
        ("broker", {"peers": PEERS, "secret": "a"}, "there are 3 peers, and broker cannot"),
    ],
)  # fmt: skip
def test_what_a_distributed_world_lacks_or_has_too_much_is_named(
    name: str, fields: dict[str, Any], said: str
) -> None:
    made = benchmark("big", peers=3) if name == "big" else benchmark(name)
    with pytest.raises(HarnessFault, match=re.escape(said)):
        prepared(benchmark=made, **fields)


@pytest.mark.parametrize(
    ("probe", "said"),
    [
        ({"lcg": {"seed": 65536}}, "seed is 65536; it must be in 0..65535"),
        ({"shuffle": {"length": 1048577}}, "length is 1048577; it must be in 0..1048576"),
        ({"fibonacci": {"n": 48}}, "n is 48; it must be in 0..47"),
        ({}, "a probe asks for nothing"),
    ],
)
def test_a_probe_out_of_range_is_not_asked(probe: dict[str, Any], said: str) -> None:
    right = control_pb2.Probe(fold=control_pb2.Probe.Fold(salt=ALL, numbers=[ALL]))
    with refused(said):
        probes = [right, control_pb2.Probe(**probe)]
        Lifecycle().call("Describe", control_pb2.DescribeRequest(probes=probes))


@pytest.mark.parametrize(
    ("act", "said"),
    [
        ({"client": 4}, "client is 4; it must be in 0..3"),
        ({"choice": 7}, "choice is 7; it must be in 0..6"),
    ],
)
def test_an_act_of_nobody_and_of_no_choice_is_not_called_for(
    act: dict[str, Any], said: str
) -> None:
    with refused(said):
        prepared().call("Act", control_pb2.ActRequest(**act))
    prepared().call("Act", control_pb2.ActRequest(client=3, choice=6, index=ALL, k=ALL))


@pytest.mark.parametrize("request_", [control_pb2.ActRequest(), control_pb2.TurnRequest()])
def test_only_chatapp_has_acts_and_turns(request_: Message) -> None:
    method = type(request_).__name__.removesuffix("Request")
    with refused("the benchmark is chain, which has neither acts nor turns"):
        prepared(benchmark=benchmark("chain")).call(method, request_)


def test_only_node_0_is_run() -> None:
    lifecycle = prepared(benchmark=benchmark("big", peers=3), node=1, peers=PEERS, secret="a1")
    with refused("node is 1; only node 0 is Run"):
        lifecycle.call("Run", control_pb2.RunRequest())


def test_any_salt_of_32_bits_is_sent() -> None:
    prepared(benchmark=benchmark("chain")).call("Run", control_pb2.RunRequest(salt=ALL))
