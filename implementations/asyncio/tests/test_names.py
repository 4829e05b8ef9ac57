"""Names of actors (ACT-3)."""

from asyncio_actors.benchmarks import table
from asyncio_actors.benchmarks.names import class_of, index_of, name, spell


def test_a_name_is_class_and_two_indices() -> None:
    assert name(table.CHAT, 17, 2) == 5 << 56 | 17 << 24 | 2


def test_both_indices_at_their_largest_leave_the_class_alone() -> None:
    largest = name(127, 2**32 - 1, 2**24 - 1)
    assert (class_of(largest), index_of(largest)) == (127, 2**32 - 1)


def test_names_are_printed_with_the_second_index_where_the_class_has_one() -> None:
    assert spell(name(table.CLIENT, 17)) == "client/17"
    assert spell(name(table.CHAT, 17)) == "chat/17.0"
