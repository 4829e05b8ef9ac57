"""Nodes on hosts of their own: over four sshd, each in a network of its own, and over Slurm."""

import json
import os
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import netns_kit
import pytest
import slurm_kit
from cluster_kit import ENDED, Running, send
from netns_kit import Hosts
from waiting import wait_until

from dramaturg import results
from dramaturg.hosts import asked_hosts
from dramaturg.outcomes import INTERRUPTED, Outcome

HAS_HOSTS = pytest.mark.skipif(bool(netns_kit.why_not()), reason=netns_kit.why_not())
HAS_SLURM = pytest.mark.skipif(bool(slurm_kit.why_not()), reason=slurm_kit.why_not())

FEW = ["--scale", "tiny", "--uncertified", "--invocations", "1", "--iterations", "1"]


@pytest.fixture(scope="module")
def four(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hosts]:
    with netns_kit.hosts(tmp_path_factory.mktemp("hosts"), 4) as found:
        yield found


@pytest.fixture(scope="module")
def variables(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    with slurm_kit.slurm(tmp_path_factory.mktemp("slurm"), 4) as found:
        yield found


@pytest.fixture
def temporary(tmp_path: Path) -> Path:
    folder = tmp_path / "temporary"
    folder.mkdir()
    return folder


def bench(nodes: int, hosts: object, output: Path, *more: object) -> list[object]:
    """ChatApp over so many nodes."""
    words = ["bench", "chatapp", "--nodes", nodes, "-i", "asyncio", *FEW]
    return [*words, "--hosts", hosts, "--output", output, *more]


def lines(folder: Path, kind: str) -> list[dict[str, Any]]:
    file = folder / "timings.jsonl"
    if not file.exists():
        return []
    found = [json.loads(line) for line in file.read_text().splitlines() if line.endswith("}")]
    return [line for line in found if line["record"] == kind]


@pytest.fixture
def clean(four: Hosts) -> Iterator[Hosts]:
    """These hosts; nothing may be left on any of them."""
    yield four
    assert wait_until(lambda: not four.inhabitants(), ENDED, 0.2), four.inhabitants()


@HAS_HOSTS
def test_four_nodes_on_four_hosts_are_measured_audited_and_counted(
    clean: Hosts, tmp_path: Path, temporary: Path
) -> None:
    folder = tmp_path / "results"
    words = bench(4, f"ssh:{clean.file(own=True)}", folder)
    code, _, said = Running(temporary, *words).end()
    assert code == 0, said
    [sample] = lines(folder, "sample")
    assert sample["valid"]
    assert sample["network"]["kind"] == "hosts"
    assert sample["network"]["hosts"] == ["h0", "h1", "h2", "h3"]
    assert sample["network"]["machines"] == "emulated", "they are one machine"
    assert sample["network"]["control"] == "own interface"
    assert all(sample["wire"]["sent_bytes"])
    assert len(sample["ledger"]["cpu_seconds"]) == 4
    assert all(sample["ledger"]["cpu_seconds"])
    [links] = [each["links"] for each in lines(folder, "unit") if each["invocation"] == 0]
    assert len(links["round_trip_ms"]) == len(links["bandwidth_mbit"]) == 4
    assert links["pings_lost"] == [0, 0, 0, 0]
    audits = lines(folder, "audit")
    assert audits
    assert all(each["outcome"] == "pass" and each["decided"] for each in audits)
    [document] = [json.loads((folder / "environment.json").read_text())]
    assert [each["name"] for each in document["hosts"]] == ["h0", "h1", "h2", "h3"]


@HAS_HOSTS
def test_links_between_hosts_have_the_bandwidth_that_was_asked_for_as_long_as_it_takes(
    clean: Hosts, tmp_path: Path, temporary: Path
) -> None:
    folder = tmp_path / "results"
    file = clean.file(0, 1, own=True)
    running = Running(temporary, *bench(2, f"ssh:{file}", folder, "--bandwidth", 20))
    assert wait_until(lambda: any("d5a6:" in each for each in netns_kit.qdiscs()), ENDED, 0.01)
    code, _, said = running.end()
    assert code == 0, said
    [sample] = lines(folder, "sample")
    assert sample["valid"]
    assert sample["network"]["bandwidth"] == 20
    assert sample["network"]["qdiscs"] == ["htb"]
    for unit in lines(folder, "unit"):
        assert all(0 < mbit < 25 for mbit in unit["links"]["bandwidth_mbit"])
    assert not any("d5a6:" in each for each in netns_kit.qdiscs())


@HAS_HOSTS
def test_a_link_that_loses_its_bandwidth_meanwhile_is_named_and_nothing_over_it_counts(
    clean: Hosts, tmp_path: Path, temporary: Path
) -> None:
    folder = tmp_path / "results"
    file = clean.file(0, 1, own=True)
    running = Running(temporary, *bench(2, f"ssh:{file}", folder, "--bandwidth", 20))
    running.reach((folder / "environment.json").exists)
    assert wait_until(lambda: "d5a6:" in netns_kit.qdiscs()[1], ENDED, 0.01)
    words = ["tc", "qdisc", "del", "dev", "second", "root"]
    subprocess.run([*netns_kit.inside(1), *words], check=True)
    code, _, said = running.end()
    assert code != 0, said
    [unit] = [each for each in lines(folder, "unit") if each["invocation"] == 0]
    assert unit["outcome"] != "pass"
    assert "the link of h1 has lost its bandwidth of 20 Mbit/s" in unit["links"]["off"]
    assert not any(sample.valid for sample in results.read(folder / results.TIMINGS).samples)


@HAS_HOSTS
def test_an_interface_that_carries_control_as_well_is_not_limited(
    clean: Hosts, tmp_path: Path, temporary: Path
) -> None:
    words = bench(2, f"ssh:{clean.file(0, 1)}", tmp_path / "results", "--bandwidth", 20)
    code, _, said = Running(temporary, *words).end()
    assert code != 0
    assert "carries the harness's calls too" in said
    assert lines(tmp_path / "results", "sample") == []


@HAS_HOSTS
def test_where_control_is_on_the_same_interface_its_share_is_said(
    clean: Hosts, tmp_path: Path, temporary: Path
) -> None:
    folder = tmp_path / "results"
    words = ["bench", "pingpong", "--nodes", 2, "-i", "asyncio", *FEW]
    words += ["--hosts", f"ssh:{clean.file(0, 1)}", "--output", folder]
    code, _, said = Running(temporary, *words).end()
    assert code == 0, said
    [sample] = lines(folder, "sample")
    assert sample["network"]["control"] == "same interface"
    assert all(sample["wire"]["control_bytes"])


def test_of_a_sweep_the_points_that_no_host_has_place_for_are_not_run(
    tmp_path: Path, temporary: Path
) -> None:
    suite = tmp_path / "swept.yaml"
    suite.write_text(
        "suite: swept\nabout: over nodes\nimplementations: [asyncio]\ninvocations: 1\n"
        "iterations: 1\nbenchmarks:\n  - name: S\n    benchmark: broker\n    scale: tiny\n"
        "    sweep: {nodes: [1, 2, 4]}\n"
    )
    folder = tmp_path / "results"
    words = ["bench", suite, "--uncertified", "--hosts", "local:2", "--output", folder]
    code, _, said = Running(temporary, *words).end()
    assert code == Outcome.NOT_RUN.exit_code, said
    assert {sample["network"].get("nodes", 1) for sample in lines(folder, "sample")} == {1, 2}
    [left] = [unit for unit in lines(folder, "unit") if unit["outcome"] != "pass"]
    assert left["outcome"] == "not run"
    assert left["network"]["nodes"] == 4
    assert left["message"] == "4 nodes: there is place for 2; ask for as many, as local:4"


@HAS_HOSTS
@pytest.mark.parametrize("how", ["killed", "stopped", "cut"])
def test_a_host_that_is_lost_is_named_and_the_run_can_be_gone_on_with(
    how: str, clean: Hosts, tmp_path: Path, temporary: Path
) -> None:
    folder = tmp_path / "results"
    long = ["--turns", "4000"]
    run = Running(temporary, *bench(2, f"ssh:{clean.file(0, 1)}", folder, *long))
    run.reach((folder / "environment.json").exists)
    time.sleep(2)
    [agent] = [pid for pid, where in netns_kit.agents().items() if where == netns_kit.address(1)]
    try:
        if how == "cut":
            clean.cut(1)
        else:
            os.kill(agent, signal.SIGKILL if how == "killed" else signal.SIGSTOP)
        # It ends before the host runs again.
        code, _, said = run.end()
    finally:
        clean.mend(1)
        if how == "stopped":
            os.kill(agent, signal.SIGCONT)
    assert code not in (0, 1), said
    assert "host h1 is lost" in said, said
    assert "--resume" in said


@HAS_HOSTS
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_after_an_interrupt_no_host_has_anything_of_it(
    number: signal.Signals, clean: Hosts, tmp_path: Path, temporary: Path
) -> None:
    folder = tmp_path / "results"
    words = bench(2, f"ssh:{clean.file(0, 1)}", folder, "--turns", "4000")
    run = Running(temporary, *words)
    run.reach((folder / "environment.json").exists)
    send(run.process.pid, number)
    code, _, said = run.end()
    assert code in (INTERRUPTED, -signal.SIGKILL), said


@HAS_SLURM
def test_four_nodes_of_an_allocation_are_measured_and_audited(
    variables: dict[str, str], tmp_path: Path, temporary: Path
) -> None:
    folder = tmp_path / "results"
    words = bench(4, "slurm:4,shared", folder)
    code, _, said = Running(temporary, *words, **variables).end()
    assert code == 0, f"{said}\n{slurm_kit.logs(variables)}"
    [sample] = lines(folder, "sample")
    assert sample["valid"]
    assert sorted(sample["network"]["hosts"]) == ["n1", "n2", "n3", "n4"]
    assert all(each["outcome"] == "pass" for each in lines(folder, "audit"))
    assert wait_until(lambda: not jobs(variables), ENDED, 0.2)


@HAS_SLURM
def test_nodes_of_slurm_that_are_one_machine_are_refused_if_that_is_not_meant(
    variables: dict[str, str], tmp_path: Path, temporary: Path
) -> None:
    run = Running(temporary, *bench(2, "slurm:2", tmp_path / "results"), **variables)
    code, _, said = run.end()
    assert code == 2
    assert "are one machine" in said
    assert wait_until(lambda: not jobs(variables), ENDED, 0.2)


@HAS_SLURM
def test_an_allocation_that_runs_out_is_a_host_that_is_lost(
    variables: dict[str, str], tmp_path: Path, temporary: Path
) -> None:
    """Slurm ends it as it ends one whose time is over."""
    folder = tmp_path / "results"
    words = bench(2, "slurm:2,shared", folder, "--turns", "4000")
    run = Running(temporary, *words, **variables)
    run.reach((folder / "environment.json").exists)
    time.sleep(2)
    subprocess.run(["scancel", "--name=dramaturg"], env=os.environ | variables, check=True)
    code, _, said = run.end()
    assert code not in (0, 1), said
    assert "is lost" in said and "host n" in said, said
    assert "--resume" in said
    assert wait_until(lambda: not jobs(variables), ENDED, 0.2)


def jobs(variables: dict[str, str]) -> list[str]:
    done = subprocess.run(
        ["squeue", "-h"], env=os.environ | variables, capture_output=True, text=True, check=True
    )
    return done.stdout.splitlines()


@pytest.mark.parametrize(
    ("hosts", "more", "said"),
    [
        ("shh:hosts.yaml", [], "no such form"),
        ("", [], "--hosts '': no such form"),
        ("ssh:", [], "expected a file"),
        ("ssh:no-such.yaml", [], "no-such.yaml"),
        ("slurm:0", [], "expected a number of hosts"),
        ("slurm:2,odd", [], "behind the comma"),
        ("local:2", ["--nodes", "3"], "place for 2"),
        ("local:2", ["--nodes", "1"], "nothing of this plan has nodes"),
        ("local:2", ["--nodes", "2", "--delay", "5"], "have their own delay and loss"),
        ("local:2", ["--nodes", "2", "--kernel", "uml"], "does not go with --kernel"),
    ],
)
def test_what_cannot_be_is_said_in_one_line_before_anything_is_started(
    hosts: str, more: list[str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from click.testing import CliRunner

    from dramaturg.cli.bench import bench as command
    from dramaturg.hosts import started_agents

    monkeypatch.setattr(started_agents, "started", None)
    monkeypatch.setattr(asked_hosts, "_require", lambda program, package: None)
    words = ["chatapp", *(more or ["--nodes", "2"]), "-i", "asyncio", *FEW, "--hosts", hosts]
    done = CliRunner().invoke(command, [*words, "--output", str(tmp_path / "results")])
    assert done.exit_code != 0
    assert said in done.output + str(done.exception)
    assert not (tmp_path / "results").exists()
