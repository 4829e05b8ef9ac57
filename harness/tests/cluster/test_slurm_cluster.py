"""Over a real controller of Slurm with two nodes, which are both this machine."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import slurm_kit
from cluster_kit import ENDED, Running, records, send
from waiting import wait_until

from dramaturg import paths
from dramaturg.outcomes import INTERRUPTED, Outcome

pytestmark = pytest.mark.skipif(bool(slurm_kit.why_not()), reason=slurm_kit.why_not())


@pytest.fixture(scope="module")
def variables(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    with slurm_kit.slurm(tmp_path_factory.mktemp("slurm")) as found:
        yield found


@pytest.fixture
def temporary(tmp_path: Path) -> Path:
    folder = tmp_path / "temporary"
    folder.mkdir()
    return folder


def jobs(variables: dict[str, str]) -> list[str]:
    done = subprocess.run(
        ["squeue", "-h"], env=os.environ | variables, capture_output=True, text=True, check=True
    )
    return done.stdout.splitlines()


CASE = ["--", "-k", "lcg-vectors"]


def test_two_nodes_are_asked_for_and_each_says_what_it_has(
    variables: dict[str, str], temporary: Path
) -> None:
    run = Running(temporary, "doctor", "--cluster", "slurm:2", "--json", "reference", **variables)
    code, out, said = run.end()
    assert code == 0, said
    hosts = json.loads(out)["hosts"]
    assert sorted(name.partition("/")[0] for name in hosts) == ["n1", "n2"]
    assert all(host["implementations"]["reference"]["usable"] for host in hosts.values())
    assert wait_until(lambda: not jobs(variables), ENDED, 0.2)


def test_a_node_certifies_and_is_named(
    variables: dict[str, str], tmp_path: Path, temporary: Path
) -> None:
    folder = tmp_path / "results"
    words = ["certify", "reference", "--level", "0", "--cluster", "slurm:2", "--output", folder]
    code, out, said = Running(temporary, *words, *CASE, **variables).end()
    assert code == 7, (out, said)
    [record] = records(folder)
    assert record["outcome"] == "pass"
    assert record["host"].partition("/")[0] in ("n1", "n2")


def test_within_an_allocation_its_nodes_are_taken_and_no_more_than_it_has(
    variables: dict[str, str], temporary: Path
) -> None:
    harness = [sys.executable, "-m", "dramaturg.cli.main", "doctor", "--json", "reference"]
    for nodes, code, said in (("1", 0, '"n1'), ("2", 2, "this allocation")):
        done = subprocess.run(
            ["salloc", "-N1", "-n1", *harness, "--cluster", f"slurm:{nodes}"],
            env=os.environ | variables, capture_output=True, text=True, check=False, cwd=paths.ROOT,
        )  # fmt: skip
        assert done.returncode == code, done.stderr
        assert said in done.stdout + done.stderr


def test_after_an_interrupt_no_node_has_anything_of_it(
    variables: dict[str, str], tmp_path: Path, temporary: Path
) -> None:
    folder = tmp_path / "results"
    words = ["certify", "reference", "--level", "0", "--cluster", "slurm:2", "--output", folder]
    run = Running(temporary, *words, **variables)
    run.reach(lambda: len(records(folder)) >= 3)
    send(run.process.pid, signal.SIGINT)
    code, _, said = run.end()
    assert code == INTERRUPTED, said
    assert len(records(folder)) >= 3
    assert wait_until(lambda: not jobs(variables), ENDED, 0.2)


def test_an_allocation_that_runs_out_names_its_nodes_and_keeps_what_there_is(
    variables: dict[str, str], tmp_path: Path, temporary: Path
) -> None:
    """Slurm ends it as it ends one whose time is over."""
    folder = tmp_path / "results"
    words = ["certify", "reference", "--level", "0", "--cluster", "slurm:2", "--output", folder]
    run = Running(temporary, *words, **variables)
    run.reach(lambda: len(records(folder)) >= 3)
    before = records(folder)
    subprocess.run(["scancel", "--name=dramaturg"], env=os.environ | variables, check=True)
    code, _, said = run.end()
    found = records(folder)
    assert found[: len(before)] == before
    rest = [each for each in found if each["outcome"] != "pass"]
    assert {each["outcome"] for each in rest} == {"not run"}, said
    assert "n1/" in rest[0]["message"] and "n2/" in rest[0]["message"]
    assert code == Outcome.NOT_RUN.exit_code
    assert wait_until(lambda: not jobs(variables), ENDED, 0.2)


def test_a_controller_that_does_not_answer_is_said_in_one_line(temporary: Path) -> None:
    conf = temporary.parent / "nowhere.conf"
    code, _, said = Running(temporary, "doctor", "--cluster", "slurm:1", SLURM_CONF=str(conf)).end()
    assert code == 2
    assert "Slurm does not answer" in said
    assert len(said.strip().splitlines()) == 1
