"""Thousands of malformed inputs: each is accepted, or refused in the words of who reads it."""

import contextlib
import json
import os
import random
import threading
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from fire_mutator import INPUTS, judged, malformed
from google.protobuf.message import DecodeError

from dramaturg import paths, results
from dramaturg.cases.cases import CaseError, load_file
from dramaturg.certificates import (
    certificate,
    checklist,
    envelope,
    review,
    review_answers,
    reviews,
    statement,
    trust,
)
from dramaturg.certificates.envelope import CertificateError
from dramaturg.certificates.signed_file import unseal
from dramaturg.control.gateway import Gateway
from dramaturg.control.transport import Lost, Refused, Stamps
from dramaturg.errors import ManifestError
from dramaturg.implementation import build, manifest
from dramaturg.levels import REQUIRED
from dramaturg.model.simulation import Simulation
from dramaturg.model.workload import ChatAppWorkload, workload_of
from dramaturg.outcomes import Outcome
from dramaturg.records import CaseRecord, Point, SampleRecord, UnitRecord
from dramaturg.report import drawings
from dramaturg.report.report_files import summarise
from dramaturg.results import ResultsError, Writer
from dramaturg.standing import Certification, Standing
from dramaturg.template import changes, making
from dramaturg.template import record as records
from dramaturg.template.making import TemplateError
from dramaturg.timing.planning import suites
from dramaturg.timing.planning.suites import SuiteError
from dramaturg.timing.statistics import estimates
from dramaturg.trace.codec import LogBuilder, decode, encode
from dramaturg.trace.events import TraceError
from dramaturg.trace.partial.rerun import replayed
from dramaturg.trace.queries.message_columns import message_columns
from dramaturg.trace.watches import EVERYBODY
from dramaturg.v2 import benchmarks_pb2, case_pb2, control_pb2, trace_pb2

# --- the gateway ---


def asked(call: str, data: bytes) -> None:
    """Make the call to a process whose output is ``data``, and then the end."""
    (requests, stdin), (stdout, output) = os.pipe(), os.pipe()
    writer = threading.Thread(target=_write, args=(output, data))
    writer.start()
    with open(stdin, "wb", 0) as to, open(stdout, "rb", 0) as back, open(requests, "rb", 0):
        ends: Any = SimpleNamespace(
            input=to.fileno(),
            output=back.fileno(),
            is_closed=lambda: back.closed,
            end_input=to.close,
            how_it_ended=lambda: "is no process",
        )
        request = getattr(control_pb2, f"{call}Request")()
        try:
            for answer in Gateway(ends).call(call, request, 60.0, Stamps()):
                answer.SerializeToString()
        finally:
            back.close()
            writer.join()


def _write(end: int, data: bytes) -> None:
    with contextlib.suppress(BrokenPipeError), open(end, "wb", 0) as pipe:
        while data:
            data = data[pipe.write(data) or 0 :]


def line(**answer: Any) -> bytes:
    return json.dumps({"id": 1, **answer}).encode() + b"\n"


BATCH = {"actor": [4 << 56, 5 << 56], "sender": [1, 2], "kind": [66, 81], "args": [7, "8"]}
COUNTS = {"actor": [4 << 56, str(5 << 56)], "taken": [1, "18446744073709551615"]}
ANSWERS = {
    "Describe": line(reply={"runtime": "x", "runtime_version": "1", "schedulers": 2,
                            "answers": [{"values": [1, "2"]}], "details": {"a": "b"}}),
    "Prepare": line(reply={"setup_nanos": "51234", "runtime_nanos": 7}),
    "Act": line(reply={}),
    "Turn": line(error="client/3 failed: x"),
    "Run": line(item={"mark": {"done": 1}}) + line(item={"mark": {"done": 2}}) + line(end=True),
    "Trace": line(item={"batch": BATCH}) + line(item={"counts": COUNTS})
    + line(item={"footer": {"events": 2, "watched": 2}}) + line(end=True),
    "Teardown": line(reply={"receipt": {"done": {"benchmark": "pingpong",
                                                 "arguments": [2, 4294967295]},
                            "run_nanos": 9120, "teardown_nanos": "5", "alive": 0}}),
}  # fmt: skip


@pytest.mark.parametrize("call", ANSWERS)
def test_whatever_comes_through_the_pipe_is_an_answer_or_a_status(call: str) -> None:
    asked(call, ANSWERS[call]) if call != "Turn" else None
    inputs = malformed([ANSWERS[call]], call)
    counted = judged(inputs, lambda data: asked(call, data), (Lost, Refused), "")
    assert counted["refused"] > INPUTS[call] / 4, counted


@pytest.mark.parametrize(
    "column",
    [[0, 1.0], [0, 1.5], [0, True], ["0", "1_0"], [" 0"], ["\u0663"], "12", {"0": 1}, [None],
     [float("inf")], [-1], [2**64], [[0]]],
)  # fmt: skip
def test_a_column_of_a_trace_holds_integers_and_nothing_like_them(column: object) -> None:
    with pytest.raises(Lost, match="the answer to trace does not fit"):
        asked("Trace", line(item={"batch": {"actor": column}}))


def test_a_column_may_mix_numbers_and_strings_of_digits() -> None:
    asked("Trace", line(item={"batch": {"actor": [1, "18446744073709551615"]}}) + line(end=True))


@pytest.mark.parametrize("number", [True, 1.0, "1", None, 0, 2])
def test_an_answer_carries_the_number_of_its_request(number: object) -> None:
    with pytest.raises(Lost, match="a request that was not made"):
        asked("Act", json.dumps({"id": number, "reply": {}}).encode() + b"\n")


# --- traces ---


COLUMNS = ("actor", "sender", "kind", "args")


@pytest.fixture(scope="module")
def runs() -> list[case_pb2.RecordedRun]:
    """A run of ping-pong and a small ChatApp, as the model's actors exchange them."""
    pingpong = benchmarks_pb2.Benchmark(pingpong=benchmarks_pb2.PingPongParameters(rounds=3))
    chat = benchmarks_pb2.Benchmark(
        chatapp=benchmarks_pb2.ChatAppParameters(
            clients=6, directories=2, turns=2, post=50, invite=50, befriend=50, seed=42,
            selection=benchmarks_pb2.SELECTION_CUMULATIVE, fib_n=3, history=True,
        )
    )  # fmt: skip
    made = []
    for benchmark in (pingpong, chat):
        workload = workload_of(benchmark)
        if isinstance(workload, ChatAppWorkload):
            workload.prepare()
        workload.run().disconnect()
        logs = Simulation(workload).perform().logs
        lines = [case_pb2.RecordedRun.Line(kind=kind, args=args) for kind, args in workload.script]
        made.append(
            case_pb2.RecordedRun(
                implementation="x", case="y", benchmark=benchmark, script=lines,
                batches=encode(logs),
            )
        )  # fmt: skip
    return made


def test_columns_that_are_no_batch_are_a_trace_error(runs: list[case_pb2.RecordedRun]) -> None:
    batches = [batch for run in runs for batch in run.batches]
    dice = random.Random("columns")

    def damaged() -> Iterator[bytes]:
        for _ in range(1500):
            batch = trace_pb2.TraceBatch()
            batch.CopyFrom(dice.choice(batches))
            column = getattr(batch, dice.choice(COLUMNS))
            place = dice.randrange(len(column))
            match dice.randrange(4):
                case 0:
                    del column[place]
                case 1:
                    column.insert(place, column[place])
                case 2:
                    column[place] = dice.choice((0, 1, 255, 2**31, 2**32 - 1))
                case _:
                    column[place] ^= 1 << dice.randrange(8)
            yield batch.SerializeToString()

    def read(data: bytes) -> None:
        decode([trace_pb2.TraceBatch.FromString(data)])

    counted = judged(damaged(), read, TraceError, "")
    assert counted["refused"] > 500


def test_a_recorded_run_that_was_damaged_is_a_trace_error(
    runs: list[case_pb2.RecordedRun], tmp_path: Path
) -> None:
    """It is read as `dramaturg replay` reads it, up to the verdict."""
    file = tmp_path / "damaged.run"

    def read(data: bytes) -> None:
        file.write_bytes(data)
        replayed(file)

    seeds = [run.SerializeToString() for run in runs]
    for seed in seeds:
        read(seed)
    counted = judged(malformed(seeds, "runs"), read, TraceError, str(file))
    assert counted["refused"] > 100


def test_columns_are_refused_where_logs_are(runs: list[case_pb2.RecordedRun]) -> None:
    """`dramaturg trace` makes columns of a recorded run, and no logs."""

    def read(data: bytes) -> None:
        try:
            run = case_pb2.RecordedRun.FromString(data)
        except DecodeError:
            raise TraceError("is no recorded run") from None
        builder, refused = LogBuilder(list(run.watches) or EVERYBODY), False
        try:
            for batch in run.batches:
                builder.add(batch)
            builder.count(run.counts)
        except TraceError:
            refused = True
        try:
            columns = message_columns(run)
        except TraceError:
            assert refused
            raise
        assert not refused
        assert columns.rows == builder.events

    seeds = [run.SerializeToString() for run in runs]
    counted = judged(malformed(seeds, "columns of runs"), read, TraceError, "")
    assert counted["refused"] > 100


# --- files that people write ---


def test_a_manifest_is_accepted_or_refused_with_its_name(tmp_path: Path) -> None:
    file = tmp_path / manifest.FILE_NAME
    seeds = [
        (paths.IMPLEMENTATIONS / name / manifest.FILE_NAME).read_bytes()
        for name in ("reference", "erlang")
    ]

    def read(data: bytes) -> None:
        file.write_bytes(data)
        loaded = manifest.load(tmp_path)
        with contextlib.suppress(OSError, ManifestError):
            # The sources that it names are not here; what it names is asked for all the same.
            build.digest(loaded)

    counted = judged(malformed(seeds, "manifest"), read, ManifestError, str(file))
    assert counted["refused"] > 300


BOMBS = {
    "laughs": b"a: &a [x, x, x, x, x, x, x, x, x, x]\n"
    + b"".join(
        b"%c: &%c [%s]\n" % (n + 1, n + 1, b",".join([b"*%c" % n] * 10)) for n in range(97, 108)
    )
    + b"benchmark: *l\ncases: *l\nsuite: *l\nbenchmarks: *l\n",
    "itself": b"benchmark: x\nsuite: x\nbenchmarks: &a [*a]\ncases: &b [*b]\n",
    "itself-as-a-map": b"&a {benchmark: x, cases: [*a], suite: x, benchmarks: [*a]}\n",
    "deep": b"[" * 100_000,
    "deep-and-closed": b"[" * 3000 + b"]" * 3000,
    "deeper-maps": b"".join(b" " * n + b"a:\n" for n in range(1500)),
    "digits": b"benchmark: " + b"9" * 1_000_000 + b"\n",
    "a-number-of-cases": b"cases: 1" + b"0" * 300 + b"\n",
    "sexagesimal": b"benchmark: 1" + b":59" * 100_000,
    "nothing": b"",
    "nul": b"\0",
    "not-utf-8": b"\xff\xfe\x00",
    "surrogate": b'benchmark: "\\ud800"\ncases: []\nsuite: "\\ud800"\nbenchmarks: []\n',
    "huge-world": b"benchmark: chatapp\ncases: [{name: x, purpose: x, level: 3, concurrent: {"
    b"turns: 1, benchmark: {chatapp: {clients: 4294967295, directories: 1, turns: 4294967295,"
    b" befriend: 50, selection: SELECTION_CUMULATIVE, fib_n: 47, seed: 1}}}}]\n",
    "huge-web": b"benchmark: web\ncases: [{name: x, purpose: x, level: 3, concurrent: {"
    b" benchmark: {web: {browsers: 4294967295, workers: 4294967295, requests: 4294967295}}}}]\n",
}


@pytest.mark.parametrize("name", BOMBS)
def test_a_yaml_bomb_does_not_go_off(name: str, tmp_path: Path) -> None:
    file = tmp_path / "bomb.yaml"
    file.write_bytes(BOMBS[name])
    for read, refusal in (
        (load_file, CaseError),
        (lambda file: suites.load(str(file)), SuiteError),
    ):
        judged(iter([BOMBS[name]]), lambda data, read=read: read(file), refusal, str(file))


def test_a_case_file_is_accepted_or_refused_with_its_name(tmp_path: Path) -> None:
    file = tmp_path / "cases.yaml"
    whole = (paths.CASES / "chatapp.yaml").read_bytes()
    # Few cases each, so that most of the time is not spent on what was not damaged.
    head, *cases = whole.split(b"\n  - name: ")
    seeds = [b"\n  - name: ".join([head, case]) for case in cases]
    seeds.append((paths.CASES / "pingpong.yaml").read_bytes())

    def read(data: bytes) -> None:
        file.write_bytes(data)
        load_file(file)

    for seed in seeds:
        read(seed)
    counted = judged(malformed(seeds, "cases"), read, CaseError, str(file))
    assert counted["refused"] > 200


def test_a_suite_is_accepted_or_refused_with_its_name(tmp_path: Path) -> None:
    file = tmp_path / "suite.yaml"
    seeds = [file.read_bytes() for file in sorted(suites.FOLDER.glob("*.yaml"))]
    seeds.append(
        b"suite: nightly\nimplementations: [erlang]\nwarmup: 1\ntimeout: 600\nbenchmarks:\n"
        b"  - {benchmark: pingpong, scale: tiny, iterations: 30,"
        b" network: {nodes: 2, bandwidth: 100, delay: 5, loss: 0.1}}\n"
        b"  - {benchmark: big, parameters: {peers: 5, rounds: 3}}\n"
        b"  - {benchmark: chatapp, parameters: {clients: 64, directories: 4, turns: 8}}\n"
    )

    def read(data: bytes) -> None:
        file.write_bytes(data)
        suites.load(str(file))

    counted = judged(malformed(seeds, "suites"), read, SuiteError, str(file))
    assert counted["refused"] > 200


# --- records ---


def test_damaged_records_are_read_as_far_as_they_go_or_refused(tmp_path: Path) -> None:
    """And what is read makes a report."""
    swept: Any = {"cores": [0], "points": [Point(entry="s/1", axes={"rounds": 3})]}
    unit = UnitRecord(
        implementation="x", benchmark="pingpong", scenario="counted", scale="tiny",
        parameters={"rounds": 3}, network={"kind": "local"}, invocation=0,
        outcome=Outcome.PASS, samples=1, **swept,
    )  # fmt: skip
    sample = SampleRecord(
        implementation="x", build="b", benchmark="pingpong", scenario="counted", scale="tiny",
        parameters={"rounds": 3}, network={"kind": "local"}, invocation=0, iteration=0,
        valid=True, certified=True, receipt={}, salt=5, setup_nanos=1, runtime_nanos=1,
        run_nanos=7, teardown_nanos=1, messages=6, **swept,
    )  # fmt: skip
    case = CaseRecord(
        implementation="x", level=1, benchmark="pingpong", case="y", outcome=Outcome.PASS
    )
    header = {"builds": {"x": "b"}, "planned": {"x": 1}, "levels": [0, 1, 3], "cost": {}}
    planned = {"implementation": "x", "points": [{"entry": "s/1", "axes": {"rounds": 9}}]}
    header |= {"plan": {"units": [planned]}}
    for name, lines in ((results.CONFORMANCE, [case]), (results.TIMINGS, [sample, unit])):
        with Writer(tmp_path / name, **header) as writer:
            for each in lines:
                writer.write(each)
    seeds = {
        name: (tmp_path / name).read_bytes() for name in (results.CONFORMANCE, results.TIMINGS)
    }
    for name, seed in seeds.items():
        file = tmp_path / name

        def read(data: bytes, file: Path = file) -> None:
            file.write_bytes(data)
            results.read(file)
            for curve in summarise(tmp_path).curves:
                drawings.curve(curve)

        counted = judged(malformed([seed], name), read, ResultsError, str(file))
        assert counted["refused"] > 100
        file.write_bytes(seed)


def test_a_damaged_comparison_is_judged_as_far_as_it_goes_or_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(estimates, "RESAMPLES", 20)
    scenario = {"benchmark": "pingpong", "scale": "tiny", "parameters": {"rounds": 3}}
    labels = ("x@HEAD~1", "x")
    records = [
        record
        for number in range(6)
        for label in labels
        for record in (
            SampleRecord(
                implementation=label, build="b", scenario="counted", **scenario,
                network={"kind": "local"}, invocation=number, iteration=0, valid=True,
                certified=True, receipt={}, salt=5, setup_nanos=1, runtime_nanos=1,
                run_nanos=7 + number, teardown_nanos=1, messages=6,
            ),
            UnitRecord(
                implementation=label, scenario="counted", **scenario,
                network={"kind": "local"}, invocation=number, outcome=Outcome.PASS, samples=1,
            ),
        )
    ]  # fmt: skip
    sides = {
        side: {"label": label, "word": label, "build": "b", "commit": "c"}
        for side, label in zip("ab", labels, strict=True)
    }
    planned = [
        {"implementation": label, "scenario": {"name": "counted", **scenario}, "network": {}}
        for label in labels
    ]
    header = {"comparison": {**sides, "pairs": 6, "confirm": 9}, "plan": {"units": planned}}
    file = tmp_path / results.TIMINGS
    with Writer(file, **header) as writer:
        for record in records:
            writer.write(record)
    seed = file.read_bytes()
    found = summarise(tmp_path).comparison
    assert found is not None
    assert len(found.rows[0].first) == 6

    def read(data: bytes) -> None:
        file.write_bytes(data)
        summarise(tmp_path)

    counted = judged(malformed([seed], "comparison"), read, ResultsError, str(file))
    assert counted["refused"] > 100


# --- records of what a template made ---


def test_a_record_of_a_template_is_read_or_refused_with_its_name(tmp_path: Path) -> None:
    """And what is read can be compared, and reaches no file outside."""
    made = making.make("mine", making.templates()["python"])
    file = tmp_path / records.PLACE
    file.parent.mkdir()
    seed = records.of("mine", "python", made).text().encode()

    def read(data: bytes) -> None:
        file.write_bytes(data)
        record = records.read(tmp_path)
        for change in changes.compare(tmp_path, record, made):
            assert (tmp_path / change.path).resolve().is_relative_to(tmp_path)

    counted = judged(malformed([seed], "template.json"), read, TemplateError, str(file))
    assert counted["refused"] > 100


# --- certificates ---


def test_a_certificate_is_read_or_refused_with_its_name(tmp_path: Path) -> None:
    said = control_pb2.DescribeResponse(runtime="CPython", runtime_version="3.11", schedulers=1)
    reference = manifest.find("reference")
    levels = list(REQUIRED)
    standing = Standing("reference", build.digest(reference), len(levels), levels=levels)
    standing.records = [
        CaseRecord(
            implementation="reference", level=level, benchmark="pingpong", case=f"case-{level}",
            outcome=Outcome.PASS,
        )
        for level in levels
    ]  # fmt: skip
    done = Certification(tmp_path, {"reference": standing}, [], False)
    key = Ed25519PrivateKey.generate()
    file = tmp_path / results.CERTIFICATE
    assert certificate.issue(done, [reference], lambda implementation: said) == {}
    plain = file.read_bytes()
    seeds = [plain, envelope.sign(plain, key).to_json().encode()]

    def read(data: bytes) -> None:
        file.write_bytes(data)
        opened = unseal(file, key.public_key())
        statement.parse(opened.text, file)

    for seed in seeds:
        read(seed)
    counted = judged(malformed(seeds, "certificates"), read, CertificateError, str(file))
    assert counted["refused"] > 200


# --- reviews ---


def test_answers_and_the_review_made_of_them_are_read_or_refused_with_their_names(
    tmp_path: Path,
) -> None:
    asked, digest = checklist.load(), "0" * 64
    blank = review_answers.blank("erlang", digest, ["run"], asked)
    filled = blank.replace('answer = ""', 'answer = "yes"').replace('viewer = ""', 'viewer = "A"')
    written, file = tmp_path / "answers.toml", tmp_path / "review.json"

    def read_answers(data: bytes) -> None:
        written.write_bytes(data)
        review_answers.read(written, asked)

    read_answers(filled.encode())
    plain = review.made(review_answers.read(written, asked), asked).to_json().encode()
    counted = judged(
        malformed([filled.encode()], "answers"), read_answers, CertificateError, str(written)
    )
    assert counted["refused"] > 100
    key = Ed25519PrivateKey.generate()
    keys = trust.alone(key.public_key())
    seeds = [plain, envelope.sign(plain, key).to_json().encode()]

    def read(data: bytes) -> None:
        file.write_bytes(data)
        for line in reviews.spelt([reviews.reviewed(file, {"erlang": [digest]}, keys)]):
            assert line.isprintable()

    for seed in seeds:
        read(seed)
    counted = judged(malformed(seeds, "reviews"), read, CertificateError, str(file))
    assert counted["refused"] > 200
