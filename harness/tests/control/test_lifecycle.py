"""No call is made out of order (CTRL-2): the state machine against an expression of its own."""

import re
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dramaturg.control.lifecycle import Lifecycle, State
from dramaturg.errors import HarnessFault
from dramaturg.trace.watches import EVERYBODY
from dramaturg.v2 import benchmarks_pb2, control_pb2

CHATAPP = benchmarks_pb2.Benchmark(
    chatapp=benchmarks_pb2.ChatAppParameters(
        clients=4, directories=1, turns=1, befriend=50,
        selection=benchmarks_pb2.SELECTION_CUMULATIVE,
    )
)  # fmt: skip
BIG = benchmarks_pb2.Benchmark(big=benchmarks_pb2.BigParameters(peers=3, rounds=1))


def prepare(benchmark: benchmarks_pb2.Benchmark, node: int | None = None) -> Lifecycle:
    """A session about to prepare: its requests are all in range."""
    lifecycle = Lifecycle()
    peers = [control_pb2.Peer(host="10.0.0.1", port=1 + n) for n in range(2)]
    REQUESTS["P"] = control_pb2.PrepareRequest(
        benchmark=benchmark, watches=EVERYBODY, node=node or 0,
        peers=() if node is None else peers, secret="" if node is None else "s3cret",
    )  # fmt: skip
    return lifecycle


METHODS = {
    "D": "Describe", "P": "Prepare", "A": "Act", "T": "Turn", "R": "Run", "L": "Trace",
    "X": "Teardown", "E": "the end of input",
}  # fmt: skip
"""A capital is a call that is made, its small letter the call's answer."""

REQUESTS = {
    "D": control_pb2.DescribeRequest(),
    "A": control_pb2.ActRequest(client=3),
    "T": control_pb2.TurnRequest(),
    "R": control_pb2.RunRequest(salt=7),
    "L": control_pb2.TraceRequest(),
    "X": control_pb2.TeardownRequest(),
}

IDLE = "(?:Dd)"
QUIET = "(?:Dd|L)"
TOLD = "(?:AL*a|TL*t)"
RUN = "(?:RL*r)"
ORDERS = {
    "chatapp": rf"{IDLE}*(?:Pp(?:(?:{QUIET}|{TOLD})*|{QUIET}*{RUN}{QUIET}*)Xx{QUIET}*)*E?",
    "big": rf"{IDLE}*(?:Pp{QUIET}*{RUN}{QUIET}*Xx{QUIET}*)*E?",
    "node 1 of big": rf"{IDLE}*(?:Pp{QUIET}*Xx{QUIET}*)*E?",
}
"""The table of spec/control.md once more, as an expression of whole sessions."""

ENDS = ["".join(end) for end in product(["", *"dpatrx"], ["", "Xx", "RrXx"])]
"""The parts that a session may lack that is broken off: an answer, and the rest of a world."""


def fresh(kind: str) -> Lifecycle:
    return prepare(CHATAPP if kind == "chatapp" else BIG, 1 if kind.startswith("node") else None)


def is_legal(kind: str, session: str) -> bool:
    """True if a session may begin like this. Its input may end at any moment, and is its end."""
    before, _, after = session.partition("E")
    if after or not session:
        return not after
    whole = re.compile(ORDERS[kind])
    return any(whole.fullmatch(before + rest) for rest in ENDS)


def perform(lifecycle: Lifecycle, session: str) -> None:
    for letter in session:
        if letter.islower():
            lifecycle.answered(METHODS[letter.upper()])
        else:
            lifecycle.call(METHODS[letter], REQUESTS.get(letter))


@pytest.mark.parametrize("kind", ORDERS)
def test_a_call_is_accepted_where_the_table_has_it_and_refused_wherever_it_has_not(
    kind: str,
) -> None:
    """Random sessions, in which at each step every call is tried."""

    @settings(max_examples=60, deadline=None)
    @given(st.lists(st.integers(0, 59), max_size=22))
    def decided(choices: list[int]) -> None:
        session = ""
        for choice in choices:
            legal = [letter for letter in METHODS if is_legal(kind, session + letter)]
            for letter, method in METHODS.items():
                lifecycle = after(session, kind)
                if letter in legal:
                    perform(lifecycle, letter)
                    continue
                state = lifecycle.state
                with pytest.raises(HarnessFault, match=f"about to call {method} "):
                    perform(lifecycle, letter)
                assert lifecycle.state is state, "who is stopped has changed nothing"
            answers = [letter for letter in "dpatrx" if is_legal(kind, session + letter)]
            # An end of input is the last: not too soon.
            options = [*answers, *(letter for letter in legal if letter != "E" or choice == 0)]
            if not options:
                return
            session += options[choice % len(options)]

    decided()


def after(session: str, kind: str = "chatapp") -> Lifecycle:
    lifecycle = fresh(kind)
    perform(lifecycle, session)
    return lifecycle


@pytest.mark.parametrize("before", ["D", "P", "PpA", "PpT", "PpR", "PpX"])
def test_a_call_that_failed_leaves_only_the_log_and_the_end(before: str) -> None:
    for letter in METHODS:
        lifecycle = after(before)
        lifecycle.failed()
        if letter in "LE":
            perform(lifecycle, letter)
            continue
        with pytest.raises(HarnessFault, match="although a call has failed"):
            perform(lifecycle, letter)


def test_a_run_that_fails_when_its_input_has_ended_has_ended() -> None:
    lifecycle = after("PpRE")
    lifecycle.failed()
    assert lifecycle.state is State.ENDED


@pytest.mark.parametrize(
    ("before", "letter", "said"),
    [
        ("", "A", "call Act although no world was prepared (spec/control.md, CTRL-2)"),
        ("", "L", "call Trace although no world was prepared"),
        ("Pp", "P", "call Prepare although the world is prepared"),
        ("PpRr", "R", "call Run although the world was Run"),
        ("PpAa", "R", "call Run although the world was driven by Act and Turn"),
        ("PpRrXx", "X", "call Teardown although the world was torn down"),
        ("PpR", "X", "call Teardown although Run is under way"),
        ("P", "L", "call Trace although Prepare is under way"),
        ("E", "D", "call Describe although its input has ended"),
    ],
)
def test_who_is_stopped_hears_where_the_session_stands(before: str, letter: str, said: str) -> None:
    with pytest.raises(HarnessFault, match=re.escape(said)):
        perform(after(before), letter)


def test_a_world_of_another_benchmark_is_not_torn_down_before_it_was_run() -> None:
    with pytest.raises(HarnessFault, match="the benchmark is big, and it was not Run"):
        perform(after("Pp", "big"), "X")


def test_an_answer_to_another_call_leaves_one_under_way() -> None:
    lifecycle = after("PpR")
    lifecycle.answered("Trace")
    with pytest.raises(HarnessFault, match="Run is under way"):
        perform(lifecycle, "D")
