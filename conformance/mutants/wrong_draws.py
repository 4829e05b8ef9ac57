"""Wrong seeds, friendships, choices and invitations: what is drawn, by whom and when.

Every number that is drawn too often, too seldom or in another order moves all that follow.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from dramaturg.model import chatapp, lcg
from dramaturg.model.messages import Choice
from dramaturg.v2 import trace_pb2 as kind

from changes import made, replaced
from reference.behaviours import Poker

# --- seeds and friends ---


def seed_off_by_one() -> None:
    """The poker gives directory 0 its own seed, and each further one the number before its own."""

    def prepare(self: Poker, sender: int) -> None:
        spawn, before = self.spawn, [self.parameters.seed]

        def late(directory: chatapp.Directory) -> None:
            before[0], directory.lcg.state = directory.lcg.state, before[0]
            spawn(directory)

        self.spawn = late  # type: ignore[assignment]
        right(self, sender)
        self.spawn = spawn

    right = replaced(Poker, kind.MESSAGE_KIND_POKER_PREPARE, prepare)


def seed_is_a_constant() -> None:
    """The poker's seed is 42, whatever is asked for."""

    def change(poker: chatapp.Poker) -> None:
        poker.parameters = replace(poker.parameters, seed=42)

    made(chatapp.Poker, change)


def clients_share_a_stream() -> None:
    """All clients of a directory draw from its generator: one stream for one lock."""

    def login(self: chatapp.Directory, sender: int, client: int) -> None:
        new = chatapp.Client(client, self.name, self.lcg.next(), self.parameters)
        new.lcg = self.lcg
        self.spawn(new)
        self.clients.append(client)

    replaced(chatapp.Directory, kind.MESSAGE_KIND_DIRECTORY_LOGIN, login)


def _befriending(one: Any) -> None:
    """Befriend in passes, each of them ``one(directory, friend)``, until one made a friendship."""

    def befriend(self: chatapp.Directory, sender: int) -> None:
        for friend in self.clients:
            while not one(self, friend):
                pass

    replaced(chatapp.Directory, kind.MESSAGE_KIND_DIRECTORY_BEFRIEND, befriend)


def _make_friends(self: chatapp.Directory, client: int, friend: int) -> None:
    self.send(chatapp.client_name(client), kind.MESSAGE_KIND_CLIENT_BEFRIEND, friend)
    self.send(chatapp.client_name(friend), kind.MESSAGE_KIND_CLIENT_BEFRIEND, client)


def befriend_skips_itself() -> None:
    """No number is drawn for the friendship of a client with itself."""

    def one(self: chatapp.Directory, friend: int) -> bool:
        success = False
        for client in self.clients:
            if client != friend and self.lcg.next_int(100) < self.parameters.befriend:
                _make_friends(self, client, friend)
                success = True
        return success

    _befriending(one)


def befriend_stops_at_success() -> None:
    """A pass ends with its first friendship."""

    def one(self: chatapp.Directory, friend: int) -> bool:
        for client in self.clients:
            if self.lcg.next_int(100) < self.parameters.befriend and client != friend:
                _make_friends(self, client, friend)
                return True
        return False

    _befriending(one)


def befriend_only_once_through() -> None:
    """One pass for each client, whether or not it found a friend."""

    def one(self: chatapp.Directory, friend: int) -> bool:
        for client in self.clients:
            if self.lcg.next_int(100) < self.parameters.befriend and client != friend:
                _make_friends(self, client, friend)
        return True

    _befriending(one)


def befriend_one_sided() -> None:
    """The one is the other's friend, and the other not the one's."""

    def one(self: chatapp.Directory, friend: int) -> bool:
        success = False
        for client in self.clients:
            if self.lcg.next_int(100) < self.parameters.befriend and client != friend:
                self.send(chatapp.client_name(client), kind.MESSAGE_KIND_CLIENT_BEFRIEND, friend)
                success = True
        return success

    _befriending(one)


def befriend_at_most() -> None:
    """A draw equal to the percentage is a success as well."""

    def one(self: chatapp.Directory, friend: int) -> bool:
        success = False
        for client in self.clients:
            if self.lcg.next_int(100) <= self.parameters.befriend and client != friend:
                _make_friends(self, client, friend)
                success = True
        return success

    _befriending(one)


def friends_without_duplicates() -> None:
    """The friends are a set, as in the published CAF program."""

    def befriend(self: chatapp.Client, sender: int, friend: int) -> None:
        if friend not in self.friends:
            self.friends.append(friend)

    replaced(chatapp.Client, kind.MESSAGE_KIND_CLIENT_BEFRIEND, befriend)


# --- choices ---


def index_only_with_chats() -> None:
    """A client without chats draws no position."""

    class Sparing(lcg.Lcg):
        __slots__ = ()

        def next_int(self, limit: int) -> int:
            return super().next_int(limit) if limit else 0

    made(chatapp.Client, lambda client: setattr(client, "lcg", Sparing(client.lcg.state)))


def directed_acts_draw() -> None:
    """A client draws first and looks afterwards whether it was told what to do."""

    def act(self: chatapp.Client, sender: int, turn: int, choice: int, *rest: int) -> None:
        if choice != Choice.DRAW:
            self.lcg.next_int(len(self.chats))
        right(self, sender, turn, choice, *rest)

    right = replaced(chatapp.Client, kind.MESSAGE_KIND_CLIENT_ACT, act)


def ranges_one_too_wide() -> None:
    """A draw equal to the end of an action's range still belongs to it."""

    def select(self: chatapp.Client) -> Choice:
        p = self.parameters
        if p.selection == chatapp.Selection.CASCADE:
            return right(self)
        draw, limit = self.lcg.next_int(100), 0
        for action, chance in zip(chatapp._ACTIONS, _chances(p), strict=False):
            limit += chance
            if draw <= limit:
                return action
        return Choice.NONE

    right = chatapp.Client._select
    chatapp.Client._select = select  # type: ignore[method-assign]


def post_before_compute() -> None:
    """The ranges are in the order post, leave, invite, compute."""

    def select(self: chatapp.Client) -> Choice:
        p = self.parameters
        if p.selection == chatapp.Selection.CASCADE:
            return right(self)
        draw, limit = self.lcg.next_int(100), 0
        compute, *others = zip(chatapp._ACTIONS, _chances(p), strict=False)
        for action, chance in (*others, compute):
            limit += chance
            if draw < limit:
                return action
        return Choice.NONE

    right = chatapp.Client._select
    chatapp.Client._select = select  # type: ignore[method-assign]


def cascade_draws_all_four() -> None:
    """All four draws are made first, and then the first success is looked for."""

    def select(self: chatapp.Client) -> Choice:
        p = self.parameters
        if p.selection != chatapp.Selection.CASCADE:
            return right(self)
        chances = _chances(p)
        successes = [self.lcg.next_int(100) < chance for chance in chances]
        found = (action for action, success in zip(_FOUR, successes, strict=True) if success)
        return next(found, Choice.NONE)

    right = chatapp.Client._select
    chatapp.Client._select = select  # type: ignore[method-assign]


def cascade_is_cumulative() -> None:
    """There is one kind of selection."""

    def select(self: chatapp.Client) -> Choice:
        draw, limit = self.lcg.next_int(100), 0
        for action, chance in zip(_FOUR, _chances(self.parameters), strict=True):
            limit += chance
            if draw < limit:
                return action
        return Choice.NONE

    chatapp.Client._select = select  # type: ignore[method-assign]


_FOUR = chatapp._ACTIONS[:4]


def _chances(p: chatapp.Parameters) -> tuple[int, int, int, int]:
    return p.compute, p.post, p.leave, p.invite


# --- invitations ---


def _inviting(choose: Callable[[chatapp.Client], list[int]]) -> None:
    """Upon a drawn invite, ``choose(client)`` says whom it takes, and draws what it likes."""

    def act(self: chatapp.Client, sender: int, turn: int, choice: int, *rest: int) -> None:
        if choice != Choice.DRAW:
            right(self, sender, turn, choice, *rest)
            return
        index = self.lcg.next_int(len(self.chats))
        picked = self._select()
        if picked == Choice.INVITE and self.friends:
            self.picks[picked] += 1
            self._invite(turn, choose(self))
        else:
            right(self, sender, turn, picked, index, 0, rest[-1])

    right = replaced(chatapp.Client, kind.MESSAGE_KIND_CLIENT_ACT, act)


def invite_takes_nobody() -> None:
    """If k is 0 nobody is invited."""

    def choose(self: chatapp.Client) -> list[int]:
        self.lcg.shuffle(self.friends)
        return self.friends[: self.lcg.next_int(len(self.friends))]

    _inviting(choose)


def invite_takes_one_more() -> None:
    """k counts from 0, and so one more than k is taken: every friend can be."""

    def choose(self: chatapp.Client) -> list[int]:
        self.lcg.shuffle(self.friends)
        return self.friends[: self.lcg.next_int(len(self.friends)) + 1]

    _inviting(choose)


def invite_without_shuffle() -> None:
    """Friends are invited in the order in which they were made."""

    def choose(self: chatapp.Client) -> list[int]:
        return self.friends[: max(1, self.lcg.next_int(len(self.friends)))]

    _inviting(choose)


def invite_draws_k_first() -> None:
    """The number of invitations is drawn before the friends are shuffled."""

    def choose(self: chatapp.Client) -> list[int]:
        k = self.lcg.next_int(len(self.friends))
        self.lcg.shuffle(self.friends)
        return self.friends[: max(1, k)]

    _inviting(choose)


def invite_shuffles_a_copy() -> None:
    """The friends stay as they were; a shuffled copy of them is used."""

    def choose(self: chatapp.Client) -> list[int]:
        copy = list(self.friends)
        self.lcg.shuffle(copy)
        return copy[: max(1, self.lcg.next_int(len(copy)))]

    _inviting(choose)
