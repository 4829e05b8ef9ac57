"""False answers of implementations, and impossible requests of people: one clear outcome each, and
the next case or iteration is none the worse."""

from pathlib import Path

import pytest
from fire_kit import Command, faulty, perform_twice

from dramaturg import results
from dramaturg.outcomes import Outcome

pytestmark = pytest.mark.usefixtures("impatient")

BEHIND, LAST = "trace-after-run", "trace-after-teardown"
WATCHED, WHOLE, TURNS = "watched-pingpong", "pingpong-hundred-rounds", "pipelined"

LIES = {
    (BEHIND, "beyond_its_slice", WATCHED): "its log goes beyond the 5 events that",
    (BEHIND, "beyond_its_slice", WHOLE): "which ping/0 never sent",
    ("trace", "of_a_stranger", WATCHED): "tally/0 has a log, and nobody watches it (TRACE-15)",
    ("trace", "of_a_stranger", WHOLE): "tally/0",
    (LAST, "uncounted", WATCHED): "is watched and has no count (TRACE-17)",
    (LAST, "uncounted", WHOLE): "is watched and has no count (TRACE-17)",
    (LAST, "counted_wrongly", WATCHED): "messages, expected 10",
    (LAST, "counted_wrongly", WHOLE): "so its log must have 10",
    ("trace", "without_footer", WHOLE): "the trace has no footer, so its end is missing (TRACE-3)",
    ("trace", "two_footers", WHOLE): "the trace goes on after its footer (TRACE-3)",
    ("run", "without_marks", TURNS): "no mark came, expected one that says 16",
    ("run", "too_many_marks", TURNS): "16 marks came in",
    ("run", "invented_mark", WHOLE): "1 marks came; pingpong has neither turns nor windows",
    ("teardown", "leaking", WHOLE): "alive is 2, expected 0 (CTRL-8)",
    ("teardown", "wrong_sum", WHOLE): "the receipt is wrong: sum is ",
    ("teardown", "receipt_of_nothing", WHOLE): "it is the receipt of no benchmark, expected ping",
}

"""The words for a lie at a step of a case. Counts are those of the last Trace."""


@pytest.mark.parametrize(("step", "lie", "case"), LIES)
@pytest.mark.parametrize("control", ["grpc", "stdio"])
def test_whatever_is_not_so_fails_one_case(
    control: str, step: str, lie: str, case: str, tmp_path: Path, temporary: Path
) -> None:
    implementation = faulty(tmp_path / "faulty", control, step, lie, limit=60)
    first, second = perform_twice(implementation, case, tmp_path)
    assert first.outcome is Outcome.FAIL, first.message
    assert LIES[step, lie, case] in first.message
    assert second.outcome is Outcome.PASS, second.message


BREAKS = {
    ("grpc", "teardown", "without_receipt"): "Teardown was answered without a receipt (CTRL-8)",
    ("stdio", "teardown", "without_receipt"): "Teardown was answered without a receipt (CTRL-8)",
    ("grpc", "describe:1", "too_long"): "a message over the protocol's limit of 4194304 bytes",
    ("stdio", "describe:1", "too_long"): "a message over the protocol's limit of 4194304 bytes",
    ("stdio", "prepare", "twice"): "an answer to a request that was answered already",
    ("stdio", "run", "twice"): "an answer to a request that was answered already",
    ("stdio", "trace", "twice"): "an answer to a request that was answered already",
    ("stdio", "teardown", "twice"): "an answer to a request that was answered already",
    ("stdio", "prepare", "to_another"): "an answer to a request that was not made",
    ("stdio", "prepare", "object_as_error"): "an error must be a string, the reason",
    ("stdio", "run", "object_as_error"): "an error must be a string, the reason",
    ("stdio", "prepare", "chatters"): "standard output is for JSON lines only, but there was",
    ("stdio", "run", "chatters"): "standard output is for JSON lines only, but there was",
    ("stdio", "trace", "floods"): "a line over 16777216 bytes",
    ("stdio", "teardown", "cut"): "its standard output ended; it is still running",
}


@pytest.mark.parametrize(("control", "step", "fault"), BREAKS)
def test_what_breaks_the_protocol_is_quoted_and_ended(
    control: str, step: str, fault: str, tmp_path: Path, temporary: Path, no_process_left: None
) -> None:
    implementation = faulty(tmp_path / "faulty", control, step, fault, limit=60)
    case = "lcg-vectors" if fault == "too_long" else "pingpong-one-round"
    records = perform_twice(implementation, case, tmp_path)
    first = next(record for record in records if record.outcome is not Outcome.PASS)
    assert first.outcome is Outcome.CRASH, first.message
    assert BREAKS[control, step, fault] in first.message
    assert perform_twice(implementation, case, tmp_path)[1].outcome is Outcome.PASS


@pytest.mark.parametrize(
    ("control", "step", "fault", "says"),
    [
        ("grpc", "start", "old", "an implementation of version 1 has to be moved to version 2"),
        ("stdio", "describe", "described_as_in_version_1", "it speaks version 1 of the protocol"),
    ],
)
def test_who_speaks_version_1_is_told_so(
    control: str, step: str, fault: str, says: str, tmp_path: Path, temporary: Path
) -> None:
    implementation = faulty(tmp_path / "faulty", control, step, fault, limit=60)
    first, second = perform_twice(implementation, "pingpong-one-round", tmp_path)
    assert first.outcome in (Outcome.FAIL, Outcome.CRASH)
    assert says in first.message
    assert "spec/versions.md" in first.message
    assert second.outcome is Outcome.PASS, second.message


# --- timed ---


def bench(dramaturg: Command, folder: Path, output: Path, iterations: int = 3) -> tuple[int, str]:
    words = ["bench", "pingpong", "--scale", "tiny", "-i", folder, "--uncertified"]
    repeats = ["--invocations", 1, "--iterations", iterations, "--output", output]
    done = dramaturg(*words, *repeats, COLUMNS="400")
    return done.returncode, done.stderr


TIMED = {
    (f"{BEHIND}:1", "beyond_its_slice"): "its log goes beyond the 10 events that",
    (f"{LAST}:1", "of_a_stranger"): "tally/0 has a log, and nobody watches it (TRACE-15)",
    (f"{LAST}:1", "uncounted"): "has a log and no count (TRACE-17)",
    (f"{LAST}:1", "without_footer"): "the trace has no footer, so its end is missing (TRACE-3)",
    ("run:1", "invented_mark"): "1 marks came; pingpong has neither turns nor windows to mark",
    ("prepare:1", "set_up_for_days"): "setup_nanos is 1000000000000000 and runtime_nanos is 0, ",
    ("teardown:1", "leaking"): "alive is 2, expected 0 (CTRL-8)",
    ("teardown:1", "wrong_sum"): "sum is ",
    ("teardown:1", "receipt_of_nothing"): "it is the receipt of no benchmark, expected pingpong",
}


@pytest.mark.parametrize(("step", "lie"), TIMED)
@pytest.mark.parametrize("control", ["grpc", "stdio"])
def test_what_is_not_so_in_a_timed_iteration_is_kept_and_not_summarised(
    control: str, step: str, lie: str, tmp_path: Path, dramaturg: Command
) -> None:
    implementation = faulty(tmp_path / "faulty", control, step, lie, limit=60)
    status, said = bench(dramaturg, implementation.folder, tmp_path / "out")
    assert status == Outcome.FAIL.exit_code, said
    recorded = results.read(tmp_path / "out" / results.TIMINGS)
    assert recorded.complete
    assert [sample.valid for sample in recorded.samples] == [True, False, True]
    assert len(recorded.samples[1].problems) == 1, recorded.samples[1].problems
    (problem,) = recorded.samples[1].problems
    assert TIMED[step, lie] in problem
    (line,) = [line for line in said.splitlines() if line.startswith("fail: ")]
    assert f"iteration 1: {problem}" in line


@pytest.mark.parametrize(
    ("control", "step", "fault", "outcome", "kept"),
    [
        ("grpc", "run:2", "killed", Outcome.CRASH, 2),
        ("stdio", "run:2", "killed", Outcome.CRASH, 2),
        ("stdio", "teardown:1", "twice", Outcome.CRASH, 1),
        ("stdio", "run:1", "object_as_error", Outcome.CRASH, 1),
        ("stdio", "prepare:2", "chatters", Outcome.CRASH, 2),
        ("grpc", "end", "fails", Outcome.CRASH, 3),
        ("stdio", "end", "fails", Outcome.CRASH, 3),
        ("grpc", "end", "stays", Outcome.TIMEOUT, 3),
        ("stdio", "end", "waits", Outcome.TIMEOUT, 3),
    ],
)
def test_what_ends_an_invocation_costs_no_sample_before_it(
    control: str, step: str, fault: str, outcome: Outcome, kept: int, tmp_path: Path,
    dramaturg: Command,
) -> None:  # fmt: skip
    implementation = faulty(tmp_path / "faulty", control, step, fault, limit=60)
    status, said = bench(dramaturg, implementation.folder, tmp_path / "out")
    assert status == outcome.exit_code, said
    recorded = results.read(tmp_path / "out" / results.TIMINGS)
    assert recorded.complete
    assert [sample.valid for sample in recorded.samples] == [True] * kept
    # The last one is the audit's, which not every fault meets.
    first, _ = recorded.units
    assert first.outcome is outcome
    assert [line for line in said.splitlines() if line.startswith(f"{outcome}: ")]


# --- watches that somebody writes into a case ---

ROW = "{class: 10, modulus: 1, remainder: 0, first: 0, last: 9, from: 0, events: 1}"

WRONG_ROWS = {
    "modulus is 0; it must be in 1..4294967295": [ROW.replace("modulus: 1", "modulus: 0")],
    "first is 10; it must be in 0..9": [ROW.replace("first: 0", "first: 10")],
    "events is 0; it must be in 1..4294967295": [ROW.replace("events: 1", "events: 0")],
    "class is 128; it must be in 0..127": [ROW.replace("class: 10", "class: 128")],
    "remainder is 1, modulus 1: nobody can fit it": [ROW.replace("remainder: 0", "remainder: 1")],
    "there are 5 watches of class ping; there may be 4": [ROW] * 5,
    "there are 17 watches; there may be 16": [
        ROW.replace("class: 10", f"class: {10 + number // 4}") for number in range(17)
    ],
    "a watch of class 0 is everybody, and the only one": [
        ROW,
        ROW.replace("class: 10", "class: 0"),
    ],
}


def _case(folder: Path, rows: list[str]) -> Path:
    file = folder / "cases.yaml"
    file.write_text(
        "benchmark: pingpong\ncases:\n  - name: mine\n    purpose: To see.\n    level: 1\n"
        "    serial:\n      benchmark: {pingpong: {rounds: 9}}\n      watches:\n"
        + "".join(f"        - {row}\n" for row in rows)
    )
    return file


@pytest.mark.parametrize("says", WRONG_ROWS)
def test_a_watch_that_may_not_be_sent_is_refused_before_anything_runs(
    says: str, tmp_path: Path, dramaturg: Command
) -> None:
    file = _case(tmp_path, WRONG_ROWS[says])
    words = ["certify", "reference", "--cases", file, "--output", tmp_path / "out"]
    done = dramaturg(*words, COLUMNS="400")
    assert done.returncode == 2, done.stdout
    (line,) = done.stderr.strip().splitlines()
    assert line.startswith(f"dramaturg: {file}: case 'mine': ")
    assert says in line
    assert not (tmp_path / "out" / results.CONFORMANCE).exists()


@pytest.mark.parametrize("control", ["grpc", "stdio"])
def test_a_watch_that_nobody_of_a_world_fits_is_as_good_as_any(
    control: str, tmp_path: Path, dramaturg: Command
) -> None:
    nobody = ROW.replace("first: 0", "first: 7")
    implementation = faulty(tmp_path / "faulty", control, "none", "waits", limit=60)
    words = ["certify", implementation.folder, "--cases", _case(tmp_path, [nobody])]
    dramaturg(*words, "--output", tmp_path / "out")
    (record,) = results.read(tmp_path / "out" / results.CONFORMANCE).cases
    assert (record.outcome, record.events) == (Outcome.PASS, 0), record.message
