"""The conditions of a predicate on figures: contrasts between units, each between two bounds."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise, product

import numpy as np
from numpy.typing import NDArray

from dramaturg.claims import catalogue, decide
from dramaturg.claims.catalogue import Over, Unit, along

Figures = NDArray[np.float64]
"""Logarithms of speeds: a line for each round, a column for each unit."""

Contrast = Callable[[Figures], Figures]
"""One figure for each round."""


@dataclass(frozen=True)
class Term:
    """One contrast, and where it has to lie."""

    label: str
    units: Sequence[Unit]
    contrast: Contrast
    low: float = -math.inf
    high: float = math.inf
    unit: str = decide.TIMES


Alternatives = list[list[Term]]
"""A predicate holds if all terms of one of these do."""


def terms(of: catalogue.Predicate) -> Alternatives:
    """The terms of every predicate except one that counts crashes."""
    match of:
        case catalogue.Ratio():
            return [_pairs(of.of, of.to, of.over, _log(of.above, -1), _log(of.below, 1))]
        case catalogue.Equal():
            margin = math.log1p(of.within)
            return [_pairs(of.of, of.to, of.over, -margin, margin)]
        case catalogue.Order():
            by = math.log(of.by)
            return [
                [
                    term
                    for upper, lower in pairwise(of.ranks)
                    for one, other in product(upper, lower)
                    for term in _pairs(one, other, of.over, by, math.inf)
                ]
            ]
        case catalogue.Rises():
            return [_steps(of.of, of.over, math.log(of.by), math.inf)]
        case catalogue.Falls():
            return [_steps(of.of, of.over, -math.inf, -math.log(of.by))]
        case catalogue.Peak():
            elsewhere = [value for value in of.over.values if value not in of.there]
            return [
                [_step(of.of, of.over, top, other, 0.0, math.inf) for other in elsewhere]
                for top in of.there
            ]
        case catalogue.Slope():
            low = -math.inf if of.above is None else of.above
            high = math.inf if of.below is None else of.below
            label = f"{of.of.system}, slope over {of.over.axis}"
            units = along(of.of, of.over)
            return [[Term(label, units, _slope(of), low, high, decide.PLAIN)]]
        case catalogue.Value():
            low, high = _log(of.above, -1), _log(of.below, 1)
            return [[Term(of.of.system, [of.of], _milliseconds, low, high, decide.MS)]]
    raise AssertionError(of)


def _pairs(one: Unit, other: Unit, over: Over | None, low: float, high: float) -> list[Term]:
    """The ratio of two units, at each point of the axis."""
    points = [""] if over is None else [f", {over.axis} {value:g}" for value in over.values]
    label = f"{_spelt(one)} / {_spelt(other)}"
    return [
        Term(label + point, pair, _difference, low, high)
        for pair, point in zip(
            zip(along(one, over), along(other, over), strict=True), points, strict=True
        )
    ]


def _steps(unit: Unit, over: Over, low: float, high: float) -> list[Term]:
    """The ratio of each point of the axis to the one before."""
    return [_step(unit, over, after, before, low, high) for before, after in pairwise(over.values)]


def _step(unit: Unit, over: Over, one: float, other: float, low: float, high: float) -> Term:
    label = f"{unit.system}, {over.axis} {one:g} / {other:g}"
    units = [catalogue.at(unit, over.axis, value) for value in (one, other)]
    return Term(label, units, _difference, low, high)


def _spelt(unit: Unit) -> str:
    """Its name, and what of the setup is its own."""
    own = unit.model_dump(exclude_unset=True, exclude={"system", "parameters", "measure"})
    said = ", ".join(f"{key} {value}" for key, value in (own | unit.parameters).items())
    return f"{unit.system} ({said})" if said else unit.system


def _difference(speeds: Figures) -> Figures:
    return np.asarray(speeds[:, 0] - speeds[:, 1])


def _milliseconds(speeds: Figures) -> Figures:
    return np.asarray(math.log(1e3) - speeds[:, 0])


def _slope(of: catalogue.Slope) -> Contrast:
    logarithmic = of.axes == "log-log"
    places = np.array(of.over.values, dtype=np.float64)
    places = np.log(places) if logarithmic else places
    places = places - places.mean()
    weights = places / np.sum(places**2)

    def slope(speeds: Figures) -> Figures:
        if logarithmic:
            return np.asarray(speeds @ weights)
        values = np.exp(speeds)
        return np.asarray(values @ weights / values.mean(axis=1))

    return slope


def _log(bound: float | None, side: int) -> float:
    return side * math.inf if bound is None else math.log(bound)
