"""The population of a run, and about how many messages each actor takes."""

import random
from collections.abc import Sequence
from functools import lru_cache
from typing import TypeGuard

from dramaturg.model import chatapp, mergesort, names
from dramaturg.model.actor import Actor
from dramaturg.model.crowd import Crowd
from dramaturg.model.simulation import Simulation
from dramaturg.model.workload import MICRO, Line
from dramaturg.timing.planning import scenarios
from dramaturg.timing.planning.scenarios import Scenario
from dramaturg.trace.partial import message_counts
from dramaturg.trace.partial.chatapp.script import script
from dramaturg.v2 import trace_pb2 as kind

LOOKED_AT = 1 << 17
"""Events of a directory that are performed to estimate how many it has."""

SLOWEST = 10
"""Events that any runtime takes in a millisecond of a windowed iteration, where nobody knows
before how many there will be."""


def classes(benchmark: str) -> list[int]:
    """The classes of a benchmark's actors."""
    model = chatapp if benchmark == scenarios.CHATAPP else MICRO[benchmark].model
    of_model = (each for each in vars(model).values() if isinstance(each, type))
    return sorted(
        each.actor_class
        for each in of_model
        if issubclass(each, Actor) and each.__module__ == model.__name__
    )


def of(scenario: Scenario) -> list[Crowd]:
    """The actors that exist in numbers, and those that are alone."""
    if scenario.benchmark == scenarios.CHATAPP:
        return _chatapp_crowds(scenario.chatapp)
    there: list[Crowd] = MICRO[scenario.benchmark].model.population(scenario.micro)
    return there


def _chatapp_crowds(p: chatapp.Parameters) -> list[Crowd]:
    many = -(-p.clients // p.directories)
    # The reports of its actors reach the receipt through the poker.
    poker = Crowd(names.POKER, 1, 2 * p.directories + p.turns + 3)
    said = directory_events(p)
    if said is None:
        friends = p.befriend * many // 50
        return [
            Crowd(names.CLIENT, p.clients, friends + p.turns + 2, sure=p.turns),
            Crowd(names.ACCUMULATOR, p.turns, p.clients),
            poker,
        ]
    own, chats, units = said
    return [
        Crowd(names.CLIENT, p.clients, own // many + 1, sure=p.turns),
        # A chat is watched with all those of its host, who may have none.
        Crowd(names.CHAT, p.clients, chats // many + 1, sure=0),
        Crowd(names.ACCUMULATOR, p.turns, units * p.directories // p.turns + 1, sure=p.clients),
        poker,
    ]


def messages_of(scenario: Scenario, crowd: Crowd, index: int) -> int:
    """Return the number of messages of one actor of a crowd: exact if that is a fact, else
    about."""
    if scenario.benchmark == scenarios.CHATAPP:
        return crowd.each
    actor = names.name(crowd.actor_class, index)
    return message_counts.of(scenario.micro, True, actor) or crowd.each


def share(crowd: Crowd, there: Sequence[Crowd]) -> float:
    """About which share of all messages one of this crowd takes, of those who are there; as
    much as any other where nobody knows."""
    if not all(each.each for each in there):
        return 1 / sum(each.many for each in there)
    return crowd.each / sum(each.many * each.each for each in there)


def events_of(scenario: Scenario) -> int:
    """About how many events an iteration has; of ChatApp fewer than there are."""
    if scenario.benchmark == scenarios.CHATAPP:
        p = scenario.chatapp
        return 2 * p.turns * p.clients
    if scenario.parameters.get("windows"):
        return int(scenario.parameters["windows"] * scenario.parameters["window"]) * SLOWEST
    return scenario.budget({})


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


# --- how much a directory of ChatApp does ---


class _Directory(Simulation):
    """Directory 0 with its clients, who are friends already, and their chats."""

    def __init__(self, p: chatapp.Parameters) -> None:
        self.units = 0
        facts = script(p)
        self.directory = chatapp.Directory(0, facts.seeds[0], p)
        self.directory.clients = list(facts.clients(0))
        super().__init__(_Nobody())
        self._enter(self.directory)
        for client in self.directory.clients:
            actor = chatapp.Client(client, self.directory.name, facts.seed(client), p)
            actor.friends = list(facts.friends(client))
            self._enter(actor)

    def _send(self, receiver: int, number: int, *args: int) -> None:
        if names.class_of(receiver) == names.ACCUMULATOR:
            self.units += 1
        elif names.class_of(receiver) != names.POKER:
            super()._send(receiver, number, *args)

    def poke(self, turn: int) -> None:
        """One turn, until nothing is under way."""
        self._current = names.name(names.POKER)
        self._send(self.directory.name, kind.MESSAGE_KIND_DIRECTORY_POKE, turn, 0)
        self.settle()

    def counted(self) -> tuple[int, int, int]:
        """Events of directory and clients, of chats, and of accumulators so far."""
        chats = sum(
            len(log) for actor, log in self.logs.items() if names.class_of(actor) == names.CHAT
        )
        return sum(map(len, self.logs.values())) - chats, chats, self.units


class _Nobody:
    """A workload without actors."""

    lead = names.name(names.DIRECTORY)

    def __init__(self) -> None:
        self.script: list[Line] = []

    def initial(self) -> list[Actor]:
        return []

    def reports(self, line: Line) -> int:
        return 0


@lru_cache(maxsize=8)
def directory_events(p: chatapp.Parameters) -> tuple[int, int, int] | None:
    """About how many events a directory and its clients have, their chats, and accumulators of
    them. None if there are too many friendships to look at.

    The model performs directory 0, each turn after the last one has settled, which makes most
    deliveries: whoever is invited is there in the next turn. If that is long, the rest is
    extrapolated: a turn has more deliveries the more chats there are by then.
    """
    facts = script(p)
    if not facts.chooses(0):
        return None
    simulation, done, before = _Directory(p), 0, (0, 0, 0)
    while done < p.turns and sum(simulation.counted()) < LOOKED_AT:
        before = simulation.counted()
        simulation.poke(done)
        done += 1
    clients = simulation.directory.clients
    friendships = sum(len(facts.friends(client)) for client in clients)
    # Each of the last turns has as much more than those before as the first ones had.
    found = [
        now + (p.turns - done) * (now - then) * (1 + p.turns / done) / 2
        for now, then in zip(simulation.counted(), before, strict=True)
    ]
    # login, settle, settled, logout and left of each client, and who is left by how many chats.
    found[0] += friendships + 5 * len(clients) + 3
    leaving = sum(len(actor.chats) for actor in simulation.actors.values() if _is_client(actor))
    own, chats, units = (int(count) for count in found)
    return own + leaving, chats + leaving, units


def _is_client(actor: Actor) -> TypeGuard[chatapp.Client]:
    return isinstance(actor, chatapp.Client)
