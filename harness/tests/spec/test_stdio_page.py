"""spec/stdio.md shows sessions as they are: every line is one that is spoken."""

import re
from typing import Any

import pytest
import stdio_kit
from google.protobuf import json_format
from stdio_kit import Exchange, Line, Session

from dramaturg.control import json_lines
from dramaturg.control.lifecycle import Lifecycle
from dramaturg.model import messages, names, pingpong, receipt_names
from dramaturg.trace.codec import LogBuilder
from dramaturg.v2 import control_pb2

SHOWN = stdio_kit.shown()
EXCHANGES = [exchange for session in SHOWN for exchange in session]
NAMED = [f"{number}-{each.request['call']}" for number, each in enumerate(EXCHANGES)]


def message(request: Line) -> Any:
    method = request["call"].capitalize()
    return json_format.ParseDict(request["request"], getattr(control_pb2, f"{method}Request")())


def items(exchange: Exchange, name: str) -> list[Any]:
    """The items of that name in a stream, decoded."""
    bodies = [answer["item"] for answer in exchange.answers if name in answer.get("item", ())]
    return [getattr(json_lines.parsed(exchange.request["call"], body), name) for body in bodies]


def test_there_are_the_sessions_that_an_author_needs() -> None:
    calls = [[exchange.request["call"] for exchange in session] for session in SHOWN]
    world = ["prepare", "act", "turn", "trace", "teardown"]
    assert calls == [
        ["describe", *world, "prepare", "run", "trace", "teardown"],
        ["prepare", "act"],
    ]


@pytest.mark.parametrize("exchange", EXCHANGES, ids=NAMED)
def test_a_request_is_what_the_gateway_writes(exchange: Exchange) -> None:
    """Every field is there, by its name, and no other."""
    written = json_format.MessageToDict(
        message(exchange.request),
        preserving_proto_field_name=True,
        use_integers_for_enums=True,
        always_print_fields_with_no_presence=True,
    )
    assert exchange.request["request"] == written
    assert list(exchange.request) == ["id", "call", "request"]


@pytest.mark.parametrize("exchange", EXCHANGES, ids=NAMED)
def test_an_answer_decodes(exchange: Exchange) -> None:
    call, last = exchange.request["call"], exchange.answers[-1]
    assert {answer["id"] for answer in exchange.answers} == {exchange.request["id"]}
    if "error" in last:
        assert re.match(r"client/1 failed: ", last["error"])
        return
    for answer in exchange.answers:
        if "end" in answer:
            assert answer is last
            continue
        body = answer["item" if call in ("run", "trace") else "reply"]
        whole = json_format.MessageToDict(
            json_lines.parsed(call, body), preserving_proto_field_name=True
        )
        assert whole.keys() == body.keys(), "a name is not that of the proto file"


@pytest.mark.parametrize("session", SHOWN, ids=["session", "error"])
def test_the_calls_are_in_order_and_in_range(session: Session) -> None:
    lifecycle = Lifecycle()
    for exchange in session:
        method = exchange.request["call"].capitalize()
        lifecycle.call(method, message(exchange.request))
        lifecycle.answered(method)


def logs() -> list[LogBuilder]:
    """Return the logs of the session's traces; held against watches, counts and footer."""
    found = []
    for exchange in SHOWN[0]:
        match exchange.request["call"]:
            case "prepare":
                builder = LogBuilder(message(exchange.request).watches)
            case "trace":
                for batch in items(exchange, "batch"):
                    builder.add(batch)
                for counts in items(exchange, "counts"):
                    builder.count(counts)
                builder.complete()
                [footer] = items(exchange, "footer")
                assert (footer.events, footer.watched) == (builder.events, len(builder.taken))
                found.append(builder)
    return found


def test_the_traces_are_traces() -> None:
    chatapp, windowed = logs()
    assert [names.spell(actor) for actor in chatapp.taken] == [
        "client/1", "accumulator/0", "accumulator/1",
    ]  # fmt: skip
    assert [names.spell(actor) for actor in windowed.taken] == ["ping/0"]


def test_the_events_are_listed_as_they_are() -> None:
    listed = [
        f"{names.spell(actor)} from {names.spell(sender)} {messages.spell(*taken)}"
        for actor, log in logs()[0].logs.items()
        for sender, taken in log
    ]
    page = stdio_kit.PAGE.read_text(encoding="utf-8")
    shown = [re.sub(" +", " ", line) for line in page.splitlines()]
    first = shown.index(listed[0])
    assert shown[first : first + len(listed)] == listed


def test_the_receipts_are_right() -> None:
    receipts = [
        json_lines.parsed("teardown", exchange.answers[0]["reply"]).receipt  # type: ignore[attr-defined]
        for exchange in SHOWN[0]
        if exchange.request["call"] == "teardown"
    ]
    chatapp, windowed = receipts[0].chatapp, receipt_names.own(receipts[1])
    assert (chatapp.stops, chatapp.announced) == (
        chatapp.deliveries + chatapp.joins,
        chatapp.consumed,
    )
    salt = next(e.request["request"]["salt"] for e in SHOWN[0] if e.request["call"] == "run")
    parameters = pingpong.Parameters(rounds=0, windows=2, window=150)
    expected = pingpong.receipt(parameters, salt, {"pongs": windowed.pongs})
    assert windowed.sum == expected["sum"]
    assert windowed.pongs == sum(windowed.windows) + 2
    assert receipts[1].run_nanos >= sum(windowed.window_nanos)
    page = stdio_kit.PAGE.read_text(encoding="utf-8")
    [taken] = logs()[1].taken.values()
    for number in (taken, windowed.pongs, sum(windowed.windows)):
        assert f"{number:,}" in page
    assert taken == windowed.pongs + 3


UP_TO_CHANCE = ("_nanos", "runtime", "version", "arguments", "windows", "taken", "details")


def steady(value: Any) -> Any:
    """An answer without what differs from run to run, and from machine to machine."""
    if isinstance(value, dict):
        return {
            key: steady(inner) for key, inner in value.items() if not key.endswith(UP_TO_CHANCE)
        }
    return [steady(inner) for inner in value] if isinstance(value, list) else value


def without_middle_marks(exchange: Exchange) -> list[Any]:
    """The clock decides when a mark is due, but not that the last one comes."""
    last = [item.done for item in items(exchange, "mark")][-1:]
    return [*last, *(answer for answer in exchange.answers if "mark" not in answer.get("item", ()))]


@pytest.mark.parametrize(
    ("number", "changes"), [(0, ""), (1, stdio_kit.FAILING)], ids=["session", "error"]
)
def test_an_implementation_answers_so(number: int, changes: str) -> None:
    said, status = stdio_kit.held([exchange.request for exchange in SHOWN[number]], changes)
    assert status == 0
    for shown, spoken in zip(SHOWN[number], said, strict=True):
        assert steady(without_middle_marks(shown)) == steady(without_middle_marks(spoken))
