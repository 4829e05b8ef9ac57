"""How much a timed iteration may log, and what must be heard of those that it watches (MEAS-7)."""

import random
from collections.abc import Mapping

from dramaturg.model import mergesort, names
from dramaturg.timing.scenarios import CHATAPP, Scenario
from dramaturg.trace.watches import Watches

SHARE = 0.01
"""Of all events of an iteration, at most, those that are logged."""

SLOWEST = 10
"""Events that any runtime takes in a millisecond of a windowed iteration, where nobody knows
before how many there will be."""


def events_of(scenario: Scenario) -> int:
    """About how many events an iteration has; of ChatApp fewer than there are."""
    if scenario.benchmark == CHATAPP:
        p = scenario.chatapp
        return 2 * p.turns * p.clients
    if scenario.parameters.get("windows"):
        return int(scenario.parameters["windows"] * scenario.parameters["window"]) * SLOWEST
    return scenario.budget({})


def unheard(watches: Watches, taken: Mapping[int, int]) -> str:
    """A watched actor that each run has, and that took nothing by what was counted. Chats are
    not among those: who invites nobody has none."""
    for row in watches:
        actor = names.name(getattr(row, "class"), row.first)
        if names.class_of(actor) != names.CHAT and not taken.get(actor):
            said = "took no message by its count" if actor in taken else "has no count"
            return f"{names.spell(actor)}: is watched and {said} (TRACE-3)"
    return ""


def a_sorter(p: mergesort.Parameters, chance: random.Random) -> int:
    """The index of one of the sorters there are: down the tree, to where each is as likely."""
    place, length = 1, p.length
    while number := chance.randrange(mergesort.sorters(length, p.leaf)):
        half = (length + 1) // 2
        if number <= mergesort.sorters(half, p.leaf):
            place, length = 2 * place, half
        else:
            place, length = 2 * place + 1, length - half
    return place
