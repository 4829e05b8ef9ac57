"""The placement of actors in a run over several nodes (spec/distributed.md), as each benchmark's
model says it (``HOMES``, ``most_nodes``)."""

from collections.abc import Callable
from types import ModuleType
from typing import Any, cast

from dramaturg.model import chatapp_nodes, names
from dramaturg.model.distribution import Between, Place
from dramaturg.model.workload import MICRO

DISTRIBUTED: dict[str, ModuleType] = {
    name: model
    for name, model in {
        "chatapp": chatapp_nodes,
        **{name: micro.model for name, micro in MICRO.items()},
    }.items()
    if hasattr(model, "HOMES")
}
"""The models of the benchmarks that can be distributed, by name."""

MOST: dict[str, Callable[[Any], int]] = {
    name: model.most_nodes for name, model in DISTRIBUTED.items()
}
"""Benchmarks that can be distributed, and over how many nodes at most: no node is empty."""

_PLACES: dict[int, Place] = {
    actor_class: place
    for model in DISTRIBUTED.values()
    for actor_class, place in model.HOMES.items()
}
"""By class, the nodes of those that do not all live on node 0."""


def most(benchmark: str, parameters: Any) -> int:
    """Over how many nodes at most: 1 for what cannot be distributed."""
    return MOST[benchmark](parameters) if benchmark in MOST else 1


def excess(benchmark: str, parameters: Any, nodes: int) -> str:
    """The fault of so many nodes for a benchmark that can be distributed; empty if there is
    none."""
    limit = most(benchmark, parameters)
    if 2 <= nodes <= limit:
        return ""
    why = ""
    if benchmark == "chatapp":
        s = "s" if limit != 1 else ""
        why = f", as many as the smallest directory has clients ({limit} client{s})"
    return f"nodes is {nodes}; it must be in 2..{limit}{why} (spec/distributed.md, DIST-1)"


def node_of(actor: int, nodes: int, parameters: Any) -> int:
    """The node on which this actor lives, in a benchmark with these parameters (DIST-1)."""
    place = _PLACES.get(names.class_of(actor))
    return place(names.index_of(actor), nodes, parameters) if place and nodes > 1 else 0


def between(benchmark: str, parameters: Any, nodes: int, one: int, other: int) -> Between:
    """The messages between two nodes (DIST-9): none where nobody knows how many can be under
    way."""
    model = DISTRIBUTED.get(benchmark)
    if not hasattr(model, "between") or getattr(parameters, "windows", False):
        return Between(0, 0)
    return cast("Between", model.between(parameters, nodes, one, other))  # type: ignore[union-attr]
