"""A run records everything, refuses what it must, and believes nobody."""

import contextlib
import dataclasses
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from timing_fakes import FakeSession, Receipt, honest

from dramaturg import results
from dramaturg.control import manifest
from dramaturg.control.errors import Crashed, Late
from dramaturg.control.manifest import Implementation
from dramaturg.net import capabilities
from dramaturg.net.capabilities import Capabilities
from dramaturg.outcomes import Outcome
from dramaturg.results import Recorded, Writer
from dramaturg.timing.plan import Plan, Unit
from dramaturg.timing.plausibility import Cost
from dramaturg.timing.runner import Runner
from dramaturg.timing.scenarios import Scenario, scenario
from dramaturg.timing.suites import NetworkRequest

FREE = Cost(nanos=0.0, source="test", cores=1)
LOCAL = NetworkRequest()

StartFake = Callable[[Scenario, Callable[[Scenario], Sequence[Receipt]]], Any]


@dataclasses.dataclass
class Run:
    """One plan carried out on the fake, and what was recorded of it."""

    folder: Path
    fake: Implementation

    def __call__(
        self,
        of: Scenario,
        start: Any,
        *,
        network: NetworkRequest = LOCAL,
        invocations: int = 1,
        iterations: int = 2,
        certified: bool = True,
        uncertified: bool = False,
        cost: Cost = FREE,
    ) -> tuple[Outcome, Recorded]:
        unit = Unit(
            implementation="fake",
            scenario=of,
            network=network,
            invocations=invocations,
            iterations=iterations,
            warmup=0,
            timeout=10,
        )
        plan = Plan(suites=["test"], seed=1, units=[unit])
        file = self.folder / results.TIMINGS
        with Writer(file) as writer:
            runner = Runner(
                plan,
                {"fake": self.fake},
                writer,
                self.folder,
                is_certified=lambda implementation: certified,
                uncertified=uncertified,
                cost=cost,
                start=start,
            )
            outcome = runner.run()
        return outcome, results.read(file)


@pytest.fixture
def run(tmp_path: Path, fake: Implementation) -> Run:
    return Run(tmp_path, fake)


def _honest_twice(of: Scenario) -> list[Receipt]:
    return [honest(of), honest(of)]


def test_honest_iterations_become_valid_samples(
    run: Run, start_fake: StartFake, small_chat: Scenario
) -> None:
    outcome, recorded = run(small_chat, start_fake(small_chat, _honest_twice), invocations=2)
    assert outcome is Outcome.PASS
    assert recorded.complete
    assert [(s.invocation, s.iteration, s.valid) for s in recorded.samples] == [
        (0, 0, True),
        (0, 1, True),
        (1, 0, True),
        (1, 1, True),
    ]
    assert [unit.outcome for unit in recorded.units] == [Outcome.PASS, Outcome.PASS]
    sample = recorded.samples[0]
    assert sample.receipt["computes"] == honest(small_chat).chatapp.computes
    assert len(sample.turn_nanos) == 6
    assert sample.messages > 0


def test_a_wrong_receipt_fails_the_run_and_stays(
    run: Run, start_fake: StartFake, small_chat: Scenario
) -> None:
    def one_join_lost(of: Scenario) -> list[Receipt]:
        wrong = honest(of)
        wrong.chatapp.joins -= 1
        return [honest(of), wrong]

    outcome, recorded = run(small_chat, start_fake(small_chat, one_join_lost))
    assert outcome is Outcome.FAIL
    assert [sample.valid for sample in recorded.samples] == [True, False]
    assert "CHAT-51" in recorded.samples[1].problems[0]
    assert recorded.units[0].message.startswith("iteration 1: joins is")


def test_a_receipt_that_claims_more_time_than_passed_is_refused(
    run: Run, start_fake: StartFake, pingpong: Scenario
) -> None:
    start = start_fake(pingpong, lambda of: [honest(of, run_nanos=10**12)] * 2)
    outcome, recorded = run(pingpong, start)
    assert outcome is Outcome.FAIL
    assert "MEAS-4" in recorded.samples[0].problems[0]


def test_work_faster_than_possible_is_refused(run: Run, start_fake: StartFake) -> None:
    overrides = {"clients": 4, "directories": 1, "turns": 2, "compute": 100, "post": 0}
    busy = scenario("chatapp", overrides=overrides | {"leave": 0, "invite": 0})
    outcome, recorded = run(
        busy, start_fake(busy, _honest_twice), cost=Cost(nanos=1e3, source="test", cores=1)
    )
    assert outcome is Outcome.FAIL
    assert "optimised away" in recorded.samples[0].problems[0]


def test_an_uncertified_build_is_not_timed(
    run: Run, start_fake: StartFake, pingpong: Scenario
) -> None:
    outcome, recorded = run(pingpong, start_fake(pingpong, _honest_twice), certified=False)
    assert outcome is Outcome.NOT_RUN
    assert recorded.samples == []
    assert recorded.units[0].invocation is None
    assert "dramaturg certify fake" in recorded.units[0].message


def test_an_uncertified_build_that_is_timed_on_demand_is_marked(
    run: Run, start_fake: StartFake, pingpong: Scenario
) -> None:
    start = start_fake(pingpong, _honest_twice)
    outcome, recorded = run(pingpong, start, certified=False, uncertified=True)
    assert outcome is Outcome.PASS
    assert {record.certified for record in (*recorded.samples, *recorded.units)} == {False}


def test_what_is_not_distributed_is_unsupported_and_recorded_once(
    run: Run, start_fake: StartFake, small_chat: Scenario
) -> None:
    start = start_fake(small_chat, _honest_twice)
    outcome, recorded = run(small_chat, start, network=NetworkRequest(nodes=2), invocations=3)
    assert outcome is Outcome.UNSUPPORTED
    assert [unit.message for unit in recorded.units] == ["fake does not distribute chatapp"]


def test_a_benchmark_that_is_not_implemented_is_unsupported(
    run: Run, start_fake: StartFake, small_chat: Scenario
) -> None:
    only = run.fake.manifest.model_copy(update={"benchmarks": ["pingpong"]})
    run.fake = Implementation(run.fake.folder, only)
    outcome, _ = run(small_chat, start_fake(small_chat, _honest_twice))
    assert outcome is Outcome.UNSUPPORTED


def test_a_missing_toolchain_is_an_outcome_of_its_own(
    run: Run, start_fake: StartFake, pingpong: Scenario
) -> None:
    file = run.fake.folder / manifest.FILE_NAME
    tool = '[[toolchain.needs]]\nwhat = "Chess"\nprobe = ["no-such-tool-anywhere"]\n'
    file.write_text(file.read_text() + tool)
    run.fake = manifest.load(run.fake.folder)
    outcome, recorded = run(pingpong, start_fake(pingpong, _honest_twice))
    assert outcome is Outcome.TOOLCHAIN_MISSING
    assert "Chess is not here" in recorded.units[0].message


def _ending(of: Scenario, error: BaseException) -> Any:
    """Sessions that hand over one receipt and then end like this."""

    class Ending(FakeSession):
        def run(self, iterations: int, **rest: Any) -> list[Receipt]:
            super().run(1, **rest)
            raise error

    @contextlib.contextmanager
    def start(implementation: Implementation, **rest: Any) -> Iterator[FakeSession]:
        yield Ending(_honest_twice, of)

    return start


def test_what_was_measured_before_a_crash_is_kept(run: Run, pingpong: Scenario) -> None:
    outcome, recorded = run(pingpong, _ending(pingpong, Crashed("it fell")), invocations=2)
    assert outcome is Outcome.CRASH
    assert [(s.invocation, s.valid) for s in recorded.samples] == [(0, True), (1, True)]
    assert [unit.message for unit in recorded.units] == ["it fell", "it fell"]


def test_after_a_timeout_the_rest_is_not_run_and_says_so(run: Run, pingpong: Scenario) -> None:
    outcome, recorded = run(pingpong, _ending(pingpong, Late("it hangs")), invocations=3)
    assert outcome is Outcome.TIMEOUT
    assert [unit.outcome for unit in recorded.units] == [
        Outcome.TIMEOUT,
        Outcome.NOT_RUN,
        Outcome.NOT_RUN,
    ]


def test_an_interrupt_keeps_the_samples_and_leaves_no_footer(run: Run, pingpong: Scenario) -> None:
    with pytest.raises(KeyboardInterrupt):
        run(pingpong, _ending(pingpong, KeyboardInterrupt()))
    recorded = results.read(run.folder / results.TIMINGS)
    assert len(recorded.samples) == 1
    assert not recorded.complete


@pytest.fixture
def powerless(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine on which nothing can be emulated."""
    without = tuple(
        dataclasses.replace(capability, available=False, explanation="not root")
        for capability in capabilities.probe().all
    )
    monkeypatch.setattr(capabilities, "probe", lambda: Capabilities(without))


class _Node(FakeSession):
    """Of two nodes: the first counts pongs, the second hands over its pings on Teardown."""

    def __init__(self, of: Scenario) -> None:
        super().__init__(lambda of: [], of)
        self.rounds = of.parameters["rounds"]
        self.node = 0
        self.peers: list[Any] = []

    def prepare(self, benchmark: Any, trace: bool, **rest: Any) -> Any:
        self.node, self.peers = rest["node"], list(rest["peers"])
        return super().prepare(benchmark, trace)

    def run(self, iterations: int, **rest: Any) -> list[Receipt]:
        receipt = Receipt(run_nanos=1000, iteration_nanos=2000)
        receipt.pingpong.pongs = self.rounds
        self.receipts = [receipt]
        return super().run(iterations)

    def teardown(self) -> Receipt | None:
        super().teardown()
        if self.node == 0:
            return None
        receipt = Receipt(iteration_nanos=2000)
        receipt.pingpong.pings = self.rounds
        return receipt


@pytest.mark.usefixtures("powerless")
def test_without_emulation_two_nodes_run_on_loopback_and_say_so(
    run: Run, pingpong: Scenario
) -> None:
    nodes: list[_Node] = []

    @contextlib.contextmanager
    def start(implementation: Implementation, **rest: Any) -> Iterator[FakeSession]:
        nodes.append(_Node(pingpong))
        yield nodes[-1]

    outcome, recorded = run(pingpong, start, network=NetworkRequest(nodes=2))
    assert outcome is Outcome.PASS, recorded.units
    assert [sample.network["kind"] for sample in recorded.samples] == ["loopback"] * 2
    assert "not root" in recorded.samples[0].network["note"]
    assert recorded.samples[0].receipt["peers"][0]["pings"] == 10
    assert [node.node for node in nodes] == [0, 1]
    assert len({peer.port for node in nodes for peer in node.peers}) == 2
    assert nodes[0].calls == ["prepare", "run", "teardown"] * 2 + ["shutdown"]


@pytest.mark.usefixtures("powerless")
def test_a_shaped_link_is_never_replaced_by_loopback(
    run: Run, start_fake: StartFake, pingpong: Scenario
) -> None:
    request = NetworkRequest(nodes=2, bandwidth=10)
    outcome, recorded = run(pingpong, start_fake(pingpong, _honest_twice), network=request)
    assert outcome is Outcome.NOT_RUN
    assert "a shaped link needs an emulated network: not root" in recorded.units[0].message


@pytest.mark.usefixtures("no_process_left")
def test_the_reference_runs_and_its_receipts_hold(tmp_path: Path, small_chat: Scenario) -> None:
    unit = Unit(
        implementation="reference",
        scenario=small_chat,
        network=LOCAL,
        invocations=1,
        iterations=3,
        warmup=1,
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
    assert all(sample.valid and sample.peak_memory > 0 for sample in recorded.samples)
    assert (tmp_path / "stderr" / "reference.log").exists()
