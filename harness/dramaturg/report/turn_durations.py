"""Turns over a run: how long each took, over all samples of a row."""

from collections.abc import Sequence

import numpy as np

from dramaturg.records import SampleRecord
from dramaturg.report.summary import Timeline

MOST = 128
"""Figures of one timeline: beyond so many turns each is of several that follow each other."""


def timeline(samples: Sequence[SampleRecord]) -> Timeline | None:
    """None where there are fewer than two turns, or not always as many."""
    turns = [sample.turn_nanos for sample in samples]
    count = len(turns[0]) if turns else 0
    if count < 2 or any(len(of) != count for of in turns):
        return None
    step = -(-count // MOST)
    nanos = np.array(turns, dtype=np.float64)
    low, middle, high = zip(
        *(
            np.percentile(nanos[:, first : first + step], (25, 50, 75)).tolist()
            for first in range(0, count, step)
        ),
        strict=True,
    )
    return Timeline(turns=count, step=step, median=list(middle), low=list(low), high=list(high))
