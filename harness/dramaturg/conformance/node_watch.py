"""Nodes that are lost without a word: stopped, or cut off (spec/distributed.md, DIST-8).

Such a node has closed no connection and looks like a slow one to all others, whose patience is as
it has to be. The state of its processes and of its link says what it is.
"""

import contextlib
import threading
import time
from collections.abc import Iterator

from dramaturg.conformance.cluster import Cluster
from dramaturg.errors import ControlError, Crashed

STEP = 2.0
"""Seconds between two looks: a loss that two of them in a row find is named within five."""

ASKED, ALL_ASKED = 5.0, 15.0
"""Seconds in which each other node must hand over what it has logged by then, and all of them: some
may hang as well, and the run has to end."""


@contextlib.contextmanager
def watching(cluster: Cluster, step: float = STEP) -> Iterator[None]:
    """Look at all nodes while a call is under way. If one is lost, fetch the logs of the others,
    end all of them, and raise Crashed in the place of the call's own error."""
    if cluster.network is None:
        yield
        return
    watch = _Watch(cluster, step)
    watch.start()
    try:
        yield
    except ControlError:
        watch.done()
        if watch.lost:
            raise Crashed(watch.lost) from None
        raise
    finally:
        watch.done()


class _Watch(threading.Thread):
    def __init__(self, cluster: Cluster, step: float) -> None:
        super().__init__(daemon=True)
        self._cluster = cluster
        self._step = step
        self._over = threading.Event()
        self.lost = ""
        """Which node is, and how that was seen."""

    def done(self) -> None:
        self._over.set()
        self.join()

    def run(self) -> None:
        before: dict[int, str] = {}
        while not self._over.wait(self._step):
            now = seen(self._cluster)
            for node, how in now.items():
                if before.get(node) == how:
                    self._give_up(node, how)
                    return
            before = now

    def _give_up(self, node: int, how: str) -> None:
        assert self._cluster.network is not None
        address = self._cluster.network.hosts[node].address
        self.lost = f"node {node} ({address}) is lost: {how} while a call was under way (DIST-8)"
        self._cluster.spent = True
        deadline = time.monotonic() + ALL_ASKED
        for number, session in enumerate(self._cluster.sessions):
            left = min(ASKED, deadline - time.monotonic())
            if number != node and left > 0:
                with contextlib.suppress(ControlError):
                    session.trace(left)
        for session in self._cluster.sessions:
            if session.process is not None:
                session.process.kill()


def seen(cluster: Cluster) -> dict[int, str]:
    """The nodes that are stopped or cut off now, and how that shows."""
    found = {}
    for node, session in enumerate(cluster.sessions):
        if session.process is not None and (pid := session.process.halted()):
            found[node] = f"process {pid} is stopped"
    for node in cluster.network.down() if cluster.network is not None else ():
        if node < len(cluster.sessions):
            found[node] = "its link is down"
    return found
