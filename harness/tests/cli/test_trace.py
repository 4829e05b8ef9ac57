"""`dramaturg trace`: a summary, or the answer as a table, CSV, JSON or Parquet."""

import csv
import io
import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result

from dramaturg import paths
from dramaturg.cli.trace import trace
from dramaturg.model import names
from dramaturg.model.simulation import Simulation
from dramaturg.model.workload import workload_of
from dramaturg.orchestration import trace_answers
from dramaturg.processes import confined
from dramaturg.processes.confined import Limits
from dramaturg.results import ResultsError
from dramaturg.trace import recorded
from dramaturg.v2 import benchmarks_pb2, case_pb2

PINGPONG = benchmarks_pb2.Benchmark(pingpong=benchmarks_pb2.PingPongParameters(rounds=150))
MIB = 1 << 20


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    workload = workload_of(PINGPONG)
    workload.run()
    logs = Simulation(workload).perform().logs
    return recorded.save(
        tmp_path_factory.mktemp("run") / "pingpong.run", implementation="reference", case="made",
        benchmark=PINGPONG, script=workload.script, logs=logs,
    )  # fmt: skip


def asked(*words: object) -> Result:
    return CliRunner().invoke(trace, list(map(str, words)))


def program(*words: object, **given: object) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [str(paths.ROOT / "dramaturg"), "trace", *map(str, words)],
        capture_output=True, text=True, check=False, timeout=300, **given,  # type: ignore[call-overload]
    )  # fmt: skip


def test_the_summary_says_who_is_there_and_what_can_be_asked(run: Path) -> None:
    said = asked(run).output
    assert "reference, made (pingpong)" in said
    for words in ("pong_ping", "left, value", "table messages", "Who received most?", "receiver"):
        assert words in said
    document = json.loads(asked(run, "--json").stdout)
    assert {each["class"]: each["actors"] for each in document["actors"]} == {"ping": 1, "pong": 1}
    assert sum(each["messages"] for each in document["kinds"]) == document["messages"] > 200
    assert document["views"]["pong_ping"] == ["left", "value"]


def test_a_command_of_the_summary_can_be_typed(run: Path) -> None:
    document = json.loads(asked(run, "--json").stdout)
    for question in document["questions"]:
        words = ["--sent"] if question["sent"] else []
        assert asked(run, *words, "--sql", question["sql"]).exit_code == 0, question


SQL = "SELECT event, message, args, turn FROM messages WHERE receiver = 'pong/0' ORDER BY event"


def test_an_answer_is_the_same_as_table_csv_json_and_parquet(run: Path, tmp_path: Path) -> None:
    document = json.loads(asked(run, "--sql", SQL, "--json").stdout)
    assert document["columns"] == ["event", "message", "args", "turn"]
    assert document["types"] == ["UBIGINT", "VARCHAR", "UBIGINT[]", "UBIGINT"]
    rows = document["rows"]
    assert len(rows) > trace_answers.SHOWN
    head, *read = csv.reader(io.StringIO(asked(run, "--sql", SQL, "--csv").stdout))
    assert head == document["columns"]
    assert [[int(event), said, json.loads(args), turn or None] for event, said, args, turn in read]\
        == rows  # fmt: skip
    target = tmp_path / "answer.parquet"
    assert f"{len(rows)} rows" in asked(run, "--sql", SQL, "--parquet", target).output
    assert parquet(target) == [tuple(row) for row in rows]
    assert [file.name for file in tmp_path.iterdir()] == ["answer.parquet"]
    table = asked(run, "--sql", SQL).output
    assert rows[99][1] in table
    assert rows[100][1] not in table
    assert "more than these 100 rows" in table


def parquet(file: Path) -> list[tuple[object, ...]]:
    import duckdb

    return duckdb.connect().read_parquet(str(file)).fetchall()


def test_parquet_without_a_question_is_all_messages(run: Path, tmp_path: Path) -> None:
    target = tmp_path / "all.parquet"
    target.write_text("an older one")
    assert asked(run, "--parquet", target).exit_code == 0
    count = json.loads(asked(run, "--json").stdout)["messages"]
    assert len(parquet(target)) == count


def test_an_old_file_stays_where_there_is_no_new_one(run: Path, tmp_path: Path) -> None:
    target = tmp_path / "all.parquet"
    target.write_text("an older one")
    assert asked(run, "--sql", "FROM nope", "--parquet", target).exit_code == 1
    assert target.read_text() == "an older one"
    assert [file.name for file in tmp_path.iterdir()] == ["all.parquet"]


def test_an_answer_without_rows_names_its_columns(run: Path) -> None:
    said = asked(run, "--sql", "SELECT receiver, turn FROM messages WHERE receiver = 'nobody'")
    assert said.exit_code == 0
    assert said.output == "no rows; the columns are: receiver, turn\n"
    empty = asked(run, "--sql", "SELECT receiver FROM messages WHERE false", "--json")
    assert json.loads(empty.stdout)["rows"] == []


def test_a_narrow_terminal_cuts_nothing(run: Path) -> None:
    said = CliRunner(env={"COLUMNS": "40"}).invoke(
        trace, [str(run), "--sql", "FROM messages WHERE receiver = 'pong/0' LIMIT 1"]
    )
    assert "…" not in said.output
    assert "kind_number" in said.output


def test_what_a_query_makes_up_acts_on_no_terminal(run: Path) -> None:
    said = asked(run, "--sql", "SELECT chr(27) || '[2J' || chr(10) || 'x' AS made").output
    assert "\x1b" not in said
    assert "\\x1b[2J\\nx" in said


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("nothing.run", "--sql", "FROM actors"), "nothing.run: No such file"),
        (("{run}", "--sql", "SELECT nope FROM actors"), "--sql: Binder Error"),
        (("{run}", "--sql", "DROP VIEW actors"), "which is not performed"),
        (("{run}", "--csv"), "--csv prints the answer to --sql"),
        (("{run}", "--json", "--csv", "--sql", "FROM actors"), "give one of"),
        (("{cut}", "--sql", "FROM actors"), "is no recorded run, or was cut short"),
        (("{other}", "--sql", "FROM actors"), "was recorded by another version"),
        (("{run}", "--parquet", "{no}/x.parquet"), "its folder is not there"),
        (("{run}", "--parquet", "{run}"), "that is the run"),
    ],
)
def test_bad_input_is_one_clear_error(
    words: tuple[str, ...], said: str, run: Path, tmp_path: Path
) -> None:
    cut, other = tmp_path / "cut.run", tmp_path / "other.run"
    cut.write_bytes(run.read_bytes()[:300])
    changed = recorded.load(run)
    changed.batches[0].kind[0] = 4000
    other.write_bytes(changed.SerializeToString())
    places = {"run": run, "cut": cut, "other": other, "no": tmp_path / "no"}
    done = program(*(word.format(**places) for word in words))
    assert done.returncode == 2, done
    assert said in " ".join(done.stderr.split())
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


def test_a_reader_that_stops_listening_is_no_failure(run: Path) -> None:
    done = subprocess.run(
        f"{paths.ROOT}/dramaturg trace {run} --sql 'FROM messages, range(50)' --csv | head -n 1",
        shell=True, capture_output=True, text=True, check=False, timeout=300,
    )  # fmt: skip
    assert done.stdout.startswith("receiver,receiver_class")
    assert done.stderr == ""


def test_standard_output_that_is_closed_or_full_is_no_traceback(run: Path) -> None:
    for words, code in (("--csv >&-", 0), (">&-", 0), ("--csv > /dev/full", 8)):
        done = subprocess.run(
            f"{paths.ROOT}/dramaturg trace {run} --sql 'FROM messages' {words}",
            shell=True, capture_output=True, text=True, check=False, timeout=300,
        )  # fmt: skip
        assert done.returncode == code, done
        assert "Traceback" not in done.stderr
        assert ("No space left" in done.stderr) == bool(code)


def test_a_query_that_takes_too_long_is_ended(run: Path) -> None:
    given = {"file": str(run), "sql": "SELECT count(*) FROM range(1000000000) a, range(1000) b",
             "form": "table", "into": None, "sent": False}  # fmt: skip
    with pytest.raises(ResultsError, match=r"--sql: it takes more than \d s of CPU time"):
        confined.read(trace_answers.READER, run, given, Limits(cpu=6))


def test_a_query_that_wants_too_much_memory_is_ended(run: Path) -> None:
    given = {"file": str(run), "sql": "SELECT list(a.range) FROM range(200000000) a",
             "form": "table", "into": None, "sent": False}  # fmt: skip
    with pytest.raises(ResultsError, match=r"MiB of memory"):
        confined.read(trace_answers.READER, run, given, Limits(memory=400 * MIB))


MEASURED = """
import json, re, sys
from pathlib import Path
from dramaturg.orchestration import trace_answers
told = trace_answers.answered(json.loads(sys.argv[1]))
most = re.search(r"VmHWM:\\s+(\\d+) kB", Path("/proc/self/status").read_text())
print(json.dumps([told, int(most[1])]))
"""
"""Not ``ru_maxrss``: that of a child begins with the memory of who started it."""


def test_a_million_messages_are_asked_in_bounded_memory(tmp_path: Path) -> None:
    """As objects of Python they would take 300 bytes each and more (docs/scaling.md)."""
    file, count, senders = tmp_path / "large.run", 1_000_000, 1000
    large = case_pb2.RecordedRun(benchmark=benchmarks_pb2.Benchmark(
        bang=benchmarks_pb2.BangParameters(senders=senders, messages=count // senders)
    ))  # fmt: skip
    receiver, sender = names.name(names.RECEIVER), names.name(names.SENDER)
    for begin in range(0, count, 1 << 16):
        number = np.arange(begin, min(begin + (1 << 16), count), dtype=np.uint64)
        of = np.uint64(sender) | (number % np.uint64(senders)) << np.uint64(24)
        batch = large.batches.add()
        batch.actor.extend([receiver] * len(number))
        batch.sender.extend(of.tolist())
        batch.kind.extend([226] * len(number))
        batch.args.extend(np.column_stack([number // senders, number]).ravel().tolist())
    file.write_bytes(large.SerializeToString())
    given = {"file": str(file), "form": "table", "into": None, "sent": False,
             "sql": "SELECT sender, count(*), max(args[2]) FROM messages GROUP BY ALL"
                    " ORDER BY 3 DESC LIMIT 2"}  # fmt: skip
    done = subprocess.run([sys.executable, "-c", MEASURED, json.dumps(given)],
                          capture_output=True, text=True, check=True, timeout=300)  # fmt: skip
    told, most = json.loads(done.stdout)
    assert told["rows"] == [["sender/999", 1000, 999_999], ["sender/998", 1000, 999_998]]
    assert most * 1024 < 400 * MIB, f"{most >> 10} MiB"
