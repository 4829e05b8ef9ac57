"""Mutants are judged on other hosts as here, and so is a certificate verified."""

import json
from pathlib import Path

from cluster_kit import Running

from dramaturg import paths


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
