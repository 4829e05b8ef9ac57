"""ChatApp over several nodes (spec/distributed.md): where its actors live, and what must cross."""

from collections.abc import Iterator, Mapping

import numpy as np

from dramaturg.model import names
from dramaturg.model.chatapp import Parameters
from dramaturg.model.distribution import Homes, Least, dealt
from dramaturg.model.facts import least_heard


def _across_directories(client: int, nodes: int, parameters: Parameters) -> int:
    """One client of each directory after the other, so that a directory's clients, who are friends,
    live on all nodes. A chat's first index is its maker's."""
    return int(client // parameters.directories) % nodes


HOMES: Homes = {
    names.DIRECTORY: dealt,
    names.CLIENT: _across_directories,
    names.CHAT: _across_directories,
}
"""The actors that do not all live on node 0 (DIST-1)."""


def most_nodes(p: Parameters) -> int:
    """Over how many nodes at most: no node is empty."""
    return p.clients // p.directories


def ended(p: Parameters, nodes: int) -> tuple[int, ...]:
    """How many actors of each node have ended when Run does: the accumulators, one of each turn,
    which live on node 0."""
    return p.turns, *[0] * (nodes - 1)


def crossing(p: Parameters, nodes: int, counts: Mapping[str, int]) -> Iterator[Least]:
    """A directory tells each of its clients to act, with the salt, once in a turn. A client that
    posts and has a chat of its own making takes its own post back and says so, with its digest, to
    the accumulator. The schedule decides which others hear it, and so whether they live on other
    nodes."""
    clients = np.arange(p.clients)
    told, homes = clients % p.directories % nodes, clients // p.directories % nodes
    acts = np.zeros((nodes, nodes), dtype=int)
    heard = np.zeros((nodes, nodes), dtype=int)
    np.add.at(acts, (told, homes), p.turns)
    np.add.at(heard[:, 0], homes, least_heard(p))
    for sender, receiver in zip(*np.nonzero(acts + heard), strict=True):
        if sender != receiver:
            alike = int(acts[sender, receiver])
            messages = alike + int(heard[sender, receiver])
            yield Least(int(sender), int(receiver), messages, 1, alike=alike)
