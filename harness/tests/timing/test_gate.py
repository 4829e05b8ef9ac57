"""A comparison is carried out in pairs, and runs nothing that no verdict needs."""

import dataclasses
import math
import random
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from timing_fakes import MILLISECOND, honest
from timing_kit import FREE

from dramaturg import results
from dramaturg.implementation.manifest import Implementation
from dramaturg.outcomes import Outcome
from dramaturg.records import SampleRecord
from dramaturg.report.report_files import summarise
from dramaturg.results import Recorded
from dramaturg.timing.planning import gate, pairing, resume, suites, timing_plan
from dramaturg.timing.planning.gate import Gate
from dramaturg.timing.planning.pairing import Comparison, Side
from dramaturg.timing.planning.scenarios import Scenario
from dramaturg.timing.planning.timing_plan import Plan
from dramaturg.timing.running.runner import Runner
from dramaturg.timing.statistics.difference import Verdict

A, B = "fake@HEAD~1", "fake"
PAIRS, FRESH = 6, 9

ASKED = Comparison(
    a=Side(label=A, word=A, build="", revision="HEAD~1"),
    b=Side(label=B, word=B, build=""),
    pairs=PAIRS,
    confirm=FRESH,
)


def _plan(*benchmarks: str) -> Plan:
    entries = [
        {"benchmark": each, "parameters": {"rounds": 10} if each == "pingpong" else {"length": 9}}
        for each in benchmarks
    ]
    content = {"suite": "test", "invocations": PAIRS + FRESH, "iterations": 1, "timeout": 10}
    return timing_plan.make([suites.checked(content | {"benchmarks": entries})], [A, B], seed=1)


@dataclasses.dataclass
class Sides:
    """The last question tells which side is invoked."""

    fake: Implementation
    start_fake: Callable[..., Any]
    slowness: dict[str, float]
    made: Plan
    draw: random.Random

    def run(self, folder: Path, before: resume.Interrupted | None = None, stop: int = 0) -> Outcome:
        """Carry the plan out, up to its ``stop``-th invocation."""
        sides = {A: self.fake, B: Implementation(self.fake.folder, self.fake.manifest)}
        header = resume.header(self.made, sides, FREE, True)
        header |= {pairing.HEADER: ASKED.model_dump(mode="json")}
        invoked = 0

        def start(implementation: Implementation, **rest: Any) -> Any:
            nonlocal invoked
            invoked += 1
            if invoked == stop:
                raise KeyboardInterrupt
            name = A if implementation is self.fake else B
            return self.start_fake(self._of(), self._tell(name))(implementation, **rest)

        lacking = [
            unit
            for unit in self.made.units
            if unit.scenario.benchmark not in self.fake.manifest.benchmarks
        ]
        file = folder / results.TIMINGS
        with resume.begin(folder, header, before) as writer:
            runner = Runner(
                self.made,
                sides,
                writer,
                folder,
                is_certified=lambda implementation: True,
                cost=FREE,
                start=start,
                is_wanted=Gate(file, ASKED, lacking),
            )
            return runner.run(before.done if before else ())

    def _of(self) -> Scenario:
        (of,) = {
            unit.scenario
            for unit in self.made.units
            if unit.scenario.benchmark in self.fake.manifest.benchmarks
        }
        return of

    def _tell(self, name: str) -> Callable[..., Any]:
        noise = 1 + self.draw.uniform(-0.02, 0.02)
        nanos = int(2 * MILLISECOND * self.slowness.get(name, 1.0) * noise)
        return lambda of, salt: honest(of, salt, nanos)


Make = Callable[..., Sides]


@pytest.fixture
def sides(fake: Implementation, start_fake: Callable[..., Any]) -> Make:
    def make(*benchmarks: str, **slowness: float) -> Sides:
        factors = {A: slowness.get("a", 1.0), B: slowness.get("b", 1.0)}
        made = _plan(*(benchmarks or ("pingpong",)))
        return Sides(fake, start_fake, factors, made, random.Random(4))

    return make


def _numbers(recorded: Recorded, label: str) -> list[int | None]:
    return [unit.invocation for unit in recorded.units if unit.implementation == label]


def test_a_row_that_is_not_flagged_gets_no_fresh_pair_but_its_audit(
    tmp_path: Path, sides: Make
) -> None:
    assert sides().run(tmp_path) is Outcome.PASS
    recorded = results.read(tmp_path / results.TIMINGS)
    for label in (A, B):
        assert _numbers(recorded, label) == [*range(PAIRS), PAIRS + FRESH]
    (row,) = pairing.judge(recorded, ASKED)
    assert row.found.verdict in (Verdict.EQUAL, Verdict.NO_DIFFERENCE)
    assert row.fresh == []


def test_a_row_that_is_flagged_gets_fresh_pairs_that_decide(tmp_path: Path, sides: Make) -> None:
    assert sides(b=1.5).run(tmp_path) is Outcome.PASS
    recorded = results.read(tmp_path / results.TIMINGS)
    for label in (A, B):
        assert _numbers(recorded, label) == list(range(PAIRS + FRESH + 1))
    (row,) = pairing.judge(recorded, ASKED)
    assert (row.found.verdict, row.found.pairs) == (Verdict.SLOWER, FRESH)
    assert row.found.confirmed
    assert row.found.ratio == pytest.approx(1.5, rel=0.05)


def test_pairs_run_back_to_back_in_an_order_that_is_drawn(tmp_path: Path, sides: Make) -> None:
    sides().run(tmp_path)
    units = results.read(tmp_path / results.TIMINGS).units
    both = list(zip(units[::2], units[1::2], strict=True))
    assert all(one.invocation == other.invocation for one, other in both)
    drawn = [(one.implementation, other.implementation) for one, other in both]
    assert all(set(pair) == {A, B} for pair in drawn)
    assert len(set(drawn)) == 2


def test_of_a_benchmark_that_one_lacks_nothing_is_timed(tmp_path: Path, sides: Make) -> None:
    assert sides("pingpong", "mergesort").run(tmp_path) is Outcome.UNSUPPORTED
    recorded = results.read(tmp_path / results.TIMINGS)
    lacking = [unit for unit in recorded.units if unit.benchmark == "mergesort"]
    assert {unit.outcome for unit in lacking} == {Outcome.UNSUPPORTED}
    assert {unit.invocation for unit in lacking} == {None}
    done, left = pairing.judge(recorded, ASKED)
    assert done.found.verdict is not Verdict.NONE
    assert left.found.verdict is Verdict.NONE
    assert "does not implement mergesort" in left.found.why


@pytest.mark.parametrize("stop", [1, 2, 3, 8, 12, 13, 14, 20, 31, 32])
def test_a_comparison_goes_on_where_it_was_cut_short_with_whole_pairs(
    tmp_path: Path, sides: Make, stop: int
) -> None:
    both = sides(b=1.5)
    with pytest.raises(KeyboardInterrupt):
        both.run(tmp_path, stop=stop)
    assert pairing.judge(results.read(tmp_path / results.TIMINGS), ASKED)[0].found.why
    found = resume.find(tmp_path)
    before = gate.whole(found, ASKED)
    timed = [unit for unit in found.done if (unit.invocation or 0) < ASKED.invocations]
    assert len(found.done) - len(before.done) == len(timed) % 2
    began = time.time()
    assert both.run(tmp_path, before) is Outcome.PASS
    recorded = results.read(tmp_path / results.TIMINGS)
    assert recorded.header["started"] >= began - 1
    for label in (A, B):
        assert sorted(map(int, filter(None, _numbers(recorded, label)))) == list(
            range(1, PAIRS + FRESH + 1)
        )
    assert pairing.judge(recorded, ASKED)[0].found.verdict is Verdict.SLOWER
    assert summarise(tmp_path).comparison is not None


def test_a_row_in_which_something_failed_gets_no_fresh_pairs(tmp_path: Path, sides: Make) -> None:
    both = sides(b=1.5)
    tell = both._tell

    def lies(name: str) -> Callable[..., Any]:
        def told(of: Scenario, salt: int) -> Any:
            receipt = tell(name)(of, salt)
            receipt.done.arguments[1] += name == B
            return receipt

        return told

    both._tell = lies  # type: ignore[method-assign]
    assert both.run(tmp_path) is Outcome.FAIL
    recorded = results.read(tmp_path / results.TIMINGS)
    assert _numbers(recorded, A) == [*range(PAIRS), PAIRS + FRESH]
    (row,) = pairing.judge(recorded, ASKED)
    assert row.found.verdict is Verdict.NONE
    assert "fake: " in row.found.why


def test_of_a_given_run_time_what_happened_in_it_is_compared() -> None:
    """A windowed form (WIN-1): the one that sends half as much in the same time is twice as
    slow."""

    def median_of(**values: Any) -> float:
        sample = SampleRecord.model_construct(
            invocation=0, valid=True, warmup=False, run_nanos=3_000_000_000, **values
        )
        return pairing.medians([sample])[0]

    windows = {"windows": 3, "window": 1000}
    many, few = (median_of(parameters=windows, messages=count) for count in (1000, 500))
    assert few - many == pytest.approx(math.log(2))
    assert median_of(parameters={}, messages=1000) == median_of(parameters={}, messages=500)
