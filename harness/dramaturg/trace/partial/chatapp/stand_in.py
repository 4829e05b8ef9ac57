"""The stand-in for ChatApp's outsiders: the messages that they take, and the judges of those that
they send."""

from collections.abc import Iterable, Iterator
from typing import ClassVar

from dramaturg.model import chatapp, names
from dramaturg.model.actor import Actor
from dramaturg.model.chatapp import Parameters
from dramaturg.model.messages import Choice
from dramaturg.trace.events import AnyLogs, Message
from dramaturg.trace.partial.basis.outsiders import WAIT, Inside, Open, Outside
from dramaturg.trace.partial.chatapp.accumulator import ToAccumulator
from dramaturg.trace.partial.chatapp.chat import ToChat
from dramaturg.trace.partial.chatapp.client import ToClient
from dramaturg.trace.partial.chatapp.known import Known
from dramaturg.trace.partial.chatapp.leads import ToDirectory, ToPoker
from dramaturg.trace.partial.chatapp.seen_chat import ACCEPTED, FORWARD
from dramaturg.trace.partial.chatapp.taker import POKER, Taker
from dramaturg.v2 import trace_pb2 as kind

_POST, _JOIN = kind.MESSAGE_KIND_CHAT_POST, kind.MESSAGE_KIND_CHAT_JOIN
_ACT, _LOGOUT = kind.MESSAGE_KIND_CLIENT_ACT, kind.MESSAGE_KIND_CLIENT_LOGOUT
_SETTLE = kind.MESSAGE_KIND_CLIENT_SETTLE
_POKE, _DISCONNECT = kind.MESSAGE_KIND_DIRECTORY_POKE, kind.MESSAGE_KIND_DIRECTORY_DISCONNECT
_SETTLED = kind.MESSAGE_KIND_DIRECTORY_SETTLED
_ALL_SETTLED = kind.MESSAGE_KIND_POKER_SETTLED


class ChatApp(Outside):
    """The stand-in for ChatApp's outsiders."""

    CLOSED: ClassVar = ()
    OPEN: ClassVar = (
        Open(names.POKER, names.ACCUMULATOR, "the sums of a turn, but `value`; when it is done"),
        Open(names.POKER, names.DIRECTORY, "the deliveries in the sums of its clients"),
        Open(names.DIRECTORY, names.CLIENT, "its deliveries"),
        Open(names.CLIENT, names.CHAT, "what other clients post, and when one is accepted"),
        Open(names.CHAT, names.CLIENT, "which of its chats a client posts to or leaves"),
        Open(names.ACCUMULATOR, names.CLIENT, "which posts find a chat, and all deliveries"),
        Open(names.ACCUMULATOR, names.CHAT, "members and history of a chat"),
    )

    DEAF: ClassVar = frozenset({names.ACCUMULATOR})
    ASKS: ClassVar = frozenset({names.ACCUMULATOR})
    model = chatapp

    def __init__(self, parameters: Parameters, salt: int, inside: Inside, logs: AnyLogs) -> None:
        super().__init__(parameters, salt, inside, logs)
        known = self._known = Known(parameters, salt, inside)
        self._script = known.script
        self._clients = ToClient(self, known)
        self._chats = ToChat(self, known)
        self._accumulators = ToAccumulator(self, known)
        self._takers: dict[int, Taker] = {
            names.POKER: ToPoker(self, known),
            names.DIRECTORY: ToDirectory(self, known),
            names.CLIENT: self._clients,
            names.CHAT: self._chats,
            names.ACCUMULATOR: self._accumulators,
        }
        self._unsettled = 0
        """Watched actors that have to settle before anybody may be poked."""
        self._under: dict[int, list[int]] = {}
        """Watched clients of each directory that nobody watches."""
        self._settling: dict[int, int] = {}
        """For each unobserved directory, how many clients have to settle before it does."""
        self._waiting: dict[int, set[int]] = {}
        """The receivers that wait for something that the client does or is told."""
        self._logged_chats = {actor for actor in logs if names.class_of(actor) == names.CHAT}

    # --- births ---

    def births(self) -> Iterable[Actor]:
        p, inside, script, led = self.parameters, self.inside, self._script, self._known.led
        made, its = self.model, self.of_model
        if led:
            yield made.Poker(its)
        for index, watched in enumerate(self._known.directories):
            if watched:
                self._unsettled += 1
                if not led:
                    yield made.Directory(index, script.seeds[index], its)
        for client in inside.of_class(names.CLIENT, p.clients):
            if self._known.watches(client):
                directory = script.directory_of(client)
                if not self._known.directories[directory]:
                    self._unsettled += 1
                    self._under.setdefault(directory, []).append(client)
                    name = chatapp.directory_name(directory)
                    seed = script.seed(client)
                    yield made.Client(client, name, seed, its)
        for host in inside.of_class(names.CHAT, p.clients):
            # A watched host makes its own.
            if not self._known.watches(host):
                for number in range(len(script.diary(host).turns)):
                    chat = chatapp.chat_name(host, number)
                    if inside.whole(chat):
                        yield made.Chat(chat, host, p.history)
        if not led:
            for turn in inside.of_class(names.ACCUMULATOR, p.turns):
                if inside.whole(chatapp.accumulator_name(turn)):
                    yield made.Accumulator(turn, p.clients)
            if self._unsettled == 0:
                self._begin()

    def enter(self, actor: Actor) -> None:
        match actor.actor_class:
            case names.POKER:
                self._enter_poker()
            case names.DIRECTORY:
                self._enter_directory(names.index_of(actor.name))
            case names.CLIENT:
                self._enter_client(names.index_of(actor.name))
            case names.CHAT:
                self._chats.enter(actor.name)
            case names.ACCUMULATOR:
                assert isinstance(actor, chatapp.Accumulator)
                self._accumulators.watched[actor.name] = actor

    def _enter_poker(self) -> None:
        for index, watched in enumerate(self._known.directories):
            if not watched:
                name = chatapp.directory_name(index)
                self.lane(name, POKER, _ALL_SETTLED, lambda n: (_ALL_SETTLED, ()), 1, 0)

    def _enter_directory(self, index: int) -> None:
        p, name = self.parameters, chatapp.directory_name(index)
        if not self._known.led:
            for client in self._script.clients(index):
                self.send(POKER, name, kind.MESSAGE_KIND_DIRECTORY_LOGIN, client)
            if p.befriend > 0:
                self.send(POKER, name, kind.MESSAGE_KIND_DIRECTORY_BEFRIEND)
            self.send(POKER, name, kind.MESSAGE_KIND_DIRECTORY_SETTLE)
            self.lane(POKER, name, _POKE, lambda n: (_POKE, (n, self.salt)), p.turns, 0)
        for client in self._script.clients(index):
            sender = chatapp.client_name(client)
            if not self.inside.whole(sender):
                self.lane(sender, name, _SETTLED, lambda n: (_SETTLED, ()), 1, 0)

    def _enter_client(self, client: int) -> None:
        name, directory = chatapp.client_name(client), self._script.directory_of(client)
        if self._known.directories[directory]:
            return
        sender = chatapp.directory_name(directory)
        for friend in self._script.friends(client):
            self.send(sender, name, kind.MESSAGE_KIND_CLIENT_BEFRIEND, friend)
        self.send(sender, name, _SETTLE)
        drawing = int(Choice.DRAW), 0, 0, self.salt
        turns = self.parameters.turns
        self.lane(sender, name, _ACT, lambda n: (_ACT, (n, *drawing)), turns, 0)

    def spawned(self, actor: Actor) -> None:
        if actor.actor_class == names.CHAT:
            host = chatapp.client_name(names.index_of(actor.name))
            self._clients.see(host, actor.name, creator=True)

    # --- what outsiders hear ---

    def hear(self, sender: int, receiver: int, kind_: int, args: tuple[int, ...]) -> None:
        match receiver >> 56:
            case names.CHAT:
                self._told_chat(sender, receiver, kind_, args)
            case names.CLIENT:
                self._told_client(sender, names.index_of(receiver), kind_, args)
            case names.DIRECTORY:
                self._told_directory(names.index_of(receiver), kind_, args)
            case names.POKER:
                if kind_ == _ALL_SETTLED:
                    self._settle()

    def _settle(self) -> None:
        self._unsettled -= 1
        if self._unsettled == 0 and not self._known.led:
            self._begin()

    def _begin(self) -> None:
        """Everybody has settled: all turns are under way at once."""
        self._known.begun = True
        turns = self.parameters.turns
        for receiver, lanes in self.lanes.items():
            for (_, key), lane in lanes.items():
                if key in (_POKE, _ACT):
                    lane.released = turns
                    self.wake(receiver)
        for actor in (*self._accumulators.watched, *self._logged_chats):
            self.wake(actor)

    def _told_chat(self, sender: int, chat: int, kind_: int, args: tuple[int, ...]) -> None:
        if kind_ == _JOIN:
            self._clients.invited(chat, args[1])
            self.wake(chatapp.client_name(args[1]))
            return
        self._clients.see(sender, chat).sent(kind_, args[0], args[-1])
        if kind_ == _POST:
            client = names.index_of(sender)
            self._known.heard[client, args[0]] = chat, args[1]
            self._wake_for(client)

    def _told_client(self, sender: int, client: int, kind_: int, args: tuple[int, ...]) -> None:
        if kind_ == ACCEPTED:
            self._chats.accepted(sender, client)
        elif kind_ == _SETTLE:
            self.release(chatapp.client_name(client), sender, _SETTLED)
        elif kind_ == _ACT:
            self._act(client, args[0])
        elif kind_ == _LOGOUT:
            self._known.ending = True
            self._known.out.add(client)
            self._wake_all()

    def _act(self, client: int, turn: int) -> None:
        self._known.acted[client] = turn + 1
        self._wake_for(client)

    def _wake_for(self, client: int) -> None:
        """Wakes the receivers that wait for this outsider."""
        for receiver in self._waiting.pop(client, ()):
            self.wake(receiver)

    def _told_directory(self, directory: int, kind_: int, args: tuple[int, ...]) -> None:
        """A watched client, or the poker, told a directory something."""
        name, under = chatapp.directory_name(directory), self._under.get(directory, [])
        if kind_ in (_SETTLED, kind.MESSAGE_KIND_DIRECTORY_SETTLE):
            due = self._settling.setdefault(directory, len(under) + 1) - 1
            self._settling[directory] = due
            if due == 0:
                self.release(name, POKER, _ALL_SETTLED)
            if kind_ == _SETTLED:
                self._settle()
        elif kind_ == _POKE:
            for client in under:
                self.release(name, chatapp.client_name(client), _ACT)
            for client in self._script.clients(directory):
                if client not in under:
                    self._act(client, args[0])
        elif kind_ == _DISCONNECT:
            self._known.ending = True
            for client in under:
                self.send(name, chatapp.client_name(client), _LOGOUT)
            self._wake_all()

    def _wake_all(self) -> None:
        self.wake(POKER)
        for actor in (*self._logged_chats, *self._clients.seen):
            self.wake(actor)
        for index in range(self.parameters.directories):
            self.wake(chatapp.directory_name(index))

    def quiet(self, clear: bool) -> bool:
        """`disconnect` follows all that is no farewell."""
        known = self._known
        if known.led or known.ending or not clear or not self.ends or not known.begun:
            return False
        if any(self._outstanding()):
            return False
        known.ending = True
        for index, watched in enumerate(known.directories):
            name = chatapp.directory_name(index)
            if watched:
                self.send(POKER, name, _DISCONNECT)
            for client in self._under.get(index, []):
                self.send(name, chatapp.client_name(client), _LOGOUT)
        self._wake_all()
        return True

    def _outstanding(self) -> Iterator[bool]:
        """The messages that outsiders had to send before the end, and that have not been taken."""
        for lanes in self.lanes.values():
            yield any(lane.taken < lane.length for lane in lanes.values())
        for mine in self._clients.seen.values():
            yield any(seen.next() is not None for seen in mine.values())

    # --- what outsiders say ---

    def judge(self, receiver: int, sender: int, message: Message) -> object | None:
        taker = self._takers.get(receiver >> 56)
        if taker is None:
            return self.in_lane(receiver, sender, message)
        found = taker.judge(receiver, sender, message)
        if found is WAIT:
            # For whom: the client that says, posts or invites.
            says = message[1][2] >> 32 if message[0] == FORWARD else names.index_of(sender)
            self._waiting.setdefault(says, set()).add(receiver)
        return found

    def missing(self, receiver: int) -> Iterator[tuple[int, Message | None]]:
        yield from super().missing(receiver)
        yield from self._takers[receiver >> 56].missing(receiver)

    def amiss(self, receiver: int) -> int | None:
        return self._accumulators.amiss(receiver)

    def overdue(self, receiver: int) -> Iterator[tuple[int, Message]]:
        yield from super().overdue(receiver)
        yield from self._takers[receiver >> 56].overdue(receiver)
