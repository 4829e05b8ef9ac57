"""The steps of action.yml, run as they are by a runner that is only a few variables and files."""

import json
import os
import re
import shutil
import subprocess
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import yaml
from installed import Installed, stranger

from dramaturg import paths

ACTION = paths.ROOT / "action"


def read(file: str) -> dict[str, Any]:
    # GitHub reads YAML 1.2, in which `on` is no truth value.
    return yaml.load((paths.ROOT / file).read_text(), Loader=yaml.BaseLoader)


@dataclass
class Runner:
    """The surroundings of a step of a job."""

    workspace: Path
    temp: Path
    said: list[str] = field(default_factory=list)

    def step(self, script: str, **inputs: str) -> "subprocess.CompletedProcess[str]":
        """Run it as the action does: a shell's command line with variables in it."""
        self.temp.mkdir(exist_ok=True)
        for name in ("output", "summary"):
            (self.temp / name).touch()
        found = {
            "PATH": os.environ["PATH"],
            "HOME": str(self.temp),
            "RUNNER_TEMP": str(self.temp),
            "RUNNER_OS": "Linux",
            "RUNNER_ENVIRONMENT": "self-hosted",
            "GITHUB_OUTPUT": str(self.temp / "output"),
            "GITHUB_STEP_SUMMARY": str(self.temp / "summary"),
            "ACTION_PATH": str(paths.ROOT),
        }
        return subprocess.run(
            ["sh", "-e", "-c", f'"$ACTION_PATH/action/{script}.sh"'],
            cwd=self.workspace, env=found | inputs, capture_output=True, text=True, timeout=300,
            check=False,
        )  # fmt: skip

    @property
    def outputs(self) -> dict[str, str]:
        """Return the outputs of the steps so far."""
        lines = (self.temp / "output").read_text().splitlines()
        return dict(line.split("=", 1) for line in lines)

    @property
    def summary(self) -> str:
        return (self.temp / "summary").read_text()

    def certify(self, dramaturg: Path, **inputs: str) -> "subprocess.CompletedProcess[str]":
        given = {"INPUT_IMPLEMENTATION": ".", "INPUT_RESULTS": str(self.temp / "results")} | inputs
        return self.step("certify", DRAMATURG=str(dramaturg), **given)

    def summarise(self, dramaturg: Path) -> str:
        results = str(self.temp / "results")
        done = self.step("summary", DRAMATURG=str(dramaturg), INPUT_RESULTS=results)
        assert done.returncode == 0, done.stderr
        return self.summary


@pytest.fixture
def runner(elsewhere: Path) -> Runner:
    return Runner(stranger(elsewhere), elsewhere / "temp")


@pytest.fixture(scope="session")
def dramaturg(installed: Installed) -> Path:
    return installed.root / "venv" / "bin" / "dramaturg"


def test_a_wheel_is_installed_and_certifies_and_the_summary_says_so(
    installed: Installed, runner: Runner
) -> None:
    done = runner.step("install", INPUT_WHEEL=str(installed.wheel))
    assert done.returncode == 0, done.stderr
    command = Path(runner.outputs["dramaturg"])
    assert command.is_relative_to(runner.temp)
    done = runner.certify(command, INPUT_LEVEL="0 1 2 3")
    assert done.returncode == 0, done.stdout + done.stderr
    assert runner.outputs["exit-code"] == "0"
    assert Path(runner.outputs["certificate"]).is_file()
    said = runner.summarise(command)
    assert re.search(
        r"^\| `mine` \| \*\*certified\*\* \| \d+/\d+ \| \d+/\d+ \|", said, re.MULTILINE
    )


def test_a_failure_ends_the_step_with_its_code_and_is_in_the_summary(
    dramaturg: Path, runner: Runner
) -> None:
    manifest = runner.workspace / "dramaturg.toml"
    command = manifest.read_text().replace("command = [", 'command = ["false", ')
    manifest.write_text(command)
    done = runner.certify(dramaturg, INPUT_LEVEL="0", INPUT_SELECT="introduces")
    assert done.returncode == 3
    assert runner.outputs["exit-code"] == "3"
    assert runner.outputs["certificate"] == ""
    said = runner.summarise(dramaturg)
    assert "### crash: `mine level 0 introduces-itself`" in said
    assert "**not certified**" in said


def test_what_an_implementation_says_is_no_command_of_the_runner(
    dramaturg: Path, runner: Runner
) -> None:
    manifest = runner.workspace / "dramaturg.toml"
    said = 'command = ["sh", "-c", "printf \'::error::mine\\\\n::add-mask::a\\\\n\' >&2; false", '
    manifest.write_text(manifest.read_text().replace("command = [", said))
    done = runner.certify(dramaturg, INPUT_LEVEL="0", INPUT_SELECT="introduces")
    assert done.returncode == 3
    lines = done.stdout.splitlines()
    (begin,) = [at for at, line in enumerate(lines) if line.startswith("::stop-commands::")]
    token = lines[begin].removeprefix("::stop-commands::")
    assert re.fullmatch("[0-9a-f]{32}", token)
    end = lines.index(f"::{token}::")
    assert any("::error::mine" in line for line in lines[begin:end])
    assert done.stderr == ""
    assert not [line for line in lines[:begin] + lines[end + 1 :] if "mine" in line]
    other = runner.certify(dramaturg, INPUT_LEVEL="0", INPUT_SELECT="introduces").stdout
    assert token not in other
    assert "::error::mine" in runner.summarise(dramaturg)


def test_inputs_are_words_and_never_a_shells(dramaturg: Path, runner: Runner) -> None:
    evil = "$(touch caught) `touch caught` ; touch caught"
    for inputs in (
        {"INPUT_IMPLEMENTATION": evil},
        {"INPUT_CASES": evil},
        {"INPUT_SELECT": evil},
        {"INPUT_LEVEL": evil},
        {"INPUT_IMPLEMENTATION": "*"},
    ):
        done = runner.certify(dramaturg, **inputs)
        assert done.returncode == 2, inputs
    for inputs in (
        {"INPUT_VERSION": evil},
        {"INPUT_WHEEL": evil},
        {"INPUT_WHEEL": "dramaturg.toml"},
    ):
        done = runner.step("install", **inputs)
        assert done.returncode == 2, inputs
        assert done.stdout.startswith("::error title=Dramaturg::the input ")
    assert not list(runner.workspace.rglob("caught"))


@pytest.mark.parametrize(
    ("script", "inputs", "complaint"),
    [
        ("certify", {"INPUT_IMPLEMENTATION": " \n".strip()}, "the input implementation is empty"),
        ("certify", {"INPUT_IMPLEMENTATION": ".\n--all"}, "has '--all', which is an option"),
        ("certify", {"INPUT_LEVEL": "0 5"}, "the input level has '5'; levels are 0 to 4"),
        (
            "certify",
            {"INPUT_TOOLCHAIN": "yes"},
            "the input toolchain is 'yes'; it is true or false",
        ),
        ("install", {"INPUT_VERSION": "1.0 --index-url=http://x"}, "it is a release such as 0.1.0"),
        ("install", {"INPUT_VERSION": "1.0\n1.1"}, "it is a release such as 0.1.0"),
        ("install", {"INPUT_WHEEL": "none.whl"}, "there is no such file"),
        ("install", {"INPUT_WHEEL": "README.md"}, "which is no wheel"),
        ("install", {"INPUT_WHEEL": "a.whl", "INPUT_VERSION": "1"}, "exclude each other"),
        ("install", {"ACTION_REF": "main", "ACTION": "none"}, "is not there"),
        ("network", {"INPUT_NETWORK": "mininet"}, "it is auto or none"),
    ],
)
def test_bad_input_is_one_error_that_names_the_input(
    runner: Runner, script: str, inputs: dict[str, str], complaint: str
) -> None:
    (runner.workspace / "README.md").touch()
    given = {"INPUT_IMPLEMENTATION": ".", "INPUT_RESULTS": "r", "DRAMATURG": "false"} | inputs
    if given.pop("ACTION", "") == "none":
        # The package's sources are not beside the action.
        shutil.copytree(ACTION, runner.temp / "alone" / "action")
        given["ACTION_PATH"] = str(runner.temp / "alone")
    done = runner.step(script, **given)
    assert done.returncode == 2
    errors = [line for line in done.stdout.splitlines() if line.startswith("::error")]
    assert len(errors) == 1
    assert complaint in errors[0]


def commands(text: str) -> list[str]:
    """Lines that the runner takes for commands, as its ActionCommand does; none from where they are
    stopped to where they are not."""
    found: list[str] = []
    token = ""
    for line in re.split("\r\n|\r|\n", text):
        if token:
            token = "" if line.strip() == f"::{token}::" else token
        elif line.lstrip().startswith("::stop-commands::"):
            token = line.partition("::stop-commands::")[2]
        elif line.lstrip().startswith("::") or "##[" in line:
            found.append(line)
    assert not token, "commands are stopped for good"
    return found


def test_an_error_cannot_carry_a_command(runner: Runner) -> None:
    done = runner.step("network", INPUT_NETWORK="x\n::add-mask::y\r%0A")
    (line,) = done.stdout.splitlines()
    assert line.endswith("'x%0A::add-mask::y%0D%250A'; it is auto or none")
    assert commands(done.stderr) == []


HOSTILE = (
    "x\n::set-output name=a::b\r::add-mask::y\n \u00a0::warning::z\r\n::stop-commands::t",
    "##[set-env name=P]/x\n\n##[add-mask]y",
    "::add-mask::y",
)


@pytest.mark.parametrize("hostile", HOSTILE)
def test_no_input_is_a_command_of_the_runner(dramaturg: Path, runner: Runner, hostile: str) -> None:
    results = str(runner.temp / f"r{hostile}".replace("/", ""))
    for script, inputs in (
        ("network", {"INPUT_NETWORK": hostile}),
        ("install", {"INPUT_VERSION": hostile}),
        ("install", {"INPUT_WHEEL": hostile}),
        ("install", {"INPUT_VERSION": f"1{hostile}"}),
        ("certify", {"INPUT_IMPLEMENTATION": f"-{hostile}"}),
        ("certify", {"INPUT_IMPLEMENTATION": hostile}),
        ("certify", {"INPUT_LEVEL": hostile}),
        ("certify", {"INPUT_CASES": hostile}),
        ("certify", {"INPUT_SELECT": hostile}),
        ("certify", {"INPUT_TOOLCHAIN": hostile}),
        ("certify", {"INPUT_RESULTS": results, "INPUT_LEVEL": "9"}),
        ("summary", {"INPUT_RESULTS": results}),
    ):
        given = {"INPUT_IMPLEMENTATION": ".", "INPUT_RESULTS": str(runner.temp / "r")} | inputs
        done = runner.step(script, DRAMATURG=str(dramaturg), **given)
        assert commands(done.stderr) == [], (script, inputs)
        ours = [
            each for each in commands(done.stdout) if each.startswith("::error title=Dramaturg")
        ]
        assert commands(done.stdout) == ours, (script, inputs)
        assert len(ours) <= 1


def test_what_a_report_says_of_damaged_records_is_no_command(
    dramaturg: Path, runner: Runner
) -> None:
    folder = runner.temp / "results"
    folder.mkdir(parents=True)
    hostile = "x ##[add-mask]y \n::add-mask::z"
    line = json.dumps({"record": hostile})
    (folder / "conformance.jsonl").write_text(f"{line}\n{line}\n")
    done = runner.step("summary", DRAMATURG=str(dramaturg), INPUT_RESULTS=str(folder))
    assert done.returncode == 2
    assert "##[add-mask]y" in done.stdout, "the attack was tried"
    (ours,) = commands(done.stdout)
    assert ours.startswith("::error title=Dramaturg::the results in ")
    assert commands(done.stderr) == []


def test_without_sudo_on_a_runner_of_githubs_nothing_is_installed(runner: Runner) -> None:
    for environment in ("self-hosted", "github-hosted"):
        done = runner.step("network", RUNNER_ENVIRONMENT=environment, PATH="/none:/usr/bin:/bin")
        assert done.returncode == 0
    assert runner.outputs == {"sudo": "false"}


def test_a_job_that_came_to_nothing_says_not_run(runner: Runner) -> None:
    done = runner.step("summary", DRAMATURG="", INPUT_RESULTS=str(runner.temp / "none"))
    assert done.returncode == 0
    assert "Not run: no case was begun." in runner.summary


def test_every_step_is_a_script_and_gets_its_inputs_by_variables() -> None:
    action = read("action.yml")
    used: set[str] = set()
    for step in action["runs"]["steps"]:
        used |= set(re.findall(r"inputs\.([a-z-]+)", str(step)))
        if "run" not in step:
            continue
        (script,) = re.findall(r'^"\$ACTION_PATH/action/([a-z]+)\.sh"$', step["run"])
        text = (ACTION / f"{script}.sh").read_text()
        head = text.partition("\nset -eu")[0]
        assert os.access(ACTION / f"{script}.sh", os.X_OK)
        given = {name for name in step["env"] if name != "ACTION_PATH"}
        wanted = set(re.findall(r"\b(?:INPUT_[A-Z]+|DRAMATURG|SUDO|ACTION_REF)\b", head))
        assert given == wanted, script
    assert used == set(action["inputs"])
    for step in action["runs"]["steps"]:
        assert step.get("shell", "sh") == "sh"


def test_the_workflow_hands_on_inputs_that_the_action_has() -> None:
    workflow, action = read(".github/workflows/certify.yml"), read("action.yml")
    given = workflow["on"]["workflow_call"]["inputs"]
    (job,) = workflow["jobs"].values()
    handed = job["steps"][-1]["with"]
    assert set(handed) <= set(action["inputs"])
    assert set(handed) == set(given) - {"runner", "minutes"}
    assert all(value == f"${{{{ inputs.{name} }}}}" for name, value in handed.items())


def test_what_others_made_is_pinned_by_commit() -> None:
    files = [paths.ROOT / "action.yml", *(paths.ROOT / ".github" / "workflows").glob("*.yml")]
    uses = [line for file in files for line in re.findall(r"uses: (.+)", file.read_text())]
    strangers = [each for each in uses if not each.startswith("./") and "OWNER" not in each]
    assert len(strangers) >= 8
    loose = [each for each in strangers if not re.fullmatch(r"\S+@[0-9a-f]{40} # v[\d.]+", each)]
    assert loose == []


@pytest.mark.parametrize(
    ("file", "old", "new", "complaint"),
    [
        (
            "action.yml",
            "upload-artifact@b7c566a772e6b6bfb58ed0dc250532a479d7789f",
            "upload-artifact@v6",
            "unpinned-uses",
        ),
        (
            "action.yml",
            "'\"$ACTION_PATH/action/network.sh\"'",
            "echo ${{ inputs.network }}",
            "template-injection",
        ),
        (
            ".github/workflows/certify.yml",
            "persist-credentials: false",
            "fetch-depth: 1",
            "artipacked",
        ),
        (
            ".github/workflows/release.yml",
            "permissions: {}",
            "permissions: write-all",
            "excessive-permissions",
        ),
        ("Containerfile", "USER 1000", "USER root", "DL3002"),
        ("Containerfile", "--no-install-recommends", "--quiet", "DL3015"),
        (
            "action/summary.sh",
            '"$INPUT_RESULTS" --markdown',
            "$INPUT_RESULTS --markdown",
            "SC2086",
        ),
        ("harness/scripts/release.sh", '"${TAG:-}"', "$TAG", "SC2086"),
    ],
)
def test_what_runs_elsewhere_is_linted(
    tmp_path: Path, file: str, old: str, new: str, complaint: str
) -> None:
    for name in ("action.yml", "Containerfile"):
        shutil.copy(paths.ROOT / name, tmp_path)
    for name in ("action", ".github", "harness/scripts"):
        shutil.copytree(paths.ROOT / name, tmp_path / name)
    text = (tmp_path / file).read_text()
    assert old in text
    command = [str(paths.ROOT / "harness" / "scripts" / "lint-ci.sh"), str(tmp_path)]
    (tmp_path / file).write_text(text.replace(old, new))
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert complaint in done.stdout + done.stderr
