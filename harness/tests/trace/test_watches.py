"""Watches: whose log is had, and which part of it (TRACE-1); and which rows are never sent."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dramaturg.model import names
from dramaturg.trace.watches import ALL, EVERYBODY, NOBODY, Slice, Watched, problems, watch
from dramaturg.v2 import control_pb2

CLIENT, CHAT, PEER = names.CLIENT, names.CHAT, names.PEER


def client(index: int) -> int:
    return names.name(CLIENT, index)


def slice_of(actor: int, *rows: control_pb2.Watch) -> tuple[int, int] | None:
    wanted = Watched(rows).slice_of(actor)
    return wanted and (wanted.begin, wanted.events)


def test_everybody_is_one_row_as_the_protocol_spells_it() -> None:
    (row,) = EVERYBODY
    values = {field.name: getattr(row, field.name) for field in row.DESCRIPTOR.fields}
    assert values == {
        "class": 0, "modulus": 1, "remainder": 0, "first": 0, "last": ALL, "from": 0, "events": ALL,
    }  # fmt: skip


@pytest.mark.parametrize("actor", [client(0), names.name(CHAT, 2**32 - 1, 9), names.name(PEER)])
def test_everybody_is_watched_by_the_row_of_class_0(actor: int) -> None:
    assert slice_of(actor, *EVERYBODY) == (0, ALL)
    assert slice_of(actor, *NOBODY) is None


@pytest.mark.parametrize(
    ("index", "fits"), [(3, False), (4, True), (7, True), (10, True), (13, False), (5, False)]
)
def test_an_actor_fits_by_range_and_remainder_of_its_first_index(index: int, fits: bool) -> None:
    row = watch(CLIENT, modulus=3, remainder=1, first=4, last=12, begin=2, events=7)
    assert slice_of(client(index), row) == ((2, 7) if fits else None)


def test_the_ends_of_a_range_are_in_it() -> None:
    row = watch(CLIENT, first=4, last=6)
    assert [slice_of(client(index), row) is not None for index in range(3, 8)] == [
        False, True, True, True, False,
    ]  # fmt: skip


def test_of_two_indices_the_first_counts() -> None:
    row = watch(CHAT, modulus=10, remainder=3)
    assert slice_of(names.name(CHAT, 13, 5), row)
    assert slice_of(names.name(CHAT, 5, 13), row) is None


def test_another_class_does_not_fit() -> None:
    assert slice_of(names.name(CHAT, 3), watch(CLIENT)) is None


def test_the_first_row_that_fits_is_the_actors_own() -> None:
    rows = (watch(CHAT), watch(CLIENT, modulus=2, begin=5), watch(CLIENT, begin=9, events=1))
    assert slice_of(client(4), *rows) == (5, ALL)
    assert slice_of(client(5), *rows) == (9, 1)


@pytest.mark.parametrize(
    ("begin", "events", "taken", "rows"),
    [
        (0, ALL, 0, 0), (0, ALL, 9, 9), (3, ALL, 9, 6), (9, ALL, 9, 0), (12, ALL, 9, 0),
        (0, 4, 9, 4), (0, 4, 3, 3), (3, 4, 9, 4), (7, 4, 9, 2), (12, 4, 9, 0),
        (0, ALL, 2**33, 2**33), (ALL, ALL, 9, 0),
    ],
)  # fmt: skip
def test_a_slice_has_as_many_rows_as_there_are_of_it(
    begin: int, events: int, taken: int, rows: int
) -> None:
    assert Slice(begin, events).rows(taken) == rows


@given(st.integers(0, 30), st.integers(1, 30) | st.just(ALL), st.lists(st.integers(), max_size=30))
def test_a_slice_of_a_log_is_what_an_actor_that_counts_would_have_kept(
    begin: int, events: int, log: list[int]
) -> None:
    kept = []
    for number, event in enumerate(log):
        if number >= begin and (events == ALL or number - begin < events):
            kept.append(event)
    assert Slice(begin, events).of(log) == kept  # type: ignore[arg-type, comparison-overlap]


@pytest.mark.parametrize(
    "rows",
    [
        NOBODY,
        EVERYBODY,
        [watch(CLIENT)] * 4 + [watch(CHAT)] * 4 + [watch(PEER)] * 4 + [watch(names.LINK)] * 4,
        [watch(CLIENT, modulus=7, remainder=6)],
        [watch(127, modulus=ALL, remainder=ALL - 1, first=ALL, begin=ALL, events=1)],
    ],
    ids=["nobody", "everybody", "sixteen", "the last remainder", "the largest numbers"],
)
def test_rows_that_may_be_sent_have_no_problem(rows: list[control_pb2.Watch]) -> None:
    assert problems(rows) == []


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([watch(c) for c in range(1, 18)], "there are 17 watches; there may be 16"),
        ([watch(CLIENT)] * 5, "there are 5 watches of class client; there may be 4"),
        ([watch(99)] * 5, "there are 5 watches of class 99; there may be 4"),
        ([watch(CLIENT, modulus=3, remainder=3)],
         "watch 0: remainder is 3, modulus 3: nobody can fit it"),
        ([watch(CLIENT), watch(CHAT, remainder=1)],
         "watch 1: remainder is 1, modulus 1: nobody can fit it"),
        ([watch(0), watch(CLIENT)], "a watch of class 0 is everybody, and the only one"),
        ([watch(0), watch(0)], "a watch of class 0 is everybody, and the only one"),
        ([watch(0, begin=1)], "a watch of class 0 is everybody, and the only one"),
        ([watch(0, events=3)], "a watch of class 0 is everybody, and the only one"),
    ],
)  # fmt: skip
def test_rows_that_are_never_sent_are_named(rows: list[control_pb2.Watch], said: str) -> None:
    assert problems(rows) == [said]


ROWS: st.SearchStrategy[control_pb2.Watch] = st.builds(
    lambda actor_class, modulus, remainder, ends, begin, events: watch(
        actor_class, modulus=modulus, remainder=remainder % modulus, first=min(ends),
        last=max(ends), begin=begin, events=events,
    ),
    st.sampled_from([CLIENT, CHAT, PEER]), st.integers(1, 5), st.integers(0, 4),
    st.tuples(st.integers(0, 20), st.integers(0, 20)), st.integers(0, 6),
    st.integers(1, 6) | st.just(ALL),
)  # fmt: skip


def by_buckets(rows: list[control_pb2.Watch]) -> Callable[[int], tuple[int, int] | None]:
    """As an implementation may do it: rows by class, made once; decided at an actor's birth."""
    buckets: dict[int, list[control_pb2.Watch]] = {}
    for row in rows:
        buckets.setdefault(getattr(row, "class"), []).append(row)

    def decide(actor: int) -> tuple[int, int] | None:
        index = actor >> 24 & 0xFFFFFFFF
        for row in buckets.get(actor >> 56, ()):
            if (
                index in range(row.first, row.last + 1)
                and not (index - row.remainder) % row.modulus
            ):
                return getattr(row, "from"), row.events
        return None

    return decide


@given(st.lists(ROWS, max_size=8), st.sampled_from([CLIENT, CHAT, PEER]), st.integers(0, 25))
def test_rows_by_class_decide_as_all_rows_in_their_order_do(
    rows: list[control_pb2.Watch], actor_class: int, index: int
) -> None:
    actor = names.name(actor_class, index)
    assert slice_of(actor, *rows) == by_buckets(rows)(actor)
