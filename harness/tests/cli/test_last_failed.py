"""--last-failed: it runs what failed or was not run, as a user of pytest expects."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from dramaturg import paths
from dramaturg.implementation.manifest import find
from dramaturg.outcomes import Outcome
from dramaturg.plan import earlier_records
from dramaturg.plan.case_plan import make
from dramaturg.records import CaseRecord
from dramaturg.results import CONFORMANCE, Writer
from dramaturg.standing import CONNECTED

PLAN = make([find("reference")], [0])
ALL = [item.path for item in PLAN.items]


def record(path: str, outcome: Outcome = Outcome.PASS, **values: object) -> CaseRecord:
    name, level, benchmark, case = path.split("/")
    return CaseRecord.model_validate(
        {"implementation": name, "level": int(level[0]), "benchmark": benchmark, "case": case,
         "outcome": outcome} | values
    )  # fmt: skip


def written(folder: Path, *records: CaseRecord, **header: object) -> Path:
    with Writer(folder / CONFORMANCE, **header) as writer:
        for each in records:
            writer.write(each)
    return folder


def left(*folders: Path) -> tuple[list[str], bool, str]:
    found = earlier_records.unsettled(PLAN, folders)
    return [item.path for item in found.plan.items], found.plan.whole, found.said


def test_what_failed_and_what_has_no_record_is_left(tmp_path: Path) -> None:
    failed = record(ALL[1], Outcome.FAIL)
    folder = written(tmp_path, *map(record, ALL[:1]), failed, *map(record, ALL[3:]))
    assert left(folder) == (ALL[1:3], False, "2 cases of reference failed or were not run")


@pytest.mark.parametrize("outcome", [outcome for outcome in Outcome if outcome != Outcome.PASS])
def test_every_outcome_but_a_pass_is_left(tmp_path: Path, outcome: Outcome) -> None:
    folder = written(tmp_path, record(ALL[0], outcome), *map(record, ALL[1:]))
    assert left(folder)[0] == ALL[:1]


def test_what_is_expected_to_fail_is_not_left(tmp_path: Path) -> None:
    known = record(ALL[0], Outcome.FAIL, known="issue 5")
    folder = written(tmp_path, known, record(ALL[1], Outcome.CRASH), *map(record, ALL[2:]))
    assert left(folder)[0] == ALL[1:2]


def test_a_recommended_case_that_cannot_be_run_here_is_not_left(tmp_path: Path) -> None:
    """Otherwise it would be run again for ever where the kernel has no delay and no loss."""
    cannot = record(ALL[0], Outcome.NOT_RUN, recommended=True)
    failed = record(ALL[1], Outcome.FAIL, recommended=True)
    folder = written(tmp_path, cannot, failed, *map(record, ALL[2:]))
    assert left(folder)[0] == ALL[1:2]


def test_nothing_failed_and_nothing_recorded_is_everything_and_says_so(tmp_path: Path) -> None:
    assert left(tmp_path) == (ALL, True, "nothing is recorded of reference: all cases are run")
    folder = written(tmp_path, *map(record, ALL))
    said = "nothing of reference failed or was not run: all cases are run"
    assert left(folder) == (ALL, True, said)


def test_the_last_record_of_each_case_counts_wherever_it_is(tmp_path: Path) -> None:
    failed = [record(path, Outcome.FAIL) for path in ALL]
    folders = [
        written(tmp_path / "1", *failed),
        written(tmp_path / "2", *map(record, ALL[1:])),
        written(tmp_path / "3", record(ALL[2], Outcome.TIMEOUT)),
    ]
    assert left(*folders)[0] == [ALL[0], ALL[2]]
    written(tmp_path / "3", record(ALL[0]))  # The one before is set aside, and counts.
    assert left(*folders)[0] == [ALL[2]]


def test_records_of_others_of_connected_runs_and_damaged_ones_are_none(tmp_path: Path) -> None:
    other = [record(path.replace("reference/", "reference+dropped/")) for path in ALL]
    folders = [
        written(tmp_path / "other", *other),
        written(tmp_path / "connected", *map(record, ALL), void=CONNECTED),
        written(tmp_path / "damaged", *map(record, ALL)),
    ]
    (tmp_path / "damaged" / CONFORMANCE).write_text("{")
    assert left(*folders)[2] == "nothing is recorded of reference: all cases are run"


def test_records_beyond_the_bound_are_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(earlier_records, "MOST_FILES", 1)
    folders = [
        written(tmp_path / "1", *map(record, ALL)),
        written(tmp_path / "2", *map(record, ALL[1:])),
    ]
    assert left(*folders)[0] == ALL[:1]


def run(folder: Path, *words: str) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "dramaturg.cli.main", "certify", *words]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def test_a_part_that_passes_is_certified_for_nothing(tmp_path: Path) -> None:
    name = str(paths.IMPLEMENTATIONS / "reference")
    written(tmp_path / "results" / "1", *map(record, ALL[1:]))
    done = run(tmp_path, name, "--last-failed", "--level", "0", "--json")
    assert done.stderr.startswith("1 case of reference failed or was not run\n")
    document = json.loads(done.stdout)
    standing = document["implementations"]["reference"]
    assert (standing["outcome"], standing["planned"], standing["certified"]) == ("pass", 1, False)
    assert document["certificate"] is None
    said = run(tmp_path, name, "--lf", "--level", "0", "--dry-run")
    assert said.stdout.split() == ALL
    assert "nothing of reference failed" in said.stderr
