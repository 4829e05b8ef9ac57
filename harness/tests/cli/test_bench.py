"""``dramaturg bench``: what it takes, what it refuses, what it prints."""

import json
import os
import signal
import subprocess
import sys
import time
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console
from rich.progress import Progress

from dramaturg import results
from dramaturg.orchestration.execution import _Bar
from dramaturg.orchestration.requested_suites import chosen
from dramaturg.outcomes import Outcome
from dramaturg.records import UnitRecord
from dramaturg.timing.planning.suites import SuiteError

TINY = ["bench", "pingpong", "--scale", "tiny", "-i", "reference", "--uncertified"]


def _dramaturg(*arguments: str, **options: Any) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "dramaturg.cli.main", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, **options)


def test_a_benchmark_takes_its_parameters_from_the_command_line() -> None:
    (suite,) = chosen(["pingpong"], {"rounds": 7, "iterations": 3, "nodes": 2, "bandwidth": 10.0})
    (entry,) = suite.benchmarks
    assert suite.iterations == 3
    assert entry.made.parameters == {"rounds": 7, "windows": 0, "window": 0}
    assert entry.network.asked() == {"nodes": 2, "bandwidth": 10.0}


def test_repeats_on_the_command_line_win_over_those_of_the_suite() -> None:
    (suite,) = chosen(["tiny"], {"invocations": 2, "iterations": 1})
    assert (suite.invocations, suite.iterations) == (2, 1)
    assert {entry.iterations for entry in suite.benchmarks} == {None}


def test_a_word_that_is_both_means_the_suite_unless_something_says_the_benchmark() -> None:
    (suite,) = chosen(["broker"], {}, suites_first=True)
    assert suite.implementations == ["zeromq", "nanomsg", "nng"]
    (benchmark,) = chosen(["broker"], {"pairs": ("size=64",)}, suites_first=True)
    assert benchmark.implementations is None
    assert chosen(["broker"], {})[0].implementations is None


def test_parameters_do_not_go_with_a_suite() -> None:
    with pytest.raises(SuiteError, match="--fib-n, --turns goes with a benchmark"):
        chosen(["tiny"], {"turns": 3, "fib_n": 3})


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["bench", "chess"], "no suite is called 'chess'"),
        (["bench", "pingpong", "--clients", "3"], "pingpong has no parameter clients"),
        (
            ["bench", "chatapp", "--scenario", "mixd"],
            "no scenario 'mixd'; did you mean 'mixed'? there are: actor-gc",
        ),
        (["bench", "chatapp", "--clients", "2", "--directories", "3"], "directories is 3; it must"),
        (["bench", "chatapp", "--clients", "4", "--directories", "2", "--befriend", "1"], "never"),
        (["bench", "pingpong", "--delay", "5"], "a link needs nodes: 2 or more"),
        (["bench", "tiny", "-i", "cobol"], "no implementation is called 'cobol'"),
        (["bench", "--resume", "nowhere"], "nowhere/timings.jsonl"),
        (["bench", "--resume", "nowhere", "tiny"], "--resume takes the plan"),
        (["bench", "--resume", "nowhere", "--uncertified"], "--resume takes the plan"),
        (["bench", "--resume", "nowhere", "--order-seed", "0"], "--resume takes the plan"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(
    tmp_path: Path, arguments: list[str], says: str
) -> None:
    done = _dramaturg(*arguments, cwd=tmp_path, env=os.environ | {"COLUMNS": "400"})
    assert done.returncode == 2
    assert says in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
    assert done.stdout == ""


def test_json_is_one_document_and_standard_error_is_silent(tmp_path: Path) -> None:
    done = _dramaturg(*TINY, "--invocations", "1", "--output", str(tmp_path), "--json")
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    document = json.loads(done.stdout)
    assert document["outcome"] == "pass"
    (group,) = document["groups"]
    assert group["network"] == {"kind": "local"}
    (row,) = group["implementations"]
    assert len(row["samples"]) == 5
    recorded = results.read(tmp_path / results.TIMINGS)
    assert recorded.complete
    assert recorded.header["cost"]["nanos"] > 0
    environment = json.loads((tmp_path / "environment.json").read_text())
    assert environment["implementations"]["reference"]["runtime"] == "CPython asyncio"


def test_an_uncertified_build_is_refused_with_the_command_that_helps(tmp_path: Path) -> None:
    folder = tmp_path / "sketch"
    folder.mkdir()
    (folder / "dramaturg.toml").write_text(
        'name = "sketch"\nlanguage = "none"\nspec = "2"\ncontrol = "stdio"\n'
        'benchmarks = ["pingpong"]\n[run]\ncommand = ["true"]\n'
    )
    arguments = ["bench", "pingpong", "-i", str(folder), "--output", str(tmp_path / "out")]
    done = _dramaturg(*arguments)
    assert done.returncode == 7
    assert f"dramaturg certify {folder}" in done.stderr


def test_an_interrupted_run_says_how_to_go_on_and_does(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "dramaturg.cli.main", *TINY, "--output", str(tmp_path)]
    with subprocess.Popen(
        [*command, "--invocations", "8"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    ) as process:
        file = tmp_path / results.TIMINGS
        while process.poll() is None and not (file.exists() and '"unit"' in file.read_text()):
            time.sleep(0.05)
        process.send_signal(signal.SIGTERM)
        _, said = process.communicate(timeout=30)
    assert process.returncode == 130
    assert f"bench --resume {tmp_path}".encode() in said.replace(b"\n", b"")
    interrupted = results.read(file)
    assert not interrupted.complete
    kept = len(interrupted.units)
    done = _dramaturg("bench", "--resume", str(tmp_path), "--json")
    assert done.returncode == 0, done.stderr
    recorded = results.read(file)
    assert recorded.complete
    # And one more that is audited.
    assert len(recorded.units) == 9 > kept
    assert recorded.units[:kept] == interrupted.units


def test_any_parameter_of_a_micro_benchmark_can_be_given() -> None:
    (suite,) = chosen(["big"], {"pairs": ("peers=5", "rounds=3")})
    (entry,) = suite.benchmarks
    assert entry.made.parameters["peers"] == 5
    assert entry.made.name == "custom"


@pytest.mark.parametrize("pair", ["peers", "peers=many", "=3", "tail=3"])
def test_a_parameter_that_is_none_is_refused(pair: str) -> None:
    with pytest.raises(SuiteError, match=r"peers=100|no parameter"):
        chosen(["big"], {"pairs": (pair,)})


def test_a_suite_is_run_at_another_scale() -> None:
    (suite,) = chosen(["micro"], {"scale": "tiny"})
    assert {entry.made.scale for entry in suite.benchmarks} == {"tiny"}


def test_a_document_tells_the_parts_of_every_sample_and_its_salt(tmp_path: Path) -> None:
    document = json.loads(
        _dramaturg(*TINY, "--invocations", "1", "--output", str(tmp_path), "--json").stdout
    )
    ((row,),) = (group["implementations"] for group in document["groups"])
    recorded = results.read(tmp_path / results.TIMINGS)
    for sample, record in zip(row["samples"], recorded.samples, strict=True):
        assert sample["salt"] == record.salt
        assert sample["runtime_nanos"] == record.runtime_nanos
        parts = [sample[f"{part}_nanos"] for part in ("setup", "run", "teardown")]
        assert min(parts) > 0
        assert sample["iteration_nanos"] == sum(parts)


@pytest.mark.parametrize("command", [["report"], ["bench", "--resume"]])
def test_timings_of_version_1_are_refused_in_one_line(tmp_path: Path, command: list[str]) -> None:
    file = tmp_path / results.TIMINGS
    header = {"record": "header", "schema": 1, "started": 1.0, "plan": {}}
    sample = {"record": "sample", "implementation": "erlang", "run_nanos": 7, "iteration_nanos": 9}
    file.write_text(f"{json.dumps(header)}\n" + f"{json.dumps(sample)}\n" * 2)
    before = file.read_text()
    done = _dramaturg(*command, str(tmp_path), env=os.environ | {"COLUMNS": "400"})
    assert done.returncode == 2
    (said,) = done.stderr.strip().splitlines()
    assert f"{file}:1: results of schema 1; this version of the harness reads schema 3" in said
    assert file.read_text() == before


def test_an_implementation_of_version_1_is_refused_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "dramaturg.toml").write_text(
        'name = "old"\nlanguage = "none"\nspec = "1"\ncontrol = "grpc"\n'
        'benchmarks = ["pingpong"]\n[run]\ncommand = ["true"]\n'
    )
    for command in (["bench", "pingpong", "-i"], ["certify"]):
        done = _dramaturg(*command, str(tmp_path), env=os.environ | {"COLUMNS": "400"})
        assert done.returncode == 2
        (said,) = done.stderr.strip().splitlines()
        assert "spec: " in said
        assert "is '1', and this harness holds to version 2 of the specification" in said


def test_a_unit_that_passed_without_an_audit_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dramaturg.machine.environment.capture", dict)
    console = Console(file=StringIO(), width=200)
    bar = _Bar(Progress(console=console), tmp_path, {}, as_json=False)
    unit = {"implementation": "erlang", "benchmark": "pingpong", "scenario": "", "scale": "",
            "parameters": {}, "network": {"kind": "local"}, "invocation": 0,
            "outcome": Outcome.PASS}  # fmt: skip
    bar.ended(UnitRecord(**unit))
    assert console.file.getvalue() == ""  # type: ignore[attr-defined]
    bar.ended(UnitRecord(**unit, message="nothing was decided"))
    assert "erlang, invocation 0: nothing was decided" in console.file.getvalue()  # type: ignore[attr-defined]
