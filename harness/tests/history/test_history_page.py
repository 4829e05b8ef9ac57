"""The views of a history: the same in the terminal, as data and as a page."""

import json
import re
from pathlib import Path

import jsonschema
import pytest
from click.testing import CliRunner
from history_kit import HARNESS, history, session, sessions
from test_lines import STEP

from dramaturg.cli.history import history as command
from dramaturg.history import history_page
from dramaturg.history.document import SCHEMA_FILE, schema_text


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A step, and a week later another harness."""
    root = sessions(tmp_path_factory.mktemp("history") / "results", STEP)
    sessions(root, STEP[:3], start=20, harness=HARNESS | {"version": "0.2.0"})
    session(root / "short", 1.0, 40, many=2, harness=HARNESS | {"version": "0.2.0"})
    return root


def test_the_terminal_has_lines_changes_cuts_and_gaps(root: Path) -> None:
    done = CliRunner().invoke(command, [str(root)])
    assert done.exit_code == 0, done.output
    # As a table, or, where names of folders leave no room for it, with the heads beside the cells.
    table = r" +15 +1 +×0\.990 +1 change"
    lines = r"\n +points 15, cuts 1, last ×0\.990, 1 change"
    name = "chatapp mixed, small scale, local +erlang"
    assert re.search(f"{name}({table}|{lines})", done.stdout)
    assert "slower ×1.2" in done.stdout
    assert "between 000000000006 and 000000000007" in done.stdout
    assert "too few points: 3; 10 or more are needed" in done.stdout
    assert "1 without a point; the last: " in done.stdout
    assert "1 cut where the harness changed: nothing is compared over it." in done.stdout


def test_the_data_fulfil_their_schema(root: Path) -> None:
    done = CliRunner().invoke(command, [str(root), "--json"])
    said = json.loads(done.stdout)
    jsonschema.validate(said, json.loads(SCHEMA_FILE.read_text(encoding="utf-8")))
    assert said["version"] == 1
    assert said["lines"][0]["stretches"][0]["changes"][0]["at"] == 7


def test_the_schema_file_is_that_of_the_model() -> None:
    assert SCHEMA_FILE.read_text(encoding="utf-8") == schema_text(), (
        "regenerate it: python -m dramaturg.history.document"
    )


def test_a_page_has_each_line_with_its_marks_and_needs_no_network(
    root: Path, tmp_path: Path
) -> None:
    file = tmp_path / "new" / "history.html"
    done = CliRunner().invoke(command, [str(root), "--page", str(file)])
    assert done.exit_code == 0, done.output
    text = file.read_text(encoding="utf-8")
    assert text.count("<circle") == 15
    assert text.count('class="mark slower"') == 1
    assert text.count('class="mark cut"') == 1
    assert "000000000006" in text
    assert "prefers-color-scheme: dark" in text
    assert not re.search(r"https?://(?!www\.w3\.org)|<script|<link|@import|url\(", text)


def test_what_strangers_wrote_is_text_on_a_page(tmp_path: Path) -> None:
    evil = '<script>alert("x")</script>'
    commits = {"erlang": {"commit": evil, "modified": True}}
    root = sessions(tmp_path / "results", STEP, commits=commits)
    session(tmp_path / "results" / "b", 1.0, 30, harness={"version": evil, "digest": evil})
    text = history_page.text(history(root))
    assert "<script" not in text
    assert "&lt;script&gt;" in text


def test_a_line_without_a_point_has_no_picture_and_says_why(tmp_path: Path) -> None:
    text = history_page.text(history(session(tmp_path / "a", 1.0, 0, many=2)))
    assert "<svg" not in text
    assert "2 pairs with the baseline" in text


def test_one_point_has_a_picture(tmp_path: Path) -> None:
    assert history_page.text(history(session(tmp_path / "a", 1.0, 0))).count("<circle") == 1
