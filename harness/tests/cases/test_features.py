"""Each feature that a case can be for, found in logs of a few messages."""

import pytest

from dramaturg.cases import features
from dramaturg.model import names
from dramaturg.model.chatapp import LOGOUT
from dramaturg.trace.codec import LogBuilder, encode
from dramaturg.trace.events import AnyLogs, Logs, Message
from dramaturg.v2 import case_pb2
from dramaturg.v2 import trace_pb2 as kind

CHAT, OTHER = names.name(names.CHAT, 1), names.name(names.CHAT, 2)
CLIENT, GUEST = names.name(names.CLIENT, 1), names.name(names.CLIENT, 2)
SUM = names.name(names.ACCUMULATOR, 1)

JOIN, JOIN_OF_ANOTHER = (kind.MESSAGE_KIND_CHAT_JOIN, (1, 5)), (kind.MESSAGE_KIND_CHAT_JOIN, (1, 6))
LEAVE, LOGGED_OUT = (kind.MESSAGE_KIND_CHAT_LEAVE, (1,)), (kind.MESSAGE_KIND_CHAT_LEAVE, (LOGOUT,))
POST = (kind.MESSAGE_KIND_CHAT_POST, (1, 17))
NOTHING, SOME = (
    (kind.MESSAGE_KIND_ACCUMULATOR_STOP, (0, 0)),
    (kind.MESSAGE_KIND_ACCUMULATOR_STOP, (0, 8)),
)
BUMP = (kind.MESSAGE_KIND_ACCUMULATOR_BUMP, (0, 1, 0))
FRIEND, ANOTHER = (
    (kind.MESSAGE_KIND_CLIENT_BEFRIEND, (7,)),
    (kind.MESSAGE_KIND_CLIENT_BEFRIEND, (8,)),
)


def accepted(turn: int) -> Message:
    return kind.MESSAGE_KIND_CLIENT_ACCEPTED, (turn, 0)


def forward(level: int) -> Message:
    return kind.MESSAGE_KIND_CLIENT_FORWARD, (1, level, 17)


HAS: list[tuple[str, dict[int, list[Message]]]] = [
    ("POST", {CHAT: [POST]}),
    ("LEAVE", {CHAT: [LOGGED_OUT, LEAVE]}),
    ("INVITE", {CHAT: [POST, JOIN]}),
    ("COMPUTE", {SUM: [NOTHING, SOME]}),
    ("HISTORY", {CLIENT: [forward(1), forward(2)]}),
    ("DOUBLE_MEMBER", {CHAT: [JOIN, LEAVE, JOIN]}),
    ("CHAT_ENDS", {CHAT: [JOIN, LEAVE, LEAVE]}),
    ("TURNS_OVERLAP", {CLIENT: [accepted(2), accepted(LOGOUT), accepted(1)]}),
    ("LONE_POST", {CHAT: [JOIN, LEAVE, POST]}),
    ("DOUBLE_FRIEND", {CLIENT: [FRIEND, ANOTHER, FRIEND]}),
    ("EMPTY_TURN", {SUM: [NOTHING, NOTHING]}),
    ("HISTORY_AGAIN", {CHAT: [JOIN, POST, JOIN]}),
]
"""A feature, and the messages that some actors took in a run that has it."""

LACKS: list[tuple[str, dict[int, list[Message]]]] = [
    ("POST", {CHAT: [JOIN, LEAVE], CLIENT: [forward(1)]}),
    ("LEAVE", {CHAT: [POST, LOGGED_OUT]}),
    ("INVITE", {CHAT: [POST]}),
    ("COMPUTE", {SUM: [NOTHING, BUMP]}),
    ("HISTORY", {CLIENT: [forward(1), forward(3)]}),
    ("DOUBLE_MEMBER", {CHAT: [JOIN, JOIN_OF_ANOTHER], OTHER: [JOIN]}),
    ("CHAT_ENDS", {CHAT: [JOIN, LEAVE, LOGGED_OUT], OTHER: [JOIN, LEAVE]}),
    ("TURNS_OVERLAP", {CLIENT: [accepted(1), accepted(2)], GUEST: [accepted(1)]}),
    ("LONE_POST", {CHAT: [JOIN, POST, LEAVE], OTHER: [JOIN]}),
    ("DOUBLE_FRIEND", {CLIENT: [FRIEND, ANOTHER], GUEST: [FRIEND]}),
    ("EMPTY_TURN", {SUM: [NOTHING]}),
    ("EMPTY_TURN", {SUM: [NOTHING, BUMP]}),
    ("EMPTY_TURN", {SUM: [NOTHING, SOME]}),
    ("HISTORY_AGAIN", {CHAT: [JOIN, JOIN, POST, JOIN_OF_ANOTHER], OTHER: [JOIN]}),
]
"""And a run that nearly has it."""


def logs_of(taken: dict[int, list[Message]]) -> Logs:
    return {actor: [(CLIENT, message) for message in messages] for actor, messages in taken.items()}


def in_columns(logs: Logs) -> AnyLogs:
    builder = LogBuilder(in_columns=True)
    for batch in encode(logs, rows=2):
        builder.add(batch)
    return builder.logs


def on_disk(logs: Logs) -> AnyLogs:
    builder = LogBuilder(laid_down=True, in_memory=0)
    for batch in encode(logs, rows=2):
        builder.add(batch)
    return builder.logs


WAYS = {"lists": lambda logs: logs, "columns": in_columns, "disk": on_disk}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(("feature", "taken"), HAS, ids=[name for name, _ in HAS])
def test_it_is_found(feature: str, taken: dict[int, list[Message]], way: str) -> None:
    number, logs = case_pb2.Feature.Value(f"FEATURE_{feature}"), WAYS[way](logs_of(taken))
    assert features.missing(logs, [number]) == []
    assert number in features.found(logs)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(("feature", "taken"), LACKS, ids=[name for name, _ in LACKS])
def test_it_is_missed(feature: str, taken: dict[int, list[Message]], way: str) -> None:
    number, logs = case_pb2.Feature.Value(f"FEATURE_{feature}"), WAYS[way](logs_of(taken))
    assert features.missing(logs, [number]) == [number]
    assert number not in features.found(logs)


def test_each_is_tried() -> None:
    tried = {f"FEATURE_{name}" for name, _ in HAS} & {f"FEATURE_{name}" for name, _ in LACKS}
    assert tried == {*case_pb2.Feature.keys()} - {"FEATURE_UNSPECIFIED"}
