"""The messages that must cross a network in a run over several nodes, whoever sends them and
however.

The homes of actors decide which messages go from one node to another (spec/distributed.md); the
parameters decide how many there are, or, in the windowed forms, the counts of the receipt. Two
things hold of them under every transport. *Turns* cannot be under way together: each is sent
because the one before was answered, so no two of them share a packet. And each message has a digest
that begins with the salt.

A transport may treat digests as it likes: it may gather messages, and compress. Both ends know the
salt, so next to nothing *has to* cross by information alone. The bound here is that a transport
which does not compute the benchmark itself has to say something of each message. It has to send
half at least of a payload, which is made to look like chance.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import permutations
from typing import Any

import numpy as np

from dramaturg.model.facts import least_heard

BYTE = 1
"""Bytes of each message at least. A third of what deflate at its best makes of batches that are
nothing but the sender's index, the message's number and its digest (3.1 bytes; of answers 5.6),
and as much as LZMA makes of a whole run at once."""

ALIKE = 4
"""So many of the messages that are all alike but for names and turns take a byte at least. Deflate
makes 2.2 bytes of each where there are most, and LZMA of a whole run at once 0.63."""


@dataclass(frozen=True, slots=True)
class Least:
    """The least traffic from one node to another, or of one node in all."""

    sender: int | None
    """None: whoever sends it."""
    receiver: int | None
    """None: whoever receives it."""
    messages: int
    """Number of messages, with a digest or without."""
    turns: int
    """The number of packets that these are at least."""
    payload: int = 0
    """Bytes of payloads that go with them."""
    alike: int = 0
    """Number of these messages that have no digest."""

    @property
    def bytes(self) -> int:
        """The bytes that these take on a link, without the headers of packets."""
        return BYTE * (self.messages - self.alike) + self.alike // ALIKE + self.payload // 2


def _pingpong(p: Any, nodes: int, counts: Mapping[str, int]) -> Iterator[Least]:
    rounds = counts["pongs"] if p.windows else p.rounds
    yield Least(0, 1, rounds, rounds)
    yield Least(1, 0, rounds, rounds)


def _bang(p: Any, nodes: int, counts: Mapping[str, int]) -> Iterator[Least]:
    """The crossings of bang. For the windowed form only their total number is known: each sender
    has its first credit."""
    for node in range(1, nodes):
        messages = _living(p.senders, node - 1, nodes - 1) * p.messages
        yield Least(node, 0, messages, 1)
        yield Least(0, node, messages, 1)
    if p.windows:
        yield Least(None, 0, counts["bangs"], 1)
        yield Least(0, None, counts["answers"], 1)


def _web(p: Any, nodes: int, counts: Mapping[str, int]) -> Iterator[Least]:
    """A browser asks when it has been answered."""
    for node in range(1, nodes):
        messages = _living(p.browsers, node - 1, nodes - 1) * p.requests
        yield Least(node, 0, messages, p.requests)
        yield Least(0, node, messages, p.requests)


def _big(p: Any, nodes: int, counts: Mapping[str, int]) -> Iterator[Least]:
    """A peer has one ping under way, so those that it sends to the peers of a node, and their
    pongs, take turns. Each pair of peers of two nodes sends two pings and two pongs a round."""
    live = [_living(p.peers, node, nodes) for node in range(nodes)]
    if p.windows:
        yield _big_windowed(p, live, counts["pongs"])
        return
    for node, here in enumerate(live):
        for sending in (True, False):
            messages = turns = 0
            for other, there in enumerate(live):
                if other != node:
                    messages += 2 * here * there * p.rounds
                    turns += max(here, there) * p.rounds
            yield Least(node if sending else None, None if sending else node, messages, turns)
    for node, other in permutations(range(nodes), 2) if nodes > 2 else ():
        here, there = live[node], live[other]
        yield Least(node, other, 2 * here * there * p.rounds, max(here, there) * p.rounds)


def _big_windowed(p: Any, live: list[int], pongs: int) -> Least:
    """For all nodes together: nobody knows how many pings each peer sends, but those to the peers
    of other nodes cross, of every ``peers - 1`` in a row."""
    begun = p.peers * (p.peers - 1)
    rounds = max(0, pongs - begun) // (p.peers - 1)
    away = p.peers - max(live)
    return Least(None, None, 2 * rounds * away, 2 * (rounds * away // p.peers))


def _chatapp(p: Any, nodes: int, counts: Mapping[str, int]) -> Iterator[Least]:
    """A directory tells each of its clients to act, with the salt, once in a turn. A client that
    posts and has a chat of its own making takes its own post back and says so, with its digest, to
    the accumulator. The schedule decides which others hear it, and so whether they live on other
    nodes."""
    clients = np.arange(p.clients)
    told, homes = clients % p.directories % nodes, clients // p.directories % nodes
    acts = np.zeros((nodes, nodes), dtype=int)
    heard = np.zeros((nodes, nodes), dtype=int)
    np.add.at(acts, (told, homes), p.turns)
    np.add.at(heard, (homes, 0), least_heard(p))
    for sender, receiver in zip(*np.nonzero(acts + heard), strict=True):
        if sender != receiver:
            alike = int(acts[sender, receiver])
            messages = alike + int(heard[sender, receiver])
            yield Least(int(sender), int(receiver), messages, 1, alike=alike)


def _broker(p: Any, nodes: int, counts: Mapping[str, int]) -> Iterator[Least]:
    """Every task crosses with its payload, and its result comes back. The schedule decides which
    employee has it, but each has one at a time, so some have taken turns at as many."""
    turns = -(-p.tasks // p.employees)
    yield Least(0, None, p.tasks, turns, p.tasks * p.size)
    yield Least(None, 0, p.tasks, turns)


def _living(members: int, node: int, nodes: int) -> int:
    """Return how many of so many live on a node, if they are dealt one after the other."""
    return len(range(node, members, nodes))


CROSSING: dict[str, Callable[[Any, int, Mapping[str, int]], Iterator[Least]]] = {
    "pingpong": _pingpong,
    "big": _big,
    "bang": _bang,
    "web": _web,
    "chatapp": _chatapp,
    "broker": _broker,
}
"""The crossings in each benchmark that can be distributed (``placement.MOST``)."""


def least(
    benchmark: str, parameters: Any, nodes: int, counts: Mapping[str, int]
) -> tuple[Least, ...]:
    """The least traffic that must cross in a run over so many nodes. ``counts`` are those of its
    receipt: for the windowed forms nobody knows them before."""
    of = CROSSING.get(benchmark)
    return tuple(of(parameters, nodes, counts)) if of is not None and nodes > 1 else ()
