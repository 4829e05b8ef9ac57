"""Batches come out as they go in, and bytes that are no trace are refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dramaturg.model import names
from dramaturg.model.messages import ARITY
from dramaturg.trace.codec import LogBuilder, decode, encode
from dramaturg.trace.events import TraceError
from dramaturg.v2 import trace_pb2

LOGGED = [number for number in ARITY if number >> 4 != names.CONTROL]


@st.composite
def logs(draw: st.DrawFn) -> dict[int, list[tuple[int, tuple[int, tuple[int, ...]]]]]:
    made: dict[int, list[tuple[int, tuple[int, tuple[int, ...]]]]] = {}
    for number in draw(st.lists(st.sampled_from(LOGGED), max_size=30)):
        actor = names.name(number >> 4, draw(st.integers(0, 2**32 - 1)))
        sender = draw(st.integers(0, 2**63 - 1))
        argument = st.integers(0, 2**64 - 1)
        args = tuple(draw(argument) for _ in range(ARITY[number]))
        made.setdefault(actor, []).append((sender, (number, args)))
    return made


@given(logs(), st.integers(1, 7))
def test_logs_survive_being_cut_into_batches(made: dict, rows: int) -> None:  # type: ignore[type-arg]
    batches = list(encode(made, rows))
    assert all(len(batch.actor) <= rows for batch in batches)
    carried = [trace_pb2.TraceBatch.FromString(batch.SerializeToString()) for batch in batches]
    assert decode(carried) == made


CHAT = names.name(names.CHAT, 1)


@pytest.mark.parametrize(
    ("columns", "complaint"),
    [
        ({"sender": [1]}, "differ in length: 0 actors, 1 senders, 0 kinds"),
        ({"actor": [CHAT], "sender": [1]}, "differ in length: 1 actors, 1 senders, 0 kinds"),
        ({"actor": [CHAT], "sender": [1], "kind": [95]}, "event 0 has kind 95"),
        ({"actor": [CHAT], "sender": [1], "kind": [66]}, "do not receive"),
        ({"actor": [CHAT], "sender": [1], "kind": [82], "args": [1]}, "1 argument fewer .*event 0"),
        ({"actor": [CHAT], "sender": [1], "kind": [83], "args": [1, 2]}, "1 argument more .*event"),
    ],
)  # fmt: skip
def test_a_batch_that_is_no_trace_is_refused(columns: dict[str, list[int]], complaint: str) -> None:
    with pytest.raises(TraceError, match=complaint):
        LogBuilder().add(trace_pb2.TraceBatch(**columns))  # type: ignore[arg-type]


def test_a_missing_argument_is_blamed_on_the_kind_that_has_as_many_rows() -> None:
    """All behind it move up, so that the last row runs short, which is another actor's."""
    other = names.name(names.CHAT, 2)
    join, post = trace_pb2.MESSAGE_KIND_CHAT_JOIN, trace_pb2.MESSAGE_KIND_CHAT_POST
    batch = trace_pb2.TraceBatch(
        actor=[CHAT, CHAT, other, other, other],
        sender=[1, 1, 1, 1, 1],
        kind=[join, join, post, post, post],  # type: ignore[list-item]
        args=[1, 2, 1, 2, 3, 1, 2, 3],
    )
    with pytest.raises(TraceError) as refused:
        LogBuilder().add(batch)
    said = str(refused.value)
    assert f"2 arguments fewer than its 5 rows take, which are {10}: that is chat/1.0" in said
    assert "event 0, and 1 more, join(turn, friend)" in said
    assert "chat/2" not in said


def test_of_many_kinds_with_as_many_rows_some_are_named_and_the_rest_counted() -> None:
    chat = trace_pb2
    kinds = [chat.MESSAGE_KIND_CHAT_JOIN, chat.MESSAGE_KIND_CHAT_POST, chat.MESSAGE_KIND_CHAT_LEAVE]
    batch = trace_pb2.TraceBatch(actor=[CHAT] * 3, sender=[1] * 3, kind=kinds, args=[1, 2, 1, 2])  # type: ignore[arg-type]
    with pytest.raises(
        TraceError, match=r"that is .*event 0, join.*; or .*event 1, post.*; or .*2"
    ):
        LogBuilder().add(batch)
    batch = trace_pb2.TraceBatch(actor=[CHAT] * 4, sender=[1] * 4, kind=[*kinds, kinds[0]], args=[])  # type: ignore[arg-type]
    with pytest.raises(TraceError, match="no kind has as many rows"):
        LogBuilder().add(batch)


@pytest.mark.parametrize("text", ["client/17", "chat/17.2", "poker/0", "control", "directory/3"])
def test_names_are_spelled_and_parsed_alike(text: str) -> None:
    assert names.spell(names.parse(text)) == text


@pytest.mark.parametrize("text", ["", "client", "cliento/3", "chat/1.2.3", "client/-1"])
def test_what_is_no_name_is_refused(text: str) -> None:
    if text == "client":
        assert names.parse(text) == names.name(names.CLIENT)
        return
    with pytest.raises(ValueError, match="names no actor"):
        names.parse(text)
