"""The protocol's TLA+ model (spec/tla/): its promises hold, the published ones do not."""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from dramaturg import paths

_TLA = paths.SPEC / "tla"
_CHECKS = sorted((_TLA / "checks").glob("*.cfg"))


def check(*arguments: object, **options: Any) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(_TLA / "check.py"), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False, **options)


def judged(config: Path) -> dict[str, Any]:
    """Return check.py's result of one check; skips the test if Java or TLC is missing."""
    done = check("--json", config)
    if done.returncode == 6:
        pytest.skip(done.stderr.strip())
    report: dict[str, Any] = json.loads(done.stdout)
    (result,) = report["checks"]
    assert done.returncode == (0 if result["as_expected"] else 1), done.stderr
    return dict(result)


def changed(name: str, folder: Path, old: str, new: str) -> Path:
    text = (_TLA / "checks" / f"{name}.cfg").read_text()
    assert old in text
    file = folder / f"{name}.cfg"
    file.write_text(text.replace(old, new))
    return file


@pytest.mark.sampled(6)
@pytest.mark.parametrize("config", _CHECKS, ids=lambda file: file.stem)
def test_tlc_finds_what_the_check_expects(config: Path) -> None:
    result = judged(config)
    assert result["as_expected"], f"{result['found']}, expected: {result['expected']}"
    assert result["distinct"] > 0
    assert bool(result["counterexample"]) == result["expected"].startswith("violates")


def test_every_property_that_holds_is_broken_by_some_departure() -> None:
    texts = [file.read_text() for file in _CHECKS]
    lists = re.compile(r"^(?:INVARIANTS?|PROPERT(?:Y|IES)) (.*)", re.MULTILINE)
    holding = {
        name
        for text in texts
        if "Expect: holds" in text
        for names in lists.findall(text)
        for name in names.split()
    }
    departing = [text for text in texts if "Departures = {}" not in text]
    broken = {name for text in departing for name in re.findall(r"Expect: violates (\w+)", text)}
    assert len(holding) > 5
    assert holding <= broken


def test_an_early_confirm_is_rendered_as_a_message_sequence() -> None:
    steps = judged(_TLA / "checks" / "erratum-2-bump-overtaken.cfg")["counterexample"]
    assert steps[0]["takes"] in ("client/0 takes act(0)", "client/1 takes act(0)")
    assert re.fullmatch(r"accumulator/0 takes stop\(\d\)", steps[-1]["takes"])
    assert steps[-1]["sends"] == ["confirm(0) to poker/0"]


def test_over_three_nodes_a_shorter_way_overtakes_the_bump() -> None:
    steps = judged(_TLA / "checks" / "placed-erratum-2-three-nodes.cfg")["counterexample"]
    assert steps[-1]["takes"] == "accumulator/0 takes stop(1)"
    assert steps[-1]["sends"] == ["confirm(0) to poker/0"]
    (inviting,) = (step for step in steps if any("bump" in sent for sent in step["sends"]))
    host = int(inviting["takes"].partition("/")[2].split()[0])
    read = [step["takes"] for step in steps if "reads from" in step["takes"]]
    assert any(f"reads from node {host}: accepted" in text for text in read)
    assert not any("bump" in text for text in read), "it is on its way still"


def test_a_node_that_is_lost_is_a_step() -> None:
    steps = judged(_TLA / "checks" / "placed-mistake-lost-node.cfg")["counterexample"]
    assert steps[-1]["takes"] == "node 1 is lost"


def test_a_defect_where_none_is_expected_is_reported(tmp_path: Path) -> None:
    config = changed("erratum-2-bump-overtaken", tmp_path, "violates NoEarlyConfirm", "holds")
    assert judged(config)["found"] == "violates NoEarlyConfirm"


def test_an_expected_defect_that_is_not_found_is_reported(tmp_path: Path) -> None:
    config = changed("erratum-2-bump-overtaken", tmp_path, '{"single counter"}', "{}")
    result = judged(config)
    assert (result["found"], result["as_expected"]) == ("holds", False)


def test_a_check_that_tlc_cannot_read_does_not_hold(tmp_path: Path) -> None:
    config = changed("holds-every-end", tmp_path, "SPECIFICATION Spec", "SPECIFICATION Nothing")
    result = judged(config)
    assert (result["found"], result["as_expected"]) == ("TLC failed", False)
    assert "Nothing" in result["output"]


def test_without_java_the_exit_code_says_so(tmp_path: Path) -> None:
    done = check("holds-every-end", env={"PATH": str(tmp_path)})
    assert done.returncode == 6
    assert "there is no java" in done.stderr
    assert "apt-get install" in done.stderr


def test_a_check_that_is_not_there_is_a_usage_error() -> None:
    done = check("holds-everything")
    assert done.returncode == 2
    assert "holds-two-chats" in done.stderr
