"""Parts of runs: random watches, what is left of a run's logs, and what a mutation touched."""

import random
from collections import Counter

from dramaturg.model import names
from dramaturg.model.simulation import Channel, Simulation
from dramaturg.model.workload import ChatAppWorkload, MicroWorkload
from dramaturg.trace.events import Event, Logs
from dramaturg.trace.partial.basis.outsiders import Open
from dramaturg.trace.watches import Watched, Watches, watch

Run = ChatAppWorkload | MicroWorkload


def classes(logs: Logs) -> list[int]:
    return sorted({names.class_of(actor) for actor in logs})


def some_watches(logs: Logs, chance: random.Random) -> Watches:
    """Rows of some classes: anything from one actor to all but one class."""
    rows = []
    for actor_class in classes(logs):
        indices = sorted({names.index_of(a) for a in logs if names.class_of(a) == actor_class})
        for _ in range(chance.choice((0, 0, 1, 1, 2))):
            kind = chance.randrange(3)
            if kind == 0:
                index = chance.choice(indices)
                rows.append(watch(actor_class, first=index, last=index))
            elif kind == 1:
                modulus = chance.randrange(1, 4)
                rows.append(
                    watch(actor_class, modulus=modulus, remainder=chance.randrange(modulus))
                )
            else:
                first = chance.choice(indices)
                rows.append(watch(actor_class, first=first, last=first + chance.randrange(4)))
    return rows or some_watches(logs, chance)


def watched_of(logs: Logs, watches: Watches) -> Logs:
    """Return an implementation's log of this run."""
    watched = Watched(watches)
    return {
        actor: kept
        for actor, log in logs.items()
        if (wanted := watched.slice_of(actor)) is not None and (kept := wanted.of(log))
    }


def touched(before: Logs, after: Logs) -> set[tuple[int, int]]:
    """Receivers and senders of the events by which these logs differ."""
    found = set()
    for actor in before.keys() | after.keys():
        old, new = before.get(actor, []), after.get(actor, [])
        if old != new:
            found |= {(actor, sender) for sender, _ in _difference(old, new)}
    return found


def _difference(old: list[Event], new: list[Event]) -> list[Event]:
    begin = 0
    while begin < min(len(old), len(new)) and old[begin] == new[begin]:
        begin += 1
    end = 0
    while end < min(len(old), len(new)) - begin and old[-1 - end] == new[-1 - end]:
        end += 1
    return old[begin : len(old) - end] + new[begin : len(new) - end]


def is_open(
    rows: tuple[Open, ...], kind: str, before: Logs, after: Logs, watches: Watches
) -> Open | None:
    """The row of the table that says why this mutation is not decided."""
    watched = Watched(watches)
    swapped = kind == "swapped with the next"
    for receiver, sender in touched(before, after):
        pair = names.class_of(receiver), names.class_of(sender)
        for row in rows:
            told = (row.receiver, row.sender) == pair and (swapped or not row.order_only)
            if told and watched.slice_of(sender) is None:
                return row
    return None


class AsWatched:
    """Serves watched actors in the order of their logs, and all others in any order."""

    def __init__(self, part: Logs, watches: Watches, chance: random.Random) -> None:
        self._part, self._watched, self._chance = part, Watched(watches), chance
        self._taken: Counter[int] = Counter()
        self._pending: list[Channel] = []

    def sent(self, channel: Channel) -> None:
        self._pending.append(channel)

    def next(self) -> Channel | None:
        may = [place for place, channel in enumerate(self._pending) if self._may(channel)]
        if not may:
            return None
        channel = self._pending.pop(self._chance.choice(may))
        self._taken[channel[1]] += 1
        return channel

    @property
    def nothing_left(self) -> bool:
        return not self._pending

    def _may(self, channel: Channel) -> bool:
        sender, receiver = channel
        if self._watched.slice_of(receiver) is None:
            return True
        log, place = self._part.get(receiver, []), self._taken[receiver]
        return place < len(log) and log[place][0] == sender


def is_part_of_a_run(workload: Run, watches: Watches, part: Logs, tries: int) -> bool:
    """True if one of so many schedules of the outsiders leaves just these logs of the watched: then
    it is a part of a run, whatever the outsiders' own logs said."""
    for seed in range(tries):
        schedule = AsWatched(part, watches, random.Random(seed))
        try:
            logs = Simulation(workload, schedule).perform().logs
        except (RuntimeError, ValueError, IndexError, KeyError):
            continue
        if schedule.nothing_left and watched_of(logs, watches) == part:
            return True
    return False
