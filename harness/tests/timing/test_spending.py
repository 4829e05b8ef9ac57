"""CPU time against time, memory that is never given back, and threads that never end."""

import pytest

from dramaturg.timing.validity.resources import CROWD, FEWEST, SLACK, Spent, crowd, leak, too_busy

MIB = 1 << 20


def test_cpu_time_of_all_cores_is_believed() -> None:
    assert too_busy(Spent(wall_seconds=2.0, cpu_seconds=4.0, late=0.0), cores=2) == []


def test_more_cpu_time_than_the_cores_have_is_refused() -> None:
    assert too_busy(Spent(wall_seconds=2.0, cpu_seconds=4.01, late=0.02), cores=2) == []
    (said,) = too_busy(Spent(wall_seconds=2.0, cpu_seconds=4.1, late=0.02), cores=2)
    assert "4.100 s of CPU time in 2.000 s on 2 cores: a clock has jumped" in said


def test_memory_that_grows_with_every_iteration_is_a_leak() -> None:
    held = [100 * MIB + 16 * MIB * number for number in range(FEWEST)]
    (said,) = leak(held, heap=0)
    assert f"after Teardown {100 + 16 * (FEWEST - 1)} MiB are held" in said
    assert "something lives on that alive does not count (MEAS-22)" in said


@pytest.mark.parametrize(
    "held",
    [
        pytest.param([100 * MIB] * 30, id="steady"),
        pytest.param([100 * MIB + number * 4096 for number in range(300)], id="fragments"),
        pytest.param([min(900, 100 + 80 * number) * MIB for number in range(40)], id="fills up"),
        pytest.param([(100 + 200 * (number % 9)) * MIB for number in range(60)], id="sawtooth"),
        pytest.param([100 * MIB, *[2000 * MIB] * 50], id="a larger world"),
        pytest.param([(100 + 400 * (number >= 20)) * MIB for number in range(40)], id="a step"),
        pytest.param([(100 + 40 * number) * MIB for number in range(FEWEST - 1)], id="too few"),
    ],
)
def test_what_comes_to_rest_is_no_leak(held: list[int]) -> None:
    for iterations in range(len(held) + 1):
        assert leak(held[:iterations], heap=0) == []


def test_a_heap_may_fill_before_it_is_collected() -> None:
    held = [100 * MIB + 16 * MIB * number for number in range(2 * FEWEST)]
    assert leak(held, heap=0)
    assert leak(held, heap=1024 * MIB) == []


def test_growth_below_what_allocators_keep_is_not_spoken_of() -> None:
    assert leak([number * SLACK // FEWEST for number in range(FEWEST)], heap=0) == []


def test_threads_that_live_on_after_every_iteration_are_said() -> None:
    """960 threads that wait hold 11 MiB."""
    (said,) = crowd([10 + 32 * number for number in range(FEWEST)])
    assert "after Teardown there are 746 threads, 288 more than in any of the first 8" in said
    assert said.endswith("something lives on that alive does not count (MEAS-22)")


@pytest.mark.parametrize(
    "threads",
    [
        pytest.param([130] * 60, id="a pool"),
        pytest.param([10 + min(number, 10) * 9 for number in range(60)], id="fills up"),
        pytest.param([10, *[400] * 40], id="a larger world"),
        pytest.param([10 + CROWD * number // 60 for number in range(60)], id="one now and then"),
        pytest.param([10 + 40 * number for number in range(FEWEST - 1)], id="too few"),
        pytest.param([0] * 60, id="nobody says"),
    ],
)
def test_threads_of_a_pool_are_not_spoken_of(threads: list[int]) -> None:
    for iterations in range(len(threads) + 1):
        assert crowd(threads[:iterations]) == []
