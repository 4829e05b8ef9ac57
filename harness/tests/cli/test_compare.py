"""``dramaturg compare``: what it takes, what it refuses, and what it leaves when it is killed."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from revisions_kit import git, trees
from waiting import wait_until

from dramaturg import paths, results
from dramaturg.timing.planning.pairing import HEADER

SMALL = ["pingpong", "--scale", "tiny", "--iterations", "1", "--uncertified"]
PATIENCE = 60.0


def _dramaturg(*arguments: object, **options: object) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "dramaturg.cli.main", "compare", *map(str, arguments)]
    environment = os.environ | {"COLUMNS": "600"}
    return subprocess.run(
        command, capture_output=True, text=True, check=False, env=environment, **options
    )  # type: ignore[call-overload,no-any-return]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ([], "name two"),
        (["reference"], "name two"),
        (["cobol", "reference"], "no implementation is called 'cobol'"),
        (["cobol@HEAD", "reference"], "no implementation is called 'cobol'"),
        (["reference", "asyncio", "chess"], "no suite is called 'chess'"),
        (["reference@nosuch", "asyncio"], "git knows no such revision"),
        (["reference@", "asyncio"], "no revision is called so"),
        (["reference@--help", "asyncio"], "no revision is called so"),
        (["reference@HEAD:README.md", "asyncio"], "git knows no such revision"),
        (["reference+fast@HEAD", "asyncio"], "no variant 'fast'"),
        (["reference", "asyncio", "--confirm", "8"], "8 is not in the range"),
        (["reference", "asyncio", "--pairs", "0"], "0 is not in the range"),
        (["reference", "asyncio", "--within", "0"], "0.0 is not in the range"),
        (["reference", "asyncio", "--within", "nan"], "--within nan"),
        (["reference", "asyncio", "--json", "--markdown"], "take one"),
        (["reference", "asyncio", "tiny", "--scenario", "mixed"], "goes with a benchmark"),
        (["--resume", "nowhere"], "nowhere/timings.jsonl"),
        (["--resume", "nowhere", "reference", "asyncio"], "--resume takes the plan"),
        (["--resume", "nowhere", "--pairs", "7"], "--resume takes the plan"),
    ],
)
def test_bad_input_is_an_error_and_exit_code_2(arguments: list[str], says: str) -> None:
    done = _dramaturg(*arguments, cwd=paths.ROOT)
    assert done.returncode == 2, done.stderr
    assert says in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


@pytest.mark.parametrize("entry", ["variant: fast", "sweep: {variant: [plain, fast]}"])
def test_a_suite_with_variants_of_its_own_is_refused(tmp_path: Path, entry: str) -> None:
    file = tmp_path / "suite.yaml"
    file.write_text(f"suite: x\nbenchmarks: [{{benchmark: pingpong, scale: tiny, {entry}}}]\n")
    done = _dramaturg("reference", "asyncio", file)
    assert done.returncode == 2, done.stderr
    assert "x/1 has a variant of its own, and a comparison has two sides" in done.stderr


def test_a_folder_without_git_has_no_revisions(reference_copy: Path) -> None:
    done = _dramaturg(f"{reference_copy}@HEAD", reference_copy)
    assert done.returncode == 2
    assert "lies in no git repository" in done.stderr


def test_a_commit_from_before_the_implementation_is_refused_and_leaves_nothing(
    repository: Path,
) -> None:
    done = _dramaturg(f"{repository}@HEAD~2", repository, *SMALL)
    assert done.returncode == 2, done.stderr
    assert "has no reference/dramaturg.toml" in done.stderr
    assert trees(repository) == []


def test_a_revision_is_compared_with_a_dirty_tree_and_its_work_tree_is_gone(
    repository: Path, tmp_path: Path
) -> None:
    (repository / "src" / "more.py").write_text("MORE = 2\n")
    output = tmp_path / "out"
    done = _dramaturg(
        f"{repository}@HEAD~1", repository, *SMALL, "--pairs", 6, "--json", "--output", output
    )
    # The machine decides the figures of the rows, and so the exit code.
    document = json.loads(done.stdout)
    compared = document["comparison"]
    commit = git(repository, "rev-parse", "HEAD~1")
    assert compared["a"]["label"] == "reference@HEAD~1"
    assert compared["a"]["revision"] == f"HEAD~1, commit {commit[:12]}"
    assert compared["a"]["build"] != compared["b"]["build"]
    assert (compared["a"]["modified"], compared["b"]["modified"]) == (False, True)
    assert any("not what was committed" in note for note in compared["notes"])
    (row,) = compared["rows"]
    assert row["verdict"] in ("no difference shown", "equal", "slower", "faster")
    assert len(row["first"]) == 6
    assert not row["certified"]
    assert document["exit_code"] == done.returncode
    assert trees(repository) == []
    assert (repository / "src" / "more.py").read_text() == "MORE = 2\n"
    summary = json.loads((output / "summary.json").read_text())
    assert summary["comparison"] == compared
    names = set(json.loads((output / "environment.json").read_text())["implementations"])
    assert names == {"reference@HEAD~1", "reference"}


def test_too_few_pairs_end_with_not_run(tmp_path: Path) -> None:
    done = _dramaturg("reference", "reference", *SMALL, "--pairs", 2, "--output", tmp_path)
    assert done.returncode == 7, done.stderr
    assert "2 pairs; 6 or more are needed" in done.stdout
    assert "A/A" in done.stdout
    assert "A: reference#A" in done.stdout


def test_results_of_bench_and_of_compare_are_resumed_by_their_own(tmp_path: Path) -> None:
    file = tmp_path / results.TIMINGS
    header = {"record": "header", "schema": 3, "started": 1.0, "builds": {}}
    header["plan"] = {"suites": [], "seed": 1, "units": []}
    file.write_text(json.dumps(header) + "\n")
    done = _dramaturg("--resume", tmp_path)
    assert done.returncode == 2
    assert "is no comparison: `dramaturg bench --resume" in done.stderr
    file.write_text(json.dumps(header | {HEADER: {}}) + "\n")
    command = [sys.executable, "-m", "dramaturg.cli.main", "bench", "--resume", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "is a comparison" in done.stderr.replace("\n", " ")


def _started(repository: Path, output: Path, temporary: Path) -> "subprocess.Popen[str]":
    command = [sys.executable, "-m", "dramaturg.cli.main", "compare", f"{repository}@HEAD~1"]
    command += [str(repository), *SMALL, "--pairs", "8", "--output", str(output)]
    process = subprocess.Popen(
        command,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"TMPDIR": str(temporary), "COLUMNS": "600"},
        start_new_session=True,
    )
    file = output / results.TIMINGS

    def ended() -> int:
        return file.read_text().count('"unit"') if file.exists() else 0

    assert wait_until(lambda: ended() >= 3 or process.poll() is not None, PATIENCE, 0.02)
    assert process.poll() is None, process.communicate()
    assert trees(repository)
    return process


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_killed_in_the_middle_it_leaves_no_work_tree_and_goes_on(
    repository: Path, tmp_path: Path, number: signal.Signals
) -> None:
    output, temporary = tmp_path / "out", tmp_path / "temporary"
    temporary.mkdir()
    process = _started(repository, output, temporary)
    process.send_signal(number)
    _, said = process.communicate(timeout=PATIENCE)
    assert process.returncode == (130 if number == signal.SIGTERM else -signal.SIGKILL)
    if number == signal.SIGTERM:
        assert f"`dramaturg compare --resume {output}` goes on" in said
    assert wait_until(lambda: trees(repository) == [], PATIENCE, 0.05)
    assert wait_until(lambda: list(temporary.iterdir()) == [], PATIENCE, 0.05)
    kept = results.read(output / results.TIMINGS)
    assert not kept.complete
    # The revision's name means another commit by now.
    (repository / "src" / "more.py").write_text("MORE = 3\n")
    git(repository.parent, "stash", "-q")
    git(repository.parent, "commit", "-q", "--allow-empty", "-m", "three")
    done = _dramaturg("--resume", output, "--json")
    assert done.returncode in (0, 10), done.stderr
    recorded = results.read(output / results.TIMINGS)
    assert recorded.complete
    whole = len(kept.units) // 2 * 2
    assert recorded.units[:whole] == kept.units[:whole]
    assert recorded.header["builds"] == kept.header["builds"]
    (row,) = json.loads(done.stdout)["comparison"]["rows"]
    assert len(row["first"]) == 8
    assert trees(repository) == []


def test_a_build_that_changed_meanwhile_is_not_gone_on_with(
    repository: Path, tmp_path: Path
) -> None:
    output, temporary = tmp_path / "out", tmp_path / "temporary"
    temporary.mkdir()
    process = _started(repository, output, temporary)
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=PATIENCE)
    (repository / "src" / "more.py").write_text("MORE = 3\n")
    before = (output / results.TIMINGS).read_bytes()
    done = _dramaturg("--resume", output)
    assert done.returncode == 2
    assert "its builds are not those of now" in done.stderr
    assert (output / results.TIMINGS).read_bytes() == before
    assert trees(repository) == []


def test_a_side_without_certificate_is_certified_first(
    reference_copy: Path, tmp_path: Path
) -> None:
    manifest = reference_copy / "dramaturg.toml"
    start, _, rest = manifest.read_text().partition("benchmarks = [")
    manifest.write_text(f'{start}benchmarks = ["pingpong"{rest[rest.index("]") :]}')
    output = tmp_path / "out"
    done = _dramaturg(
        reference_copy, reference_copy, *SMALL[:-1], "--pairs", 6, "--output", output, "--json"
    )
    assert done.returncode in (0, 10), done.stderr
    (row,) = json.loads(done.stdout)["comparison"]["rows"]
    assert row["certified"]
    cases = list((output / "certification").glob("*/conformance.jsonl"))
    assert [file.parent.name for file in cases] == ["reference#A"]


def test_a_side_that_does_not_pass_its_cases_is_not_timed(tmp_path: Path) -> None:
    folder = tmp_path / "sketch"
    folder.mkdir()
    (folder / "dramaturg.toml").write_text(
        'name = "sketch"\nlanguage = "none"\nspec = "2"\ncontrol = "stdio"\n'
        'benchmarks = ["pingpong"]\n[run]\ncommand = ["true"]\n'
    )
    output = tmp_path / "out"
    done = _dramaturg(folder, folder, "pingpong", "--scale", "tiny", "--output", output)
    assert done.returncode not in (0, 10)
    assert "is not certified" in done.stderr
    assert not (output / results.TIMINGS).exists()
