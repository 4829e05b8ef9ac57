"""A stranger who repeats to a node what another node had said to it, in another world (DIST-6).

Both worlds have the same nodes at the same places, and each has a secret of its own. So a proof
that is no proof of this world's secret shows, and so does a place that is given away before any.
"""

import contextlib
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from dramaturg.conformance.cluster import Cluster
from dramaturg.conformance.strangers import BLAMED, Strangers, at_the_ports
from dramaturg.conformance.world import Failed, NotExercised
from dramaturg.errors import Starved
from dramaturg.net import overheard
from dramaturg.net.overheard import Said

HEARD = 0.2
"""Seconds that a node has to hear a stranger before anything else happens."""

Heard = Mapping[int, Sequence[Said]]
"""By the number of a node, what others had said to it, a connection each."""


@contextlib.contextmanager
def listening(cluster: Cluster) -> Iterator[dict[int, list[Said]]]:
    """Keep what the nodes of a world say to each other's ports; it is there when the world has
    ended. Raises NotExercised where no host's packets can be had."""
    assert cluster.network is not None
    places: dict[int, int] = {}
    said: dict[int, list[Said]] = {}
    before = cluster.prepared
    cluster.prepared = lambda node, place: places.update({node: place[1]})
    try:
        with contextlib.ExitStack() as stack:
            packets = _overhear(stack, cluster)
            yield said
        said.update({node: packets[node].said_to(port) for node, port in places.items()})
    finally:
        cluster.prepared = before


def _overhear(stack: contextlib.ExitStack, cluster: Cluster) -> list[overheard.Packets]:
    assert cluster.network is not None
    hosts = cluster.network.hosts[: len(cluster.sessions)]
    try:
        return [stack.enter_context(overheard.at_host(int(each.prefix[-1]))) for each in hosts]
    except OSError as error:
        raise NotExercised(f"the harness cannot hear what nodes say: {error.strerror}") from None


def played_back(cluster: Cluster, heard: Heard, perform: Callable[[], Any]) -> None:
    """Have a run performed and judged while strangers, right after a node is prepared, repeat to it
    what had been said to it, and stay (DIST-6). Without them the same run was right. Raises Failed
    if it is not now, or if a stranger was told the secret; NotExercised if there was nothing to
    say, or nobody listened."""
    if not any(heard.values()):
        raise NotExercised("no node had said anything at the port of another one")
    assert cluster.network is not None
    addresses = [host.address for host in cluster.network.hosts]

    def repeat(there: Strangers, node: int, place: tuple[str, int]) -> None:
        for said in heard.get(node, ()):
            # A node may speak to itself by another address than its own.
            if said.source in addresses:
                there.say(node, place, addresses.index(said.source), said.words)
        time.sleep(HEARD)

    with at_the_ports(cluster, repeat) as there:
        try:
            perform()
        except Starved:
            raise
        except BLAMED as error:
            divergence = error.divergence if isinstance(error, Failed) else None
            raise Failed(
                f"{error}, while a stranger repeated what nodes of another world had said (DIST-6)",
                divergence,
            ) from None
        if told := there.told():
            raise Failed(told)
    if not there.reached:
        raise NotExercised("nobody listened at the port of a node when it was prepared")
