"""What a timed iteration watches: a few messages of actors drawn by chance (MEAS-7).

No implementation can know which actors it will be asked about, and none is asked about
more than a hundredth of what they do.
"""

import random
from collections.abc import Mapping, Sequence

from dramaturg.model import mergesort, names
from dramaturg.timing.scenarios import CHATAPP, Scenario
from dramaturg.trace.watches import Watches, watch
from dramaturg.v2 import control_pb2

SHARE = 0.01
"""Of all events of an iteration, at most, those that are logged."""

SLOWEST = 10
"""Events that any runtime takes in a millisecond of a windowed iteration, where nobody knows
before how many there will be."""

_CROWDS: dict[str, tuple[tuple[int, str], ...]] = {
    CHATAPP: ((names.CLIENT, "clients"), (names.CHAT, "clients"), (names.ACCUMULATOR, "turns")),
    "pingpong": ((names.PING, ""), (names.PONG, "")),
    "big": ((names.PEER, "peers"),),
    "bang": ((names.SENDER, "senders"), (names.RECEIVER, "")),
    "web": ((names.BROWSER, "browsers"), (names.WORKER, "workers"), (names.DISPATCHER, "")),
    "count": ((names.COUNTER, ""), (names.ADDER, "adders")),
    "chain": ((names.LINK, "length"),),
    "fanout": ((names.RUNNER, "runners"), (names.MASTER, "")),
    "sleepers": ((names.SLEEPER, "sleepers"), (names.ALARM, "")),
    "mergesort": ((names.SORTER, "length"),),
    "broker": ((names.EMPLOYEE, "employees"), (names.EMPLOYER, ""), (names.ROUTER, "")),
}
"""Classes of each benchmark, and the parameter that says how many there are: empty for one."""


def events_of(scenario: Scenario) -> int:
    """About how many events an iteration has; of ChatApp fewer than there are."""
    if scenario.benchmark == CHATAPP:
        p = scenario.chatapp
        return 2 * p.turns * p.clients
    if scenario.parameters.get("windows"):
        return int(scenario.parameters["windows"] * scenario.parameters["window"]) * SLOWEST
    return scenario.budget({})


def draw(scenario: Scenario, chance: random.Random) -> Sequence[control_pb2.Watch]:
    """A row for each class: one of its actors, each as likely as any other, and as many of its
    messages as there is room for, from one of the first on."""
    crowds = _CROWDS[scenario.benchmark]
    room = max(1, int(events_of(scenario) * SHARE) // len(crowds))
    rows = []
    for actor_class, parameter in crowds:
        many = int(scenario.parameters[parameter]) if parameter else 1
        index = chance.randrange(many)
        if actor_class == names.SORTER:
            index = a_sorter(scenario.micro, chance)
        known = many == 1 and not scenario.parameters.get("windows")
        begin = chance.randrange(room) if known else 0
        rows.append(watch(actor_class, first=index, last=index, begin=begin, events=room))
    return rows


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
