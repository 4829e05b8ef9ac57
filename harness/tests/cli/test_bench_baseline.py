"""``dramaturg bench --baseline``: a build of a revision, timed beside the others."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from revisions_kit import git, trees
from waiting import wait_until

from dramaturg import paths, results
from dramaturg.cli.history import history
from dramaturg.orchestration import pinned_builds
from dramaturg.timing.planning import baseline, suites, timing_plan

SMALL = ["pingpong", "--scale", "tiny", "--iterations", "1", "--uncertified"]
PATIENCE = 60.0


def _command(*arguments: object) -> list[str]:
    return [sys.executable, "-m", "dramaturg.cli.main", "bench", *map(str, arguments)]


def _bench(*arguments: object, cwd: Path | None = None) -> "subprocess.CompletedProcess[str]":
    environment = os.environ | {"COLUMNS": "600"}
    return subprocess.run(
        _command(*arguments), capture_output=True, text=True, check=False, env=environment, cwd=cwd
    )


def _history(folder: Path) -> dict[str, object]:
    done = CliRunner().invoke(history, [str(folder), "--json"])
    assert done.exit_code == 0, done.output
    (line,) = json.loads(done.stdout)["lines"]
    return line  # type: ignore[no-any-return]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--baseline", "cobol@HEAD"], "no implementation is called 'cobol'"),
        (["--baseline", "reference@nosuch"], "git knows no such revision"),
        (
            ["--baseline", "reference@HEAD", "--precision", "2%"],
            "leave out --precision or --baseline",
        ),
        (["--resume", "nowhere", "--baseline", "reference@HEAD"], "--resume takes the plan"),
    ],
)
def test_bad_input_is_an_error_and_exit_code_2(arguments: list[str], says: str) -> None:
    words = [] if "--resume" in arguments else ["pingpong", "-i", "reference"]
    done = _bench(*words, *arguments, cwd=paths.ROOT)
    assert done.returncode == 2, done.stderr
    assert says in done.stderr
    assert "Traceback" not in done.stderr


def test_another_of_the_same_name_is_not_pinned(reference_copy: Path) -> None:
    done = _bench(*SMALL, "-i", "reference", "--baseline", reference_copy, cwd=paths.ROOT)
    assert done.returncode == 2
    assert "are both called 'reference'" in done.stderr


def test_what_is_pinned_is_timed_wherever_something_is_held_against_it() -> None:
    suite = suites.load("tiny")
    made = timing_plan.make([suite], ["erlang", "caf+sharing"], seed=1)
    both = baseline.beside(made, ["caf@v1", "erlang@v1"])
    added = [unit for unit in both.units if unit not in made.units]
    assert {unit.implementation for unit in added} == {"caf@v1", "erlang@v1"}
    # The variant has no baseline of its own: the first one is its measure.
    assert len(added) == 2 * len({unit.what[1:] for unit in made.units})
    assert baseline.beside(made, []) == made
    assert baseline.beside(both, ["caf@v1", "erlang@v1"]) == both


def test_a_suite_pins_as_the_command_line_does() -> None:
    suite = suites.checked(
        {"suite": "x", "pinned": ["reference"], "benchmarks": [{"benchmark": "pingpong"}]}
    )
    assert [pin.label for pin in pinned_builds.asked([], [suite], None)] == ["reference"]
    assert [pin.label for pin in pinned_builds.asked(["reference"], [suite], None)] == ["reference"]


def test_a_dry_run_has_it_and_checks_nothing_out(repository: Path) -> None:
    done = _bench(*SMALL, "-i", repository, "--baseline", f"{repository}@HEAD~1", "--dry-run")
    assert done.returncode == 0, done.stderr
    assert "reference@HEAD~1" in done.stdout
    assert trees(repository) == []


def test_a_revision_is_timed_beside_a_dirty_tree_and_gives_a_point(
    repository: Path, tmp_path: Path
) -> None:
    (repository / "src" / "more.py").write_text("MORE = 2\n")
    output = tmp_path / "out"
    against_it = ["-i", repository, "--baseline", f"{repository}@HEAD~1"]
    done = _bench(*SMALL, *against_it, "--invocations", 3, "--output", output)
    assert done.returncode == 0, done.stderr
    assert trees(repository) == []
    recorded = results.read(output / results.TIMINGS)
    (side,) = baseline.read(recorded.header, output)
    commit = git(repository, "rev-parse", "HEAD~1")
    assert (side.label, side.commit, side.modified) == ("reference@HEAD~1", commit, False)
    assert recorded.header["commits"]["reference"] == {
        "commit": git(repository, "rev-parse", "HEAD"),
        "modified": True,
    }
    line = _history(output)
    (stretch,) = line["stretches"]  # type: ignore[misc]
    (point,) = stretch["points"]
    assert (point["pairs"], point["certified"]) == (3, False)
    assert point["against"]["commit"] == commit
    assert point["of"]["modified"]
    assert 0.1 < point["ratio"] < 10


def test_killed_in_the_middle_it_goes_on_with_the_same_build(
    repository: Path, tmp_path: Path
) -> None:
    output = tmp_path / "out"
    words = [*SMALL, "-i", repository, "--baseline", f"{repository}@HEAD~1", "--invocations", 6]
    process = subprocess.Popen(
        _command(*words, "--output", output),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    file = output / results.TIMINGS

    def ended() -> bool:
        return file.exists() and file.read_text().count('"unit"') >= 3

    assert wait_until(lambda: ended() or process.poll() is not None, PATIENCE, 0.02)
    process.send_signal(signal.SIGTERM)
    process.wait(PATIENCE)
    assert trees(repository) == []
    git(repository, "commit", "-q", "--allow-empty", "-m", "three")  # HEAD~1 is another one now.
    done = _bench("--resume", output)
    assert done.returncode == 0, done.stderr
    assert results.read(file).complete
    assert trees(repository) == []
    (gap,) = _history(output)["gaps"]  # type: ignore[misc]
    assert "it was resumed" in gap["why"]
