"""The facts that ChatApp's parameters alone decide, for one client or directory at a time.

The *facts* of spec/chatapp.md: seeds, friendships, each client's choice in each turn and whom
it invites into which chat. :mod:`dramaturg.model.facts` counts them for all clients together;
here they have names, so that what a watched actor logs can be held against them.
"""

from collections import Counter
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from dramaturg.model import chatapp, names
from dramaturg.model.chatapp import Parameters
from dramaturg.model.facts import PLACES, STATES, turns
from dramaturg.model.lcg import PERIOD, Lcg
from dramaturg.model.messages import Choice
from dramaturg.v2 import trace_pb2 as kind

MOST_FRIENDSHIPS = 1 << 22
"""Number of friendships in one directory above which only watched clients' friends are looked
up."""


@dataclass(frozen=True, slots=True)
class Diary:
    """The acts of one client, turn by turn."""

    picks: bytes
    """Its choice in each turn."""
    guests: dict[int, tuple[int, ...]]
    """The friends that it invites, by the turn; none for a turn without invitations."""
    chats: dict[int, int]
    """The number of the chat that it makes, by the turn."""
    turns: tuple[int, ...]
    """The turn in which it makes each of its chats."""
    posts: tuple[int, ...]
    """The number of its choices to post before each turn, and in all."""
    lcg: int
    """The state in which its LCG ends."""


CHOICES = (Choice.COMPUTE, Choice.POST, Choice.LEAVE, Choice.INVITE, Choice.NONE)
"""The choices in the order in which they are counted (CHAT-22)."""


class Script:
    """The facts of one set of parameters. Cheap to make; answers are kept."""

    def __init__(self, parameters: Parameters) -> None:
        self.parameters = parameters
        lcg = Lcg(parameters.seed)
        self.seeds = [lcg.next() for _ in range(parameters.directories)]
        """The directories' seeds."""
        self._clients: dict[int, dict[int, int]] = {}
        self._friends: dict[int, list[int]] = {}
        self._diaries: dict[int, Diary] = {}
        self._invitations: dict[int, dict[int, dict[int, tuple[int, int]]]] = {}

    def directory_of(self, client: int) -> int:
        return client % self.parameters.directories

    def clients(self, directory: int) -> range:
        """Its clients, in login order."""
        return range(directory, self.parameters.clients, self.parameters.directories)

    def chooses(self, directory: int) -> bool:
        """True if all of its clients can be looked at."""
        many = len(self.clients(directory))
        return many * many * self.parameters.befriend // 50 <= MOST_FRIENDSHIPS

    def seed(self, client: int) -> int:
        """The client's seed."""
        directory = self.directory_of(client)
        seeds = self._clients.get(directory)
        if seeds is None:
            lcg = Lcg(self.seeds[directory])
            seeds = {each: lcg.next() for each in self.clients(directory)}
            self._clients[directory] = seeds
        return seeds[client]

    def friends(self, client: int) -> list[int]:
        """Its friends, in the order of its `befriend`s (CHAT-11)."""
        found = self._friends.get(client)
        if found is None:
            directory = self.directory_of(client)
            if self.chooses(directory):
                self._friends.update(self._befriend(directory, None))
            else:
                self._friends.update(self._befriend(directory, client))
            found = self._friends[client]
        return found

    def _befriend(self, directory: int, only: int | None) -> dict[int, list[int]]:
        """The friends of all of its clients, or of one."""
        clients = self.clients(directory)
        friends: dict[int, list[int]] = {each: [] for each in clients if only in (None, each)}
        befriend, count = self.parameters.befriend, len(clients)
        if befriend == 0:
            return friends
        place = int(PLACES[self.seeds[directory]]) + count
        around = np.arange(1, count + 1)
        lucky = befriend > STATES % 100
        if only is not None and count > 2 * _longest_way(lucky):
            # Each pass makes a friendship, so it is known where each begins.
            passes = place + np.arange(count) * count
            mine = clients.index(only)
            asked = np.flatnonzero(lucky[(passes + mine + 1) % PERIOD]).tolist()
            own = np.flatnonzero(lucky[(passes[mine] + around) % PERIOD]).tolist()
            found = [at for at in asked if at < mine] + [at for at in own if at != mine]
            return {only: [clients[at] for at in found + [at for at in asked if at > mine]]}
        for index, friend in enumerate(clients):
            befriended = False
            while not befriended:
                drawn = lucky[(place + around) % PERIOD]
                place += count
                drawn[index] = False
                befriended = bool(drawn.any())
                if only is not None and friend != only:
                    if drawn[clients.index(only)]:
                        friends[only].append(friend)
                    continue
                for other in np.flatnonzero(drawn).tolist():
                    if only is None:
                        friends[clients[other]].append(friend)
                    friends[friend].append(clients[other])
        return friends

    def diary(self, client: int) -> Diary:
        """The client's acts: the model's own client, alone, turn by turn."""
        found = self._diaries.get(client)
        if found is None:
            found = self._diaries[client] = self._write(client)
        return found

    def _write(self, client: int) -> Diary:
        p = self.parameters
        actor = chatapp.Client(client, 0, self.seed(client), p)
        guests: list[int] = []

        def send(receiver: int, number: int, *args: int) -> None:
            if number == kind.MESSAGE_KIND_CHAT_JOIN:
                guests.append(args[1])

        actor.send = send
        actor.spawn = lambda chat: None
        actor.friends = list(self.friends(client))
        picks, posts = bytearray(), [0]
        invited: dict[int, tuple[int, ...]] = {}
        before = dict(actor.picks)
        for turn in range(p.turns):
            actor.act(0, turn, Choice.DRAW, 0, 0, 0)
            # Its chats change no draw: here it has none.
            actor.chats.clear()
            pick = next(choice for choice, count in actor.picks.items() if count != before[choice])
            before[pick] += 1
            picks.append(pick)
            posts.append(posts[-1] + (pick == Choice.POST))
            if guests:
                invited[turn] = tuple(guests)
                guests.clear()
        chats = {turn: number for number, turn in enumerate(invited)}
        return Diary(
            bytes(picks), invited, chats, tuple(invited), tuple(posts), actor.lcg.state
        )  # fmt: skip

    def invitations(self, client: int) -> dict[int, tuple[int, int]]:
        """The chats that it is invited to, each with the turn and how often."""
        directory = self.directory_of(client)
        found = self._invitations.get(directory)
        if found is None:
            found = self._invitations[directory] = self._invite(directory)
        return found.get(client, {})

    def _invite(self, directory: int) -> dict[int, dict[int, tuple[int, int]]]:
        found: dict[int, dict[int, tuple[int, int]]] = {}
        for host in self.clients(directory):
            diary = self.diary(host)
            for turn, guests in diary.guests.items():
                chat = chatapp.chat_name(host, diary.chats[turn])
                for guest, count in Counter(guests).items():
                    found.setdefault(guest, {})[chat] = (turn, count)
        return found

    @cached_property
    def everybody(self) -> tuple[NDArray[np.uint8], NDArray[np.int32]]:
        """The choices of all clients, by turn and client, and how many each invites. A diary says
        more of one client; this takes seconds for all."""
        p = self.parameters
        picks = np.empty((p.turns, p.clients), np.uint8)
        guests = np.empty((p.turns, p.clients), np.int32)
        choices = np.array(CHOICES, np.uint8)
        for number, turn in enumerate(turns(p)):
            picks[number], guests[number] = choices[turn.actions], turn.guests
        return picks, guests

    def choice(self, client: int, turn: int) -> tuple[int, int]:
        """The client's choice in that turn, and how many friends it invites."""
        picks, guests = self.everybody
        return int(picks[turn, client]), int(guests[turn, client])

    def made(self, chat: int) -> int | None:
        """The turn in which this chat is made; None if there is no such chat."""
        host = names.index_of(chat)
        if names.class_of(chat) != names.CHAT or host >= self.parameters.clients:
            return None
        turns = self.diary(host).turns
        number = chat & 0xFFFFFF
        return turns[number] if number < len(turns) else None


def _longest_way(lucky: NDArray[np.bool_]) -> int:
    """Return the longest way from one lucky draw to the next, all around the cycle."""
    at = np.flatnonzero(lucky)
    return int(np.diff(at, append=at[0] + PERIOD).max())


@lru_cache(maxsize=4)
def script(parameters: Parameters) -> Script:
    """The facts of these parameters: the same for each iteration, whatever the salt."""
    return Script(parameters)
