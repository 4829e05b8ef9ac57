"""The generator against arithmetic done by hand (LCG-1 to LCG-3)."""

from hypothesis import given
from hypothesis import strategies as st

from dramaturg.model.lcg import PERIOD, Lcg


def test_the_recurrence_is_the_published_one() -> None:
    lcg = Lcg(42)
    assert [lcg.next() for _ in range(3)] == [3291, 61928, 9569]


def test_the_period_is_full() -> None:
    lcg = Lcg(0)
    assert len({lcg.next() for _ in range(PERIOD)}) == PERIOD


@given(st.integers(0, PERIOD - 1), st.integers(0, 2**32 - 1))
def test_next_int_takes_one_draw_whatever_its_limit(seed: int, limit: int) -> None:
    one, other = Lcg(seed), Lcg(seed)
    number = one.next_int(limit)
    raw = other.next()
    assert one.state == other.state
    assert number == (raw % limit if limit else raw)


@given(st.integers(0, PERIOD - 1), st.lists(st.integers(), max_size=40))
def test_shuffle_permutes_and_draws_one_less_than_there_are_items(
    seed: int, items: list[int]
) -> None:
    lcg, counted = Lcg(seed), Lcg(seed)
    shuffled = list(items)
    lcg.shuffle(shuffled)
    assert sorted(shuffled) == sorted(items)
    for _ in range(len(items) - 1):
        counted.next()
    assert lcg.state == counted.state


def test_shuffle_goes_from_the_back() -> None:
    lcg, items = Lcg(42), ["a", "b", "c"]
    lcg.shuffle(items)
    # 3291 % 3 = 0: swap c and a; 61928 % 2 = 0: swap b and c
    assert items == ["b", "c", "a"]
