"""Digests against arithmetic done by hand (ACT-8), and many at once against one by one."""

import warnings
from itertools import product
from random import Random

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from dramaturg.model import fold as folding
from dramaturg.model.fold import (
    add,
    checksum,
    fold,
    fold_all,
    fold_each,
    stream,
    stream_checksum,
    stream_checksums,
    sum_of_numbered,
    words,
)

WORD = st.integers(0, 2**32 - 1)


@pytest.mark.parametrize(
    ("digest", "number", "result"),
    [
        # 1013904223 = 15470 * 2^16 + 62303
        (0, 0, 1013904223 ^ 15470),
        # 1664525 + 1013904223 + 5 = 1015568753 = 15496 * 2^16 + 22897
        (1, 5, 1015568753 ^ 15496),
        # 2^31 + 2^31 + 1013904223, and 1664525 is odd
        (1 << 31, 1 << 31, 1013904223 ^ 15470),
        # (2^32 - 1664525) + 1013904223 = 2^32 + 1012239698 = 2^32 + 15445 * 2^16 + 36178
        (0xFFFFFFFF, 0, 1012239698 ^ 15445),
    ],
)
def test_a_step_is_a_product_a_sum_and_half_of_it(digest: int, number: int, result: int) -> None:
    assert fold(digest, number) == result


def test_a_list_is_folded_from_its_first_number_on() -> None:
    assert fold_all(7, [1, 2]) == fold(fold(7, 1), 2) != fold(fold(7, 2), 1)
    assert fold_all(7, []) == 7


def test_a_checksum_takes_each_number_in_its_place() -> None:
    # 31 * 1 + 2 = 33; 31 * 33 + 3 = 1026
    assert checksum(0, [1, 2, 3]) == 1026
    assert checksum(7, []) == 7
    # 31 * 2^31 + 5 = 15 * 2^32 + 2^31 + 5
    assert checksum(1 << 31, [5]) == 2**31 + 5


@pytest.mark.parametrize("count", [folding.MANY - 1, folding.MANY, 1000])
@given(start=WORD, of=st.randoms(use_true_random=False))
@settings(max_examples=20)
def test_a_checksum_of_many_is_that_of_one_after_the_other(
    count: int, start: int, of: Random
) -> None:
    numbers = [of.getrandbits(32) for _ in range(count)]
    total = start
    for number in numbers:
        total = checksum(total, [number])
    assert checksum(start, numbers) == checksum(start, tuple(numbers)) == total


@given(WORD, st.lists(WORD, max_size=12))
def test_a_list_is_folded_as_its_numbers_are_one_by_one(salt: int, numbers: list[int]) -> None:
    digest = salt
    for number in numbers:
        digest = fold(digest, number)
    assert fold_all(salt, numbers) == digest
    assert 0 <= digest < 2**32


@given(WORD, WORD, WORD)
def test_a_step_loses_nothing_of_digest_or_number(digest: int, number: int, other: int) -> None:
    """The factor is odd: whatever differs before differs after, so no salt can be left out."""
    assert (fold(digest, number) == fold(digest, other)) == (number == other)
    assert (fold(number, digest) == fold(other, digest)) == (number == other)


def test_a_digest_and_a_number_are_not_the_same() -> None:
    assert fold(3, 5) != fold(5, 3)


def test_neighbours_do_not_meet() -> None:
    """Names and numbers of messages are both small: no two pairs fold to one."""
    actors, numbers = words(256), words(4096)
    folded = {int(each) for actor in actors for each in fold_each(fold(7, int(actor)), numbers)}
    assert len(folded) == 256 * 4096


@given(st.lists(WORD, min_size=1, max_size=9), st.data())
def test_many_at_once_are_those_one_by_one(digests: list[int], data: st.DataObject) -> None:
    numbers = data.draw(st.lists(WORD, min_size=len(digests), max_size=len(digests)))
    many = fold_each(np.array(digests, np.uint32), np.array(numbers, np.uint32))
    assert many.tolist() == [fold(*pair) for pair in zip(digests, numbers, strict=True)]
    assert fold_each(digests[0], np.array(numbers, np.uint32)).tolist() == [
        fold(digests[0], number) for number in numbers
    ]


@given(WORD, WORD)
def test_one_at_once_wraps_without_a_warning(digest: int, number: int) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert int(fold_each(digest, number)[0]) == fold(digest, number)


@given(WORD, WORD)
def test_sums_have_32_bits(one: int, other: int) -> None:
    assert add(one, other) == (one + other) % 2**32


THEN = st.lists(st.none() | WORD, max_size=3)


def numbered(bases: list[int], count: int, then: list[int | None]) -> int:
    """The sum, as an actor comes to it: message by message."""
    total = 0
    for base, number in product(bases, range(count)):
        value = fold(base, number)
        for each in then:
            value = fold(value, number if each is None else each)
        total += value
    return total % 2**32


@settings(deadline=None)
@given(st.lists(WORD, max_size=4), st.integers(0, 40), THEN)
@example([5, 6], 9, [0])
def test_the_sum_of_what_is_numbered_is_that_of_all_one_by_one(
    bases: list[int], count: int, then: list[int | None]
) -> None:
    assert sum_of_numbered(np.array(bases, np.uint32), count, *then) == numbered(bases, count, then)


@pytest.mark.parametrize("chunk", [1, 7, 40, 41, 100])
def test_the_sum_does_not_depend_on_how_much_is_summed_at_once(
    chunk: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(folding, "CHUNK", chunk)
    assert sum_of_numbered(words(3), 41, None, 5) == numbered([0, 1, 2], 41, [None, 5])


@given(st.lists(WORD, min_size=1, max_size=20), st.integers(0, 300))
def test_streams_add_up_to_the_same_by_themselves_and_together(keys: list[int], count: int) -> None:
    each = [checksum(0, [number >> 24 for number in stream(key, count)]) for key in keys]
    assert [stream_checksum(key, count) for key in keys] == each
    before = np.array(keys, np.uint32)
    together = before.copy()
    assert stream_checksums(together, count).tolist() == each
    assert (together == before).all(), "they are another's"
