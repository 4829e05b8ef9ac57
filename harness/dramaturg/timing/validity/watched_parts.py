"""The parts of a run that are watched: closed parts within a budget, and actors among outsiders.

A *closed* part is decided exactly (spec/parts.md): everybody if that fits into the budget, else
directories with their clients and chats, or actors of a crowd in each of which all is a fact.
Actors with too many messages for that are watched in *slices*. *Crossing* watches are those of
every timed iteration: as many actors among outsiders as a hundredth of all events pays for.
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from dramaturg.model import chatapp, names
from dramaturg.model.crowd import Crowd
from dramaturg.timing.planning import population
from dramaturg.timing.planning.scenarios import CHATAPP, Scenario
from dramaturg.trace.partial.benchmarks import BENCHMARKS
from dramaturg.trace.watches import (
    ALL,
    EVERYBODY,
    MOST,
    MOST_OF_A_CLASS,
    Watches,
    is_everybody,
    watch,
)
from dramaturg.v2 import control_pb2

SHARE = 0.01
"""The share of all events of an iteration that are logged at most (MEAS-7)."""

COUNTED = 0.1
"""The share of all events that an actor may take to be watched in every iteration. Counting its
messages costs a tenth of a delivery where deliveries are cheapest, also beside its slice; so an
actor that takes all of them is watched in a tenth of the iterations, for a hundredth of the
time."""

BUDGET = 1 << 22
"""Events of one audit, at most as far as can be told before."""

BESIDE = 1 << 17
"""Events of each slice that is watched beside a closed part."""

LATEST = 1 << 31
"""No slice begins behind it, whatever a receipt claims."""


@dataclass(frozen=True, slots=True)
class Part:
    """Something to watch, and about how many events that is."""

    watches: tuple[control_pb2.Watch, ...]
    events: int
    closed: bool
    """True if all of it is decided exactly; else it is slices."""


def spelled_out(benchmark: str, chance: random.Random) -> Watches:
    """Everybody, in rows of each class that no two audits share. One row of class 0 says the same;
    a program that is right upon that one, and otherwise wrong, is seen in audits."""
    rows = []
    for actor_class in population.classes(benchmark):
        modulus = chance.randint(1, MOST // _CLASSES)
        rows += [
            watch(
                actor_class,
                modulus=modulus,
                remainder=remainder,
                last=chance.randint(_MANY, ALL),
                events=chance.randint(_MANY, ALL),
            )
            for remainder in range(modulus)
        ]
    chance.shuffle(rows)
    return rows


_CLASSES = 5
"""Number of classes that a benchmark has, at most."""

_MANY = 1 << 31
"""More than there are of any class, and than any actor takes."""


# --- closed parts ---


def closed(
    scenario: Scenario, chance: random.Random, budget: int = BUDGET, volume: int = 0
) -> list[Part]:
    """Parts that an audit can watch, each within the budget, the best first; each but
    everybody is drawn by ``chance``. Never empty: where nothing that is closed fits, slices."""
    found = list(_closed(scenario, chance, budget))
    return [*found, sliced(scenario, chance, budget, volume)] if not _everybody(found) else found


def beside(scenario: Scenario, part: Part, chance: random.Random) -> Watches:
    """Slices of one of each crowd that is in no row of the part: its messages to outsiders, which
    may be too many to be watched as a whole, are seen there."""
    inside = {getattr(row, "class") for row in part.watches}
    if is_everybody(part.watches):
        return []
    return [
        _slice(scenario, crowd, BESIDE, chance, surely=False)
        for crowd in population.of(scenario)
        if crowd.actor_class not in inside
    ]


def _everybody(parts: Sequence[Part]) -> bool:
    return any(is_everybody(part.watches) for part in parts)


def _closed(scenario: Scenario, chance: random.Random, budget: int) -> Iterator[Part]:
    if scenario.benchmark == CHATAPP:
        yield from _directories(scenario.chatapp, chance, budget)
        return
    if scenario.parameters.get("windows"):
        return
    events = scenario.budget({})
    if events <= budget:
        yield Part(EVERYBODY, events, True)
        return
    alone = BENCHMARKS[scenario.benchmark].outside.CLOSED
    for crowd in population.of(scenario):
        if crowd.actor_class in alone and 0 < crowd.each <= budget:
            count = min(crowd.many, budget // crowd.each)
            rows = _block(crowd, count, chance)
            yield Part(tuple(rows), count * crowd.each, True)


def _directories(p: chatapp.Parameters, chance: random.Random, budget: int) -> Iterator[Part]:
    said = population.directory_events(p)
    if said is None:
        return
    own, chats, units = said
    each = own + chats
    if p.directories * (each + units) <= budget:
        yield Part(EVERYBODY, p.directories * (each + units), True)
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
    yield Part(rows, count * _parts(p, modulus) * each, True)


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


def sliced(
    scenario: Scenario, chance: random.Random, budget: int = BUDGET, volume: int = 0
) -> Part:
    """A slice of an actor of each class, from somewhere on. If nobody knows how much an actor
    takes, early places are as likely as late ones by their order of magnitude, as far as its share
    of ``volume``, the messages of an iteration before. One of several such classes is watched from
    its first message: an audit that finds nothing vouches for nothing (MEAS-27)."""
    there = population.of(scenario)
    volume = volume or population.events_of(scenario)
    unknown = [crowd for crowd in there if not crowd.each]
    finds = chance.choice(unknown) if len(unknown) > 1 else None
    rows, events = [], 0
    for crowd in there:
        length = budget // len(there)
        index = _one_of(scenario, crowd, chance)
        if crowd.each:
            length = min(length, crowd.each)
            begin = chance.randrange(crowd.each - length + 1)
        else:
            reach = 1 if crowd is finds else volume * population.share(crowd, there)
            begin = int(min(max(1, reach), LATEST) ** chance.random()) - 1
        rows.append(watch(crowd.actor_class, first=index, last=index, begin=begin, events=length))
        events += length
    return Part(tuple(rows), events, False)


def _one_of(scenario: Scenario, crowd: Crowd, chance: random.Random) -> int:
    if crowd.actor_class == names.SORTER:
        return population.a_sorter(scenario.micro, chance)
    return crowd.first + chance.randrange(crowd.many)


# --- crossing ---


def crossing(scenario: Scenario, chance: random.Random, most: int = ALL) -> Watches:
    """Actors of each class among outsiders, whole where their share of all events pays for one,
    and then as many as it pays for; else a slice of one, if it is not one of those that take
    nearly all: those have their turn now and then. Each row asks for one event at least, and
    there is a row that finds one. ``most``: so many events, if that is less."""
    there = population.of(scenario)
    room = max(1, min(int(population.events_of(scenario) * SHARE), most) // len(there))
    chosen = [
        crowd for crowd in there if chance.random() < COUNTED / population.share(crowd, there)
    ]
    if not any(crowd.sure != 0 for crowd in chosen):
        chosen.append(chance.choice([crowd for crowd in there if crowd.sure != 0]))
    means = [crowd for crowd in chosen if crowd.sure]
    finds = chance.choice(means) if all(crowd.sure is not None for crowd in chosen) else None
    rows: list[control_pb2.Watch] = []
    for crowd in chosen:
        if 0 < crowd.each <= room:
            rows += _whole(scenario, crowd, room // crowd.each, chance)
        else:
            rows.append(_slice(scenario, crowd, room, chance, surely=crowd is finds))
    return rows


def _whole(
    scenario: Scenario, crowd: Crowd, count: int, chance: random.Random
) -> Iterator[control_pb2.Watch]:
    if crowd.actor_class == names.SORTER:
        first = population.a_sorter(scenario.micro, chance)
        yield watch(names.SORTER, first=first, last=first + count - 1)
    else:
        yield from _block(crowd, count, chance)


def _slice(
    scenario: Scenario, crowd: Crowd, length: int, chance: random.Random, *, surely: bool
) -> control_pb2.Watch:
    """The watch of one of them; ``surely``: where something is found, though only a mean is
    known."""
    index = _one_of(scenario, crowd, chance)
    taken = crowd.sure if surely else population.messages_of(scenario, crowd, index)
    begin = chance.randrange(max(1, (taken or 0) - length + 1))
    return watch(crowd.actor_class, first=index, last=index, begin=begin, events=length)
