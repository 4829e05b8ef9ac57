"""Which parts of a run are watched: closed parts within a budget, and actors among outsiders.

A *closed* part is decided exactly (spec/parts.md): everybody where that fits into the budget,
else directories with their clients and chats, or actors of a crowd in each of which all is a
fact. What is too large for that is watched in *slices*. *Crossing* watches are those of every
timed iteration: as many actors among outsiders as a hundredth of all events pays for.
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeGuard

from dramaturg.model import chatapp, names
from dramaturg.model.actor import Actor
from dramaturg.model.simulation import Simulation
from dramaturg.model.workload import Line
from dramaturg.timing import sampling
from dramaturg.timing.scenarios import CHATAPP, Scenario
from dramaturg.trace.parts.script import script
from dramaturg.trace.watches import ALL, EVERYBODY, MOST_OF_A_CLASS, Watches, watch
from dramaturg.v2 import control_pb2
from dramaturg.v2 import trace_pb2 as kind

BUDGET = 1 << 22
"""Events of one audit, at most as far as can be told before."""

LOOKED_AT = 1 << 17
"""Events of a directory that are performed to estimate how many it has."""


@dataclass(frozen=True, slots=True)
class Part:
    """Something to watch, and about how many events that is."""

    watches: tuple[control_pb2.Watch, ...]
    events: int
    closed: bool
    """Whether all of it is decided exactly; else it is slices."""
    what: str
    """For people: `directories 3, 11, 19`."""


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


def crowds(scenario: Scenario) -> list[Crowd]:
    """Who is there in numbers, and who is alone."""
    v = scenario.parameters
    unknown = bool(v.get("windows"))

    def each(count: int) -> int:
        return 0 if unknown else count

    match scenario.benchmark:
        case "chatapp":
            return _chatapp_crowds(scenario.chatapp)
        case "pingpong":
            rounds = each(v["rounds"])
            return [Crowd(names.PING, 1, rounds), Crowd(names.PONG, 1, rounds)]
        case "big":
            pings = 2 * v["rounds"] * (v["peers"] - 1)
            return [Crowd(names.PEER, v["peers"], each(pings + 1))]
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
        case _:
            tasks, crew = v["tasks"], v["employees"]
            return [
                Crowd(names.EMPLOYEE, crew, -(-tasks // crew) + 2, sure=1),
                Crowd(names.EMPLOYER, 1, tasks + crew + 2),
                Crowd(names.ROUTER, 1, 2 * (tasks + crew)),
            ]


def _chatapp_crowds(p: chatapp.Parameters) -> list[Crowd]:
    many = -(-p.clients // p.directories)
    said = directory_events(p)
    if said is None:
        friends = p.befriend * many // 50
        return [
            Crowd(names.CLIENT, p.clients, friends + p.turns + 2, sure=p.turns),
            Crowd(names.ACCUMULATOR, p.turns, p.clients),
        ]
    own, chats, units = said
    return [
        Crowd(names.CLIENT, p.clients, own // many + 1, sure=p.turns),
        # A chat is watched with all those of its host, who may have none.
        Crowd(names.CHAT, p.clients, chats // many + 1, sure=0),
        Crowd(names.ACCUMULATOR, p.turns, units * p.directories // p.turns + 1, sure=p.clients),
    ]


# --- closed parts ---


def closed(scenario: Scenario, chance: random.Random, budget: int = BUDGET) -> list[Part]:
    """Parts that an audit can watch, each within the budget, the best first; each but
    everybody is drawn by ``chance``. Never empty: where nothing that is closed fits, slices."""
    found = list(_closed(scenario, chance, budget))
    return [*found, sliced(scenario, chance, budget)] if not _everybody(found) else found


def _everybody(parts: Sequence[Part]) -> bool:
    return any(part.watches == EVERYBODY for part in parts)


def _closed(scenario: Scenario, chance: random.Random, budget: int) -> Iterator[Part]:
    if scenario.benchmark == CHATAPP:
        yield from _directories(scenario.chatapp, chance, budget)
        return
    if scenario.parameters.get("windows"):
        return
    events = scenario.budget({})
    if events <= budget:
        yield Part(EVERYBODY, events, True, "everybody")
        return
    for crowd in crowds(scenario):
        if crowd.actor_class in _FACTS and 0 < crowd.each <= budget:
            count = min(crowd.many, budget // crowd.each)
            rows = _block(crowd, count, chance)
            what = f"{count} of {crowd.many} {names.LABELS[crowd.actor_class]}s"
            yield Part(tuple(rows), count * crowd.each, True, what)


_FACTS = {
    names.SENDER, names.RECEIVER, names.LINK, names.RUNNER, names.SLEEPER, names.SORTER,
    names.PING, names.PONG, names.COUNTER,
}  # fmt: skip
"""Classes whose actors alone are closed parts of the counted forms."""


def _directories(p: chatapp.Parameters, chance: random.Random, budget: int) -> Iterator[Part]:
    said = directory_events(p)
    if said is None:
        return
    own, chats, units = said
    each = own + chats
    if p.directories * (each + units) <= budget:
        yield Part(EVERYBODY, p.directories * (each + units), True, "everybody")
        return
    fit = min(p.directories, budget // each)
    if fit == 0:
        return
    # As many as one row can have, and so many rows: all with these remainders.
    modulus, count = max(
        ((m, min(MOST_OF_A_CLASS, fit // _parts(p, m))) for m in range(1, p.directories + 1)),
        key=lambda rows: rows[1] * _parts(p, rows[0]),
    )
    remainders = sorted(chance.sample(range(modulus), count))
    rows = tuple(
        row
        for remainder in remainders
        for actor_class in (names.DIRECTORY, names.CLIENT, names.CHAT)
        for row in [watch(actor_class, modulus=modulus, remainder=remainder)]
    )
    many = count * _parts(p, modulus)
    said_of = ", ".join(map(str, remainders))
    what = f"{many} of {p.directories} directories: {said_of} modulo {modulus}"
    yield Part(rows, many * each, True, what)


def _parts(p: chatapp.Parameters, modulus: int) -> int:
    """Directories in one row of this modulus; more than there are if rows differ."""
    return p.directories // modulus if p.directories % modulus == 0 else ALL


def _block(crowd: Crowd, count: int, chance: random.Random) -> Iterator[control_pb2.Watch]:
    """So many neighbours from somewhere on, and round from the last to the first."""
    if count >= crowd.many:
        yield watch(crowd.actor_class)
        return
    begin = chance.randrange(crowd.many)
    behind = begin + count - crowd.many
    first, last = crowd.first + begin, crowd.first + min(begin + count, crowd.many) - 1
    yield watch(crowd.actor_class, first=first, last=last)
    if behind > 0:
        yield watch(crowd.actor_class, first=crowd.first, last=crowd.first + behind - 1)


# --- slices ---


def sliced(scenario: Scenario, chance: random.Random, budget: int = BUDGET) -> Part:
    """A slice of an actor of each class, from somewhere on. Where nobody knows how much an
    actor takes, early places are as likely as late ones by their order of magnitude."""
    there = crowds(scenario)
    rows, events = [], 0
    for crowd in there:
        length = budget // len(there)
        index = _one_of(scenario, crowd, chance)
        if crowd.each:
            length = min(length, crowd.each)
            begin = chance.randrange(crowd.each - length + 1)
        else:
            begin = int(2 ** chance.uniform(0, 20)) - 1
        rows.append(watch(crowd.actor_class, first=index, last=index, begin=begin, events=length))
        events += length
    return Part(tuple(rows), events, False, "a slice of an actor of each class")


def _one_of(scenario: Scenario, crowd: Crowd, chance: random.Random) -> int:
    if crowd.actor_class == names.SORTER:
        return sampling.a_sorter(scenario.micro, chance)
    return crowd.first + chance.randrange(crowd.many)


# --- crossing ---


def crossing(scenario: Scenario, chance: random.Random, share: float = sampling.SHARE) -> Watches:
    """Actors of each class among outsiders, whole where ``share`` of all events pays for one,
    and then as many as it pays for; else a slice of one. Each row asks for one event at least,
    and there is a row that finds one."""
    there = crowds(scenario)
    means = [crowd for crowd in there if crowd.sure]
    finds = chance.choice(means) if all(crowd.sure is not None for crowd in there) else None
    room = max(1, int(sampling.events_of(scenario) * share) // len(there))
    rows: list[control_pb2.Watch] = []
    for crowd in there:
        if 0 < crowd.each <= room:
            count = room // crowd.each
            if crowd.actor_class == names.SORTER:
                first = sampling.a_sorter(scenario.micro, chance)
                rows.append(watch(names.SORTER, first=first, last=first + count - 1))
            else:
                rows += _block(crowd, count, chance)
            continue
        index = _one_of(scenario, crowd, chance)
        taken = crowd.sure if crowd is finds else crowd.each
        begin = chance.randrange(max(1, (taken or 0) - room + 1))
        rows.append(watch(crowd.actor_class, first=index, last=index, begin=begin, events=room))
    return rows


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
