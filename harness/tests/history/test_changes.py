"""Change points: found where there are some, and seldom where there are none."""

import itertools
import math
from collections.abc import Sequence

import numpy as np
import pytest
from scipy.stats import rankdata

from dramaturg.history import change_points as history_changes
from dramaturg.history.change_points import LEVEL, _change, changes, fewest, penalty

NOISE = 0.02


def _row(*levels: tuple[int, float], seed: int = 1, noise: float = NOISE) -> list[float]:
    """So many logarithms at each level, with normal noise."""
    chance = np.random.default_rng(seed)
    return [float(level + chance.normal(0, noise)) for many, level in levels for _ in range(many)]


@pytest.mark.parametrize(("before", "after"), [(5, 5), (20, 4), (4, 20), (40, 12)])
def test_a_step_is_found_where_it_is_with_its_effect(before: int, after: int) -> None:
    (found,) = changes(_row((before, 0.0), (after, math.log(1.2)), noise=0.005))
    assert (found.at, found.before, found.after) == (before, before, after)
    assert found.low is not None
    assert found.high is not None
    assert found.low < found.ratio < found.high
    assert 1.15 < found.low < 1.2 < found.high < 1.25


def test_a_step_forth_and_back_is_two_changes() -> None:
    found = changes(_row((20, 0.0), (15, 0.1), (20, 0.0), noise=0.01))
    assert [change.at for change in found] == [20, 35]
    assert found[0].ratio > 1 > found[1].ratio


def test_no_row_shorter_than_the_fewest_has_a_change() -> None:
    assert fewest() == 10
    assert changes(_row((4, 0.0), (5, 5.0))) == []
    assert changes([]) == []
    assert changes([1.0]) == []


def test_outliers_are_no_change() -> None:
    row = _row((40, 0.0))
    for place, value in ((7, 3.0), (8, -4.0), (39, 5.0)):
        row[place] = value
    assert changes(row) == []


def test_values_that_are_all_alike_have_no_change() -> None:
    assert changes([0.25] * 40) == []


def test_too_few_on_both_sides_have_an_effect_without_an_interval() -> None:
    """Three and three: not even all of them in order would be as rare as one in twenty."""
    found = _change([0.0, 0.01, 0.02, 1.0, 1.01, 1.02], 0, 3, 6)
    assert found.ratio == pytest.approx(math.e)
    assert found.low is found.high is None


@pytest.mark.parametrize("count", [10, 12, 20, 50, 100])
def test_a_row_without_a_change_shows_one_as_seldom_as_is_said(count: int) -> None:
    """Skewed noise with outliers: of ranks only the order counts. The bound is what 1.5 % would
    exceed with a chance of one in a thousand."""
    chance = np.random.default_rng(count)
    runs = 2000
    noise = np.exp(chance.normal(0, 1, (runs, count))) + 50 * (chance.random((runs, count)) < 0.05)
    wrong = sum(bool(changes(list(row))) for row in noise)
    print(f"{count} points: {wrong / runs:.2%} of rows without a change show one")
    assert wrong / runs < 1.5 * LEVEL + 3.1 * math.sqrt(1.5 * LEVEL / runs)


@pytest.mark.parametrize(("step", "least"), [(0.03, 0.25), (0.05, 0.9)])
def test_how_often_a_step_is_seen_ten_sessions_later(step: float, least: float) -> None:
    """Thirty points before it, ten after, and noise of 2 %: as docs/history.md has it."""
    rows = (_row((30, 0.0), (10, step), seed=seed) for seed in range(300))
    seen = sum(bool(changes(row)) for row in rows) / 300
    print(f"{step:.0%}: seen in {seen:.0%}")
    assert seen >= least


def _best(row: Sequence[float], pen: float) -> float:
    """The lowest cost of all partitions, with a penalty for each change point."""
    ranks = rankdata(row)
    ranks = (ranks - ranks.mean()) / ranks.std()

    def cost(ends: Sequence[int]) -> float:
        parts = itertools.pairwise([0, *ends, len(row)])
        return pen * len(ends) + sum(float(np.var(ranks[a:b])) * (b - a) for a, b in parts)

    return min(
        cost(ends)
        for many in range(4)
        for ends in itertools.combinations(range(1, len(row)), many)
    )  # fmt: skip


def test_the_search_finds_the_best_partition(monkeypatch: pytest.MonkeyPatch) -> None:
    """By hand, over all partitions of short rows: its pruning once was not exact upstream."""
    monkeypatch.setattr(history_changes, "NEAR", 0)
    some = 0
    for seed in range(60):
        row = _row((5, 0.0), (4, 0.06), (5, -0.06), seed=seed)
        ends = [change.at for change in changes(row)]
        some += bool(ends)
        ranks = rankdata(row)
        ranks = (ranks - ranks.mean()) / ranks.std()
        parts = itertools.pairwise([0, *ends, len(row)])
        ours = penalty(len(row)) * len(ends)
        ours += sum(float(np.var(ranks[a:b])) * (b - a) for a, b in parts)
        assert ours == pytest.approx(_best(row, penalty(len(row))))
    assert some > 20
