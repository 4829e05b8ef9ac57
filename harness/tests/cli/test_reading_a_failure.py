"""docs/reading-a-failure.md and the README show what is printed, and nothing that once was."""

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from dramaturg import paths
from dramaturg.cli.certify import certify
from dramaturg.cli.replay import replay
from dramaturg.cli.trace import trace
from dramaturg.report.report_files import HTML, write_pictures

PAGE = paths.ROOT / "docs" / "reading-a-failure.md"


@pytest.fixture(scope="module")
def failed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """The results of the page's command, and what it printed."""
    folder = tmp_path_factory.mktemp("failed")
    return folder, failure_of("history_off_by_one", folder, "late-joiner")


def failure_of(mutant: str, folder: Path, expression: str) -> str:
    """Return certify's output on it."""
    arguments = [f"{paths.CONFORMANCE}/mutants+{mutant}", "--output", str(folder)]
    done = CliRunner().invoke(certify, [*arguments, "--", "-x", "-k", expression])
    assert done.exit_code == 1
    return done.output


def shown() -> tuple[str, str]:
    """The page's command and its output."""
    [block] = re.findall(r"```console\n\$ (.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    command, _, output = block.partition("\n")
    return command, output


def test_the_page_shows_what_is_printed(failed: tuple[Path, str]) -> None:
    folder, printed = failed
    command, output = shown()
    assert command.split()[2:] == [
        "conformance/mutants+history_off_by_one", "--", "-x", "-k", "late-joiner",
    ]  # fmt: skip
    assert output in printed.replace(str(folder), "results/latest"), (
        "put the output of the page's command into the page"
    )


def test_replay_shows_the_same_as_certify(failed: tuple[Path, str]) -> None:
    folder, printed = failed
    [file] = (folder / "traces").glob("*.run")
    said = CliRunner().invoke(replay, [str(file)]).output
    body = said.split("\n\n  and ")[0].rstrip()
    assert body.split("\n\n", 1)[1] in printed


def test_the_page_shows_what_its_questions_are_answered(failed: tuple[Path, str]) -> None:
    folder, _ = failed
    [file] = (folder / "traces").glob("*.run")
    text = PAGE.read_text(encoding="utf-8").partition("## Asking the run")[2].partition("\n## ")[0]
    [sql] = re.findall(r'--sql "(.*)"', text)
    answers = re.findall(r"```text\n(.*?)```", text, re.DOTALL)
    for query, answer in zip((sql, "FROM chat_post"), answers, strict=True):
        said = CliRunner().invoke(trace, [str(file), "--sql", query]).output
        assert "".join(f"{line.rstrip()}\n" for line in said.splitlines()) == answer


def test_replay_gives_a_program_the_reasons_and_the_sequence(failed: tuple[Path, str]) -> None:
    folder, _ = failed
    [file] = (folder / "traces").glob("*.run")
    told = json.loads(CliRunner().invoke(replay, [str(file), "--json"]).stdout)["divergence"]
    assert [requirement["id"] for requirement in told["requirements"]] == ["CHAT-38", "ACT-5"]
    assert told["cause"]["event"].endswith("join(turn=4, friend=3)")
    assert told["sequence"][-1]["status"] == "actual"


def test_the_report_draws_it(failed: tuple[Path, str]) -> None:
    folder, _ = failed
    page = (folder / HTML).read_text(encoding="utf-8")
    assert '<svg class="sequence"' in page
    assert "To be run in" in page


def test_each_line_and_the_picture_of_the_readmes_failure_are_what_certify_shows(
    tmp_path: Path,
) -> None:
    printed = iter(failure_of("dropped_forward", tmp_path, "two-clients").splitlines())
    text = (paths.ROOT / "README.md").read_text(encoding="utf-8")
    [block] = re.findall(r"mutants\+dropped_forward -- -x\n(.*?)```", text, re.DOTALL)
    for line in block.splitlines():
        assert line in printed, f"the README shows what is not printed there: {line!r}"
    [picture] = [file for file in write_pictures(tmp_path, tmp_path) if "failure" in file.name]
    assert f"docs/pictures/{picture.name})" in text
    kept = paths.ROOT / "docs" / "pictures" / picture.name
    assert picture.read_text() == kept.read_text(), "docs/pictures/README.md says how it is made"
