"""Calls under which nothing moves any more, which are judged before their time is up.

Time limits are as patient as the slowest case needs them. A message that is lost shows earlier:
whoever waits for it waits for ever, and nobody computes meanwhile. The logs then say which one it
is. If they say nothing, the call has all of its time.
"""

import contextlib
import threading
import time
from collections.abc import Callable, Iterator

from dramaturg.conformance.cluster import Cluster
from dramaturg.processes import activity
from dramaturg.processes.supervised import Supervised

STEP = 2.0
"""Seconds between two looks."""

STILL = 20.0
"""Seconds on end for which nothing moves before the logs are fetched. Somebody may wait for less:
for a connection that is tried again, or for a packet that is sent once more."""

MOST = 0.05
"""The share of a core, of all processes on average, below which they are idle: an idle runtime
looks for work now and then."""


class Moved(Exception):
    """Something moves again."""


Wrong = Callable[[Callable[[], bool]], Exception | None]
"""Returns the error that the logs show, if any. It is given a function that says whether the call
has ended. Raises Moved."""


Calls = Callable[[], contextlib.AbstractContextManager[None]]
"""Each call is made inside one of these."""


@contextlib.contextmanager
def watching(
    cluster: Cluster,
    patience: float,
    wrong: Wrong,
    step: float | None = None,
) -> Iterator[Calls]:
    """Look at all processes while a call is under way. When nothing has moved for ``patience``
    seconds, ask ``wrong`` what the logs show. If that is an error and the call is still under way,
    end all processes; the call raises it."""
    processes = [session.process for session in cluster.sessions if session.process is not None]
    if len(processes) < len(cluster.sessions):
        # A process that somebody else has started may be held in a debugger.
        yield contextlib.nullcontext
        return
    watch = _Watch(cluster, processes, patience, wrong, step or STEP)
    watch.start()
    try:
        yield watch.call
    finally:
        watch.over.set()
        watch.join()


class _Watch(threading.Thread):
    """One thread for all calls of a world, since most of them take less time than its start."""

    def __init__(
        self,
        cluster: Cluster,
        processes: list[Supervised],
        patience: float,
        wrong: Wrong,
        step: float,
    ) -> None:
        super().__init__(daemon=True)
        self._cluster = cluster
        self._processes = processes
        self._patience = patience
        self._wrong = wrong
        self._step = step
        self.over = threading.Event()
        self._calls = 0
        self._under_way = 0
        """The number of a call, from 1 on; 0 between calls."""
        self._judging = threading.Lock()
        self._found: Exception | None = None
        """The error that the logs show."""

    @contextlib.contextmanager
    def call(self) -> Iterator[None]:
        """A call is under way inside. Nothing is asked of the processes behind its end."""
        self._calls += 1
        self._under_way = self._calls
        try:
            yield
        except Exception:
            self._end()
            if self._found is None:
                raise
        finally:
            self._end()
        if self._found is not None:
            self._cluster.spent = True
            raise self._found

    def _end(self) -> None:
        self._under_way = 0
        with self._judging:
            pass

    def run(self) -> None:
        seen = judged = 0
        still, at, before = 0.0, 0.0, 0.0
        while not self.over.wait(self._step):
            number = self._under_way
            if number in (0, judged):
                continue
            now, worked = time.monotonic(), self._worked()
            if number != seen:
                seen, still, at, before = number, 0.0, now, worked
                continue
            # A harness that was stopped, or a machine that slept, has seen nothing meanwhile.
            passed, at = min(now - at, 2 * self._step), now
            still = 0.0 if self._moved(worked - before, passed) else still + passed
            before = worked
            if still >= self._patience:
                try:
                    self._judge(number)
                except Moved:
                    still = 0.0
                else:
                    judged = number

    def _judge(self, number: int) -> None:
        with self._judging:
            found = self._wrong(lambda: self._under_way != number)
            # A call that has ended meanwhile has its own result.
            if found is not None and self._under_way == number:
                self._found = found
                for process in self._processes:
                    process.kill()

    def _worked(self) -> float:
        """Seconds for which the processes had a core so far, or were ready and waited for one."""
        moments = [process.consumption.moment() for process in self._processes]
        return sum(each.cpu + sum(each.waits.values()) for each in moments) / 1e9

    def _moved(self, worked: float, passed: float) -> bool:
        """True if they computed, or wanted to, or wait for a device: one that swaps is slow."""
        return worked > MOST * passed * len(self._processes) or any(
            activity.waits_for_device(process.consumption) for process in self._processes
        )
