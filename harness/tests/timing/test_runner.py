"""A run records everything, refuses what it must, and believes nobody."""

import contextlib
import dataclasses
import itertools
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from timing_fakes import FakeSession, Handed, Receipt, honest, logged
from timing_kit import FREE, LOCAL, Run

from dramaturg import results
from dramaturg.control.session import Ran
from dramaturg.errors import Crashed, Late
from dramaturg.implementation import manifest
from dramaturg.implementation.manifest import Implementation
from dramaturg.machine import capabilities
from dramaturg.machine.capabilities import Capabilities, Capability
from dramaturg.machine.floors import Cost
from dramaturg.model import placement
from dramaturg.net import topology
from dramaturg.net.links import Lost
from dramaturg.net.topology import Host, Link, Network
from dramaturg.outcomes import Outcome
from dramaturg.results import Writer
from dramaturg.timing.planning.scenarios import Scenario, scenario
from dramaturg.timing.planning.suites import NetworkRequest
from dramaturg.timing.planning.timing_plan import Plan, Unit
from dramaturg.timing.running.runner import Runner
from dramaturg.v2 import control_pb2

StartFake = Callable[..., Any]


def test_honest_iterations_become_valid_samples(
    run: Run, start_fake: StartFake, small_chat: Scenario
) -> None:
    outcome, recorded = run(small_chat, start_fake(small_chat), invocations=2)
    assert outcome is Outcome.PASS, [unit.message for unit in recorded.units]
    assert recorded.complete
    assert [(s.invocation, s.iteration, s.valid) for s in recorded.samples] == [
        (0, 0, True),
        (0, 1, True),
        (1, 0, True),
        (1, 1, True),
    ]
    assert [unit.outcome for unit in recorded.units] == [Outcome.PASS] * 3
    sample = recorded.samples[0]
    assert sample.receipt["computes"] == honest(small_chat).chatapp.computes
    assert len(sample.turn_nanos) == 6
    assert sample.messages > 0


def test_a_wrong_receipt_fails_the_run_and_stays(
    run: Run, start_fake: StartFake, small_chat: Scenario
) -> None:
    told: list[Receipt] = []

    def lose_a_join_in_the_second(of: Scenario, salt: int) -> Receipt:
        told.append(honest(of, salt))
        told[-1].chatapp.joins -= len(told) - 1
        return told[-1]

    outcome, recorded = run(small_chat, start_fake(small_chat, lose_a_join_in_the_second))
    assert outcome is Outcome.FAIL
    assert [sample.valid for sample in recorded.samples] == [True, False]
    assert "CHAT-51" in recorded.samples[1].problems[0]
    assert recorded.units[0].message.startswith("iteration 1: joins is")


def test_a_receipt_that_claims_more_time_than_passed_is_refused(
    run: Run, start_fake: StartFake, pingpong: Scenario
) -> None:
    start = start_fake(pingpong, lambda of, salt: honest(of, salt, run_nanos=10**12))
    outcome, recorded = run(pingpong, start)
    assert outcome is Outcome.FAIL
    assert "MEAS-4" in recorded.samples[0].problems[0]


def test_work_faster_than_possible_is_refused(run: Run, start_fake: StartFake) -> None:
    overrides = {"clients": 4, "directories": 1, "turns": 2, "compute": 100, "post": 0}
    busy = scenario("chatapp", overrides=overrides | {"leave": 0, "invite": 0})
    outcome, recorded = run(busy, start_fake(busy), cost=Cost(nanos=1e3, source="test", cores=1))
    assert outcome is Outcome.FAIL
    assert "optimised away" in recorded.samples[0].problems[0]


def test_an_uncertified_build_is_not_timed(
    run: Run, start_fake: StartFake, pingpong: Scenario
) -> None:
    outcome, recorded = run(pingpong, start_fake(pingpong), certified=False)
    assert outcome is Outcome.NOT_RUN
    assert recorded.samples == []
    assert recorded.units[0].invocation is None
    assert re.search(r"`dramaturg certify /\S+/fake` first", recorded.units[0].message)


def test_an_uncertified_build_that_is_timed_on_demand_is_marked(
    run: Run, start_fake: StartFake, pingpong: Scenario
) -> None:
    start = start_fake(pingpong)
    outcome, recorded = run(pingpong, start, certified=False, uncertified=True)
    assert outcome is Outcome.PASS
    assert {record.certified for record in (*recorded.samples, *recorded.units)} == {False}


def test_what_is_not_distributed_is_unsupported_and_recorded_once(
    run: Run, start_fake: StartFake, small_chat: Scenario
) -> None:
    start = start_fake(small_chat)
    outcome, recorded = run(small_chat, start, network=NetworkRequest(nodes=2), invocations=3)
    assert outcome is Outcome.UNSUPPORTED
    assert [unit.message for unit in recorded.units] == ["fake does not distribute chatapp"]


def test_a_benchmark_that_is_not_implemented_is_unsupported(
    run: Run, start_fake: StartFake, small_chat: Scenario
) -> None:
    only = run.fake.manifest.model_copy(update={"benchmarks": ["pingpong"]})
    run.fake = Implementation(run.fake.folder, only)
    outcome, _ = run(small_chat, start_fake(small_chat))
    assert outcome is Outcome.UNSUPPORTED


def test_a_missing_toolchain_is_an_outcome_of_its_own(
    run: Run, start_fake: StartFake, pingpong: Scenario
) -> None:
    file = run.fake.folder / manifest.FILE_NAME
    tool = '[[toolchain.needs]]\nwhat = "Chess"\nprobe = ["no-such-tool-anywhere"]\n'
    file.write_text(file.read_text() + tool)
    run.fake = manifest.load(run.fake.folder)
    outcome, recorded = run(pingpong, start_fake(pingpong))
    assert outcome is Outcome.TOOLCHAIN_MISSING
    assert "Chess is not here" in recorded.units[0].message


def _ending(of: Scenario, error: BaseException) -> Any:
    """Sessions whose second iteration ends like this."""

    class Ending(FakeSession):
        def run(self, salt: int, timeout: float, on_mark: Callable[[int], None]) -> Ran:
            if self.salts:
                raise error
            return super().run(salt, timeout, on_mark)

    @contextlib.contextmanager
    def start(implementation: Implementation, **rest: Any) -> Iterator[FakeSession]:
        yield Ending(of)

    return start


def test_what_was_measured_before_a_crash_is_kept(run: Run, pingpong: Scenario) -> None:
    outcome, recorded = run(pingpong, _ending(pingpong, Crashed("it fell")), invocations=2)
    assert outcome is Outcome.CRASH
    assert [(s.invocation, s.valid) for s in recorded.samples] == [(0, True), (1, True)]
    assert [unit.message for unit in recorded.units] == ["it fell"] * 3
    # The log until then was audited, and is not all that had to be.
    assert [each.depth for each in recorded.audits if each.invocation < 2] == ["crossing"] * 2
    assert {unit.certified for unit in recorded.units} == {False}


def test_after_a_timeout_the_rest_is_not_run_and_says_so(run: Run, pingpong: Scenario) -> None:
    outcome, recorded = run(pingpong, _ending(pingpong, Late("it hangs")), invocations=3)
    assert outcome is Outcome.TIMEOUT
    assert [unit.outcome for unit in recorded.units] == [
        Outcome.TIMEOUT,
        *[Outcome.NOT_RUN] * 3,
    ]


def test_an_interrupt_keeps_the_samples_and_leaves_no_footer(run: Run, pingpong: Scenario) -> None:
    with pytest.raises(KeyboardInterrupt):
        run(pingpong, _ending(pingpong, KeyboardInterrupt()))
    recorded = results.read(run.folder / results.TIMINGS)
    assert len(recorded.samples) == 1
    assert not recorded.complete


def test_what_does_not_end_as_it_must_keeps_its_samples_and_fails_its_invocation(
    run: Run, start_fake: StartFake, pingpong: Scenario
) -> None:
    class Lingering(FakeSession):
        def end_input(self) -> None:
            raise Crashed("it exited with status 3 at the end of its standard input")

    outcome, recorded = run(pingpong, start_fake(pingpong, kind=Lingering), invocations=2)
    assert outcome is Outcome.CRASH
    assert [sample.valid for sample in recorded.samples] == [True] * 4
    assert [unit.outcome for unit in recorded.units] == [Outcome.CRASH] * 3
    assert "with status 3" in recorded.units[0].message


@pytest.fixture
def powerless(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine on which nothing can be emulated."""
    without = tuple(
        dataclasses.replace(capability, available=False, explanation="not root")
        for capability in capabilities.probe().all
    )
    monkeypatch.setattr(capabilities, "probe", lambda: Capabilities(without))


class Node(FakeSession):
    """One of two nodes: node 0 hands over the receipt of both, the other its own tear-down."""

    node = 0
    peers: tuple[Any, ...] = ()
    secret = ""
    lead: "Node"

    def prepare(
        self, benchmark: Any, watches: Any, *rest: Any, **more: Any
    ) -> control_pb2.PrepareResponse:
        self.node, peers, self.secret, _ = rest
        self.peers = tuple(peers)
        return super().prepare(benchmark, watches)

    def teardown(self, timeout: float) -> Receipt:
        self.calls.append("teardown")
        return Receipt(teardown_nanos=100) if self.node else self.receipt

    def beforehand(self) -> Handed:
        return self.mine(super().beforehand())

    def handed(self) -> Handed:
        return self.mine(logged(self.of, self.lead.salts[-1], self.watches))

    def mine(self, whole: Handed) -> Handed:
        """Return the part of the actors that live here."""
        values = self.of.values
        mine = {actor for actor in whole.taken if placement.node_of(actor, 2, values) == self.node}
        return Handed(
            {actor: log for actor, log in whole.logs.items() if actor in mine},
            {actor: count for actor, count in whole.taken.items() if actor in mine},
        )


def _two(of: Scenario, nodes: list[Node], kind: type[Node] = Node) -> Any:
    @contextlib.contextmanager
    def start(implementation: Implementation, **rest: Any) -> Iterator[Node]:
        nodes.append(kind(of))
        nodes[-1].lead = nodes[(len(nodes) - 1) // 2 * 2]
        yield nodes[-1]

    return start


@pytest.mark.usefixtures("powerless")
def test_without_emulation_two_nodes_run_on_loopback_and_say_so(
    run: Run, pingpong: Scenario
) -> None:
    nodes: list[Node] = []
    outcome, recorded = run(pingpong, _two(pingpong, nodes), network=NetworkRequest(nodes=2))
    assert outcome is Outcome.PASS, recorded.units
    assert [sample.network["kind"] for sample in recorded.samples] == ["loopback"] * 2
    assert "not root" in recorded.samples[0].network["note"]
    assert recorded.samples[0].receipt["pongs"] == 10
    assert recorded.samples[0].receipt["peers"] == [{"alive": 0}]
    assert [node.node for node in nodes] == [0, 1] * 2
    assert len({peer.port for node in nodes[:2] for peer in node.peers}) == 2
    assert nodes[0].secret == nodes[1].secret != ""
    # Two iterations that are timed, and one that is audited.
    once = ["prepare", "trace", "run", "trace", "teardown", "trace"]
    assert nodes[0].calls == [*once * 3, "end of input"]
    assert nodes[1].calls == [call for call in nodes[0].calls if call != "run"]


@pytest.mark.usefixtures("powerless")
def test_a_node_on_which_somebody_lives_on_makes_the_sample_invalid(
    run: Run, pingpong: Scenario
) -> None:
    class Leaky(Node):
        def teardown(self, timeout: float) -> Receipt:
            receipt = super().teardown(timeout)
            receipt.alive = self.node
            return receipt

    start = _two(pingpong, [], Leaky)
    outcome, recorded = run(pingpong, start, network=NetworkRequest(nodes=2))
    assert outcome is Outcome.FAIL
    assert recorded.samples[0].problems == ["node 1: alive is 1, expected 0 (CTRL-8)"]
    assert recorded.samples[0].receipt["peers"] == [{"alive": 1}]


@pytest.mark.usefixtures("powerless")
def test_an_actor_that_is_logged_on_another_node_makes_the_sample_invalid(
    run: Run, pingpong: Scenario
) -> None:
    class Swapped(Node):
        def handed(self) -> Handed:
            self.node = 1 - self.node
            handed = super().handed()
            self.node = 1 - self.node
            return handed

    start = _two(pingpong, [], Swapped)
    outcome, recorded = run(pingpong, start, network=NetworkRequest(nodes=2))
    assert outcome is Outcome.FAIL
    (said,) = recorded.samples[0].problems
    assert re.search(r"was logged on node (\d) of 2; it lives on node (?!\1)\d \(DIST-1\)", said)


@pytest.mark.usefixtures("powerless")
def test_a_shaped_link_is_never_replaced_by_loopback(
    run: Run, start_fake: StartFake, pingpong: Scenario
) -> None:
    request = NetworkRequest(nodes=2, bandwidth=10)
    outcome, recorded = run(pingpong, start_fake(pingpong), network=request)
    assert outcome is Outcome.NOT_RUN
    assert "a shaped link needs an emulated network: not root" in recorded.units[0].message


def _shaped(monkeypatch: pytest.MonkeyPatch, counts: Callable[[], Lost]) -> None:
    """Networks that are what was asked for, and count what they are told."""

    @contextlib.contextmanager
    def mininet(n: int, link: Link) -> Iterator[Network]:
        hosts = tuple(Host(f"h{number}", f"10.0.0.{number + 1}") for number in range(n))
        ports = itertools.count(20_000).__next__
        measured = {"zero_ms": [0.1] * n, "delay_ms": [5.1] * n, "median_ms": [5.2] * n}
        yield Network("mininet", hosts, link, ports, measured=measured, _counters=counts)

    monkeypatch.setattr(topology, "mininet", mininet)
    monkeypatch.setattr(capabilities, "probe", lambda: Capabilities(tuple(
        Capability(name, True, "") for name in capabilities.NEEDED_BY_MININET)))  # fmt: skip


def test_links_as_they_were_asked_for_are_recorded(
    run: Run, pingpong: Scenario, monkeypatch: pytest.MonkeyPatch
) -> None:
    _shaped(monkeypatch, lambda: Lost(10_000, 201))
    request = NetworkRequest(nodes=2, delay=5, loss=2)
    outcome, recorded = run(pingpong, _two(pingpong, []), network=request)
    assert outcome is Outcome.PASS, recorded.units
    for unit in recorded.units:
        assert unit.links is not None
        assert (unit.links.packets, unit.links.lost, unit.links.off) == (10_000, 201, "")
        low, high = unit.links.between
        assert 160 < low < 201 < high < 245
        # One that is timed and one that is audited share the one percent.
        assert unit.links.confidence == pytest.approx(0.995)
        assert unit.links.delay_ms == [5.1, 5.1]
        assert unit.network["direction"] == "one way, host to host"


def test_what_was_timed_over_links_that_are_off_is_never_summarised(
    run: Run, pingpong: Scenario, monkeypatch: pytest.MonkeyPatch
) -> None:
    counts = iter([Lost(10_000, 200), Lost(10_000, 402), Lost(10_000, 200)])
    _shaped(monkeypatch, lambda: next(counts))
    request = NetworkRequest(nodes=2, loss=2)
    outcome, recorded = run(pingpong, _two(pingpong, []), network=request, invocations=2)
    assert outcome is Outcome.HARNESS_FAULT
    assert [unit.outcome for unit in recorded.units] == [
        Outcome.PASS, Outcome.HARNESS_FAULT, Outcome.PASS,
    ]  # fmt: skip
    assert [sample.valid for sample in recorded.samples] == [True, True, False, False]
    asked = "loss 2 % was asked for, one way, and of 10,000 packets 402 were lost (4.02 %)"
    assert asked in recorded.units[1].message
    assert asked in recorded.samples[2].problems[-1]
    assert recorded.units[1].certified is False


@pytest.mark.parametrize("of_links", [Lost(100, 0), Lost(100, 50)])
def test_an_invocation_that_fails_over_right_links_has_its_own_message(
    run: Run, pingpong: Scenario, monkeypatch: pytest.MonkeyPatch, of_links: Lost
) -> None:
    class Dead(Node):
        def run(self, *rest: Any) -> Ran:
            raise Crashed("it is gone")

    _shaped(monkeypatch, lambda: of_links)
    request = NetworkRequest(nodes=2, delay=5)
    outcome, recorded = run(pingpong, _two(pingpong, [], Dead), network=request)
    assert outcome is (Outcome.HARNESS_FAULT if of_links.lost else Outcome.CRASH)
    expected = "a queue was too short" if of_links.lost else "it is gone"
    assert expected in recorded.units[0].message


@pytest.mark.usefixtures("no_process_left")
def test_the_reference_runs_and_its_receipts_hold(tmp_path: Path, small_chat: Scenario) -> None:
    unit = Unit(
        implementation="reference",
        scenario=small_chat,
        network=LOCAL,
        invocations=1,
        iterations=3,
        warmup=1,
        warmup_note="measured (3 x 100 iterations, then): 1 iterations",
        timeout=60,
    )
    plan = Plan(suites=["test"], seed=1, units=[unit])
    with Writer(tmp_path / results.TIMINGS) as writer:
        runner = Runner(
            plan,
            {"reference": manifest.find("reference")},
            writer,
            tmp_path,
            is_certified=lambda implementation: True,
            cost=FREE,
        )
        assert runner.run() is Outcome.PASS
    recorded = results.read(tmp_path / results.TIMINGS)
    assert [sample.warmup for sample in recorded.samples] == [True, False, False]
    for ended in recorded.units:
        assert ended.warmup_rule.endswith("; measured (3 x 100 iterations, then): 1 iterations")
    assert all(sample.valid and sample.peak_memory > 0 for sample in recorded.samples)
    assert (tmp_path / "stderr" / "reference.log").exists()
