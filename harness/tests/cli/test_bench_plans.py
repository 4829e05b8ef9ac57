"""Plans of ``bench``: shown without running, made by a pilot, gone on with after a kill."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from waiting import wait_until

from dramaturg import results
from dramaturg.timing.planning import resume

SUITE = """
suite: sweep
invocations: 3
iterations: 2
benchmarks:
  - {name: lengths, benchmark: chain, scale: tiny, sweep: {length: [50, 100, 200]}}
  - {name: other, benchmark: pingpong, scale: tiny}
"""


@pytest.fixture
def suite(tmp_path: Path) -> str:
    file = tmp_path / "sweep.yaml"
    file.write_text(SUITE)
    return str(file)


def command(*words: object) -> list[str]:
    return [sys.executable, "-m", "dramaturg.cli.main", "bench", *map(str, words)]


def bench(folder: Path, *words: object) -> "subprocess.CompletedProcess[str]":
    surroundings = os.environ | {"COLUMNS": "400"}
    return subprocess.run(
        command(*words), cwd=folder, env=surroundings, capture_output=True, text=True, check=False
    )


def run(suite: str, *words: object) -> list[object]:
    return [suite, "-i", "reference", "--uncertified", *words]


def test_a_dry_run_shows_the_plan_and_leaves_nothing(tmp_path: Path, suite: str) -> None:
    before = sorted(tmp_path.iterdir())
    done = bench(tmp_path, *run(suite, "--dry-run"))
    assert done.returncode == 0, done.stderr
    assert "16 invocations; no estimate: " in done.stdout
    assert "length 200" in done.stdout
    assert sorted(tmp_path.iterdir()) == before


def test_a_dry_run_estimates_by_what_was_recorded_here(tmp_path: Path, suite: str) -> None:
    done = bench(tmp_path, *run(suite, "--only", "other"))
    assert done.returncode == 0, done.stderr
    known = bench(tmp_path, *run(suite, "--only", "other", "--dry-run"))
    assert "4 invocations, about " in known.stdout
    assert "16 invocations, at least" in bench(tmp_path, *run(suite, "--dry-run")).stdout
    document = json.loads(bench(tmp_path, *run(suite, "--dry-run", "--json")).stdout)
    assert (document["invocations"], document["unknown"]) == (16, 12)
    (folder,) = [each for each in (tmp_path / "results").iterdir() if not each.is_symlink()]
    units = results.read(folder / results.TIMINGS).units
    assert document["seconds"] == pytest.approx(sum(unit.seconds for unit in units), rel=0.5)


def test_who_is_not_named_is_asked_for_what_it_has_and_the_rest_is_said(tmp_path: Path) -> None:
    """Without this `bench smoke` was *unsupported* on every machine: nng has no chain."""

    def planned(*words: str) -> tuple[set[str], list[str]]:
        document = json.loads(bench(tmp_path, "smoke", "--dry-run", "--json", *words).stdout)
        of_nng = [each for each in document["units"] if each["implementation"] == "nng"]
        return {each["scenario"]["benchmark"] for each in of_nng}, document["left_out"]

    has, left_out = planned()
    assert has == {"broker"}
    said = "nng does not implement bang, chain, chatapp, count, pingpong"
    assert said in left_out
    assert f"\n  {said}\n" in bench(tmp_path, "smoke", "--dry-run").stdout
    has, left_out = planned("-i", "nng")
    assert "chain" in has
    assert left_out == []


def test_whom_a_suite_names_gives_way_to_whom_the_command_names(tmp_path: Path) -> None:
    def cast(*words: str) -> set[str]:
        document = json.loads(bench(tmp_path, "broker", "--dry-run", "--json", *words).stdout)
        return {each["implementation"].partition("+")[0] for each in document["units"]}

    assert cast() == {"zeromq", "nanomsg", "nng"}
    assert cast("-i", "nng") == {"nng"}
    assert cast("-i", "go", "--only", "Z") == {"go"}


def test_who_is_named_for_one_entry_is_offered_what_it_has_of_the_others(tmp_path: Path) -> None:
    file = tmp_path / "mixed.yaml"
    file.write_text("""
suite: mixed
benchmarks:
  - {name: named, benchmark: chain, implementations: [nng], scale: tiny}
  - {name: offered, benchmark: sleepers, scale: tiny}
""")
    document = json.loads(bench(tmp_path, file, "--dry-run", "--json").stdout)
    of_nng = [each["points"][0]["entry"] for each in document["units"]
              if each["implementation"] == "nng"]  # fmt: skip
    assert of_nng == ["mixed/named"]
    assert "nng does not implement sleepers" in document["left_out"]


def test_a_plan_by_a_pilot_is_run_as_it_says(tmp_path: Path, suite: str) -> None:
    out = tmp_path / "out"
    words = run(suite, "--only", "other", "--precision", "20%", "--output", out)
    assert bench(tmp_path, *words).returncode == 0
    pilot = results.read(out / "pilot" / results.TIMINGS)
    assert {unit.invocation for unit in pilot.units} == set(range(6))
    recorded = results.read(out / results.TIMINGS)
    (unit,) = resume.Plan.model_validate(recorded.header["plan"]).units
    assert "20.00% asked for; by a pilot of 5 invocations" in unit.planned
    assert len(recorded.units) == unit.invocations + 1
    words = run(suite, "--only", "other", "--precision", "20%", "--pilot", out / "pilot")
    again = json.loads(bench(tmp_path, *words, "--dry-run", "--json").stdout)
    assert again["units"][0]["planned"] == unit.planned


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--precision", "2"], "--precision 2 must be in percent"),
        (["--precision", "2%", "--invocations", "3"], "--precision plans --invocations"),
        (["--precision", "2%", "--dry-run"], "--dry-run runs no pilot"),
        (["--precision", "2%", "--pilot", "nowhere"], "nowhere/timings.jsonl: "),
        (["--pilot", "nowhere"], "--pilot goes with --precision"),
        (["--only", "chess"], "--only chess: nothing in this plan is called so"),
        (["--scale", "huge"], "'huge' is not one of"),
        (["--resume", "x"], "--resume takes the plan"),
    ],
)
def test_what_cannot_be_planned_is_one_line(
    tmp_path: Path, suite: str, words: list[str], says: str
) -> None:
    done = bench(tmp_path, *run(suite, *words))
    assert done.returncode == 2
    assert says in done.stderr
    assert done.stdout == ""
    assert not (tmp_path / "results").exists()


def test_a_scale_at_which_an_entry_cannot_be_is_refused_with_its_place(tmp_path: Path) -> None:
    done = bench(tmp_path, "thesis", "-i", "reference", "--scale", "tiny", "--dry-run")
    assert done.returncode == 2
    assert "suite thesis at --scale tiny: benchmarks.2: sweep, at nodes 12: " in done.stderr
    assert bench(
        tmp_path, "thesis", "-i", "reference", "--scale", "small", "--only", "T1", "--dry-run"
    ).returncode == 0  # fmt: skip


def test_a_pilot_of_another_machine_or_cut_short_is_none(tmp_path: Path, suite: str) -> None:
    def piloted(complete: bool, **header: Any) -> str:
        folder = tmp_path / "pilot"
        with results.Writer(folder / results.TIMINGS, **header) as writer:
            if not complete:
                writer.abandon()
        return bench(tmp_path, *run(suite, "--precision", "2%", "--pilot", folder)).stderr

    assert "the pilot was cut short; `dramaturg bench --resume" in piloted(False)
    here = {"kernel": os.uname().release}
    assert "the pilot's kernel is not that of now" in piloted(True, kernel="2.4")
    assert "the pilot's machine is not that of now" in piloted(True, **here, machine={"id": "x"})


def test_a_sweep_that_was_killed_goes_on_by_the_same_plan(tmp_path: Path, suite: str) -> None:
    out = tmp_path / "out"
    file = out / results.TIMINGS
    with subprocess.Popen(
        command(*run(suite, "--output", out)),
        cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    ) as process:  # fmt: skip
        assert wait_until(
            lambda: file.exists() and file.read_text().count('"record":"unit"') >= 5, 120
        )
        process.send_signal(signal.SIGKILL)
    before = resume.find(out)
    kept = len(before.done)
    assert 5 <= kept < 16
    assert before.header["source"].keys() == {"revision", "dirty"}
    # Not all of them are started again, and each said of itself what it is.
    said = json.loads((out / results.ENVIRONMENT).read_text())
    (out / results.ENVIRONMENT).write_text(
        json.dumps(said | {"implementations": said["implementations"] | {"gone": {"build": "x"}}})
    )
    left = json.loads(bench(tmp_path, "--resume", out, "--dry-run", "--json").stdout)
    assert left["invocations"] == 16 - kept
    done = bench(tmp_path, "--resume", out, "--json")
    assert done.returncode == 0, done.stderr
    after = results.read(file)
    assert after.complete
    assert after.header["plan"] == before.header["plan"]
    assert after.header["source"] == before.header["source"]
    said = json.loads((out / results.ENVIRONMENT).read_text())
    assert said["implementations"].keys() == {"reference", "gone"}
    assert after.units[:kept] == before.done
    order = [(unit.scenario.parameters, number) for unit, number in before.plan.order()]
    assert [(unit.parameters, unit.invocation) for unit in after.units] == order
    (curve,) = json.loads(done.stdout)["curves"]
    assert [point["value"] for point in curve["lines"][0]["points"]] == [50, 100, 200]
    assert curve["lines"][0]["gaps"] == []


def test_a_run_of_another_machine_is_not_gone_on_with(tmp_path: Path, suite: str) -> None:
    out = tmp_path / "out"
    file = out / results.TIMINGS
    with subprocess.Popen(
        command(*run(suite, "--output", out)),
        cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    ) as process:  # fmt: skip
        assert wait_until(lambda: file.exists() and '"record":"unit"' in file.read_text(), 120)
        process.send_signal(signal.SIGKILL)
    first, rest = file.read_text().split("\n", 1)
    header = json.loads(first)
    header["machine"]["id"] = "0123456789abcdef"
    file.write_text(json.dumps(header, separators=(",", ":")) + "\n" + rest)
    text = file.read_text()
    done = bench(tmp_path, "--resume", out)
    assert done.returncode == 2
    (line,) = done.stderr.strip().splitlines()
    assert "its machine is not that of now (id: then 0123456789abcdef, now " in line
    assert file.read_text() == text
