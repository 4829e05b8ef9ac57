"""The order in which a poker took its confirms bounds what it says of turns (MEAS-2)."""

import random
from collections.abc import Sequence

import pytest

from dramaturg.model import names
from dramaturg.trace.events import Logs
from dramaturg.trace.replay import turn_order
from dramaturg.v2 import trace_pb2 as kind

MS = 1_000_000
POKER = names.name(names.POKER)


def logs_of(order: Sequence[int]) -> Logs:
    """Return the log of a poker that took the confirms of these turns, in this order."""
    confirm = kind.MESSAGE_KIND_POKER_CONFIRM
    return {POKER: [(0, (confirm, (turn, 0, 0, 0, 0))) for turn in order]}


def run(turns: int, chance: random.Random) -> tuple[list[int], list[int], list[int]]:
    """Return when turns were started, when they were confirmed, and in which order."""
    started = [n * MS for n in range(turns)]
    ended = [turns * MS + chance.randrange(50 * MS) for _ in started]
    return started, ended, sorted(range(turns), key=ended.__getitem__)


def took(started: Sequence[int], ended: Sequence[int]) -> list[int]:
    return [end - start for start, end in zip(started, ended, strict=True)]


@pytest.mark.parametrize("seed", range(20))
def test_a_right_poker_uses_nothing_of_the_bound(seed: int) -> None:
    started, ended, order = run(40, random.Random(seed))
    (found,) = turn_order.beyond(logs_of(order), took(started, ended))
    assert found.nanos <= 0


@pytest.mark.parametrize("seed", range(20))
def test_the_worst_pair_is_found(seed: int) -> None:
    chance = random.Random(seed)
    _, _, order = run(12, chance)
    said = [chance.randrange(50 * MS) for _ in order]
    places = {turn: place for place, turn in enumerate(order)}
    lacks = [
        said[j] - said[i] for i in range(12) for j in range(i + 1, 12) if places[j] < places[i]
    ]
    (found,) = turn_order.beyond(logs_of(order), said)
    assert found.nanos == max(lacks)


def test_turns_that_have_each_other_s_ends_are_refused() -> None:
    started, ended, order = run(40, random.Random(1))
    assert order != sorted(order)
    (text,) = turn_order.problems(logs_of(order), took(started, sorted(ended)))
    assert "and poker/0 took its confirm before that of" in text
    assert text.endswith("(MEAS-2)")


def test_a_part_of_the_log_shows_it_too() -> None:
    started, ended, order = run(40, random.Random(1))
    assert turn_order.problems(logs_of(order[5:15]), took(started, sorted(ended)))
    assert not turn_order.problems(logs_of(order[5:15]), took(started, ended))


def test_rounding_is_allowed_for() -> None:
    assert turn_order.problems(logs_of([1, 0]), [MS, MS + turn_order.GRAIN]) == []
    assert turn_order.problems(logs_of([1, 0]), [MS, MS + turn_order.GRAIN + 1])


def test_turns_in_order_and_turns_that_nobody_logged_say_nothing() -> None:
    assert list(turn_order.beyond(logs_of([0, 1, 2]), [3 * MS, MS, 2 * MS])) == []
    assert list(turn_order.beyond({}, [3 * MS, MS])) == []
