"""The method that takes each message."""

from typing import Any

import pytest

from asyncio_actors.benchmarks import catalogue, table
from asyncio_actors.benchmarks.messages import BEHAVIOUR_OF, KIND_OF, message


def test_there_are_all_benchmarks_of_the_protocol() -> None:
    assert len(catalogue.BENCHMARKS) == 12


@pytest.mark.parametrize("number", table.KINDS)
def test_every_kind_of_message_is_taken_by_a_method_of_its_label(number: int) -> None:
    label, _ = table.KINDS[number]
    assert BEHAVIOUR_OF[number].__name__ == label


@pytest.mark.parametrize("number", table.KINDS)
def test_every_kind_is_taken_by_an_actor_of_its_class(number: int) -> None:
    """A kind is its receiver's class times 16, plus a number within the class."""
    label = table.CLASS_LABELS[number // 16]
    assert BEHAVIOUR_OF[number].__qualname__.split(".")[0].lower() == label


def test_two_methods_for_one_kind_are_refused() -> None:
    def ping(self: Any, sender: Any, left: int, value: int) -> None:
        """Another one."""

    with pytest.raises(ValueError, match="ping"):
        message(table.PONG_PING)(ping)
    assert ping not in KIND_OF
