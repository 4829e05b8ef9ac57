"""The models of benchmarks that can be distributed share this: how actors are dealt to nodes, and
the least traffic that must cross a network (spec/distributed.md).

The homes of actors decide which messages go from one node to another; the parameters decide how
many there are, or, in the windowed forms, the counts of the receipt. Two things hold of them under
every transport. *Turns* cannot be under way together: each is sent because the one before was
answered, so no two of them share a packet. And each message has a digest that begins with the salt.

A transport may treat digests as it likes: it may gather messages, and compress. Both ends know the
salt, so next to nothing *has to* cross by information alone. The bound here is that a transport
which does not compute the benchmark itself has to say something of each message. It has to send
half at least of a payload, which is made to look like chance.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

Place = Callable[[int, int, Any], int]
"""The node of an actor with this first index, of so many nodes, by its benchmark's parameters."""

Homes = Mapping[int, Place]
"""By class, the nodes of the actors that do not all live on node 0 (DIST-1)."""

BYTE = 1
"""Bytes of each message at least. A third of what deflate at its best makes of batches that are
nothing but the sender's index, the message's number and its digest (3.1 bytes; of answers 5.6),
and as much as LZMA makes of a whole run at once."""

ALIKE = 4
"""So many of the messages that are all alike but for names and turns take a byte at least. Deflate
makes 2.2 bytes of each where there are most, and LZMA of a whole run at once 0.63."""


def dealt(index: int, nodes: int, parameters: Any) -> int:
    """One to each node, and again."""
    return index % nodes


def dealt_to_the_rest(index: int, nodes: int, parameters: Any) -> int:
    """One to each node but node 0, and again."""
    return 1 + index % (nodes - 1)


def living(members: int, node: int, nodes: int) -> int:
    """Return how many of so many live on a node, if they are dealt one after the other."""
    return len(range(node, members, nodes))


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


@dataclass(frozen=True, slots=True)
class Between:
    """The messages between the actors of two nodes, both ways together, without windows."""

    under_way: int
    """So many at most at a time: the others wait for an answer to one of these, or are answers."""
    whole: int
    """So many in a run, or their node's share of those that the schedule deals."""
