"""Who lives where in a run over several nodes (spec/distributed.md)."""

from collections.abc import Callable
from typing import Any

from dramaturg.model import names


def _round(actor: int, nodes: int) -> int:
    return names.index_of(actor) % nodes


def _round_the_rest(actor: int, nodes: int) -> int:
    return 1 + names.index_of(actor) % (nodes - 1)


_ELSEWHERE: dict[int, Callable[[int, int], int]] = {
    names.PONG: lambda actor, nodes: 1,
    names.PEER: _round,
    names.SENDER: _round_the_rest,
    names.BROWSER: _round_the_rest,
}

MOST: dict[str, Callable[[Any], int]] = {
    "pingpong": lambda p: 2,
    "big": lambda p: int(p.peers),
    "bang": lambda p: 1 + int(p.senders),
    "web": lambda p: 1 + int(p.browsers),
}
"""Benchmarks that can be distributed, and over how many nodes at most: no node is empty."""


def most(benchmark: str, parameters: Any) -> int:
    """Over how many nodes at most: 1 for what cannot be distributed."""
    return MOST[benchmark](parameters) if benchmark in MOST else 1


def node_of(actor: int, nodes: int) -> int:
    """The node on which this actor lives (DIST-1)."""
    place = _ELSEWHERE.get(names.class_of(actor))
    return place(actor, nodes) if place is not None and nodes > 1 else 0
