"""Trace beside Run: what it brings waits, undecoded, until nobody waits for Run (MEAS-48)."""

import io
import json
import threading
from pathlib import Path
from typing import Any

import pytest
from control_kit import PINGPONG, Answering, batch, counts, footer, serving, speaking

from dramaturg.control import gateway, transport
from dramaturg.control.session import Session
from dramaturg.errors import Crashed
from dramaturg.model import names
from dramaturg.trace.events import TraceError
from dramaturg.v2 import trace_pb2 as kind

PING, PONG = names.name(names.PING), names.name(names.PONG)
ROWS = 2000

COLUMNS = {
    "actor": [PING] * ROWS,
    "sender": [PONG] * ROWS,
    "kind": [kind.MESSAGE_KIND_PING_PONG] * ROWS,
    "args": [0, 0] * ROWS,
}
ITEM = json.dumps({"batch": COLUMNS})
REST = [
    json.dumps({"counts": {"actor": [PING], "taken": [ROWS]}}),
    json.dumps({"footer": {"events": ROWS, "watched": 1}}),
]


def _answered(*items: str, end: str = '{"id":ID,"end":true}') -> list[str]:
    return [f'{{"id":ID,"item":{item}}}' for item in items] + [end]


def _looked(session: Session) -> bytes:
    """Return the answer of a look, as it lies on disk."""
    session.prepare(PINGPONG)
    looked, file = session.look(), io.BytesIO()
    assert looked.asked < looked.answered
    looked.spool(file)
    return file.getvalue()


def test_long_lines_are_decoded_when_they_are_asked_for(
    implementation_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    decoded: list[int] = []
    loads = json.loads

    def slow(line: Any) -> Any:
        decoded.append(len(line))
        return loads(line)

    with speaking(implementation_folder, trace=_answered(ITEM, *REST)) as session:
        session.prepare(PINGPONG)
        monkeypatch.setattr(gateway.json, "loads", slow)
        looked, file = session.look(), io.BytesIO()
        assert max(decoded) < 200
        looked.spool(file)
        assert max(decoded) > 4096
        before = session.trace()
        assert len(before.logs[PING]) == ROWS


@pytest.mark.parametrize("form", ['{"id":ID,"item":%s}', ' { "item" : %s , "id" : ID } '])
def test_a_look_brings_what_trace_brings(implementation_folder: Path, form: str) -> None:
    answers = [form % ITEM, *_answered(*REST)]
    with speaking(implementation_folder, trace=answers) as session:
        brought = _looked(session)
        file = io.BytesIO()
        session.spool(file)
        assert brought == file.getvalue()
        assert len(brought) > ROWS


def test_a_long_line_that_only_looks_like_an_item_is_quoted(implementation_folder: Path) -> None:
    broken = '{"id":ID,"item":' + ITEM[:-20] + "}"
    with speaking(implementation_folder, trace=[broken, *_answered(*REST)]) as session:
        session.prepare(PINGPONG)
        looked = session.look()
        with pytest.raises(Crashed, match="as an item of request"):
            looked.spool(io.BytesIO())


def test_a_look_without_a_footer_is_no_trace(implementation_folder: Path) -> None:
    with speaking(implementation_folder, trace=_answered(ITEM)) as session:
        session.prepare(PINGPONG)
        with pytest.raises(TraceError, match="TRACE-3"):
            session.look().spool(io.BytesIO())


def test_an_error_in_place_of_a_look_is_an_error(implementation_folder: Path) -> None:
    failed = json.dumps({"id": "ID", "error": "ping/0 failed: " + 5000 * "x"}).replace('"ID"', "ID")
    with speaking(implementation_folder, trace=[failed]) as session:
        session.prepare(PINGPONG)
        with pytest.raises(Exception, match="ping/0 failed"):
            session.look().spool(io.BytesIO())


def test_over_grpc_nothing_is_decoded_before_either() -> None:
    servicer = Answering()
    servicer.items = [
        batch((PING, PONG, kind.MESSAGE_KIND_PING_PONG, [0, 0])), counts({PING: 1}), footer(1, 1),
    ]  # fmt: skip
    with serving(servicer) as session:
        assert _looked(session)
        servicer.items = servicer.items[:-1]
        looked = session.look()
        with pytest.raises(TraceError, match="TRACE-3"):
            looked.spool(io.BytesIO())


def test_a_run_is_seen_from_another_thread_as_soon_as_it_was_sent(
    implementation_folder: Path,
) -> None:
    seen: list[int] = []
    with speaking(implementation_folder, run=['{"id":ID,"end":true}']) as session:
        session.prepare(PINGPONG)
        assert session.run_since == 0
        thread = threading.Thread(target=lambda: seen.append(_when_sent(session)))
        thread.start()
        ran = session.run(timeout=20.0)
        thread.join()
        assert seen == [ran.sent] == [session.run_since]
        assert ran.sent > 0


def _when_sent(session: Session) -> int:
    while not session.run_since:
        pass
    return session.run_since


@pytest.mark.parametrize("form", ['{"id":%s,"item":%s}', '{"item":%s,"id":%s}'])
def test_a_number_that_no_request_has_is_no_fault_of_ours_however_long(
    implementation_folder: Path, form: str
) -> None:
    number, item = "9" * 5000, json.dumps({"batch": {}})
    said = (number, item) if form.index("id") < form.index("item") else (item, number)
    with speaking(implementation_folder, trace=[form % said]) as session:
        session.prepare(PINGPONG)
        with pytest.raises(Crashed, match="JSON lines only") as raised:
            session.look()
        assert raised.value.breaks == "STDIO-2"


def test_an_answer_without_an_end_is_held_up_to_a_bound(
    implementation_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transport, "MAX_HELD", 50_000)
    endless = _answered(*[ITEM] * 20)[:-1]
    with speaking(implementation_folder, trace=endless) as session:
        session.prepare(PINGPONG)
        with pytest.raises(Crashed, match="it goes on after 50000 bytes") as raised:
            session.look(timeout=20.0)
        assert raised.value.breaks == "CTRL-9"
    servicer = Answering()
    servicer.items = [batch((PING, PONG, kind.MESSAGE_KIND_PING_PONG, [0, 0]))] * 1000
    with serving(servicer) as session:
        session.prepare(PINGPONG)
        with pytest.raises(Crashed, match="it goes on after 50000 bytes"):
            session.look(timeout=20.0)
