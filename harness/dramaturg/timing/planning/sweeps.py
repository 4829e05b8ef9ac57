"""Axes of suites: what an entry is run at several values of (docs/suites.md).

An axis is a word of the network or a parameter of the benchmark. The values of an entry's axes
give its points; each point is timed as an entry of its own would be.
"""

import itertools
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from dramaturg.records import Value

NETWORK = ("nodes", "bandwidth", "delay", "loss")

PLACE = ("cores", "variant")
"""Axes that are neither the network's nor the benchmark's."""

PLAIN = "plain"
"""The value of ``variant`` for the program as it is without one."""

UNITS = {"bandwidth": "Mbit/s", "delay": "ms", "loss": "%"}
"""The units of axes that have one."""

TWO_AXES = "broker"
"""The benchmark that was published over two: payload and workers."""

MOST = sys.float_info.max
"""The largest value of an axis that is a number."""

MOST_VALUES = 64
"""On one axis: each is a line of every table, and minutes."""


def shown(value: Value) -> str:
    """As people write it: ``5``, ``0.5``, ``yes``."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:g}" if isinstance(value, float) else str(value)


def spelt(axes: Mapping[str, Value]) -> str:
    """``delay 5``"""
    return ", ".join(f"{axis} {shown(value)}" for axis, value in axes.items())


def points(sweep: Mapping[str, Sequence[Value]]) -> Iterator[dict[str, Value]]:
    """The values of each point, the last axis first to change; one without any for no axis."""
    for values in itertools.product(*sweep.values()):
        yield dict(zip(sweep, values, strict=True))


def check(
    benchmark: str,
    sweep: Mapping[str, Sequence[Any]],
    parameters: Iterable[str],
    fixed: Iterable[str],
) -> None:
    """Refuse axes that cannot be. ``parameters`` are the benchmark's, ``fixed`` what the entry
    says a value of beside the sweep. Raises ValueError."""
    if not sweep:
        raise ValueError("sweep has no axis; without one, leave it out")
    most = 2 if benchmark == TWO_AXES else 1
    if len(sweep) > most:
        raise ValueError(
            f"sweep has {len(sweep)} axes ({', '.join(sweep)}); {benchmark} takes {most}"
            + ("" if most == 2 else f", and {TWO_AXES} alone takes 2")
        )
    known = [*NETWORK, *PLACE, *parameters]
    for axis, values in sweep.items():
        if axis not in known:
            raise ValueError(f"sweep: {benchmark} has no axis {axis!r}; axes: {', '.join(known)}")
        if axis in fixed:
            raise ValueError(f"{axis} is an axis of sweep, and given beside it; leave one out")
        _check_values(axis, values)


def _check_values(axis: str, values: Sequence[Any]) -> None:
    if not values:
        raise ValueError(f"sweep: {axis} has no value")
    if len(values) > MOST_VALUES:
        raise ValueError(f"sweep: {axis} has {len(values)} values; there may be {MOST_VALUES}")
    for number, value in enumerate(values):
        if axis in ("nodes", "cores") and type(value) is not int:
            raise ValueError(f"sweep: {axis} is {value!r}; it must be a whole number")
        # A whole number can be too large for any float; comparing it is exact.
        if axis in NETWORK and (type(value) not in (int, float) or not abs(value) <= MOST):
            raise ValueError(f"sweep: {axis} is {value!r}; it must be a number")
        if axis == "variant" and not isinstance(value, str):
            raise ValueError(f"sweep: {axis} is {value!r}; it must be a variant's name, or {PLAIN}")
        if type(value) not in (bool, int, float, str):
            raise ValueError(f"sweep: {axis} is {value!r}; it must be one value")
        if value in values[:number]:
            raise ValueError(f"sweep: {axis} has {shown(value)} twice")
