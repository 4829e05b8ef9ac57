"""``certify --json`` says the same with a cluster as without, but for where it was."""

import json
from pathlib import Path
from typing import Any

import pytest
from cluster_kit import Running

IMPLEMENTATIONS = ("reference", "asyncio", "conformance/mutants+early_confirm")

CASES = "introduces-itself or lcg-vectors or one-round or two-clients-one-directory"

WORDS = ["certify", *IMPLEMENTATIONS, "--level", "0", "--level", "1", "--json"]


@pytest.fixture
def temporary(tmp_path: Path) -> Path:
    folder = tmp_path / "temporary"
    folder.mkdir()
    return folder


def said(temporary: Path, folder: Path, *words: str) -> tuple[int, dict[str, Any]]:
    code, out, errors = Running(
        temporary, *WORDS, *words, "--output", folder, "--", "-k", CASES
    ).end()
    assert out, errors
    return code, json.loads(out)


def without_places(document: dict[str, Any]) -> dict[str, Any]:
    """Without hosts, the results' own folder, and what depends on when: how long a failure took,
    and in which order failures came."""
    folder = document.pop("results")
    assert document.pop("certificate") is None, "some cases are left out"
    for standing in document["implementations"].values():
        standing.pop("hosts", None)
        for failure in standing["failures"]:
            del failure["host"], failure["seconds"]
            failure["command"] = failure["command"].replace(folder, "RESULTS")
        standing["failures"].sort(key=lambda each: (each["level"], each["case"]))
    return document


def test_a_document_is_that_of_one_machine_but_for_its_hosts(
    tmp_path: Path, temporary: Path
) -> None:
    code, here = said(temporary, tmp_path / "here")
    there_code, there = said(temporary, tmp_path / "there", "--cluster", "local:2")
    for standing in there["implementations"].values():
        assert standing["hosts"] and {*standing["hosts"]} <= {"local/0", "local/1"}
    for standing in here["implementations"].values():
        assert "hosts" not in standing
    assert [each["outcome"] for each in here["implementations"].values()].count("fail") == 1
    assert without_places(there) == without_places(here)
    assert there_code == code
