"""Naps held against the harness's own clock: one that ended early shows while others still
sleep."""

import threading
import time

from dramaturg.cases.cases import sleep_of
from dramaturg.conformance.cluster import Cluster
from dramaturg.control.session import ORDINARY_TIME, Ran
from dramaturg.errors import ControlError
from dramaturg.model import names
from dramaturg.trace.events import AnyLogs, TraceError
from dramaturg.v2 import benchmarks_pb2
from dramaturg.v2 import trace_pb2 as kind

LOOKS = 4
"""Number of looks in one nap: after a half of it, three quarters and so on; each is nearer to its
end, and the last ones may be answered too late to tell."""

_ENDS = {
    names.SLEEPER: kind.MESSAGE_KIND_SLEEPER_WAKE,
    names.ALARM: kind.MESSAGE_KIND_ALARM_AWAKE,
}
"""Messages that say of a nap, by its number, that it has ended."""


def early(logs: AnyLogs, delay: int, seconds: float) -> str:
    """The end of a nap that was taken although it cannot have ended yet, ``seconds`` after `Run`
    was called; empty if nothing was. ``delay`` is in milliseconds; naps of one sleeper follow on
    each other."""
    for actor, log in logs.items():
        ending = _ENDS.get(names.class_of(actor))
        for _, (number, args) in log:
            if number == ending and (args[0] + 1) * delay > seconds * 1000:
                nth = "" if not args[0] else f" number {args[0]}"
                return (
                    f"{names.spell(actor)} had taken the end of a nap{nth}"
                    f" {seconds:.3f} s after Run was called; it lasts {delay / 1000:g} s, so it"
                    f" cannot end before {(args[0] + 1) * delay / 1000:g} s (SLEEP-2)"
                )
    return ""


def too_short(benchmark: benchmarks_pb2.Benchmark, ran: Ran) -> str:
    """Say that a run took less time than its naps, by the harness's clock; empty if it did not."""
    least = sleep_of(benchmark)
    if ran.seconds >= least:
        return ""
    return (
        f"Run took {ran.seconds:.3f} s by the harness's clock, and its naps, one after the other,"
        f" last {least:g} s (SLEEP-2)"
    )


class Traces:
    """Traces that are fetched while a run is under way, by a thread of its own. A context manager
    around the run."""

    def __init__(self, cluster: Cluster, benchmark: benchmarks_pb2.Benchmark) -> None:
        self._cluster = cluster
        self._delay = benchmark.sleepers.delay
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)
        self._began = 0.0
        self.early = ""
        """The ``wake`` that was there too early; empty if none was."""
        self.error: Exception | None = None
        """The error with which a Trace failed (CTRL-9)."""
        self.telling = 0
        """Traces that were answered before anything was due."""

    def __enter__(self) -> "Traces":
        self._began = time.monotonic()
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    def _look(self) -> None:
        nap = self._delay / 1000
        for number in range(1, LOOKS + 1):
            moment = self._began + nap * (1 - 0.5**number)
            if self._over.wait(max(0.0, moment - time.monotonic())):
                return
            try:
                self._cluster.trace(ORDINARY_TIME)
            except (ControlError, TraceError) as error:
                self.error = error
                return
            passed = time.monotonic() - self._began
            self.telling += passed < nap
            self.early = early(self._cluster.logs, self._delay, passed)
            if self.early:
                return
