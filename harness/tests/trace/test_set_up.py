"""The world after Prepare is the one that set-up makes, and no more (MEAS-43)."""

import pytest

from dramaturg.model import names
from dramaturg.trace.events import Logs
from dramaturg.trace.rest import SetUp
from dramaturg.v2 import trace_pb2 as kind

CLIENT = names.name(names.CLIENT, 3)
DIRECTORY = names.name(names.DIRECTORY)
BEFRIEND = (DIRECTORY, (kind.MESSAGE_KIND_CLIENT_BEFRIEND, (4,)))
SETTLE = (DIRECTORY, (kind.MESSAGE_KIND_CLIENT_SETTLE, ()))
ACT = (DIRECTORY, (kind.MESSAGE_KIND_CLIENT_ACT, (0, 0, 0, 0, 7)))


def after(logs: Logs, taken: dict[int, int], later: Logs | None = None) -> str:
    return SetUp(logs, taken).broken(logs if later is None else later)


@pytest.mark.parametrize(
    "actor",
    [
        names.name(names.LINK, 0), names.name(names.SORTER, 1), names.name(names.PEER, 5),
        names.name(names.WORKER, 2), names.name(names.SENDER, 0),
    ],
)  # fmt: skip
def test_who_is_made_in_prepare_is_there(actor: int) -> None:
    assert after({}, {actor: 0}) == ""
    assert after({}, {}) == ""
    assert "had taken 1 messages when Prepare had been answered" in after({}, {actor: 1})


@pytest.mark.parametrize(
    "actor",
    [
        names.name(names.LINK, 1), names.name(names.SORTER, 0), names.name(names.SORTER, 2),
        names.name(names.CHAT, 3, 0), names.name(names.ACCUMULATOR, 0),
    ],
)  # fmt: skip
def test_who_is_made_in_run_is_not(actor: int) -> None:
    said = after({}, {actor: 0})
    assert said == (
        f"{names.spell(actor)} was there when Prepare had been answered; it is made in Run"
        " (MEAS-43)"
    )


def test_a_client_is_befriended_and_settles_before_run() -> None:
    there = {CLIENT: [BEFRIEND, SETTLE]}
    assert after(there, {CLIENT: 2}, {CLIENT: [BEFRIEND, SETTLE, ACT]}) == ""


def test_nobody_acts_before_run() -> None:
    said = after({CLIENT: [SETTLE, ACT]}, {CLIENT: 2})
    assert said.startswith("client/3 took act(")
    assert said.endswith(" from directory/0 before Run was called (MEAS-43)")


def test_nobody_is_befriended_after_prepare() -> None:
    said = after({CLIENT: [SETTLE]}, {CLIENT: 1}, {CLIENT: [SETTLE, BEFRIEND]})
    assert said == (
        "client/3 took befriend(friend=4) from directory/0 after Prepare had been answered (CTRL-4)"
    )
