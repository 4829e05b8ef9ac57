"""Bytes per actor are the growth of a peak, which nobody sees below an earlier one."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from timing_kit import Run

from dramaturg.processes import consumption
from dramaturg.timing.planning.scenarios import Scenario, scenario
from dramaturg.timing.validity import actor_memory
from dramaturg.timing.validity.actor_memory import HIDDEN, doubts
from dramaturg.timing.validity.iteration import Measured

MIB = 1 << 20


def test_growth_that_nothing_hides_is_believed() -> None:
    assert doubts(100 * MIB, HIDDEN, actors=1000) == []


def test_no_growth_is_no_measurement() -> None:
    for grown in (0, -MIB):
        assert doubts(grown, 0, actors=1000) == [
            "bytes per actor are not measured: Run did not raise the peak of memory"
        ]


def test_what_was_held_before_may_have_hidden_more() -> None:
    (said,) = doubts(MIB, 1000 * MIB, actors=1000)
    assert said.startswith(f"bytes per actor may be {MIB} more: when Run was called the peak was")
    assert "1000 MiB above what was held" in said


def test_it_is_the_first_prepare_that_is_asked() -> None:
    then = consumption.Used(0.0, 900 * MIB, 70 * MIB, 0.0)
    now = consumption.Used(0.0, 950 * MIB, 80 * MIB, 0.0)
    measured: Any = SimpleNamespace(iteration=0, made=[then, then], peak_memory=2 * now.peak_memory)
    assert Measured.grown_memory.fget(measured) == 100 * MIB  # type: ignore[attr-defined]
    assert Measured.hidden_memory.fget(measured) == 2 * 830 * MIB  # type: ignore[attr-defined]
    measured.iteration = 1
    assert Measured.grown_memory.fget(measured) is None  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", ["chain", "pingpong"])
def test_an_invocation_of_chain_says_it(
    run: Run, start_fake: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr(actor_memory, "doubts", lambda grown, hidden, actors: [f"of {actors}"])
    of: Scenario = scenario(name, overrides={"length": 7} if name == "chain" else {"rounds": 10})
    _, recorded = run(of, start_fake(of))
    assert ("of 7" in recorded.units[0].doubts) is (name == "chain")
