"""The frames on connections between nodes."""

import struct

import pytest

from asyncio_actors.benchmarks import table
from asyncio_actors.benchmarks.names import name
from asyncio_actors.nodes import frames

PING, PONG = name(table.PING), name(table.PONG)
SAID = [
    (table.PONG_PING, PONG, PING, (2**64 - 1, 0)),
    (table.PEER_STOP, name(table.PEER, 2**32 - 1), name(table.COORDINATOR), ()),
    (table.COORDINATOR_FINISHED, name(table.COORDINATOR), name(table.PEER, 7), (1, 2, 3, 4)),
    (table.CHAT_JOIN, name(table.CHAT, 3), name(table.CLIENT, 3), (1, 2, PING, 2**63)),
    (table.EMPLOYEE_TASK, name(table.EMPLOYEE), name(table.ROUTER), (0, 3, b"\x00\xff\x00")),
    (table.EMPLOYEE_TASK, name(table.EMPLOYEE), name(table.ROUTER), (1, 0, b"")),
    (frames.BIRTH, name(table.CLIENT, 9), name(table.DIRECTORY, 1), (65535,)),
]
BYTES = b"".join(frames.message(*said) for said in SAID)


@pytest.mark.parametrize("size", range(1, len(BYTES) + 1))
def test_messages_come_whole_however_they_are_cut(size: int) -> None:
    decoder = frames.Decoder()
    pieces = [BYTES[at : at + size] for at in range(0, len(BYTES), size)]
    assert [frame for piece in pieces for frame in decoder.feed(piece)] == SAID


@pytest.mark.parametrize("size", [1, 3, 1000])
def test_a_failure_comes_behind_the_messages_that_went_before(size: int) -> None:
    decoder = frames.Decoder()
    sent = BYTES + frames.failure("peer/3 failed: für nichts")
    with pytest.raises(frames.Failure, match=r"^peer/3 failed: für nichts$"):
        for at in range(0, len(sent), size):
            list(decoder.feed(sent[at : at + size]))


def test_the_longest_failure_is_cut() -> None:
    with pytest.raises(frames.Failure) as caught:
        list(frames.Decoder().feed(frames.failure("x" * 100_000)))
    assert len(str(caught.value)) == 0xFFFF


@pytest.mark.parametrize("kind", [1, 17, 18, 0xFFFF])
def test_a_kind_that_no_actor_takes_is_refused(kind: int) -> None:
    with pytest.raises(frames.WrongFrame, match=str(kind)):
        list(frames.Decoder().feed(struct.pack("!HQQ", kind, PONG, PING)))


def test_contents_that_are_no_numbers_do_not_leave_the_node() -> None:
    with pytest.raises(struct.error):
        frames.message(table.PONG_PING, PONG, PING, (1, b"x"))
