"""The two halves of a pair take turns, iteration by iteration, and who waits is stopped."""

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from timing_fakes import FakeSession, honest
from timing_kit import FREE, LOCAL

from dramaturg import results
from dramaturg.control.session import Ran
from dramaturg.errors import Crashed
from dramaturg.implementation.manifest import Implementation
from dramaturg.machine import environment
from dramaturg.outcomes import Outcome
from dramaturg.processes import consumption
from dramaturg.processes.consumption import Used
from dramaturg.results import Recorded, Writer
from dramaturg.timing.planning.scenarios import Scenario
from dramaturg.timing.planning.suites import NetworkRequest
from dramaturg.timing.planning.timing_plan import Plan, Unit
from dramaturg.timing.running import invocation
from dramaturg.timing.running.runner import Runner
from dramaturg.timing.validity import audit

A, B = "fake", "fake#B"


@dataclass
class Pair:
    """Two sides of a plan, and what happened in which order."""

    folder: Path
    fake: Implementation
    of: Scenario
    events: list[tuple[str, str]] = field(default_factory=list)
    crashes: str = ""
    """The side whose second iteration crashes."""
    places: list[Path | None] = field(default_factory=list)
    """The folder in which each was started, if not in its own."""
    running: int = 0
    most: int = 0

    def __call__(
        self, *, pairs: bool = True, invocations: int = 1, network: NetworkRequest = LOCAL
    ) -> tuple[Outcome, Recorded]:
        units = [
            Unit(
                implementation=name,
                scenario=self.of,
                network=network,
                invocations=invocations,
                iterations=3,
                warmup=0,
                timeout=10,
            )
            for name in (A, B)
        ]
        plan = Plan(suites=["test"], seed=1, units=units, pairs=pairs)
        other = Implementation(self.fake.folder, self.fake.manifest)
        file = self.folder / results.TIMINGS
        with Writer(file) as writer:
            runner = Runner(
                plan,
                {A: self.fake, B: other},
                writer,
                self.folder,
                is_certified=lambda implementation: True,
                cost=FREE,
                start=self.start,
            )
            outcome = runner.run()
        return outcome, results.read(file)

    @contextlib.contextmanager
    def start(self, implementation: Implementation, **rest: Any) -> Iterator[Any]:
        name = A if implementation is self.fake else B
        self.places.append(rest["folder"])
        self.running += 1
        self.most = max(self.most, self.running)
        try:
            yield _session(self, name)
        finally:
            self.running -= 1
            self.events.append((name, "ended"))

    def iterations(self) -> list[str]:
        """Return the names in the order of their turns."""
        return [name for name, event in self.events if event == "run"]


def _session(of: Pair, name: str) -> FakeSession:
    class Told(FakeSession):
        def run(self, salt: int, timeout: float, on_mark: Callable[[int], None]) -> Ran:
            of.events.append((name, "run"))
            if name == of.crashes and len(self.salts) == 1:
                raise Crashed("fell over")
            return super().run(salt, timeout, on_mark)

        @contextlib.contextmanager
        def stopped(self) -> Iterator[None]:
            of.events.append((name, "stopped"))
            try:
                yield
            finally:
                of.events.append((name, "goes on"))

    return Told(of.of, honest)


@pytest.fixture
def pair(tmp_path: Path, fake: Implementation, pingpong: Scenario) -> Pair:
    return Pair(tmp_path, fake, pingpong)


def test_the_two_take_turns_and_who_is_first_changes(pair: Pair) -> None:
    outcome, recorded = pair()
    assert outcome is Outcome.PASS
    timed = pair.iterations()[:6]
    first, second = timed[:2]
    assert first != second
    assert timed == [first, second, second, first, first, second]
    assert all(unit.in_turns for unit in recorded.units)
    assert len(recorded.samples) == 6


def test_who_waits_is_stopped(pair: Pair) -> None:
    pair()
    stopped: set[str] = set()
    for name, event in pair.events:
        if event == "stopped":
            stopped.add(name)
        elif event == "goes on":
            stopped.discard(name)
        elif event == "run":
            alive = {A, B} - {who for who, what in pair.events if what == "ended"}
            assert name not in stopped
            assert not alive or stopped
    assert not stopped


@pytest.mark.parametrize("pairs", [True, False])
def test_all_are_started_at_paths_of_one_length(pair: Pair, pairs: bool) -> None:
    pair(pairs=pairs)
    assert len({len(str(place)) for place in pair.places}) == 1
    assert None not in pair.places
    assert not any(place.exists() for place in pair.places if place)


def test_samples_are_told_apart_though_they_alternate(pair: Pair) -> None:
    _, recorded = pair(invocations=2)
    seen = [(s.implementation, s.invocation, s.iteration) for s in recorded.samples]
    assert sorted(seen) == [(n, i, k) for n in (A, B) for i in range(2) for k in range(3)]
    assert all(sample.valid for sample in recorded.samples)
    assert [unit.samples for unit in recorded.units] == [3, 3, 3, 3, 0, 0]


def test_a_crash_of_one_does_not_end_the_other(pair: Pair) -> None:
    pair.crashes = A
    outcome, recorded = pair()
    assert outcome is Outcome.CRASH
    ended = {(unit.implementation, unit.invocation): unit for unit in recorded.units}
    assert ended[A, 0].outcome is Outcome.CRASH
    assert ended[B, 0].outcome is Outcome.PASS
    assert ended[B, 0].samples == 3
    assert ended[A, 0].samples == 1
    assert pair.running == 0


def test_what_one_leaves_behind_is_removed_and_not_the_logs_of_the_other(
    pair: Pair, monkeypatch: pytest.MonkeyPatch
) -> None:
    pair.crashes = A
    judged = audit.judged

    def there(kept: audit.Kept, *rest: Any, **more: Any) -> audit.Finding:
        assert all(file.exists() for file in kept.files)
        return judged(kept, *rest, **more)

    monkeypatch.setattr(audit, "judged", there)
    _, recorded = pair()
    assert {record.outcome for record in recorded.audits} == {Outcome.PASS}
    assert not list((pair.folder / audit.FOLDER).glob("*"))


def test_an_interrupt_ends_both(pair: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    iteration = invocation._iteration
    many = 0

    def interrupted(*rest: Any) -> invocation.Measured:
        nonlocal many
        many += 1
        if many == 4:
            raise KeyboardInterrupt
        return iteration(*rest)

    monkeypatch.setattr(invocation, "_iteration", interrupted)
    with pytest.raises(KeyboardInterrupt):
        pair()
    assert pair.running == 0
    assert sum(event == "stopped" for _, event in pair.events) == sum(
        event == "goes on" for _, event in pair.events
    )


def test_without_pairs_one_ends_before_the_next_begins(pair: Pair) -> None:
    outcome, recorded = pair(pairs=False)
    assert outcome is Outcome.PASS
    assert pair.most == 1
    assert not any(unit.in_turns for unit in recorded.units)


def test_networks_are_there_one_at_a_time(pair: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Runner, "_network", lambda *rest: contextlib.nullcontext())
    _, recorded = pair(network=NetworkRequest(nodes=2))
    assert len(recorded.samples) == 6
    assert pair.iterations()[0] == pair.iterations()[1]
    assert not any(unit.in_turns for unit in recorded.units)


def test_who_holds_more_than_half_of_the_memory_goes_on_alone(
    pair: Pair, monkeypatch: pytest.MonkeyPatch
) -> None:
    half = environment.memory() // 2
    monkeypatch.setattr(consumption, "NOTHING", Used(0.0, half + 1, 0, 0.0))
    _, recorded = pair()
    timed = pair.iterations()
    assert timed[:4] == [timed[0]] * 4
    assert not any(unit.in_turns for unit in recorded.units)
