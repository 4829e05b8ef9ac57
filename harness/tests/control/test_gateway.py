"""Over pipes: requests as the specification spells them, and one outcome for each wrong answer."""

import json
import os
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from control_kit import CHATAPP, PINGPONG, heard, speaking

from dramaturg.conformance.result import result_of
from dramaturg.control.gateway import Gateway
from dramaturg.control.starting import start
from dramaturg.control.transport import Lost, Stamps
from dramaturg.errors import CallFailed, Crashed, Late
from dramaturg.implementation.manifest import load
from dramaturg.model import names
from dramaturg.trace.watches import watch
from dramaturg.v2 import control_pb2

PONG, PING = names.name(names.PONG), names.name(names.PING)
END = '{"id":ID,"end":true}'


def item(content: dict[str, Any]) -> str:
    return json.dumps({"id": "ID", "item": content}).replace('"ID"', "ID")


def test_requests_are_spelled_with_every_field_and_of_a_oneof_the_member_chosen(
    implementation_folder: Path,
) -> None:
    with speaking(implementation_folder, run=[END]) as session:
        session.describe([control_pb2.Probe(fold=control_pb2.Probe.Fold(salt=2**32 - 1))])
        session.prepare(PINGPONG, [watch(names.PONG, modulus=3, begin=2)])
        session.run(2**32 - 1)
        requests = {each["call"]: each["request"] for each in heard(implementation_folder)}
    assert requests == {
        "describe": {"probes": [{"fold": {"salt": 2**32 - 1, "numbers": []}}]},
        "prepare": {
            "benchmark": {"pingpong": {"rounds": 3, "windows": 0, "window": 0, "shift": 0}},
            "watches": [
                {
                    "class": names.PONG, "modulus": 3, "remainder": 0, "first": 0,
                    "last": 2**32 - 1, "from": 2, "events": 2**32 - 1,
                }
            ],
            "node": 0, "peers": [], "secret": "",
        },
        "run": {"salt": 2**32 - 1, "log_limit": 0},
    }  # fmt: skip


def test_choices_and_selections_are_numbers_and_ids_grow(implementation_folder: Path) -> None:
    with speaking(implementation_folder) as session:
        session.prepare(CHATAPP)
        session.act(3, 4, k=2)
        session.turn()
        requests = heard(implementation_folder)
    assert [each["id"] for each in requests] == [1, 2, 3, 4]
    assert requests[1]["request"]["benchmark"]["chatapp"]["selection"] == 1
    assert requests[2]["request"] == {"client": 3, "choice": 4, "index": 0, "k": 2}
    assert requests[3]["request"] == {}


def test_marks_and_the_end_of_a_run_come_through(implementation_folder: Path) -> None:
    lines = [item({"mark": {"done": 1}}), item({"mark": {"done": 2}}), END]
    with speaking(implementation_folder, run=lines) as session:
        session.prepare(CHATAPP)
        assert [mark.done for mark in session.run().marks] == [1, 2]


@pytest.mark.parametrize("as_text", [False, True])
def test_a_log_with_its_counts_comes_through_as_numbers_or_digits(
    implementation_folder: Path, as_text: bool
) -> None:
    def spelled(*numbers: int) -> list[Any]:
        return [str(number) if as_text else number for number in numbers]

    batch = {"actor": spelled(PONG), "sender": spelled(PING), "kind": [177], "args": spelled(0, 9)}
    counts = {"actor": spelled(PING, PONG), "taken": spelled(2**40, 1)}
    lines = [item({"batch": batch}), item({"counts": counts})]
    lines += [item({"footer": {"events": 1, "watched": 2}}), END]
    with speaking(implementation_folder, trace=lines) as session:
        session.prepare(PINGPONG)
        log = session.trace()
    assert log.logs == {PONG: [(PING, (177, (0, 9)))]}
    assert log.taken == {PING: 2**40, PONG: 1}


def test_what_is_zero_or_empty_may_be_left_out(implementation_folder: Path) -> None:
    lines = [item({"counts": {}}), item({"footer": {}}), END]
    receipt = '{"id":ID,"reply":{"receipt":{"chatapp":{}}}}'
    with speaking(implementation_folder, trace=lines, teardown=[receipt]) as session:
        session.prepare(CHATAPP)
        assert session.trace().taken == {}
        assert session.teardown().WhichOneof("receipt") == "chatapp"


@pytest.mark.parametrize("before", [[], [item({"mark": {"done": 1}})]])
def test_an_error_is_a_string_the_reason(implementation_folder: Path, before: list[str]) -> None:
    lines = [*before, '{"id":ID,"error":"client/3 failed: out of friends"}']
    with speaking(implementation_folder, run=lines) as session:
        session.prepare(CHATAPP)
        with pytest.raises(CallFailed) as caught:
            session.run()
    assert str(caught.value) == "Run answered INTERNAL: client/3 failed: out of friends"


def test_a_failure_that_was_reported_as_it_must_be_is_no_accusation(
    implementation_folder: Path,
) -> None:
    lines = ['{"id":ID,"error":"client/3 failed: out of friends"}']
    with speaking(implementation_folder, run=lines) as session:
        session.prepare(CHATAPP)
        with pytest.raises(CallFailed) as caught:
            session.run()
    said = result_of(caught.value)
    assert said.message.startswith("Run answered INTERNAL: client/3 failed: out of friends; ")
    assert "the implementation says so itself, as CTRL-10 asks" in said.message
    assert said.breaks == ("CTRL-10",)


_FAILING = """
import json, sys
for line in sys.stdin:
    request = json.loads(line)
    answer = {"id": request["id"], "reply": {}}
    if request["call"] == "run":
        print("no friends: line 3", file=sys.stderr, flush=True)
        answer = {"id": request["id"], "error": "client/3 failed"}
    print(json.dumps(answer), flush=True)
"""


def test_what_it_wrote_to_standard_error_stands_with_a_reported_failure(
    implementation_folder: Path,
) -> None:
    (implementation_folder / "main.py").write_text(_FAILING)
    manifest = implementation_folder / "dramaturg.toml"
    manifest.write_text(manifest.read_text().replace('["true"]', '["python3", "main.py"]'))
    with start(load(implementation_folder)) as session:
        session.prepare(CHATAPP)
        with pytest.raises(CallFailed) as caught:
            session.run()
    assert result_of(caught.value).stderr == "no friends: line 3"


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("", "nothing came on its standard output: is that flushed after each line (STDIO-1)?"),
        ('{"id":1}', "8 bytes came, and no line feed: does one end each line (STDIO-1)?"),
    ],
)
def test_what_says_nothing_at_all_is_asked_whether_it_flushes(
    implementation_folder: Path, written: str, said: str
) -> None:
    script = f"import sys, time; sys.stdout.write({written!r}); sys.stdout.flush(); time.sleep(60)"
    (implementation_folder / "main.py").write_text(script)
    manifest = implementation_folder / "dramaturg.toml"
    command = '["python3", "main.py"]\nstart_timeout = 2'
    manifest.write_text(manifest.read_text().replace('["true"]', command))
    with pytest.raises(Late) as caught, start(load(implementation_folder)):
        pass
    assert said in str(caught.value)
    assert caught.value.breaks == "CTRL-14"


RULES = {
    "an error must be": "STDIO-6", "wants a reply": "STDIO-4", "a request that was": "STDIO-4",
    "an answer has its id": "STDIO-4", "neither item nor end": "STDIO-5",
    "must be a JSON object": "STDIO-1", "JSON lines only": "STDIO-2",
}  # fmt: skip
"""The broken requirement by words of the message; for all others it is STDIO-7."""


def rule_of(said: str) -> str:
    return next((rule for words, rule in RULES.items() if words in said), "STDIO-7")


WRONG: list[tuple[str, list[str], str]] = [
    ("act", ['{"id":ID,"error":{"code":"INTERNAL","message":"x"}}'],
     "an error must be a string, the reason"),
    ("act", ['{"id":ID,"item":{}}'], "act wants a reply"),
    ("act", ['{"id":ID,"end":true}'], "act wants a reply"),
    ("act", ['{"id":99,"reply":{}}'], "an answer to a request that was not made"),
    ("act", ['{"id":true,"reply":{}}'], "an answer to a request that was not made"),
    ("act", ['{"id":0,"reply":{}}'], "an answer to a request that was not made"),
    ("act", ['{"reply":{}}'], "an answer to a request that was not made"),
    ("act", ['{"id":1,"reply":{}}'], "an answer to a request that was answered already"),
    ("act", ['{"id":ID,"reply":{"nanos":5}}'], "the answer to act does not fit"),
    ("act", ['{"id":ID,"reply":[]}'], "the answer to act does not fit (ActResponse is no object)"),
    ("act", ['{"id":ID}'], "an answer has its id and one of reply, item, end and error"),
    ("act", ['{"id":ID,"answer":{}}'], "an answer has its id and one of reply"),
    ("run", ['{"id":ID,"item":{"mark":{"done":1}},"end":true}'], "an answer has its id and one of"),
    ("trace", [item({"footer": {"Events": 1}})], "no field of TraceFooter is called Events"),
    ("act", ["[1]"], "an answer must be a JSON object"),
    ("act", ["act: client 1"], "standard output is for JSON lines only"),
    ("run", ['{"id":ID,"reply":{}}'], "run is a stream; neither item nor end"),
    ("run", ['{"id":ID,"end":false}'], "run is a stream; neither item nor end"),
    ("run", [item({"progress": 0.5})], "the answer to run does not fit"),
    ("run", [item({"mark": {"done": 1.0}}), '{"id":ID,"end":true}'],
     "done has 1.0, which is no integer"),
    ("run", [item({"mark": {"done": -1}})], "the answer to run does not fit"),
    ("run", [item({"mark": {"done": 2**32}})], "the answer to run does not fit"),
    ("trace", [item({"batch": {"actor": [1], "seq": [0]}})], "no column is called seq"),
    ("trace", [item({"counts": {"actor": [1], "args": [0]}})], "no column is called args"),
    ("trace", [item({"counts": {"actor": [1], "taken": [-1]}})], "the answer to trace does not"),
    ("trace", [item({"counts": {"actor": [1], "taken": [1.5]}})], "taken has 1.5, which is no int"),
    ("trace", [item({"counts": {"actor": [True], "taken": [1]}})], "actor has True, which is no"),
    ("trace", [item({"counts": {"actor": ["0x1"], "taken": [1]}})], "actor has '0x1', which is no"),
    ("trace", [item({"counts": {"actor": 1}})], "column actor is no list"),
    ("trace", [item({"batch": [1]})], "the answer to trace does not fit"),
    ("trace", [item({"batch": {"kind": [2**32]}})], "the answer to trace does not fit"),
]  # fmt: skip


@pytest.mark.parametrize(("call", "lines", "said"), WRONG)
def test_a_wrong_answer_is_quoted_and_ends_the_session(
    implementation_folder: Path, call: str, lines: list[str], said: str
) -> None:
    with speaking(implementation_folder, **{call: lines}) as session:
        session.prepare(CHATAPP)
        with pytest.raises(Crashed) as caught:
            {"act": lambda: session.act(1), "run": session.run, "trace": session.trace}[call]()
    assert said in str(caught.value)
    assert str(caught.value).endswith("'")
    assert caught.value.breaks == rule_of(said)


@pytest.mark.parametrize(
    "again", ['{"id":ID,"reply":{}}', '{"id":ID,"error":"late"}', '{"id":ID,"item":{}}']
)
def test_a_second_answer_is_named_at_the_next_call(implementation_folder: Path, again: str) -> None:
    with speaking(implementation_folder, act=['{"id":ID,"reply":{}}', again]) as session:
        session.prepare(CHATAPP)
        with pytest.raises(Crashed, match="an answer to a request that was answered already"):
            for _ in range(50):
                session.act(1)


def test_an_item_behind_the_end_of_its_stream_is_a_second_answer(
    implementation_folder: Path,
) -> None:
    lines = [END, item({"mark": {"done": 1}})]
    with speaking(implementation_folder, run=lines) as session:
        session.prepare(PINGPONG)
        session.run()
        with pytest.raises(Crashed, match="answered already"):
            for _ in range(50):
                session.describe()


def test_an_implementation_of_version_1_over_pipes_is_told_to_move(
    implementation_folder: Path,
) -> None:
    said = '{"id":ID,"reply":{"runtime":"x","spec_version":"1"}}'
    with (
        pytest.raises(Crashed, match="it speaks version 1 of the protocol"),
        speaking(implementation_folder, describe=[said]),
    ):
        pass


def test_names_are_those_of_the_proto_files_and_no_others(implementation_folder: Path) -> None:
    said = '{"id":ID,"reply":{"setupNanos":5}}'
    with (
        speaking(implementation_folder, prepare=[said]) as session,
        pytest.raises(Crashed, match="no field of PrepareResponse is called setupNanos"),
    ):
        session.prepare(PINGPONG)


def test_details_of_a_runtime_have_names_of_their_own(implementation_folder: Path) -> None:
    said = '{"id":ID,"reply":{"runtime":"x","details":{"garbageCollector":"none"}}}'
    with speaking(implementation_folder, describe=[said]) as session:
        assert session.describe().details == {"garbageCollector": "none"}


@pytest.mark.parametrize("closed", ["output", "both"])
def test_of_who_has_gone_the_same_is_said_whichever_pipe_shows_it(closed: str) -> None:
    """Else two starts that fail in one way would be two ways, and all cases would be tried."""
    requests, to = os.pipe()
    back, answers = os.pipe()
    os.close(answers)
    if closed == "both":
        os.close(requests)
    ends: Any = SimpleNamespace(
        input=to,
        output=back,
        is_closed=lambda: False,
        end_input=lambda: None,
        how_it_ended=lambda: "exited with status 3",
    )
    with pytest.raises(Lost, match=r"^its standard output ended; it exited with status 3$"):
        list(Gateway(ends).call("Describe", control_pb2.DescribeRequest(), 60.0, Stamps()))
    for end in (to, back, *([requests] if closed == "output" else [])):
        os.close(end)
