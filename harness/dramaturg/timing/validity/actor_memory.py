"""How far bytes per actor can be believed (spec/chain.md).

They are the growth of a peak. A process that has held more before shows less growth, or none: a
collector's work in Prepare, a heap that is touched when it is made, a gigabyte that was touched and
given back on purpose. The harness knows what was held when Run was called, and how much more than
that had been held before.
"""

BYTES = "bytes per actor"
"""The beginning of what cautions say; a report finds them by it."""

HIDDEN = 64 << 20
"""Bytes by which the peak may be above what is held when Run is called: libraries and caches of
files are in some peaks, and not in what is held."""


def doubts(grown: int, hidden: int, actors: int) -> list[str]:
    """Return the cautions about a first iteration. ``grown``: bytes by which its Run raised the
    peak; ``hidden``: those by which the peak was above what was held when Run was called."""
    if grown <= 0:
        return [f"{BYTES} are not measured: Run did not raise the peak of memory"]
    if hidden <= HIDDEN:
        return []
    return [
        f"{BYTES} may be {hidden / actors:.0f} more: when Run was called the peak was"
        f" {hidden >> 20} MiB above what was held"
    ]
