"""A probe says what computing costs, and not what else a runtime does meanwhile (MEAS-28)."""

from collections.abc import Iterator
from typing import Any

import pytest

from dramaturg.model.fibonacci import calls
from dramaturg.timing.planning.scenarios import scenario
from dramaturg.timing.validity import probe

CALL = 5e-9
"""Seconds."""


class Runtime:
    """One that computes steadily, and spends what ``beside`` yields beside that, call by call."""

    def __init__(self, beside: Iterator[float]) -> None:
        self.process = self
        self._beside = beside
        self._spent = 0.0
        self.salts: set[int] = set()

    def cpu_seconds(self) -> float:
        return self._spent

    def describe(self, probes: list[Any], timeout: float) -> None:
        (asked,) = probes
        parts = calls(asked.fibonacci.n)
        if asked.HasField("payloads"):
            self.salts.add(asked.payloads.salt)
            parts = asked.payloads.tasks * asked.payloads.size
        self._spent += parts * CALL + next(self._beside)


def _rare(*first: float) -> Iterator[float]:
    yield from first
    while True:
        yield 0.0001


@pytest.mark.parametrize("beside", [(), (0.4,), (0.0, 0.0, 3.0), (0.4, 0.2, 0.1, 0.06)])
def test_what_a_compiler_takes_at_first_is_no_price_of_a_call(beside: tuple[float, ...]) -> None:
    of: Any = Runtime(_rare(*beside))
    found = probe.nanos(of, scenario("chatapp", "default", "tiny"), 10)
    assert found == pytest.approx(CALL * 1e9, rel=0.05)


def test_what_computes_nothing_is_not_probed() -> None:
    of: Any = Runtime(iter(()))
    assert probe.nanos(of, scenario("pingpong", scale="tiny"), 10) == 0


def test_payloads_are_probed_at_their_size_with_a_salt_each_time() -> None:
    of: Any = Runtime(_rare())
    asked = scenario("broker", overrides={"employees": 2, "tasks": 5, "size": 4000})
    found = probe.nanos(of, asked, 10)
    assert found == pytest.approx(CALL * 1e9, rel=0.05)
    assert len(of.salts) > probe.LOOKS
