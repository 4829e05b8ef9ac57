"""Who lives where in a run over several nodes (spec/distributed.md), and what each must say.

A share is the part of the receipt that comes from one node: the counts of the actors
that live there.
"""

from collections.abc import Callable
from typing import Any

from dramaturg.model import names
from dramaturg.model.fibonacci import fibonacci

Share = dict[str, int]


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


def node_of(actor: int, nodes: int) -> int:
    """The node on which this actor lives (DIST-1)."""
    place = _ELSEWHERE.get(names.class_of(actor))
    return place(actor, nodes) if place is not None and nodes > 1 else 0


def shares(benchmark: str, p: Any, nodes: int) -> list[Share]:
    """What the receipt of each node must say (DIST-4), windows apart; nothing for windowed
    forms, whose counts are not known before."""
    if getattr(p, "windows", 0):
        return [{} for _ in range(nodes)]
    return [_SHARES[benchmark](p, node, nodes) for node in range(nodes)]


def _living(actor_class: int, count: int, node: int, nodes: int) -> int:
    """How many of ``count`` actors of this class live on this node."""
    return sum(node_of(names.name(actor_class, i), nodes) == node for i in range(count))


def _pingpong(p: Any, node: int, nodes: int) -> Share:
    return {"pings": p.rounds * (node == nodes - 1), "pongs": p.rounds * (node == 0)}


def _big(p: Any, node: int, nodes: int) -> Share:
    each = _living(names.PEER, p.peers, node, nodes) * p.rounds * (p.peers - 1)
    return {"pings": each, "pongs": each}


def _bang(p: Any, node: int, nodes: int) -> Share:
    answers = _living(names.SENDER, p.senders, node, nodes) * p.messages
    return {"bangs": p.senders * p.messages * (node == 0), "answers": answers}


def _web(p: Any, node: int, nodes: int) -> Share:
    answers = _living(names.BROWSER, p.browsers, node, nodes) * p.requests
    return {
        "answers": answers,
        "value_sum": answers * fibonacci(p.fib_n),
        "workers_used": min(p.workers, p.browsers * p.requests) * (node == 0),
    }


_SHARES: dict[str, Callable[[Any, int, int], Share]] = {
    "pingpong": _pingpong,
    "big": _big,
    "bang": _bang,
    "web": _web,
}
