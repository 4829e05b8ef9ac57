"""The content of the first page, and its links."""

import re
import runpy
from pathlib import Path

import pytest
import yaml

from dramaturg import paths

README = (paths.ROOT / "README.md").read_text(encoding="utf-8")
SCRIPT = paths.ROOT / "harness" / "scripts" / "first_page_pictures.py"


@pytest.mark.parametrize("name", ["chatapp-turn", "verdict-flow"])
def test_a_drawing_is_what_its_script_draws(name: str) -> None:
    drawn = runpy.run_path(str(SCRIPT))
    draw = {"chatapp-turn": drawn["turn"], "verdict-flow": drawn["verdict"]}[name]
    kept = (paths.ROOT / "docs" / "pictures" / f"{name}.svg").read_text(encoding="utf-8")
    assert draw() == kept, "run harness/scripts/first_page_pictures.py"
    assert f"docs/pictures/{name}.svg" in README


def test_a_turn_has_messages_and_actors_of_the_protocol() -> None:
    steps = runpy.run_path(str(SCRIPT))["TURN"]
    kinds = (paths.PROTO / "dramaturg" / "v2" / "trace.proto").read_text(encoding="utf-8").lower()
    for source, target, message in steps:
        kind = message.partition("(")[0]
        receiver = target.partition("/")[0]
        assert f"kind_{receiver}_{kind} " in kinds or f"{receiver}_{kind} " in kinds, message
        assert f"{source.partition('/')[0]}" in kinds


def test_six_rows_say_where_to_go_on_and_every_page_is_listed_once() -> None:
    table = README[README.index("## Where to go on") :]
    assert len(re.findall(r"^\| (?!to |---)", table, re.MULTILINE)) == 6
    index = (paths.ROOT / "docs" / "README.md").read_text(encoding="utf-8")
    listed = re.findall(r"\[([^]]+)\]\(\1\)", index)
    pages = {file.name for file in (paths.ROOT / "docs").glob("*.md")} - {"README.md"}
    assert sorted(listed) == sorted({*pages, "pictures/README.md"})


def test_the_citation_has_the_packages_version_and_the_papers_address() -> None:
    cited = yaml.safe_load((paths.ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    project = (paths.ROOT / "harness" / "pyproject.toml").read_text(encoding="utf-8")
    assert f'\nversion = "{cited["version"]}"\n' in project
    literature = (paths.ROOT / "docs" / "literature.md").read_text(encoding="utf-8")
    assert all(each["doi"] in literature for each in cited["references"])


@pytest.mark.parametrize(
    "file",
    sorted((paths.ROOT / ".github" / "ISSUE_TEMPLATE").glob("[!c]*.yml")),
    ids=lambda f: f.stem,
)
def test_an_issue_template_is_a_form(file: Path) -> None:
    form = yaml.safe_load(file.read_text(encoding="utf-8"))
    assert set(form) == {"name", "description", "body"}
    for field in form["body"]:
        assert field["type"] in {"input", "textarea"}
        assert set(field["attributes"]) <= {"label", "description", "render"}


def test_a_workflow_runs_the_tests() -> None:
    text = (paths.ROOT / ".github" / "workflows" / "test.yml").read_text(encoding="utf-8")
    assert "run: make test\n" in text
