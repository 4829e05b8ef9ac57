"""The traffic of one invocation: recorded, held against what it must be, and compared."""

import contextlib
from collections.abc import Iterator
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from timing_fakes import SALT, FakeSession, Receipt
from timing_kit import Run

from dramaturg.conformance.link_traffic import HEADERS, Crossed
from dramaturg.model import receipt_names
from dramaturg.net import topology
from dramaturg.net.link_counters import End, Wire
from dramaturg.net.pair_counters import Way
from dramaturg.net.topology import Network
from dramaturg.outcomes import Outcome
from dramaturg.records import Depth, WireRecord
from dramaturg.timing.planning.scenarios import scenario
from dramaturg.timing.planning.suites import NetworkRequest
from dramaturg.timing.running.runner import Runner
from dramaturg.timing.validity import network_counts
from dramaturg.timing.validity.network_counts import ENOUGH, FEWER, OnWire

BANG = scenario("bang", overrides={"senders": 32, "messages": 500})
MESSAGES = 2 * 32 + 2 * 32 * 500


def crossed(each: float, packets: int = 500) -> Wire:
    """The traffic of two nodes, with so many bytes for each message."""
    size = round(each * MESSAGES / 2) + HEADERS * packets
    return (End(size, packets, size, packets), End(size, packets, size, packets))


def measured(each: float, depth: Depth, packets: int = 500) -> Any:
    receipt = receipt_names.made("bang", (32 * 500, 32 * 500, 0, 0))
    quiet = (End(), End())
    return SimpleNamespace(
        receipts=[receipt],
        crossed=Crossed(crossed(each, packets), quiet, 0.0),
        logs=SimpleNamespace(depth=depth),
    )


def of(timed: list[float], watched: list[float]) -> OnWire:
    wire = OnWire(BANG)
    for each in timed:
        wire.held(measured(each, Depth.CROSSING))
    for each in watched:
        wire.held(measured(each, Depth.PARTS))
    return wire


def test_messages_as_large_as_those_that_are_watched_are_right() -> None:
    wire = of([60, 61], [60])
    assert wire.problems() == []
    assert wire.share is not None and wire.share < 0.3


def test_larger_batches_compress_better() -> None:
    wire = of([6, 6], [12])
    assert wire.problems() == []
    assert wire.share is not None and wire.share <= 0.5


def test_senders_that_nobody_watches_and_that_do_not_cross_are_refused() -> None:
    wire = of([60 / 5], [60])
    (said,) = wire.problems()
    assert said.startswith("12.0 bytes a message crossed the network in timed iterations")
    assert f"expected at least {60 / FEWER:.1f}" in said
    assert said.endswith("do not send what they log (MEAS-55)")


def test_packets_alone_are_not_compared() -> None:
    """A slow run has a packet for each message, and a fast one hundreds in each."""
    wire = OnWire(BANG)
    wire.held(measured(10, Depth.CROSSING, packets=100))
    wire.held(measured(10, Depth.PARTS, packets=16_000))
    assert wire.problems() == []


def test_short_messages_in_datagrams_are_compared_by_all_that_is_in_them() -> None:
    """24 bytes in packets of 66: by the links alone nothing would be in them, timed or watched."""
    wire = OnWire(BANG)
    for depth, each in ((Depth.CROSSING, 3), (Depth.PARTS, 24)):
        sample = measured(0, depth, packets=16_000)
        way = Way(16_000 * 66, 16_000, 16_000 * each)
        sample.crossed = replace(sample.crossed, ways=((Way(), way), (way, Way())))
        wire.held(sample)
    (said,) = wire.problems()
    assert said.startswith("3.0 bytes a message crossed the network in timed iterations")


def test_a_little_traffic_is_not_compared() -> None:
    little = ENOUGH / MESSAGES / 2
    assert of([little / 100], [little]).problems() == []
    assert of([], [60]).problems() == of([60], []).problems() == []


def test_what_is_no_receipt_of_it_is_not_held() -> None:
    wrong = measured(60, Depth.CROSSING)
    wrong.receipts = [Receipt()]
    assert OnWire(BANG).held(wrong) is None
    nothing = measured(60, Depth.CROSSING)
    nothing.crossed = None
    assert OnWire(BANG).held(nothing) is None


def test_a_sample_keeps_what_crossed() -> None:
    one = measured(60, Depth.CROSSING)
    kept = network_counts.record(one, OnWire(BANG).held(one))
    assert kept.sent_packets == kept.received_packets == [500, 500]
    assert kept.least_share is not None and 0 < kept.least_share < 0.1
    assert kept.rest_bytes == 0 and not kept.not_run


def test_a_record_has_what_each_node_sent_each_other_one_or_why_not() -> None:
    sample = measured(60, Depth.PARTS)
    plain, quiet = sample.crossed.run, sample.crossed.rest
    way = Way(7_000, 70, 2_380)
    sample.crossed = Crossed(plain, quiet, 0.0, ways=((Way(), way), (way, Way())))
    kept = network_counts.record(sample, None)
    assert kept.pair_bytes == [[0, 7_000], [7_000, 0]] and not kept.pairs_not_run
    assert kept.pair_packets == [[0, 70], [70, 0]]
    assert kept.pair_payload == [[0, 2_380], [2_380, 0]]
    sample.crossed = Crossed(plain, quiet, 0.0, uncounted="the kernel takes no program")
    kept = network_counts.record(sample, None)
    assert not kept.pair_bytes and not kept.pair_payload
    assert kept.pairs_not_run == "the kernel takes no program"


def network(wires: Any = None) -> Network:
    hosts = tuple(topology.Host(f"h{n}", "127.0.0.1") for n in range(2))
    ports = iter(range(20_000, 30_000))
    return Network("loopback", hosts, topology.Link(), ports.__next__, _wire=wires)


class Counting:
    """A network whose counters go on by as much at every look."""

    def __init__(self, each: int) -> None:
        self.each, self.looks = each, 0

    def __call__(self) -> Wire:
        self.looks += 1
        # The second of three looks sees what has crossed in Run, and nothing crosses at rest.
        many = (self.looks + 1) // 3
        end = End(self.each * many, 20 * many, self.each * many, 20 * many)
        return (end, end)


def carried_out(bench: Run, monkeypatch: pytest.MonkeyPatch, wires: Any) -> Any:
    """Ping-pong of the fake over two nodes."""
    of = scenario("pingpong", overrides={"rounds": 10})

    @contextlib.contextmanager
    def opened(self: Runner, request: NetworkRequest) -> Iterator[Network]:
        yield network(wires)

    def start(*given: Any, **more: Any) -> Any:
        session = FakeSession(of)
        if more["stderr"].name.endswith(".1.log"):
            session.salts.append(SALT)
            session.teardown = lambda timeout: Receipt()  # type: ignore[method-assign]
        return contextlib.nullcontext(session)

    monkeypatch.setattr(Runner, "_network", opened)
    return bench(of, start, network=NetworkRequest(nodes=2))


def test_the_loopback_device_is_said_to_count_nothing(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, recorded = carried_out(run, monkeypatch, None)
    assert recorded.samples
    for sample in recorded.samples:
        assert sample.wire == WireRecord(not_run=network_counts.UNCOUNTED)
        assert not any("MEAS-52" in problem for problem in sample.problems)


def test_too_little_on_the_wire_makes_a_sample_invalid(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    outcome, recorded = carried_out(run, monkeypatch, Counting(9))
    assert outcome is Outcome.FAIL
    assert all("MEAS-52" in " ".join(sample.problems) for sample in recorded.samples)


def test_enough_on_the_wire_is_kept_with_how_near_the_bound_it_was(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, recorded = carried_out(run, monkeypatch, Counting(5000))
    assert recorded.samples
    for sample in recorded.samples:
        assert sample.wire is not None and sample.wire.sent_bytes == [5000] * 2
        assert not any("MEAS-5" in problem for problem in sample.problems), sample.problems
        assert sample.ledger is not None
        assert 0 < sample.ledger.margins["network, in Run"] < 0.1
        assert sample.ledger.margins["network, at rest"] == 0
