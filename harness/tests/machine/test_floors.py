"""The least costs of things on this machine are measured once, with their source."""

import json
import shutil
from pathlib import Path

import pytest

from dramaturg.machine import floors

needs_compiler = pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler")


@needs_compiler
def test_the_cost_of_a_call_is_measured_once_and_remembered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    first = floors.calibrate()
    assert 0.01 < first.nanos < 5
    assert "cc -O3" in first.source
    (file,) = tmp_path.glob("dramaturg/fibonacci-*.json")
    file.write_text(json.dumps({"nanos": [3.0]}))
    assert floors.calibrate().nanos == 3.0 * floors.MARGIN


def test_without_a_compiler_the_cost_is_assumed_and_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: None)
    cost = floors.calibrate()
    assert cost.nanos == floors.DEFAULT_COST
    assert "no C compiler" in cost.source
    assert cost.handover == 0.0
    assert cost.handover_source == "not run: there is no C compiler to calibrate with"


@needs_compiler
def test_to_hand_over_within_a_thread_costs_less_than_between_two(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    cost = floors.calibrate()
    assert 0.01 < cost.handover < cost.crossing
    assert "in C with `cc -O3`" in cost.handover_source


@needs_compiler
def test_figures_that_are_none_are_measured_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    floors.calibrate()
    for file in tmp_path.glob("dramaturg/*.json"):
        file.write_text(json.dumps({"nanos": [0.0, 0.0]}))
    assert floors.calibrate().nanos > 0
