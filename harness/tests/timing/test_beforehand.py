"""Actors that are made before the clock runs take memory and CPU time there (MEAS-44)."""

from dramaturg.timing.validity import setup_costs
from dramaturg.timing.validity.iteration import Spent
from dramaturg.timing.validity.setup_costs import Beforehand

MIB, SECOND = 1 << 20, 10**9


def spent(
    made: float = 0, grown: float = 0, prepare: float = 0, run: float = 0, teardown: float = 0
) -> Spent:
    """MiB by which Prepare and Run grew, and CPU seconds."""
    cpu = (round(prepare * SECOND), round(run * SECOND), round(teardown * SECOND))
    held = (70 * MIB, round((70 + made) * MIB), round((70 + made + grown) * MIB))
    return Spent(cpu, held)


def test_who_grows_in_run_is_believed() -> None:
    of = Beforehand("chain")
    assert of.problems(spent(made=52, grown=500)) == []
    assert of.margins["MEAS-44 memory"] < 0.1


def test_who_grows_in_the_first_prepare_is_not() -> None:
    (said,) = Beforehand("chain").problems(spent(made=500, grown=10))
    assert "the first Prepare took 500 MiB and the first Run 10 MiB" in said
    assert "expected at most 202 MiB in Prepare: in chain one actor is there before Run" in said


def test_what_a_runtime_makes_once_is_no_actor() -> None:
    assert Beforehand("mergesort").problems(spent(made=100, grown=0)) == []


def test_actors_made_in_the_last_teardown_or_in_prepare_take_time_there() -> None:
    for wrong in (spent(prepare=0.5, run=0.1), spent(teardown=0.5, run=0.1)):
        of = Beforehand("chain")
        assert of.problems(spent(prepare=2.0)) == []
        (said,) = of.problems(wrong)
        assert "over 1 iterations Prepare and Teardown took 0.500 s of CPU time" in said
        assert "expected at most 0.150 s beside Run" in said


def test_little_is_not_held_against_run() -> None:
    of = Beforehand("chain")
    of.problems(spent())
    assert of.problems(spent(prepare=0.9 * setup_costs.LITTLE)) == []


def test_little_adds_up() -> None:
    of = Beforehand("chain")
    said = [of.problems(spent(prepare=0.08, run=0.01)) for _ in range(9)]
    assert [bool(each) for each in said] == [False] * 3 + [True] * 6


def test_where_all_are_made_in_prepare_nothing_is_said() -> None:
    of = Beforehand("fanout")
    assert of.problems(spent(made=10_000, prepare=9.0)) == []
    assert of.problems(spent(made=10_000, prepare=9.0)) == []
    assert of.margins == {}
