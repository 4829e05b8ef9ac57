"""The traffic of the links is held against what it must be, in each direction of each node."""

from typing import Any

import pytest

from dramaturg.conformance.cluster import Cluster
from dramaturg.conformance.link_traffic import (
    HEADERS,
    HEARTBEATS,
    QUIET,
    Crossed,
    Held,
    Wires,
    counts_of,
    held,
)
from dramaturg.model import chatapp, receipt_names
from dramaturg.model.workload import MICRO
from dramaturg.net.link_counters import End, Wire
from dramaturg.net.pair_counters import Way, Ways
from dramaturg.v2 import benchmarks_pb2

NOTHING = (End(), End(), End())
ROUNDS, SENDERS, MESSAGES = 1000, 32, 500


def wire(*ends: tuple[int, int, int, int]) -> Wire:
    """Bytes without headers and packets sent, and the same received, of each node."""
    return tuple(
        End(sent + HEADERS * out, out, received + HEADERS * into, into)
        for sent, out, received, into in ends
    )


def of(benchmark: str, run: Wire, rest: Wire | None = None, **more: Any) -> Held:
    values = {
        "pingpong": {"rounds": ROUNDS}, "bang": {"senders": SENDERS, "messages": MESSAGES},
        "big": {"peers": 12, "rounds": 10},
    }[benchmark]  # fmt: skip
    parameters = MICRO[benchmark].parameters(**values)
    quiet = rest or NOTHING[: len(run)]
    return held(benchmark, parameters, {}, Crossed(run, quiet, more.get("seconds", 0.0)))


def test_an_honest_run_is_far_from_the_bound() -> None:
    """As Erlang has it: some 60 bytes a message, one packet for each of ping-pong's."""
    both = (120_000, ROUNDS + 10, 120_000, ROUNDS + 10)
    found = of("pingpong", wire(both, both))
    assert not found.problems and found.run < 0.05
    both = (900_000, 700, 900_000, 700)
    found = of("bang", wire(both, both))
    assert not found.problems and found.run < 0.05


def test_batches_that_are_compressed_pass() -> None:
    """Deflate at its best: 3.1 bytes of a bang, 5.6 of an answer, in full packets."""
    bangs, answers = round(3.1 * SENDERS * MESSAGES), round(5.6 * SENDERS * MESSAGES)
    found = of("bang", wire((answers, 60, bangs, 40), (bangs, 40, answers, 60)))
    assert not found.problems and found.run < 0.5


def test_senders_in_the_receivers_process_are_named() -> None:
    (said,) = of("bang", wire((400, 4, 200, 3), (200, 3, 400, 4))).problems
    assert said.startswith(
        "node 1 sent 200 bytes in 3 packets, without their headers, while it ran, expected at least"
    )
    assert "16000 messages go from node 1 to node 0" in said
    assert "MEAS-52" in said and "DIST-1" in said


def test_one_direction_alone_does_not_do() -> None:
    full, nothing = (900_000, 700), (3_000, 50)
    (said,) = of("bang", wire((*nothing, *full), (*full, *nothing))).problems
    assert said.startswith("node 0 sent 3000 bytes in 50 packets")
    (said,) = of("bang", wire((*full, *nothing), (*nothing, *full))).problems
    assert said.startswith("node 1 sent 3000 bytes in 50 packets")


def test_acknowledgements_are_no_messages() -> None:
    """With time stamps each is a packet of 66 bytes: many bytes, and none of a message, however
    many there are."""
    full, only_acknowledged = (900_000, 4_000), (0, 2_000)
    (said,) = of("bang", wire((*only_acknowledged, *full), (*full, *only_acknowledged))).problems
    assert said.startswith("node 0 sent 0 bytes in 2000 packets")
    end = wire((*only_acknowledged, *full))[0]
    assert end.sent_bytes == 66 * 2_000


def test_what_one_sent_and_the_other_did_not_receive_does_not_do() -> None:
    """Padding to nobody: the other end of the way is counted as well."""
    full, nothing = (900_000, 700), (100, 2)
    (said,) = of("bang", wire((*full, *nothing), (*full, *full))).problems
    assert said.startswith("node 0 received 100 bytes in 2 packets")


def test_rounds_that_share_a_packet_are_none() -> None:
    """A ping is sent when its pong has come, so two of them are never in one packet."""
    both = (2_000_000, ROUNDS - 1, 2_000_000, ROUNDS - 1)
    (said,) = of("pingpong", wire(both, both)).problems
    assert f"expected at least {ROUNDS} bytes in {ROUNDS}" in said


def test_one_node_of_three_that_is_empty_is_named() -> None:
    most = (100_000, 900, 100_000, 900)
    (said,) = of("big", wire(most, most, (500, 5, 500, 5))).problems
    assert said.startswith("node 2 sent 500 bytes")


def test_two_nodes_of_three_that_speak_past_the_network_are_named() -> None:
    """Each of them sends node 0 as much as all of its messages would be."""
    most = wire(*((100_000, 900, 100_000, 900),) * 3)
    full = Way(50_000 + 450 * HEADERS, 450, 50_000)
    honest = ((Way(), full, full), (full, Way(), full), (full, full, Way()))
    quiet = NOTHING
    parameters = MICRO["big"].parameters(peers=12, rounds=10)
    assert not held("big", parameters, {}, Crossed(most, quiet, 0.0, ways=honest)).problems
    assert not held("big", parameters, {}, Crossed(most, quiet, 0.0)).problems
    silent = Way(60 * HEADERS, 60)
    past = ((Way(), full, full), (full, Way(), silent), (full, full, Way()))
    (said,) = held("big", parameters, {}, Crossed(most, quiet, 0.0, ways=past)).problems
    assert said.startswith("node 1 sent node 2 0 bytes in 60 packets")
    assert "320 messages go from node 1 to node 2" in said
    assert "MEAS-61" in said


def test_datagrams_have_credit_for_all_that_is_in_them() -> None:
    """A frame of 8 bytes in each, and an acknowledgement of 5 for each: with the headers of UDP, of
    42 bytes, both are below those of TCP, and by the links alone nothing would have crossed."""
    each = Way(450 * (42 + 8) + 450 * (42 + 5), 900, 450 * (8 + 5))
    ways = ((Way(), each, each), (each, Way(), each), (each, each, Way()))
    end = End(2 * each.bytes, 2 * each.packets, 2 * each.bytes, 2 * each.packets)
    parameters = MICRO["big"].parameters(peers=12, rounds=10)
    counted = Crossed((end,) * 3, NOTHING, 0.0, ways=ways)
    assert not held("big", parameters, {}, counted).problems
    (said,) = held("big", parameters, {}, Crossed((end,) * 3, NOTHING, 0.0)).problems
    assert said.startswith("node 0 sent 0 bytes in 1800 packets")


def test_long_headers_are_no_messages() -> None:
    """Options of IPv4 and TCP may be 80 bytes of a frame: those are not of a message either."""
    both = End(900_000, 700, 900_000, 700)
    parameters = MICRO["bang"].parameters(senders=SENDERS, messages=MESSAGES)
    empty = Way(900_000, 700, 12)
    ways = ((Way(), empty), (empty, Way()))
    (said,) = held(
        "bang", parameters, {}, Crossed((both,) * 2, NOTHING[:2], 0.0, ways=ways)
    ).problems
    assert said.startswith("node 1 sent 12 bytes in 700 packets")


def test_what_a_node_sent_and_received_is_the_sum_of_its_ways() -> None:
    ways = (
        (Way(), Way(100, 1, 40), Way(200, 2, 50)),
        (Way(300, 3, 60), Way(), Way()),
        (Way(), Way(500, 5, 0), Way()),
    )
    crossed = Crossed(NOTHING, NOTHING, 0.0, ways=ways)
    assert crossed.sent == [Way(300, 3, 90), Way(300, 3, 60), Way(500, 5, 0)]
    assert crossed.received == [Way(300, 3, 60), Way(600, 6, 40), Way(200, 2, 50)]


def test_a_world_at_rest_is_quiet() -> None:
    both = (900_000, 700, 900_000, 700)
    crossed = (End(QUIET, 1, QUIET, 1), End(QUIET, 1, QUIET, 1))
    assert "MEAS-53" not in at_rest("web", crossed)
    crossed = (End(QUIET, 1, QUIET, 1), End(QUIET + 1, 1, QUIET, 1))
    assert "a node logs for another one (MEAS-53, DIST-1)" in at_rest("web", crossed)
    found = of("bang", wire(both, both), crossed, seconds=1.0)
    assert not found.problems, "heartbeats go on for as long as it takes"
    more = 128 * SENDERS, 128
    crossed = (End(QUIET + more[1], 1), End(QUIET + more[0], 1))
    found = of("bang", wire(both, both), crossed, seconds=1.0)
    assert found.rest == pytest.approx(2 * QUIET / (2 * QUIET + 2 * HEARTBEATS))


@pytest.mark.parametrize(
    ("said", "passes"),
    [
        ((116 * 66_000, 0, 0), True),
        ((2 * 128 * 66_000 + 3 * QUIET, 0, 0), True),
        ((2 * 128 * 66_000 + 3 * QUIET + 1, 0, 0), False),
        ((0, 3 * QUIET, 0), True),
        ((0, 3 * QUIET + 1, 0), False),
    ],
)
def test_a_node_may_tell_others_of_each_actor_of_its_own_that_has_ended(
    said: tuple[int, ...], passes: bool
) -> None:
    """CAF does, in 116 bytes, and those of 66,000 accumulators wait behind the messages of the run.
    They live on node 0: another node has nobody to tell of."""
    p = chatapp.Parameters(6, 1, 66_000, 0, 2, 2, 10, 100)
    crossed = Crossed(NOTHING, tuple(End(many, 1) for many in said), 0.0)
    problems = held("chatapp", p, {}, crossed).problems
    assert ("a node logs for another one" not in "".join(problems)) is passes


def at_rest(benchmark: str, rest: Wire) -> str:
    """The problems of such a rest, in which nobody of the benchmark has ended."""
    parameters = MICRO[benchmark].parameters(browsers=1000, workers=1, requests=1, fib_n=1)
    return "".join(held(benchmark, parameters, {}, Crossed(rest, rest, 0.0)).problems)


class Node:
    """A network that counts on."""

    def __init__(self) -> None:
        self.looked = 0
        self.uncounted, self.others_speak = "", False

    def wire(self) -> Wire:
        self.looked += 1
        return (End(self.looked**2),) * 3

    def ways(self) -> Ways:
        return ((Way(), Way(self.looked**3, self.looked**2, self.looked**4), Way()),) * 3


def test_looks_tell_a_run_from_the_rest_after_it() -> None:
    wires = Wires(Cluster([None, None], Node()))  # type: ignore[list-item, arg-type]
    for _ in range(3):
        assert wires.crossed is None
        wires.look()
    assert wires.crossed is not None
    assert [end.sent_bytes for end in wires.crossed.run] == [3, 3], "of the nodes that are used"
    assert [end.sent_bytes for end in wires.crossed.rest] == [5, 5]
    assert wires.crossed.ways == ((Way(), Way(7, 3, 15)),) * 2, "of the run alone"


def test_one_process_has_no_looks() -> None:
    wires = Wires(Cluster([None]))  # type: ignore[list-item]
    for _ in range(3):
        wires.look()
    assert wires.crossed is None


def test_counts_are_those_of_the_benchmark() -> None:
    receipt = receipt_names.made("pingpong", (3, 4))
    assert counts_of(receipt) == {"pongs": 3, "sum": 4}
    assert counts_of(benchmarks_pb2.Receipt()) == {}
