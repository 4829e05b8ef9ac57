"""CPU time, memory and threads of an invocation, held against each other and against time.

The least consumption of an iteration is the subject of timing/validity/plausibility.py.
"""

from collections.abc import Sequence
from dataclasses import dataclass

SLACK = 64 * 1024 * 1024
"""Bytes by which what is held after Teardown may grow: allocators keep what they once had, in
pieces, and tables of a runtime are as large as the largest world was."""

CROWD = 64
"""Threads by which an invocation may grow: a pool that fills as it is needed."""

FEWEST = 24
"""Iterations from which on growth can be told from warming up."""


@dataclass(frozen=True, slots=True)
class Spent:
    """The consumption of one iteration, from the look before it to the look after it."""

    wall_seconds: float
    cpu_seconds: float
    late: float
    """Seconds of CPU time that belong to what was before, or are yet to be counted."""


def too_busy(spent: Spent, cores: int) -> list[str]:
    """Nobody computes longer than the cores are there."""
    most = spent.wall_seconds * cores + spent.late
    if spent.cpu_seconds <= most:
        return []
    return [
        f"{spent.cpu_seconds:.3f} s of CPU time in {spent.wall_seconds:.3f} s on {cores} cores: a"
        " clock has jumped, or the kernel's account is wrong (MEAS-30)"
    ]


def nothing(run: float, iteration: float, least: float, messages: int) -> list[str]:
    """Messages that nobody has taken, by the kernel's account: others have, whom nobody counts.
    ``run`` and ``iteration``: seconds of CPU time; ``least``: what so many ``messages`` take at
    least, in Run."""
    if iteration > 0 and run >= least:
        return []
    return [
        f"{run:.3f} s of CPU time in Run for {messages} messages, and {iteration:.3f} s in the"
        f" iteration, expected at least {max(0.0, least):.3f} s: the started process does not do"
        " the work, and the one that does is counted nowhere (MEAS-41)"
    ]


def leak(held: Sequence[int], heap: int) -> list[str]:
    """Report memory that grows and grows: the bytes that are held after each Teardown so far.

    It does if every iteration of the last third holds more than every one of the second, and
    those more than the first, by more than an allocator keeps and, ``heap`` bytes, a collector
    may fill before it begins.
    """
    third, grown = len(held) // 3, _grown(held)
    if grown <= heap + SLACK:
        return []
    return [
        f"after Teardown {held[-1] >> 20} MiB are held, {grown >> 20} MiB more than in any of the"
        f" first {third} iterations, and more each time; expected at most"
        f" {(heap + SLACK) >> 20} MiB more: something lives on that alive does not count"
        " (MEAS-22)"
    ]


def crowd(threads: Sequence[int]) -> list[str]:
    """The same of how many threads there are after each Teardown so far, those of all processes: an
    actor that is a thread, or a process, holds little memory."""
    third, grown = len(threads) // 3, _grown(threads)
    if grown <= CROWD:
        return []
    return [
        f"after Teardown there are {threads[-1]} threads, {grown} more than in any of the first"
        f" {third} iterations, and more each time; expected at most {CROWD} more: something lives"
        " on that alive does not count (MEAS-22)"
    ]


def _grown(counted: Sequence[int]) -> int:
    """Return the difference by which every iteration of the last third has more than every one of
    the first, if those of the second lie between; 0 if not."""
    third = len(counted) // 3
    if len(counted) < FEWEST:
        return 0
    first, second, last = counted[:third], counted[third : 2 * third], counted[2 * third :]
    rises = max(first) < min(second) <= max(second) < min(last)
    return min(last) - max(first) if rises else 0
