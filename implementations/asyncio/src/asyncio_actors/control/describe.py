"""Describe: the name of this runtime, and answers to questions of arithmetic."""

import platform
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from asyncio_actors.benchmarks.fibonacci import fibonacci
from asyncio_actors.benchmarks.fold import fold
from asyncio_actors.benchmarks.lcg import Lcg
from asyncio_actors.benchmarks.payload import sum_of_results
from asyncio_actors.control.histogram import Histogram


def describe(request: Mapping[str, Any]) -> dict[str, Any]:
    """The answer to a call of Describe."""
    return {
        "runtime": f"{platform.python_implementation()} asyncio",
        "runtime_version": platform.python_version(),
        "schedulers": 1,
        "details": {"build": sys.version, "compiler": platform.python_compiler()},
        "answers": [{"values": answer(probe)} for probe in request["probes"]],
    }


def answer(probe: Mapping[str, Any]) -> Sequence[int]:
    """The draws; the shuffled list and then the state; the one number; the histogram."""
    match probe:
        case {"lcg": {"seed": seed, "moduli": moduli}}:
            lcg = Lcg(seed)
            return [lcg.next_int(modulus) for modulus in moduli]
        case {"shuffle": {"seed": seed, "length": length}}:
            lcg, items = Lcg(seed), list(range(length))
            lcg.shuffle(items)
            return [*items, lcg.state]
        case {"fibonacci": {"n": n}}:
            return [fibonacci(n)]
        case {"fold": {"salt": digest, "numbers": numbers}}:
            for number in numbers:
                digest = fold(digest, number)
            return [digest]
        case {"payloads": {"salt": salt, "tasks": tasks, "size": size}}:
            return [sum_of_results(salt, tasks, size)]
        case {"latencies": {"due": due, "answered": answered}}:
            histogram = Histogram()
            for reading in answered:
                histogram.add(due, reading)
            return histogram.counts
        case _:
            raise ValueError(f"a probe that is not known: {', '.join(probe)}")
