"""Durations of turns against the poker's own log (spec/measurements.md, MEAS-2).

The poker starts turns in the order of their numbers, and reads its clock before each; it reads it
again when it takes a turn's `confirm`. So a turn that was started later and confirmed earlier than
another one took no longer. No clock is needed for that: the log is held against the model, and says
in which order `confirm`s were taken.
"""

from bisect import bisect_right
from collections.abc import Iterator, Sequence

from dramaturg.model import names
from dramaturg.trace.events import AnyLogs
from dramaturg.trace.replay import openweb_order
from dramaturg.trace.replay.openweb_order import Beyond
from dramaturg.v2 import trace_pb2 as kind

_POKER = names.name(names.POKER)
_CONFIRM = kind.MESSAGE_KIND_POKER_CONFIRM

GRAIN = openweb_order.GRAIN
"""Nanoseconds that rounding may add or take away, as of a source's clock."""


def problems(logs: AnyLogs, turn_nanos: Sequence[int]) -> list[str]:
    """Return what is wrong, in words."""
    return [each.text for each in beyond(logs, turn_nanos) if each.nanos > GRAIN]


def beyond(logs: AnyLogs, turn_nanos: Sequence[int]) -> Iterator[Beyond]:
    """Hold a receipt's turns against what was logged of the poker, all that it took or any part of
    it: the two turns that contradict each other most. Nothing, if turns were confirmed in the order
    in which they were started."""
    # Confirmed so far: the later a turn was started, the less time it took. Whoever was started
    # earlier than another one, and took no longer, says nothing that this one does not say.
    started: list[int] = []
    worst: Beyond | None = None
    for _, (number, args) in logs.get(_POKER, ()):
        if number != _CONFIRM or args[0] >= len(turn_nanos):
            continue
        turn = args[0]
        took = turn_nanos[turn]
        place = bisect_right(started, turn)
        if place < len(started):
            then = started[place]
            lack = turn_nanos[then] - took
            if worst is None or lack > worst.nanos:
                worst = Beyond("order-turns", lack, _text(turn, then, turn_nanos))
            if lack >= 0:
                continue
        while place and turn_nanos[started[place - 1]] <= took:
            place -= 1
            del started[place]
        started.insert(place, turn)
    if worst is not None:
        yield worst


def _text(turn: int, then: int, turn_nanos: Sequence[int]) -> str:
    return (
        f"turn {then} was started after turn {turn}, and poker/0 took its confirm before that of"
        f" turn {turn}: it took no longer; by the receipt it took {turn_nanos[then] / 1e6:.3f} ms,"
        f" and turn {turn} {turn_nanos[turn] / 1e6:.3f} ms (MEAS-2)"
    )
