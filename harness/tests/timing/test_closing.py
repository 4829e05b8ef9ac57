"""The time between the end of a run and Teardown is accounted for (MEAS-38, MEAS-39)."""

import contextlib
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from timing_fakes import MILLISECOND, TRIP, FakeSession, Receipt, honest
from timing_kit import Run

from dramaturg.conformance.link_traffic import Wires
from dramaturg.control.session import Looked
from dramaturg.outcomes import Outcome
from dramaturg.processes import consumption
from dramaturg.processes.consumption import Moment
from dramaturg.processes.cores import Cores
from dramaturg.timing.planning.scenarios import Scenario
from dramaturg.timing.running import invocation, moments
from dramaturg.timing.running.moments import JointMoment
from dramaturg.timing.validity.cpu_outside_runs import (
    ACTOR,
    ENDING,
    ENDING_OF_CORE,
    ENDING_OF_RUN,
    IDLE,
    IDLE_OF_CORE,
    Consumed,
    problems,
)
from dramaturg.timing.validity.ledger import (
    GRAIN,
    LONGEST_TRIP,
    LONGEST_WAIT,
    MOST_WAIT,
    ROW,
    SPARED,
    STALL,
    WAYS,
    Closing,
    Ledger,
    RoundTrips,
    Tolerance,
)
from dramaturg.timing.validity.resources import nothing
from dramaturg.timing.validity.row_budget import FEW, Rows

SECOND = 1000 * MILLISECOND
TOLERANCE = Tolerance(single=MILLISECOND, mean=TRIP)
RUN = 10 * SECOND


def closing(seen: int, *, waited: int = 0, looked: int = 0, rows: int = 0) -> Closing:
    return Closing(seen=seen, waited=waited, looked=looked, rows=rows)


def said(
    of: Closing, run_nanos: int = RUN, *, timed: bool = True, ledger: Ledger | None = None
) -> list[str]:
    return (ledger or Ledger(local=True)).closing(of, TOLERANCE, run_nanos, timed=timed)


def most(bound: int) -> int:
    """Return the largest time that may be seen, with the thousandth that a clock may be off."""
    return next(n for n in range(bound, 2 * bound) if n + 1 > bound + int((n + 1) / 1000))


def test_a_trace_that_comes_at_once_is_believed() -> None:
    assert said(closing(TRIP)) == []


def test_what_is_above_an_empty_call_and_a_stall_is_refused_in_words_that_name_the_cause() -> None:
    bound = most(2 * (TOLERANCE.single + STALL))
    assert said(closing(bound)) == []
    (text,) = said(closing(bound + 1))
    assert text.startswith("Trace, called as soon as Run had ended, and an empty call took 12.0")
    assert "the run went on behind its end (MEAS-38)" in text


def test_six_hundred_milliseconds_behind_a_short_run_are_refused() -> None:
    (text,) = said(closing(600 * MILLISECOND, rows=140), run_nanos=96 * MILLISECOND)
    assert "took 600.000 ms, of which its 140 rows take 1.920 ms at most" in text


def test_the_rows_of_a_timed_run_are_spared_a_fiftieth_of_it_and_those_of_an_audit_all() -> None:
    rows = 100_000
    seen = rows * ROW
    assert said(closing(seen, rows=rows), timed=False) == []
    assert said(closing(seen, rows=rows), run_nanos=SPARED * seen) == []
    assert said(closing(seen, rows=rows), run_nanos=SPARED * seen // 2) != []


def test_a_row_is_worth_no_more_than_it_takes() -> None:
    assert said(closing(SECOND, rows=SECOND // ROW), timed=False) == []
    assert said(closing(SECOND, rows=SECOND // ROW // 2), timed=False) != []


def test_waits_excuse_as_much_as_was_waited_and_no_more_than_a_tenth_of_a_second() -> None:
    late = LONGEST_WAIT + 2 * MILLISECOND
    assert said(closing(late, waited=LONGEST_WAIT)) == []
    assert said(closing(late, waited=late // 2)) != []


def test_longer_waits_are_forgiven_and_such_a_run_is_not_vouched_for() -> None:
    ledger = Ledger(local=True)
    assert said(closing(SECOND, waited=SECOND), ledger=ledger) == []
    assert ledger.forgiven > 0
    # Without a bound, unlike those of a call that claims something: MEAS-39 bounds what makes
    # threads wait there.
    ledger = Ledger(local=True)
    assert said(closing(3 * MOST_WAIT, waited=3 * MOST_WAIT), ledger=ledger) == []
    assert ledger.forgiven > 0
    assert said(closing(3 * MOST_WAIT, waited=2 * MOST_WAIT)) != []


def test_of_an_audit_all_waits_excuse() -> None:
    assert said(closing(60 * SECOND, waited=60 * SECOND), timed=False) == []


def test_the_harness_s_own_look_lies_beside() -> None:
    seen = most(2 * (TOLERANCE.single + STALL)) + 5 * MILLISECOND
    assert said(closing(seen)) != []
    assert said(closing(seen, looked=5 * MILLISECOND)) == []


def test_each_node_has_a_trace_of_its_own() -> None:
    """Two traces and an empty call lie behind a run over two nodes."""
    bound = most(3 * (TOLERANCE.single + STALL))
    assert said(Closing(seen=bound, waited=0, looked=0, rows=0, nodes=2)) == []
    assert said(Closing(seen=bound + 1, waited=0, looked=0, rows=0, nodes=2)) != []


def test_a_little_behind_each_run_adds_up() -> None:
    ledger = Ledger(local=True)
    each = closing(4 * MILLISECOND)
    found = [said(each, ledger=ledger) for _ in range(20)]
    assert found[0] == []
    assert "runs go on behind their ends (MEAS-38)" in next(text for text in found if text)[0]
    usual = closing(WAYS * TRIP + GRAIN // 2)
    ledger = Ledger(local=True)
    assert [said(usual, ledger=ledger) for _ in range(100)] == [[]] * 100


def test_margins_say_which_share_was_used() -> None:
    ledger = Ledger(local=True)
    said(closing(6 * MILLISECOND), ledger=ledger)
    assert ledger.margins["closing"] == pytest.approx(0.5, abs=0.01)
    said(closing(20 * MILLISECOND), ledger=ledger)
    assert ledger.margins["closing"] > 1


def test_a_run_is_not_vouched_for_with_more_than_a_twentieth_behind_it() -> None:
    assert TOLERANCE.vouches_for(RUN, RUN, behind=RUN // 20)
    assert not TOLERANCE.vouches_for(RUN, RUN, behind=RUN // 20 + 1)


def test_one_empty_call_that_is_answered_late_does_not_make_all_bounds_wide() -> None:
    trips: Any = [TRIP] * 63 + [SECOND]
    assert RoundTrips(0, trips).tolerance(1).single == WAYS * LONGEST_TRIP + GRAIN
    slow: Any = [SECOND] * 64
    assert RoundTrips(0, slow).tolerance(1).single == WAYS * SECOND + GRAIN


# --- rows ---


def test_rows_are_drawn_by_what_they_take() -> None:
    rows = Rows(events=10_000_000)
    assert rows.most == SECOND // SPARED // 2000
    rows.took(FEW, FEW * 1000, SECOND)
    assert rows.most == SECOND // SPARED // 1000
    rows.took(FEW, FEW * 5000, SECOND)
    assert rows.most == SECOND // SPARED // 1000, "the swiftest counts"


def test_nobody_has_few_rows_by_being_slow() -> None:
    rows = Rows(events=1)
    rows.took(FEW, 3600 * SECOND, SECOND)
    assert rows.most == SECOND // SPARED // ROW
    rows.took(FEW - 1, 1, SECOND)
    assert rows.most == SECOND // SPARED // ROW, "too few to be measured"


# --- CPU time ---


def consumed(**more: float) -> Consumed:
    of = {"run": 1.0, "outside": 0.0, "teardown": 0.0, "wall": 1.0, "late": 0.0}
    return Consumed(**of | more)


CORES = 2


@pytest.mark.parametrize(
    ("field", "bound", "words"),
    [
        ("outside", IDLE + IDLE_OF_CORE * CORES, "belongs to a run was done before or after it"),
        (
            "teardown",
            ENDING + ENDING_OF_CORE * CORES + ENDING_OF_RUN + 10 * ACTOR,
            "the run went on in Teardown",
        ),
        ("run", 2.0, "2 cores have no more"),
    ],
)
def test_cpu_time_has_a_bound(field: str, bound: float, words: str) -> None:
    found, margins = problems(consumed(**{field: 0.99 * bound}), rows=0, actors=10, cores=CORES)
    assert found == []
    assert max(margins.values()) <= 1
    (text,), margins = problems(consumed(**{field: bound + 0.01}), rows=0, actors=10, cores=CORES)
    assert words in text
    assert max(margins.values()) > 1


def test_half_of_a_run_is_no_teardown() -> None:
    (text,), _ = problems(consumed(run=1.0, teardown=1.0), rows=0, actors=65, cores=CORES)
    assert "in Teardown it consumed 1.000 s of CPU time, and 1.000 s in Run" in text


def test_each_of_eight_nodes_has_connections_to_end_and_something_to_compile() -> None:
    """Pekko consumed as much as this in Teardown, and Akka outside of calls, of ChatApp."""
    for of in (consumed(run=1.55, teardown=1.774), consumed(run=1.652, outside=0.971)):
        assert problems(of, rows=0, actors=69, cores=2, nodes=8)[0] == []
        (text,), _ = problems(of, rows=0, actors=69, cores=2)
        assert "(MEAS-39)" in text
    for more in ({"teardown": 4.2}, {"outside": 2.2}):
        (text,), _ = problems(consumed(run=1.0, **more), rows=0, actors=69, cores=2, nodes=8)
        assert "(MEAS-39)" in text


def test_nodes_that_did_little_leave_little_to_do() -> None:
    """Four of Akka's consumed the first; the other is a run that went on in Teardown."""
    honest = consumed(run=0.817, teardown=1.183)
    assert problems(honest, rows=0, actors=69, cores=2, nodes=4)[0] == []
    (text,), _ = problems(consumed(run=0.1, teardown=0.9), rows=0, actors=69, cores=2, nodes=4)
    assert "the run went on in Teardown" in text


def test_a_warm_up_over_nodes_may_take_longer_to_end() -> None:
    long = consumed(run=4.0, wall=4.0, teardown=5.5)
    assert problems(long, rows=0, actors=69, cores=2, nodes=8, warmup=True)[0] == []
    (text,), _ = problems(long, rows=0, actors=69, cores=2, nodes=8)
    assert "the run went on in Teardown" in text
    of = consumed(run=1.0, teardown=4.2)
    assert problems(of, rows=0, actors=69, cores=2, nodes=8, warmup=True)[0] == []
    (text,), _ = problems(consumed(teardown=1.0), rows=0, actors=69, cores=2, warmup=True)
    assert "the run went on in Teardown" in text, "a single node has its run behind it"


def test_a_compiler_has_as_much_to_do_on_one_core() -> None:
    """Akka consumed 0.30 s in the worst iteration, on two cores."""
    of = consumed(outside=0.30)
    shares = [problems(of, rows=0, actors=0, cores=cores)[1]["outside_cpu"] for cores in (1, 2, 64)]
    assert shares == sorted(shares, reverse=True)
    assert shares[0] <= 0.5


def test_what_rows_take_is_not_held_against_anybody() -> None:
    found, _ = problems(consumed(outside=10.0), rows=500_000, actors=0, cores=CORES)
    assert found == []


# --- an invocation ---


class GoesOn(FakeSession):
    """It reports that it is done, and answers Trace when it is."""

    def spool(self, *rest: Any, **more: Any) -> int:
        self.came = {"Run": 0, "Trace": 600 * MILLISECOND}
        return super().spool(*rest, **more)


class GoesOnAfterwards(FakeSession):
    """It answers Trace at once, and then nothing until it is done."""

    def describe(self) -> Any:
        ended = self.calls[-2:] == ["run", "trace"]
        self.passed["Describe"] = 600 * MILLISECOND if ended else TRIP
        return super().describe()


@pytest.mark.parametrize("kind", [GoesOn, GoesOnAfterwards])
def test_a_run_that_goes_on_behind_its_end_fails(
    run: Run, start_fake: Callable[..., Any], pingpong: Scenario, kind: type[FakeSession]
) -> None:
    def tells(of: Scenario, salt: int) -> Receipt:
        return honest(of, salt, run_nanos=90 * MILLISECOND)

    outcome, recorded = run(pingpong, start_fake(pingpong, tells, kind=kind), iterations=2)
    assert outcome is Outcome.FAIL
    assert "the run went on behind its end (MEAS-38)" in recorded.units[0].message
    assert all(sample.ledger.margins["closing"] > 1 for sample in recorded.samples)  # type: ignore[union-attr]


def test_it_is_recorded_how_long_trace_took(
    run: Run, start_fake: Callable[..., Any], pingpong: Scenario
) -> None:
    outcome, recorded = run(pingpong, start_fake(pingpong), iterations=2)
    assert outcome is Outcome.PASS
    for sample in recorded.samples:
        assert sample.ledger is not None
        assert sample.ledger.closing_nanos == 2 * TRIP
        assert 0 <= sample.ledger.margins["closing"] < 1


LONG_AGO = 10 * SECOND


@pytest.mark.parametrize(
    ("waited", "ago", "excused"),
    [(0, LONG_AGO, False), (SECOND, LONG_AGO, True), (SECOND, 0, False)],
)
def test_the_harness_may_have_to_wait_for_a_core_before_it_asks(
    run: Run,
    start_fake: Callable[..., Any],
    pingpong: Scenario,
    monkeypatch: pytest.MonkeyPatch,
    waited: int,
    ago: int,
    excused: bool,
) -> None:
    """Trace is answered a second after Run. The harness had no core, as long as ``waited``, before
    or after Run had ended, which was so long ``ago`` when it looks at the processes."""
    made: list[FakeSession] = []

    class Asked(FakeSession):
        def __init__(self, *rest: Any) -> None:
            super().__init__(*rest)
            made.append(self)

        def run(self, *rest: Any) -> Any:
            ran = super().run(*rest)
            came = time.monotonic_ns() - ago
            self.came = {"Run": came, "Trace": came + SECOND}
            return ran

    def waits(pid: int) -> dict[int, int]:
        """Return the waits of two threads of the harness, while Run was under way or had just
        ended."""
        ended = sum(each.calls.count("run") for each in made)
        return {1: 0, 2: ended * waited}

    monkeypatch.setattr(consumption, "waits_of", waits)
    outcome, recorded = run(pingpong, start_fake(pingpong, kind=Asked), iterations=1)
    (sample,) = recorded.samples
    assert sample.valid is excused, (outcome, sample.problems)
    assert sample.ledger is not None
    assert (sample.ledger.closing_waited_nanos == waited) is (ago > 0)


class Stamped(FakeSession):
    """The ends of its calls are those that a clock tells."""

    def run(self, *rest: Any) -> Any:
        ran = super().run(*rest)
        self.came["Run"] = time.monotonic_ns()
        return ran

    def spool(self, file: Any, timeout: float, meanwhile: Any = None) -> int:
        rows = super().spool(file, timeout, meanwhile)
        self.came["Trace"] = time.monotonic_ns()
        return rows


def test_counters_of_other_hosts_lie_beside(
    run: Run,
    start_fake: Callable[..., Any],
    pingpong: Scenario,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Far(Wires):
        def look(self) -> None:
            time.sleep(0.3)
            super().look()

    monkeypatch.setattr(invocation, "Wires", Far)
    _, recorded = run(pingpong, start_fake(pingpong, kind=Stamped), iterations=2)
    assert not any("(MEAS-38)" in "".join(each.problems) for each in recorded.samples)


@pytest.mark.parametrize("answered_early", [True, False])
def test_the_way_of_an_answer_from_another_host_lies_beside(
    run: Run, start_fake: Callable[..., Any], pingpong: Scenario, answered_early: bool
) -> None:
    """A look is back long after the end of Run; it was answered at once, by its own stamps, or as
    late as it came back."""

    class Far(Stamped):
        asked = threading.Event()

        def marks(self) -> list[int]:
            self.asked.wait(1.0)  # A busy machine asks late; not every run is looked at.
            self.asked.clear()
            return super().marks()

        def look(self, timeout: float) -> Looked:
            self.asked.set()
            looked = super().look(timeout)
            time.sleep(0.5)
            return looked if answered_early else replace(looked, answered=time.monotonic_ns())

    _, recorded = run(pingpong, start_fake(pingpong, kind=Far), iterations=2)
    of_closing = ["(MEAS-38)" in "".join(each.problems) for each in recorded.samples if each.looks]
    assert of_closing
    assert any(of_closing) is not answered_early


def test_the_harness_s_question_to_other_hosts_lies_beside(
    run: Run,
    start_fake: Callable[..., Any],
    pingpong: Scenario,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It asks all hosts for their nodes while a call is under way, and ends when they answer."""

    @contextlib.contextmanager
    def watching(cluster: Any) -> Iterator[None]:
        yield
        time.sleep(0.5)

    monkeypatch.setattr(invocation, "watching", watching)
    _, recorded = run(pingpong, start_fake(pingpong, kind=Stamped), iterations=2)
    assert not any("(MEAS-38)" in "".join(each.problems) for each in recorded.samples)


# --- whose processes ---


class Strays(FakeSession):
    """A process of it has left when its second iteration ends."""

    def strays(self) -> list[str]:
        return ["process 7 is elsewhere (MEAS-40)"] if self.calls.count("teardown") == 2 else []


def test_who_has_left_makes_the_sample_invalid(
    run: Run, start_fake: Callable[..., Any], pingpong: Scenario
) -> None:
    outcome, recorded = run(pingpong, start_fake(pingpong, kind=Strays), iterations=2)
    assert outcome is Outcome.FAIL
    assert [sample.valid for sample in recorded.samples[:2]] == [True, False]
    assert "iteration 1: process 7 is elsewhere (MEAS-40)" in recorded.units[0].message


def test_messages_that_cost_nothing_were_taken_elsewhere() -> None:
    assert nothing(run=1.0, iteration=1.5, least=0.9, messages=10) == []
    (said,) = nothing(run=0.8, iteration=1.5, least=0.9, messages=10)
    assert "0.800 s of CPU time in Run for 10 messages" in said
    assert said.endswith("counted nowhere (MEAS-41)")
    assert len(nothing(run=0.0, iteration=0.0, least=-0.01, messages=10)) == 1
    assert nothing(run=0.0, iteration=0.001, least=-0.01, messages=10) == []


def at(*cores: Cores, lead: int | None) -> JointMoment:
    return JointMoment({}, 0, cores, lead)


def test_others_had_what_two_machines_were_busy_without_node_0() -> None:
    """From the first reading of the first moment to the last one of the second."""
    before = at(Cores(100, 103, 7), Cores(50, 51, 0), lead=5)
    after = at(Cores(290, 300, 7), Cores(160, 170, 0), lead=25)
    assert moments.others(before, after) == 200 + 120 - 20 + 2 * moments._GRAIN


def test_what_a_host_or_a_quota_took_others_had_whatever_it_was_charged_to() -> None:
    before = at(Cores(100, 100, 7), lead=5)
    assert moments.others(before, at(Cores(200, 200, 7), lead=205)) == moments._GRAIN
    assert moments.others(before, at(Cores(200, 200, 37), lead=205)) == 30 + moments._GRAIN


def test_a_machine_that_does_not_say_how_busy_it_was_may_have_been_busy_throughout() -> None:
    silent = at(Cores(100, 100, 0), Cores(None, None, 0), lead=5)
    told = at(Cores(300, 300, 0), Cores(170, 170, 0), lead=25)
    assert moments.others(silent, told) is None
    assert moments.others(told, silent) is None


def test_without_a_process_of_ours_nobody_knows_what_others_had() -> None:
    before, after = at(Cores(1, 1, 0), lead=None), at(Cores(9, 9, 0), lead=None)
    assert moments.others(before, after) is None


def test_cores_are_those_of_the_harness_and_of_node_0() -> None:
    """A node elsewhere that computes says nothing of waits here."""

    def node(lead: int, *cores: Cores) -> Any:
        moment = Moment({}, lead, cores)
        consumption = SimpleNamespace(asked_moment=lambda: lambda: moment)
        return SimpleNamespace(process=SimpleNamespace(consumption=consumption))

    here, there = node(3), node(4, Cores(5, 6, 0))
    assert len(moments.look([here, there]).cores) == 1
    assert moments.look([here, there]).lead == 3
    assert moments.look([there, here]).cores[1:] == (Cores(5, 6, 0),)
    assert moments.look([there, here]).cpu == 7
    attached = SimpleNamespace(process=None)
    assert moments.look([attached, here]).lead is None  # type: ignore[list-item]


def test_a_thread_that_ends_takes_nothing_from_what_others_waited() -> None:
    """Read as it ends it says 0, and its number may be another one's by then."""
    before = Moment({1: 5 * SECOND, 2: 3 * SECOND, 3: 0}, 0)
    after = Moment({1: 0, 2: 4 * SECOND, 4: SECOND}, 0)
    assert moments.waited(before, after) == 2 * SECOND
