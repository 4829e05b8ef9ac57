"""Logs laid down as columns, and decided by the three steps with a limit of CPU time."""

import random
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

import numpy as np

from dramaturg.model.workload import Workload
from dramaturg.trace.columns.store import Store
from dramaturg.trace.events import Event, Logs
from dramaturg.trace.replay.steps.three_steps import Decision, decide

ENOUGH = 5.0
"""Seconds of CPU time, for logs of some hundred events."""


class RanAway(BaseException):
    """A handler does not end: no handler can catch this."""


def stored(logs: Logs, rows: int = 11) -> Store:
    """The logs as columns, ``rows`` at a time, everybody's mixed."""
    store, mixed = Store(), list(mixed_up(logs))
    for begin in range(0, len(mixed), rows):
        part = mixed[begin : begin + rows]
        store.add(
            np.array([actor for actor, _ in part], np.uint64),
            np.array([sender for _, (sender, _) in part], np.uint64),
            np.array([kind for _, (_, (kind, _)) in part], np.uint32),
            np.array([word for _, (_, (_, args)) in part for word in args], np.uint64),
        )
    return store


def mixed_up(logs: Logs) -> Iterator[tuple[int, Event]]:
    """All events, those of each actor in its order."""
    draw = random.Random(1)
    turns = [actor for actor, log in logs.items() for _ in log]
    draw.shuffle(turns)
    ways = {actor: iter(log) for actor, log in logs.items()}
    return ((actor, next(ways[actor])) for actor in turns)


def decided(workload: Workload, logs: Logs) -> Decision:
    """Return the decision of the three steps; that they cannot tell, of a model that runs away."""
    try:
        with within(ENOUGH):
            return decide(workload, stored(logs, rows=1 << 16).sort())
    except RanAway:
        return Decision(None, "ran away")


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """Raises RanAway after so many seconds of CPU time."""

    def stop(number: int, frame: FrameType | None) -> None:
        raise RanAway

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
