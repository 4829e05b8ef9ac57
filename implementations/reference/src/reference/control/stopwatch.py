"""The stopwatch: all stamps of an iteration, in nanoseconds of one monotonic clock (MEAS-2,
MEAS-3)."""

from itertools import pairwise
from time import monotonic_ns as now

from dramaturg.model.buckets import count_in

__all__ = ["Stopwatch", "now"]


class Stopwatch:
    """Stamps of one world."""

    def __init__(self) -> None:
        self._start = 0
        self._end = 0
        self._ticks: list[int] = []
        self._starts: list[int] = []
        self._ends: dict[int, int] = {}
        self.latency: list[int] = []
        self.lateness: list[int] = []
        self._asleep: dict[int, int] = {}
        self.shortest = 0
        """Of the naps that have ended, in nanoseconds."""

    def start(self) -> None:
        """Control is about to hand over the first message."""
        self._start = now()

    def tick(self) -> None:
        """The lead has taken `tick`: a window has ended."""
        self._ticks.append(now())

    def until(self, due: int) -> float:
        """Seconds until a request is due; 0 if that is past. The timer rounds by less than a
        microsecond, and must not be early."""
        return max(0, self._start + due + 1000 - now()) / 1e9

    def arrived(self, due: int) -> None:
        """The source has taken `arrive`."""
        count_in(self.lateness, now() - self._start - due)

    def answered(self, due: int) -> None:
        """The source has taken the answer to a request that was due then."""
        count_in(self.latency, now() - self._start - due)

    def sleeps(self, index: int) -> None:
        """The alarm is about to send a sleeper `sleep`."""
        self._asleep[index] = now()

    def awakes(self, index: int) -> None:
        """The alarm has taken its `awake`."""
        span = now() - self._asleep[index]
        self.shortest = min(self.shortest or span, span)

    def stop(self) -> None:
        """The lead has done what it must upon its last message: the first time counts."""
        self._end = self._end or now()

    def turn_begins(self) -> None:
        """The poker is about to make a turn's accumulator."""
        self._starts.append(now())

    def turn_ends(self, turn: int) -> None:
        """The poker has taken a turn's `confirm`."""
        self._ends[turn] = now()

    @property
    def turn_nanos(self) -> list[int]:
        """Duration of each turn, in their order."""
        return [self._ends[turn] - start for turn, start in enumerate(self._starts)]

    @property
    def window_nanos(self) -> list[int]:
        """Duration of each window, in their order."""
        return [end - begin for begin, end in pairwise([self._start, *self._ticks])]

    @property
    def run_nanos(self) -> int:
        """Nanoseconds from the first message of the benchmark proper to its last; 0 without Run."""
        if not self._start:
            return 0
        if self._starts:
            return max(self._ends.values()) - self._starts[0]
        return self._end - self._start
