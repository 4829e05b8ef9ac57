"""Cases in which one node is lost (DIST-5), or strange to all others (DIST-6)."""

import re
import threading
from collections.abc import Callable

from dramaturg.conformance.cluster import Cluster
from dramaturg.conformance.world import Failed
from dramaturg.errors import CallFailed, Late, Starved
from dramaturg.trace.watches import NOBODY
from dramaturg.v2 import case_pb2

LOST_AFTER = 1.0
"""Seconds into a run after which a node is killed, where a case asks for that."""

NAMED_WITHIN = 60.0
"""Seconds from then on within which the call under way is answered (DIST-5). Failure detectors by
heartbeats, with the patience that many nodes on few cores need, took 24, and up to 43 where node 0
had more to do than its cores could."""

_NAMED = re.compile(r"\bnode (\d+)\b")


def lose(cluster: Cluster, distributed: case_pb2.Distributed, settle: float) -> None:
    """Kill a node while all are busy; the run must say so, and soon, and name it before any other,
    since an answer that lists all nodes tells nothing (DIST-5)."""
    cluster.spent = True
    cluster.prepare(distributed.benchmark, NOBODY, timeout=settle)
    process = cluster.sessions[distributed.lost_node].process
    assert process is not None
    lost = f"node {distributed.lost_node}"
    killer = threading.Timer(LOST_AFTER, process.kill)
    killer.start()
    try:
        cluster.lead.run(timeout=min(settle, LOST_AFTER + NAMED_WITHIN))
    except CallFailed as error:
        named = _NAMED.search(error.details)
        if error.code != "INTERNAL" or named is None or named[0] != lost:
            raise Failed(
                f"{lost} was killed; expected INTERNAL and its name, before that of any other:"
                f" {error} (DIST-5)"
            ) from None
    except Starved:
        raise
    except Late as late:
        raise Failed(f"{lost} was killed, and the run hangs: {late} (DIST-5)") from None
    else:
        raise Failed(f"{lost} was killed, and the run ended as if nothing had happened (DIST-5)")
    finally:
        killer.cancel()


def estrange(
    cluster: Cluster,
    distributed: case_pb2.Distributed,
    settle: float,
    renew: Callable[[], Cluster],
) -> None:
    """Give a node another secret than all others have; the world must not come about (DIST-6). They
    have known each other before, so that whoever keeps an earlier world's secret shows. New nodes
    with one secret must come together, so that it was the secret which kept the others apart."""
    cluster.prepare(distributed.benchmark, NOBODY, settle)
    cluster.lead.run(timeout=settle)
    cluster.teardown(settle)
    cluster.spent = True
    number = distributed.strange_node
    strange = f"node {number}"
    try:
        cluster.prepare(distributed.benchmark, NOBODY, settle, strange_node=number)
        # Connections may be made upon the first message.
        cluster.lead.run(timeout=settle)
    except CallFailed:
        pass
    except Starved:
        raise
    except Late as late:
        raise Failed(f"{strange} had another secret, and is waited for: {late} (DIST-6)") from None
    else:
        raise Failed(f"{strange} had another secret, and took part in a run (DIST-6)")
    try:
        renew().prepare(distributed.benchmark, NOBODY, settle)
    except CallFailed as error:
        raise Failed(
            f"{strange} was refused, but not for its secret: new nodes that have one secret do not"
            f" come together either: {error} (DIST-6)"
        ) from None
