"""A list that the root of mergesort makes itself is not control's, nor lost on any way."""

from explained_kit import asked, explained

from dramaturg.model import names
from dramaturg.model.workload import MICRO, MicroWorkload
from dramaturg.trace.events import Logs

ROOT, FIRST, FOURTH = (names.name(names.SORTER, place) for place in (1, 2, 4))


def _sorting() -> MicroWorkload:
    return MicroWorkload(
        MICRO["mergesort"], MICRO["mergesort"].parameters(length=32, leaf=4, seed=7)
    ).run(9)


def _another_checksum(logs: Logs, actor: int) -> None:
    sender, (number, args) = logs[actor][0]
    logs[actor][0] = sender, (number, (*args[:-1], args[-1] ^ 1))


def test_a_list_that_the_root_made_otherwise_is_its_own() -> None:
    found = explained(lambda logs: _another_checksum(logs, FIRST), _sorting())
    assert found.headline().startswith("sorter/2 received sort(")
    assert asked(found)[0] == "SORT-1"
    assert found.note == "Only the checksum differs: the list is the root's own, upon `sort`."


def test_control_is_not_blamed_for_a_checksum_that_the_root_has_logged() -> None:
    found = explained(lambda logs: _another_checksum(logs, ROOT), _sorting())
    assert asked(found)[0] == "SORT-2"
    assert found.note.startswith("No list comes with control's `sort`")


def test_a_half_further_down_is_asked_for_as_before() -> None:
    found = explained(lambda logs: _another_checksum(logs, FOURTH), _sorting())
    assert "SORT-1" not in asked(found)
