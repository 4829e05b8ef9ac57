"""The stopwatch: all stamps of an iteration, in nanoseconds of one monotonic clock (MEAS-1)."""

from itertools import pairwise
from time import monotonic_ns as now

from asyncio_actors.control.histogram import Histogram

__all__ = ["Stopwatch", "now"]


class Stopwatch:
    """The stamps of one world."""

    __slots__ = (
        "_asleep", "_begun", "_ended", "_start", "_stop", "_ticks", "latency", "lateness",
        "shortest_nanos",
    )  # fmt: skip

    def __init__(self) -> None:
        self._start = 0
        self._stop = 0
        self._ticks: list[int] = []
        self._begun: list[int] = []
        self._ended: dict[int, int] = {}
        self.latency = Histogram()
        self.lateness = Histogram()
        self._asleep: dict[int, int] = {}
        self.shortest_nanos: int | None = None
        """Of the naps that have ended; None if none has."""

    def start(self) -> None:
        """Control is about to hand the run's first message over (S)."""
        self._start = now()

    def tick(self) -> None:
        """The lead has taken `tick` (W)."""
        self._ticks.append(now())

    def until(self, due: int) -> float:
        """Seconds until a request is due, so many nanoseconds after S; 0 if that is past. A
        microsecond is added, by less than which the timer may be early."""
        return max(0, self._start + due + 1000 - now()) / 1e9

    def arrived(self, due: int) -> None:
        """The source has taken `arrive`: how late it is (OPEN-5)."""
        self.lateness.add(due, now() - self._start)

    def answered(self, due: int) -> None:
        """The source has taken the answer to a request that was due then (OPEN-5)."""
        self.latency.add(due, now() - self._start)

    def sleeps(self, sleeper: int) -> None:
        """The alarm is about to send it `sleep` (SLEEP-5)."""
        self._asleep[sleeper] = now()

    def awakes(self, sleeper: int) -> None:
        """The alarm has taken its `awake` (SLEEP-5)."""
        nap = now() - self._asleep[sleeper]
        if self.shortest_nanos is None or nap < self.shortest_nanos:
            self.shortest_nanos = nap

    def stop(self) -> None:
        """The lead has done what it must upon its last message (E); the first time counts."""
        self._stop = self._stop or now()

    def turn_begins(self) -> None:
        """The poker is about to spawn the next turn's accumulator (B)."""
        self._begun.append(now())

    def turn_ends(self, turn: int) -> None:
        """The poker has taken this turn's `confirm` (C)."""
        self._ended[turn] = now()

    @property
    def turn_nanos(self) -> list[int]:
        """Return the duration of each turn (MEAS-2)."""
        return [self._ended[turn] - begun for turn, begun in enumerate(self._begun)]

    @property
    def window_nanos(self) -> list[int]:
        """Return the duration of each window (WIN-3)."""
        return [end - begin for begin, end in pairwise([self._start, *self._ticks])]

    @property
    def run_nanos(self) -> int:
        """Nanoseconds from S to E (MEAS-3); 0 without a run."""
        if not self._start:
            return 0
        if self._begun:
            return max(self._ended.values()) - self._begun[0]
        return self._stop - self._start
