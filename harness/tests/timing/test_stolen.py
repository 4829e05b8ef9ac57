"""The time that the host takes of the cores in a call may lie beside the claim for it (MEAS-4)."""

from collections.abc import Callable
from itertools import count
from typing import Any

import pytest
from timing_fakes import TRIP, FakeSession
from timing_kit import Run

from dramaturg.machine import interference
from dramaturg.outcomes import Outcome
from dramaturg.timing.planning.scenarios import Scenario
from dramaturg.v2 import control_pb2

MILLISECOND = 1_000_000
BESIDE = 20 * MILLISECOND


class Interrupted(FakeSession):
    """It knows nothing of its third Prepare, for a while."""

    def prepare(self, *args: Any, **more: Any) -> control_pb2.PrepareResponse:
        answer = super().prepare(*args, **more)
        third = self.calls.count("prepare") == 3
        self.passed["Prepare"] = TRIP + (BESIDE if third else 0)
        return answer


@pytest.mark.parametrize(
    ("stolen", "outcome"),
    [(count(0, BESIDE), Outcome.PASS), (count(0, 0), Outcome.FAIL), (None, Outcome.FAIL)],
)
def test_what_the_host_took_is_waited_for_as_well(
    run: Run,
    start_fake: Callable[..., Any],
    pingpong: Scenario,
    monkeypatch: pytest.MonkeyPatch,
    stolen: Any,
    outcome: Outcome,
) -> None:
    monkeypatch.setattr(interference, "stolen", lambda *_: stolen and next(stolen))
    found, recorded = run(pingpong, start_fake(pingpong, kind=Interrupted), iterations=4)
    assert found is outcome, recorded.units
    assert ("(MEAS-4)" in recorded.units[0].message) == (outcome is Outcome.FAIL)
