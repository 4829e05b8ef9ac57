"""The facts of ChatApp, which hold in every run whatever its schedule (spec/chatapp.md, "Facts").

A client's actions, the number of its invitations and the end of its LCG follow from the order of
its own draws alone: the position it draws for a chat is drawn whether or not there is a chat, and
the number of its friends is fixed by set-up. So these facts are computed here without any message,
for all clients at once, from the one cycle that all streams of the LCG share. The executable model
comes to the same numbers the long way, and a test compares them.
"""

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dramaturg.model import ranges
from dramaturg.model.chatapp import Parameters, Selection
from dramaturg.model.fibonacci import fibonacci
from dramaturg.model.lcg import PERIOD, Lcg
from dramaturg.v2 import benchmarks_pb2

Array = NDArray[np.int64]


class ImpossibleConfiguration(ValueError):
    """Parameters that no run can satisfy; says which and why (CHAT-40 ff.)."""


@dataclass(frozen=True, slots=True)
class Facts:
    """The schedule-independent facts of one iteration."""

    computes: int
    posts: int
    leaves: int
    invites: int
    nones: int
    joins: int
    lcg_checksum: int
    fib_sum: int
    confirms: int
    least_deliveries: int
    """A bound under every schedule: posts of clients that have a chat of their own making,
    whatever has become of those they were invited to. Each reaches its poster at least."""

    def to_dict(self) -> dict[str, int]:
        """Return the facts that a receipt must state exactly, by the names of its fields."""
        values = asdict(self)
        del values["least_deliveries"]
        return values


def _cycle() -> tuple[Array, Array]:
    """All states in the order of the cycle, twice over; and each state's place in it."""
    lcg, states = Lcg(0), []
    for _ in range(PERIOD):
        states.append(lcg.next())
    once = np.array(states)
    places = np.empty_like(once)
    places[once] = np.arange(PERIOD)
    return once, places


STATES, PLACES = _cycle()


def check(p: Parameters) -> None:
    """Refuse what cannot be run. Raises ImpossibleConfiguration."""
    found = problems(p)
    if found:
        raise ImpossibleConfiguration("; ".join(found))


def check_friends(p: Parameters) -> None:
    """Refuse also what can be set up for nobody (CHAT-45), without following a single turn.
    Raises ImpossibleConfiguration."""
    check(p)
    if p.befriend == 100:
        # Each draw is below it, so everybody has all others after the first pass.
        return
    for _ in _set_up(p):
        pass


def problems(p: Parameters) -> list[str]:
    """Return the reasons why it cannot be run, as far as they show without befriending anybody."""
    # A directory without clients never reports: so there are no more than clients.
    found = ranges.problems(benchmarks_pb2.ChatAppParameters, p)
    total = p.compute + p.post + p.leave + p.invite
    if p.selection == Selection.CUMULATIVE and total > 100:
        found.append(
            f"compute, post, leave and invite add up to {total}; with selection cumulative"
            " they may not exceed 100 (cascade has no such limit)"
        )
    if p.invite > 0 and p.befriend == 0:
        found.append(f"invite is {p.invite} and befriend is 0: there is nobody to invite")
    if not found and p.befriend > 0 and p.clients < 2 * p.directories:
        found.append(
            f"befriend is {p.befriend}, and with {p.clients} clients some of the {p.directories}"
            " directories have a single client, which can never find a friend"
        )
    return found


def _set_up(p: Parameters) -> Iterator[tuple[slice, Array, Array]]:
    """Yields, for each directory, its clients, their seeds, and how many friends each has."""
    lcg = Lcg(p.seed)
    for index in range(p.directories):
        clients = len(range(index, p.clients, p.directories))
        own = slice(index, None, p.directories)
        yield own, *_befriend(lcg.next(), clients, index, p.befriend)


@lru_cache(maxsize=8)
def _lucky(befriend: int) -> NDArray[np.bool_]:
    """Whether each state of the cycle makes a friendship."""
    return befriend > STATES % 100


_TOGETHER = (1, 3, 12, 48, *[64] * 1023)
"""Passes that are looked through at once, PERIOD in all: mostly the first one is lucky."""


def _befriend(seed: int, clients: int, directory: int, befriend: int) -> tuple[Array, Array]:
    """Seeds of a directory's clients and how many friends each ends up with."""
    lcg = Lcg(seed)
    seeds = np.array([lcg.next() for _ in range(clients)])
    friends = np.zeros_like(seeds)
    if befriend == 0:
        return seeds, friends
    lucky = _lucky(befriend)
    place = int(PLACES[lcg.state])
    ahead = np.arange(1, max(_TOGETHER) * clients + 1)
    for friend in range(clients):
        # After as many passes the draws have repeated: lcm(PERIOD, clients) / clients is no more.
        for passes in _TOGETHER:
            drawn = lucky[(place + ahead[: passes * clients]) % PERIOD].reshape(passes, clients)
            drawn[:, friend] = False
            found = np.flatnonzero(drawn.any(axis=1))
            if len(found):
                first = int(found[0])
                place += (first + 1) * clients
                friends += drawn[first]
                friends[friend] += int(drawn[first].sum())
                break
            place += passes * clients
        else:
            raise ImpossibleConfiguration(
                f"befriend is {befriend}: directory {directory}, with {clients} clients, never"
                f" finds a friend for its client number {friend}: not in {PERIOD} passes over them,"
                f" and the LCG's draws repeat after lcm({PERIOD}, {clients})"
            )
    return seeds, friends


class Turn(NamedTuple):
    """The acts of all clients in one turn, by their numbers."""

    actions: Array
    """0 to 4: compute, post, leave, invite, none."""
    guests: Array
    """The number that it invites: 0 if it does something else."""
    places: Array
    """The place of its LCG in the cycle afterwards."""


def turns(p: Parameters) -> Iterator[Turn]:
    """Yields the acts of all clients, turn by turn (CHAT-18 to CHAT-21, CHAT-26). The arrays are
    the caller's to keep. Raises ImpossibleConfiguration."""
    check(p)
    places, friends = np.empty((2, p.clients), dtype=int)
    for own, seeds, found in _set_up(p):
        places[own], friends[own] = PLACES[seeds], found
    chances = (p.compute, p.post, p.leave, p.invite)
    for _ in range(p.turns):
        places = places + 1
        action = np.full(p.clients, 4)
        if p.selection == Selection.CASCADE:
            undecided = np.ones(p.clients, dtype=bool)
            for number, chance in enumerate(chances):
                places += undecided
                chosen = undecided & (STATES[places % PERIOD] % 100 < chance)
                action[chosen] = number
                undecided &= ~chosen
        else:
            places += 1
            drawn = STATES[places % PERIOD] % 100
            action = np.searchsorted(np.cumsum(chances), drawn, side="right")
        # Whoever may invite has a friend (CHAT-45).
        inviting = np.flatnonzero(action == 3)
        places[inviting] += friends[inviting]
        guests = np.zeros_like(places)
        guests[inviting] = np.maximum(STATES[places[inviting] % PERIOD] % friends[inviting], 1)
        yield Turn(action, guests, places)


def _heard(p: Parameters) -> Iterator[tuple[Turn, NDArray[np.bool_]]]:
    """Every turn, with which clients post in it and then have a chat of their own making,
    whatever has become of those they were invited to: such a post reaches its poster at least."""
    least_chats = np.full(p.clients, 0)
    for turn in turns(p):
        yield turn, (turn.actions == 1) & (least_chats > 0)
        least_chats += turn.guests > 0
        least_chats -= (turn.actions == 2) & (least_chats > 0)


@lru_cache(maxsize=8)
def least_heard(p: Parameters) -> Array:
    """Return the number of its own posts that each client takes back under every schedule, at
    least: together :attr:`Facts.least_deliveries`. Raises ImpossibleConfiguration."""
    counts = np.full(p.clients, 0)
    for _, heard in _heard(p):
        counts += heard
    return counts


def facts(p: Parameters) -> Facts:
    """The facts of one iteration with these parameters. Raises ImpossibleConfiguration.

    For any scenario of the specification this takes seconds, most of it befriending,
    whose draws grow with the square of the clients in a directory.
    """
    picks = np.full(5, 0)
    joins = 0
    least_deliveries = 0
    for turn, heard in _heard(p):
        joins += int(turn.guests.sum())
        least_deliveries += int(np.count_nonzero(heard))
        picks += np.bincount(turn.actions, minlength=5)
    computes, posts, leaves, invites, nones = (int(count) for count in picks)
    return Facts(
        computes=computes,
        posts=posts,
        leaves=leaves,
        invites=invites,
        nones=nones,
        joins=joins,
        lcg_checksum=int(STATES[turn.places % PERIOD].sum()),
        fib_sum=computes * fibonacci(p.fib_n),
        confirms=p.turns,
        least_deliveries=least_deliveries,
    )
