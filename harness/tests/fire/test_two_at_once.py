"""Two runs at the same moment in the same checkout: each has its own, and neither is harmed."""

import json
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from fire_kit import Command, faulty
from waiting import wait_until

from dramaturg import paths, results
from dramaturg.conformance import certification
from dramaturg.implementation import build
from dramaturg.standing import CHANGED

FOLDERS = """
import sys
from dramaturg import results

print("ready", flush=True)
sys.stdin.readline()
for _ in range(20):
    print(results.new_folder().name, flush=True)
"""


def test_runs_that_begin_in_the_same_second_have_folders_of_their_own(tmp_path: Path) -> None:
    several = [
        subprocess.Popen(
            [sys.executable, "-c", FOLDERS],
            cwd=tmp_path, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )
        for _ in range(3)
    ]  # fmt: skip
    for each in several:
        assert each.stdout is not None
        assert each.stdout.readline() == "ready\n"
    said = []
    for each in several:
        assert each.stdin is not None
        each.stdin.write("go\n")
        each.stdin.flush()
    for each in several:
        said += each.communicate(timeout=30)[0].split()
    assert len(said) == len(set(said)) == 60
    made = tmp_path / "results"
    assert {entry.name for entry in made.iterdir()} == {*said, "latest"}
    assert (made / "latest").readlink().name in said


BUILD = (
    "echo begun >> {log}; test $(ls {folder}/here 2>/dev/null | wc -l) = 0 || echo clash >> {log};"
    " touch {folder}/here; sleep 1; rm {folder}/here; echo ended >> {log}"
)


def test_a_build_is_done_once_and_the_second_run_waits(tmp_path: Path, dramaturg: Command) -> None:
    folder, log = tmp_path / "faulty", tmp_path / "log"
    script = BUILD.format(log=log, folder=tmp_path)
    implementation = faulty(folder, "stdio", "none", "waits", build=script)
    done: list[subprocess.CompletedProcess[str]] = []

    def certify(number: int) -> None:
        words = ["certify", implementation.folder, "--output", tmp_path / f"out{number}"]
        done.append(dramaturg(*words, "--", "-k", "lcg-vectors or pingpong-one-round"))

    threads = [threading.Thread(target=certify, args=(number,)) for number in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert log.read_text().split() == ["begun", "ended"]
    waited = f"waiting: another run is building in {folder / '.build'}"
    assert sum(waited in each.stderr.replace("\n", "") for each in done) == 1
    assert build.is_current(implementation)
    for number in range(2):
        recorded = results.read(tmp_path / f"out{number}" / results.CONFORMANCE)
        assert [case.outcome for case in recorded.cases] == ["pass", "pass"]


def test_a_build_that_was_killed_does_not_hold_up_the_next(tmp_path: Path) -> None:
    script = f"touch {tmp_path}/mark; test -e {tmp_path}/again || exec sleep 3600"
    implementation = faulty(tmp_path / "faulty", "stdio", "none", "waits", build=script)
    program = (
        "import sys; from pathlib import Path;"
        " from dramaturg.implementation import build, manifest;"
        " build.build(manifest.load(Path(sys.argv[1])))"
    )
    with subprocess.Popen([sys.executable, "-c", program, str(implementation.folder)]) as other:
        assert wait_until((tmp_path / "mark").exists, 20)
        other.kill()
    assert not build.is_current(implementation)
    (tmp_path / "again").touch()
    build.build(implementation)
    assert build.is_current(implementation)


@pytest.mark.parametrize("command", ["certify", "bench"])
def test_a_folder_that_a_run_writes_to_is_refused_to_another(
    command: str, tmp_path: Path, dramaturg: Command
) -> None:
    words = {
        "certify": ["certify", "reference", "--level", "0"],
        "bench": ["bench", "pingpong", "--scale", "tiny", "-i", "reference", "--uncertified"],
    }[command]
    folder = tmp_path / "out"
    with results.claimed(folder):
        done = dramaturg(*words, "--output", folder)
    assert done.returncode == 2
    said = done.stderr.replace("\n", "")
    assert f"{folder}: another run is writing there; wait for it, or give another" in said
    assert list(folder.iterdir()) == []


def test_a_run_that_is_under_way_is_not_resumed(tmp_path: Path, dramaturg: Command) -> None:
    words = ["bench", "pingpong", "--scale", "tiny", "-i", "reference", "--uncertified"]
    environment = os.environ | {"TMPDIR": str(tmp_path)}
    command = [sys.executable, "-m", "dramaturg.cli.main", *words, "--invocations", "9"]
    with subprocess.Popen(
        [*command, "--output", str(tmp_path / "out")], cwd=paths.ROOT, env=environment,
        stdout=subprocess.DEVNULL,
    ):  # fmt: skip
        file = tmp_path / "out" / results.TIMINGS
        assert wait_until(lambda: file.exists() and '"unit"' in file.read_text(), 30)
        done = dramaturg("bench", "--resume", tmp_path / "out")
        assert done.returncode == 2
        assert "another run is writing there" in done.stderr.replace("\n", " ")
    recorded = results.read(file)
    assert recorded.complete
    # And one that is audited.
    assert len(recorded.units) == 10


def test_what_a_run_before_has_written_is_kept(tmp_path: Path, dramaturg: Command) -> None:
    words = ["certify", "reference", "--output", tmp_path, "--", "-k"]
    assert dramaturg(*words, "introduces").returncode == 7
    first = (tmp_path / results.CONFORMANCE).read_text()
    assert dramaturg(*words, "lcg-vectors").returncode == 7
    assert (tmp_path / "conformance.earlier-1.jsonl").read_text() == first
    (case,) = results.read(tmp_path / results.CONFORMANCE).cases
    assert case.case == "lcg-vectors"


def test_sources_that_change_while_they_are_judged_make_no_certificate(
    tmp_path: Path, dramaturg: Command
) -> None:
    folder = tmp_path / "faulty"
    implementation = faulty(folder, "stdio", "run", "edits")
    done = dramaturg(
        "certify", folder, "--output", tmp_path / "out", "--json", "--", "-k", "pingpong-one-round"
    )
    assert done.returncode == 8
    document = json.loads(done.stdout)
    assert CHANGED in document["errors"][0]
    (standing,) = document["implementations"].values()
    assert not standing["certified"]
    assert not certification.is_certified(implementation)
