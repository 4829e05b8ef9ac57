"""Records in which one field is odd: a report is made, or one line says what is wrong."""

import json
import random
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from dramaturg import results
from dramaturg.processes.confined import Confined, Limits
from dramaturg.records import CaseRecord
from dramaturg.report.report_files import summarise
from dramaturg.results import ResultsError
from dramaturg.trace.explanation.message_sequence import Status

ODD: list[Any] = [
    None, -1, 0, 2**63, 1e308, float("nan"), "", "x\n::y\x1b[2J", "9" * 50, "\ud800", True, [], {},
    [[]], [None], {"": None},
]  # fmt: skip

OF = {
    "implementation": "x", "benchmark": "count", "scenario": "s", "scale": "tiny",
    "parameters": {"rounds": 1}, "network": {"kind": "local"}, "cores": [0],
    "points": [{"entry": "a/1", "axes": {"n": 1}}],
}  # fmt: skip
ITERATION = OF | {"build": "b", "invocation": 0, "iteration": 0, "salt": 0}
DIVERGENCE = {
    "turn": 1, "headline": "h", "actor": "a", "sender": "b", "position": 2, "expected": "e",
    "actual": None, "lcg": {"a": 1}, "actor_state": {"n": [1]}, "sender_state": {"n": {"m": 1}},
    "history": ["b -> a  x(y=1)"], "note": "n", "related": ["CHAT-1"],
    "requirements": [{"id": "ACT-5", "chapter": "actors", "text": "t"}],
    "cause": {"actor": "b", "position": 1, "event": "c -> b  x(y=1)"},
    "drawn": {"before": 1, "more": 0, "draws": [{"modulus": 2, "value": 1, "state": 3}],
              "needs": "", "received": "x"},
    "sequence": [{"from": "a", "to": "b", "message": "m", "status": "lost"}, {"more": 1}],
}  # fmt: skip
RECORDS: dict[str, list[dict[str, Any]]] = {
    results.CONFORMANCE: [
        {"record": "header", "schema": results.SCHEMA, "started": 1.0, "builds": {"x": "b"},
         "planned": {"x": 1}, "levels": [1], "manifest_problems": {"x": ["p"]},
         "remarks": {"x": "r"}},
        {"record": "case", "implementation": "x", "level": 1, "benchmark": "count", "case": "c",
         "outcome": "fail", "message": "m", "divergence": DIVERGENCE,
         "why": [{"id": "ACT-5", "chapter": "actors", "text": "t"}],
         "stderr": "s", "command": "c", "known": "", "recommended": False, "events": 1,
         "seconds": 1.0, "requirements": ["ACT-5"]},
        {"record": "footer", "records": 1, "ended": 2.0},
    ],
    results.TIMINGS: [
        {"record": "header", "schema": results.SCHEMA, "started": 1.0, "builds": {"x": "b"},
         "plan": {"units": [], "left_out": []}, "places": {"x": "x"}, "commits": {"x": {}},
         "source": {"dirty": False}},
        ITERATION | {"record": "sample", "valid": True, "certified": True, "receipt": {"sum": 1},
                     "setup_nanos": 1, "runtime_nanos": 0, "run_nanos": 10, "teardown_nanos": 1,
                     "turn_nanos": [1], "messages": 2, "problems": ["p"],
                     "wire": {"sent_bytes": [1], "sent_packets": [1]}},
        ITERATION | {"record": "audit", "depth": "parts", "outcome": "fail", "message": "m",
                     "watches": [{"class": 1}], "open": ["o"], "margins": {"a": 0.1},
                     "divergence": DIVERGENCE, "looks": [{"asked_nanos": 1, "answered_nanos": 2}]},
        OF | {"record": "unit", "invocation": 0, "outcome": "pass", "samples": 1, "audits": 1,
              "warmup": 0, "doubts": ["d"], "links": {"delay_ms": [1.0], "off": ""}},
        {"record": "footer", "records": 3, "ended": 2.0},
    ],
    results.ENVIRONMENT: [
        {"captured": 1.0, "cpu": {"model": "m", "cores": 2, "pinned_to": [0]},
         "memory": {"total": 1}, "kernel": {"release": "r"}, "load": {"1min": 1.0},
         "network": [{"name": "veth", "available": True}], "packages": {"grpcio": "1"},
         "implementations": {"x": {"build": "b", "details": {"a": "b"}, "command": ["c"]}}},
    ],
}  # fmt: skip
"""The least that has one of each."""


def places(node: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield at
    if isinstance(node, dict):
        for key, value in node.items():
            yield from places(value, (*at, key))
    elif isinstance(node, list) and node:
        yield from places(node[0], (*at, 0))


def changed(node: Any, at: tuple[Any, ...], value: Any) -> Any:
    if not at:
        return value
    copy = dict(node) if isinstance(node, dict) else list(node)
    copy[at[0]] = changed(node[at[0]], at[1:], value)
    return copy


def write(folder: Path, records: dict[str, list[Any]]) -> None:
    folder.mkdir(exist_ok=True)
    for name, lines in records.items():
        (folder / name).write_text("".join(json.dumps(line) + "\n" for line in lines))


def made_of(name: str, number: int) -> list[dict[str, list[Any]]]:
    """So many of all results in which one field of ``name`` is odd."""
    every = [
        RECORDS | {name: [*RECORDS[name][:row], changed(line, at, odd), *RECORDS[name][row + 1 :]]}
        for row, line in enumerate(RECORDS[name])
        for at in places(line)
        for odd in ODD
    ]
    return random.Random(name).sample(every, number)


def test_what_they_are_made_of_is_a_report(tmp_path: Path) -> None:
    write(tmp_path / "r", RECORDS)
    assert summarise(tmp_path / "r").state == "complete"


@pytest.mark.parametrize("name", RECORDS)
def test_an_odd_field_is_shown_or_refused_in_one_line(
    name: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    folder, counted = tmp_path / "r", Counter[str]()
    with Confined("dramaturg.cli.report:made") as reports:
        for records in made_of(name, 80):
            write(folder, records)
            given = dict.fromkeys(("output", "pictures", "archive", "trusted", "markdown"))
            given |= {"folder": str(folder), "requirements_at": "", "document": True}
            try:
                reports.read(folder, given, Limits())
                counted["shown"] += 1
            except ResultsError as error:
                (line,) = str(error).splitlines()
                assert line.startswith(str(folder)) and "Traceback" not in line
                counted["foreseen" if "fault of the harness" not in line else line] += 1
    assert capfd.readouterr() == ("", "")
    unforeseen = [line for line in counted if line not in ("shown", "foreseen")]
    assert unforeseen == []
    assert counted["shown"] > 5, counted


@pytest.mark.parametrize(
    ("field", "odd"),
    [
        ("history", [1]), ("history", "x"), ("lcg", 1), ("actor_state", []), ("related", True),
        ("sequence", [[]]), ("sequence", [{"from": None}]), ("requirements", [1]), ("cause", {}),
        ("position", "x"), ("drawn", 1), ("headline", None),
    ],
)  # fmt: skip
def test_a_divergence_of_another_shape_is_refused_where_it_stands(
    tmp_path: Path, field: str, odd: object
) -> None:
    case = changed(RECORDS[results.CONFORMANCE][1], ("divergence", field), odd)
    file = tmp_path / results.CONFORMANCE
    write(tmp_path, {results.CONFORMANCE: [RECORDS[results.CONFORMANCE][0], case, case]})
    with pytest.raises(ResultsError, match=re.escape(f"{file}:2: ")):
        results.read(file)


def test_every_status_of_a_message_is_one_that_is_read() -> None:
    for status in Status:
        at = ("divergence", "sequence", 0, "status")
        CaseRecord.model_validate(changed(RECORDS[results.CONFORMANCE][1], at, str(status)))


def test_a_divergence_may_say_more_than_is_known_of_it() -> None:
    case = changed(RECORDS[results.CONFORMANCE][1], ("divergence",), DIVERGENCE | {"fate": [1]})
    assert CaseRecord.model_validate(case).divergence == DIVERGENCE | {"fate": [1]}


@pytest.mark.parametrize("where", ["builds", "planned", "remarks", "manifest_problems", "anything"])
def test_a_name_that_is_no_text_is_refused_with_its_place(where: str, tmp_path: Path) -> None:
    """Half of a character: a value is shown as such, and a name could be written nowhere."""
    header, *rest = RECORDS[results.CONFORMANCE]
    odd = header | {where: {"\ud800x": ["p"] if where == "manifest_problems" else "b"}}
    if where == "planned":
        odd[where] = {"\ud800x": 1}
    file = tmp_path / results.CONFORMANCE
    file.write_text("\n".join(map(json.dumps, [odd, *rest])) + "\n")
    with pytest.raises(ResultsError, match=r"conformance\.jsonl:1: .*ud800x.* is no text"):
        summarise(tmp_path)
    said = json.dumps(odd[where]).replace("\\ud800x", "\\ud83d\\ude00")
    whole = header | {where: json.loads(said)}
    file.write_text("\n".join(map(json.dumps, [whole, *rest])) + "\n")
    json.dumps(summarise(tmp_path).model_dump(mode="json"))
