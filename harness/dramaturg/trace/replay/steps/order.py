"""The third step: nothing was taken before it was sent (TRACE-6), which is that no event is its
own cause. An actor's events come one after the other; a message comes after the event upon which
it was sent, an actor's first event after the one upon which it was spawned, and what control says
after the report for which it waited.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dramaturg.trace.columns.jit import compiled

NOTHING = -1
"""Instead of an event that must have been taken before."""


@compiled
def by_receiver(to: Any, by: Any, at: Any, first: Any, base: Any, who: Any, when: Any) -> Any:
    """Sorts by receiver the messages sent to actors ``first`` and following: by whom, and upon
    which event. False if an actor was sent more than it has taken."""
    places = base.copy()
    for row in range(len(to)):
        receiver = to[row] - first
        place = places[receiver]
        if place >= base[receiver + 1]:
            return False
        places[receiver] += 1
        who[place], when[place] = by[row], at[row]
    return True


@compiled
def causes(
    base: Any, sender: Any, who: Any, when: Any, control: Any, due: Any, told: Any, first: Any,
    cause: Any,
) -> Any:  # fmt: skip
    """For each event of a shard, the event of its sender upon which it was sent.

    ``base`` is where each actor's rows begin in all other columns. ``who`` and ``when`` are what
    was sent to each, all of one sender together; rows behind them are those from control, of which
    number n was said after the lead's event ``due[n]``. ``first`` has -1 for each actor, and has
    it again. Returns how much control has told by then; -1 if a message was not sent.
    """
    for actor in range(len(base) - 1):
        begin, end = base[actor], base[actor + 1]
        stop = end
        for row in range(begin, end):
            if sender[row] == control:
                stop -= 1
        for row in range(begin, stop):
            if who[row] < 0:
                return -1
            if row == begin or who[row] != who[row - 1]:
                first[who[row]] = row
        for row in range(begin, end):
            of = sender[row]
            if of == control:
                if told >= len(due):
                    return -1
                cause[row] = due[told]
                told += 1
                continue
            place = first[of]
            if place < begin or place >= stop or who[place] != of:
                return -1
            cause[row] = when[place]
            first[of] = place + 1
        for row in range(begin, stop):
            first[who[row]] = -1
    return told


def taken(
    base: NDArray[np.int64],
    sender: NDArray[np.int32],
    cause: NDArray[np.int32],
    parents: NDArray[np.int32],
    births: NDArray[np.int32],
    control: int,
    lead: int,
) -> NDArray[np.int32]:
    """Return the number of events that each actor can take, each after all that it must come
    after."""
    position = np.zeros(len(base) - 1, np.int32)
    _take(base, sender, cause, parents, births, control, lead, position)
    return position


@compiled
def _take(
    base: Any, sender: Any, cause: Any, parents: Any, births: Any, control: Any, lead: Any,
    position: Any,
) -> Any:  # fmt: skip
    actors = len(base) - 1
    # The actors that wait for an actor, in a heap of its own: first who needs its earliest event.
    head, needs = np.full(actors, -1, np.int32), np.zeros(actors, np.int32)
    left, right = np.full(actors, -1, np.int32), np.full(actors, -1, np.int32)
    ready = np.arange(actors).astype(np.int32)
    top = actors
    while top > 0:
        top -= 1
        actor = ready[top]
        row, end = base[actor] + position[actor], base[actor + 1]
        while row < end:
            other, event = sender[row], cause[row]
            if other == control:
                other = lead
            if event >= 0 and position[other] > event:
                event = -1
            if event < 0 and position[actor] == 0 and parents[actor] >= 0:
                other, event = parents[actor], births[actor]
                if position[other] > event:
                    event = -1
            if event >= 0:
                needs[actor], left[actor], right[actor] = event, -1, -1
                head[other] = _merged(head[other], actor, needs, left, right)
                break
            row += 1
            position[actor] += 1
            while head[actor] >= 0 and needs[head[actor]] < position[actor]:
                waiting = head[actor]
                head[actor] = _merged(left[waiting], right[waiting], needs, left, right)
                ready[top] = waiting
                top += 1


@compiled
def _merged(one: Any, two: Any, needs: Any, left: Any, right: Any) -> Any:
    """Return the root of two skew heaps as one; -1 is an empty one."""
    root = last = np.int32(-1)
    while one >= 0 and two >= 0:
        if needs[two] < needs[one]:
            one, two = two, one
        if last < 0:
            root = one
        else:
            left[last] = one
        last, after = one, right[one]
        right[one] = left[one]
        one = after
    rest = one if one >= 0 else two
    if last < 0:
        return rest
    left[last] = rest
    return root
