"""The facts without which a number means nothing."""

import json
import shutil
from pathlib import Path

import pytest

from dramaturg import paths, results
from dramaturg.compiled import loading
from dramaturg.machine import environment, source


def test_the_environment_says_what_the_specification_asks_for() -> None:
    captured = environment.capture()
    assert captured["cpu"]["model"]
    assert captured["cpu"]["pinned_to"]
    assert captured["cpu"]["cores"] > 0
    assert "governor" in captured["cpu"], "None where the kernel has none"
    assert captured["memory"]["total"] > 0
    assert captured["kernel"]["release"]
    assert captured["load"].keys() == {"1min", "5min", "15min"}
    assert source.found().keys() == {"revision", "dirty"}
    assert captured["virtualised"]
    assert captured["model"] == loading.described(), "which model decides"


def test_the_environment_is_plain_json(tmp_path: Path) -> None:
    captured = environment.capture()
    environment.write(tmp_path, captured)
    assert json.loads((tmp_path / results.ENVIRONMENT).read_text()) == captured
    assert len(list(tmp_path.iterdir())) == 1


@pytest.mark.parametrize(
    ("file", "counts"),
    [
        ("timing/running/runner.py", True),
        ("machine/handover.c", True),
        ("records.py", True),
        ("report/html.py", False),
        ("cli/history.py", False),
        ("timing/planning/suites/tiny.yaml", False),
    ],
)
def test_which_harness_it_is_depends_on_what_measures(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, file: str, counts: bool
) -> None:
    package = tmp_path / "dramaturg"
    ignored = shutil.ignore_patterns("__pycache__", "v2", "data")
    shutil.copytree(paths.ROOT / "harness" / "dramaturg", package, ignore=ignored)
    monkeypatch.setattr(environment, "_PACKAGE", package)
    before = environment.harness.__wrapped__()
    assert before == environment.harness()
    (package / file).write_text((package / file).read_text() + "\n")
    assert (environment.harness.__wrapped__() != before) is counts


def test_every_room_measures_or_is_said_to_read_alone() -> None:
    layers = {file.parent.name for file in environment._PACKAGE.glob("*/__init__.py")}
    assert set(environment.READERS) <= layers
    above = (
        "cli",
        "site",
        "template",
        "claims",
        "cluster",
        "history",
        "mutation",
        "report",
        "table",
        "terminal",
    )
    assert {*above, "certificates"} == set(environment.READERS)
