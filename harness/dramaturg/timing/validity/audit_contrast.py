"""Iterations that are audited, held against those that are timed (spec/measurements.md, MEAS-25
and MEAS-33).

An implementation sees how much is watched. One that does less where nobody looks is right in all
that is looked at, and fast. So what both kinds of iterations took for each message is compared,
and how many messages they had.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from statistics import median

SLOWEST, REFUSED = 20, 60
"""The time of an audited iteration for each message, as a multiple of a timed one's: above the
first a result carries a caution, above the second it is wrong. The worst honest ones take some
twenty times as long, if a message costs next to nothing and each is logged."""

LITTLE = 0.2
"""Seconds of CPU time that an audited iteration must take before it is *wrong*: below that it may
be the first of its kind, whose code is compiled in it."""

ALIKE, OTHER = 4 / 3, 5.0
"""The number of messages of the timed iterations, as a multiple of the audited ones' or the other
way round: beyond the first a result carries a caution, beyond the second it is wrong. Only
ChatApp's deliveries depend on the schedule; the worst honest ones had 2.2 times as few, on a
machine with ten times as many busy threads as cores."""


@dataclass(frozen=True, slots=True)
class Ran:
    """One iteration."""

    messages: int
    run_nanos: int
    cpu_nanos: int | None
    """The CPU time of all processes in Run; None where one is not ours to look at."""


@dataclass(slots=True)
class Contrast:
    """The iterations of one invocation."""

    windowed: bool = False
    """True if the time is given, and not the work in it: then there are fewer messages if more is
    logged."""
    timed: list[Ran] = field(default_factory=list)
    audited: list[Ran] = field(default_factory=list)

    @property
    def slowdown(self) -> float | None:
        """The time of the audited ones for each message, as a multiple of the timed ones', by the
        clock or by CPU time, whichever is less: a machine that stalls stretches one, and idle
        threads that look for work the other. None if there is nothing to compare."""
        wall = _ratio(_pace(self.audited, _wall), _pace(self.timed, _wall))
        cpu = _ratio(_pace(self.audited, _cpu), _pace(self.timed, _cpu))
        return min((each for each in (wall, cpu) if each is not None), default=None)

    @property
    def volume(self) -> float | None:
        """The number of messages of the timed ones, as a multiple of the audited ones'; None if
        that says nothing."""
        return None if self.windowed else _ratio(_volume(self.timed), _volume(self.audited))

    @property
    def _is_little(self) -> bool:
        cpu = [each.cpu_nanos for each in self.audited if each.cpu_nanos is not None]
        return not cpu or median(cpu) < LITTLE * 1e9

    def problems(self) -> list[str]:
        """The faults that make the invocation *fail*."""
        found = []
        slower, volume = self.slowdown, self.volume
        if slower is not None and slower > REFUSED and not self._is_little:
            found.append(
                f"audited iterations took {slower:.0f} times as long for each message as others,"
                f" by the clock and by CPU time, expected at most {REFUSED} times: work"
                " that nobody watches is done otherwise, or not at all (MEAS-25)"
            )
        if volume is not None and not 1 / OTHER <= volume <= OTHER:
            found.append(
                f"iterations had {volume:.2f} times the messages of those that were audited,"
                f" expected {1 / OTHER:.2f} to {OTHER:.2f}: work that nobody watches is done"
                " otherwise (MEAS-33)"
            )
        return found

    def doubts(self) -> list[str]:
        """The cautions that are no fault and stand beside the number."""
        found = []
        slower, volume = self.slowdown, self.volume
        if slower is not None and slower > SLOWEST:
            found.append(f"{slower:.0f} times as fast as audited iterations (MEAS-25)")
        if volume is not None and not 1 / ALIKE <= volume <= ALIKE:
            found.append(f"{volume:.2f} times the messages of audited iterations (MEAS-33)")
        return found

    def margins(self) -> dict[str, float]:
        """Return the share of each bound that was used."""
        found = {}
        if self.slowdown is not None and not self._is_little:
            found["MEAS-25"] = self.slowdown / REFUSED
        if self.volume is not None:
            found["MEAS-33"] = abs(math.log(self.volume)) / math.log(OTHER)
        return found


def _wall(ran: Ran) -> int | None:
    return ran.run_nanos


def _cpu(ran: Ran) -> int | None:
    return ran.cpu_nanos


def _pace(runs: Sequence[Ran], of: Callable[[Ran], int | None]) -> float | None:
    """Median, over iterations, of the nanoseconds for each message."""
    paces = [taken / each.messages for each in runs if each.messages and (taken := of(each))]
    return median(paces) if paces else None


def _volume(runs: Sequence[Ran]) -> float | None:
    volumes = [each.messages for each in runs if each.messages]
    return median(volumes) if volumes else None


def _ratio(one: float | None, other: float | None) -> float | None:
    return one / other if one and other else None
