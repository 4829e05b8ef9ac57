"""Who is there in a run, and about how many messages each of them takes."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeGuard

from dramaturg.model import chatapp, mergesort, names
from dramaturg.model.actor import Actor
from dramaturg.model.simulation import Simulation
from dramaturg.model.workload import MICRO, Line
from dramaturg.timing import scenarios
from dramaturg.timing.scenarios import Scenario
from dramaturg.trace.parts import counts
from dramaturg.trace.parts.script import script
from dramaturg.v2 import trace_pb2 as kind

LOOKED_AT = 1 << 17
"""Events of a directory that are performed to estimate how many it has."""

SLOWEST = 10
"""Events that any runtime takes in a millisecond of a windowed iteration, where nobody knows
before how many there will be."""


@dataclass(frozen=True, slots=True)
class Crowd:
    """Actors of one class, of which each takes about as many messages."""

    actor_class: int
    many: int
    each: int
    """Messages of one; 0 if nobody knows."""
    first: int = 0
    sure: int | None = None
    """Messages that each of them takes, if ``each`` is a mean."""


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
    """Who is there in numbers, and who is alone."""
    v = scenario.parameters
    unknown = bool(v.get("windows"))

    def each(count: int) -> int:
        return 0 if unknown else count

    match scenario.benchmark:
        case scenarios.CHATAPP:
            return _chatapp_crowds(scenario.chatapp)
        case "pingpong":
            rounds = each(v["rounds"])
            return [Crowd(names.PING, 1, rounds), Crowd(names.PONG, 1, rounds)]
        case "big":
            pings = 2 * v["rounds"] * (v["peers"] - 1)
            # Of the windowed form one `marked` of each peer for each window, `idle` and `finished`.
            heard = v["windows"] * (v["peers"] + 1) + 2 * v["peers"] if unknown else v["peers"]
            return [
                Crowd(names.PEER, v["peers"], each(pings + 1)),
                Crowd(names.COORDINATOR, 1, heard + 1),
            ]
        case "bang":
            sent = v["messages"] + 1
            return [
                Crowd(names.SENDER, v["senders"], each(sent)),
                Crowd(names.RECEIVER, 1, each(v["senders"] * sent)),
            ]
        case "web":
            total = v["browsers"] * v["requests"]
            return [
                Crowd(names.BROWSER, v["browsers"], v["requests"] + 1),
                Crowd(names.WORKER, v["workers"], -(-total // v["workers"]) + 1, sure=1),
                Crowd(names.DISPATCHER, 1, 2 * total + v["browsers"] + 2),
            ]
        case "count":
            return [
                Crowd(names.ADDER, v["adders"], 2),
                Crowd(names.COUNTER, 1, v["adders"] * (v["adds"] + 1)),
            ]
        case "chain":
            return [Crowd(names.LINK, v["length"], 2)]
        case "fanout":
            return [
                Crowd(names.RUNNER, v["runners"], v["tasks"]),
                Crowd(names.MASTER, 1, v["runners"] * v["tasks"] + 1),
            ]
        case "sleepers":
            return [
                Crowd(names.SLEEPER, v["sleepers"], 2 * v["naps"]),
                Crowd(names.ALARM, 1, v["sleepers"] * v["naps"] + 1),
            ]
        case "mergesort":
            return [Crowd(names.SORTER, 2 * v["length"], 3, first=1)]
        case "openweb":
            total = v["requests"]
            return [
                Crowd(names.SERVER, v["servers"], -(-total // v["servers"]) + 1, sure=1),
                Crowd(names.SOURCE, 1, 2 * total + 3),
                Crowd(names.BALANCER, 1, 2 * total + 1),
            ]
        case _:
            tasks, crew = v["tasks"], v["employees"]
            return [
                Crowd(names.EMPLOYEE, crew, -(-tasks // crew) + 2, sure=1),
                Crowd(names.EMPLOYER, 1, tasks + crew + 2),
                Crowd(names.ROUTER, 1, 2 * (tasks + crew)),
            ]


def _chatapp_crowds(p: chatapp.Parameters) -> list[Crowd]:
    many = -(-p.clients // p.directories)
    # What its actors report comes to the receipt through the poker.
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
    """How many messages one of a crowd has, where that is a fact, and else about how many."""
    if scenario.benchmark == scenarios.CHATAPP:
        return crowd.each
    actor = names.name(crowd.actor_class, index)
    return counts.of(scenario.micro, True, actor) or crowd.each


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
