"""The suite that looks for false alarms reaches what it is for, and says what it does not reach."""

import importlib.util
import re
import sys
from types import ModuleType

import pytest

from dramaturg import paths
from dramaturg.model.workload import MICRO
from dramaturg.timing.planning import suites
from dramaturg.timing.planning.scenarios import CHATAPP

FOLDER = paths.ROOT / "harness" / "benchmarks"
VALIDITY = paths.ROOT / "harness" / "dramaturg" / "timing" / "validity"


@pytest.fixture(scope="module")
def ledger() -> ModuleType:
    sys.path.insert(0, str(FOLDER))
    try:
        of = importlib.util.spec_from_file_location("bench_ledger", FOLDER / "bench_ledger.py")
        assert of is not None
        assert of.loader is not None
        module = importlib.util.module_from_spec(of)
        of.loader.exec_module(module)
    finally:
        sys.path.remove(str(FOLDER))
    return module


def test_every_benchmark_is_in_it_and_one_core_and_two_nodes(ledger: ModuleType) -> None:
    suite = suites.load(str(ledger.SUITE))
    assert {entry.benchmark for entry in suite.benchmarks} == {CHATAPP, *MICRO}
    assert any(entry.cores == 1 for entry in suite.benchmarks)
    assert any(entry.network.nodes == 2 for entry in suite.benchmarks)


def test_a_bound_that_no_run_was_held_against_is_not_run(ledger: ModuleType) -> None:
    said = ledger.of_bounds({"closing": (0.4, "erlang big"), "look-naps": (0.0, "erlang sleepers")})
    assert said[:2] == ["closing: 0.40 of it at most, in erlang big", "look-naps: none of it"]
    assert "look-work: not run: no iteration was held against it" in said
    assert len(said) == len(ledger.BOUNDS)


def test_every_bound_that_is_named_is_known_to_it(ledger: ModuleType) -> None:
    """Bounds are named where they are held. One is held against all samples of an invocation
    together, and its share is in no record."""
    named = {
        name
        for file in VALIDITY.glob("*.py")
        for name in re.findall(r"\.(?:hold|exact|never)\(\s*\"([^\"]+)\"", file.read_text())
    }
    named |= {
        name
        for file in VALIDITY.glob("*.py")
        for name in re.findall(r"margins\[\"([^\"]+)\"\]", file.read_text())
    }
    assert len(named) > 10
    assert named - {"look-dearer"} <= set(ledger.BOUNDS)
