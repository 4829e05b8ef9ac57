"""Mutants are judged on other hosts as here, and so is a certificate verified."""

import json
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from cluster_kit import Running

from dramaturg import paths
from dramaturg.cluster import host_tools
from dramaturg.cluster.host_tools import Tools
from dramaturg.cluster.reached import Ended, Told
from dramaturg.cluster.worker_hosts import Host
from dramaturg.mutation import reference_mutants
from dramaturg.orchestration import mutants_elsewhere
from dramaturg.outcomes import Outcome
from dramaturg.processes import confined


def test_mutants_and_equivalents_are_judged_there_as_here(tmp_path: Path) -> None:
    folder, temporary = tmp_path / "results", tmp_path / "temporary"
    temporary.mkdir()
    words = ["mutants", "web_one_worker", "members_are_a_deque", "--json", "--output", folder]
    code, out, said = Running(temporary, *words, "--cluster", "local:2").end()
    assert code == 0, said
    document = json.loads(out)
    [caught], [accepted] = document["mutants"], document["equivalents"]
    assert (caught["name"], caught["killed"], caught["departs"]) == ("web_one_worker", True, "")
    assert (accepted["name"], accepted["departs"]) == ("members_are_a_deque", "")
    recorded = Path(caught["command"].split()[-1])
    assert (paths.ROOT / recorded).is_file(), "the run that shows it came back"
    assert recorded.is_relative_to(folder)


def test_those_of_a_language_are_not_run_where_no_host_has_its_toolchain(tmp_path: Path) -> None:
    folder, temporary = tmp_path / "results", tmp_path / "temporary"
    temporary.mkdir()
    words = ["mutants", "--native", "erlang/forwards_once", "--json", "--output", folder]
    code, out, said = Running(
        temporary, *words, "--cluster", "local:1", PATH=str(paths.PYTHON.parent)
    ).end()
    document = json.loads(out)
    assert document["not_run"] == ["erlang/forwards_once"], said
    assert "no host of the cluster has its toolchain" in document["mutants"][0]["message"]
    assert code not in (0, 1)


PASSED = {
    "level": None, "outcome": "pass", "case": "", "message": "", "command": "", "seconds": 0.0,
}  # fmt: skip


def test_what_a_host_says_counts_for_those_that_it_was_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chosen = [
        item
        for some in reference_mutants.everybody()
        for item in some
        if item[1].name in ("web_one_worker", "members_are_a_deque")
    ]
    said = [{"name": name, "verdict": PASSED, "build": 0.0} for name in ("web_one_worker", "x")]
    kept = {
        name: confined.packed(b"x")
        for name in ("web_one_worker/traces/a.run", "x/y", "../z/w", "conformance.jsonl", "")
    }

    def perform(jobs: Any, notice: Any) -> Iterator[Any]:
        for number, job in enumerate(jobs):
            [entry] = job.given["entries"]
            mine = entry["entry"]["name"] == "web_one_worker"
            yield Told(number, "h0", said if mine else [])
            yield Ended(number, "h0", kept if mine else {})

    host = Host("h0", "tcp://127.0.0.1:1", {}, True)
    two: Any = SimpleNamespace(hosts=[host], perform=perform)
    monkeypatch.setattr(
        host_tools, "ask", lambda reached, some, notice: {e.name: {"h0": Tools()} for e in some}
    )
    folder = tmp_path / "results"
    done = mutants_elsewhere.reference(two, chosen, folder, lambda judged: None, print)
    found = {each.member.name: each.verdict for each in done}
    assert found["web_one_worker"].outcome is Outcome.PASS
    assert found["members_are_a_deque"].outcome is Outcome.HARNESS_FAULT
    assert "h0: it was not said" in found["members_are_a_deque"].message
    files = [each for each in tmp_path.rglob("*") if each.is_file()]
    assert files == [folder / "web_one_worker" / "traces" / "a.run"]
