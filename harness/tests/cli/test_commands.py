"""The command line as a person or a script meets it: exit codes, one clear line, JSON."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import click
import psutil
import pytest
from waiting import wait_until

from dramaturg import paths, results
from dramaturg.cli.main import COMMANDS, cli

DRAMATURG = str(paths.ROOT / "dramaturg")


def run(*words: str, **more: object) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [DRAMATURG, *words],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
        cwd=paths.ROOT,
    )


FACTS = ["facts", "chatapp", "--clients", "1024", "--directories", "8", "--turns", "32"]
FACTS += ["--compute", "0", "--post", "95", "--leave", "0", "--invite", "5", "--befriend", "10"]


def test_expect_prints_the_published_programs_figures() -> None:
    said = run(*FACTS, "--json")
    assert said.returncode == 0
    document = json.loads(said.stdout)
    assert document["picks"]["invite"] == 1071
    assert document["joins"] == 13513
    assert document["lcg_checksum"] == 35742194


@pytest.mark.parametrize(
    ("words", "status", "complaint"),
    [
        (["certify", "cobol"], 2, "no implementation is called 'cobol'"),
        (["certify"], 2, "name an implementation"),
        (["certify", "reference", "--level", "9"], 2, "Invalid value for '--level'"),
        (["certify", "reference+fast"], 2, "has no variant 'fast'"),
        (["certify", "reference", "erlang", "--connect", "x:1"], 2, "exactly one"),
        (["replay", "no-such-file.run"], 2, "No such file"),
        (["replay", "Makefile"], 2, "no recorded run"),
        (["facts", "chatapp"], 2, "Missing option"),
        ([*FACTS[:-1], "0"], 2, "nobody to invite"),
        ([*FACTS, "--compute", "50"], 2, "add up to 150"),
        (["dance"], 2, "No such command"),
        (
            ["certify", "reference", "--connect", "127.0.0.1:1", "--level", "0"],
            2,
            "nobody listens there",
        ),
    ],
)
def test_bad_input_gets_one_clear_line_and_its_exit_code(
    words: list[str], status: int, complaint: str
) -> None:
    said = run(*words)
    output = said.stdout + said.stderr
    assert said.returncode == status, output
    assert complaint in " ".join(output.split())
    assert "Traceback" not in output


@pytest.mark.parametrize(
    "command",
    ["certify", "verify", "golden", "replay", "doctor", "bench", "report", "facts chatapp"],
)
def test_help_shows_an_example(command: str) -> None:
    said = run(*command.split(), "--help")
    assert said.returncode == 0
    assert "Example" in said.stdout
    assert f"dramaturg {command}" in said.stdout


def test_certify_prints_one_json_document() -> None:
    said = run("certify", "reference", "--level", "0", "--json")
    document = json.loads(said.stdout)
    assert document["implementations"]["reference"]["levels"]["0"]["outcome"] == "pass"
    assert document["implementations"]["reference"]["certified"] is False
    assert document["certificate"] is None
    assert "not run" in document["not_in_certificate"]["reference"]


def test_a_part_of_which_all_passed_is_said_to_have_passed_and_certifies_nothing(
    tmp_path: Path,
) -> None:
    said = run(
        "certify", "reference", "--level", "0", "--output", str(tmp_path), "--", "-k", "fold"
    )
    assert said.returncode == 7
    words = " ".join(said.stdout.split())
    assert "1 passed, which certifies nothing" in words
    assert "not certified" not in words


def test_words_choose_among_cases_and_not_among_the_folders_that_the_harness_lies_in(
    tmp_path: Path,
) -> None:
    words = ("certify", "reference", "--level", "0", "--output", str(tmp_path))
    said = run(*words, "--", "-k", "harness")
    assert said.returncode == 7
    assert "no case was recorded" in said.stdout


def test_a_dry_run_lists_what_would_be_performed_and_starts_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "results"
    words = ("certify", "reference", "--dry-run", "--output", str(folder))
    said = run(*words, "--level", "0", "--", "-k", "lcg or fold", "-n", "2")
    assert (said.returncode, said.stderr) == (0, "")
    control = "reference/0-handshake/control"
    assert said.stdout.split() == [f"{control}/lcg-vectors", f"{control}/fold-vectors"]
    everything = run(*words, "--json")
    assert len(json.loads(everything.stdout)["planned"]) > 100
    assert not folder.exists()


@pytest.mark.parametrize(
    ("words", "wrong"),
    [
        (["--level=1"], "unrecognized arguments: --level=1"),
        (["-k", "lcg or ("], "Wrong expression passed to '-k': lcg or ("),
        (["-p", "no_such_plugin"], "no_such_plugin"),
    ],
)
def test_words_that_pytest_does_not_take_are_refused_before_anything_is_started(
    tmp_path: Path, words: list[str], wrong: str
) -> None:
    said = run("certify", "reference", "--output", str(tmp_path / "results"), "--", *words)
    assert said.returncode == 2
    assert wrong in said.stderr.splitlines()[-1]
    assert len(said.stderr.splitlines()) < 5
    assert not (tmp_path / "results").exists()


def test_doctor_names_toolchains_and_network() -> None:
    said = run("doctor", "--json")
    document = json.loads(said.stdout)
    assert document["implementations"]["reference"]["toolchain"]["Python"]
    assert "bridge" in document["network"]


@pytest.mark.parametrize("after", [1, 4, 20])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_certify_leaves_no_process_and_keeps_its_results(
    number: signal.Signals, after: int, tmp_path: Path
) -> None:
    process = subprocess.Popen(
        [DRAMATURG, "certify", "reference", "--output", str(tmp_path)],
        stderr=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=paths.ROOT,
        start_new_session=True,
    )
    file = tmp_path / "conformance.jsonl"
    reached = wait_until(lambda: file.exists() and len(file.read_text().splitlines()) >= after, 60)
    assert reached, process.communicate(timeout=1)
    children = psutil.Process(process.pid).children(recursive=True)
    os.kill(process.pid, number)
    output = process.communicate(timeout=30)
    assert process.returncode == 130, output
    _, alive = psutil.wait_procs(children, timeout=30)
    assert alive == []
    recorded = results.read(file)
    assert not recorded.complete
    assert len(recorded.cases) >= after - 1


def test_golden_traces_are_current() -> None:
    assert run("golden", "--check").returncode == 0


@pytest.mark.parametrize(("name", "said"), COMMANDS.items())
def test_the_list_of_commands_says_what_a_command_says_itself(name: str, said: str) -> None:
    command = cli.get_command(click.Context(cli), name)
    assert command is not None
    assert command.help is not None
    assert command.help.startswith(said)


def test_help_loads_nothing_that_a_command_needs() -> None:
    """It took two seconds, most of them for what finds cases by chance."""
    asked = "import sys; sys.argv[1:] = ['--help']; from dramaturg.cli.main import cli; "
    asked += "cli.main(standalone_mode=False); print(*sorted(sys.modules), file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)
    loaded = {name.partition(".")[0] for name in done.stderr.split()}
    assert "certify" in done.stdout
    assert not loaded & {"hypothesis", "pytest", "grpc", "google", "pydantic", "rich", "numpy"}
