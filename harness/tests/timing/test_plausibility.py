"""Work that was not done shows in the time that it did not take."""

import pytest
from timing_fakes import honest

from dramaturg.machine.call_floor import Floor
from dramaturg.machine.floors import Cost
from dramaturg.model.fibonacci import calls
from dramaturg.timing.planning.scenarios import Scenario, scenario
from dramaturg.timing.validity import plausibility
from dramaturg.timing.validity.plausibility import WorkCheck

COST = Cost(nanos=1.0, source="test", cores=2)


@pytest.fixture(scope="module")
def computing() -> Scenario:
    only_compute = {"compute": 100, "post": 0, "leave": 0, "invite": 0, "fib_n": 20}
    size = {"clients": 4, "directories": 1, "turns": 2}
    return scenario("chatapp", overrides=size | only_compute)


def test_an_optimised_away_fibonacci_is_refused(computing: Scenario) -> None:
    least = 8 * calls(20) // 2
    said = WorkCheck(computing, COST).problems(honest(computing, run_nanos=least - 1), 10.0)
    assert len(said) == 1
    assert "8 computes" in said[0]
    assert "optimised away (MEAS-13)" in said[0]


def test_work_at_the_floor_is_believed(computing: Scenario) -> None:
    least = 8 * calls(20) // 2
    assert WorkCheck(computing, COST).problems(honest(computing, run_nanos=least), 10.0) == []


def test_a_run_that_only_waited_is_refused(computing: Scenario) -> None:
    work = WorkCheck(computing, Cost(nanos=1000.0, source="test", cores=2))
    said = work.problems(honest(computing, run_nanos=10**12), cpu_seconds=0.001)
    assert len(said) == 1
    assert "0.001 s of CPU time" in said[0]


def test_no_other_runs_cpu_time_counts_for_a_run(computing: Scenario) -> None:
    work = WorkCheck(computing, Cost(nanos=1000.0, source="test", cores=2))
    needed = 8 * calls(20) * 1e-6
    receipt = honest(computing, run_nanos=10**12)
    assert work.problems(receipt, cpu_seconds=10 * needed) == []
    (said,) = work.problems(receipt, cpu_seconds=0.5 * needed)
    assert "of CPU time in Run" in said


def test_what_computes_nothing_is_not_judged(pingpong: Scenario) -> None:
    assert WorkCheck(pingpong, COST).problems(honest(pingpong, run_nanos=1), 0.0) == []


def test_webs_answers_are_computed_as_well() -> None:
    web = scenario("web", overrides={"browsers": 2, "workers": 2, "requests": 5, "fib_n": 20})
    least = 10 * calls(20) // 2
    assert WorkCheck(web, COST).problems(honest(web, run_nanos=least), 10.0) == []
    (said,) = WorkCheck(web, COST).problems(honest(web, run_nanos=least - 1), 10.0)
    assert "10 computes" in said


def _serial(**change: int) -> Scenario:
    sizes = {"browsers": 2, "workers": 2, "requests": 5, "fib_n": 20} | change
    return scenario("web", overrides=sizes)


@pytest.mark.parametrize("change", [{"browsers": 1}, {"workers": 1}])
def test_one_worker_or_browser_has_one_core(change: dict[str, int]) -> None:
    web = _serial(**change)
    least = change.get("browsers", 2) * 5 * calls(20)
    assert WorkCheck(web, COST).problems(honest(web, run_nanos=least), 10.0) == []
    (said,) = WorkCheck(web, COST).problems(honest(web, run_nanos=least - 1), 10.0)
    assert "with 1 at once on 2 cores" in said
    assert said.endswith("(MEAS-13)")


def _by_the_clock(web: Scenario, share: float) -> tuple[WorkCheck, list[str]]:
    """Computes of a second each as a probe, with all of their CPU time, in this share of the time
    that they take one after the other."""
    work = WorkCheck(web, Cost(nanos=0.001, source="test", cores=2))
    work.probed(1e9 / calls(20))
    receipt = honest(web)
    computes = web.parameters["browsers"] * web.parameters["requests"]
    receipt.run_nanos = int((share * computes / work.at_once - plausibility.ROUNDED) * 1e9)
    return work, work.problems(receipt, float(computes))


def test_computes_that_were_split_over_cores_are_refused_by_the_clock() -> None:
    work, said = _by_the_clock(_serial(workers=1), 0.51)
    assert said == []
    assert work.margins[plausibility.BY_CLOCK] == pytest.approx(0.5 / 0.51)
    _, (text,) = _by_the_clock(_serial(workers=1), 0.49)
    assert text.startswith("10 computes of this run took 4.899 s; as a probe, with 1 at once, they")
    assert "take 10.000 s, expected at least half of that" in text
    assert text.endswith("answered before they were done (MEAS-28)")


def test_computes_that_were_split_over_two_cores_are_marked() -> None:
    for share, marked in ((1.0, False), (0.91, False), (0.62, True)):
        work, said = _by_the_clock(_serial(workers=1), share)
        assert said == []
        assert bool(work.doubts()) is marked
    (text,) = work.doubts()
    assert text.startswith("0.62 of the time that its computes take as a probe, with 1 at once")


def test_two_workers_may_compute_on_two_cores() -> None:
    assert _by_the_clock(_serial(), 0.51)[1] == []
    _, (text,) = _by_the_clock(_serial(), 0.49)
    assert "with 2 at once, they take 5.000 s" in text


# --- messages ---

HANDED = Cost(nanos=0.0, source="test", cores=2, handover=100.0, handover_source="a test")


def test_messages_faster_than_they_can_be_handed_over_are_impossible() -> None:
    web = scenario("web", overrides={"browsers": 2, "workers": 2, "requests": 5, "fib_n": 1})
    receipt = honest(web)
    messages = web.messages(receipt)
    receipt.run_nanos = messages * 100 // 2
    assert WorkCheck(web, HANDED).problems(receipt, 10.0) == []
    receipt.run_nanos -= 1
    (said,) = WorkCheck(web, HANDED).problems(receipt, 10.0)
    assert said.startswith(f"impossible: {messages} messages in")
    assert f"{messages} * 100.000 ns / 2 cores are {messages / 20000:.3f} ms" in said


def test_of_ping_pong_there_is_one_message_at_a_time(pingpong: Scenario) -> None:
    receipt = honest(pingpong)
    receipt.run_nanos = pingpong.messages(receipt) * 100
    assert WorkCheck(pingpong, HANDED).problems(receipt, 10.0) == []
    receipt.run_nanos -= 1
    (said,) = WorkCheck(pingpong, HANDED).problems(receipt, 10.0)
    assert "ns / 1 core are" in said


# --- probes ---


def beside(computing: Scenario, share: float, nanos: float = 1000.0) -> tuple[WorkCheck, list[str]]:
    """Computes that take this share of what a probe does."""
    work = WorkCheck(computing, Cost(nanos=0.1, source="test", cores=2))
    assert work.probed(nanos) == ""
    needed = 8 * calls(20) * nanos / 1e9
    receipt = honest(computing, run_nanos=10**12)
    return work, work.problems(receipt, share * needed - plausibility.TICKS)


def test_computes_that_take_as_long_as_probes_are_believed(computing: Scenario) -> None:
    for share in (1.0, 3.0, 0.51):
        work, said = beside(computing, share, nanos=50_000.0)
        assert said == []
        assert work.share == pytest.approx(share)


def test_computes_that_take_less_than_half_of_a_probe_were_not_done(computing: Scenario) -> None:
    _, (said,) = beside(computing, 0.49, nanos=50_000.0)
    assert f"they take 8 * {calls(20)} calls * 50000.000 ns" in said
    assert said.startswith("8 computes of this run took")
    assert "(MEAS-28)" in said


def test_a_little_work_is_not_held_against_a_probe(computing: Scenario) -> None:
    least = plausibility.LITTLE * 1e9 / (8 * calls(20))
    work, said = beside(computing, 0.4, nanos=0.9 * least)
    assert (said, work.share) == ([], None)


def test_a_probe_that_is_faster_than_possible_is_no_probe(computing: Scenario) -> None:
    said = WorkCheck(computing, COST).probed(0.99)
    assert "as a probe a call of fib took 0.9900 ns of CPU time, expected at least 1.0000" in said


# --- many small runs, and warm-up ---


def _small(computing: Scenario) -> WorkCheck:
    """A check for which ten runs together are enough to be judged."""
    work = WorkCheck(computing, Cost(nanos=0.001, source="test", cores=2))
    work.probed(plausibility.LITTLE * 1e9 / (8 * calls(20)) / 10 * 1.0001)
    return work


EACH = plausibility.LITTLE / 10


def test_small_runs_are_judged_together(computing: Scenario) -> None:
    work, receipt = _small(computing), honest(computing, run_nanos=10**12)
    for _ in range(9):
        assert work.problems(receipt, 0.3 * EACH) == []
        assert work.judged.startswith("too little to be judged: ")
        assert work.share is None
    (said,) = work.problems(receipt, 0.3 * EACH)
    assert said.startswith("80 computes of the timed runs so far took 0.150 s")
    assert work.judged == plausibility.ALL_RUNS


def test_a_generous_warm_up_pays_for_nobody(computing: Scenario) -> None:
    work, receipt = _small(computing), honest(computing, run_nanos=10**12)
    for _ in range(50):
        assert work.problems(receipt, 5.0, timed=False) == []
        assert work.share is None
    said = [work.problems(receipt, 0.3 * EACH) for _ in range(10)]
    assert [bool(each) for each in said] == [False] * 9 + [True]


# --- the harness's own program ---

FLOOR = Floor(1000.0, "1000.000 ns, of a test")


def test_a_probe_that_makes_fewer_calls_is_held_against_our_own(computing: Scenario) -> None:
    work = WorkCheck(computing, Cost(nanos=0.1, source="test", cores=2), FLOOR)
    assert work.probed(501.0) == ""
    said = work.probed(499.0)
    assert "expected at least 500.0000 ns, half of 1000.000 ns, of a test" in said
    assert "(MEAS-42)" in said


def test_a_probe_near_the_bound_has_the_floor_measured_again(computing: Scenario) -> None:
    work = WorkCheck(computing, Cost(nanos=0.1, source="test", cores=2), FLOOR)
    assert work.is_low(749.0)
    assert not work.is_low(750.0)
    assert not WorkCheck(computing, COST).is_low(0.0)


def test_computes_below_our_own_floor_were_not_made(computing: Scenario) -> None:
    floor = Floor(1e9 / calls(20), "a test")  # A second for each compute.
    work = WorkCheck(computing, Cost(nanos=0.001, source="test", cores=2), floor)
    receipt = honest(computing, run_nanos=10**12)
    assert work.problems(receipt, 4.01 - plausibility.TICKS) == []
    assert work.margins["MEAS-42"] == pytest.approx(4 / 4.01)
    (said,) = work.problems(receipt, 3.99 - plausibility.TICKS)
    assert "expected at least 4.000 s: half of a test" in said


def test_where_no_cpu_time_is_known_it_says_so(computing: Scenario) -> None:
    work = WorkCheck(computing, COST)
    assert work.problems(honest(computing, run_nanos=10**12), None) == []
    assert work.judged.startswith("not judged: ")


def test_a_probe_beside_a_busy_core_is_no_measure(computing: Scenario) -> None:
    floor = Floor(1e9 / calls(20), "a test")  # A second for each compute.
    work = WorkCheck(computing, Cost(nanos=0.001, source="test", cores=2), floor)
    work.probed(3 * 1e9 / calls(20))
    assert work.problems(honest(computing, run_nanos=10**12), 8.0 - plausibility.TICKS) == []
    assert work.share == pytest.approx(1.0)


# --- payloads ---


@pytest.fixture(scope="module")
def reading() -> Scenario:
    return scenario("broker", overrides={"employees": 2, "tasks": 500, "size": 1000})


BYTES = Cost(nanos=1e9, source="test", cores=2, byte=1.0)


def test_a_payload_takes_time_by_its_bytes(reading: Scenario) -> None:
    least = 500 * 1000 // 2
    assert WorkCheck(reading, BYTES).problems(honest(reading, run_nanos=least), 10.0) == []
    (said,) = WorkCheck(reading, BYTES).problems(honest(reading, run_nanos=least - 1), 10.0)
    assert said.startswith("500 payloads in ")
    assert said.endswith("the work was optimised away (MEAS-46)")


def test_payloads_that_nobody_reads_are_held_against_a_probe(reading: Scenario) -> None:
    work = WorkCheck(reading, BYTES)
    assert work.probed(2000.0) == ""
    receipt = honest(reading, run_nanos=10**12)
    assert work.problems(receipt, 0.51 - plausibility.TICKS) == []
    (said,) = work.problems(receipt, 0.49 - plausibility.TICKS)
    assert "they take 500 * 1000 bytes * 2000.000 ns = 1.000 s" in said
    assert said.endswith("(MEAS-46)")


def test_a_probe_that_reads_nothing_is_no_probe(reading: Scenario) -> None:
    said = WorkCheck(reading, BYTES).probed(0.9)
    assert "as a probe a byte of a payload took 0.9000 ns" in said
    assert said.endswith("(MEAS-46)")
