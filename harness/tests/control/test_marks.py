"""Marks: how many, and how soon (CTRL-6), whatever the receipt says, and by it."""

import pytest

from dramaturg.control import marks
from dramaturg.control.session import MarkSeen, Ran
from dramaturg.v2 import benchmarks_pb2


def chatapp(turns: int) -> benchmarks_pb2.Benchmark:
    return benchmarks_pb2.Benchmark(chatapp=benchmarks_pb2.ChatAppParameters(turns=turns))


def windowed(windows: int, window: int = 500) -> benchmarks_pb2.Benchmark:
    made = benchmarks_pb2.BigParameters(peers=2, windows=windows, window=window)
    return benchmarks_pb2.Benchmark(big=made)


def ran(*said: int, seconds: float = 2.0) -> Ran:
    """Marks that came evenly over so many seconds."""
    each = seconds / max(1, len(said))
    seen = [MarkSeen(done, each * number) for number, done in enumerate(said, start=1)]
    return Ran(seen, seconds)


@pytest.mark.parametrize(
    ("benchmark", "total"),
    [
        (chatapp(32), 32),
        (windowed(3), 3),
        (benchmarks_pb2.Benchmark(big=benchmarks_pb2.BigParameters(rounds=9)), 0),
        (benchmarks_pb2.Benchmark(chain=benchmarks_pb2.ChainParameters(length=9)), 0),
    ],
)
def test_the_last_mark_is_of_all_turns_or_windows(
    benchmark: benchmarks_pb2.Benchmark, total: int
) -> None:
    assert marks.expected(benchmark) == total


@pytest.mark.parametrize(
    ("benchmark", "seen"),
    [
        (chatapp(9), ran(9)),
        (chatapp(9), ran(3, 8, 9)),
        # The one before the end may say as much as the end.
        (chatapp(9), ran(3, 9, 9)),
        (chatapp(1), ran(1)),
        (chatapp(40), ran(*range(1, 23), 40, seconds=2.1)),
        (windowed(3), ran(1, 2, 3)),
        (windowed(3), ran(1, 2, 3, 3)),
        # Half of them, when the machine stalls.
        (windowed(4), ran(2, 4)),
        (windowed(9, window=199), ran(9)),
        (benchmarks_pb2.Benchmark(chain=benchmarks_pb2.ChainParameters(length=9)), ran()),
    ],
)
def test_marks_as_they_must_be_have_no_problem(
    benchmark: benchmarks_pb2.Benchmark, seen: Ran
) -> None:
    assert marks.problems(benchmark, seen) == []


@pytest.mark.parametrize(
    ("benchmark", "seen", "said"),
    [
        (chatapp(9), ran(), "no mark came, expected one that says 9 before the run ended (CTRL-6)"),
        (chatapp(9), ran(3, 8), "the last mark says 8, expected one that says 9 before"),
        (chatapp(9), ran(3, 10), "the last mark says 10, expected one that says 9 before"),
        (chatapp(9), ran(0, 9), "mark 1 says 0 after one that said 0"),
        (chatapp(9), ran(3, 3, 9), "mark 2 says 3 after one that said 3"),
        (chatapp(9), ran(5, 3, 9), "mark 2 says 3 after one that said 5"),
        (chatapp(9), ran(10, 9), "mark 2 says 9 after one that said 10"),
        (chatapp(9), ran(1, 2, 3, 4, 9, seconds=0.25),
         "5 marks came in 0.250 s, expected at most 3 and the last (CTRL-6)"),
        (windowed(4), ran(4), "1 of 4 windows were marked, and each ended alone (CTRL-6)"),
        (windowed(5), ran(2, 5), "2 of 5 windows were marked"),
        (windowed(3, window=200), ran(3, 3), "1 of 3 windows were marked"),
        (benchmarks_pb2.Benchmark(chain=benchmarks_pb2.ChainParameters(length=9)), ran(9),
         "1 marks came; chain has neither turns nor windows to mark (CTRL-6)"),
        (benchmarks_pb2.Benchmark(big=benchmarks_pb2.BigParameters(rounds=9)), ran(9),
         "1 marks came; big has neither turns nor windows to mark (CTRL-6)"),
    ],
)  # fmt: skip
def test_marks_that_are_missing_invented_or_too_many_are_named(
    benchmark: benchmarks_pb2.Benchmark, seen: Ran, said: str
) -> None:
    (found,) = marks.problems(benchmark, seen)
    assert found.startswith(said)


def receipt(
    turns: tuple[float, ...] = (), windows: tuple[float, ...] = ()
) -> benchmarks_pb2.Receipt:
    """One that says how many seconds each turn or window took."""
    if turns:
        nanos = [round(seconds * 1e9) for seconds in turns]
        return benchmarks_pb2.Receipt(chatapp=benchmarks_pb2.ChatAppReceipt(turn_nanos=nanos))
    nanos = [round(seconds * 1e9) for seconds in windows]
    return benchmarks_pb2.Receipt(done={"benchmark": "big", "window_nanos": nanos})


def seen(*pairs: tuple[int, float]) -> list[MarkSeen]:
    return [MarkSeen(done, seconds) for done, seconds in pairs]


@pytest.mark.parametrize(
    ("claimed", "came"),
    [
        # Turns overlap: the two shortest may have been done by then, whichever they are.
        (receipt(turns=(0.9, 0.2, 0.5)), seen((2, 0.6), (3, 1.0))),
        (receipt(turns=(0.9, 0.2, 0.5)), seen((1, 0.85), (3, 0.9))),
        # Some clocks have milliseconds.
        (receipt(turns=(0.9,)), seen((1, 0.8991))),
        (receipt(windows=(0.5, 0.5, 0.5)), seen((1, 0.5), (2, 1.01), (3, 1.6))),
        (receipt(windows=(0.5, 0.5, 0.5)), seen((1, 1.4), (2, 1.45), (3, 1.6))),
        # The machine decides how late a mark comes.
        (receipt(windows=(0.5, 0.5, 0.5)), seen((1, 9.45), (2, 9.46), (3, 9.5))),
        (receipt(turns=(0.3, 9.0)), seen((1, 9.1), (2, 9.2))),
        # Short windows are not marked one by one.
        (receipt(windows=(0.1,) * 30), seen((2, 2.9), (30, 3.0))),
        # The second may have been confirmed within 100 ms, and the first be the last.
        (receipt(turns=(0.3, 0.09)), seen((2, 1.2))),
        (receipt(turns=(0.05, 9.0)), seen((2, 9.1))),
        (receipt(windows=()), []),
        (receipt(turns=(0.1,)), []),
    ],
)
def test_a_mark_that_fits_the_receipt_has_no_problem(
    claimed: benchmarks_pb2.Receipt, came: list[MarkSeen]
) -> None:
    assert marks.untimely(claimed, came) == []


@pytest.mark.parametrize(
    ("claimed", "came", "said"),
    [
        (receipt(turns=(0.9, 0.2, 0.5)), seen((2, 0.4), (3, 1.0)),
         "a mark said 2 after 0.400 s; by the receipt 2 turns took 0.500 s (CTRL-6)"),
        (receipt(turns=(0.9, 0.2, 0.5)), seen((1, 0.3), (3, 0.8)),
         "a mark said 3 after 0.800 s; by the receipt 3 turns took 0.900 s (CTRL-6)"),
        (receipt(turns=(0.9,)), seen((1, 0.898)), "a mark said 1 after 0.898 s"),
        (receipt(windows=(0.5, 0.5)), seen((1, 0.5), (2, 0.9)),
         "a mark said 2 after 0.900 s; by the receipt the first 2 windows took 1.000 s (CTRL-6)"),
        (receipt(turns=(0.3, 9.0)), seen((2, 9.1)),
         "2 turns were confirmed more than 0.1 s after the run began, and the only mark is"),
    ],
)  # fmt: skip
def test_a_mark_that_came_too_early_or_was_kept_is_named(
    claimed: benchmarks_pb2.Receipt, came: list[MarkSeen], said: str
) -> None:
    (found,) = marks.untimely(claimed, came)
    assert found.startswith(said)


def test_a_mark_of_more_than_the_receipt_has_is_for_others_to_name() -> None:
    assert marks.untimely(receipt(turns=(0.1,)), seen((7, 0.2))) == []


# --- marks that come late ---


def of_windows(*nanos: int) -> benchmarks_pb2.Receipt:
    return benchmarks_pb2.Receipt(done={"benchmark": "pingpong", "window_nanos": nanos})


def of_turns(*nanos: int) -> benchmarks_pb2.Receipt:
    return benchmarks_pb2.Receipt(chatapp=benchmarks_pb2.ChatAppReceipt(turn_nanos=nanos))


def test_windows_that_most_marks_say_took_longer_are_refused() -> None:
    ten = of_windows(*[100_000_000] * 10)
    came = seen(*((done, 0.3 * done) for done in range(1, 11)))
    (said,) = marks.Late().problems(ten, came, tolerance=0.01)
    assert "9 of 9 marks came late: one said 9 after 2.700 s" in said
    assert "the first 9 windows had ended after 0.900 s at the latest (WIN-3)" in said


@pytest.mark.parametrize("iterations", [1, 2])
def test_windows_of_two_lengths_are_refused_once_there_are_enough_marks(iterations: int) -> None:
    """Every other one is longer by two fifths, and is said to be like the others."""
    four, late = of_windows(*[300_000_000] * 4), marks.Late()
    came = seen((1, 0.42), (2, 0.6), (3, 1.02), (4, 1.2))
    for _ in range(iterations - 1):
        assert late.problems(four, came, tolerance=0.02) == []
    said = late.problems(four, came, tolerance=0.02)
    if iterations == 1:
        assert said == []
    else:
        assert "4 of 6 marks came late: one said 3 after 1.020 s" in said[0]


def test_an_iteration_whose_marks_are_late_is_refused_whatever_was_before() -> None:
    ten, late = of_windows(*[200_000_000] * 10), marks.Late()
    for _ in range(3):
        came = seen(*((done, 0.2 * done) for done in range(1, 11)))
        assert late.problems(ten, came, tolerance=0.02) == []
    came = seen(*((done, 0.3 * done) for done in range(1, 11)))
    assert "9 of 9 marks came late" in late.problems(ten, came, tolerance=0.02)[0]


def test_an_iteration_whose_marks_are_in_time_is_not_refused_for_those_before() -> None:
    four, late = of_windows(*[300_000_000] * 4), marks.Late()
    stalled = seen((1, 0.5), (2, 0.7), (3, 1.02), (4, 1.2))
    assert late.problems(four, stalled, tolerance=0.02) == []
    came = seen((1, 0.31), (2, 0.61), (3, 0.92), (4, 1.2))
    assert late.problems(four, came, tolerance=0.02) == []


@pytest.mark.parametrize(("window", "by"), [(0.1, 0.06), (0.1, 0.045), (1.0, 0.2), (1.0, 0.3)])
def test_marks_may_be_late_by_a_quarter_of_their_window(window: float, by: float) -> None:
    ten = of_windows(*[round(window * 1e9)] * 10)
    came = seen(*((done, window * done + by + 0.01) for done in range(1, 11)))
    said = marks.Late().problems(ten, came, tolerance=0.01)
    assert bool(said) == (by > max(0.05, window / 4))


def test_turns_that_most_marks_say_took_more_than_twice_as_long_are_refused() -> None:
    came = seen(*((done, 0.3 * done) for done in range(1, 11)))
    (said,) = marks.Late().problems(
        of_turns(*[20_000_000 * n for n in range(1, 11)]), came, tolerance=0.01
    )
    assert "by the receipt turn 9 as they ended had ended after 0.200 s at the latest" in said
    assert "(MEAS-2)" in said


@pytest.mark.parametrize("late", [range(1, 5), range(6, 10), [9]])
def test_a_few_marks_may_come_as_late_as_they_like(late: list[int]) -> None:
    ten = of_windows(*[100_000_000] * 10)
    came = seen(*((done, (5 if done in late else 0.1) * done) for done in range(1, 11)))
    assert marks.Late().problems(ten, came, tolerance=0.01) == []


def test_the_last_mark_waits_for_the_end() -> None:
    came = seen((1, 0.1), (2, 0.2), (3, 0.3), (4, 0.4), (5, 9.0))
    assert marks.Late().problems(of_windows(*[100_000_000] * 5), came, tolerance=0.01) == []


def test_turns_of_which_none_has_ended_for_long_are_believed() -> None:
    """All turns end within a moment, after most of the run: each of them took that long."""
    came = seen(*((done, 2.0 + 0.1 * done) for done in range(1, 11)))
    assert marks.Late().problems(of_turns(*[2_000_000_000] * 10), came, tolerance=0.01) == []
