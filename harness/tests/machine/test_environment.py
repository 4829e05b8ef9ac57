"""What a number means nothing without."""

import json
from pathlib import Path

from dramaturg import results
from dramaturg.machine import environment


def test_the_environment_says_what_the_specification_asks_for() -> None:
    captured = environment.capture()
    assert captured["cpu"]["model"]
    assert captured["cpu"]["pinned_to"]
    assert captured["cpu"]["cores"] > 0
    assert "governor" in captured["cpu"], "None where the kernel has none"
    assert captured["memory"]["total"] > 0
    assert captured["kernel"]["release"]
    assert captured["load"].keys() == {"1min", "5min", "15min"}
    assert captured["source"].keys() == {"revision", "dirty"}
    assert captured["virtualised"]


def test_the_environment_is_plain_json(tmp_path: Path) -> None:
    captured = environment.capture()
    environment.write(tmp_path, captured)
    assert json.loads((tmp_path / results.ENVIRONMENT).read_text()) == captured
    assert len(list(tmp_path.iterdir())) == 1
