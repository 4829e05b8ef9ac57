"""The number of repetitions, by a pilot's variation and cost (docs/suites.md, "How often").

Kalibera and Jones, Rigorous Benchmarking in Reasonable Time (ISMM 2013), for two levels:
iterations within an invocation, and invocations.
"""

import math
import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean, variance

from dramaturg.records import SampleRecord, UnitRecord
from dramaturg.results import Recorded
from dramaturg.timing.planning.suites import SuiteError
from dramaturg.timing.planning.timing_plan import Plan, Unit
from dramaturg.timing.planning.unit_records import speaks_of
from dramaturg.timing.statistics import estimates

PILOT = 5
"""Invocations of a pilot: with fewer, nothing can be said of how they differ."""

FEWEST = estimates.FEW_INVOCATIONS
MOST = 100
"""Invocations, and iterations in each, that are planned at most."""

WIDEST = 0.5
"""Half of the mean: a wider interval is no precision."""


@dataclass(frozen=True, slots=True)
class Varied:
    """The variation of one unit that a pilot showed. Variances are relative to the square of the
    mean."""

    within: float
    """Variance of iterations within an invocation: T1²."""
    between: float
    """Variance of invocations beyond that: T2²; 0 if theirs is explained by their iterations."""
    iteration: float
    """Cost of an iteration, in seconds: c1."""
    invocation: float
    """Cost of an invocation beside the iterations that count, in seconds: c2."""
    iterations: int
    """Number of iterations that counted in each invocation, on the average."""


def parsed(text: str) -> float:
    """``2%`` as a share. Raises SuiteError."""
    found = re.fullmatch(r"\s*(\d{1,3}(?:\.\d{1,6})?)\s*%\s*", text)
    share = float(found[1]) / 100 if found else 0.0
    if not 0 < share <= WIDEST:
        raise SuiteError(f"--precision {text} must be in percent, above 0% and up to {WIDEST:.0%}")
    return share


def planned(made: Plan, pilot: Recorded, target: float) -> Plan:
    """The plan with as many invocations and iterations as the pilot asks for, so that the mean run
    time would be known to ``target``, a share of it. Units of which the pilot has too little keep
    what they have, and say so."""
    units = [_planned(unit, pilot, target) for unit in made.units]
    return made.model_copy(update={"units": units})


def _planned(unit: Unit, pilot: Recorded, target: float) -> Unit:
    ended = [record for record in pilot.units if speaks_of(record, unit)]
    samples = _steady(pilot.samples, ended)
    if len(samples) < 2:
        return unit.model_copy(
            update={"planned": f"{target:.2%} asked for, and the pilot has fewer than two"
                    " invocations of it: as the suite says"}
        )  # fmt: skip
    varied = variation(samples, ended)
    warmup = max((record.warmup for record in ended), default=unit.warmup)
    iterations = iterations_for(varied)
    invocations = invocations_for(varied, iterations, target)
    reached = half_width(varied, iterations, invocations)
    said = (
        f"{target:.2%} asked for; by a pilot of {len(samples)} invocations ({varied.within:.3g}"
        f" within and {varied.between:.3g} between invocations, {varied.iteration:.3g} s and"
        f" {varied.invocation:.3g} s) {reached:.2%} are expected"
    )
    if reached > target:
        said += f", since there are at most {MOST} invocations"
    update = {"invocations": invocations, "iterations": warmup + iterations, "warmup": warmup}
    return unit.model_copy(update=update | {"planned": said})


def _steady(
    samples: Sequence[SampleRecord], ended: Sequence[UnitRecord]
) -> list[list[SampleRecord]]:
    """Return the samples that count, by invocation."""
    of = {(record.implementation, record.what) for record in ended}
    found: dict[int, list[SampleRecord]] = defaultdict(list)
    for sample in samples:
        counts = sample.valid and not sample.warmup and sample.compared_nanos > 0
        if counts and (sample.implementation, sample.what) in of:
            found[sample.invocation].append(sample)
    return list(found.values())


def variation(samples: Sequence[Sequence[SampleRecord]], ended: Sequence[UnitRecord]) -> Varied:
    """The variation of two invocations or more. An estimate of a variance can come out below 0,
    and is 0 then."""
    times = [[sample.compared_nanos for sample in each] for each in samples]
    means = [fmean(each) for each in times]
    mean = fmean(means)
    several = [each for each in times if len(each) > 1]
    within = fmean(variance(each) for each in several) if several else 0.0
    iterations = fmean(len(each) for each in times)
    between = max(0.0, variance(means) - within / iterations)
    iteration = fmean(sample.iteration_nanos for each in samples for sample in each) / 1e9
    timed = [record for record in ended if record.samples]
    whole = fmean(record.seconds for record in timed) if timed else iteration
    return Varied(
        within=within / mean**2,
        between=between / mean**2,
        iteration=iteration,
        invocation=max(whole - iterations * iteration, iteration),
        iterations=round(iterations),
    )


def iterations_for(varied: Varied) -> int:
    """Return the number of iterations in each invocation: the root of (c2 / c1) * (T1² / T2²),
    rounded up. It is the pilot's if nothing shows that invocations differ."""
    if not varied.between:
        return max(1, varied.iterations)
    best = math.sqrt(varied.invocation / varied.iteration * varied.within / varied.between)
    return min(MOST, max(1, math.ceil(best)))


def invocations_for(varied: Varied, iterations: int, target: float) -> int:
    """The fewest with which half of a confidence interval of the mean is no wider than that."""
    return next(
        (n for n in range(FEWEST, MOST) if half_width(varied, iterations, n) <= target), MOST
    )


def half_width(varied: Varied, iterations: int, invocations: int) -> float:
    """The half width of the confidence interval of the mean, relative to it: Student's t for n - 1
    times the root of (T2² + T1² / iterations) / n."""
    from scipy.stats import t as student  # A second, which only a pilot needs.

    quantile = float(student.ppf((1 + estimates.LEVEL) / 2, invocations - 1))
    variance_of_one = varied.between + varied.within / iterations
    return quantile * math.sqrt(variance_of_one / invocations)
