"""A session: what its calls answer, and how each way in which they can go wrong is told."""

import json
import threading
import time
from pathlib import Path

import control_kit
import pytest
from control_kit import (
    CHATAPP,
    PINGPONG,
    Answering,
    batch,
    counts,
    footer,
    serving,
    speaking,
)

from dramaturg.control import session as sessions
from dramaturg.errors import CallFailed, Crashed, HarnessFault, Late, Starved
from dramaturg.model import names
from dramaturg.processes.starvation import Wanted
from dramaturg.processes.supervised import Supervised
from dramaturg.trace import codec
from dramaturg.trace.events import LaidDown, TraceError
from dramaturg.trace.watches import EVERYBODY, watch
from dramaturg.v2 import control_pb2
from dramaturg.v2 import trace_pb2 as kind

PONG = names.name(names.PONG)
PING = (PONG, names.name(names.PING), kind.MESSAGE_KIND_PONG_PING, [2, 1])


@pytest.fixture
def answering() -> Answering:
    return Answering()


def test_marks_come_one_by_one_with_the_time_at_which_they_came(answering: Answering) -> None:
    answering.marks = [1, 3, 7]
    with serving(answering) as session:
        session.prepare(CHATAPP)
        seen: list[int] = []
        begun = time.monotonic()
        ran = session.run(5, on_mark=seen.append)
        most = time.monotonic() - begun
    assert seen == [mark.done for mark in ran.marks] == [1, 3, 7]
    times = [mark.seconds for mark in ran.marks]
    assert 0 < times[0] <= times[1] <= times[2] <= ran.seconds <= most


def test_a_run_without_marks_has_none(answering: Answering) -> None:
    with serving(answering) as session:
        session.prepare(PINGPONG)
        assert session.run().marks == []


def test_an_actor_that_fails_is_told_with_its_name_and_ends_the_session(
    answering: Answering,
) -> None:
    answering.marks, answering.fails = [1], "Run"
    with serving(answering) as session:
        session.prepare(CHATAPP)
        with pytest.raises(CallFailed, match=r"Run answered INTERNAL: client/3 failed") as caught:
            session.run()
        assert (caught.value.call, caught.value.code) == ("Run", "INTERNAL")
        assert "CTRL-10 asks" in str(caught.value.__notes__)
        with pytest.raises(HarnessFault, match="Teardown although a call has failed"):
            session.teardown()


@pytest.mark.parametrize("call", ["Act", "Run"])
def test_what_is_late_leaves_the_log_to_be_had(answering: Answering, call: str) -> None:
    answering.hangs = call
    answering.items = [batch(PING), counts({PONG: 1}), footer(1, 1)]
    with serving(answering) as session:
        session.prepare(CHATAPP)
        with pytest.raises(Late, match=rf"made-up: {call} was not answered within 0\.2 s"):
            _ = session.act(1, timeout=0.2) if call == "Act" else session.run(timeout=0.2)
        assert session.trace().events == 1
        with pytest.raises(HarnessFault, match="although a call has failed"):
            session.act(1)


def test_a_call_out_of_order_is_never_sent(answering: Answering) -> None:
    with serving(answering) as session:
        with pytest.raises(HarnessFault, match="call Run although no world was prepared"):
            session.run()
        session.prepare(PINGPONG)
        with pytest.raises(HarnessFault, match="it was not Run"):
            session.teardown()
        session.run()
        session.teardown()


def test_a_world_is_prepared_with_what_everybody_logs_unless_told_otherwise(
    answering: Answering, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[control_pb2.PrepareRequest] = []
    monkeypatch.setattr(Answering, "Prepare", lambda self, r, c: sent.append(r) or _PREPARED)
    with serving(answering) as session:
        session.prepare(PINGPONG)
        session.run()
        session.teardown()
        session.prepare(PINGPONG, [watch(names.PONG, begin=2)])
    assert list(sent[0].watches) == list(EVERYBODY)
    assert list(sent[1].watches) == [watch(names.PONG, begin=2)]
    assert {(request.node, request.secret, len(request.peers)) for request in sent} == {(0, "", 0)}


_PREPARED = control_pb2.PrepareResponse()


def test_a_new_world_has_a_new_log(answering: Answering) -> None:
    answering.items = [batch(PING), counts({PONG: 1}), footer(1, 1)]
    with serving(answering) as session:
        session.prepare(PINGPONG)
        session.run()
        assert session.trace().logs.keys() == {PONG}
        session.teardown()
        session.prepare(PINGPONG)
        assert session.log.logs == {}


@pytest.mark.parametrize("nodes", [1, 2])
def test_a_large_log_goes_to_disk_where_it_is_all_of_its_run(
    answering: Answering, monkeypatch: pytest.MonkeyPatch, nodes: int
) -> None:
    monkeypatch.setattr(codec, "IN_MEMORY", 0)
    answering.items = [batch(PING), counts({PONG: 1}), footer(1, 1)]
    with serving(answering) as session:
        peers = [control_pb2.Peer(host="localhost", port=1 + node) for node in range(nodes)]
        peers = peers if nodes > 1 else []
        session.prepare(PINGPONG, peers=peers, secret="shared" if peers else "")
        session.run()
        logs = session.trace().logs
        assert isinstance(logs, LaidDown) is (nodes == 1)
        _, sender, number, args = PING
        assert list(logs[PONG]) == [(sender, (number, tuple(args)))]


def test_a_log_fetched_in_two_streams_is_one(answering: Answering) -> None:
    with serving(answering) as session:
        session.prepare(PINGPONG)
        session.run()
        answering.items = [batch(PING), batch(PING, PING), counts({PONG: 3}), footer(3, 1)]
        session.trace()
        session.teardown()
        answering.items = [batch(PING), counts({PONG: 4}), footer(1, 1)]
        log = session.trace()
        log.complete()
        assert (log.events, log.taken) == (4, {PONG: 4})


def test_no_log_grows_while_somebody_reads_it(answering: Answering) -> None:
    answering.items = [batch(PING), counts({PONG: 1}), footer(1, 1)]
    with serving(answering) as session:
        session.prepare(PINGPONG)
        session.run()
        fetching = threading.Thread(target=session.trace)
        with session.unchanged():
            fetching.start()
            fetching.join(0.3)
            assert session.log.events == 0
        fetching.join()
        assert session.log.events == 1


@pytest.mark.parametrize(
    ("items", "said"),
    [
        ([batch(PING), counts({PONG: 1})], "no footer, so its end is missing"),
        ([], "no footer, so its end is missing"),
        ([footer(0, 0), batch(PING)], "goes on after its footer"),
        ([footer(0, 0), footer(0, 0)], "goes on after its footer"),
        ([batch(PING), footer(2, 0)], "the footer says 2 events, and 1 came"),
        ([batch(PING), footer(0, 0)], "the footer says 0 events, and 1 came"),
        ([counts({PONG: 0}), footer(0, 2)], "the footer says 2 watched, and 1 came"),
        ([counts({PONG: 0}), counts({PONG: 0}), footer(0, 2)], "pong/0 is counted twice"),
    ],
)
def test_a_stream_that_is_not_whole_is_no_trace(
    answering: Answering, items: list[control_pb2.TraceResponse], said: str
) -> None:
    answering.items = items
    with serving(answering) as session:
        session.prepare(PINGPONG)
        with pytest.raises(TraceError, match=said):
            session.trace()


def test_a_teardown_without_receipt_is_a_crash(answering: Answering) -> None:
    answering.receipt = None
    with serving(answering) as session:
        session.prepare(CHATAPP)
        with pytest.raises(Crashed, match=r"Teardown was answered without a receipt \(CTRL-8\)"):
            session.teardown()


def test_an_implementation_of_version_1_over_grpc_is_told_to_move() -> None:
    with serving(None) as session, pytest.raises(CallFailed) as caught:
        session.describe()
    assert caught.value.code == "UNIMPLEMENTED"
    for words in ("does not serve dramaturg.v2.Control", "of version 1 has to be moved"):
        assert words in str(caught.value)


def test_whoever_exits_with_0_at_the_end_of_its_input_has_ended_well(
    implementation_folder: Path, no_process_left: None
) -> None:
    with speaking(implementation_folder) as session:
        session.end_input()
        assert session.process is not None
        assert session.process.status == 0
        with pytest.raises(HarnessFault, match="Describe although its input has ended"):
            session.describe()


@pytest.mark.parametrize(
    ("then", "said"),
    [
        ("sys.exit(3)", "exited with status 3"),
        ("import os; os.kill(os.getpid(), 9)", "was killed by SIGKILL"),
    ],
)
def test_any_other_end_at_the_end_of_input_is_a_crash(
    implementation_folder: Path, then: str, said: str
) -> None:
    with (
        speaking(implementation_folder, then) as session,
        pytest.raises(Crashed, match=f"sketch {said} at the end of its standard input, not with 0"),
    ):
        session.end_input()


_DIES = """print(answer.replace("ID", str(request["id"])), flush=True)
        if request["call"] == "prepare":
            import os
            os.kill(os.getpid(), 11)"""


def test_whoever_was_dead_before_is_not_said_to_have_died_at_the_end_of_its_input(
    implementation_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = 'print(answer.replace("ID", str(request["id"])), flush=True)'
    monkeypatch.setattr(control_kit, "_PROGRAM", control_kit._PROGRAM.replace(said, _DIES))
    with speaking(implementation_folder) as session:
        session.prepare(PINGPONG)
        assert session.process is not None
        assert session.process.wait(20.0) == -11
        with pytest.raises(Crashed) as caught:
            session.end_input()
    assert str(caught.value) == (
        "sketch was killed by SIGSEGV before the end of its standard input, which was about to be"
        " ended: Prepare had been answered (CTRL-11)"
    )
    assert caught.value.breaks == "CTRL-11"


def test_whoever_died_in_a_call_whose_answer_nobody_read_owes_that_answer(
    implementation_folder: Path,
) -> None:
    trace = ['{"id":ID,"item":{"batch":{}}}', "no JSON"]
    with speaking(implementation_folder, trace=trace) as session:
        session.prepare(PINGPONG)
        session.leave_trace_unread()
        assert session.process is not None
        session.process.kill()
        session.process.wait(20.0)
        with pytest.raises(
            Crashed, match=r"SIGKILL before .*: Trace was under way \(CTRL-7\)"
        ) as e:
            session.end_input()
    assert e.value.breaks == "CTRL-7"


@pytest.mark.parametrize(
    ("then", "does"),
    [
        ("time.sleep(60)", r"it is idle \(0\.0\d s of CPU time in .*1 thread: sleeps"),
        ("while True: pass", r"it (is busy|does a little) \(.* s of CPU time in .*1 thread: runs"),
    ],
)
def test_whoever_lives_on_is_said_to_be_busy_or_idle(
    implementation_folder: Path, monkeypatch: pytest.MonkeyPatch, then: str, does: str
) -> None:
    monkeypatch.setattr(sessions, "EXIT_TIME", 0.3)
    with (
        speaking(implementation_folder, then) as session,
        pytest.raises(Late, match=rf"\(CTRL-11\); {does}.*; Describe had been answered when"),
    ):
        session.end_input()


def test_whoever_lives_on_after_the_end_of_its_input_is_late(
    implementation_folder: Path, monkeypatch: pytest.MonkeyPatch, no_process_left: None
) -> None:
    monkeypatch.setattr(sessions, "EXIT_TIME", 0.3)
    with (
        speaking(implementation_folder, "time.sleep(60)") as session,
        pytest.raises(Late, match=r"sketch still runs 0 s after the end of its standard input"),
    ):
        session.end_input()


def test_whoever_has_no_core_since_the_end_of_its_input_is_not_blamed(
    implementation_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before that it had one (LEVEL-35)."""
    monkeypatch.setattr(sessions, "EXIT_TIME", 0.3)
    monkeypatch.setattr(Supervised, "wanted", lambda self: Wanted(60.0, 30.0, 1.0))
    monkeypatch.setattr(Supervised, "wanted_since", lambda self, earlier: Wanted(2.0, 0.1, 1.9))
    with (
        speaking(implementation_folder, "time.sleep(60)") as session,
        pytest.raises(Starved, match=r"too busy to tell: sketch had a core for 0\.1 s"),
    ):
        session.end_input()


@pytest.mark.parametrize("reads_on", [True, False])
def test_whoever_waits_until_its_trace_is_read_does_not_see_the_end_of_its_input(
    implementation_folder: Path, monkeypatch: pytest.MonkeyPatch, reads_on: bool
) -> None:
    monkeypatch.setattr(sessions, "EXIT_TIME", 1.0)
    long = [json.dumps({"id": 0, "item": {"batch": {"args": [7] * 100_000}}}).replace("0", "ID", 1)]
    with speaking(implementation_folder, trace=long) as session:
        session.prepare(PINGPONG)
        if reads_on:
            session.end_input()
            return
        session.leave_trace_unread()
        with pytest.raises(Late, match="still runs"):
            session.end_input()


def test_the_time_to_exit_is_that_of_the_specification() -> None:
    assert sessions.EXIT_TIME == 2.0
