"""The computes that had been done by a look in the midst of a run (spec/measurements.md, MEAS-28).

CPU time says that numbers were computed, and not that they were computed before they were answered.
A look does: what a browser has taken as an answer was computed by then, and an actor that takes its
next message has done the one before.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from dramaturg.model import names
from dramaturg.model.workload import MICRO
from dramaturg.timing.planning.scenarios import Scenario
from dramaturg.timing.validity.bound_findings import Shown
from dramaturg.timing.validity.plausibility import LITTLE, REFUSED


@dataclass(frozen=True, slots=True)
class Computing:
    """The work of one compute."""

    nanos: float = 0.0
    """Nanoseconds of one as a probe; 0 if nothing is computed, or nobody knows."""
    at_once: int = 1
    """The number that can be under way at the same time."""


NOTHING = Computing()


class At(Protocol):
    """A look."""

    @property
    def answered(self) -> int: ...

    @property
    def taken(self) -> Mapping[int, int]: ...


def hold(scenario: Scenario, computing: Computing, seen: Sequence[At], found: Shown) -> None:
    """Check that what had been computed when a look was answered can have been computed since `Run`
    was sent."""
    if not computing.nanos or scenario.benchmark not in MICRO:
        return
    for of_class, others in MICRO[scenario.benchmark].computing.items():
        for look in seen:
            taken = [n for actor, n in look.taken.items() if names.class_of(actor) == of_class]
            computes = sum(max(0, n - others) for n in taken)
            if computes * computing.nanos < LITTLE * 1e9:
                continue
            shortest = computes * computing.nanos / computing.at_once
            text = (
                f"{look.answered / 1e9:.3f} s after `Run` was sent {computes} computes had been"
                f" done, by a look in its midst; as a probe, with {computing.at_once} at once, they"
                f" take {shortest / 1e9:.3f} s, expected at least half of that: they were answered"
                " before they were done (MEAS-28)"
            )
            found.hold("look-work", REFUSED * shortest / max(1, look.answered), text)
