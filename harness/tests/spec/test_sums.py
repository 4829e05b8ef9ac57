"""The sums and budgets that the chapters write as formulas are those of the model."""

import re
from collections.abc import Iterator, Mapping
from itertools import permutations, product
from typing import Any

import pytest

from dramaturg import paths
from dramaturg.model import mergesort, openweb
from dramaturg.model.fibonacci import fibonacci
from dramaturg.model.fold import checksum, fold, fold_all
from dramaturg.model.simulation import Simulation
from dramaturg.model.workload import MICRO, MicroWorkload
from dramaturg.requirements import load

SALT = 0x12345678

Names = Mapping[str, Any]

PARAMETERS: dict[str, dict[str, int]] = {
    "pingpong": {"rounds": 5},
    "big": {"peers": 4, "rounds": 3},
    "bang": {"senders": 3, "messages": 4},
    "web": {"browsers": 3, "workers": 2, "requests": 4, "fib_n": 6},
    "count": {"adders": 3, "adds": 4},
    "chain": {"length": 7},
    "fanout": {"runners": 3, "tasks": 4, "window": 2},
    "sleepers": {"sleepers": 3, "naps": 2, "delay": 5},
    "mergesort": {"length": 11, "leaf": 2, "seed": 42},
    "broker": {"employees": 3, "tasks": 5, "size": 7},
    "openweb": {"servers": 3, "requests": 5, "gap": 900_000, "seed": 42, "fib_n": 6},
}


def over(**bounds: int) -> Iterator[Names]:
    """All values of these letters, each below its bound."""
    for values in product(*map(range, bounds.values())):
        yield dict(zip(bounds, values, strict=True))


def pairs(peers: int, rounds: int) -> Iterator[Names]:
    for (i, j), r in product(permutations(range(peers), 2), range(rounds)):
        yield {"i": i, "j": j, "r": r}


def low(k: int) -> int:
    """Return the time at which request k of openweb is due, in 32 bits."""
    return openweb.arrivals_of(parameters("openweb"))[k] % 2**32


SUMS: dict[str, tuple[str, list[str], list[Names]]] = {
    "pingpong": ("PING-3", ["sum"], list(over(r=5))),
    "big": ("BIG-3", ["given", "taken"], list(pairs(4, 3))),
    "bang": ("BANG-3", ["given", "taken"], list(over(i=3, n=4))),
    "web": ("WEB-4", ["sum"], list(over(i=3, k=4))),
    "count": ("COUNT-4", ["sum"], list(over(i=3, n=4))),
    "fanout": ("FANOUT-3", ["sum"], list(over(i=3, n=4))),
    "sleepers": ("SLEEP-3", ["sum"], list(over(i=3, n=2))),
    "openweb": ("OPEN-6", ["sum"], [{"k": k, "low": low} for k in range(5)]),
}
"""For each benchmark whose receipt sums digests: the requirement, the fields, the digests."""


def parameters(benchmark: str) -> Any:
    return MICRO[benchmark].parameters(**PARAMETERS[benchmark])


def performed(benchmark: str) -> dict[str, int]:
    """The receipt of the model's run, which is what the harness asks for as well."""
    workload = MicroWorkload(MICRO[benchmark], parameters(benchmark)).run(SALT).disconnect()
    control = Simulation(workload).perform().control
    receipt = MICRO[benchmark].receipt(parameters(benchmark), SALT, {})
    assert tuple(receipt.values()) == control[-1][1]
    return receipt


def evaluated(formula: str, letters: Names) -> int:
    known = {"fold": fold, "fib": fibonacci, "salt": SALT, "S": sorters}
    return int(eval(formula, {"__builtins__": {}}, {**known, **letters}))


def sorters(length: int) -> int:
    return mergesort.sorters(length, PARAMETERS["mergesort"]["leaf"])


@pytest.mark.parametrize("benchmark", SUMS)
def test_a_sum_is_that_of_its_formula(benchmark: str) -> None:
    requirement, fields, domain = SUMS[benchmark]
    [formula] = re.findall(r"`(fold\(.*?\))`", load()[requirement].text)
    values = (evaluated(formula, {**PARAMETERS[benchmark], **at}) for at in domain)
    expected = sum(values) % 2**32
    receipt = performed(benchmark)
    assert [receipt[field] for field in fields] == [expected] * len(fields)


def test_a_chains_digest_has_what_the_chapter_folds_in() -> None:
    length = PARAMETERS["chain"]["length"]
    there, back = range(length - 1, -1, -1), range(1, length)
    assert performed("chain")["digest"] == fold_all(SALT, [*there, *back])


def test_brokers_sum_is_that_of_the_results() -> None:
    tasks, size = PARAMETERS["broker"]["tasks"], PARAMETERS["broker"]["size"]

    def result(number: int) -> int:
        drawn, payload = fold(SALT, number), []
        for place in range(size):
            drawn = fold(drawn, place)
            payload.append(drawn // 2**24)
        return fold(checksum(0, payload), number)

    assert performed("broker")["sum"] == sum(map(result, range(tasks))) % 2**32


@pytest.mark.parametrize("benchmark", PARAMETERS)
def test_a_budget_is_what_actors_take(benchmark: str) -> None:
    text = (paths.SPEC / f"{benchmark}.md").read_text(encoding="utf-8")
    formula = re.findall(r"budget is `([^`]+)` messages", text)[0]
    expected = evaluated(formula, PARAMETERS[benchmark])
    workload = MicroWorkload(MICRO[benchmark], parameters(benchmark)).run(SALT).disconnect()
    simulation = Simulation(workload).perform()
    from_control = len(workload.script)
    assert sum(map(len, simulation.logs.values())) - from_control == expected
    assert simulation.alive() == set()
