"""ChatApp (spec/chatapp.md): the executable specification.

Read it beside the prose: sections and definitions stand in the same order.
Actors refer to each other by name; an implementation uses its own references.
"""

from dataclasses import dataclass
from enum import IntEnum

from dramaturg.model import names
from dramaturg.model.actor import Actor
from dramaturg.model.fibonacci import fibonacci
from dramaturg.model.fold import add, fold
from dramaturg.model.lcg import Lcg
from dramaturg.model.messages import Choice
from dramaturg.v2 import benchmarks_pb2
from dramaturg.v2 import trace_pb2 as kind

LOGOUT = 0xFFFFFFFF
"""The ``turn`` of a `leave` that happens because its sender logs out."""

_CONTROL = names.name(names.CONTROL)
_POKER = names.name(names.POKER)
_DIRECTORY = names.name(names.DIRECTORY)
_CLIENT = names.name(names.CLIENT)
_CHAT = names.name(names.CHAT)
_ACCUMULATOR = names.name(names.ACCUMULATOR)


def directory_name(index: int) -> int:
    return _DIRECTORY | index << 24


def client_name(number: int) -> int:
    return _CLIENT | number << 24


def chat_name(creator: int, created: int) -> int:
    return _CHAT | creator << 24 | created


def accumulator_name(turn: int) -> int:
    return _ACCUMULATOR | turn << 24


def digest(payload: int) -> int:
    """The digest of a payload in the sums of `bump`s and `stop`s."""
    return fold(payload >> 32, payload & 0xFFFFFFFF)


class Selection(IntEnum):
    """The rule by which draws become an action (CHAT-20, CHAT-21)."""

    CUMULATIVE = benchmarks_pb2.SELECTION_CUMULATIVE
    CASCADE = benchmarks_pb2.SELECTION_CASCADE


@dataclass(frozen=True, slots=True)
class Parameters:
    """Parameters of one iteration; probabilities in percent (CHAT-1)."""

    clients: int
    directories: int
    turns: int
    compute: int
    post: int
    leave: int
    invite: int
    befriend: int
    selection: Selection = Selection.CUMULATIVE
    fib_n: int = 25
    history: bool = True
    seed: int = 42


GROWS = "turns"
"""The parameter with which its run time grows."""


class Poker(Actor):
    """Sets the world up, starts every turn and ends the iteration."""

    actor_class = names.POKER

    __slots__ = ("parameters", "turns", "settling", "online", "sums")

    def __init__(self, parameters: Parameters) -> None:
        super().__init__(_POKER)
        self.parameters = parameters
        self.turns = 0
        self.settling = parameters.directories
        self.online = parameters.directories
        self.sums = [0] * 8

    def prepare(self, sender: int) -> None:
        p = self.parameters
        lcg = Lcg(p.seed)
        for index in range(p.directories):
            self.spawn(Directory(index, lcg.next(), p))
        for client in range(p.clients):
            self.send(
                directory_name(client % p.directories), kind.MESSAGE_KIND_DIRECTORY_LOGIN, client
            )
        for index in range(p.directories):
            if p.befriend > 0:
                self.send(directory_name(index), kind.MESSAGE_KIND_DIRECTORY_BEFRIEND)
            self.send(directory_name(index), kind.MESSAGE_KIND_DIRECTORY_SETTLE)

    def settled(self, sender: int) -> None:
        self.settling -= 1
        if self.settling == 0:
            self.send(_CONTROL, kind.MESSAGE_KIND_CONTROL_READY)

    def act(self, sender: int, client: int, choice: int, index: int, k: int) -> None:
        turn = self._next_turn(expected=1)
        directory = directory_name(client % self.parameters.directories)
        self.send(directory, kind.MESSAGE_KIND_DIRECTORY_ACT, turn, client, choice, index, k)

    def turn(self, sender: int) -> None:
        self._poke(salt=0)

    def run(self, sender: int, salt: int) -> None:
        for _ in range(self.parameters.turns):
            self._poke(salt)

    def _poke(self, salt: int) -> None:
        turn = self._next_turn(expected=self.parameters.clients)
        for index in range(self.parameters.directories):
            self.send(directory_name(index), kind.MESSAGE_KIND_DIRECTORY_POKE, turn, salt)

    def _next_turn(self, expected: int) -> int:
        turn = self.turns
        self.turns += 1
        self.spawn(Accumulator(turn, expected))
        return turn

    def confirm(self, sender: int, turn: int, *sums: int) -> None:
        self.send(_CONTROL, kind.MESSAGE_KIND_CONTROL_CONFIRMED, turn, *sums)

    def disconnect(self, sender: int) -> None:
        for index in range(self.parameters.directories):
            self.send(directory_name(index), kind.MESSAGE_KIND_DIRECTORY_DISCONNECT)

    def finished(self, sender: int, *sums: int) -> None:
        self.sums = [mine + theirs for mine, theirs in zip(self.sums, sums, strict=True)]
        self.online -= 1
        if self.online == 0:
            self.send(_CONTROL, kind.MESSAGE_KIND_CONTROL_FINISHED, *self.sums)
            self.terminate()


class Directory(Actor):
    """Creates its clients, makes them friends, and passes the poker's word on to them."""

    actor_class = names.DIRECTORY

    __slots__ = ("parameters", "lcg", "clients", "settling", "online", "sums")

    def __init__(self, index: int, seed: int, parameters: Parameters) -> None:
        super().__init__(directory_name(index))
        self.parameters = parameters
        self.lcg = Lcg(seed)
        self.clients: list[int] = []
        self.settling = 0
        self.online = 0
        self.sums = [0] * 8

    def login(self, sender: int, client: int) -> None:
        self.spawn(Client(client, self.name, self.lcg.next(), self.parameters))
        self.clients.append(client)

    def befriend(self, sender: int) -> None:
        for friend in self.clients:
            befriended = False
            while not befriended:
                for client in self.clients:
                    if self.lcg.next_int(100) < self.parameters.befriend and client != friend:
                        self.send(client_name(client), kind.MESSAGE_KIND_CLIENT_BEFRIEND, friend)
                        self.send(client_name(friend), kind.MESSAGE_KIND_CLIENT_BEFRIEND, client)
                        befriended = True

    def settle(self, sender: int) -> None:
        self.settling = len(self.clients)
        for client in self.clients:
            self.send(client_name(client), kind.MESSAGE_KIND_CLIENT_SETTLE)

    def settled(self, sender: int) -> None:
        self.settling -= 1
        if self.settling == 0:
            self.send(_POKER, kind.MESSAGE_KIND_POKER_SETTLED)

    def poke(self, sender: int, turn: int, salt: int) -> None:
        drawing = (turn, Choice.DRAW, 0, 0, salt)
        for client in self.clients:
            self.send(client_name(client), kind.MESSAGE_KIND_CLIENT_ACT, *drawing)

    def act(self, sender: int, turn: int, client: int, choice: int, index: int, k: int) -> None:
        self.send(client_name(client), kind.MESSAGE_KIND_CLIENT_ACT, turn, choice, index, k, 0)

    def disconnect(self, sender: int) -> None:
        self.online = len(self.clients)
        for client in self.clients:
            self.send(client_name(client), kind.MESSAGE_KIND_CLIENT_LOGOUT)

    def left(self, sender: int, *sums: int) -> None:
        self.sums = [mine + theirs for mine, theirs in zip(self.sums, sums, strict=True)]
        self.online -= 1
        if self.online == 0:
            self.send(_POKER, kind.MESSAGE_KIND_POKER_FINISHED, *self.sums)
            self.terminate()


class Client(Actor):
    """Has friends, takes part in chats, and acts once a turn."""

    actor_class = names.CLIENT
    work = staticmethod(fibonacci)
    """The function of compute: here the value, in an implementation the work as well."""

    __slots__ = (
        "number", "directory", "lcg", "parameters", "friends", "chats", "created", "posted",
        "leaving", "picks", "deliveries", "joins",
    )  # fmt: skip

    def __init__(self, number: int, directory: int, seed: int, parameters: Parameters) -> None:
        super().__init__(client_name(number))
        self.number = number
        self.directory = directory
        self.lcg = Lcg(seed)
        self.parameters = parameters
        self.friends: list[int] = []
        self.chats: list[int] = []
        self.created = 0
        self.posted = 0
        self.leaving = 0
        self.picks: dict[int, int] = dict.fromkeys(_ACTIONS, 0)
        self.deliveries = 0
        self.joins = 0

    def befriend(self, sender: int, friend: int) -> None:
        self.friends.append(friend)

    def settle(self, sender: int) -> None:
        self.send(self.directory, kind.MESSAGE_KIND_DIRECTORY_SETTLED)

    def act(self, sender: int, turn: int, choice: int, index: int, k: int, salt: int) -> None:
        directed = choice != Choice.DRAW
        if not directed:
            index = self.lcg.next_int(len(self.chats))
            choice = self._select()
        accumulator = accumulator_name(turn)
        if choice in self.picks:
            self.picks[choice] += 1
        if choice == Choice.COMPUTE:
            value = self.work(self.parameters.fib_n)
            self.send(accumulator, kind.MESSAGE_KIND_ACCUMULATOR_STOP, 0, value)
        elif choice == Choice.POST and index < len(self.chats):
            self.send(self.chats[index], kind.MESSAGE_KIND_CHAT_POST, turn, self._payload(salt))
        elif choice == Choice.LEAVE and index < len(self.chats):
            self.send(self.chats.pop(index), kind.MESSAGE_KIND_CHAT_LEAVE, turn)
        elif choice == Choice.INVITE and self.friends:
            if not directed:
                self.lcg.shuffle(self.friends)
                k = self.lcg.next_int(len(self.friends))
            self._invite(turn, self.friends[: max(k, 1)])
        elif choice == Choice.JOIN and index < len(self.chats) and k < len(self.friends):
            self.send(accumulator, kind.MESSAGE_KIND_ACCUMULATOR_BUMP, 0, 1, 0)
            self.send(self.chats[index], kind.MESSAGE_KIND_CHAT_JOIN, turn, self.friends[k])
        else:
            self.send(accumulator, kind.MESSAGE_KIND_ACCUMULATOR_STOP, 0, 0)

    def _select(self) -> Choice:
        p = self.parameters
        chances = zip(_ACTIONS, (p.compute, p.post, p.leave, p.invite), strict=False)
        if p.selection == Selection.CASCADE:
            for action, chance in chances:
                if self.lcg.next_int(100) < chance:
                    return action
            return Choice.NONE
        draw, limit = self.lcg.next_int(100), 0
        for action, chance in chances:
            limit += chance
            if draw < limit:
                return action
        return Choice.NONE

    def _payload(self, salt: int) -> int:
        self.posted += 1
        return self.number << 32 | add(salt, self.posted - 1)

    def _invite(self, turn: int, guests: list[int]) -> None:
        chat = Chat(chat_name(self.number, self.created), self.number, self.parameters.history)
        self.created += 1
        self.spawn(chat)
        self.chats.append(chat.name)
        self.send(accumulator_name(turn), kind.MESSAGE_KIND_ACCUMULATOR_BUMP, 0, len(guests), 0)
        for friend in guests:
            self.send(chat.name, kind.MESSAGE_KIND_CHAT_JOIN, turn, friend)

    def forward(self, sender: int, turn: int, level: int, payload: int) -> None:
        self.deliveries += 1
        taken = digest(payload)
        self.send(accumulator_name(turn), kind.MESSAGE_KIND_ACCUMULATOR_STOP, level, taken)

    def accepted(self, sender: int, turn: int, level: int) -> None:
        self.joins += 1
        self.chats.append(sender)
        self.send(accumulator_name(turn), kind.MESSAGE_KIND_ACCUMULATOR_STOP, level, 0)

    def left(self, sender: int, turn: int) -> None:
        if turn != LOGOUT:
            self.send(accumulator_name(turn), kind.MESSAGE_KIND_ACCUMULATOR_STOP, 0, 0)
            return
        self.leaving -= 1
        if self.leaving == 0:
            self._report()

    def logout(self, sender: int) -> None:
        self.leaving = len(self.chats)
        for chat in self.chats:
            self.send(chat, kind.MESSAGE_KIND_CHAT_LEAVE, LOGOUT)
        if self.leaving == 0:
            self._report()

    def _report(self) -> None:
        sums = (self.lcg.state, *self.picks.values(), self.deliveries, self.joins)
        self.send(self.directory, kind.MESSAGE_KIND_DIRECTORY_LEFT, *sums)
        self.terminate()


_ACTIONS = (Choice.COMPUTE, Choice.POST, Choice.LEAVE, Choice.INVITE, Choice.NONE)


class Chat(Actor):
    """Forwards what is posted to all its members; ends with its last member."""

    actor_class = names.CHAT

    __slots__ = ("members", "history", "digests")

    def __init__(self, name: int, creator: int, history: bool) -> None:
        super().__init__(name)
        self.members = [creator]
        self.history: list[int] | None = [] if history else None
        self.digests = 0

    def post(self, sender: int, turn: int, payload: int) -> None:
        posted = digest(payload)
        if self.history is not None:
            self.history.append(payload)
            self.digests = add(self.digests, posted)
        count = len(self.members)
        announced = add(0, count * posted)
        accumulator = accumulator_name(turn)
        self.send(accumulator, kind.MESSAGE_KIND_ACCUMULATOR_BUMP, 0, count, announced)
        for member in self.members:
            self.send(client_name(member), kind.MESSAGE_KIND_CLIENT_FORWARD, turn, 1, payload)

    def join(self, sender: int, turn: int, friend: int) -> None:
        self.members.append(friend)
        level = 1
        if self.history:
            accumulator, replayed = accumulator_name(turn), len(self.history)
            bump = (1, replayed + 1, self.digests)
            self.send(accumulator, kind.MESSAGE_KIND_ACCUMULATOR_BUMP, *bump)
            level = 2
            for payload in self.history:
                member = client_name(friend)
                self.send(member, kind.MESSAGE_KIND_CLIENT_FORWARD, turn, level, payload)
        self.send(client_name(friend), kind.MESSAGE_KIND_CLIENT_ACCEPTED, turn, level)

    def leave(self, sender: int, turn: int) -> None:
        self.members.remove(names.index_of(sender))
        self.send(sender, kind.MESSAGE_KIND_CLIENT_LEFT, turn)
        if not self.members:
            self.terminate()


class Accumulator(Actor):
    """Counts the work of one turn, level by level (CHAT-30)."""

    actor_class = names.ACCUMULATOR

    __slots__ = ("turn", "expected", "reported", "value", "stops", "announced", "consumed")

    def __init__(self, turn: int, expected: int) -> None:
        super().__init__(accumulator_name(turn))
        self.turn = turn
        self.expected = [expected, 0, 0]
        self.reported = [0, 0, 0]
        self.value = 0
        self.stops = 0
        self.announced = 0
        self.consumed = 0

    def stop(self, sender: int, level: int, value: int) -> None:
        if level == 0:
            self.value += value
        else:
            self.stops += 1
            self.consumed = add(self.consumed, value)
        self._report(level)

    def bump(self, sender: int, level: int, n: int, digest: int) -> None:
        self.expected[level + 1] += n
        self.announced = add(self.announced, digest)
        self._report(level)

    def _report(self, level: int) -> None:
        self.reported[level] += 1
        if self.reported == self.expected:
            sums = (self.value, self.stops, self.announced, self.consumed)
            self.send(_POKER, kind.MESSAGE_KIND_POKER_CONFIRM, self.turn, *sums)
            self.terminate()


def initial(p: Parameters) -> list[Actor]:
    """The actors that exist before the first message."""
    return [Poker(p)]
