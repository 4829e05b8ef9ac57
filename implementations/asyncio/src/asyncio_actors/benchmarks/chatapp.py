"""ChatApp: a chat service and its users (spec/chatapp.md)."""

from collections.abc import Sequence
from dataclasses import dataclass
from operator import add as plus
from typing import Any

from asyncio_actors.benchmarks import table
from asyncio_actors.benchmarks.actor import Actor, Sender
from asyncio_actors.benchmarks.benchmark import Benchmark, Said, from_control
from asyncio_actors.benchmarks.fibonacci import fibonacci
from asyncio_actors.benchmarks.fold import MASK, add, payload_digest
from asyncio_actors.benchmarks.lcg import Lcg
from asyncio_actors.benchmarks.mailbox import Address, Mailbox, Message
from asyncio_actors.benchmarks.messages import message
from asyncio_actors.benchmarks.names import class_of, index_of
from asyncio_actors.benchmarks.system import System

CASCADE = 2
LOGOUT = 0xFFFF_FFFF
"""The turn of a `leave` that follows from `logout` (CHAT-35)."""

Sums = tuple[int, ...]
"""LCG state, computes, posts, leaves, invites, nones, deliveries, joins: of one client, or sums."""


class Poker(Actor):
    """The lead: makes the directories, starts every turn, ends the iteration."""

    CLASS = table.POKER

    __slots__ = ("_directories", "_online", "_parameters", "_settling", "_sums", "_turns")

    def __init__(self, system: System, address: Mailbox[Any], parameters: "ChatApp") -> None:
        super().__init__(system, address)
        self._parameters = parameters
        self._directories: tuple[Address[Directory], ...] = ()
        self._turns = 0
        self._settling = parameters.directories
        self._online = parameters.directories
        self._sums: Sums = (0,) * 8

    @message(table.POKER_PREPARE)
    def prepare(self, sender: Sender) -> None:
        parameters, lcg = self._parameters, Lcg(self._parameters.seed)
        self._directories = self.system.addresses(Directory, parameters.directories)
        for directory in self._directories:
            self.system.bear(directory, self.address, lcg.next_int(0))
        for client in range(parameters.clients):
            self.send(self._directory_of(client), Directory.login, client)
        for directory in self._directories:
            if parameters.befriend:
                self.send(directory, Directory.befriend)
            self.send(directory, Directory.settle)

    @message(table.POKER_SETTLED)
    def settled(self, sender: Sender) -> None:
        self._settling -= 1
        if self._settling == 0:
            self.system.control.ready()

    @message(table.POKER_ACT)
    def act(self, sender: Sender, client: int, choice: int, index: int, k: int) -> None:
        turn, accumulator = self._next_turn(1)
        directory = self._directory_of(client)
        self.send(directory, Directory.act, turn, client, choice, index, k, accumulator)

    @message(table.POKER_TURN)
    def turn(self, sender: Sender) -> None:
        self._poke(0)

    @message(table.POKER_RUN)
    def run(self, sender: Sender, salt: int) -> None:
        for _ in range(self._parameters.turns):
            self._poke(salt)

    def _poke(self, salt: int) -> None:
        turn, accumulator = self._next_turn(self._parameters.clients)
        for directory in self._directories:
            self.send(directory, Directory.poke, turn, salt, accumulator)

    def _next_turn(self, expected: int) -> "tuple[int, Address[Accumulator]]":
        turn = self._turns
        self._turns += 1
        self.system.stopwatch.turn_begins()
        accumulator = self.system.address(Accumulator, turn)
        self.system.spawn(accumulator, Accumulator, turn, self.address, expected)
        return turn, accumulator

    @message(table.POKER_CONFIRM)
    def confirm(
        self, sender: Sender, turn: int, value: int, stops: int, announced: int, consumed: int
    ) -> None:
        self.system.stopwatch.turn_ends(turn)
        self.system.control.confirmed_turn(value, stops, announced, consumed)

    @message(table.POKER_DISCONNECT)
    def disconnect(self, sender: Sender) -> None:
        for directory in self._directories:
            self.send(directory, Directory.disconnect)

    @message(table.POKER_FINISHED)
    def finished(self, sender: Sender, *sums: int) -> None:
        self._sums = tuple(map(plus, self._sums, sums))
        self._online -= 1
        if self._online == 0:
            self.system.control.done(*self._sums)
            self.end()

    def _directory_of(self, client: int) -> "Address[Directory]":
        return self._directories[client % len(self._directories)]


class Directory(Actor):
    """Makes clients, makes them friends, and passes the poker's word on."""

    CLASS = table.DIRECTORY

    __slots__ = ("_clients", "_lcg", "_online", "_parameters", "_poker", "_settling", "_sums")

    def __init__(
        self,
        system: System,
        address: Mailbox[Any],
        poker: Address[Poker],
        seed: int,
        parameters: "ChatApp",
    ) -> None:
        super().__init__(system, address)
        self._poker = poker
        self._parameters = parameters
        self._lcg = Lcg(seed)
        # By their numbers, in login order.
        self._clients: dict[int, Address[Client]] = {}
        self._settling = 0
        self._online = 0
        self._sums: Sums = (0,) * 8

    @message(table.DIRECTORY_LOGIN)
    def login(self, sender: Sender, client: int) -> None:
        address = self.system.address(Client, client)
        self.system.bear(address, self.address, self._lcg.next_int(0))
        self._clients[client] = address

    @message(table.DIRECTORY_BEFRIEND)
    def befriend(self, sender: Sender) -> None:
        for friend, address in self._clients.items():
            befriended = False
            while not befriended:
                for client, candidate in self._clients.items():
                    if self._lcg.next_int(100) < self._parameters.befriend and client != friend:
                        self.send(candidate, Client.befriend, friend, address)
                        self.send(address, Client.befriend, client, candidate)
                        befriended = True

    @message(table.DIRECTORY_SETTLE)
    def settle(self, sender: Sender) -> None:
        self._settling = len(self._clients)
        for client in self._clients.values():
            self.send(client, Client.settle)

    @message(table.DIRECTORY_SETTLED)
    def settled(self, sender: Sender) -> None:
        self._settling -= 1
        if self._settling == 0:
            self.send(self._poker, Poker.settled)

    @message(table.DIRECTORY_POKE, sends="nna")
    def poke(
        self, sender: Sender, turn: int, salt: int, accumulator: "Address[Accumulator]"
    ) -> None:
        for client in self._clients.values():
            self.send(client, Client.act, turn, table.CHOICE_DRAW, 0, 0, salt, accumulator)

    @message(table.DIRECTORY_ACT, sends="nnnnna")
    def act(
        self,
        sender: Sender,
        turn: int,
        client: int,
        choice: int,
        index: int,
        k: int,
        accumulator: "Address[Accumulator]",
    ) -> None:
        self.send(self._clients[client], Client.act, turn, choice, index, k, 0, accumulator)

    @message(table.DIRECTORY_DISCONNECT)
    def disconnect(self, sender: Sender) -> None:
        self._online = len(self._clients)
        for client in self._clients.values():
            self.send(client, Client.logout)

    @message(table.DIRECTORY_LEFT)
    def left(self, sender: Sender, *sums: int) -> None:
        self._sums = tuple(map(plus, self._sums, sums))
        self._online -= 1
        if self._online == 0:
            self.send(self._poker, Poker.finished, *self._sums)
            self.end()


class Client(Actor):
    """A user: friends, chats, and an LCG of its own."""

    CLASS = table.CLIENT

    __slots__ = (
        "_chats", "_created", "_deliveries", "_directory", "_friends", "_joins", "_lcg", "_leaving",
        "_number", "_parameters", "_picks", "_posted",
    )  # fmt: skip

    def __init__(
        self,
        system: System,
        address: Mailbox[Any],
        number: int,
        directory: Address[Directory],
        seed: int,
        parameters: "ChatApp",
    ) -> None:
        super().__init__(system, address)
        self._number = number
        self._directory = directory
        self._lcg = Lcg(seed)
        self._parameters = parameters
        self._friends: list[tuple[int, Address[Client]]] = []
        self._chats: list[Address[Chat]] = []
        self._created = 0
        self._posted = 0
        self._leaving = 0
        self._picks = dict.fromkeys(_ACTIONS, 0)
        self._deliveries = 0
        self._joins = 0

    @message(table.CLIENT_BEFRIEND, sends="na")
    def befriend(self, sender: Sender, friend: int, address: "Address[Client]") -> None:
        self._friends.append((friend, address))

    @message(table.CLIENT_SETTLE)
    def settle(self, sender: Sender) -> None:
        self.send(self._directory, Directory.settled)

    @message(table.CLIENT_ACT, sends="nnnnna")
    def act(
        self,
        sender: Sender,
        turn: int,
        choice: int,
        index: int,
        k: int,
        salt: int,
        accumulator: "Address[Accumulator]",
    ) -> None:
        directed = choice != table.CHOICE_DRAW
        if not directed:
            index = self._lcg.next_int(len(self._chats))
            choice = self._select()
        if choice in self._picks:
            self._picks[choice] += 1
        if choice == table.CHOICE_COMPUTE:
            value = fibonacci(self._parameters.fib_n)
            self.send(accumulator, Accumulator.stop, 0, value)
        elif choice == table.CHOICE_POST and index < len(self._chats):
            self.send(self._chats[index], Chat.post, turn, self._payload(salt), accumulator)
        elif choice == table.CHOICE_LEAVE and index < len(self._chats):
            self.send(self._chats.pop(index), Chat.leave, turn, accumulator)
        elif choice == table.CHOICE_INVITE and self._friends:
            if not directed:
                self._lcg.shuffle(self._friends)
                k = self._lcg.next_int(len(self._friends))
            self._invite(turn, self._friends[: max(k, 1)], accumulator)
        elif choice == table.CHOICE_JOIN and index < len(self._chats) and k < len(self._friends):
            self.send(accumulator, Accumulator.bump, 0, 1, 0)
            self.send(self._chats[index], Chat.join, turn, *self._friends[k], accumulator)
        else:
            self.send(accumulator, Accumulator.stop, 0, 0)

    def _select(self) -> int:
        p = self._parameters
        chances = zip(_ACTIONS, (p.compute, p.post, p.leave, p.invite), strict=False)
        if p.selection == CASCADE:
            for action, chance in chances:
                if self._lcg.next_int(100) < chance:
                    return action
            return table.CHOICE_NONE
        draw, limit = self._lcg.next_int(100), 0
        for action, chance in chances:
            limit += chance
            if draw < limit:
                return action
        return table.CHOICE_NONE

    def _payload(self, salt: int) -> int:
        self._posted += 1
        return self._number << 32 | add(salt, self._posted - 1)

    def _invite(
        self,
        turn: int,
        guests: "Sequence[tuple[int, Address[Client]]]",
        accumulator: "Address[Accumulator]",
    ) -> None:
        chat = self.system.address(Chat, self._number, self._created)
        self._created += 1
        self.system.spawn(chat, Chat, self.address, self._parameters.history)
        self._chats.append(chat)
        self.send(accumulator, Accumulator.bump, 0, len(guests), 0)
        for friend, address in guests:
            self.send(chat, Chat.join, turn, friend, address, accumulator)

    @message(table.CLIENT_FORWARD, sends="nnna")
    def forward(
        self,
        sender: Sender,
        turn: int,
        level: int,
        payload: int,
        accumulator: "Address[Accumulator]",
    ) -> None:
        self._deliveries += 1
        self.send(accumulator, Accumulator.stop, level, payload_digest(payload))

    @message(table.CLIENT_ACCEPTED, sends="nna")
    def accepted(
        self,
        sender: "Address[Chat]",
        turn: int,
        level: int,
        accumulator: "Address[Accumulator]",
    ) -> None:
        self._joins += 1
        self._chats.append(sender)
        self.send(accumulator, Accumulator.stop, level, 0)

    @message(table.CLIENT_LEFT, sends="na")
    def left(self, sender: Sender, turn: int, accumulator: "Address[Accumulator] | None") -> None:
        if accumulator:
            self.send(accumulator, Accumulator.stop, 0, 0)
            return
        self._leaving -= 1
        if self._leaving == 0:
            self._report()

    @message(table.CLIENT_LOGOUT)
    def logout(self, sender: Sender) -> None:
        self._leaving = len(self._chats)
        for chat in self._chats:
            self.send(chat, Chat.leave, LOGOUT, None)
        if self._leaving == 0:
            self._report()

    def _report(self) -> None:
        sums = (self._lcg.state, *self._picks.values(), self._deliveries, self._joins)
        self.send(self._directory, Directory.left, *sums)
        self.end()


_ACTIONS = (
    table.CHOICE_COMPUTE,
    table.CHOICE_POST,
    table.CHOICE_LEAVE,
    table.CHOICE_INVITE,
    table.CHOICE_NONE,
)


class Chat(Actor):
    """Forwards posts to its members, and to who comes later as well if it keeps a history."""

    CLASS = table.CHAT

    __slots__ = ("_digests", "_history", "_members")

    def __init__(
        self, system: System, address: Mailbox[Any], creator: Address[Client], history: bool
    ) -> None:
        super().__init__(system, address)
        self._members = [creator]
        self._history: list[int] | None = [] if history else None
        # The sum of the digests of what is in the history.
        self._digests = 0

    @message(table.CHAT_POST, sends="nna")
    def post(
        self, sender: Sender, turn: int, payload: int, accumulator: "Address[Accumulator]"
    ) -> None:
        posted = payload_digest(payload)
        if self._history is not None:
            self._history.append(payload)
            self._digests = add(self._digests, posted)
        count = len(self._members)
        self.send(accumulator, Accumulator.bump, 0, count, count * posted & MASK)
        for member in self._members:
            self.send(member, Client.forward, turn, 1, payload, accumulator)

    @message(table.CHAT_JOIN, sends="nnaa")
    def join(
        self,
        sender: Sender,
        turn: int,
        friend: int,
        address: Address[Client],
        accumulator: "Address[Accumulator]",
    ) -> None:
        self._members.append(address)
        level = 1
        if self._history:
            replayed = len(self._history)
            self.send(accumulator, Accumulator.bump, 1, replayed + 1, self._digests)
            level = 2
            for payload in self._history:
                self.send(address, Client.forward, turn, level, payload, accumulator)
        self.send(address, Client.accepted, turn, level, accumulator)

    @message(table.CHAT_LEAVE, sends="na")
    def leave(
        self, sender: Address[Client], turn: int, accumulator: "Address[Accumulator] | None"
    ) -> None:
        self._members.remove(sender)
        self.send(sender, Client.left, turn, accumulator)
        if not self._members:
            self.end()


class Accumulator(Actor):
    """Sums the work of one turn, in units on three levels."""

    CLASS = table.ACCUMULATOR

    __slots__ = (
        "_announced", "_consumed", "_expected", "_poker", "_reported", "_stops", "_turn", "_value",
    )  # fmt: skip

    def __init__(
        self,
        system: System,
        address: Mailbox[Any],
        turn: int,
        poker: Address[Poker],
        expected: int,
    ) -> None:
        super().__init__(system, address)
        self._turn = turn
        self._poker = poker
        self._expected = [expected, 0, 0]
        self._reported = [0, 0, 0]
        self._value = 0
        self._stops = 0
        self._announced = 0
        self._consumed = 0

    @message(table.ACCUMULATOR_STOP)
    def stop(self, sender: Sender, level: int, value: int) -> None:
        if level == 0:
            self._value += value
        else:
            self._stops += 1
            self._consumed = add(self._consumed, value)
        self._report(level)

    @message(table.ACCUMULATOR_BUMP)
    def bump(self, sender: Sender, level: int, n: int, digest: int) -> None:
        self._expected[level + 1] += n
        self._announced = add(self._announced, digest)
        self._report(level)

    def _report(self, level: int) -> None:
        self._reported[level] += 1
        if self._reported == self._expected:
            sums = self._value, self._stops, self._announced, self._consumed
            self.send(self._poker, Poker.confirm, self._turn, *sums)
            self.end()


SUMS = (
    "lcg_checksum", "computes", "posts", "leaves", "invites", "nones", "deliveries", "joins",
)  # fmt: skip
"""The poker's last report, by the receipt's fields."""


@dataclass(frozen=True)
class ChatApp(Benchmark):
    """Percentages are of 0 to 100; ``seed`` is the poker's."""

    clients: int
    directories: int
    turns: int
    compute: int
    post: int
    leave: int
    invite: int
    befriend: int
    selection: int
    fib_n: int
    history: bool
    seed: int

    PREPARE = from_control(Poker.prepare)
    DISCONNECT = from_control(Poker.disconnect)
    FINISHES = True

    @property
    def reports(self) -> int:
        return self.turns

    @property
    def marked(self) -> int:
        return self.turns

    def populate(self, system: System) -> Address[Any]:
        poker = system.address(Poker)
        system.spawn(poker, Poker, self)
        return poker

    def born(self, system: System, address: Mailbox[Any], maker: Address[Any], seed: int) -> None:
        if class_of(address.name) == table.DIRECTORY:
            system.spawn(address, Directory, maker, seed, self)
        else:
            system.spawn(address, Client, index_of(address.name), maker, seed, self)

    def start(self, salt: int) -> Message:
        return from_control(Poker.run, salt)

    def act(self, client: int, choice: int, index: int, k: int) -> Message:
        return from_control(Poker.act, client, choice, index, k)

    def turn(self) -> Message:
        return from_control(Poker.turn)

    def receipt(self, said: Said) -> dict[str, int]:
        values, stops, announced, consumed = said.sums
        return {
            **dict(zip(SUMS, said.counts, strict=True)),
            "confirms": said.confirmed,
            "fib_sum": values,
            "stops": stops,
            "announced": announced & MASK,
            "consumed": consumed & MASK,
        }
