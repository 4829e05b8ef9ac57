"""Messages between the harness and an agent, none of which waits for ever."""

import contextlib
import os
import select
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from waiting import wait_until

from dramaturg.hosts import frames, talk
from dramaturg.hosts.frames import Broken
from dramaturg.hosts.talk import Lost, Refused, Talk


def fed(content: bytes) -> list[frames.Frame]:
    reading, writing = os.pipe()
    try:
        os.write(writing, content)
        os.close(writing)
        return list(frames.read(reading))
    finally:
        os.close(reading)


def test_what_a_shell_prints_before_the_mark_is_skipped() -> None:
    said = frames.packed({"op": "x"}, b"\0\1") + frames.packed({"re": "c1"})
    assert fed(b"Welcome\nto h1\n" + frames.MARK + said) == [
        ({"op": "x"}, b"\0\1"),
        ({"re": "c1"}, b""),
    ]


@given(st.binary(max_size=200))
def test_whatever_comes_is_a_frame_or_broken(content: bytes) -> None:
    with contextlib.suppress(Broken):
        fed(frames.MARK + content)


def test_a_frame_that_is_cut_short_is_broken() -> None:
    with pytest.raises(Broken, match="within a frame"):
        fed(frames.MARK + frames.packed({"op": "x"}, b"content")[:-1])


class Pair:
    """Two ends; ``far`` answers by what it is told to."""

    def __init__(self) -> None:
        self.pipes = [os.pipe(), os.pipe()]
        (a, b), (c, d) = self.pipes
        self.heard: list[dict[str, Any]] = []
        self.near = Talk("the agent of host h1", a, d, lambda words, content: None, "c")
        self.far = Talk("the harness", c, b, self._asked, "d")

    def _asked(self, words: dict[str, Any], content: bytes) -> None:
        self.heard.append(words)
        match words["op"]:
            case "count":
                for number in range(3):
                    self.far.tell({"re": words["id"], "more": True}, b"%d" % number)
                self.far.tell({"re": words["id"]})
            case "refuse":
                self.far.tell({"re": words["id"], "refused": "no", "kind": "Overdue"})


@pytest.fixture
def pair() -> Iterator[Pair]:
    found = Pair()
    found.near.start()
    found.far.start()
    yield found
    for each in (found.near, found.far):
        each.lose("the test is over")
        each.flush_and_stop()


def test_only_what_was_written_counts_as_sent() -> None:
    """Counters of an interface are read beside it, and what waits has yet to cross."""
    reading, writing = os.pipe()
    one = Talk("the harness", reading, writing, lambda words, content: None)
    thread = threading.Thread(target=one._write, daemon=True)
    thread.start()
    content = bytes(1 << 20)
    one.tell({"re": "c1"}, content)
    one.flush_and_stop()
    assert os.read(reading, len(frames.MARK)) == frames.MARK
    assert select.select([reading], [], [], 30)[0], "the frame is being written"
    assert one.sent_bytes == len(frames.MARK)
    os.set_blocking(reading, False)
    assert wait_until(lambda: _drained(reading) and not thread.is_alive(), 30, 0.001)
    assert one.sent_bytes == len(frames.MARK) + len(frames.packed({"re": "c1"}, content))
    os.close(reading)
    os.close(writing)


def _drained(reading: int) -> bool:
    with contextlib.suppress(BlockingIOError):
        while os.read(reading, 1 << 20):
            pass
    return True


def test_an_answer_of_several_frames_comes_in_its_order(pair: Pair) -> None:
    answers = list(pair.near.ask({"op": "count"}))
    assert [content for _, content in answers] == [b"0", b"1", b"2", b""]


def test_what_cannot_be_is_refused_with_its_kind(pair: Pair) -> None:
    with pytest.raises(Refused, match="no") as raised:
        pair.near.one({"op": "refuse"})
    assert raised.value.kind == "Overdue"


def test_nobody_waits_for_one_that_does_not_answer_longer_than_it_may(pair: Pair) -> None:
    with pytest.raises(Lost, match="host h1 did not answer in time"):
        pair.near.one({"op": "nothing"}, seconds=0.1)


def test_whoever_waits_is_told_that_the_other_side_has_ended(pair: Pair) -> None:
    answers = pair.near.ask({"op": "nothing"}, seconds=60)
    pair.far.flush_and_stop()
    assert wait_until(lambda: bool(pair.heard), 20, 0.01)
    os.close(pair.pipes[0][1])
    with pytest.raises(Lost, match="host h1 has ended"):
        list(answers)
    with pytest.raises(Lost, match="has ended"):
        pair.near.one({"op": "count"})


def test_both_sides_give_signs_of_life(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(talk, "BEAT", 0.02)
    pair = Pair()
    pair.near.start()
    pair.far.start()
    before = time.monotonic()
    try:
        assert wait_until(lambda: pair.near.heard > before and pair.far.heard > before, 20, 0.01)
    finally:
        for each in (pair.near, pair.far):
            each.lose("the test is over")
    assert not pair.heard, "a sign of life is no question"
