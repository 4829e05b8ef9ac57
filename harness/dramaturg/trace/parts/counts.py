"""How many messages an actor takes in a run, where that is a fact (spec/parts.md).

A slice says nothing of what comes before it and behind it. But the counts name every watched
actor with the number of all its messages, and of most actors that is known before.
"""

from collections.abc import Mapping
from typing import Any

from dramaturg.model import names


def miscounted(parameters: Any, ended: bool, taken: Mapping[int, int]) -> str:
    """Whose count is not the number of messages that every run has for it; empty if nobody's.

    ``parameters`` are the model's; ``ended`` says whether the run was torn down.
    """
    for actor, count in sorted(taken.items()):
        expected = of(parameters, ended, actor)
        if expected is not None and count != expected:
            return f"{names.spell(actor)}: took {count} messages, expected {expected} (TRACE-13)"
    return ""


UNCOUNTED = "is watched and has no count (TRACE-17), as if it had never been made (IMPL-1)"
"""Of an actor that each run has: whoever plays several in one has nobody to count for it."""


def uncounted(born: set[int], counted: set[int]) -> str:
    """Who was made and is not counted, or is counted and was never made; empty if nobody."""
    for actor in sorted(born ^ counted):
        what = UNCOUNTED if actor in born else "has a count and was never made (TRACE-17)"
        return f"{names.spell(actor)}: {what}"
    return ""


def of(p: Any, ended: bool, actor: int) -> int | None:
    """The number of messages that this actor takes in each run; None if that is no fact."""
    if getattr(p, "windows", 0):
        return None
    index, actor_class = names.index_of(actor), names.class_of(actor)
    match actor_class:
        case names.PING:
            return int(p.rounds) + 1
        case names.PONG:
            return int(p.rounds)
        case names.COORDINATOR:
            return int(p.peers) + 1
        case names.PEER:
            return 2 * p.rounds * (p.peers - 1) + 1
        case names.RECEIVER:
            return p.senders * (p.messages + 1) + 1
        case names.SENDER:
            return int(p.messages) + 1
        case names.DISPATCHER:
            return 2 * p.browsers * p.requests + p.browsers + 1 + ended
        case names.BROWSER:
            return int(p.requests) + 1
        case names.TALLY:
            return int(p.adders) + 1
        case names.ADDER:
            return 2
        case names.COUNTER:
            return p.adders * (p.adds + 1)
        case names.LINK:
            return 1 if index == p.length - 1 else 2
        case names.MASTER:
            return p.runners * p.tasks + 1
        case names.RUNNER:
            return int(p.tasks)
        case names.ALARM:
            return p.sleepers * p.naps + 1
        case names.SLEEPER:
            return 2 * p.naps
        case names.SORTER:
            return 1 if _length(index, p.length) <= p.leaf else 3
        case names.EMPLOYER:
            return p.tasks + p.employees + 1 + ended
        case names.ROUTER:
            return 2 * p.tasks + p.employees + (p.employees if ended else 0)
        case names.SOURCE:
            return 2 * p.requests + 2 + ended
        case names.BALANCER:
            return 2 * p.requests + ended
    return None


def _length(place: int, length: int) -> int:
    """Of the list that the sorter at this place is given."""
    for bit in f"{place:b}"[1:]:
        half = (length + 1) // 2
        length = half if bit == "0" else length - half
    return length
