"""Decisions by figures: intervals of invocations' figures, and the price of several verdicts.

Every quantity has one figure for each round of a run: a contrast of the logarithms of what
the implementations' invocations took in that round. They ran interleaved, so what the machine
did meanwhile met all of them. Rounds are independent, and few: Student's t is used, whose
level holds for few. (A bootstrap over three to twelve invocations does not keep its level.)
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

FEWEST = 3
"""Rounds below which nothing is said: with two a chance agreement has an interval of no width."""

MANY = 1000
"""Rounds beyond which nobody is asked to go: a figure so close to a bound is as good as on it."""


TIMES, MS, PLAIN = "times", "ms", ""
"""The unit of a figure: how many times as fast, milliseconds, or none."""


class Verdict(StrEnum):
    """The verdict on a claim."""

    CONFIRMED = "confirmed"
    REFUTED = "refuted"
    NOT_DECIDED = "not decided"
    NOT_HERE = "not decidable here"
    NOT_MEASURED = "not measured yet"
    NO_CLAIM = "no claim"


@dataclass(frozen=True)
class Atom:
    """One quantity that has to lie between two bounds, and its figure in each round."""

    label: str
    figures: tuple[float, ...]
    low: float = -math.inf
    high: float = math.inf
    unit: str = TIMES
    """Figures and bounds of TIMES and MS are logarithms."""
    count: int = 0
    """Number of times that it was seen, if it is a share of ``n`` trials, not a mean of figures."""
    n: int = 0

    @property
    def rounds(self) -> int:
        return self.n or len(self.figures)

    @property
    def value(self) -> float:
        return self.count / self.n if self.n else float(np.mean(self.figures))

    def interval(self, level: float) -> tuple[float, float]:
        """Return the interval that misses with this probability, half of it at each end."""
        from scipy import stats  # A second, which who only lists claims need not wait.

        if self.n:
            tried = stats.binomtest(self.count, self.n)
            found = tried.proportion_ci(1 - level, method="exact")
            return float(found.low), float(found.high)
        if self._alike:
            return -math.inf, math.inf
        half = float(stats.t.isf(level / 2, self.rounds - 1)) * self._error
        return self.value - half, self.value + half

    def against(self, bound: float) -> float:
        """The level at which the interval just ends at this bound."""
        from scipy import stats

        if math.isinf(bound):
            return 0.0
        if self.n:
            side = "greater" if self.value > bound else "less"
            return min(1.0, 2 * float(stats.binomtest(self.count, self.n, bound, side).pvalue))
        if self._alike:
            return 1.0
        distance = abs(self.value - bound) / self._error
        return min(1.0, 2 * float(stats.t.sf(distance, self.rounds - 1)))

    @property
    def _alike(self) -> bool:
        """Figures that agree to the last digit are no measurement."""
        return self._error < 1e-12

    @property
    def _error(self) -> float:
        return float(np.std(self.figures, ddof=1)) / math.sqrt(len(self.figures))

    @property
    def inside(self) -> bool:
        return self.low < self.value < self.high

    @property
    def confirms(self) -> float:
        """The level at which the interval just lies inside."""
        return max(self.against(self.low), self.against(self.high)) if self.inside else 1.0

    @property
    def refutes(self) -> float:
        """The level at which the interval just lies outside."""
        if self.inside:
            return 1.0
        return self.against(self.low if self.value <= self.low else self.high)

    def enough(self, level: float) -> int:
        """Return the number of rounds that would decide, if they went on like this: a rule of
        thumb. The width of an interval shrinks with the root of their number."""
        low, high = self.interval(level)
        finite = [
            abs(self.value - bound) for bound in (self.low, self.high) if math.isfinite(bound)
        ]
        distance, half = min(finite), (high - low) / 2
        if distance * math.sqrt(MANY) <= half * math.sqrt(self.rounds):
            return MANY
        return max(self.rounds + 1, math.ceil(self.rounds * (half / distance) ** 2))


@dataclass(frozen=True)
class Question:
    """A predicate with its figures: all atoms of one of the alternatives must hold."""

    alternatives: tuple[tuple[Atom, ...], ...]
    looks: int = 1
    """Number of its runs: whoever measures until it is decided looks as often."""

    @property
    def atoms(self) -> list[Atom]:
        return [atom for alternative in self.alternatives for atom in alternative]

    @property
    def confirms(self) -> float:
        """All of one alternative; of several, each could have been it by chance."""
        best = min(max(atom.confirms for atom in all_of) for all_of in self.alternatives)
        return min(1.0, len(self.alternatives) * best)

    @property
    def refutes(self) -> float:
        """One in each alternative; of several in one, each could have been it by chance."""
        return min(
            1.0,
            max(len(all_of) * min(atom.refutes for atom in all_of) for all_of in self.alternatives),
        )

    @property
    def paid(self) -> float:
        """The level at which it is just decided, with its looks paid: the k-th has the 2^k-th part
        of the level, so all that will ever be have no more than the whole."""
        return float(min(1.0, min(self.confirms, self.refutes) * 2.0**self.looks))


@dataclass(frozen=True)
class Decision:
    """The decision of a question, and its level."""

    verdict: Verdict
    level: float
    """The level of the intervals by which it was decided: Holm's procedure, looks and alternatives
    leave so much of the page's level."""


def decide(questions: Sequence[Question], level: float) -> list[Decision]:
    """A verdict on each; that any of them is false has at most this probability.

    Holm's procedure: the clearest has to be clear at level / m, the next at level / (m - 1), and
    so on until one is not; that one and the others are not decided.
    """
    order = sorted(range(len(questions)), key=lambda number: questions[number].paid)
    found: dict[int, Decision] = {}
    going_on, share = True, level
    for done, number in enumerate(order):
        question = questions[number]
        if going_on:
            share = level / (len(questions) - done)
            going_on = question.paid <= share
        at = share / 2.0**question.looks
        if not going_on:
            most = max(len(all_of) for all_of in question.alternatives)
            most = max(most, len(question.alternatives))
            found[number] = Decision(Verdict.NOT_DECIDED, at / most)
        elif question.confirms <= question.refutes:
            found[number] = Decision(Verdict.CONFIRMED, at / len(question.alternatives))
        else:
            most = max(len(all_of) for all_of in question.alternatives)
            found[number] = Decision(Verdict.REFUTED, at / most)
    return [found[number] for number in range(len(questions))]
