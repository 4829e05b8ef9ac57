"""Records of two sides, as `dramaturg compare` and `dramaturg bench` leave them."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from report_records import audit, audited, sample, unit, write_samples

from dramaturg.records import SampleRecord
from dramaturg.timing.planning.pairing import Comparison, Side

A, B = "erlang@HEAD~1", "erlang"

SLOW = (1.2, 1.21, 1.19, 1.22, 1.18, 1.2, 1.23, 1.17, 1.2, 1.21, 1.2, 1.19)
SAME = (1.01, 0.99, 1.02, 0.98, 1.005, 0.995, 1.015, 0.985, 1.012, 0.989, 1.001, 0.998)
WILD = (1.3, 0.75, 1.2, 0.8, 1.25, 0.78, 1.1, 0.9, 1.15, 0.86, 1.18, 0.82)

ENVIRONMENT: dict[str, Any] = {
    "cpu": {"model": "Test CPU", "cores": 2},
    "memory": {"total": 8 << 30},
    "kernel": {"system": "Linux", "release": "6.1"},
    "packages": {"dramaturg": "0.1.0"},
    "source": {"revision": "0" * 40, "dirty": False},
}


def asked(**values: Any) -> Comparison:
    a = Side(label=A, word=A, build="a" * 64, commit="c" * 40, revision="HEAD~1")
    b = Side(label=B, word=B, build="b" * 64, commit="d" * 40)
    return Comparison(**{"a": a, "b": b} | values)


def header(of: Comparison, *others: dict[str, Any]) -> dict[str, Any]:
    """A header with a plan of one row, and of those others."""
    one = sample()
    scenario = {
        "benchmark": one.benchmark,
        "name": one.scenario,
        "scale": one.scale,
        "parameters": one.parameters,
    }
    units = [
        {
            "implementation": label,
            "scenario": scenario | other,
            "network": {"nodes": 1, "bandwidth": None, "delay": None, "loss": None},
            "invocations": of.invocations,
            "iterations": 2,
            "warmup": 0,
            "timeout": 60,
        }
        for other in ({}, *others)
        for label in of.labels
    ]
    return {
        "comparison": of.model_dump(mode="json"),
        "plan": {"suites": ["test"], "seed": 1, "units": units},
        "builds": {A: "a" * 64, B: "b" * 64},
        "kernel": "6.1",
        "uncertified": False,
    }


def invoked(label: str, number: int, nanos: float, **values: Any) -> list[Any]:
    """One invocation of two iterations, with its audit and its end."""
    samples: list[SampleRecord] = [
        sample(label, invocation=number, iteration=place, run_nanos=int(nanos * factor), **values)
        for place, factor in enumerate((0.999, 1.001))
    ]
    return audited(*samples)


def pairs(ratios: Sequence[float], start: int = 0, labels: tuple[str, str] = (A, B)) -> list[Any]:
    """A pair for each ratio of B over A, on a machine that drifts."""
    found = []
    for number, ratio in enumerate(ratios, start=start):
        base = 1e8 * (1 + number / 50)
        found += invoked(labels[0], number, base) + invoked(labels[1], number, base * ratio)
    return found


def audits(number: int, labels: tuple[str, str] = (A, B)) -> list[Any]:
    """The last invocation of both, of which nothing is timed."""
    return [
        record
        for label in labels
        for record in (
            audit(label, invocation=number),
            unit(label, invocation=number, audits=1, certified=True),
        )
    ]


def write(
    folder: Path, first: Sequence[float], fresh: Sequence[float] = (), **values: Any
) -> Comparison:
    """A whole comparison of one row."""
    of = asked(**values)
    folder.mkdir(parents=True, exist_ok=True)
    records = [*pairs(first), *pairs(fresh, of.pairs), *audits(of.invocations)]
    write_samples(folder, *records, **header(of))
    return of
