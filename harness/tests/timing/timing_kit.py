"""A plan of one unit, carried out on the fake implementation."""

import dataclasses
from pathlib import Path
from typing import Any

from dramaturg import results
from dramaturg.implementation.manifest import Implementation
from dramaturg.machine.floors import Cost
from dramaturg.outcomes import Outcome
from dramaturg.results import Recorded, Writer
from dramaturg.timing.planning.scenarios import Scenario
from dramaturg.timing.planning.suites import NetworkRequest
from dramaturg.timing.planning.timing_plan import Plan, Unit
from dramaturg.timing.running.runner import Runner

FREE = Cost(nanos=0.0, source="test", cores=1)
LOCAL = NetworkRequest()


@dataclasses.dataclass
class Run:
    """One plan carried out on the fake, and what was recorded of it."""

    folder: Path
    fake: Implementation

    def __call__(
        self,
        of: Scenario,
        start: Any,
        *,
        network: NetworkRequest = LOCAL,
        invocations: int = 1,
        iterations: int = 2,
        certified: bool = True,
        uncertified: bool = False,
        cost: Cost = FREE,
    ) -> tuple[Outcome, Recorded]:
        unit = Unit(
            implementation="fake",
            scenario=of,
            network=network,
            invocations=invocations,
            iterations=iterations,
            warmup=0,
            timeout=10,
        )
        plan = Plan(suites=["test"], seed=1, units=[unit])
        file = self.folder / results.TIMINGS
        with Writer(file) as writer:
            runner = Runner(
                plan,
                {"fake": self.fake},
                writer,
                self.folder,
                is_certified=lambda implementation: certified,
                uncertified=uncertified,
                cost=cost,
                start=start,
            )
            outcome = runner.run()
        return outcome, results.read(file)
