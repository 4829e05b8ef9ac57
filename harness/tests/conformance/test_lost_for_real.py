"""Real nodes on an emulated network, of which one is lost in the midst of a run (DIST-5, DIST-8).

asyncio has no heartbeats, so it is named within 30 s, and nothing is left of the others.
"""

import os
import signal
import threading
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from dramaturg.conformance.cluster import Cluster
from dramaturg.conformance.node_watch import watching
from dramaturg.conformance.pool import Pool
from dramaturg.errors import CallFailed, ControlError, Crashed
from dramaturg.implementation.manifest import find
from dramaturg.machine import capabilities
from dramaturg.net import leftovers, links
from dramaturg.trace.watches import NOBODY
from dramaturg.v2 import benchmarks_pb2

pytestmark = [
    pytest.mark.skipif(bool(capabilities.probe().why_no_mininet), reason="no emulated network"),
    pytest.mark.usefixtures("no_process_left"),
]

ENDLESS = benchmarks_pb2.Benchmark(
    big=benchmarks_pb2.BigParameters(peers=6, windows=120, window=1000)
)
"""Two minutes of pings, in which every node talks to every other one."""


def _killed(cluster: Cluster) -> None:
    process = cluster.sessions[1].process
    assert process is not None
    process.kill()


def _stopped(cluster: Cluster) -> None:
    process = cluster.sessions[1].process
    assert process is not None
    os.kill(process.pid, signal.SIGSTOP)


def _cut_off(cluster: Cluster) -> None:
    assert cluster.network is not None
    host = cluster.network.hosts[1]
    end = f"{leftovers.prefix(os.getpid())}{host.name}-eth0"
    links.asked_of([host.prefix], ("ip", "link", "set", end, "down"))


@pytest.mark.parametrize(
    ("lose", "kind", "said"),
    [
        (_killed, CallFailed, r"INTERNAL: .*\bnode 1\b"),
        (_stopped, Crashed, r"^node 1 .* is lost: process \d+ is stopped"),
        (_cut_off, Crashed, r"^node 1 .* is lost: its link is down"),
    ],
)
def test_a_node_that_is_lost_is_named_within_thirty_seconds_and_nothing_is_left(
    tmp_path: Path, lose: Callable[[Cluster], None], kind: type[ControlError], said: str
) -> None:
    asyncio = find("asyncio")
    with closing(Pool(tmp_path)) as pool:
        cluster = pool.cluster(asyncio, 3)
        cluster.prepare(ENDLESS, NOBODY, 60)
        losing = threading.Timer(1.0, lose, [cluster])
        start = time.monotonic()
        losing.start()
        with pytest.raises(kind, match=said), watching(cluster):
            cluster.lead.run(timeout=90)
        losing.join()
        assert time.monotonic() - start < 31
    assert leftovers.leftovers(of=os.getpid()) == []
