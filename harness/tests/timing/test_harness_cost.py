"""The harness's own cost while it times: counted, and bounded."""

import time
from collections.abc import Callable
from typing import Any

from timing_fakes import FakeSession
from timing_kit import Run

from dramaturg.timing.planning.scenarios import Scenario

StartFake = Callable[..., Any]

BURNED = 0.05
"""Seconds of CPU time."""


class Busy(FakeSession):
    """While it runs the harness computes, as it does for marks or a progress bar."""

    def run(self, *rest: Any, **more: Any) -> Any:
        until = time.process_time() + BURNED
        while time.process_time() < until:
            pass
        return super().run(*rest, **more)


def test_what_the_harness_computes_in_a_run_is_in_its_record(
    run: Run, start_fake: StartFake, pingpong: Scenario
) -> None:
    quiet, busy = (
        run(pingpong, start_fake(pingpong, kind=kind), iterations=2)[1].samples[-1].ledger
        for kind in (FakeSession, Busy)
    )
    assert quiet is not None
    assert busy is not None
    assert quiet.harness_nanos is not None
    assert busy.harness_nanos is not None
    assert busy.harness_nanos >= BURNED * 1e9
    assert quiet.harness_nanos < busy.harness_nanos


def test_what_others_take_of_the_machine_is_in_the_record(
    run: Run, start_fake: StartFake, pingpong: Scenario
) -> None:
    [sample] = run(pingpong, start_fake(pingpong), iterations=1)[1].samples
    assert sample.ledger is not None
    assert sample.ledger.machine_cores
    assert sample.ledger.run_cpu_nanos is None, "no process of a fake can be looked at"
    assert all(stalled >= 0 for stalled in sample.ledger.pressure_nanos.values())
