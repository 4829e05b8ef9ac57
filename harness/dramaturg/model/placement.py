"""The placement of actors in a run over several nodes (spec/distributed.md)."""

from collections.abc import Callable
from typing import Any

from dramaturg.model import names

Place = Callable[[int, int, Any], int]
"""The node of an actor with this first index, of so many nodes, by its benchmark's parameters."""


def _round(index: int, nodes: int, parameters: Any) -> int:
    return index % nodes


def _round_the_rest(index: int, nodes: int, parameters: Any) -> int:
    return 1 + index % (nodes - 1)


def _across_directories(client: int, nodes: int, parameters: Any) -> int:
    """One client of each directory after the other, so that a directory's clients, who are friends,
    live on all nodes. A chat's first index is its maker's."""
    return int(client // parameters.directories) % nodes


_ELSEWHERE: dict[int, Place] = {
    names.PONG: lambda index, nodes, parameters: 1,
    names.PEER: _round,
    names.SENDER: _round_the_rest,
    names.BROWSER: _round_the_rest,
    names.EMPLOYEE: _round_the_rest,
    names.DIRECTORY: _round,
    names.CLIENT: _across_directories,
    names.CHAT: _across_directories,
}

MOST: dict[str, Callable[[Any], int]] = {
    "chatapp": lambda p: int(p.clients // p.directories),
    "pingpong": lambda p: 2,
    "big": lambda p: int(p.peers),
    "bang": lambda p: 1 + int(p.senders),
    "web": lambda p: 1 + int(p.browsers),
    "broker": lambda p: 1 + int(p.employees),
}
"""Benchmarks that can be distributed, and over how many nodes at most: no node is empty."""


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
    place = _ELSEWHERE.get(names.class_of(actor))
    return place(names.index_of(actor), nodes, parameters) if place and nodes > 1 else 0
