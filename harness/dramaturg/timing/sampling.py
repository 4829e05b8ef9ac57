"""What a timed iteration watches: a few messages of actors drawn by chance (MEAS-7).

No implementation can know which actors it will be asked about, and none is asked about
more than a hundredth of what they do.
"""

import random
from collections.abc import Sequence

from dramaturg.model import names
from dramaturg.timing.scenarios import CHATAPP, Scenario
from dramaturg.trace.watches import watch
from dramaturg.v2 import control_pb2

SHARE = 0.01
"""Of all events of an iteration, at most, those that are logged."""

UNKNOWN = 10_000
"""Events of a windowed iteration that are counted on: nobody knows them before."""

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
        return UNKNOWN
    return scenario.budget({})


def draw(scenario: Scenario, chance: random.Random) -> Sequence[control_pb2.Watch]:
    """A row for each class: one of its actors, and as many of its messages as there is room
    for, from one of the first on."""
    crowds = _CROWDS[scenario.benchmark]
    room = max(1, int(events_of(scenario) * SHARE) // len(crowds))
    rows = []
    for actor_class, parameter in crowds:
        many = int(scenario.parameters[parameter]) if parameter else 1
        index = chance.randrange(many)
        begin = chance.randrange(room) if many == 1 else 0
        rows.append(watch(actor_class, first=index, last=index, begin=begin, events=room))
    return rows
