"""The messages that must cross a network in a run over several nodes, whoever sends them and
however: as each benchmark's model says it (``crossing``)."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from dramaturg.model import chatapp_nodes, names
from dramaturg.model.distribution import Least
from dramaturg.model.placement import DISTRIBUTED, node_of
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


def ended(benchmark: str, parameters: Any, nodes: int) -> tuple[int, ...]:
    """Return how many actors of each of so many nodes have ended when Run does: their node may tell
    the others of each. A micro-benchmark counts all of its actors, or none if they wait for control
    to let them go."""
    if benchmark not in MICRO:
        return chatapp_nodes.ended(parameters, nodes)
    micro, found = MICRO[benchmark], [0] * nodes
    for crowd in () if micro.farewell else micro.model.population(parameters):
        for index in range(crowd.first, crowd.first + crowd.many):
            found[node_of(names.name(crowd.actor_class, index), nodes, parameters)] += 1
    return tuple(found)
