"""The messages that must cross a network in a run over several nodes, whoever sends them and
however: as each benchmark's model says it (``crossing``)."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from dramaturg.model import chatapp_nodes
from dramaturg.model.distribution import Least
from dramaturg.model.placement import DISTRIBUTED
from dramaturg.model.workload import MICRO

CROSSING: dict[str, Callable[[Any, int, Mapping[str, int]], Iterator[Least]]] = {
    name: model.crossing for name, model in DISTRIBUTED.items()
}
"""The crossings in each benchmark that can be distributed."""


def least(
    benchmark: str, parameters: Any, nodes: int, counts: Mapping[str, int]
) -> tuple[Least, ...]:
    """The least traffic that must cross in a run over so many nodes. ``counts`` are those of its
    receipt: for the windowed forms nobody knows them before."""
    of = CROSSING.get(benchmark)
    return tuple(of(parameters, nodes, counts)) if of is not None and nodes > 1 else ()


def ended(benchmark: str, parameters: Any) -> int:
    """Return how many actors at most have ended when Run does: a runtime may tell other nodes of
    each. Of a micro-benchmark it may be everybody."""
    if benchmark not in MICRO:
        return chatapp_nodes.ended(parameters)
    return sum(crowd.many for crowd in MICRO[benchmark].model.population(parameters))
