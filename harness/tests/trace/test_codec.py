"""Batches: what goes in comes out, and what is no trace is refused."""

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
        ({"actor": [CHAT], "sender": [1], "kind": [82], "args": [1]}, "event 0 lacks arguments"),
        ({"actor": [CHAT], "sender": [1], "kind": [83], "args": [1, 2]}, "more arguments"),
    ],
)  # fmt: skip
def test_a_batch_that_is_no_trace_is_refused(columns: dict[str, list[int]], complaint: str) -> None:
    with pytest.raises(TraceError, match=complaint):
        LogBuilder().add(trace_pb2.TraceBatch(**columns))  # type: ignore[arg-type]


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
